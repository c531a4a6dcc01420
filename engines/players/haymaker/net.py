"""A small net that judges Haymaker's acts, in plain Python: a fraction of a millisecond for all acts of a question.

It learned by playing against itself and its past (`tests/arena/train.py`). The file of its weights has 32-bit floats in
little endian: for each feature the row of the hidden layer, then that layer's biases, the weights of the output, and
its bias.

All units of the hidden layer are kept in one large number, `LANE` bits each, so that to add a row is one addition and
not 96. A unit is a fixed-point number. Rectified units may be scaled, so each is multiplied by the size of its weight
in the output, and what is left of the output is a sum: the units with positive weights less those with negative ones.
Whole numbers are exact: acts with equal features have equal values, in whatever order these are added.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate
from math import exp
from struct import iter_unpack
from typing import Final

from engines.players.haymaker.features import FEATURES, act_features, situation_features
from engines.players.haymaker.memory import Known

HIDDEN: Final = 96
WEIGHTS: Final = "129968d73f44f4df"
"""The beginning of the SHA-256 of the weights, which names their file. `make train` makes it."""
TEMPERATURE: Final = 0.03
"""How acts of nearly equal values are mixed (`mixed`). Around an even chance, 0.03 is 0.75 % of the win."""
FARTHEST: Final = 3.0

LANE: Final = 52
"""The bits of a unit: its sign, 15 before the point and 36 behind it. Such numbers are exact as floats, too, so that
the program that trains and measures (`tests/arena/twin`) comes to the same ones."""
WEIGHT_BITS: Final = 20
"""Weights are multiples of 2^-20."""
VALUE_BITS: Final = 16
"""Values of features are multiples of 2^-16."""
ONE: Final = 1 << VALUE_BITS
LARGEST: Final = 1 << (LANE - 2 - WEIGHT_BITS - VALUE_BITS)
"""All units together stay below this, so that neither a unit nor their sum leaves its lane."""

SIGNS: Final = sum([1 << (LANE * (unit + 1) - 1) for unit in range(HIDDEN)])
"""The highest bit of every lane."""
FOLDS: Final = tuple([(LANE * lanes, (1 << LANE * lanes) - 1) for lanes in (64, 32, 16, 8, 4, 2, 1)])
"""To add up the lanes: again and again the upper half is added to the lower one."""


@dataclass(frozen=True, slots=True)
class Net:
    """The weights: a row for each feature and the biases, as units side by side in one number. The units in the
    lowest `split` bits count for the output, the others against it."""

    rows: tuple[int, ...]
    biases: int
    split: int
    output_bias: float

    @classmethod
    def read(cls, written: bytes) -> Net:
        """The net of a file. Raises ValueError for a file of another length, or with weights that are too large."""
        numbers = [number for (number,) in iter_unpack("<f", written)]
        if len(numbers) != (FEATURES + 2) * HIDDEN + 1:
            raise ValueError("these are not the weights of this net")
        *rows, output = [tuple(numbers[at : at + HIDDEN]) for at in range(0, (FEATURES + 2) * HIDDEN, HIDDEN)]
        sizes = [sum([abs(weight) for weight in column]) for column in zip(*rows, strict=True)]
        if sum([2 * size * abs(scale) for size, scale in zip(sizes, output, strict=True)]) >= LARGEST:
            raise ValueError("these weights are too large")
        order = sorted(range(HIDDEN), key=lambda unit: output[unit] < 0)
        *packed, biases = [_packed([row[unit] * abs(output[unit]) for unit in order]) for row in rows]
        return cls(tuple(packed), biases * ONE, LANE * sum([each >= 0 for each in output]), numbers[-1])

    def values(self, known: Known, acts: Sequence[int]) -> list[float]:
        """For each act a number that is higher for a better one; `share_of` makes it a share of the win."""
        rows, biases = self.rows, self.biases
        before = situation_features(known)
        hidden = biases + sum([int(value * ONE) * row for value, row in zip(before, rows, strict=True) if value])
        found = []
        for act in acts:
            after = hidden
            for feature, value in act_features(known, before, act):
                by = value - before[feature]
                if by:
                    after += int(by * ONE) * rows[feature]
            found.append(self._output(after))
        return found

    def _output(self, hidden: int) -> float:
        """The output for the units of the hidden layer."""
        shifted = hidden + SIGNS  # no lane is negative now, and its highest bit is 1 unless its unit was
        active = shifted & SIGNS
        units = shifted & (active - (active >> (LANE - 1)))
        split = self.split
        total, against = units & ((1 << split) - 1), units >> split
        for width, lower in FOLDS:
            total = (total & lower) + (total >> width)
            against = (against & lower) + (against >> width)
        return self.output_bias + (total - against) / (1 << WEIGHT_BITS + VALUE_BITS)


def _packed(units: Iterable[float]) -> int:
    """Weights side by side, the first one in the lowest lane."""
    return sum([round(weight * (1 << WEIGHT_BITS)) << (LANE * index) for index, weight in enumerate(units)])


@cache
def shipped() -> Net:
    """The net that *hard* plays with. Raises ValueError if the file isn't the one that its name says."""
    written = resources.files("engines.players.haymaker").joinpath(f"weights-{WEIGHTS}.bin").read_bytes()
    if not hashlib.sha256(written).hexdigest().startswith(WEIGHTS):
        raise ValueError("the weights have changed, and their name has not")
    return Net.read(written)


def mixed(values: Sequence[float], luck: float) -> int:
    """The index of the best of these values, or of one that is nearly as good, so that nobody can count on an act: one
    that is `TEMPERATURE` lower is chosen e times more rarely, and none that is lower by three times as much.

    `luck` is from 0 to below 1.
    """
    best = max(values)
    weights = [exp(-below) if (below := (best - value) / TEMPERATURE) < FARTHEST else 0.0 for value in values]
    *_, total = accumulate(weights)
    rest = luck * total
    for index, weight in enumerate(weights):
        rest -= weight
        if weight and rest < 0:
            return index
    return values.index(best)


def share_of(value: float) -> float:
    """The estimated share of the win, from 0 to 1."""
    return 1 / (1 + exp(-value))
