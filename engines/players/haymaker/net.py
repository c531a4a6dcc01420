"""A small net that judges Haymaker's acts, in plain Python: under a millisecond for all acts of a question.

It learned by playing against itself (`tests/arena`). The file of its weights has 32-bit floats in little
endian: for each feature the row of the hidden layer, then that layer's biases, the weights of the output, and its bias.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp
from operator import add
from struct import iter_unpack
from typing import Final, TypeAlias

from engines.players.haymaker.features import FEATURES, act_features, situation_features
from engines.players.haymaker.memory import Known

HIDDEN: Final = 64
WEIGHTS: Final = "cc3574810eb0be97"
"""The beginning of the SHA-256 of the weights, which names their file. `make train` makes it."""
Row: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Net:
    """The weights: a row of `HIDDEN` numbers for each feature, and so on."""

    rows: tuple[Row, ...]
    biases: Row
    output: Row
    output_bias: float

    @classmethod
    def read(cls, written: bytes) -> Net:
        """The net of a file. Raises ValueError for a file of another length."""
        numbers = [number for (number,) in iter_unpack("<f", written)]
        if len(numbers) != (FEATURES + 2) * HIDDEN + 1:
            raise ValueError("these are not the weights of this net")
        rows = [tuple(numbers[at : at + HIDDEN]) for at in range(0, (FEATURES + 2) * HIDDEN, HIDDEN)]
        return cls(tuple(rows[:FEATURES]), rows[FEATURES], rows[FEATURES + 1], numbers[-1])

    def values(self, known: Known, acts: Sequence[int]) -> list[float]:
        """For each act a number that is higher for a better one; `share_of` makes it a share of the win."""
        before = situation_features(known)
        hidden = list(self.biases)
        for value, row in zip(before, self.rows, strict=True):
            if value == 1:
                hidden = list(map(add, hidden, row))
            elif value:
                hidden = [each + value * weight for each, weight in zip(hidden, row, strict=True)]
        return [self._value(hidden, before, act_features(known, before, act)) for act in acts]

    def _value(self, hidden: list[float], before: list[float], changes: list[tuple[int, float]]) -> float:
        for feature, value in changes:
            by = value - before[feature]
            if by:
                hidden = [each + by * weight for each, weight in zip(hidden, self.rows[feature], strict=True)]
        total = self.output_bias
        for each, weight in zip(hidden, self.output, strict=True):
            if each > 0:
                total += each * weight
        return total


@cache
def shipped() -> Net:
    """The net that *hard* plays with. Raises ValueError if the file isn't the one that its name says."""
    written = resources.files("engines.players.haymaker").joinpath(f"weights-{WEIGHTS}.bin").read_bytes()
    if not hashlib.sha256(written).hexdigest().startswith(WEIGHTS):
        raise ValueError("the weights have changed, and their name has not")
    return Net.read(written)


def share_of(value: float) -> float:
    """The estimated share of the win, from 0 to 1."""
    return 1 / (1 + exp(-value))
