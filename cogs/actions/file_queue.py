"""Files and verdicts of finished matches: what takes a moment of the processor, made for one person at a time.

Each person waits for one thing, and few wait at once. So nobody keeps others waiting for long.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from bot.budgets import FILES_WAITING
from bot.kept import Kept
from bot.play.refusals import Refused
from cogs.interactions.responses import Interaction

T = TypeVar("T")

KEPT: Final = 32
"""How many of the latest files are kept for people who ask for the same: some 10 MB at most."""
DEAD_AFTER: Final = 14 * 60.0
"""Seconds after which nobody can be given what they wished for: an interaction's token lives for 15 minutes
(https://discord.com/developers/docs/interactions/receiving-and-responding)."""


class FileQueue:
    """Who waits for a file or a verdict, and the files that were made last."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting: set[int] = set()
        self._kept: Kept[Hashable, Any] = Kept("files", KEPT)

    async def made(self, interaction: Interaction, make: Callable[[], T], same: Hashable = None) -> T:
        """What `make` makes, in a thread of its own.

        Files that are the `same` are made once; what has no such name is made each time. Raises Refused as `turn`.
        """
        async with self.turn(interaction):
            if same is not None and same in self._kept:
                made: T = self._kept[same]
                return made
            made = await asyncio.to_thread(make)
        if same is not None:
            self._kept[same] = made
        return made

    @asynccontextmanager
    async def turn(self, interaction: Interaction) -> AsyncIterator[None]:
        """Make something within the block, when it is the turn of a person. Raises Refused if they wait for something
        already, or too many do."""
        user_id, asked = interaction.user.id, asyncio.get_running_loop().time()
        if user_id in self._waiting:
            raise Refused("files.one")
        if len(self._waiting) >= FILES_WAITING:
            raise Refused("files.many")
        self._waiting.add(user_id)
        try:
            async with self._turn:
                if asyncio.get_running_loop().time() - asked > DEAD_AFTER:
                    raise Refused("files.many")
                yield
        finally:
            self._waiting.discard(user_id)
