"""A weather on a command line."""

from __future__ import annotations

import pytest

from tests.simulation import dials
from tests.simulation.weather import draw
from tests.simulation.weather_fields import CALM


@pytest.mark.parametrize("seed", range(50))
def test_a_weather_is_read_as_it_was_written(seed: int) -> None:
    weather = draw(seed)
    assert dials.read(dials.as_text(weather)) == weather


def test_calm_weather_has_a_word() -> None:
    assert dials.read(dials.as_text(CALM)) == CALM


@pytest.mark.parametrize("text", ["rain=1", "latency", "latency=long", "rate_limits=yes", "tables=1.5", ""])
def test_what_is_no_weather_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(dials.NoSuchDial) as refused:
        dials.read(text)
    assert "\n" not in str(refused.value)


def test_dials_can_be_put_back() -> None:
    weather = dials.read("latency=0.5,kills=2,clocks=daily")
    assert dials.as_text(dials.without(weather, {"kills"})) == "latency=0.5,clocks=daily"
