"""The deal of the day: one sealed deal a day and game for a whole server, which each person may try once.

Its deals and attempts are sealed, begun, closed until the day ends, and ended with it. How people did is worked out
from the attempts that are stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from bot.games import GAMES
from bot.play.clocks.deadlines import GRACE
from bot.play.computers.levels import levels_at
from bot.play.deals.sealing import SYSTEM_RANDOM, random_id, seal
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle, row_of
from bot.play.match_press import MatchPress
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.quarantine import Quarantine
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.scheduler import Scheduler, day_of, ends_at
from bot.store.errors import Conflict, StoreError
from bot.store.queries.daily import DailyAttempt, DailyDeal
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import computer_id
from bot.store.store import Store
from bot.store.verification import opens_seal
from engines.players.levels import LEVELS, PLAYERS

_log = logging.getLogger(__name__)

LOOKS_EVERY: Final = 600.0
"""Seconds after which the end of the day is looked for again: the time of day may have been corrected meanwhile."""
UNSAVED: Final = 30.0
"""Seconds after which a match whose day is over is ended again, if that could not be saved."""

BEST: Final = "hard"
"""The level of the computers, in every game that has it."""
CLOCK: Final = "normal"
"""A match has to name a clock. None runs in an attempt: it ends with its day."""
PERSON: Final = 0
"""The seat of the person in every attempt. Computers have the others, so that the deal is the same for all."""
MOST_BANDS: Final = 6
"""How many bands of moves a histogram has at most."""
_WIDTHS: Final = (1, 2, 5)
"""How wide bands are, and ten times, a hundred times as wide: so that their bounds are round numbers."""


@dataclass(slots=True, eq=False)
class DailyMatches:
    """The deals of the day of all servers.

    An attempt is a match like any other, but it has no board, no clock and no limits, and ends when its day does. Until
    then nothing about the deal is shown to anybody, also not to those who have finished (`check_open`).

    `source` makes ids and seeds. By default it is the system's, which nobody can foresee.
    """

    store: Store
    registry: MatchRegistry
    lifecycle: MatchLifecycle
    quarantine: Quarantine
    scheduler: Scheduler
    source: random.Random = SYSTEM_RANDOM
    _watching: asyncio.Task[None] | None = field(default=None, init=False)
    _ending: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held while attempts are ended."""
    _closed: bool = field(default=False, init=False)

    # ------------------------------------------------------------------------------------ days

    def today(self) -> int:
        """The number of the present day."""
        return day_of(self.scheduler.now())

    def closed_until(self, match: LiveMatch | MatchRow) -> int | None:
        """When what a match was dealt from may be shown (ms UTC); None for now.

        The deal opens when its day is over and nobody plays it any more.
        """
        if match.day is None:
            return None
        opens = ends_at(match.day)
        return opens if self.scheduler.now() < opens or self._is_played(match.deal_id) else None

    def _is_played(self, deal_id: str) -> bool:
        matches: list[LiveMatch | MatchRow] = [*self.registry.live(), *self.registry.waiting.rows()]
        playing = any(each.day is not None and each.deal_id == deal_id for each in matches)
        return playing or any(each.row.deal_id == deal_id for each in self.quarantine.live())

    def check_open(self, match: LiveMatch | MatchRow) -> None:
        """Raise Refused while a deal of the day is closed."""
        opens = self.closed_until(match)
        if opens is not None:
            raise Refused("daily.closed", when=f"<t:{opens // 1000}:R>")

    # ------------------------------------------------------------------------------------ deals and attempts

    async def deal(self, guild_id: int, game: str) -> DailyDeal:
        """Today's deal of a server and a game, sealed now if nobody has asked for it before.

        Raises Refused for a game that has none, and Unsaved.
        """
        if game not in daily_games():
            raise Refused("daily.no_such_game")
        day = self.today()
        found = await self.store.daily_deal(guild_id, game, day)
        if found is not None:
            return found
        made = seal_day(guild_id, game, day, self.scheduler.now(), self.source)
        return await translate_errors(self.store.seal_daily_deal(made))

    async def attempt(self, deal: DailyDeal, user_id: int) -> DailyAttempt | None:
        """What a person has made of a deal; None if they have not tried it."""
        return await self.store.attempt(deal.guild_id, deal.game, deal.day, user_id)

    async def begin(self, deal: DailyDeal, user_id: int, channel_id: int, press: MatchPress) -> LiveMatch | None:
        """Have a person try a deal. `channel_id` is where the server reads how it ended.

        Returns None if they have tried it before. Raises Refused if the deal can't be dealt or its day is over, and
        Unsaved.
        """
        if deal.day != self.today():
            raise Refused("daily.over")
        rows = attempt_rows(deal, random_id(self.source), user_id, channel_id, self.scheduler.now())
        try:
            match = await self.lifecycle.open_attempt(*rows, press)
        except Conflict:
            return None
        self.resume()
        return match

    # ------------------------------------------------------------------------------------ the end of a day

    def resume(self) -> None:
        """See to it that attempts end with their day, also those of an earlier process: at once, if it is over."""
        if self.idle and self._days() and not self._closed:
            self._watching = asyncio.get_running_loop().create_task(self._watch())

    async def close(self) -> None:
        """Stop looking for the end of the day. A match that is being ended is ended."""
        self._closed = True
        async with self._ending:
            if self._watching is not None:
                self._watching.cancel()

    @property
    def idle(self) -> bool:
        """Whether no end of a day is waited for."""
        return self._watching is None or self._watching.done()

    def _days(self) -> list[int]:
        """The days of the attempts that are not over."""
        waiting = [*self.registry.waiting.rows(), *(each.row for each in self.quarantine.live())]
        days = (*(match.day for match in self.registry.live()), *(row.day for row in waiting))
        return [day for day in days if day is not None]

    async def _watch(self) -> None:
        """End attempts once their day is over, with time for presses that are under way, until none is left."""
        while True:
            async with self._ending:
                try:
                    await self._end_all()
                except Exception as error:  # noqa: BLE001  whatever it is, attempts must end sooner or later
                    _log.warning("attempts could not end with their day: %s", type(error).__name__)
            days = self._days()
            if not days:
                return
            left = (ends_at(min(days)) + GRACE - self.scheduler.now()) / 1000
            await self.scheduler.sleep(min(left, LOOKS_EVERY) if left > 0 else UNSAVED)

    def _is_late(self, day: int | None) -> bool:
        return day is not None and self.scheduler.now() >= ends_at(day) + GRACE

    async def _end_all(self) -> None:
        """End every attempt whose day is over."""
        with contextlib.suppress(StoreError):  # those that cannot be read now are ended later
            waiting = self.registry.waiting
            await waiting.restored([row.id for row in waiting.rows() if self._is_late(row.day)])
        for match in self.registry.live():
            if self._is_late(match.day):
                try:
                    await self.lifecycle.end_with_day(match)
                except (Unsaved, StoreError) as error:
                    _log.warning("match %s could not end with its day: %s", match.id, type(error).__name__)
        for quarantined in self.quarantine.live():
            if self._is_late(quarantined.row.day):
                try:
                    await self.lifecycle.end_quarantined(quarantined, "day_over")
                except (Unsaved, StoreError) as error:
                    _log.warning("match %s could not end with its day: %s", quarantined.row.id, type(error).__name__)


def daily_games() -> tuple[str, ...]:
    """The games that have a deal of the day: games of turns with levels of computer players. In a race two equal
    attempts don't meet equal play, because the computer answers to the speed of its opponent."""
    return tuple(game for game in GAMES if game in PLAYERS and LEVELS.get(game))


def level_of_day(game: str) -> str:
    """The level of the computers in a game's deals: hard, or else the best that is offered for them."""
    info = GAMES[game].info
    levels = levels_at(game, info.options(), 2)
    return BEST if BEST in levels else levels[-1]


def seal_day(guild_id: int, game: str, day: int, now: int, source: random.Random) -> DailyDeal:
    """A new deal of a server, a game and a day, with the game's own options. `source` makes its secret seed."""
    options = GAMES[game].info.options()
    written = codec(game)
    sealed = seal(game, options, written, source)
    return DailyDeal(
        guild_id=guild_id,
        game=game,
        day=day,
        level=level_of_day(game),
        rules_version=sealed.rules_version,
        options=written.encode(options),
        deal_version=sealed.version,
        deal_id=sealed.id,
        sealed_options=sealed.options,
        seed=sealed.seed,
        commitment=sealed.commitment,
        sealed_at=now,
    )


def attempt_rows(
    deal: DailyDeal, match_id: str, user_id: int, channel_id: int, now: int
) -> tuple[Invitation, MatchRow]:
    """The invitation and the match by which a person tries a deal. They sit on the first seat, without a salt.

    Raises Refused if the deal was altered since it was sealed, or was sealed under newer rules.
    """
    seats: tuple[int, ...] = (user_id,)
    while len(seats) < max(2, GAMES[deal.game].info.seats[0]):
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
    return asked, replace(row_of(asked, now), day=deal.day)


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
"""The attempts that were played to their end. They count for a streak and in the histogram."""
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


def moves_of(attempt: DailyAttempt) -> int:
    """How many moves the person has made. To resign is none."""
    return attempt.acts - (ending_of(attempt) is Ending.RESIGNED)


def streak(days: Iterable[int], day: int) -> int:
    """How many days in a row, up to this one, are among the days on which somebody finished. It is 0 if this one is
    not."""
    finished, length = set(days), 0
    while day - length in finished:
        length += 1
    return length


@dataclass(frozen=True, slots=True)
class Band:
    """How many won, drew and lost with a number of moves from `least` to `most`, both included."""

    least: int
    most: int
    won: int
    drawn: int
    lost: int


def histogram(attempts: Sequence[DailyAttempt]) -> tuple[Band, ...]:
    """The finished attempts by the person's moves, in bands of one width; empty bands between others are kept."""
    finished = [(moves_of(each), ending_of(each)) for each in attempts if ending_of(each) in FINISHED]
    if not finished:
        return ()
    fewest, most = min(moves for moves, _ in finished), max(moves for moves, _ in finished)
    width = _width(fewest, most)
    return tuple(
        Band(
            least,
            least + width - 1,
            *[
                sum(least <= moves < least + width and ending is wanted for moves, ending in finished)
                for wanted in (Ending.WON, Ending.DRAWN, Ending.LOST)
            ],
        )
        for least in range(fewest - fewest % width, most + 1, width)
    )


def _width(fewest: int, most: int) -> int:
    """The smallest width of bands, of which at most `MOST_BANDS` reach from the fewest moves to the most."""
    scale = 1
    while True:
        for width in _WIDTHS:
            if most // (width * scale) - fewest // (width * scale) < MOST_BANDS:
                return width * scale
        scale *= 10
