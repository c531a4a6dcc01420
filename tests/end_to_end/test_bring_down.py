"""*Bring the board down*: the board again at the foot of its channel, for its players, and not again and again."""

from __future__ import annotations

import asyncio

import pytest

from bot.store.queries.matches import Suspension
from bot.ui.catalogue import translations
from cogs.interactions import time_limits
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of, press_where_it_is
from tests.faults.lost_venues import only_match, people

say = translations("en")
DOWN = say("button.bring_down")
LATER = 61


async def sunk(sandbox: Sandbox, room: Cardroom) -> tuple[Person, Person, DrivenChannel, MessageView]:
    """A match whose board has sunk below other messages for a minute."""
    alice, bob, lobby = people(sandbox)
    board = await challenge(alice, bob, lobby, clock="daily")
    for nth in range(5):
        sandbox.user("Carol").say(lobby, f"message {nth}")
    room.pass_time(LATER)
    return alice, bob, lobby, board


async def test_the_board_comes_to_the_foot_and_the_old_one_goes(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby, board = await sunk(sandbox, room)
    assert (await press_where_it_is(sandbox.user("Carol"), board, DOWN)).text == say("match.not_seated")
    assert not board.deleted
    reply = await press_where_it_is(bob, board, DOWN)
    assert not reply.failed
    await sandbox.wait_for(lambda: board.deleted)
    anew = lobby.last
    assert (anew.labels, anew.text) == (board.labels, board.text)
    match = await only_match(room)
    assert match.board_id == anew.id
    assert len(lobby.messages) == 6
    assert [each.labels[-1] for each in lobby.for_only(bob)] == [say("button.resign")]  # what *More…* opened
    assert (await hand_of(alice, anew)).text
    assert await room.store.postings() == []


async def test_once_a_minute_and_several_at_once_count_as_one(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby, board = await sunk(sandbox, room)
    await asyncio.gather(press_where_it_is(alice, board, DOWN), press_where_it_is(bob, board, DOWN))
    await sandbox.wait_for(lambda: board.deleted)
    assert len(lobby.messages) == 6
    anew = lobby.last
    refused = await press_where_it_is(bob, anew, DOWN)
    assert (refused.visibility, refused.text) == ("ephemeral", say("board.brought_down"))
    room.pass_time(LATER)
    assert not (await press_where_it_is(bob, anew, DOWN)).failed
    await sandbox.wait_for(lambda: anew.deleted)


async def test_a_refused_post_is_tried_again_and_the_old_board_stays_until_then(
    sandbox: Sandbox, room: Cardroom
) -> None:
    _, bob, lobby, board = await sunk(sandbox, room)
    sandbox.faults.on("POST", f"/channels/{lobby.id}/messages", status=500, times=5)
    await press_where_it_is(bob, board, DOWN)
    await asyncio.sleep(3)
    sandbox.faults.clear()
    assert not board.deleted
    room.pass_time(30)
    await sandbox.wait_for(lambda: board.deleted)
    assert (await only_match(room)).board_id in [message.id for message in lobby.messages]


async def test_a_match_on_hold_or_over_has_no_board_to_bring(sandbox: Sandbox, room: Cardroom) -> None:
    _, bob, _, board = await sunk(sandbox, room)
    match = await only_match(room)
    await room.app.lifecycle.suspend(match, Suspension.NO_SENDING)
    assert say("suspended.no_sending") in (await press_where_it_is(bob, board, DOWN)).text
    resign = (await press_where_it_is(bob, board, "Resign")).message
    await bob.press(resign, label="Resign")
    told = await bob.press(board, custom_id=f"g1:{match.id}:0:bringdown", force=True)
    assert told.text == say("refusal.match_over")


async def test_a_slow_answer_leaves_nothing_behind(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bob, lobby, board = await sunk(sandbox, room)
    more = (await bob.press(board, label="More…")).message
    monkeypatch.setattr(time_limits, "DEFER_AFTER", 0.0)
    remember = room.app.wording.remember_names

    async def slowly(*given: object) -> None:
        await asyncio.sleep(0.3)
        await remember(*given)  # type: ignore[arg-type]  # whatever it was given

    monkeypatch.setattr(room.app.wording, "remember_names", slowly)
    await bob.press(more, label=DOWN)
    await sandbox.wait_for(lambda: board.deleted)
    await sandbox.wait_for(lambda: lobby.for_only(bob) == [more])
