"""The arena's matches and intervals."""

from __future__ import annotations

import math

import pytest

from engines.ciq import CIQ
from engines.haymaker import Haymaker
from tests.arena.matches import Setting, at_random, compare, computer, result_of
from tests.arena.opponents import Cheater

HAYMAKER = Setting(Haymaker(), Haymaker.info.presets["default"], 2)


def test_a_result_has_the_mean_and_its_95_per_cent_interval() -> None:
    result = result_of([(1.0, 0.0), (1.0, 1.0), (0.5, 0.5), (0.0, 0.0)])
    assert (result.share, result.matches) == (0.5, 8)
    assert result.interval == pytest.approx(1.96 * math.sqrt(1 / 6) / 2)
    assert str(result) == "0.500 ±0.400 (8)"


def test_a_contender_against_itself_wins_half_of_every_deal() -> None:
    result = compare(HAYMAKER, computer("normal"), computer("normal"), 4)
    assert (result.share, result.interval, result.matches) == (0.5, 0.0, 8)


def test_each_deal_is_played_from_every_seat() -> None:
    quick = Setting(CIQ(), CIQ.info.presets["quick"], 3)
    result = compare(quick, computer("normal"), at_random, 2)
    assert result.matches == 6
    assert result.share > 1 / 3


def test_the_same_seed_plays_the_same_matches() -> None:
    results = [compare(HAYMAKER, computer("easy"), computer("normal"), 5, seed=seed) for seed in (0, 0, 1, 2, 3)]
    assert results[0] == results[1]
    assert len(set(results)) > 1, "other seeds, other cards"


def test_a_cheater_wins_nearly_every_match() -> None:
    quick = Setting(CIQ(), CIQ.info.presets["quick"], 2)
    assert compare(quick, Cheater("skilled", samples=1, acts=4), computer("skilled"), 2).share > 0.7
