"""What is held about somebody: handed out without anything of others, and taken away with their matches checkable."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace

import pytest

from bot.play.deals.proof import DoesNotFollow, check
from bot.store.errors import Busy, NotSaved
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Person, Sandbox
from engines.deals import salt_digest
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.exports import exported
from tests.end_to_end.players import challenge, play_out
from tests.failing_rules import raising
from tests.seeds import tells_seed

say = translations("en")


def two(sandbox: Sandbox) -> tuple[Person, Person, DrivenChannel]:
    return sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")


async def delete(sandbox: Sandbox, person: Person, channel: DrivenChannel) -> None:
    asked = await person.slash(channel, "mydata delete")
    assert (asked.visibility, say("mydata.ask") in asked.text) == ("ephemeral", True)
    pressed = await person.press(asked.message, label=say("button.delete"))
    await sandbox.wait_for(lambda: say("mydata.deleted") in pressed.message.text)
    assert not pressed.message.labels


async def test_an_export_holds_nothing_secret_of_a_match_in_play(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = two(sandbox)
    await challenge(alice, bob, lobby)
    (live,) = room.app.matches.live()
    for person in (alice, bob):
        held = await exported(person, lobby)
        (match,) = held["matches"]
        assert match["result"] is None
        assert "seed" not in match
        assert all("action" not in act for act in match["acts"])
        assert not tells_seed(json.dumps(held), live)
        assert "HandDealt" not in json.dumps(held)


async def test_a_person_gets_one_export_at_a_time_and_others_get_theirs_in_turn(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of somebody who has played much it takes the store minutes, and with each that is asked for beside it longer."""
    (alice, bob, lobby), asked = two(sandbox), room.store.invitations_of
    begun, may = asyncio.Event(), asyncio.Event()
    made: list[int] = []

    async def slow(guild_id: int, user_id: int) -> object:
        begun.set()
        made.append(user_id)
        await may.wait()
        return await asked(guild_id, user_id)

    monkeypatch.setattr(room.store, "invitations_of", slow)
    first = asyncio.create_task(alice.slash(lobby, "mydata export"))
    await begun.wait()
    assert (await alice.slash(lobby, "mydata export")).text == say("files.one")
    others = asyncio.create_task(bob.slash(lobby, "mydata export"))
    await asyncio.sleep(0.1)
    assert made == [alice.id]
    may.set()
    assert all(say("mydata.exported") in reply.text for reply in await asyncio.gather(first, others))
    assert made == [alice.id, bob.id]


async def test_an_export_and_a_deletion_leave_a_match_that_can_be_checked(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    # One's own salt is exported, and the other's never.
    alice, bob, lobby = two(sandbox)
    await alice.slash(lobby, "notify", level="quiet")
    salts = {alice.id: "a pinch of Alice", bob.id: "a pinch of Bob"}
    asked = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
    (invitation,) = room.app.invitations.open()
    for user, salt in salts.items():
        await room.app.seating.add_salt(invitation.id, user, salt)
    told = {"text": salts[alice.id], "sha256": salt_digest(salts[alice.id]).hex()}
    assert (await exported(alice, lobby))["invitations"][0]["salt"] == told
    board = (await bob.press(asked, label="Accept")).message
    held = await exported(alice, lobby)
    assert held["matches"][0]["salt"] == told
    assert salts[bob.id] not in json.dumps(held)
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
    assert salts[bob.id] not in json.dumps(await exported(alice, lobby))
    before, records = await room.store.match(invitation.id), await room.store.records(invitation.id)
    assert before is not None
    check(before, records)

    # Nothing is deleted for who would rather keep it.
    question = await alice.slash(lobby, "mydata delete")
    kept = await alice.press(question.message, label=say("button.keep"))
    assert say("mydata.kept") in kept.text
    assert not kept.message.labels

    # What cannot be written or read is not deleted, and that is said.
    for reads, failing, sentence in (
        (False, NotSaved("disk full"), f"{say('store.unsaved')} {say('store.keeps_failing')}"),
        (True, Busy("as often"), say("store.busy")),
    ):
        question = await alice.slash(lobby, "mydata delete")
        with monkeypatch.context() as patch:
            patch.setattr(room.store, "matches_of" if reads else "anonymise", raising(failing))
            pressed = await alice.press(question.message, label=say("button.delete"))
            await sandbox.wait_for(lambda: sentence in pressed.message.text)  # noqa: B023  at once
        assert say("mydata.deleting") not in question.message.text
        assert len((await exported(alice, lobby))["matches"]) == 1

    # A deletion takes somebody out, with the text of their salt.
    await delete(sandbox, alice, lobby)
    row = await room.store.match(before.id)
    assert row is not None
    seat = before.seats.index(alice.id)
    assert row.seats[seat] < 0
    assert row.seats[1 - seat] == bob.id
    assert {salt.text for salt in row.salts} == {None, salts[bob.id]}
    assert {salt.digest for salt in row.salts} == {salt_digest(each) for each in salts.values()}
    dump = await room.store.database.read(lambda db: "\n".join(db.iterdump()))
    assert str(alice.id) not in dump
    assert "Alice" not in dump
    assert salts[bob.id] in dump
    assert (await exported(bob, lobby))["matches"][0]["salt"]["text"] == salts[bob.id]
    held = await exported(alice, lobby)
    assert held["matches"] == held["standings"] == held["invitations"] == []
    ladder = (await bob.slash(lobby, "leaderboard", game="haymaker")).text
    assert "Alice" not in ladder
    assert "**Bob**" in ladder
    await sandbox.wait_for(lambda: "Rematch" in board.labels)
    again = await bob.press(board, label="Rematch")
    assert say("rematch.deleted") in again.text

    # The match can still be checked, and a changed record is found.
    check(row, await room.store.records(row.id))
    last = replace(records[-1], events="[]")
    with pytest.raises(DoesNotFollow):
        check(row, [*records[:-1], last])
