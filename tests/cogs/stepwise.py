"""What a director does on the parts of `bot.play`, step by step."""

from __future__ import annotations

from collections.abc import Awaitable

from cogs.actions.steps import Steps
from discord_sandbox.virtual_time import settle
from tests.bot.play.parts import Parts


class Stepwise:
    """A room's director on parts, whose steps are waited for."""

    parts: Parts
    director: Steps

    async def quiet(self) -> None:
        """Wait until no step is being made."""
        await settle()
        while not self.director.idle:
            await settle()

    async def after(self, doing: Awaitable[object]) -> None:
        """Do something, and wait until no step is being made."""
        await doing
        await self.quiet()

    async def pass_time(self, ms: int) -> None:
        """Let time pass, and what is due be done."""
        await self.parts.pass_time(ms)
        await self.quiet()
