"""The proof of a deal and its salts, from the challenge to the result."""

from __future__ import annotations

import hashlib
import json
import re

from bot.ui.catalogue import translations
from engines.deals import commitment_v2, short_seal
from sandbox import Sandbox
from sandbox.clients.driver import Person
from sandbox.clients.reply import Reply
from sandbox.clients.views import MessageView
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import hand_of
from tests.seeds import tells_seed

say = translations("en")

APPLE, PEAR = "apple **under** the tree", "pear @everyone"


async def proof_of(person: Person, message: MessageView) -> MessageView:
    """Press *Proof*; the private message."""
    reply = await person.press(message, label="Proof")
    assert reply.visibility == "ephemeral"
    return reply.message


async def add_salt(person: Person, message: MessageView, salt: str) -> Reply:
    """Press *Proof* and *Add a salt*, type and send it; the answer."""
    opened = await person.press(await proof_of(person, message), label="Add a salt")
    assert opened.kind == "modal"
    return await person.submit(opened.modal, {"Your salt": salt})


def sha(salt: str) -> str:
    return hashlib.sha256(salt.encode()).hexdigest()


def sent_to(sandbox: Sandbox, *, besides: Person | None = None) -> str:
    """Everything that the bot sent to everybody, or to one person, except to a person."""
    requests = [each for each in sandbox.transcript.requests if besides is None or each.audience != besides.id]
    return "".join(json.dumps(each.body, ensure_ascii=False) for each in requests)


async def test_two_salts_are_told_by_their_hashes_at_once_and_by_their_texts_after_the_end(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
    added = await add_salt(alice, asked, APPLE)
    assert say("salt.added") in added.text
    assert APPLE.replace("*", r"\*") in added.text, "its owner may read it"
    assert "Add a salt" not in added.message.labels
    await add_salt(bob, asked, f"  {PEAR} ")
    told = {f"-# Salt of {name}: {sha(salt)[:16]}" for name, salt in (("Alice", APPLE), ("Bob", PEAR))}
    await sandbox.wait_for(lambda: told <= set(asked.text.splitlines()))
    proof = await proof_of(alice, asked)
    assert f"`{sha(PEAR)}`" in proof.text
    assert "pear" not in proof.text

    (invitation,) = room.app.invitations.open()
    board = (await bob.press(asked, label="Accept")).message
    (match,) = room.app.matches.live()
    await hand_of(alice, board)
    running = await proof_of(bob, board)
    assert running.labels == []
    assert f"`{sha(APPLE)}`" in running.text
    for person, words in ((alice, APPLE), (bob, PEAR)):
        sent = sent_to(sandbox, besides=person)
        assert words.split()[0] not in sent
        assert words.split()[1] not in sent
    assert not tells_seed(sent_to(sandbox), match)

    await resign(alice, board)
    await sandbox.wait_for(lambda: "Rematch" in board.labels)
    finished = await proof_of(sandbox.user("Carol"), board)
    assert r"apple \*\*under\*\* the tree" in finished.text
    assert r"pear \@everyone" in finished.text
    assert tells_seed(finished.text, match)
    seal = commitment_v2(
        bytes.fromhex(re.findall(r"Seed: `([0-9a-f]{64})`", finished.text)[0]),
        "haymaker",
        int(re.findall(r"rules version ([0-9]+)", finished.text)[0]),
        re.findall(r"Deal: `(\w+)`", finished.text)[0],
        re.findall(r"Options: `(.+)`", finished.text)[0],
    )
    assert f"Seal: `{seal.hex()}`" in finished.text
    assert seal == invitation.commitment
    assert f"Deal {invitation.deal_id} · seal {short_seal(seal)}" in board.text
    assert f"Log: `{match.chain}`" in finished.text
    assert f"Match {match.id} · log {match.chain[:16]}" in board.text
    assert not tells_seed(board.text, match)


async def resign(person: Person, board: MessageView) -> None:
    asked = await person.press(board, label="Resign")
    await person.press(asked.message, label="Resign")
