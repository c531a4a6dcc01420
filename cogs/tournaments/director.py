"""Has the steps of tournaments made when they are due: after what people did, at a match's end, and by the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.play.live_match import LiveMatch
from bot.scheduler import DAY
from bot.store.queries.matches import Suspension
from cogs.actions.steps import Steps
from cogs.tournaments.cups import Alone
from cogs.tournaments.matches import LOST, HeldDeals
from cogs.tournaments.queries import TournamentTables
from cogs.tournaments.rounds import CHECK_IN, EVERYWHERE, Rounds
from cogs.tournaments.rows import HELD, State, Whole


@dataclass(slots=True, eq=False)
class Director(Steps):
    """Directs all tournaments."""

    tables: TournamentTables
    rounds: Rounds
    held: HeldDeals
    alone: Alone

    async def advance(self, guild_id: int, tournament_id: str) -> int | None:
        async with self.alone.of(tournament_id):
            return await self.rounds.advance(guild_id, tournament_id)

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

    # ------------------------------------------------------------------------------------ a start

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


def both(*told: Callable[[int, str], None]) -> Callable[[int, str], None]:
    """Tells all of these."""

    def tell(guild_id: int, tournament_id: str) -> None:
        for each in told:
            each(guild_id, tournament_id)

    return tell
