"""Writes what attempts at deals of the week were worth, soon after their matches are over."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field

from bot.play.deals.tried import tried_games
from bot.play.live_match import LiveMatch
from bot.play.observers import Observer
from bot.scheduler import Scheduler, day_of
from bot.store.errors import StoreError
from cogs.weekly.deals import WEEK, last_day
from cogs.weekly.queries import WeeklyAttempt, WeeklyQueries

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Scoring(Observer):
    """Scores attempts, one after the other. Nothing is lost with this process, because points follow from what is
    stored with the match: those that are missing are written at the next start, and once more when their week is over.
    """

    queries: WeeklyQueries
    scheduler: Scheduler
    _ended: dict[str, None] = field(default_factory=dict, init=False)
    """The matches whose points may not be written, the oldest first."""
    _task: asyncio.Task[None] | None = field(default=None, init=False)

    def week(self) -> int:
        """The present week, by its last day."""
        return last_day(day_of(self.scheduler.now()))

    def match_changed(self, match: LiveMatch) -> None:
        """Score an attempt whose match is over."""
        if match.over and match.everywhere:
            self._score_later(match.id)

    def _score_later(self, *match_ids: str) -> None:
        self._ended |= dict.fromkeys(match_ids)
        if self._ended and self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._score_all())

    async def _score_all(self) -> None:
        """Score those that wait. If that can't be saved, they wait for the next one."""
        try:
            with contextlib.suppress(StoreError):
                while self._ended:
                    await self._score_next(next(iter(self._ended)))
        finally:
            self._task = None

    async def _score_next(self, match_id: str) -> None:
        """Score one. What can't be scored at all, because it was altered, keeps no other waiting. Raises StoreError."""
        try:
            await self._score(match_id)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001  an altered row may raise anything
            _log.warning("match %s could not be scored: %s", match_id, type(error).__name__)
            self._ended.pop(match_id, None)

    async def _score(self, match_id: str) -> None:
        await self.queries.score(match_id)
        self._ended.pop(match_id, None)

    async def score_now(self, attempt: WeeklyAttempt) -> None:
        """Score an attempt that is over before its turn, as somebody wants to see it. If that can't be saved, it waits
        on."""
        if attempt.points is None:
            with contextlib.suppress(StoreError):
                await self._score(attempt.match_id)

    async def catch_up(self, game: str, week: int) -> None:
        """Have the attempts at a deal scored that are over and that nobody scored. Raises StoreError."""
        self._score_later(*await self.queries.unscored(game, week))

    async def resume(self) -> None:
        """Do so with the deals of this week and the last. Raises StoreError."""
        for game in tried_games():
            for week in (self.week(), self.week() - WEEK):
                await self.catch_up(game, week)

    async def close(self) -> None:
        """Score those that wait before the bot stops."""
        if self._task is not None:
            await self._task
