"""After a start each board that may have changed is painted again. Moves do not wait for that, and old boards stay."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.gateway.requests import EDITS_PER_SECOND
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import acts, challenge, hand_of, move

TABLES = 2 * EDITS_PER_SECOND
PLAN = {
    "people": [{"name": "Alice"}, {"name": "Bob"}],
    "servers": [{"name": "Cardroom", "channels": [{"name": f"table-{number}"} for number in range(TABLES)]}],
}
FEW = TABLES // 2
"""Fewer than all by far, and more than are painted at once when the loop was late or overtake others on their way."""


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
