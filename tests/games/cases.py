"""The case of each of our games, from `tests/games/test_<key>.py`, for the tests of all games together."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from cogs.screens.presenter import Pictured, Racing, Taught
from engines import GAMES
from engines.options import Number, Takes, takes
from laws.case import CaseError, GameCase, load_case
from laws.play import Deal


@cache
def case_of(key: str) -> GameCase:
    """What the laws are told of a game. Raises CaseError, which says what to write, where there is nothing."""
    try:
        case = load_case(f"tests.games.test_{key}")
    except CaseError as error:
        raise CaseError(
            f"the laws are told nothing of {key}: write tests/games/test_{key}.py with its `CASE = GameCase(...)` and "
            f"a class under GameLaws, as laws/suite.py shows ({error})"
        ) from None
    if case.key != key:
        raise CaseError(f"the case in tests/games/test_{key}.py is of the game {case.key}, not of {key}.")
    return case


def is_race(key: str) -> bool:
    """Whether everybody acts at once in a game, so that players who take turns never come to its end."""
    return isinstance(case_of(key).presenter, Racing)


def with_lesson() -> list[str]:
    """The games that have a first lesson."""
    return [key for key in GAMES if isinstance(case_of(key).presenter, Taught)]


def with_pictures() -> list[str]:
    """The games whose table is shown as a picture to those who like."""
    return [key for key in GAMES if isinstance(case_of(key).presenter, Pictured)]


def typed(case: GameCase, setting: str) -> dict[str, object]:
    """A setting as somebody types it behind the game's command: a preset by its name, else the options."""
    info = case.game.info
    if setting in info.presets:
        return {"preset": setting} if len(info.presets) > 1 else {}
    chosen, usual = case.settings[setting], info.options()
    return {
        name: as_typed(taken, getattr(chosen, name))
        for name, taken in takes(info.options).items()
        if getattr(chosen, name) != getattr(usual, name)
    }


def as_typed(taken: Takes, value: Any) -> Any:
    """A value of an option as a command takes it: a number or none is a text."""
    return str(value) if isinstance(taken, Number) and taken.or_none else value


def setups() -> Iterator[tuple[str, str, int]]:
    """Every game with each of its settings and numbers of seats: plain values to name a test by."""
    for key in GAMES:
        yield from ((key, setting, seats) for setting, seats in case_of(key).setups)


def deal_of(key: str, setting: str, seats: int, rng: random.Random) -> Deal:
    """A match to be played with one of `setups()`."""
    return case_of(key).deal(setting, seats, rng)
