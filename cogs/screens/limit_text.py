"""The values of options as players pick them, and of those that are a number or no limit as they read and type them."""

from __future__ import annotations

from typing import Any, Final

from bot.play.refusals import Refused
from bot.ui.catalogue import Translations
from engines.options import NONE, Choice, Limit, Number, Switch, Takes

MOST_LISTED: Final = 24
"""How many values of an option a list can have, beside the line for its default."""
_LONGEST: Final = 9
"""Digits of the largest number that is read."""


def offered_values(taken: Takes) -> tuple[Any, ...]:
    """The values of an option of any kind that a list offers."""
    match taken:
        case Switch():
            return (True, False)
        case Choice(choices):
            return choices
        case Number():
            return listed_values(taken)


def listed_values(taken: Number) -> tuple[Any, ...]:
    """The values of an option to choose from: all if they fit, else those that it names, else evenly spaced ones."""
    none = (NONE,) if taken.or_none else ()
    room = MOST_LISTED - len(none)
    numbers = taken.numbers
    if len(numbers) <= room:
        return (*none, *numbers)
    return (*none, *(taken.listed[:room] or numbers[:: -(-len(numbers) // room)]))


def value_label(game: str, option: str, value: Limit, words: Translations) -> str:
    """A value of an option of a game: the number, or the game's words for no limit."""
    return words(f"{game}.{option}.{NONE}") if value == NONE else str(value)


def read_limit(game: str, option: str, taken: Number, text: str, words: Translations) -> Limit:
    """The value that somebody typed or picked; whether the option accepts it is for the option to say.

    Raises Refused for a text that is neither a number nor no limit.
    """
    typed = text.strip().casefold()
    if typed in {NONE, value_label(game, option, NONE, words).casefold()}:
        return NONE
    if not typed.isdecimal() or len(typed) > _LONGEST:
        raise Refused("option.number_or_none", option=option, least=taken.least, most=taken.most)
    return int(typed)


def offered_limits(game: str, option: str, taken: Number, text: str, words: Translations) -> list[tuple[str, str]]:
    """The values to offer for what is typed so far, as (label, value): the number itself, then listed ones."""
    typed = text.strip().casefold()
    values = list(listed_values(taken))
    if typed.isdecimal() and len(typed) <= _LONGEST and int(typed) in taken.numbers:
        values.insert(0, int(typed))
    labelled = {value_label(game, option, value, words): str(value) for value in values}
    return [(label, value) for label, value in labelled.items() if typed in label.casefold() or typed in value]
