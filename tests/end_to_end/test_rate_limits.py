"""Discord's limit for all requests of a bot is never broken, whatever asks for them."""

from __future__ import annotations

import asyncio
from pathlib import Path

from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import cardroom

MANY = 120
"""Requests at once: more than two seconds' worth."""


async def test_edits_and_looks_at_channels_together_stay_below_the_limit(tmp_path: Path) -> None:
    """A refused request would be repeated together with all that wait, and refused once more: the more, the longer."""
    async with Sandbox.running() as sandbox, cardroom(sandbox, tmp_path) as room:
        lobby, edits = sandbox.channel("lobby"), room.app.updates.edit_queue
        sandbox.rate_limits.enforced = True
        sandbox.transcript.clear()

        async def edit() -> int:
            await room.client.http.get_channel(lobby.id)
            return 1

        for number in range(MANY):
            edits.request_edit(("bucket", number), "board", edit)
        looks = [room.client.fetch_channel(lobby.id) for _ in range(MANY)]
        assert all(channel.id == lobby.id for channel in await asyncio.gather(*looks))
        await sandbox.wait_for(lambda: edits.idle)
        statuses = [each.status for each in sandbox.transcript.requests]
        assert (len(statuses), set(statuses)) == (2 * MANY, {200})
