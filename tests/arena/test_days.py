"""The score of the deal of the day, on few days: `python -m tests.arena.days` plays enough to tell the figure."""

from __future__ import annotations

from statistics import correlation

import pytest

from engines.players.slips import Slipping
from tests.arena.days import LEAST, MOST, people, scores


def test_people_err_more_and_more() -> None:
    everybody = people("ciq", 5)
    temperatures = [policy.temperature for _, policy in everybody if isinstance(policy, Slipping)]
    assert temperatures == sorted(temperatures)
    assert temperatures[0] == LEAST
    assert temperatures[-1] == pytest.approx(MOST)


@pytest.mark.slow  # each day's deal is chosen as the bot chooses it
def test_who_errs_less_has_the_better_mean_score() -> None:
    errs, means, won = scores("champions", 12, number=6)
    assert correlation(errs, means) < -0.5
    assert correlation(errs, won) < -0.5
    assert all(-0.65 <= mean <= 0.65 for mean in means)
