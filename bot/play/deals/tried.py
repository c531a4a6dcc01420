"""Deals that many people try, once each, against the same computers: which games have them, how one is chosen and
sealed, and how an attempt begins and has ended.

An attempt is a match with a day: it ends with that day (`bot.play.days`), and its deal is closed until then
(`bot.play.closed_deals`). A deal of the day is for a server; rooms say for whom theirs are, and keep them.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias, TypeVar

from bot.computers.reviewer import NotReviewed, Reviewer
from bot.games import GAMES
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
from bot.store.queries.attempts import PERSON, Attempt, TriedDeal
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.store.queries.matches import MatchRow, Record
from bot.store.special_ids import computer_id
from bot.store.verification import opens_seal
from engines.deals import NO_SALT, SEED_BYTES, Deal
from engines.players.deal_of_day import DECENT, Choice, DayRequest, program, seed_of
from engines.players.levels import LEVELS, PLAYERS

Sealed = TypeVar("Sealed", bound=TriedDeal)
Save: TypeAlias = Callable[[Invitation, MatchRow, Record], Awaitable[None]]
"""Stores an attempt in one transaction (`bot.store.queries.attempts.open_match`)."""

CLOCK: Final = "normal"
"""A match has to name a clock. None runs in an attempt: it ends with its day."""
MOST_WAITING: Final = 30
"""How many may wait for a deal to be chosen. Each takes up to two seconds of the one worker, and after midnight many
servers ask at once: a refusal in time is better than an answer that Discord takes no more."""


@dataclass(slots=True, eq=False)
class TriedDeals:
    """Chooses deals and begins attempts. `source` makes ids and seeds; by default it is the system's, which nobody can
    foresee."""

    days: Days
    lifecycle: MatchLifecycle
    reviewer: Reviewer
    scheduler: Scheduler
    source: random.Random = SYSTEM_RANDOM
    _choosing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held while a deal is chosen, so that those who ask for it meanwhile choose none of their own."""
    _waiting: int = field(default=0, init=False)

    async def sealed(
        self,
        game: str,
        day: int,
        find: Callable[[str, int], Awaitable[Sealed | None]],
        keep: Callable[[TriedDeal], Awaitable[Sealed]],
    ) -> Sealed:
        """The deal of a game that `find` finds, which is tried until a day ends. If there is none, one is chosen and
        sealed now; `keep` stores it, and returns the one that is there, if another process was faster.

        Raises Refused for a game that has none, or if none can be chosen now, and Unsaved.
        """
        if game not in tried_games():
            raise Refused("daily.no_such_game")
        found = await find(game, day)
        if found is not None:
            return found
        if self._waiting >= MOST_WAITING:
            raise Refused("daily.later")
        self._waiting += 1
        try:
            async with self._choosing:
                return await find(game, day) or await self._chosen(game, day, keep)
        finally:
            self._waiting -= 1

    async def _chosen(self, game: str, day: int, keep: Callable[[TriedDeal], Awaitable[Sealed]]) -> Sealed:
        request = deal_request(game, random_id(self.source), self.source.randbytes(SEED_BYTES))
        try:
            choice = await self.reviewer.choose(request)
        except NotReviewed:
            raise Refused("daily.later") from None
        return await translate_errors(keep(seal_deal(day, request, choice, self.scheduler.now())))

    async def begin(
        self,
        deal: TriedDeal,
        user_id: int,
        venue: tuple[int, int],
        press: MatchPress,
        save: Save,
        *,
        everywhere: bool = False,
    ) -> LiveMatch | None:
        """Have a person try a deal. `venue` is their server, and the channel where it reads how the attempt ended;
        `everywhere` says whether people of all servers try it.

        Returns None if they have tried it before. Raises Refused if the deal can't be dealt or its day is over, and
        Unsaved.
        """
        if deal.day < self.days.today():
            raise Refused("daily.over")
        asked, row = attempt_rows(deal, random_id(self.source), user_id, venue, self.scheduler.now())
        try:
            match = await self.lifecycle.open_at_once(asked, replace(row, shared=everywhere), press, save)
        except Conflict:
            return None
        self.days.resume()
        return match


def tried_games() -> tuple[str, ...]:
    """The games that have such deals: games of turns with levels of computer players. In a race two equal
    attempts don't meet equal play, because the computer answers to the speed of its opponent."""
    return tuple(game for game in GAMES if game in PLAYERS and LEVELS.get(game))


def seats_of_deal(game: str) -> int:
    """How many seats an attempt has: as few as the game allows."""
    return max(2, GAMES[game].info.seats[0])


def options_of_deal(game: str) -> Any:
    """The options of a game's deals: as recommended (C-11)."""
    info = GAMES[game].info
    return info.presets[info.recommended_for(seats_of_deal(game))]


def level_of_deal(game: str) -> str:
    """The level of the computers in a game's deals: the one above a decent player's, or the same if there is none."""
    levels = levels_at(game, options_of_deal(game), seats_of_deal(game))
    return levels[min(levels.index(DECENT) + 1, len(levels) - 1)]


def deal_request(game: str, deal_id: str, root: bytes) -> DayRequest:
    """What a deal with this id is chosen from. `root` is its secret."""
    level, seats = level_of_deal(game), seats_of_deal(game)
    computers = (None, *[level] * (seats - 1))
    context = Deal(game, GAMES[game].info.rules_version, deal_id, (NO_SALT,) * seats, computers)
    return DayRequest(game, options_of_deal(game), context, level, root)


def seal_deal(day: int, request: DayRequest, choice: Choice, now: int) -> TriedDeal:
    """The deal that was chosen."""
    game, written = request.game, codec(request.game)
    chosen = request.deal.deal_id, seed_of(request.root, choice.count)
    sealed = seal(game, request.options, written, SYSTEM_RANDOM, clock=CLOCK, chosen=chosen)
    return TriedDeal(
        game=game,
        day=day,
        level=request.level,
        options=written.encode(request.options),
        sealed_at=now,
        root=request.root,
        nth=choice.count,
        worth=choice.worth,
        program=program(game, request.level),
        **sealed.columns(),
    )


def attempt_rows(
    deal: TriedDeal, match_id: str, user_id: int, venue: tuple[int, int], now: int
) -> tuple[Invitation, MatchRow]:
    """The invitation and the match by which a person tries a deal. They sit on the first seat, without a salt.
    `venue` is their server, and the channel where it reads how the attempt ended.

    Raises Refused if the deal was altered since it was sealed, or was sealed under newer rules.
    """
    guild_id, channel_id = venue
    seats: tuple[int, ...] = (user_id,)
    while len(seats) < seats_of_deal(deal.game):
        seats += (computer_id(deal.level, seats),)
    asked = Invitation(
        id=match_id,
        guild_id=guild_id,
        channel_id=channel_id,
        message_id=None,
        game=deal.game,
        options=deal.options,
        clock=CLOCK,
        host_id=user_id,
        invited=(),
        seated=seats,
        created_at=deal.sealed_at,
        expires_at=now,
        kind=InvitationKind.TABLE,
        private=True,
        **deal.columns(),
    )
    if not opens_seal(asked):
        raise Refused("daily.deal_altered")
    return asked, replace(row_of(asked, now), day=deal.day, alone=True)


class AttemptState(StrEnum):
    """How an attempt stands."""

    PLAYING = "playing"
    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    RESIGNED = "resigned"
    UNFINISHED = "unfinished"
    """The day ended, or something else ended the match without a result."""


FINISHED: Final = frozenset({AttemptState.WON, AttemptState.DRAWN, AttemptState.LOST})
"""The attempts that were played to their end. They count for a streak."""
TOLD: Final = FINISHED | {AttemptState.RESIGNED}
"""The attempts of which the channel reads."""


def ending_of(attempt: Attempt) -> AttemptState:
    """How an attempt stands."""
    if attempt.result is None:
        return AttemptState.PLAYING
    ranks = attempt.result.ranks
    if not ranks:
        return AttemptState.UNFINISHED
    if ranks[PERSON] > 1:
        return AttemptState.RESIGNED if attempt.result.kind == "resignation" else AttemptState.LOST
    return AttemptState.DRAWN if len(set(ranks)) == 1 else AttemptState.WON
