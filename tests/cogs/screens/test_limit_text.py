"""Options that are a number or no limit: what is listed, offered and read."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.play.refusals import Refused
from bot.ui.catalogue import translations
from cogs.screens.limit_text import MOST_LISTED, listed_values, offered_limits, read_limit, value_label
from engines import GAMES
from engines.options import NONE, Number, takes

say = translations("en")

LIMITS = [
    (key, name, taken)
    for key, game in GAMES.items()
    for name, taken in takes(game.info.options).items()
    if isinstance(taken, Number) and taken.or_none
]


def option(game: str, name: str) -> Number:
    """An option of a game that takes a number."""
    taken = takes(GAMES[game].info.options)[name]
    assert isinstance(taken, Number)
    return taken


@pytest.mark.parametrize(("game", "name", "taken"), LIMITS)
def test_no_limit_and_the_usual_numbers_are_listed(game: str, name: str, taken: Number) -> None:
    values = listed_values(taken)
    assert values[0] == NONE
    assert len(set(values)) == len(values) <= MOST_LISTED
    chosen = {getattr(preset, name) for preset in GAMES[game].info.presets.values()} - {None}
    assert chosen <= set(values)


def test_numbers_that_do_not_fit_are_evenly_spaced_where_none_are_named() -> None:
    assert listed_values(Number(1, 10)) == tuple(range(1, 11))
    spread = listed_values(Number(10, 600))
    assert (spread[0], len(spread)) == (10, MOST_LISTED)
    assert len({after - before for before, after in pairwise(spread)}) == 1


@pytest.mark.parametrize(
    ("text", "value"), [("none", NONE), (" None ", NONE), ("no limit", NONE), ("No Limit", NONE), (" 42", 42), ("9", 9)]
)
def test_what_is_typed_is_read(text: str, value: object) -> None:
    assert read_limit("ciq", "round_limit", option("ciq", "round_limit"), text, say) == value


def test_off_is_the_word_where_players_read_it() -> None:
    stall = option("tivmiv", "stall_seconds")
    assert value_label("tivmiv", "stall_seconds", NONE, say) == "off"
    assert read_limit("tivmiv", "stall_seconds", stall, "Off", say) == NONE


@pytest.mark.parametrize("text", ["", "-5", "1.5", "many", "1" * 10, "²"])
def test_what_is_neither_is_refused_in_words(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_limit("ciq", "round_limit", option("ciq", "round_limit"), text, say)
    assert say(refused.value.key, **refused.value.values).startswith("The option round_limit takes")


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("", ["none", "10", "20", "30", "40", "50", "75", "100", "150", "200", "300", "400", "500"]),
        ("lim", ["none"]),
        ("33", ["33"]),
        ("30", ["30", "300"]),
        ("9", []),
        ("x", []),
    ],
)
def test_completions_begin_with_what_is_typed_if_it_is_taken(text: str, offered: list[str]) -> None:
    found = offered_limits("ciq", "round_limit", option("ciq", "round_limit"), text, say)
    assert [value for _, value in found] == offered
    assert all(label in (value, "no limit") for label, value in found)
