"""An option that a challenge does not tell is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from cogs.games.haymaker import HaymakerPresenter
from cogs.screens.presenter import Reader
from engines.options import NONE, Choosable, Limit, choice, limit, number, switch
from laws.rules_pages import every_value_is_told


@dataclass(frozen=True, slots=True)
class Burning(Choosable):
    """A planted option: how many cards are burned."""

    burned: int = number(4, 0, 8)


@dataclass(frozen=True, slots=True)
class Kinds(Choosable):
    """An option of each kind, one of them with many values."""

    rounds: Limit = limit(100, 10, 5000)
    pace: str = choice("classic", "swift")
    open_hands: bool = switch()


class Telling(HaymakerPresenter):
    """Tells each option and its value, but for those that are `silent`."""

    def __init__(self, *silent: tuple[str, Any]) -> None:
        self._silent = silent

    def terms(self, options: Any, reader: Reader) -> tuple[str, ...]:  # noqa: ARG002  its lines are in no language
        values = [(name, getattr(options, name)) for name in type(options).__dataclass_fields__]
        return tuple(f"{name} {value}" for name, value in values if (name, value) not in self._silent)


def test_an_option_that_no_line_tells_is_found() -> None:
    every_value_is_told(Burning, Telling())
    with pytest.raises(AssertionError, match=r"the same for burned=0 as for 4: tell the option in `terms` of Haymaker"):
        every_value_is_told(Burning, HaymakerPresenter())


@pytest.mark.parametrize(
    "silent",
    [
        (("rounds", 10), ("rounds", 100)),
        (("rounds", 5000), ("rounds", 100)),
        (("rounds", NONE), ("rounds", 100)),
        (("pace", "classic"), ("pace", "swift")),
        (("open_hands", False), ("open_hands", True)),
    ],
    ids=lambda silent: f"{silent[0][0]} {silent[0][1]}",
)
def test_options_of_every_kind_are_looked_at(silent: tuple[tuple[str, Any], ...]) -> None:
    every_value_is_told(Kinds, Telling())
    with pytest.raises(AssertionError, match=rf"the same for {silent[0][0]}="):
        every_value_is_told(Kinds, Telling(*silent))
