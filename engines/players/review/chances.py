"""Makes what a judge says of a match true: of what is said to happen six times in ten, six in ten happen.

A judge knows cards. It doesn't know how much its word is worth at which act, nor who plays. Both were learned
from matches whose ends are known (`make calibrate`), and are kept in `chances.csv`: for a game, a setting, a number of
players and some numbers of acts, each kind of player has a *slope* and a *lead*. A slope below 1 shrinks what the judge
says towards an even match; at 0 nothing is known yet. A lead is what a kind of player has ahead of another one on equal
cards, as a logarithm; its lead when *asked* is added for a seat that acts next, of which a judge thinks too well.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp, log
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from engines.game import Seat
from engines.players.review.ways import Shares

PERSON: Final = "person"
"""Who plays, if it isn't a computer's level."""
COLUMNS: Final = ("game", "setting", "players", "acts", "player", "slope", "lead", "asked", "matches")
SHIPPED: Final = "chances.csv"
LEAST: Final = 0.001
"""No judge's word counts for less, or for more than all but this: nobody is that sure."""


class Setup(NamedTuple):
    """What a part of the file is about: the game's key, the setting (`setting_of`), and how many play."""

    game: str
    setting: str
    seats: int


@dataclass(frozen=True, slots=True)
class Trust:
    """How to take a judge's word on the chance of one kind of player."""

    slope: float = 1.0
    lead: float = 0.0
    asked: float = 0.0


AS_IT_IS: Final = Trust()
Trusts: TypeAlias = Mapping[str, Trust]
"""By the kind of player."""


@dataclass(frozen=True, slots=True)
class Chances:
    """How to take a judge's word in matches of one setup, `trusts[n]` after `acts[n]` acts. Between these it changes
    evenly, and after the last it stays. `Chances()` takes it as it is, and knows nobody."""

    acts: tuple[int, ...] = (0,)
    trusts: tuple[Trusts, ...] = (MappingProxyType({}),)

    def true(self, said: Sequence[float], players: Sequence[str], after: int, asked: Collection[Seat]) -> Shares:
        """Each seat's chance after a number of acts, where a judge said these; together they are 1.

        `players` has who sits on each seat: a level, or `PERSON`; `asked` are the seats that may act next. Who was said
        to have no chance has none. For any of the others more is never said to be less.
        """
        playing = [seat for seat, share in enumerate(said) if share > 0]
        trusts = {seat: self._trust(players[seat], after) for seat in playing}
        slope = sum([each.slope for each in trusts.values()]) / len(playing)
        weights = [0.0] * len(said)
        for seat, trust in trusts.items():
            weights[seat] = exp(slope * word(said[seat]) + trust.lead + trust.asked * (seat in asked))
        total = sum(weights)
        return tuple([weight / total for weight in weights])

    def know(self, players: Iterable[str]) -> bool:
        """Whether it was learned how strong all of these are."""
        return all(player in trusts for trusts in self.trusts for player in players)

    def _trust(self, player: str, after: int) -> Trust:
        index = bisect_right(self.acts, after) - 1
        before = self.trusts[index].get(player, AS_IT_IS)
        if index + 1 == len(self.acts):
            return before
        then = self.trusts[index + 1].get(player, AS_IT_IS)
        share = (after - self.acts[index]) / (self.acts[index + 1] - self.acts[index])
        return Trust(
            before.slope + share * (then.slope - before.slope),
            before.lead + share * (then.lead - before.lead),
            before.asked + share * (then.asked - before.asked),
        )


def word(share: float) -> float:
    """What a judge says of a seat, as a logarithm."""
    return log(min(1 - LEAST, max(LEAST, share)))


def setting_of(game: str, options: Any) -> str:
    """The name of the options that change how much a judge's word is worth; empty where none do."""
    return _SETTINGS[game](options) if game in _SETTINGS else ""


_SETTINGS: Final[Mapping[str, Callable[[Any], str]]] = MappingProxyType(
    {
        "unbreakable": lambda options: options.pace,
        "ciq": lambda options: "endless" if options.hand_limit == "none" else "limited",
        "champions": lambda options: "victory dice" if options.victory_dice else "decks",
    }
)


def chances_of(game: str, options: Any, seats: int) -> Chances:
    """How to take the judge's word in a match. Where nobody measured what it is worth, these know nobody."""
    return shipped().get(Setup(game, setting_of(game, options), seats), Chances())


@cache
def shipped() -> Mapping[Setup, Chances]:
    """The chances of all setups that were measured."""
    text = resources.files("engines.players.review").joinpath(SHIPPED).read_text(encoding="utf-8")
    return read(text.splitlines())


def read(lines: Iterable[str]) -> Mapping[Setup, Chances]:
    """The chances in the lines of such a file. Raises ValueError or KeyError for one that isn't."""
    found: dict[Setup, dict[int, dict[str, Trust]]] = {}
    for row in csv.DictReader(lines):
        setup = Setup(row["game"], row["setting"], int(row["players"]))
        trusts = found.setdefault(setup, {}).setdefault(int(row["acts"]), {})
        trusts[row["player"]] = Trust(float(row["slope"]), float(row["lead"]), float(row["asked"]))
    return {
        setup: Chances(tuple(sorted(by_acts)), tuple([by_acts[acts] for acts in sorted(by_acts)]))
        for setup, by_acts in found.items()
    }
