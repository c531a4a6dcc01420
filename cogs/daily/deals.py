"""The deal of the day: one sealed deal a day and game for a whole server, which each person may try once.

Its deals and attempts are sealed and begun here; `bot.play.closed_deals` closes them until the day ends, and
`bot.play.days` ends them with it. How people did is worked out from the attempts that are stored.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from bot.computers.reviewer import NotReviewed, Reviewer
from bot.games import GAMES
from bot.play.closed_deals import ClosedDeals
from bot.play.computers.levels import levels_at
from bot.play.days import Days
from bot.play.deals.sealing import SYSTEM_RANDOM, random_id, seal
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle, row_of
from bot.play.match_press import MatchPress
from bot.play.match_state import codec
from bot.play.refusals import Refused, translate_errors
from bot.scheduler import Scheduler
from bot.store.errors import Conflict
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import computer_id
from bot.store.verification import opens_seal
from cogs.daily.queries import DailyAttempt, DailyDeal, DailyTables
from engines.deals import NO_SALT, SEED_BYTES, Deal
from engines.players.deal_of_day import DECENT, Choice, DayRequest, program, seed_of
from engines.players.levels import LEVELS, PLAYERS

CLOCK: Final = "normal"
"""A match has to name a clock. None runs in an attempt: it ends with its day."""
PERSON: Final = 0
"""The seat of the person in every attempt. Computers have the others, so that the deal is the same for all."""


@dataclass(slots=True, eq=False)
class DailyDeals:
    """The deals of the day of all servers. `source` makes ids and seeds; by default it is the system's, which nobody
    can foresee."""

    tables: DailyTables
    days: Days
    lifecycle: MatchLifecycle
    reviewer: Reviewer
    scheduler: Scheduler
    source: random.Random = SYSTEM_RANDOM
    _choosing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held while a deal is chosen, so that those who ask for it meanwhile choose none of their own."""

    async def deal(self, guild_id: int, game: str) -> DailyDeal:
        """Today's deal of a server and a game, sealed now if nobody has asked for it before.

        Raises Refused for a game that has none, or if none can be chosen now, and Unsaved.
        """
        if game not in daily_games():
            raise Refused("daily.no_such_game")
        day = self.days.today()
        found = await self.tables.deal(guild_id, game, day)
        if found is not None:
            return found
        async with self._choosing:
            found = await self.tables.deal(guild_id, game, day)
            if found is not None:
                return found
            request = day_request(game, random_id(self.source), self.source.randbytes(SEED_BYTES))
            try:
                choice = await self.reviewer.choose(request)
            except NotReviewed:
                raise Refused("daily.later") from None
            made = seal_day(guild_id, day, request, choice, self.scheduler.now())
            return await translate_errors(self.tables.seal(made))

    async def attempt(self, deal: DailyDeal, user_id: int) -> DailyAttempt | None:
        """What a person has made of a deal; None if they have not tried it."""
        return await self.tables.attempt(deal.guild_id, deal.game, deal.day, user_id)

    async def begin(self, deal: DailyDeal, user_id: int, channel_id: int, press: MatchPress) -> LiveMatch | None:
        """Have a person try a deal. `channel_id` is where the server reads how it ended.

        Returns None if they have tried it before. Raises Refused if the deal can't be dealt or its day is over, and
        Unsaved.
        """
        if deal.day != self.days.today():
            raise Refused("daily.over")
        rows = attempt_rows(deal, random_id(self.source), user_id, channel_id, self.scheduler.now())
        try:
            match = await self.lifecycle.open_at_once(*rows, press, self.tables.open_attempt)
        except Conflict:
            return None
        self.days.resume()
        return match


async def open_deals(
    tables: DailyTables, closed: ClosedDeals, guild_id: int, day: int, games: Iterable[str]
) -> list[DailyDeal]:
    """The deals of a server on a day, of those of these games that are open. Raises StoreError."""
    found = [await tables.deal(guild_id, game, day) for game in games]
    return [deal for deal in found if deal is not None and closed.closing_of_day(guild_id, day, deal.deal_id) is None]


def daily_games() -> tuple[str, ...]:
    """The games that have a deal of the day: games of turns with levels of computer players. In a race two equal
    attempts don't meet equal play, because the computer answers to the speed of its opponent."""
    return tuple(game for game in GAMES if game in PLAYERS and LEVELS.get(game))


def seats_of_day(game: str) -> int:
    """How many seats an attempt has: as few as the game allows."""
    return max(2, GAMES[game].info.seats[0])


def options_of_day(game: str) -> Any:
    """The options of a game's deals: as recommended (C-11)."""
    info = GAMES[game].info
    return info.presets[info.recommended_for(seats_of_day(game))]


def level_of_day(game: str) -> str:
    """The level of the computers in a game's deals: the one above a decent player's, or the same if there is none."""
    levels = levels_at(game, options_of_day(game), seats_of_day(game))
    return levels[min(levels.index(DECENT) + 1, len(levels) - 1)]


def day_request(game: str, deal_id: str, root: bytes) -> DayRequest:
    """What a deal of the day with this id is chosen from. `root` is its secret."""
    level, seats = level_of_day(game), seats_of_day(game)
    computers = (None, *[level] * (seats - 1))
    context = Deal(game, GAMES[game].info.rules_version, deal_id, (NO_SALT,) * seats, computers)
    return DayRequest(game, options_of_day(game), context, level, root)


def seal_day(guild_id: int, day: int, request: DayRequest, choice: Choice, now: int) -> DailyDeal:
    """The deal of a server and a day that was chosen."""
    game, written = request.game, codec(request.game)
    chosen = request.deal.deal_id, seed_of(request.root, choice.count)
    sealed = seal(game, request.options, written, SYSTEM_RANDOM, clock=CLOCK, chosen=chosen)
    return DailyDeal(
        guild_id=guild_id,
        game=game,
        day=day,
        level=request.level,
        rules_version=sealed.rules_version,
        options=written.encode(request.options),
        deal_version=sealed.version,
        deal_id=sealed.id,
        sealed_options=sealed.options,
        seed=sealed.seed,
        commitment=sealed.commitment,
        sealed_at=now,
        root=request.root,
        nth=choice.count,
        worth=choice.worth,
        program=program(game, request.level),
    )


def attempt_rows(
    deal: DailyDeal, match_id: str, user_id: int, channel_id: int, now: int
) -> tuple[Invitation, MatchRow]:
    """The invitation and the match by which a person tries a deal. They sit on the first seat, without a salt.

    Raises Refused if the deal was altered since it was sealed, or was sealed under newer rules.
    """
    seats: tuple[int, ...] = (user_id,)
    while len(seats) < seats_of_day(deal.game):
        seats += (computer_id(deal.level, seats),)
    asked = Invitation(
        id=match_id,
        guild_id=deal.guild_id,
        channel_id=channel_id,
        message_id=None,
        game=deal.game,
        options=deal.options,
        clock=CLOCK,
        host_id=user_id,
        invited=(),
        seated=seats,
        seed=deal.seed,
        commitment=deal.commitment,
        created_at=deal.sealed_at,
        expires_at=now,
        kind=InvitationKind.TABLE,
        private=True,
        deal_version=deal.deal_version,
        deal_id=deal.deal_id,
        rules_version=deal.rules_version,
        sealed_options=deal.sealed_options,
    )
    if not opens_seal(asked):
        raise Refused("daily.deal_altered")
    return asked, replace(row_of(asked, now), day=deal.day, alone=True)


class Ending(StrEnum):
    """How an attempt stands."""

    PLAYING = "playing"
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    RESIGNED = "resigned"
    UNFINISHED = "unfinished"
    """The day ended, or something else ended the match without a result."""


FINISHED: Final = frozenset({Ending.WON, Ending.DRAWN, Ending.LOST})
"""The attempts that were played to their end. They count for a streak."""
TOLD: Final = FINISHED | {Ending.RESIGNED}
"""The attempts of which the channel reads."""


def ending_of(attempt: DailyAttempt) -> Ending:
    """How an attempt stands."""
    if attempt.result is None:
        return Ending.PLAYING
    ranks = attempt.result.ranks
    if not ranks:
        return Ending.UNFINISHED
    if ranks[PERSON] > 1:
        return Ending.RESIGNED if attempt.result.kind == "resignation" else Ending.LOST
    return Ending.DRAWN if len(set(ranks)) == 1 else Ending.WON


def score_of(attempt: DailyAttempt, deal: DailyDeal) -> int | None:
    """What somebody got above the worth of their deal, in hundredths of a win; None for an attempt without a result.

    As it says what the deal is worth, it is secret until the day ends.
    """
    if attempt.result is None or not attempt.result.ranks:
        return None
    ranks = attempt.result.ranks
    share = 1 / ranks.count(1) if ranks[PERSON] == 1 else 0.0
    return round(100 * share - deal.worth / 10)


def streak(days: Iterable[int], day: int) -> int:
    """How many days in a row, up to this one, are among the days on which somebody finished. It is 0 if this one is
    not."""
    finished, length = set(days), 0
    while day - length in finished:
        length += 1
    return length


def tally(attempts: Sequence[DailyAttempt]) -> Mapping[Ending, int]:
    """How many of the finished attempts ended in each way, best first; ways without any are left out."""
    ends = [ending_of(each) for each in attempts]
    return {ending: ends.count(ending) for ending in (Ending.WON, Ending.DRAWN, Ending.LOST) if ending in ends}


def by_score(attempts: Sequence[DailyAttempt], deal: DailyDeal) -> Mapping[int, Sequence[DailyAttempt]]:
    """The finished attempts at a deal by their scores, best first."""
    scored = [(score_of(each, deal), each) for each in attempts if ending_of(each) in TOLD]
    scores = sorted({score for score, _ in scored if score is not None}, reverse=True)
    return {score: [each for other, each in scored if other == score] for score in scores}
