"""Shows the results of matches that share a deal once it is open (`bot.play.closed_deals`).

Until then their boards say only that they are over. When the last of them ends, or a room holds the deal closed no
longer, all of these boards are brought up to date, after everything that people at a table wait for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from bot import logs
from bot.play.closed_deals import ClosedDeals
from bot.play.live_match import LiveMatch
from bot.play.restoring import MatchRestorer
from bot.scheduler import Scheduler
from bot.store.errors import StoreError
from bot.store.store import Store
from bot.telemetry import Telemetry

AGAIN_SECONDS: Final = 30.0
"""After how long matches that could not be read are read again."""


@dataclass(slots=True, eq=False)
class OpenedDeals:
    """Reads the matches of a deal that has just opened, and has each shown.

    `prepare` loads what a match's screens need, and `show` brings its board up to date.
    """

    store: Store
    restorer: MatchRestorer
    closed_deals: ClosedDeals
    scheduler: Scheduler
    telemetry: Telemetry
    prepare: Callable[[LiveMatch], Awaitable[None]]
    show: Callable[[LiveMatch], None]
    _showing: dict[tuple[int, str], asyncio.Task[None]] = field(default_factory=dict, init=False)

    def ended(self, match: LiveMatch) -> None:
        """Show all matches with the deal of one that is over, if it was the last, as `open` does."""
        if match.shared and not match.everywhere:
            self.open(match.guild_id, match.deal_id)

    def open(self, guild_id: int, deal_id: str) -> None:
        """Show all matches with a shared deal, unless it is still closed. Doing that again shows nothing new."""
        deal = guild_id, deal_id
        if deal not in self._showing and not self.closed_deals.is_shared_closed(*deal):
            task = self._showing[deal] = asyncio.get_running_loop().create_task(self._show_all(*deal))
            task.add_done_callback(lambda _: self._showing.pop(deal, None))

    @property
    def idle(self) -> bool:
        """Whether no deal is being opened."""
        return not self._showing

    async def close(self) -> None:
        """Stop. What was not shown is shown at the next start, or with the next call of `open`."""
        tasks = tuple(self._showing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _show_all(self, guild_id: int, deal_id: str) -> None:
        while True:
            try:
                await self._show_ended(guild_id, deal_id)
            except StoreError:
                await self.scheduler.sleep(AGAIN_SECONDS)
            except Exception as error:  # noqa: BLE001  nobody awaits this task
                logs.log_error(error, "showing the matches of a deal", self.telemetry)
                return
            else:
                return

    async def _show_ended(self, guild_id: int, deal_id: str) -> None:
        rows = await self.store.matches_of_deal(guild_id, deal_id)
        async for match in self.restorer.ended([row for row in rows if row.shared]):
            if not match.over:  # it is in play again, so the deal was closed meanwhile
                return
            await self.prepare(match)
            self.show(match)
