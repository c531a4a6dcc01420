"""Tiv-Miv's presenter: the board that shouts, the hand whose buttons keep their places."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.preferences import CardStyle
from bot.ui.screen import Button, Screen, Select
from cogs.games.tivmiv import WIDTH, TivMivPresenter
from cogs.screens.board import board_screen, shown_deadline
from cogs.screens.card_text import DIGIT_SPACE
from cogs.screens.cards.forms import CardForms
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import Component, render
from engines.game import Event
from engines.options import NONE
from engines.tivmiv import (
    FACES,
    PACK,
    CardDrawn,
    CardPlaced,
    CentreTurned,
    CountdownBegun,
    DeckDealt,
    Ended,
    Go,
    HouseDraws,
    LeftOver,
    MadeReady,
    Options,
    PhaseBegun,
    PhaseEnded,
    Recycled,
    SeatsOut,
    TivMiv,
)
from laws.bodies import match_of
from laws.play import Deal
from tests.engines.tivmiv_table import A, B, Pack
from tests.wrapped_text import unwrapped

PRESENTER = TivMivPresenter()
NAMES = ("Ann", "Ben", "Cy", "Dot", "Eve", "Flo")
say = translations("en")


def dealt(top: str, *decks: str, phase: int = 1) -> list[Event]:
    """A phase up to GO: these decks, all other cards under the centre card."""
    pack = Pack()
    (centre,) = pack.take(top)
    mine = [pack.take(deck) for deck in decks]
    return [
        PhaseBegun(phase),
        CentreTurned(centre),
        *(DeckDealt(seat, cards) for seat, cards in enumerate(mine)),
        LeftOver(pack.rest()),
        CountdownBegun(),
    ]


def drawn(events: Iterable[Event], seat: int, count: int) -> list[Event]:
    """The events by which a seat draws this many cards."""
    (deck,) = [event.cards for event in events if isinstance(event, DeckDealt) and event.seat == seat]
    return [CardDrawn(seat, card, by_house=False) for card in deck[:count]]


def match(events: list[Event], seats: int = 2, options: Options | None = None) -> LiveMatch:
    return match_of(Deal(TivMiv(), options or Options(), seats, bytes(32)), events, len(events))


def hand(live: LiveMatch, seat: int = A, note: str = "") -> Screen:
    return hand_screen(live, seat, PRESENTER, Reader(say, NAMES[: len(live.seats)], seat), note=note)


def board(live: LiveMatch) -> str:
    return text(render(board_screen(live, PRESENTER, Reader(say, NAMES[: len(live.seats)])), live.id))


def labels(screen: Screen) -> list[list[str]]:
    return [[button.label for button in row if isinstance(button, Button)] for row in screen.rows]


def buttons(screen: Screen) -> list[Button]:
    return [button for row in screen.rows for button in row if isinstance(button, Button)]


def face(name: str, count: int) -> str:
    """A face as its button shows it: as wide as every other."""
    return name.rjust(WIDTH, DIGIT_SPACE) + "⁰¹²³⁴"[count]


def none(value: int) -> str:
    """The place of a value that isn't held."""
    return face(f"{value}±{DIGIT_SPACE}", 0)


def text(components: list[Component]) -> str:
    found = [component.get("content", "") for component in components]
    return "\n".join([*found, *(text(component.get("components", [])) for component in components)])


def count(components: list[Component]) -> int:
    return sum(1 + count(component.get("components", [])) for component in components)


def raced(*decks: str, top: str = "5±2", draws: tuple[int, ...] = ()) -> LiveMatch:
    """A match in the race of its first phase, in which each seat has drawn this many cards."""
    events = dealt(top, *decks)
    for seat, cards in enumerate(draws):
        events += drawn(events, seat, cards)
    started = [event for event in events if not isinstance(event, CardDrawn)]
    return match([*started, Go(), *(event for event in events if isinstance(event, CardDrawn))], len(decks))


# ---------------------------------------------------------------------------------------------- the hand


def test_each_value_has_its_place_with_its_count_whatever_is_held() -> None:
    live = raced("7±1 3±2 7±1 10±3 3±1 1±1", "2±2 2±1", draws=(5, 0))
    acts, *values, explains = labels(hand(live))
    assert explains == ["?"]
    assert acts == ["Draw", "Draw 6", "Ready", say("tivmiv.act.dinner")]
    assert values == [
        [none(1), none(2), face("3±1", 2), none(4)],
        [none(5), none(6), face("7±1", 2), none(8)],
        [none(9), face("10±3", 1)],
    ]
    enabled = [
        button.label for row in hand(live).rows[1:-1] for button in row if isinstance(button, Button) and button.enabled
    ]
    assert enabled == [face("3±1", 2), face("7±1", 2), face("10±3", 1)]


def test_of_several_cards_of_a_value_the_one_is_placed_after_which_the_hand_can_go_on() -> None:
    live = raced("7±1 7±3 4±1 1±1", "2±2 2±1", draws=(3, 0))
    assert labels(hand(live))[2][2] == face("7±3", 2), "it takes 4"
    live = raced("7±1 7±3 1±1", "2±2 2±1", draws=(2, 0))
    assert labels(hand(live))[2][2] == face("7±1", 2), "the lowest index where none is better"


def test_a_press_names_the_face_that_is_held_the_phase_and_its_owners_acts_and_a_drawing_outlasts_the_phase() -> None:
    live = raced("1±1 3±2 9±3", "2±2 2±1", draws=(2, 0))
    presses = [button.press for button in buttons(hand(live)) if button.enabled]
    acts = live.own_acts.shown(A)
    assert [(press.window, press.arg) for press in presses] == [
        (0, f"draw.{acts}"),
        (0, f"handful.{acts}"),
        (1, f"f1x1.{acts}"),
        (1, f"f3x2.{acts}"),
        (1, ""),
    ]


EVERY_FACE = " ".join(f"{value}±{index}" for value, index in FACES)


def test_all_faces_fit_in_three_rows_and_in_words_each_has_a_line_of_a_list() -> None:
    live = raced(f"{EVERY_FACE} 1±1 2±2 3±2 4±2 5±3 6±2", "2±1", top="10±1", draws=(36, 0))
    assert [len(row) for row in labels(hand(live))] == [4, 4, 4, 2, 1]
    assert labels(hand(live))[1][0] == face("1±1", 4)
    live = raced(f"{EVERY_FACE} 1±1 2±2 3±2 4±2 5±3 6±2", "2±1", top="10±1", draws=(36, 0))
    reader = Reader(say, NAMES[:2], A, CardForms().of("tivmiv", CardStyle.WORDS, say))
    lists = [row[0] for row in hand_screen(live, A, PRESENTER, reader).rows if isinstance(row[0], Select)]
    assert [len(each.options) for each in lists] == [25, 5]
    assert lists[0].options[0].label == "1 plus or minus 1, 2 held"


def test_the_hand_says_what_is_on_top_and_the_last_card_opens_the_cry_with_a_button_of_its_own() -> None:
    live = raced("9±1", "2±2 2±1", draws=(1, 0))
    assert labels(hand(live))[0] == ["Draw", "Draw 6", "Ready", "Winner winner, chicken dinner!"]
    enabled = [button.label for button in buttons(hand(live)) if button.enabled]
    assert enabled == ["Draw", "Draw 6", "Winner winner, chicken dinner!", face("9±1", 1), "?"]
    assert say("tivmiv.asked.last_card", top="`5±2`") in unwrapped(text(render(hand(live), live.id)))
    live = raced("1±1 3±2", "2±2 2±1", top="9±3", draws=(1, 0))
    shown = text(render(hand(live), live.id))
    assert say("tivmiv.asked.race", top="`9±3`", down=6, up=2) in shown
    assert say("tivmiv.told.drew", card="`1±1`") in shown


TITLE = f"### {say('hand.title', game='Tiv-Miv')}"


def test_in_the_race_no_line_comes_or_goes_above_the_buttons() -> None:
    live = raced("1±1 3±2 2±1", "2±2 2±1", draws=(2, 1))
    usual, refused = (text(render(hand(live, note=note), live.id)) for note in ("", "That doesn't fit on 5±2."))
    before, after = (said.splitlines()[said.splitlines().index(TITLE) + 1 :] for said in (usual, refused))
    assert after[0] == "**That doesn't fit on 5±2.**"
    assert len(before) == len(after)
    assert before[:2] == after[1:3]


def between(*more: Event) -> LiveMatch:
    """A match of two after its first phase, which Ann won."""
    events = dealt("5±2", "9±1", "2±2 2±1 4±3")
    card = drawn(events, A, 1)
    (nine,) = [event.card for event in card if isinstance(event, CardDrawn)]
    played: list[Event] = [*card, *drawn(events, B, 2), CardPlaced(A, nine), PhaseEnded(1, "dinner", A, (0, 8))]
    return match([*events, Go(), *played, *more])


def test_what_was_left_after_a_phase_is_shown_in_its_place_and_at_the_end_listed() -> None:
    assert labels(hand(between(), B))[1][:2] == [none(1), face("2±1", 2)]
    ready, again = (buttons(hand(live, B))[2] for live in (between(), between(MadeReady(B))))
    assert (ready.label, ready.enabled, again.enabled) == ("Ready", True, True)
    assert say("tivmiv.totals", totals="Ann 0 · Ben 8") in text(render(hand(between(), B), "m"))
    told = unwrapped(text(render(hand(between(MadeReady(B)), B), "m")))
    assert say("tivmiv.asked.waiting", phase=1, phases=6) in told
    live = between(Ended("points", (1, 2)))
    assert "`2±1` `2±2`" in text(render(hand(live, B), live.id))
    assert say("tivmiv.none_left") in text(render(hand(live, A), live.id))
    assert buttons(hand(live, B)) == []


# ---------------------------------------------------------------------------------------------- the board


def test_T_12_the_board_shows_the_value_of_a_placed_card_as_a_shout() -> None:
    events = dealt("5±2", "7±1 1±1", "2±2 2±1")
    one = drawn(events, A, 1)
    (seven,) = [event.card for event in one if isinstance(event, CardDrawn)]
    shown = board(match([*events, Go(), *one, CardPlaced(A, seven)]))
    assert "Ann: **“7!”** `7±1`" in shown
    assert "## 7±1" in shown
    assert say.count("tivmiv.takes", 69, down=6, up=8) in shown


def test_the_board_shows_counts_no_hidden_card_and_the_score_of_each_phase() -> None:
    shown = board(raced("1±1 3±2 9±3", "2±2 2±1", draws=(2, 1)))
    assert "2 in hand · 1 to draw" in shown
    for face in ("1±1", "3±2", "9±3", "2±2", "2±1"):
        assert face not in shown
    events = [*dealt("5±2", "9±1 1±1", "2±2 2±1"), Go(), PhaseEnded(1, "idle", None, (10, 4))]
    events += [*dealt("5±2", "9±1 1±1", "2±2 2±1", phase=2), Go(), PhaseEnded(2, "idle", None, ())]
    events += [*dealt("5±2", "9±1 1±1", "2±2 2±1", phase=3), Go(), PhaseEnded(3, "idle", None, (0, 27)), MadeReady(A)]
    shown = board(match(events))
    assert "points 10 + 0 = **10**" in shown
    assert "points 4 + 27 = **31**" in shown
    assert "ready" in shown


def test_the_timer_of_the_house_is_not_shown() -> None:
    live = raced("1±1 3±2", "2±2 2±1", draws=(0, 0))
    window = live.position.window
    assert window is not None
    assert [timer.name for timer in window.timers if not timer.shown] == ["draw"]
    rows = [row for row in live.position.timers if row.name == "idle"]
    assert shown_deadline(live) == rows[0].deadline


# ---------------------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (PhaseBegun(2), "The cards for phase 2 are dealt."),
        (Go(), "**GO!**"),
        (HouseDraws(), say("tivmiv.told.house_draws")),
        (MadeReady(B), "Ben is ready."),
        (Recycled(PACK.cards[:1]), "Dead end: the bottom card comes to the top, `1±1`."),
        (PhaseEnded(1, "dead_end", None, (3, 8)), say("tivmiv.told.dead_end", phase=1)),
        (PhaseEnded(1, "idle", None, (3, None)), say("tivmiv.told.idle", phase=1)),
        (PhaseEnded(1, "idle", None, ()), say("tivmiv.told.nobody_acted", phase=1)),
        (PhaseEnded(2, "dinner", B, (3, 0)), say("tivmiv.told.dinner", phase=2, player="Ben")),
        (SeatsOut((A, B), "time"), say("tivmiv.told.out_by_time", players="Ann and Ben")),
        (SeatsOut((A,), "resignation"), say("tivmiv.told.out_by_resignation", players="Ann")),
        (CardDrawn(A, PACK.cards[0], by_house=True), "You get `1±1` from your deck."),
        (CountdownBegun(), None),
    ],
)
def test_events_in_words(event: Event, shown: str | None) -> None:
    assert PRESENTER.narrate(event, Reader(say, NAMES)) == shown


def test_the_terms_name_what_differs_and_the_limit() -> None:
    reader = Reader(say, ())
    usual = PRESENTER.terms(Options(), reader)
    stall, idle = say("tivmiv.terms.stall", seconds=20), say("tivmiv.terms.idle", seconds=180)
    assert usual == (say("tivmiv.terms.real_time"), stall, idle)
    other = PRESENTER.terms(Options(phases=1, idle_seconds=30, ready_seconds=10, stall_seconds=NONE), reader)
    assert other[1:] == (
        "**1 phase** instead of 6.",
        say("tivmiv.terms.ready", seconds=10),
        say("tivmiv.terms.no_stall"),
        say("tivmiv.terms.idle", seconds=30),
    )
