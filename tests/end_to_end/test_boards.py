"""A result that nobody saw is shown after a restart."""

from __future__ import annotations

import re
from pathlib import Path

from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import challenge, hand_of, resign


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
