"""How a game's acts are judged for a review, from what their seat knows: by the player's own judgement where that is
good enough, or by rollouts on tables that may be the true one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from engines.players.ciq import look_ahead
from engines.players.ciq.candidates import CIQTable
from engines.players.ciq.player import PLAYER as CIQ
from engines.players.ciq.rules_of_thumb import by_rule_of_thumb
from engines.players.ciq.sight import sight_of
from engines.players.levels import PLAYERS
from engines.players.player import Player, Situation, Table
from engines.players.review.walk import Spot
from engines.tivmiv.table import Public as TivMivPublic

Shares: TypeAlias = tuple[float, ...]
"""Each seat's share of the win, from 0 to 1; together they are 1."""


class Way(ABC):
    """How a game's acts are judged."""

    player: Player[Any, Any, Any]
    rollouts: int
    """How many a whole review plays."""

    @property
    @abstractmethod
    def is_exact(self) -> bool:
        """Whether one trial says all that there is to say, because it draws nothing."""

    @abstractmethod
    def trial(self, spot: Spot, actions: Sequence[Any], rng: Random) -> list[Shares]:
        """One estimate of how the win is shared after each of these acts, all under the same circumstances."""

    @abstractmethod
    def standing(self, spot: Spot, rng: Random, trials: int) -> Shares:
        """How the win is shared if the asked seat goes on sensibly: the mean of this many trials."""


@dataclass(frozen=True)
class ByJudgement(Way):
    """By `Player.judge`. It estimates one seat's share; those of the others who still play are taken for equal."""

    player: Player[Any, Any, Any]
    rollouts = 0
    is_exact = True

    def trial(self, spot: Spot, actions: Sequence[Any], rng: Random) -> list[Shares]:  # noqa: ARG002  it draws nothing
        return [_shared(spot, value) for value in self.player.judge(spot.situation, actions)]

    def standing(self, spot: Spot, rng: Random, trials: int) -> Shares:  # noqa: ARG002  as above
        return _shared(spot, max(self.player.judge(spot.situation, self.player.candidates(spot.situation))))


@dataclass(frozen=True)
class ByRollouts(Way):
    """By playing on from tables that `sample` makes up, with the same luck after each of the acts.

    `plays_on` chooses the acts that follow. After `acts` acts a rollout is cut off and judged by `shares`.
    """

    player: Player[Any, Any, Any]
    sample: Callable[[Situation[Any, Any], Random], Table[Any]]
    plays_on: Callable[[Any, Random], Any]
    acts: int
    shares: Callable[[Any], Sequence[float]]
    rollouts: int = 2400
    is_exact = False

    def trial(self, spot: Spot, actions: Sequence[Any], rng: Random) -> list[Shares]:
        table = self.sample(spot.situation, rng)
        while table.asked() not in (spot.seat, None):  # sealed choices are played one after the other
            table.play(self.plays_on(table, rng), rng)
        luck = rng.getrandbits(64)
        found = []
        for action in actions:
            tried, chance = table.copy(), Random(luck)
            tried.play(action, chance)
            found.append(self._played(tried, spot.seats, chance))
        return found

    def standing(self, spot: Spot, rng: Random, trials: int) -> Shares:
        return mean([self._played(self.sample(spot.situation, rng), spot.seats, rng) for _ in range(trials)])

    def _played(self, table: Table[Any], seats: int, rng: Random) -> Shares:
        """How the win is shared after a rollout; the table is changed."""
        left = self.acts
        while table.asked() is not None and left:
            table.play(self.plays_on(table, rng), rng)
            left -= 1
        if table.asked() is None:
            return tuple([table.share(seat) for seat in range(seats)])
        return tuple(self.shares(table))


def mean(trials: Sequence[Shares]) -> Shares:
    """The mean of some estimates, seat by seat."""
    return tuple([sum(values) / len(trials) for values in zip(*trials, strict=True)])


def _shared(spot: Spot, share: float) -> Shares:
    """The whole win, of which the asked seat has this share, and the others who still play equal parts of the rest."""
    others = [seat for seat in spot.staying if seat != spot.seat]
    rest = (1 - share) / len(others) if others else 0.0
    return tuple([share if seat == spot.seat else rest if seat in others else 0.0 for seat in range(spot.seats)])


# ---------------------------------------------------------------------------------------------- games


def _ciq_plays_on(table: CIQTable, rng: Random) -> Any:
    if rng.random() < look_ahead.AT_RANDOM:
        return rng.choice(table.candidates())
    return by_rule_of_thumb(sight_of(table.state))


def _ciq_shares(table: CIQTable) -> Sequence[float]:
    return look_ahead.shares(table.state)


_WAYS: Final[Mapping[str, Way]] = MappingProxyType(
    {
        "haymaker": ByJudgement(PLAYERS["haymaker"]),
        "ciq": ByRollouts(CIQ, CIQ.sample, _ciq_plays_on, look_ahead.ACTS, _ciq_shares),
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
