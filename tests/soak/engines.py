"""Random matches by the thousand, of every game, with the lengths they had: no Discord, the rules alone.

Every match is played to its end by random legal acts, over all options and numbers of seats of the game in turn, now
and then by the clock or a resignation. A match that raises, or outlasts the game's bound, is a fault, with its seed.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engines import GAMES
from laws.play import MatchLog, Odds, random_match
from tests.games.cases import case_of
from tests.soak.report import Load

ODDS = Odds(time=0.001, resign=0.001)


@dataclass
class Tally:
    """What the matches of one game were like."""

    lengths: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    largest_hand: int = 0

    def add(self, log: MatchLog) -> None:
        """Count a match."""
        outcome = log.deal.game.outcome(log.states[-1])
        if outcome is None:
            raise AssertionError("a match without a window has an outcome")
        self.lengths.append(len(log.moves))
        self.endings[outcome.kind] += 1
        for state in log.states:
            self.largest_hand = max(self.largest_hand, *map(len, _hands(state)))

    def __str__(self) -> str:
        deciles = statistics.quantiles(self.lengths, n=10)
        lengths = " ".join(f"{length:.0f}" for length in (min(self.lengths), *deciles, max(self.lengths)))
        endings = ", ".join(f"{kind} {count}" for kind, count in self.endings.most_common())
        counted = f"{len(self.lengths)} matches; acts, by tenths: {lengths}"
        return f"{counted}\n         {endings}; largest hand {self.largest_hand}"


def _hands(state: Any) -> list[tuple[Any, ...]]:
    """The hands in a state, whatever its game calls them."""
    for name in ("hands", "decks"):
        rows = getattr(state, name, ())
        if rows and isinstance(rows[0], tuple):
            return list(rows)
    return [place.hand for place in getattr(state, "places", ()) if hasattr(place, "hand")] or [()]


def soak(matches: int, seconds: float) -> list[Load]:
    """Play so many matches of each game, or as many as fit into an equal share of the time."""
    return [_soak(key, matches, seconds / len(GAMES)) for key in GAMES]


def _soak(key: str, matches: int, seconds: float) -> Load:
    load, tally = Load(key), Tally()
    case = case_of(key)
    end = time.monotonic() + seconds
    for number in range(matches):
        if time.monotonic() > end:
            break
        preset, seats = case.tables[number % len(case.tables)]
        rng = random.Random(number)
        try:
            tally.add(random_match(case.deal(preset, seats, rng), rng, ODDS))
        except Exception as error:  # noqa: BLE001  told with what is needed to see it again
            load.faults[f"{preset}, {seats} seats, seed {number}: {error!r}"] += 1
    if len(tally.lengths) > 1:
        load.figures.append(str(tally))
    return load
