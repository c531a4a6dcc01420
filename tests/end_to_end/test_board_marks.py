"""A start edits only the boards that would look different, and shows what nobody saw."""

from __future__ import annotations

import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.gateway.requests import EDITS_PER_SECOND
from cogs.screens import board as drawn
from discord_sandbox import MessageView, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import acts, challenge, hand_of, move, resign

HOURS = 3600.0


def edits_of(sandbox: Sandbox, board: MessageView) -> int:
    """How often a board was edited since the transcript was cleared."""
    end = f"/messages/{board.id}"
    return sum(each.method == "PATCH" and each.path.endswith(end) for each in sandbox.transcript.requests)


async def quiet(sandbox: Sandbox, room: Cardroom) -> None:
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)


async def one_match(sandbox: Sandbox, folder: Path) -> MessageView:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    async with cardroom(sandbox, folder) as room:
        board = await challenge(alice, bob, sandbox.channel("lobby"), "unbreakable", clock="daily")
        assert await move(alice, await hand_of(alice, board), random.Random(0)) is not None
        await quiet(sandbox, room)
    sandbox.transcript.clear()
    return board


async def test_a_start_edits_a_board_that_has_moved_on_or_would_say_something_else_and_no_other(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, bob = await one_match(sandbox, tmp_path), sandbox.user("Bob")
    async with cardroom(sandbox, tmp_path) as room:
        await quiet(sandbox, room)
        assert edits_of(sandbox, board) == 0

        # The mark is deleted before its board changes in another way: a kill between the edit and the next mark would
        # leave one of what the board showed before.
        (match,) = room.app.matches.live()
        assert (await room.store.saved_matches([match.id]))[match.id].board_mark is not None
        await room.app.display_names.remember(match.guild_id, match.seats[0], "Somebody else")
        room.app.updates.show_boards(room.app.matches.with_boards(match.guild_id))
        await sandbox.wait_for(lambda: edits_of(sandbox, board) == 1)
        assert (await room.store.saved_matches([match.id]))[match.id].board_mark is None
        assert await move(bob, await hand_of(bob, board), random.Random(3)) is not None
        await sandbox.wait_for(lambda: edits_of(sandbox, board) >= 2)  # a move is shown as ever
        await quiet(sandbox, room)

    # As after a kill: the mark is older than the last act.
    sandbox.transcript.clear()
    with closing(sqlite3.connect(tmp_path / "cardroom.db", isolation_level=None)) as db:
        ((acts,),) = db.execute("SELECT board_mark_acts FROM matches").fetchall()
        assert acts >= 2
        db.execute("UPDATE matches SET board_mark_acts = 0")
    async with cardroom(sandbox, tmp_path) as room:
        await quiet(sandbox, room)
        assert edits_of(sandbox, board) == 1

    # A release that says it otherwise.
    sandbox.transcript.clear()
    said = vars(drawn)["_asked"]
    monkeypatch.setattr(drawn, "_asked", lambda *given: f"{said(*given)}!")
    async with cardroom(sandbox, tmp_path) as room:
        await quiet(sandbox, room)
        assert edits_of(sandbox, board) == 1
        assert "!" in board.text


async def test_a_deadline_that_moved_much_is_shown_at_once_and_one_that_moved_little_when_it_is_near(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    board = await one_match(sandbox, tmp_path)
    async with cardroom(sandbox, tmp_path, ahead=60) as room:
        await quiet(sandbox, room)
        assert edits_of(sandbox, board) == 0, "a minute of a day"
        room.pass_time(22.5 * HOURS)
        await quiet(sandbox, room)
        assert edits_of(sandbox, board) == 0
        room.pass_time(0.7 * HOURS)
        await sandbox.wait_for(lambda: edits_of(sandbox, board) == 1)
        (match,) = room.app.matches.live()
        (timer,) = match.position.timers
        assert f"<t:{timer.deadline // 1000}:R>" in board.text
    sandbox.transcript.clear()
    async with cardroom(sandbox, tmp_path, ahead=40 * HOURS) as room:
        await quiet(sandbox, room)
        assert edits_of(sandbox, board) == 1, "the bot was away for long"


# ------------------------------------------------------------------------------------------------------- results


async def test_a_result_that_nobody_saw_is_shown_after_a_restart_with_its_ratings_and_the_score(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_INTERACTION_EDITS="off") as room:
        board = await challenge(alice, bob, lobby)
        await hand_of(bob, board)  # now the result counts (C-10)
        await resign(bob, board)
        board = await challenge(alice, bob, lobby)
        await hand_of(alice, board)
        (match,) = room.app.matches.live()
        sandbox.faults.on("PATCH", f"/channels/*/messages/{board.id}", status=503, times=None)
        await resign(alice, board)
        assert match.effects is not None
        told = [str(change.after.shown) for change in match.effects.ratings]
    assert "My cards" in board.labels
    sandbox.faults.clear()
    async with cardroom(sandbox, tmp_path):
        await sandbox.wait_for(lambda: "Rematch" in board.labels)
        assert [*re.findall(r"· rating (\d+) \(", board.text)] == told
        assert "**Alice 1 : 1 Bob**" in board.text


# ------------------------------------------------------------ boards that may have changed do not hold up others


TABLES = 2 * EDITS_PER_SECOND
PLAN = {
    "people": [{"name": "Alice"}, {"name": "Bob"}],
    "servers": [{"name": "Cardroom", "channels": [{"name": f"table-{number}"} for number in range(TABLES)]}],
}
FEW = TABLES // 2
"""Fewer than all by far, and more than are painted at once when the loop was late or overtake others on their way."""


@pytest.mark.nightly  # a hundred matches; which edit overtakes another is unit tested
async def test_a_board_that_changes_does_not_wait_for_those_that_are_repaired(tmp_path: Path) -> None:
    async with Sandbox.running(PLAN) as sandbox:
        alice, bob = sandbox.people
        channels = [sandbox.channel(f"table-{number}") for number in range(TABLES)]
        async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_PLAYER=str(TABLES)):
            boards = [await challenge(alice, bob, channel, "unbreakable") for channel in channels]
        sandbox.transcript.clear()
        with closing(sqlite3.connect(tmp_path / "cardroom.db", isolation_level=None)) as db:
            db.execute("UPDATE matches SET board_mark = NULL")  # as after a kill
        async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_PLAYER=str(TABLES)) as room:
            board = boards[-1]
            hand = await hand_of(alice, board)
            assert acts(hand)
            assert await move(alice, hand, random.Random(1)) is not None
            moved = len(sandbox.transcript)
            await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
            painted = [(each.order, each.path) for each in sandbox.transcript.requests if each.method == "PATCH"]
        first = sandbox.transcript.requests[0].order
        repaired = {path.rpartition("/")[2] for _, path in painted if "/channels/" in path}
        assert repaired >= {str(each.id) for each in boards}, "all are repaired in the end"
        mine = next(index for index, (_, path) in enumerate(painted) if path.endswith(f"/messages/{board.id}"))
        before = [index for index, (order, _) in enumerate(painted) if order - first < moved]
        assert mine - len(before) < FEW
