"""How a game's acts are judged for a review, from what their seat knows: at first sight, by the player's own judgement
where that is good enough, and then by rollouts, which are lines played on from tables that may be the true one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from engines.game import Seat
from engines.players.champions import lines as champions
from engines.players.champions.judging import weights_of
from engines.players.ciq import look_ahead
from engines.players.ciq.candidates import CIQTable
from engines.players.ciq.player import PLAYER as CIQ
from engines.players.ciq.rules_of_thumb import by_rule_of_thumb
from engines.players.ciq.sight import sight_of
from engines.players.haymaker import rules_of_thumb as haymaker_rules
from engines.players.haymaker.candidates import number_of
from engines.players.haymaker.table import known_at, sampled
from engines.players.levels import PLAYERS
from engines.players.player import Player, Situation, Table
from engines.players.review.walk import Spot
from engines.players.unbreakable import lines as unbreakable
from engines.tivmiv.table import Public as TivMivPublic

BELIEVED: Final = 0.85
"""How much of what an act seems to cost it does cost, in Champions and CIQ, whose looks play few lines: what is named
has been lucky, and in CIQ lines are cut off (`tests.arena.verdicts`)."""
Shares: TypeAlias = tuple[float, ...]
"""Each seat's share of the win, from 0 to 1; together they are 1."""


@dataclass(frozen=True)
class Lines:
    """How a match is played on from tables that `sample` makes up, which may be the true one.

    A table writes acts as `act_of` says. `plays_on` chooses the acts that follow. After `acts` acts a line is cut off
    and judged by `shares`; without them it goes to the end of the match.
    """

    sample: Callable[[Situation[Any, Any], Random], Table[Any]]
    plays_on: Callable[[Any, Seat, Random], Any]
    act_of: Callable[[Any], Any] = lambda action: action
    acts: int | None = None
    shares: Callable[[Any], Sequence[float]] | None = None

    def after(self, spot: Spot, actions: Sequence[Any], rng: Random) -> list[Shares]:
        """How the win is shared at the end of a line after each of these acts, on the same table and with the same
        luck."""
        table = self.sample(spot.situation, rng)
        while (asked := table.asked()) not in (spot.seat, None):  # sealed choices are played one after the other
            table.play(self.plays_on(table, asked, rng), rng)
        luck = rng.getrandbits(64)
        found = []
        for action in actions:
            tried, chance = table.copy(), Random(luck)
            tried.play(self.act_of(action), chance)
            found.append(self._played(tried, spot.seats, chance))
        return found

    def outlook(self, spot: Spot, rng: Random) -> Shares:
        """The same if the asked seat goes on sensibly."""
        return self._played(self.sample(spot.situation, rng), spot.seats, rng)

    def _played(self, table: Table[Any], seats: int, rng: Random) -> Shares:
        """How the win is shared after a line; the table is changed."""
        left = self.acts
        while (seat := table.asked()) is not None and left != 0:
            table.play(self.plays_on(table, seat, rng), rng)
            left = None if left is None else left - 1
        if self.shares is None or table.asked() is None:
            return tuple([table.share(seat) for seat in range(seats)])
        return tuple(self.shares(table))


class Way(ABC):
    """How a game's acts are judged: at first sight, and by lines that are played on.

    `rollouts` is how many lines a whole review plays, `for_a_hint` how many a hint does. No act is named that lines
    don't confirm; a way without any names none. `believed` is the part of a found cost that is said.
    """

    player: Player[Any, Any, Any]
    lines: Lines | None
    rollouts: int
    for_a_hint: int
    believed: float

    @property
    @abstractmethod
    def is_drawn(self) -> bool:
        """Whether a first sight draws luck, so that one trial is an estimate, and many are a better one. One that draws
        none isn't exact for that: it is the same each time, right or wrong."""

    @abstractmethod
    def trial(self, spot: Spot, actions: Sequence[Any], rng: Random) -> list[Shares]:
        """One estimate, at first sight, of how the win is shared after each of these acts."""

    @abstractmethod
    def outlook(self, spot: Spot, rng: Random, trials: int) -> Shares:
        """How the win is shared if the asked seat goes on sensibly: the mean of this many trials."""


@dataclass(frozen=True)
class ByJudgement(Way):
    """By `Player.judge`. It estimates one seat's share. The others who still play have parts of the rest, as `weights`
    says by what everybody may know, or equal ones."""

    player: Player[Any, Any, Any]
    lines: Lines | None = None
    rollouts: int = 0
    for_a_hint: int = 0
    weights: Callable[[Any], Sequence[float]] | None = None
    believed: float = 1.0
    is_drawn = False

    def trial(self, spot: Spot, actions: Sequence[Any], rng: Random) -> list[Shares]:  # noqa: ARG002  it draws nothing
        return [self._shared(spot, value) for value in self.player.judge(spot.situation, actions)]

    def outlook(self, spot: Spot, rng: Random, trials: int) -> Shares:  # noqa: ARG002  as above
        return self._shared(spot, max(self.player.judge(spot.situation, self.player.candidates(spot.situation))))

    def _shared(self, spot: Spot, share: float) -> Shares:
        """The whole win, of which the asked seat has this share."""
        weights = self.weights(spot.situation.view.public) if self.weights else (1.0,) * spot.seats
        others = sum([weights[seat] for seat in spot.staying if seat != spot.seat])
        rest = (1 - share) / others if others else 0.0
        return tuple(
            [
                share if seat == spot.seat else rest * weights[seat] if seat in spot.staying else 0.0
                for seat in range(spot.seats)
            ]
        )


@dataclass(frozen=True)
class ByLines(Way):
    """By playing on."""

    player: Player[Any, Any, Any]
    lines: Lines
    rollouts: int
    for_a_hint: int
    believed: float = 1.0
    is_drawn = True

    def trial(self, spot: Spot, actions: Sequence[Any], rng: Random) -> list[Shares]:
        return self.lines.after(spot, actions, rng)

    def outlook(self, spot: Spot, rng: Random, trials: int) -> Shares:
        return mean([self.lines.outlook(spot, rng) for _ in range(trials)])


def mean(trials: Sequence[Shares]) -> Shares:
    """The mean of some estimates, seat by seat."""
    return tuple([sum(values) / len(trials) for values in zip(*trials, strict=True)])


# ---------------------------------------------------------------------------------------------- games


def _ciq_plays_on(table: CIQTable, seat: Seat, rng: Random) -> Any:  # noqa: ARG001  the table says who
    if rng.random() < look_ahead.AT_RANDOM:
        return rng.choice(table.candidates())
    return by_rule_of_thumb(sight_of(table.state))


_WAYS: Final[Mapping[str, Way]] = MappingProxyType(
    {
        "haymaker": ByJudgement(
            PLAYERS["haymaker"],
            Lines(
                lambda known, rng: sampled(known.memory, known.view, rng),
                lambda table, seat, _rng: haymaker_rules.by_rule_of_thumb(known_at(table, seat)),
                number_of,
            ),
            rollouts=3600,
            for_a_hint=900,
        ),
        "unbreakable": ByJudgement(
            PLAYERS["unbreakable"],
            Lines(
                lambda known, rng: unbreakable.sampled(known.view, rng),
                unbreakable.plays_on,
                acts=unbreakable.ACTS,
                shares=unbreakable.shares,
            ),
            rollouts=3600,
            for_a_hint=900,
        ),
        "champions": ByJudgement(
            PLAYERS["champions"],
            Lines(
                lambda known, rng: champions.sampled(known.memory, known.view, rng),
                champions.plays_on,
                acts=champions.ACTS,
                shares=champions.shares,
            ),
            rollouts=600,
            for_a_hint=150,
            weights=lambda public: weights_of(public.options, public.decks, public.scores),
            believed=BELIEVED,
        ),
        "ciq": ByLines(
            CIQ,
            Lines(CIQ.sample, _ciq_plays_on, acts=look_ahead.ACTS, shares=lambda table: look_ahead.shares(table.state)),
            rollouts=2400,
            for_a_hint=240,
            believed=BELIEVED,
        ),
    }
)
"""The ways that were chosen for a game; any other player judges by itself."""


def way_of(game: str) -> Way:
    """The way of a game. Raises KeyError for a game without a computer player, or one that is a race."""
    if game in RACES:
        raise KeyError(game)
    return _WAYS[game] if game in _WAYS else ByJudgement(PLAYERS[game])


def _tivmiv_left(public: TivMivPublic) -> Sequence[int]:
    return [hand + deck for hand, deck in zip(public.hands, public.decks, strict=True)]


RACES: Final[Mapping[str, Callable[[Any], Sequence[int]]]] = MappingProxyType({"tivmiv": _tivmiv_left})
"""The games in which everybody acts at once: how many cards each seat has left, of what everybody may know. Speed
decides there, and no act can be judged."""
