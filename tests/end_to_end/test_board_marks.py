"""A start edits only the boards and mentions that would look different: the next process knows what they show."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cogs.screens import board as drawn
from cogs.updates import match_notices
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


async def one_match(sandbox: Sandbox, folder: Path, moves: int = 1) -> MessageView:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    async with cardroom(sandbox, folder) as room:
        board = await challenge(alice, bob, sandbox.channel("lobby"), "unbreakable", clock="daily")
        for number in range(moves):
            assert await move(alice, await hand_of(alice, board), random.Random(number)) is not None
        await quiet(sandbox, room)
    sandbox.transcript.clear()
    return board


@pytest.mark.parametrize("moves", [0, 1])
async def test_a_board_that_shows_what_it_should_is_not_edited(sandbox: Sandbox, tmp_path: Path, moves: int) -> None:
    board = await one_match(sandbox, tmp_path, moves)
    async with cardroom(sandbox, tmp_path) as room:
        await quiet(sandbox, room)
        assert edits_of(sandbox, board) == 0
        mover = sandbox.user("Bob" if moves else "Alice")
        assert await move(mover, await hand_of(mover, board), random.Random(3)) is not None
        await sandbox.wait_for(lambda: edits_of(sandbox, board) >= 1)  # a move is shown as ever


async def test_a_board_is_edited_if_its_match_has_moved_on_since_the_mark(sandbox: Sandbox, tmp_path: Path) -> None:
    """As after a kill: the mark is older than the last act."""
    board = await one_match(sandbox, tmp_path)
    with closing(sqlite3.connect(tmp_path / "cardroom.db", isolation_level=None)) as db:
        assert db.execute("SELECT board_mark_acts FROM matches").fetchone() == (1,)
        db.execute("UPDATE matches SET board_mark_acts = 0")
    async with cardroom(sandbox, tmp_path) as room:
        await quiet(sandbox, room)
        assert edits_of(sandbox, board) == 1


async def test_a_release_that_says_it_otherwise_edits_all_boards(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await one_match(sandbox, tmp_path)
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


async def test_a_mention_that_says_what_it_should_is_not_edited(sandbox: Sandbox, tmp_path: Path) -> None:
    board, mention = await mentioned(sandbox, tmp_path)
    said = mention.text
    async with cardroom(sandbox, tmp_path, ahead=AWAY + 60) as room:
        await quiet(sandbox, room)
        (match,) = room.app.matches.live()
        assert f"<t:{match.position.timers[0].deadline // 1000}:R>" not in said, "the clock was credited"
        assert edits_of(sandbox, board) == edits_of(sandbox, mention) == 0
        assert mention.text == said
    async with cardroom(sandbox, tmp_path, ahead=40 * HOURS) as room:
        await quiet(sandbox, room)
        (match,) = room.app.matches.live()
        assert edits_of(sandbox, mention) == 1, "the bot was away for long"
        assert f"<t:{match.position.timers[0].deadline // 1000}:R>" in mention.text
    sandbox.transcript.clear()
    async with cardroom(sandbox, tmp_path, ahead=40 * HOURS + 60) as room:
        await quiet(sandbox, room)
        assert edits_of(sandbox, mention) == 0


async def test_a_release_that_says_it_otherwise_edits_all_mentions(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, mention = await mentioned(sandbox, tmp_path)
    linked = match_notices.link
    monkeypatch.setattr(match_notices, "link", lambda match: f"{linked(match)}#")
    async with cardroom(sandbox, tmp_path, ahead=AWAY) as room:
        await quiet(sandbox, room)
        assert edits_of(sandbox, mention) == 1
        assert mention.text.endswith("#")
        assert edits_of(sandbox, board) == 0


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
