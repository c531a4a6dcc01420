"""Tiv-Miv's presenter: the board that shouts, the hand whose buttons keep their places."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.screen import Button, Screen
from cogs.games.tivmiv import NO_FACE, TivMivPresenter
from cogs.screens.board import board_screen, shown_deadline
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Racing, Reader
from cogs.screens.renderer import LONGEST_TEXT, MOST_COMPONENTS, Component, render
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
from laws.bodies import LONGEST_NAME, match_of
from laws.play import Deal
from tests.engines.tivmiv_table import A, B, C, Pack
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
    return name.rjust(len(NO_FACE), NO_FACE[0]) + "⁰¹²³"[count]


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


def test_each_face_has_the_next_free_place_in_the_order_of_drawing_and_its_count() -> None:
    live = raced("7±1 3±2 7±1 10±3 3±1 1±1", "2±2 2±1", draws=(5, 0))
    first, second, third = labels(hand(live))
    assert first == ["Draw", "Ready", say("tivmiv.act.dinner")]
    assert second == [face("7±1", 2), face("3±2", 1), face("10±3", 1), face("3±1", 1)]
    assert third == [NO_FACE + "⁰"] * 2


def test_a_place_that_is_emptied_stays_and_a_face_that_comes_back_takes_it_again() -> None:
    events = [*dealt("5±2", "7±1 3±2 7±1 10±3", "2±2 2±1"), Go()]
    drawings = drawn(events, A, 3)
    sevens = [event.card for event in drawings if isinstance(event, CardDrawn) and event.card.value == 7]
    one = match([*events, *drawings[:1], CardPlaced(A, sevens[0]), drawings[1]])
    assert labels(hand(one))[1] == [face("7±1", 0), face("3±2", 1), NO_FACE + "⁰", NO_FACE + "⁰"]
    assert [button.enabled for button in buttons(hand(one))] == [True, False, False, False, True, False, False]
    two = match([*events, *drawings[:1], CardPlaced(A, sevens[0]), *drawings[1:]])
    assert labels(hand(two))[1] == [face("7±1", 1), face("3±2", 1), NO_FACE + "⁰", NO_FACE + "⁰"]


def test_every_face_that_is_held_can_be_pressed_whatever_is_on_top() -> None:
    live = raced("1±1 3±2 9±3 2±1", "2±2 2±1", draws=(3, 0))
    pressed = [button for button in buttons(hand(live)) if button.enabled]
    assert [button.press.arg.partition(".")[0] for button in pressed] == ["draw", "f1x1", "f3x2", "f9x3"]
    assert {button.press.verb for button in buttons(hand(live))} == {"a"}


def test_a_press_names_the_face_the_phase_and_its_owners_acts_and_a_drawing_outlasts_the_phase() -> None:
    live = raced("1±1 3±2 9±3", "2±2 2±1", draws=(2, 0))
    presses = [button.press for button in buttons(hand(live)) if button.enabled]
    acts = live.own_acts.shown(A)
    assert [(press.window, press.arg) for press in presses] == [
        (0, f"draw.{acts}"),
        (1, f"f1x1.{acts}"),
        (1, f"f3x2.{acts}"),
    ]


def test_the_countdown_already_shows_the_buttons_in_their_places() -> None:
    events = dealt("5±2", "1±1 3±2", "2±2 2±1")
    assert labels(hand(match(events)))[1] == [NO_FACE + "⁰"] * 2
    assert say("tivmiv.asked.countdown", top="`5±2`") in unwrapped(text(render(hand(match(events)), "m")))
    halted = [*events, Go(), *drawn(events, A, 2), CountdownBegun()]
    assert labels(hand(match(halted)))[1] == [face("1±1", 1), face("3±2", 1)]


EVERY_FACE = " ".join(f"{value}±{index}" for value, index in FACES)


def test_twenty_seven_places_fit_discords_forty_components() -> None:
    live = raced(f"{EVERY_FACE} 1±1 2±2 3±2 4±2 5±3 6±2", "2±1", top="10±1", draws=(10, 0))
    longest = tuple(f"{LONGEST_NAME[:-1]}{seat}" for seat in range(2))
    shown = render(hand_screen(live, A, PRESENTER, Reader(say, longest, A), note="x" * 100), live.id)
    assert count(shown) == MOST_COMPONENTS
    assert [len(row) for row in labels(hand(live))] == [3, 4, 4, 4, 4, 4, 4, 3]


def test_a_28th_face_takes_a_place_whose_face_is_not_held() -> None:
    events = [*dealt("10±1", f"{EVERY_FACE} 1±1 2±2 3±2 4±2 5±3 6±2", "2±1"), Go()]
    drawings = drawn(events, A, 28)
    fifth = drawings[4]
    assert isinstance(fifth, CardDrawn)
    rows = labels(hand(match([*events, *drawings[:27], CardPlaced(A, fifth.card), drawings[27]])))
    value, index = FACES[27]
    assert rows[2][0] == face(f"{value}±{index}", 1)
    assert [len(row) for row in rows] == [3, 4, 4, 4, 4, 4, 4, 3]


def test_more_than_27_faces_in_hand_are_packed_and_fit_discords_forty_components() -> None:
    live = raced(f"{EVERY_FACE} 1±1 2±2 3±2 4±2 5±3 6±2", "2±1", top="10±1", draws=(36, 0))
    shown = render(hand(live), live.id)
    assert count(shown) == MOST_COMPONENTS
    rows = labels(hand(live))
    assert [len(row) for row in rows] == [5, 5, 5, 5, 5, 5, 1]
    assert rows[0] == ["Draw", face("1±1", 2), face("1±2", 1), face("1±3", 1), face("2±1", 1)]


def test_the_last_card_opens_the_cry_and_keeps_its_own_button() -> None:
    live = raced("9±1", "2±2 2±1", draws=(1, 0))
    assert labels(hand(live)) == [["Draw", "Ready", "Winner winner, chicken dinner!"], [face("9±1", 1)]]
    assert [button.enabled for button in buttons(hand(live))] == [True, False, True, True]
    assert say("tivmiv.asked.last_card", top="`5±2`") in unwrapped(text(render(hand(live), live.id)))


def test_the_hand_says_what_is_on_top_and_what_it_takes() -> None:
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


def test_between_two_phases_ready_can_be_pressed_and_what_was_left_is_shown_in_its_place() -> None:
    assert labels(hand(between(), B))[1][:2] == [face("2±2", 1), face("2±1", 1)]
    ready, again = (buttons(hand(live, B))[1] for live in (between(), between(MadeReady(B))))
    assert (ready.label, ready.enabled, again.enabled) == ("Ready", True, True)
    assert say("tivmiv.totals", totals="Ann 0 · Ben 8") in text(render(hand(between(), B), "m"))
    told = unwrapped(text(render(hand(between(MadeReady(B)), B), "m")))
    assert say("tivmiv.asked.waiting", phase=1, phases=6) in told


def test_at_the_end_what_was_left_is_listed() -> None:
    live = between(Ended("points", (1, 2)))
    assert "`2±1` `2±2`" in text(render(hand(live, B), live.id))
    assert say("tivmiv.none_left") in text(render(hand(live, A), live.id))
    assert buttons(hand(live, B)) == []


def test_the_hand_of_a_player_who_is_out_says_so_and_has_no_buttons() -> None:
    events = [*dealt("5±2", "9±1 1±1", "2±2 2±1", "4±1 4±2"), Go(), SeatsOut((C,), "resignation")]
    live = match(events, 3)
    assert labels(hand(live, C)) == []
    assert say("tivmiv.asked.out") in unwrapped(text(render(hand(live, C), live.id)))


# ---------------------------------------------------------------------------------------------- the board


def test_T_12_the_board_shows_the_value_of_a_placed_card_as_a_shout() -> None:
    events = dealt("5±2", "7±1 1±1", "2±2 2±1")
    one = drawn(events, A, 1)
    (seven,) = [event.card for event in one if isinstance(event, CardDrawn)]
    shown = board(match([*events, Go(), *one, CardPlaced(A, seven)]))
    assert "Ann: **“7!”** `7±1`" in shown
    assert "## 7±1" in shown
    assert say.count("tivmiv.takes", 69, down=6, up=8) in shown


def test_the_board_shows_counts_and_no_hidden_card() -> None:
    shown = board(raced("1±1 3±2 9±3", "2±2 2±1", draws=(2, 1)))
    assert "2 in hand · 1 to draw" in shown
    for face in ("1±1", "3±2", "9±3", "2±2", "2±1"):
        assert face not in shown


def test_a_players_line_has_the_score_of_each_phase() -> None:
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


def test_the_longest_board_fits() -> None:
    events = dealt("5±2", *("9±1", "1±1", "2±2", "2±1", "4±1", "4±2"))
    for phase in range(1, 11):
        events += [Go(), Recycled(PACK.cards[:40]), PhaseEnded(phase, "idle", None, (199,) * 6)]
    events.append(Ended("shared", (1,) * 6))
    live = match(events, 6, Options(phases=10))
    names = tuple("\\_" * 31 + str(seat) for seat in range(6))
    shown = render(board_screen(live, PRESENTER, Reader(say, names)), live.id)
    assert len(text(shown)) <= LONGEST_TEXT
    assert say("ending.place_shared", rank=1) in text(shown)


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


def test_it_is_the_presenter_of_a_race() -> None:
    own: Any = raced("1±1", "2±2").private(A)
    assert isinstance(PRESENTER, Racing)
    with pytest.raises(LookupError):
        PRESENTER.item(own, "draw", 0, Reader(say, NAMES))
    with pytest.raises(LookupError):
        PRESENTER.selection_summary("draw", {}, Reader(say, NAMES))
