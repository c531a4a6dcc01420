"""Every button of a hand keeps its place while a question is open, so a second press never makes another act.

At questions met in random matches: the hand as it opens, as cards are picked one by one, and cleared.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Screen
from cogs.screens import custom_ids
from cogs.screens.hand import hand_screen
from cogs.screens.presenter import Reader
from engines.game import Pick
from laws.bodies import match_of
from laws.case import GameCase
from laws.play import random_match, with_item

MOMENTS = 10
"""How many moments of a match are looked at."""
CLEAR = translations("en")("hand.clear")

Place: TypeAlias = tuple[int, int]
"""Row and column of a button, each counted from 0."""
Does: TypeAlias = tuple[str, str]
"""What a button does, whatever is picked: its verb, and which act, offer or card it is for."""

_MARK = re.compile(r"✓\d* ")


def questions(case: GameCase, setting: str, seats: int) -> Iterator[tuple[LiveMatch, int]]:
    """A random match at several of its moments, with each seat that is offered something then."""
    rng = random.Random(f"{case.key} {setting} {seats}")
    deal = case.deal(setting, seats, rng)
    log = random_match(deal, rng)
    for moves in sorted(rng.sample(range(len(log.moves)), min(MOMENTS, len(log.moves)))):
        match = match_of(deal, log.events(moves), moves)
        yield from ((match, seat) for seat in range(seats) if match.choices(seat).offers)


def grown(case: GameCase, match: LiveMatch, seat: int, pick: Pick[Any]) -> list[Screen]:
    """The hand as a selection grows: from nothing (as after *Clear*) item by item until nothing can be added."""
    picked: tuple[int, ...] = ()
    screens = [shown(case, match, seat, custom_ids.write_selection(pick.verb, picked, ordered=pick.ordered))]
    while free := [place for place, refusal in enumerate(pick.step(picked).addable) if refusal is None]:
        picked = with_item(pick, picked, free[len(picked) % len(free)])
        screens.append(shown(case, match, seat, custom_ids.write_selection(pick.verb, picked, ordered=pick.ordered)))
    return screens


def shown(case: GameCase, match: LiveMatch, seat: int, selection: str = "") -> Screen:
    """A seat's hand, with a selection."""
    reader = Reader(translations("en"), tuple(f"Player {each}" for each in range(len(match.seats))), seat)
    return hand_screen(match, seat, case.presenter, reader, selection=selection)


def placed(screen: Screen) -> dict[Place, Button]:
    """The buttons of a screen by their places."""
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
    """What a seat is offered to pick from."""
    return [offer for offer in match.choices(seat) if isinstance(offer, Pick)]


def nothing_moves_while_picking(case: GameCase, match: LiveMatch, seat: int) -> None:
    """No button and no line moves while cards are picked and cleared."""
    for pick in picks(match, seat):
        screens = grown(case, match, seat, pick)
        assert all(len(acts) == 1 for acts in all_at_places(screens).values())
        assert len({len(screen.sections) for screen in screens}) == 1
        clears = [[button for button in placed(each).values() if button.label == CLEAR] for each in screens]
        assert [[button.enabled for button in there] for there in clears] == [[False]] + [[True]] * len(clears[1:])


def acts_keep_their_places(case: GameCase, match: LiveMatch, seat: int) -> None:
    """No other button is ever in the place of an act that is made at once."""
    screens = [shown(case, match, seat)]
    for pick in picks(match, seat):
        screens += grown(case, match, seat, pick)
    places = all_at_places(screens)
    rows = {row for (row, _), acts in places.items() if any(verb == "a" for verb, _ in acts)}
    for (row, _), acts in places.items():
        if row in rows:
            assert len(acts) == 1
            assert {verb for verb, _ in acts} == {"a"}, "a row of such acts alone"
