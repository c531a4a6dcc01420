"""F-12: Discord limits edits of messages older than an hour, a channel at a time."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from cogs.updates.edit_queue import SPACING
from cogs.updates.shown_messages import SPACING_OF_OLD
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, press_where_it_is
from tests.faults.lost_places import people

BOARDS = 20
OLD = 2 * 3600.0
ENOUGH = str(BOARDS + 1)


def room_for_all(sandbox: Sandbox, folder: Path, ahead: float = 0) -> AbstractAsyncContextManager[Cardroom]:
    """The bot, with limits that allow all these matches."""
    limits = {"CARDROOM_MAX_MATCHES_PER_PLAYER": ENOUGH, "CARDROOM_MAX_MATCHES_PER_CHANNEL": ENOUGH}
    return cardroom(sandbox, folder, ahead=ahead, **limits)


async def test_F_12_twenty_old_boards_of_a_channel_are_repaired_one_after_another(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = people(sandbox)
    async with room_for_all(sandbox, tmp_path):
        boards = [await challenge(alice, bob, lobby, "unbreakable", clock="daily") for _ in range(BOARDS)]
        young = await challenge(alice, bob, lobby, "haymaker", clock="daily")
    before = {board.id: board.text for board in boards}
    sandbox.advance(OLD)
    sandbox.transcript.clear()
    async with room_for_all(sandbox, tmp_path, ahead=OLD) as room:
        # What is played meanwhile doesn't wait for the repairs.
        await asyncio.sleep(3 * SPACING)
        resigned = await press_where_it_is(alice, young, "Resign")
        await alice.press(resigned.message, label=resigned.message.labels[0])
        await asyncio.sleep(3 * SPACING)
        assert lobby.last.id != young.id
        await asyncio.sleep(BOARDS * SPACING_OF_OLD)
        assert [board.id for board in boards if board.text == before[board.id]] == []
        await asyncio.sleep(SPACING_OF_OLD)
        assert room.app.updates.edit_queue.idle
    assert [each.path for each in sandbox.transcript.requests if each.status == 429] == []
    assert not any(board.deleted for board in boards), "none is posted again"
