"""*Try it differently*: a practice match from just before a move that cost much, with the cards as they lay."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.ops.match_check import verify_all
from bot.play.computers import seats
from bot.store.special_ids import computer_id, is_computer
from bot.ui.catalogue import translations
from bot.ui.screen import Press
from cogs.screens import custom_ids
from discord_sandbox import DrivenChannel, JsonObject, Person, Sandbox
from tests import quick_reviewer
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.deals import fixed_deals
from tests.end_to_end.players import challenge, hand_of, move, play_out, press_where_it_is
from tests.end_to_end.practising import only_match, play_against_computers, says, waits_for
from tests.seeds import tells_seed

say = translations("en")
REVIEW, FIRST = say("button.review"), say("button.differently", place=1)


@pytest.fixture(autouse=True)
def quick_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers don't wait before they act, and every run deals alike."""
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 0.0)
    fixed_deals(monkeypatch, 5)


@pytest.mark.nightly  # two whole matches each
@pytest.mark.parametrize("game", ["haymaker", "ciq"])
async def test_one_plays_on_from_a_costly_move_with_the_same_cards_also_after_a_restart(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(quick_reviewer, "SHARE", 1)  # a short review finds no costly move here
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        more = {"computers": 2} if game == "ciq" else {}
        board = (await alice.slash(lobby, f"{game} practice", level="easy", **more)).message
        first = await only_match(room)
        await play_against_computers(first, alice, board)
        await eventually(lambda: says(board, "More…"))
        review = (await press_where_it_is(alice, board, REVIEW)).message
        assert say("review.differently") in review.text
        begun = await alice.press(review, label=FIRST)
        assert begun.visibility == "ephemeral"
        again = await only_match(room)
        assert again.origin is not None
        assert again.origin.match_id == first.id
        seat = again.seats.index(alice.id)
        others = [user for user in again.seats if user != alice.id]
        assert others == [computer_id("easy", others[:index]) for index in range(len(first.seats) - 1)]
        assert again.private(seat) == first.earlier(again.origin.facts, seat)[1]
        assert say("deal.practice") in begun.message.text
        proof = await alice.press(begun.message, custom_id=custom_ids.write(again.id, Press("proof")), force=True)
        assert say("proof.practice", match=first.id) in proof.text
        assert "Seal:" not in proof.text
        await alice.press(begun.message, label=say("button.back_to_cards"))
        running = await alice.slash(lobby, "verify", code=again.id)
        assert say("verify.running") in running.text
        assert "Seal:" not in running.text
        await move(alice, await hand_of(alice, begun.message), random.Random(2))
        await eventually(lambda: waits_for(again, seat))
        before = list(await again.read_events())
    async with cardroom(sandbox, tmp_path) as room:
        restored = await room.app.matches.find(again.id)
        assert restored is not None
        assert restored.origin == again.origin
        assert list(await restored.read_events())[: len(before)] == before
        if not restored.over:
            await play_against_computers(restored, alice, begun.message)
        await eventually(lambda: says(begun.message, say("ending.uncounted_practice"), "Rematch"))
        assert await room.store.games_played(again.guild_id) == []
        await _is_called_no_proof(alice, lobby, again.id, first.id)
        assert not tells_seed(begun.message.text, restored)
    with closing(sqlite3.connect(tmp_path / "cardroom.db")) as db:
        assert verify_all(db).altered == {}
        db.execute("DROP TRIGGER records_are_never_changed")
        db.execute("UPDATE records SET events = replace(events, '3', '4') WHERE seq = 0 AND match_id = ?", (again.id,))
        assert verify_all(db).altered == {again.id: "its log was altered at record 0"}


async def _is_called_no_proof(person: Person, channel: DrivenChannel, match_id: str, source: str) -> None:
    """What `/verify`, the proof and the file say once the match is over."""
    told = await person.slash(channel, "verify", code=match_id)
    for text in ("verify.practice", "verify.unchecked.not_dealt", "verify.fits.acts", "verify.fits.log"):
        assert say(text) in told.text
    assert say("proof.practice", match=source) in told.text
    assert "Seal:" not in told.text
    assert say("verify.fits.seal") not in told.text
    sent = await person.press(told.message, label="Export")
    (file,) = sent.message.raw["attachments"]
    async with aiohttp.ClientSession() as session, session.get(file["url"]) as answer:
        exported = json.loads(await answer.read())
    assert exported["begun_from"]["match"] == source
    assert "seal" not in exported["deal"]
    held = await person.slash(channel, "mydata export")
    (file,) = held.message.raw["attachments"]
    async with aiohttp.ClientSession() as session, session.get(file["url"]) as answer:
        mine = json.loads(await answer.read())
    (entry,) = [each for each in mine["matches"] if each["id"] == match_id]
    assert entry["begun_from"]["match"] == source


async def test_an_onlooker_may_try_too_and_the_same_deal_begins_with_seats_exchanged(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # The same deal begins with seats exchanged.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    exchanged: JsonObject = {"custom_id": custom_ids.write(match.id, Press("exchanged")), "component_type": 2}
    early = await alice.forge(lobby, "component", exchanged, board)
    assert (early.visibility, early.text) == ("ephemeral", say("match.not_over"))
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
    await eventually(lambda: says(board, "More…"))
    await alice.forge(lobby, "component", exchanged, board)
    again = await only_match(room)
    assert again.origin is not None
    assert again.origin.match_id == match.id
    seat = match.seats.index(bob.id)
    assert again.seats[seat] == alice.id
    assert is_computer(again.seats[1 - seat])
    dealt = match.earlier(again.origin.facts, seat)[1]
    assert (await again.read_events())[: again.origin.facts] == match.events[: again.origin.facts]
    assert len(again.private(seat).own.hand) >= len(dealt.own.hand) - 1  # the computer may have moved first

    # An onlooker may try too and two presses make one match.
    await room.clear()
    alice, bob, carol = (sandbox.user(name) for name in ("Alice", "Bob", "Carol"))
    lobby = sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    (match,) = room.app.matches.live()
    early = await carol.forge(lobby, "component", pressed(match.id, "1"), board)
    assert (early.visibility, early.text) == ("ephemeral", say("match.not_over"))
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
    await eventually(lambda: says(board, "More…"))
    review = (await press_where_it_is(carol, board, REVIEW)).message
    (button,) = [each for each in review.buttons if each.label == FIRST]
    replies = await asyncio.gather(*[carol.press(review, custom_id=button.custom_id) for _ in range(3)])
    begun = await only_match(room)
    assert [is_computer(user) for user in begun.seats].count(True) == 1
    assert computer_id("normal") in begun.seats
    assert carol.id in begun.seats
    assert all(each.visibility == "ephemeral" for each in replies)
    late = await carol.forge(lobby, "component", {"custom_id": button.custom_id, "component_type": 2}, board)
    assert say("hand.title", game="Haymaker") in late.text
    await bob.press((await press_where_it_is(bob, board, REVIEW)).message, label=FIRST)
    await eventually(lambda: _counts(room, 2))


def pressed(match_id: str, arg: str) -> JsonObject:
    """The data of a press of a button that nobody was shown."""
    return {"custom_id": custom_ids.write(match_id, Press("differently", arg=arg)), "component_type": 2}


async def _counts(room: Cardroom, matches: int) -> bool:
    return len(room.app.matches) == matches
