"""The deal of the day: one sealed deal a day and game for a whole server, which each person may try once.

`bot.play.deals.tried` chooses its deals and begins attempts, `bot.play.closed_deals` closes them until the day ends,
and `bot.play.days` ends them with it. How people did is worked out from the attempts that are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial

from bot.play.closed_deals import ClosedDeals
from bot.play.deals.tried import TOLD, AttemptState, TriedDeals, ending_of
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPress
from bot.store.queries.attempts import PERSON, Attempt, TriedDeal
from cogs.daily.queries import DailyAttempt, DailyDeal, DailyQueries


@dataclass(slots=True, eq=False)
class DailyDeals:
    """The deals of the day of all servers."""

    queries: DailyQueries
    tried: TriedDeals

    async def deal(self, guild_id: int, game: str) -> DailyDeal:
        """Today's deal of a server and a game, sealed now if nobody has asked for it before.

        Raises Refused for a game that has none, or if none can be chosen now, and Unsaved.
        """
        keep = partial(self._keep, guild_id)
        return await self.tried.sealed(game, self.tried.days.today(), partial(self.queries.deal, guild_id), keep)

    async def _keep(self, guild_id: int, made: TriedDeal) -> DailyDeal:
        return await self.queries.seal(
            DailyDeal(**{each.name: getattr(made, each.name) for each in fields(made)}, guild_id=guild_id)
        )

    async def attempt(self, deal: DailyDeal, user_id: int) -> DailyAttempt | None:
        """What a person has made of a deal; None if they have not tried it."""
        return await self.queries.attempt(deal.guild_id, deal.game, deal.day, user_id)

    async def begin(self, deal: DailyDeal, user_id: int, channel_id: int, press: MatchPress) -> LiveMatch | None:
        """Have a person try a deal. `channel_id` is where the server reads how it ended.

        Returns None if they have tried it before. Raises Refused if the deal can't be dealt or its day is over, and
        Unsaved.
        """
        venue = deal.guild_id, channel_id
        return await self.tried.begin(deal, user_id, venue, press, self.queries.open_attempt)


async def open_deals(
    queries: DailyQueries, closed: ClosedDeals, guild_id: int, day: int, games: Iterable[str]
) -> list[DailyDeal]:
    """The deals of a server on a day, of those of these games that are open. Raises StoreError."""
    found = [await queries.deal(guild_id, game, day) for game in games]
    return [deal for deal in found if deal is not None and closed.closing_of_day(guild_id, day, deal.deal_id) is None]


def score_of(attempt: DailyAttempt, deal: DailyDeal) -> int | None:
    """What somebody got above the worth of their deal, in hundredths of a win; None for an attempt without a result.

    As it says what the deal is worth, it is secret until the day ends.
    """
    if attempt.result is None or not attempt.result.ranks:
        return None
    ranks = attempt.result.ranks
    share = 1 / ranks.count(1) if ranks[PERSON] == 1 else 0.0
    return round(100 * share - deal.worth / 10)


def tally(attempts: Sequence[Attempt]) -> Mapping[AttemptState, int]:
    """How many of the finished attempts ended in each way, best first; ways without any are left out."""
    ends = [ending_of(each) for each in attempts]
    return {
        ending: ends.count(ending)
        for ending in (AttemptState.WON, AttemptState.DRAWN, AttemptState.LOST)
        if ending in ends
    }


def by_score(attempts: Sequence[DailyAttempt], deal: DailyDeal) -> Mapping[int, Sequence[DailyAttempt]]:
    """The finished attempts at a deal by their scores, best first."""
    scored = [(score_of(each, deal), each) for each in attempts if ending_of(each) in TOLD]
    scores = sorted({score for score, _ in scored if score is not None}, reverse=True)
    return {score: [each for other, each in scored if other == score] for score in scores}
