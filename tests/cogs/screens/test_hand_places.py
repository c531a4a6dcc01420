"""Every button of a hand keeps its place while a question is open, so a second press never makes another act.

Of every game, at questions met in random matches: the hand as it opens, as cards are picked one by one, and cleared.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Screen
from cogs.screens import custom_ids
from cogs.screens.hand import hand_screen
from cogs.screens.presenter import Racing, Reader
from engines.game import Pick
from laws.bodies import match_of
from laws.play import deal_of, random_match, tables, with_item
from tests.secrecy.test_bodies import PRESENTERS

MOMENTS = 10
"""How many moments of a match are looked at."""
CLEAR = translations("en")("hand.clear")
PICKING = [table for table in tables() if not isinstance(PRESENTERS[table[0]], Racing)]
"""A race has nothing to pick; its buttons are looked at in `test_tivmiv_presenter`."""

Place: TypeAlias = tuple[int, int]
"""Row and column of a button, each counted from 0."""
Does: TypeAlias = tuple[str, str]
"""What a button does, whatever is picked: its verb, and which act, offer or card it is for."""

_MARK = re.compile(r"✓\d* ")


def questions(key: str, setting: str, seats: int) -> Iterator[tuple[LiveMatch, int]]:
    """A random match at several of its moments, with each seat that is offered something then."""
    rng = random.Random(f"{key} {setting} {seats}")
    deal = deal_of(key, setting, seats, rng)
    log = random_match(deal, rng)
    for moves in sorted(rng.sample(range(len(log.moves)), min(MOMENTS, len(log.moves)))):
        match = match_of(deal, log.events(moves), moves)
        yield from ((match, seat) for seat in range(seats) if match.choices(seat).offers)


def grown(match: LiveMatch, seat: int, pick: Pick[Any]) -> list[Screen]:
    """The hand as a selection grows: from nothing (as after *Clear*) item by item until nothing can be added."""
    picked: tuple[int, ...] = ()
    screens = [shown(match, seat, custom_ids.write_selection(pick.verb, picked, ordered=pick.ordered))]
    while free := [place for place, refusal in enumerate(pick.step(picked).addable) if refusal is None]:
        picked = with_item(pick, picked, free[len(picked) % len(free)])
        screens.append(shown(match, seat, custom_ids.write_selection(pick.verb, picked, ordered=pick.ordered)))
    return screens


def shown(match: LiveMatch, seat: int, selection: str = "") -> Screen:
    reader = Reader(translations("en"), ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")[: len(match.seats)], seat)
    return hand_screen(match, seat, PRESENTERS[match.game.info.key], reader, selection=selection)


def placed(screen: Screen) -> dict[Place, Button]:
    return {
        (row, column): control
        for row, controls in enumerate(screen.rows)
        for column, control in enumerate(controls)
        if isinstance(control, Button)
    }


def all_at_places(screens: Sequence[Screen]) -> dict[Place, set[Does]]:
    """All that is at each place in one of the screens, disabled buttons included."""
    places: dict[Place, set[Does]] = defaultdict(set)
    for screen in screens:
        for place, button in placed(screen).items():
            verb = button.press.verb
            places[place].add((verb, button.press.arg if verb == "a" else _MARK.sub("", button.label)))
    return places


def picks(match: LiveMatch, seat: int) -> list[Pick[Any]]:
    return [offer for offer in match.choices(seat) if isinstance(offer, Pick)]


def test_the_random_matches_ask_for_picks_and_for_acts_beside_them() -> None:
    met = {
        (key, len(match.choices(seat).offers) > len(picks(match, seat)))
        for key, setting, seats in PICKING
        for match, seat in questions(key, setting, seats)
        if picks(match, seat)
    }
    assert met >= {(key, False) for key, _, _ in PICKING if key != "ciq"}
    assert met >= {("haymaker", True), ("ciq", True)}


@pytest.mark.parametrize(("key", "setting", "seats"), PICKING)
def test_no_button_and_no_line_moves_while_cards_are_picked_and_cleared(key: str, setting: str, seats: int) -> None:
    for match, seat in questions(key, setting, seats):
        for pick in picks(match, seat):
            screens = grown(match, seat, pick)
            assert all(len(acts) == 1 for acts in all_at_places(screens).values())
            assert len({len(screen.sections) for screen in screens}) == 1
            clears = [[button for button in placed(each).values() if button.label == CLEAR] for each in screens]
            assert [[button.enabled for button in there] for there in clears] == [[False]] + [[True]] * len(clears[1:])


@pytest.mark.parametrize(("key", "setting", "seats"), PICKING)
def test_no_other_button_is_ever_in_the_place_of_an_act_that_is_made_at_once(
    key: str, setting: str, seats: int
) -> None:
    for match, seat in questions(key, setting, seats):
        screens = [shown(match, seat)]
        for pick in picks(match, seat):
            screens += grown(match, seat, pick)
        places = all_at_places(screens)
        rows = {row for (row, _), acts in places.items() if any(verb == "a" for verb, _ in acts)}
        for (row, _), acts in places.items():
            if row in rows:
                assert len(acts) == 1
                assert {verb for verb, _ in acts} == {"a"}, "a row of such acts alone"
