"""The proof of a deal and its salts, from the challenge to the result."""

from __future__ import annotations

import hashlib
import json
import random
import re
from pathlib import Path

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Reply, Sandbox
from engines import GAMES
from engines.deals import commitment_of, short_seal
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, hand_of, move, press_where_it_is, resign
from tests.faults.database_file import DatabaseFile
from tests.games.cases import case_of, is_race
from tests.seeds import tells_seed

say = translations("en")

APPLE, PEAR = "apple **under** the tree", "pear @everyone"


async def proof_of(person: Person, message: MessageView) -> MessageView:
    """Press *Proof*; the private message."""
    reply = await press_where_it_is(person, message, "Proof")
    assert reply.visibility == "ephemeral"
    return reply.message


async def code_of(person: Person, board: MessageView) -> str:
    """The code of a finished match, as its proof tells it."""
    return str(re.findall(r"Match: `(\w+)`", (await proof_of(person, board)).text)[0])


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
    seal = commitment_of(
        bytes.fromhex(re.findall(r"Seed: `([0-9a-f]{64})`", finished.text)[0]),
        "haymaker",
        int(re.findall(r"rules version ([0-9]+)", finished.text)[0]),
        re.findall(r"Deal: `(\w+)`", finished.text)[0],
        re.findall(r"Options: `(.+)`", finished.text)[0],
        terms=re.findall(r"Terms: `(.+)`", finished.text)[0],
    )
    assert f"Seal: `{seal.hex()}`, in short `{short_seal(seal)}`" in finished.text
    assert seal == invitation.commitment
    for code in (match.id, invitation.deal_id, short_seal(seal), match.chain[:8]):
        assert code not in board.text
    assert f"Log: `{match.chain}`" in finished.text
    assert not tells_seed(board.text, match)


# ------------------------------------------------------------------------------------ /verify


async def finished_match(alice: Person, bob: Person, channel: DrivenChannel, game: str, *more: Person) -> MessageView:
    """Play a match of one act at most, with a salt of one player; the board with its result. All others resign."""
    at_table = more or is_race(game)
    if at_table:
        table = (await alice.slash(channel, f"{game} open")).message
        for person in (bob, *more):
            await person.press(table, label="Join")
    else:
        table = (await alice.slash(channel, f"{game} challenge", opponent=bob)).message
    await add_salt(alice, table, APPLE)
    start = (await alice.press(table, label="Start")) if at_table else await bob.press(table, label="Accept")
    board = start.message
    hand = await hand_of(alice, board)
    await move(alice, hand, random.Random(1))
    for person in (*more, bob):
        await resign(person, board)
    return board


@pytest.mark.nightly  # a whole match each; the verdict of every game is unit tested
@pytest.mark.parametrize("game", list(GAMES))
async def test_everything_of_a_match_of_every_game_fits(sandbox: Sandbox, room: Cardroom, game: str) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    others = [person for person in sandbox.people if person.id not in (alice.id, bob.id)]
    board = await finished_match(alice, bob, lobby, game, *others[: case_of(game).setups[0][1] - 2])
    await sandbox.wait_for(lambda: "Rematch" in board.labels)
    proof = (await proof_of(alice, board)).text
    code, deal = await code_of(alice, board), re.findall(r"Deal: `(\w+)`", proof)[0]
    assert lobby.server_id is not None
    (row,) = await room.store.matches_of_deal(lobby.server_id, deal)
    told = [
        await alice.slash(lobby, "verify"),
        await sandbox.user("Carol").slash(lobby, "verify", code=code),
        await bob.slash(lobby, "verify", code=f" `{deal.upper()}` "),
    ]
    for reply in told:
        assert reply.visibility == "ephemeral"
        assert say("verify.all_fits") in reply.text
        assert "✗" not in reply.text
        assert r"apple \*\*under\*\* the tree" in reply.text
        assert f"`{row.commitment.hex()}`" in reply.text
        assert f"Deal: `{deal}`, sealed <t:" in reply.text
    sent = await bob.press(told[-1].message, label="Export")
    (file,) = sent.message.raw["attachments"]
    assert file["filename"] == f"cardroom-{code}.json"
    assert (sent.visibility, told[-1].message.labels) == ("ephemeral", ["Export"])


async def test_verify_finds_the_latest_match_and_what_may_be_salted_shows_its_proof(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby, general = sandbox.channel("lobby"), sandbox.channel("games")
    boards = [await finished_match(alice, bob, channel, "haymaker") for channel in (lobby, general)]
    await sandbox.wait_for(lambda: all("Rematch" in board.labels for board in boards))
    here, there = [await code_of(alice, board) for board in boards]
    assert f"Match: `{here}`" in (await alice.slash(lobby, "verify")).text
    assert f"Match: `{there}`" in (await alice.slash(general, "verify")).text
    offered = (await alice.autocomplete(lobby, "verify", option="code", value="")).choices
    assert [choice["value"] for choice in offered] == [there, here]
    assert all(choice["name"].startswith("Haymaker, Bob · 2") for choice in offered)
    for person, typed, found in (
        (bob, here[:9], [here]),
        (bob, "alice", [there, here]),
        (sandbox.user("Carol"), "", []),
    ):
        reply = await person.autocomplete(lobby, "verify", option="code", value=typed)
        assert [choice["value"] for choice in reply.choices] == found

    # Who may add a salt and what a bad one is answered.
    await room.clear()
    carol = sandbox.user("Carol")
    asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
    proof = await proof_of(carol, asked)
    assert proof.labels == []
    form = (await proof_of(alice, asked)).button("Add a salt").custom_id
    refused = await carol.press(asked, custom_id=form, force=True)
    assert (refused.visibility, refused.text) == ("ephemeral", say("salt.not_playing"))
    empty = await add_salt(alice, asked, "   ")
    assert (empty.visibility, empty.text) == ("ephemeral", say("salt.empty"))
    await add_salt(alice, asked, APPLE)
    again = await alice.press(asked, custom_id=form, force=True)
    assert again.text == say("salt.added_already")
    await bob.press(asked, label="Decline")
    assert (await bob.press(asked, custom_id=form, force=True)).text == say("challenge.closed")

    # A running match and an open challenge show their told.
    await room.clear()
    asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
    (invitation,) = room.app.invitations.open()
    told = await alice.slash(lobby, "verify", code=invitation.deal_id)
    assert f"`{invitation.commitment.hex()}`" in told.text
    await alice.submit((await alice.press(told.message, label="Add a salt")).modal, {"Your salt": APPLE})
    await bob.press(asked, label="Accept")
    (match,) = room.app.matches.live()
    for code in (match.id, match.deal_id):
        reply = await bob.slash(lobby, "verify", code=code)
        assert say("verify.running") in reply.text
        assert f"`{match.commitment}`" in reply.text
        assert "apple" not in reply.text
        assert reply.message.labels == []
        assert not tells_seed(reply.text, match)
    forced = await bob.press(asked, custom_id=f"g1:{match.id}:0:export", force=True)
    assert forced.text == say("verify.running")


async def test_what_was_altered_does_not_fit_in_play_and_when_it_is_over_and_can_still_be_exported(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        over = await finished_match(alice, bob, lobby, "haymaker")
        await sandbox.wait_for(lambda: "Rematch" in over.labels)
        code = await code_of(alice, over)
        board = await challenge(alice, bob, sandbox.channel("games"))
        (match,) = room.app.matches.live()
    DatabaseFile(tmp_path).change("UPDATE records SET at = at + 1 WHERE seq = 1 AND match_id = ?", code)
    DatabaseFile(tmp_path).flip_bit("matches", "seed", match.id)
    async with cardroom(sandbox, tmp_path):
        told = await alice.slash(lobby, "verify")
        assert say("verify.is_wrong") in told.text
        assert f"✗ **{say('verify.wrong.log')}**" in told.text
        assert (await alice.press(told.message, label="Export")).message.raw["attachments"]
        for reply in (await alice.slash(lobby, "verify", code=match.id), await bob.press(board, label="More…")):
            assert (reply.visibility, reply.text) == ("ephemeral", say("match.altered.deal"))
