"""The arena's intervals."""

from __future__ import annotations

import math

import pytest

from tests.arena.matches import result_of


def test_a_result_has_the_mean_and_its_95_per_cent_interval() -> None:
    result = result_of([(1.0, 0.0), (1.0, 1.0), (0.5, 0.5), (0.0, 0.0)])
    assert (result.share, result.matches) == (0.5, 8)
    assert result.interval == pytest.approx(1.96 * math.sqrt(1 / 6) / 2)
    assert str(result) == "0.500 ±0.400 (8)"
