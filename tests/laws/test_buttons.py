"""The laws of the buttons' places meet what they are about, and find what breaks them: each breach is planted here."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.screen import Button, Press, Screen, Section, Text
from cogs.games.haymaker import HaymakerPresenter
from cogs.games.tivmiv import TivMivPresenter
from cogs.games.unbreakable import UnbreakablePresenter
from cogs.screens.card_text import Face
from cogs.screens.hands import hand
from cogs.screens.presenter import Reader
from laws.bodies import styled
from laws.case import GameCase
from laws.hands import buttons
from laws.play import MatchLog
from tests.games.cases import case_of

CLEAR = buttons.words("hand.clear")
Change: TypeAlias = Callable[[Screen, str, str], Screen]
"""What a planted fault makes of a hand, by what is picked and the note."""


def asked(case: GameCase) -> tuple[LiveMatch, int]:
    """A question of the case's game with something to pick."""
    return next((match, seat) for match, seat in buttons.questions(case, "default", 2) if buttons.picks(match, seat))


def acts_beside_picks(key: str) -> Iterator[bool]:
    """Of each question with something to pick in a game's random matches: whether there are acts beside the picks."""
    for setup in case_of(key).setups:
        for match, seat in buttons.questions(case_of(key), *setup):
            if found := buttons.picks(match, seat):
                yield len(match.choices(seat).offers) > len(found)


def test_the_random_matches_ask_for_picks_and_for_acts_beside_them() -> None:
    for key in ("champions", "ciq", "haymaker", "unbreakable"):
        assert next(acts_beside_picks(key), None) is not None, key
    for key in ("ciq", "haymaker"):
        assert any(acts_beside_picks(key)), key


def test_the_random_matches_have_acts_that_open_the_next_question_of_their_seat() -> None:
    for key in ("champions", "ciq"):
        case = case_of(key)
        assert any(
            following.awaited and log.moves[moves].actor in following.awaited and following.number != before.number
            for setup in case.setups
            for log, moments in [buttons.played(case, *setup)]
            for moves in moments
            for before, following in [windows(log, moves)]
            if before is not None and following is not None
        )


def windows(log: MatchLog, moves: int) -> tuple[Any, Any]:
    return log.deal.game.window(log.states[moves]), log.deal.game.window(log.states[moves + 1])


# ---------------------------------------------------------------------------------------------- presenters


class FidgetingPresenter(HaymakerPresenter):
    """Names the cards of a hand differently each time."""

    def __init__(self) -> None:
        self._count = itertools.count()

    def item(self, own: Any, verb: str, index: int, reader: Reader) -> Face:
        return Face("", f"{super().item(own, verb, index, reader).label} {next(self._count)}")


class TalkativePresenter(UnbreakablePresenter):
    """Says in its prompt what was chosen, as it once did."""

    def prompt(self, own: Any, reader: Any) -> str:
        return f"{super().prompt(own, reader)}{' So you have chosen.' if own.own.chosen else ''}"


class SortingPresenter(TivMivPresenter):
    """Sorts the faces of a hand and leaves no place for those that are not in it, as it once did."""

    def rows(self, own: Any, verbs: Any) -> tuple[tuple[str, ...], ...]:  # noqa: ARG002  a place is what it lacks
        shown = ["draw", *(verb for verb in sorted(verbs) if verb.startswith("f"))]
        return tuple(tuple(shown[start : start + 5]) for start in range(0, len(shown), 5))


def test_a_button_that_becomes_another_is_found() -> None:
    case = replace(case_of("haymaker"), presenter=FidgetingPresenter())
    match, seat = asked(case)
    buttons.nothing_moves_while_picking(case_of("haymaker"), match, seat)
    with pytest.raises(AssertionError):
        buttons.nothing_moves_while_picking(case, match, seat)


class RepeatingPresenter(HaymakerPresenter):
    """Lists the cards of a hand that are buttons below."""

    def hand_text(self, own: Any, reader: Reader) -> tuple[Section, ...]:
        return (reader.cards.listed("Your cards:", own.own.hand),)


def test_a_hand_that_is_listed_beside_its_buttons_is_found() -> None:
    for case in styled(case_of("haymaker")):
        match, seat = asked(case)
        buttons.cards_that_are_buttons_are_not_listed(case, match, seat)
        with pytest.raises(AssertionError):
            buttons.cards_that_are_buttons_are_not_listed(replace(case, presenter=RepeatingPresenter()), match, seat)


def test_a_prompt_that_grows_with_a_choice_is_found() -> None:
    case = replace(case_of("unbreakable"), presenter=TalkativePresenter())
    log, _ = buttons.played(case, "default", 2)

    def hold(held: GameCase) -> None:
        for moves in range(40):
            buttons.nothing_moves_when_others_answer(held, log, moves)

    hold(case_of("unbreakable"))
    with pytest.raises(AssertionError):
        hold(case)


def test_faces_that_change_places_in_a_race_are_found() -> None:
    case = replace(case_of("tivmiv"), presenter=SortingPresenter())
    log, _ = buttons.played(case, "default", 2)
    buttons.nothing_moves_in_a_phase(case_of("tivmiv"), log, random.Random(1))
    with pytest.raises(AssertionError):
        buttons.nothing_moves_in_a_phase(case, log, random.Random(1))


# ---------------------------------------------------------------------------------------------- hands


def _all(law: Callable[[GameCase, LiveMatch, int], None]) -> Callable[[GameCase], None]:
    """A law at all questions of a random match."""

    def hold(case: GameCase) -> None:
        for match, seat in buttons.questions(case, "default", 2):
            law(case, match, seat)

    return hold


def _rest(case: GameCase) -> None:
    log, _ = buttons.played(case, "default", 2)
    for moves in range(min(80, len(log.moves))):
        buttons.acts_rest_after_the_press_that_led_there(case, log, moves)


def is_picked(screen: Screen) -> bool:
    return any(button.label == CLEAR and button.enabled for button in buttons.placed(screen).values())


def clear_vanishes(screen: Screen, _selection: str, _note: str) -> Screen:
    """*Clear* is there only when something is picked: what was beside it comes under the finger."""
    rows = screen.rows if is_picked(screen) else tuple(row for row in screen.rows if _label(row) != CLEAR)
    return replace(screen, rows=rows)


def mark_widens(screen: Screen, _selection: str, _note: str) -> Screen:
    """A mark is beside picked cards alone."""
    return _each(screen, lambda button: button._replace(label=button.label.removeprefix("○ ")))


def note_on_top(screen: Screen, _selection: str, note: str) -> Screen:
    return replace(screen, sections=(Text(note), *screen.sections)) if note else screen


def note_at_foot(screen: Screen, _selection: str, note: str) -> Screen:
    return replace(screen, sections=(*screen.sections[1:], screen.sections[0])) if note else screen


def hit_beside_clear(screen: Screen, _selection: str, _note: str) -> Screen:
    """An act that is made at once is beside *Clear*."""
    if len(screen.rows) < 2:
        return screen
    hit = Button("Take the hit", Press("a", 1, "hit"))
    return replace(screen, rows=tuple((*row, hit) if _label(row) == CLEAR else row for row in screen.rows))


def cards_behind_one_button(screen: Screen, selection: str, _note: str) -> Screen:
    """What there is to pick for comes first, and the cards take its place, as they once did."""
    openers = [row for row in screen.rows if row[0].press.verb == "o"]
    if not openers:
        return screen
    if selection in ("", "-"):
        return replace(screen, rows=tuple(openers))
    return replace(screen, rows=tuple(row for row in screen.rows if row[0].press.verb not in "oa"))


def never_rests(screen: Screen, _selection: str, _note: str) -> Screen:
    return _each(screen, lambda button: button._replace(enabled=button.enabled or button.press.verb == "a"))


def _each(screen: Screen, change: Callable[[Button], Button]) -> Screen:
    """A screen with each of its buttons changed."""
    rows = (tuple(change(each) if isinstance(each, Button) else each for each in row) for row in screen.rows)
    return replace(screen, rows=tuple(rows))


def _label(row: Any) -> str:
    return row[0].label if row and isinstance(row[0], Button) else ""


PICK, NOTE = _all(buttons.nothing_moves_while_picking), _all(buttons.nothing_moves_for_a_note)
FINGER, OWN_ROWS = _all(buttons.no_other_button_comes_under_the_finger), _all(buttons.acts_keep_their_slots)
FIRST = _all(buttons.a_note_comes_first)
PLANTED: list[tuple[str, Change, Callable[[GameCase], None]]] = [
    ("haymaker", clear_vanishes, PICK),
    ("haymaker", mark_widens, PICK),
    ("haymaker", note_on_top, NOTE),
    ("haymaker", note_at_foot, FIRST),
    ("haymaker", hit_beside_clear, OWN_ROWS),
    ("ciq", cards_behind_one_button, FINGER),
    ("ciq", never_rests, _rest),
]


@pytest.fixture(params=PLANTED, ids=[f"{game} {change.__name__}" for game, change, _ in PLANTED])
def planted(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> tuple[GameCase, Callable[[GameCase], None], Callable[[], None]]:
    """A case, a law, and what plants a fault into all hands that the laws look at."""
    key, plant_into, law = request.param
    shown = hand.hand_screen

    def changed(*args: Any, selection: str = "", note: str = "", resting: bool = False) -> Screen:
        made = shown(*args, selection=selection, note=note, resting=resting)
        broken: Screen = plant_into(made, selection, note)
        return broken

    return case_of(key), law, lambda: monkeypatch.setattr(hand, "hand_screen", changed)


def test_a_planted_breach_is_found_and_without_it_nothing(
    planted: tuple[GameCase, Callable[[GameCase], None], Callable[[], None]],
) -> None:
    case, law, plant = planted
    law(case)
    plant()
    with pytest.raises(AssertionError):
        law(case)
