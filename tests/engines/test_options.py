"""Options check their values; no limit is a value of its own, and a default that depends on another is settled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from engines.haymaker import Options as NoOptions
from engines.options import NONE, Choosable, Limit, Number, OptionRefused, choice, limit, number, settled, takes


@dataclass(frozen=True, slots=True)
class Options(Choosable):
    """Some options."""

    rounds: Limit = limit(100, 10, 500, listed=(10, 50, 100))
    seconds: int = number(60, 10, 600, step=10)
    pace: str = choice("calm", "brisk")
    packs: int | None = number(None, 1, 6)


def test_no_limit_is_a_value_of_its_own() -> None:
    assert Options(rounds=NONE).rounds == "none"
    assert Options(rounds=NONE) != Options()
    assert Options(packs=None).packs is None, "that is: as the rules say"


@pytest.mark.parametrize("value", [9, 501, True, 10.0, "", "None", "off", "100", ()])
def test_what_is_neither_a_number_in_range_nor_no_limit_is_refused(value: Any) -> None:
    with pytest.raises(OptionRefused) as refused:
        Options(rounds=value)
    assert refused.value.key == "option.number_or_none"
    assert refused.value.values == {"option": "rounds", "least": 10, "most": 500}


@pytest.mark.parametrize("value", [NONE, 9, "60"])
def test_an_option_without_none_takes_none_for_no_number(value: Any) -> None:
    with pytest.raises(OptionRefused) as refused:
        Options(seconds=value)
    assert refused.value.key == "option.number"


def test_the_numbers_of_an_option_are_its_steps() -> None:
    seconds = takes(Options)["seconds"]
    assert isinstance(seconds, Number)
    assert list(seconds.numbers) == list(range(10, 601, 10))
    with pytest.raises(OptionRefused) as refused:
        Options(seconds=15)
    assert refused.value.key == "option.step"


def test_options_are_settled_as_they_are_unless_one_depends_on_another() -> None:
    assert settled(Options(rounds=NONE, pace="brisk")) == Options(rounds=NONE, pace="brisk")
    assert settled(NoOptions()) == NoOptions()
