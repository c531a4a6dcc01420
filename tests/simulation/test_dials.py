"""A weather on a command line."""

from __future__ import annotations

import pytest

from tests.simulation import dials
from tests.simulation.weather import draw


@pytest.mark.parametrize("seed", range(50))
def test_a_weather_is_read_as_it_was_written(seed: int) -> None:
    weather = draw(seed)
    assert dials.read(dials.as_text(weather)) == weather


@pytest.mark.parametrize("text", ["rain=1", "latency", "latency=long", "rate_limits=yes", "tables=1.5", ""])
def test_what_is_no_weather_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(dials.NoSuchDial) as refused:
        dials.read(text)
    assert "\n" not in str(refused.value)
