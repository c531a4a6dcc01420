"""A small net that learns the value of Haymaker's acts from matches: SARSA(lambda) by rounds, with Adam.

Q(what a seat knows, act) is the estimated share of the win. A net has one hidden layer of rectified units and a
sigmoid at its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from random import Random
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engines.game import Seat
from engines.players.haymaker.features import FEATURES, act_features, situation_features
from engines.players.haymaker.memory import Known
from engines.players.haymaker.table import FastTable, known_at

Floats: TypeAlias = NDArray[np.float32]
Opponent: TypeAlias = Callable[[FastTable, Seat, Random], int]
"""Chooses an act at a table for the seat that is asked."""

HIDDEN: Final = 64
LAMBDA: Final = 0.8
"""How far a later value counts for an earlier act."""
SIDE_BY_SIDE: Final = 256
"""Matches played at once, so that the net judges the acts of all of them together."""


@dataclass
class Net:
    """Weights by name: `w` (features x hidden), `b` (hidden), `v` (hidden), `c` (1)."""

    weights: dict[str, Floats]

    @classmethod
    def new(cls, seed: int) -> Net:
        """A net that has learned nothing."""
        rng = np.random.default_rng(seed)
        w = rng.standard_normal((FEATURES, HIDDEN)) * np.sqrt(2 / 60)  # about 60 features are not 0
        v = rng.standard_normal(HIDDEN) * np.sqrt(1 / HIDDEN)
        weights = {"w": w, "b": np.zeros(HIDDEN), "v": v, "c": np.zeros(1)}
        return cls({name: each.astype(np.float32) for name, each in weights.items()})

    def hidden(self, x: Floats) -> Floats:
        """The hidden layer for rows of features."""
        return np.maximum(x @ self.weights["w"] + self.weights["b"], 0)

    def logits(self, x: Floats) -> Floats:
        """What goes into the sigmoid, for rows of features."""
        return self.hidden(x) @ self.weights["v"] + self.weights["c"]

    def copy(self) -> Net:
        """An equal net."""
        return Net({name: each.copy() for name, each in self.weights.items()})

    def written(self) -> bytes:
        """The weights as `engines.players.haymaker.net` reads them."""
        return b"".join([self.weights[name].astype("<f4").tobytes() for name in "wbvc"])


def with_weights(old: Net, new: Net, part: float) -> Net:
    """A net between two others, this part of the way from the old one to the new one."""
    return Net({name: each + part * (new.weights[name] - each) for name, each in old.weights.items()})


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + e^-x)."""
    return (1 / (1 + np.exp(-x))).astype(np.float32)


@dataclass
class Adam:
    """Adam (Kingma and Ba, 2015) on the cross-entropy between a net's estimate and a target."""

    net: Net
    rate: float = 1e-3
    steps: int = 0
    _mean: dict[str, Floats] = field(default_factory=dict)
    _square: dict[str, Floats] = field(default_factory=dict)

    def step(self, x: Floats, target: Floats) -> None:
        """Learn from rows of features with their targets."""
        weights = self.net.weights
        hidden = self.net.hidden(x)
        error = (sigmoid(hidden @ weights["v"] + weights["c"]) - target) / len(target)
        back = np.outer(error, weights["v"]) * (hidden > 0)
        slopes = {"w": x.T @ back, "b": back.sum(0), "v": hidden.T @ error, "c": error.sum(keepdims=True)}
        self.steps += 1
        for name, slope in slopes.items():
            mean = self._mean[name] = 0.9 * self._mean.get(name, 0) + 0.1 * slope
            square = self._square[name] = 0.999 * self._square.get(name, 0) + 0.001 * slope**2
            step = mean / (1 - 0.9**self.steps) / (np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8)
            weights[name] -= (self.rate * step).astype(np.float32)


@dataclass
class Seen:
    """One seat's acts of one match: the rows of features, the net's highest estimate at each, and whether the act was
    made to explore rather than by that estimate."""

    rows: list[Floats] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    explored: list[bool] = field(default_factory=list)

    def add(self, row: Floats, value: float, *, explored: bool) -> None:
        """Add an act."""
        self.rows.append(row)
        self.values.append(value)
        self.explored.append(explored)

    def targets(self, share: float) -> list[float]:
        """What each act was worth, if the match ended with this share: the lambda-return, cut before an act that was
        made to explore, because what came of that tells nothing of the acts before (Watkins, 1989)."""
        found, after = [share], share
        for value, explored in zip(self.values[:0:-1], self.explored[:0:-1], strict=True):
            after = value if explored else LAMBDA * after + (1 - LAMBDA) * value
            found.append(after)
        return found[::-1]


@dataclass
class Match:
    """A match that is being played, the seats that learn from it, and what each seat has seen."""

    table: FastTable
    learning: tuple[Seat, ...]
    seen: tuple[Seen, Seen] = field(default_factory=lambda: (Seen(), Seen()))

    @property
    def asked(self) -> Seat:
        """The seat that is asked, while the match is on."""
        seat = self.table.asked()
        assert seat is not None
        return seat


@dataclass
class Playing:
    """Plays matches side by side and collects what there is to learn from.

    Against an `opponent`, one seat learns, in turns the first and the second; without, both do. `explore` is how often
    an act is made at random. `knows` says what a learning seat knows; a cheater knows more.
    """

    net: Net
    rng: Random
    explore: float
    opponent: Opponent | None = None
    knows: Callable[[FastTable, Seat], Known] = known_at

    def play(self, matches: int) -> tuple[Floats, Floats, float]:
        """Play this many matches: the rows, their targets, and the mean share of the first of the learning seats."""
        rows: list[Floats] = []
        targets: list[float] = []
        total, begun = 0.0, 0
        playing: list[Match] = []
        while playing or begun < matches:
            while len(playing) < SIDE_BY_SIDE and begun < matches:
                seats = (begun % 2,) if self.opponent else (0, 1)
                playing.append(Match(FastTable.dealt(self.rng), seats))
                begun += 1
            self._step(playing)
            over = [place for place, match in enumerate(playing) if match.table.winner is not None]
            for place in reversed(over):
                match = playing[place]
                for seat in match.learning:
                    rows += match.seen[seat].rows
                    targets += match.seen[seat].targets(match.table.share(seat))
                total += match.table.share(match.learning[0])
                playing[place] = playing[-1]
                playing.pop()
        return np.array(rows, np.float32), np.array(targets, np.float32), total / matches

    def _step(self, playing: Sequence[Match]) -> None:
        """One act in each match."""
        learning = []
        for match in playing:
            if match.asked in match.learning:
                learning.append(match)
            elif self.opponent is not None:
                match.table.play(self.opponent(match.table, match.asked, self.rng), self.rng)
        if not learning:
            return
        asked = [(self.knows(match.table, match.asked), match.table.candidates()) for match in learning]
        x, starts = rows_of(asked)
        logits = self.net.logits(x)
        for match, (_, acts), start in zip(learning, asked, starts, strict=True):
            values = logits[start : start + len(acts)]
            chosen = best = int(values.argmax())
            explored = self.rng.random() < self.explore
            if explored:
                chosen = int(self.rng.random() * len(acts))
            match.seen[match.asked].add(x[start + chosen], float(1 / (1 + np.exp(-values[best]))), explored=explored)
            match.table.play(acts[chosen], self.rng)


def rows_of(asked: Sequence[tuple[Known, Sequence[int]]]) -> tuple[Floats, list[int]]:
    """The features of all acts of some questions, one row each, and where each question's rows begin."""
    bases, counts, changes = [], [], []
    for known, acts in asked:
        base = situation_features(known)
        bases.append(base)
        counts.append(len(acts))
        changes += [act_features(known, base, act) for act in acts]
    flat = np.fromiter(chain.from_iterable(chain.from_iterable(changes)), np.float32).reshape(-1, 2)
    x = np.repeat(np.array(bases, np.float32), counts, axis=0)
    x[np.repeat(np.arange(len(changes)), [len(each) for each in changes]), flat[:, 0].astype(int)] = flat[:, 1]
    return x, [0, *accumulate(counts)][:-1]
