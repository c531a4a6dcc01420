"""*Bring the board down*: the board again at the foot of its channel, for its players, and not again and again."""

from __future__ import annotations

import asyncio

import pytest

from bot.store.queries.matches import Suspension
from bot.ui.catalogue import translations
from cogs.interactions import time_limits
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of, press_where_it_is, resign
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


async def test_the_board_comes_to_the_foot_once_a_minute_and_the_old_one_goes(sandbox: Sandbox, room: Cardroom) -> None:
    # Several presses at once count as one, and for a minute there is no other.
    alice, bob, lobby, board = await sunk(sandbox, room)
    assert (await press_where_it_is(sandbox.user("Carol"), board, DOWN)).text == say("match.not_seated")
    assert not board.deleted
    both = await asyncio.gather(press_where_it_is(alice, board, DOWN), press_where_it_is(bob, board, DOWN))
    assert not any(reply.failed for reply in both)
    await sandbox.wait_for(lambda: board.deleted)
    anew = lobby.last
    assert (anew.labels, anew.text) == (board.labels, board.text)
    match = await only_match(room)
    assert match.board_id == anew.id
    assert len(lobby.messages) == 6
    assert [each.labels[-1] for each in lobby.for_only(bob)] == [say("button.resign")]  # what *More…* opened
    assert (await hand_of(alice, anew)).text
    assert await room.store.postings() == []
    refused = await press_where_it_is(bob, anew, DOWN)
    assert (refused.visibility, refused.text) == ("ephemeral", say("board.brought_down"))

    # A refused post is tried again, and the old board stays until then.
    room.pass_time(LATER)
    sandbox.faults.on("POST", f"/channels/{lobby.id}/messages", status=500, times=5)
    assert not (await press_where_it_is(bob, anew, DOWN)).failed
    await asyncio.sleep(3)
    sandbox.faults.clear()
    assert not anew.deleted
    room.pass_time(30)
    await sandbox.wait_for(lambda: anew.deleted)
    last = lobby.last
    assert match.board_id == last.id

    # A match on hold or over has no board to bring.
    await room.app.lifecycle.suspend(match, Suspension.NO_SENDING)
    assert say("suspended.no_sending") in (await press_where_it_is(bob, last, DOWN)).text
    await resign(bob, last)
    told = await bob.press(last, custom_id=f"g1:{match.id}:0:bringdown", force=True)
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
