"""A challenge tells every option of its match that is not the default, so nobody accepts what they did not read."""

from __future__ import annotations

import random
from typing import Any

from bot.ui.catalogue import translations
from cogs.screens.presenter import Presenter, Reader
from engines.options import Number, Takes, settled, takes

ALL = 100
"""Of an option with more numbers than this, a sample of as many is tried."""


def every_value_is_told(options: type[Any], presenter: Presenter) -> None:
    """For each option, `terms` of each value differ from those of each other value, the default among them."""
    reader = Reader(translations("en"), ())
    for name, taken in takes(options).items():
        told = {presenter.terms(settled(options()), reader): settled(options())}
        for value in _tried(name, taken):
            chosen = settled(options(**{name: value}))
            other = told.setdefault(presenter.terms(chosen, reader), chosen)
            assert other == chosen, (
                f"a challenge says the same for {name}={value!r} as for {getattr(other, name)!r}: tell the option in "
                f"`terms` of {type(presenter).__name__}"
            )


def _tried(name: str, taken: Takes) -> tuple[Any, ...]:
    """All values of an option where they are few, else both ends, those that are listed, and a sample of the others."""
    if not isinstance(taken, Number) or len(taken.numbers) <= ALL:
        return taken.values
    sample = random.Random(name).sample(taken.numbers, ALL)
    return tuple(dict.fromkeys((taken.least, taken.most, *taken.listed, *sample, *taken.values[-1:])))
