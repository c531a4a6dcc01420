"""A start edits only the boards and mentions that would look different: the next process knows what they show."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cogs.screens import board as drawn
from discord_sandbox import MessageView, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, hand_of, move

HOURS = 3600.0
AWAY = 600.0
"""Seconds after which a player who has pressed nothing has been mentioned."""


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
        assert await move(bob, await hand_of(bob, board), random.Random(3)) is not None
        await sandbox.wait_for(lambda: edits_of(sandbox, board) >= 1)  # a move is shown as ever
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


async def mentioned(sandbox: Sandbox, folder: Path) -> tuple[MessageView, MessageView]:
    """A match whose player has stayed away until they were mentioned: its board, and the mention."""
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, folder) as room:
        board = await challenge(alice, bob, lobby, "unbreakable", clock="daily")
        await sandbox.wait_for(lambda: not room.app.updates.notices.idle)
        await quiet(sandbox, room)
        room.pass_time(AWAY)
        await sandbox.wait_for(lambda: len(lobby.messages) > 1)
        await quiet(sandbox, room)
        await room.store.record_heartbeat(room.now())
    sandbox.transcript.clear()
    return board, lobby.last


async def test_a_mark_is_deleted_before_its_board_changes_in_another_way(sandbox: Sandbox, tmp_path: Path) -> None:
    """A kill between the edit and the next mark would leave a mark of what the board showed before."""
    board = await one_match(sandbox, tmp_path)
    async with cardroom(sandbox, tmp_path) as room:
        await quiet(sandbox, room)
        (match,) = room.app.matches.live()
        assert (await room.store.saved_matches([match.id]))[match.id].board_mark is not None
        await room.app.display_names.remember(match.guild_id, match.seats[0], "Somebody else")
        room.app.updates.show_boards(room.app.matches.with_boards(match.guild_id))
        await sandbox.wait_for(lambda: edits_of(sandbox, board) == 1)
        assert (await room.store.saved_matches([match.id]))[match.id].board_mark is None
