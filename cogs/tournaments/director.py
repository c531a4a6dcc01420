"""Has the steps of tournaments made when they are due: after what people did, at a match's end, and by the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from bot import logs
from bot.play.live_match import LiveMatch
from bot.play.observers import Observer
from bot.play.refusals import Refused
from bot.scheduler import DAY, ScheduledCall, Scheduler
from bot.store.errors import StoreError
from bot.store.queries.matches import Suspension
from bot.telemetry import Telemetry
from cogs.tournaments.cups import Alone
from cogs.tournaments.matches import LOST, HeldDeals
from cogs.tournaments.queries import TournamentTables
from cogs.tournaments.rounds import CHECK_IN, EVERYWHERE, Rounds
from cogs.tournaments.rows import HELD, State, Whole

RETRY_SECONDS: Final = 30.0
"""After how long a step is tried again that could not be saved."""
LONGEST_WAIT: Final = 3600.0
"""Seconds after which is looked again at the latest, because the time of day may have been corrected."""


@dataclass(slots=True, eq=False)
class Director(Observer):
    """Directs all tournaments, each in a task of its own while a step of it is made."""

    tables: TournamentTables
    rounds: Rounds
    held: HeldDeals
    alone: Alone
    scheduler: Scheduler
    telemetry: Telemetry
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _again: set[str] = field(default_factory=set, init=False)
    """Those to look at again once their task has made its steps."""
    _calls: dict[str, ScheduledCall] = field(default_factory=dict, init=False)
    _closed: bool = field(default=False, init=False)

    @property
    def idle(self) -> bool:
        """Whether no step is being made."""
        return not self._tasks

    def wake(self, guild_id: int, tournament_id: str) -> None:
        """Make the steps of a tournament that are due."""
        if self._closed:
            return
        if tournament_id in self._tasks:
            self._again.add(tournament_id)
            return
        if tournament_id in self._calls:
            self._calls.pop(tournament_id).cancel()
        task = asyncio.get_running_loop().create_task(self._direct(guild_id, tournament_id))
        self._tasks[tournament_id] = task

    async def _direct(self, guild_id: int, tournament_id: str) -> None:
        wait: float | None = None
        try:
            self._again.discard(tournament_id)
            async with self.alone.of(tournament_id):
                due = await self.rounds.advance(guild_id, tournament_id)
            wait = None if due is None else (due - self.scheduler.now()) / 1000
        except (StoreError, Refused):
            wait = RETRY_SECONDS
        except Exception as error:  # noqa: BLE001  nobody awaits this task
            logs.log_error(error, "directing a tournament", self.telemetry)
            wait = RETRY_SECONDS
        finally:
            del self._tasks[tournament_id]
        if tournament_id in self._again:
            self._again.discard(tournament_id)
            self.wake(guild_id, tournament_id)
        elif wait is not None and not self._closed:
            seconds = min(max(wait, 0.0), LONGEST_WAIT)
            self._calls[tournament_id] = self.scheduler.call_later(seconds, self._due, guild_id, tournament_id)
        else:
            self.alone.forget(tournament_id)

    def _due(self, guild_id: int, tournament_id: str) -> None:
        self._calls.pop(tournament_id, None)
        self.wake(guild_id, tournament_id)

    # ------------------------------------------------------------------------------------ what it hears

    def match_changed(self, match: LiveMatch) -> None:
        """Go on after the end of a match, and hold a tournament whose channel is lost."""
        tournament = self.rounds.matches.of.get(match.id)
        if tournament is None:
            return
        if match.suspended in LOST:
            gone = match.suspended is Suspension.REMOVED
            lost = self.rounds.lost.setdefault(tournament[1], {})
            lost[match.id] = EVERYWHERE if gone else match.channel_id
        if match.over or match.suspended in LOST:
            self.wake(*tournament)

    def server_purged(self, guild_id: int) -> None:
        """Forget the tournaments of a server."""
        self.held.forget_server(guild_id)
        of = self.rounds.matches.of
        for match_id in [match_id for match_id, (guild, _) in of.items() if guild == guild_id]:
            del of[match_id]

    # ------------------------------------------------------------------------------------ start and stop

    async def resume(self) -> None:
        """Take up all tournaments where an earlier process left them. One whose time on hold was up while the bot was
        down gets another day. Raises StoreError."""
        found = []
        for tournament in await self.tables.unfinished():
            whole = await self.tables.whole(tournament.guild_id, tournament.id)
            if whole is not None:
                await self._take_up(whole)
                found.append(tournament)
        self.held.all_known()
        for tournament in found:
            self.wake(tournament.guild_id, tournament.id)

    async def _take_up(self, whole: Whole) -> None:
        tournament = whole.tournament
        here = tournament.guild_id, tournament.id
        if tournament.same_deal and whole.this_round is not None and whole.this_round.ended_at is None:
            dealt = await self.tables.deals(*here)
            self.held.hold(tournament.guild_id, [each.deal_id for each in dealt if each.round == tournament.round])
        for leg in [leg for each in whole.in_round for leg in each.legs if leg.got is None]:
            self.rounds.matches.of[leg.match_id] = here
        now, held_until = self.scheduler.now(), tournament.held_until
        if tournament.state is State.CHECKING:  # nobody could press while the bot was down
            await self.tables.put(replace(tournament, due_at=max(tournament.due_at or 0, now + CHECK_IN)))
        elif held_until is not None and held_until <= now:
            await self.tables.put(replace(tournament, held_at=now + DAY - HELD))

    async def close(self) -> None:
        """Make no further steps. Those under way are made."""
        self._closed = True
        for call in self._calls.values():
            call.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


def both(*told: Callable[[int, str], None]) -> Callable[[int, str], None]:
    """Tells all of these."""

    def tell(guild_id: int, tournament_id: str) -> None:
        for each in told:
            each(guild_id, tournament_id)

    return tell
