"""Leagues on the parts of `bot.play`, as the room opens them, whose matches scripts play."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Terms
from bot.store.queries.invitations import Invitation
from bot.telemetry import NO_TELEMETRY
from cogs.actions.hosting import By
from cogs.leagues.director import Director
from cogs.leagues.leagues import Leagues
from cogs.leagues.queries import League, LeagueQueries, PairingRow, Whole
from cogs.leagues.seasons import standings
from engines import GAMES
from engines.game import Resign
from tests.bot.play.parts import CHANNEL, GUILD, MESSAGE, Parts, press_ids
from tests.cogs.stepwise import Stepwise

HOST = By(1)


class Directed(Stepwise):
    """The room on parts, and a league that is looked at."""

    director: Director

    def __init__(self, parts: Parts, seed: int = 36) -> None:
        self.parts = parts
        self.told: list[str] = []
        self.reminded: list[tuple[int, list[tuple[int, int]]]] = []
        """The week of each reminder, and who was reminded."""
        self.queries = LeagueQueries(parts.store)

        def changed(guild_id: int, league_id: str) -> None:
            self.told.append(league_id)
            self.director.wake(guild_id, league_id)

        def show(_: int, league_id: str) -> None:
            self.told.append(league_id)

        def remind(league: League, pairs: Sequence[tuple[int, int]]) -> None:
            self.reminded.append((league.week, [*pairs]))

        admission = parts.invitations.admission
        source = random.Random(seed)
        self.leagues = Leagues(self.queries, parts.store, admission, parts.scheduler, changed, source)
        self.director = Director(
            parts.scheduler, NO_TELEMETRY, parts.clock, self.leagues, parts.invitations, show, remind
        )
        parts.observers.add(self.director)

    async def opened_for(self, people: Sequence[int]) -> League:
        """A league that these have joined, of whom the first is its host."""
        terms = Terms(GUILD, CHANNEL, "haymaker", GAMES["haymaker"].info.options(), "blitz")
        made = await self.leagues.create(terms, people[0])
        for user in people:
            await self.leagues.join(GUILD, made.id, user)
        await self.quiet()
        return made

    async def started(self, people: Sequence[int]) -> League:
        """One whose first season has begun."""
        made = await self.opened_for(people)
        await self.start(made)
        return made

    async def start(self, league: League) -> None:
        """Begin the next season."""
        await self.leagues.start(GUILD, league.id, HOST)
        await self.quiet()

    async def whole(self, league: League) -> Whole:
        """What is kept of it now."""
        return await self.leagues.whole(GUILD, league.id)

    async def first_two(self, league: League) -> tuple[int, int]:
        """Who meet in the first pairing of the first week."""
        whole = await self.whole(league)
        one, other = of_week(whole, 1)[0].places
        return whole.place(one).user_id, whole.place(other).user_id

    # ------------------------------------------------------------------------------------ matches

    async def challenge(self, league: League, user: int) -> Invitation:
        """Have somebody challenge whom they meet in this week."""
        made = await self.leagues.challenge(GUILD, league.id, user, CHANNEL)
        invitation = await self.parts.inviting.invite(made.proposal)
        await self.quiet()
        return invitation

    async def accept(self, invitation: Invitation) -> LiveMatch:
        """Have who was challenged accept."""
        with self.parts.presses.take_up(invitation.id, next(press_ids)) as press:
            match = await self.parts.seating.take_seat(invitation.id, invitation.invited[0], MESSAGE, press)
        assert isinstance(match, LiveMatch)
        self.parts.clock.mark_shown(match, match.window_number)
        await self.quiet()
        return match

    async def win(self, match: LiveMatch, winner: int) -> None:
        """Have a person win a match."""
        await match.act(1 - match.seats.index(winner), Resign())
        self.parts.clock.settle(match)
        self.parts.observers.match_changed(match)
        await self.quiet()

    async def play(self, league: League, winner: int) -> None:
        """Have somebody challenge, play and win in this week."""
        await self.win(await self.accept(await self.challenge(league, winner)), winner)

    async def play_week(self, league: League) -> None:
        """Play all matches of this week that can be played: the lower id wins."""
        whole = await self.whole(league)
        for pairing in [each for each in whole.pairings if each.week == whole.league.week and each.how is None]:
            people = [whole.place(number) for number in pairing.places]
            if not any(whole.is_vacant(each) for each in people):
                await self.play(league, min(each.user_id for each in people))

    async def play_season(self, league: League) -> Whole:
        """Play a season to its end."""
        while (whole := await self.whole(league)).league.is_playing:
            await self.play_week(league)
            await self.pass_time((whole.league.due_at or 0) - self.parts.now())
        return whole


def standing_of(whole: Whole, division: int = 1) -> list[tuple[int, float]]:
    """Who stands where in a division, with their points."""
    return [(whole.place(row.user_id).user_id, row.points) for row in standings(whole, division)]


def of_week(whole: Whole, week: int) -> list[PairingRow]:
    """The pairings of a week."""
    return [each for each in whole.pairings if each.week == week]
