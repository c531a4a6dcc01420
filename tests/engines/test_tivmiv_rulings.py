"""The rulings of Tiv-Miv (docs/rulings/tivmiv.md), number by number, and the examples of that page. Those on the end of
a phase, time and leaving are in test_tivmiv_phases.py."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.game import Act, Refusal, Seconds
from engines.options import NONE, OptionRefused
from engines.tivmiv import (
    COUNTDOWN,
    FACES,
    HANDFUL,
    IDLE_DRAW,
    NEXT_DRAW,
    PACK,
    BottomTurned,
    Card,
    CardDrawn,
    CardPlaced,
    CountdownBegun,
    CountDrawn,
    Dinner,
    Draw,
    DrawHandful,
    Options,
    PhaseEnded,
    Place,
    Recycled,
    takes,
)
from laws.play import Clock
from tests.engines.tivmiv_table import GAME, A, B, Played, lay, opened, place, racing, without_acts
from tests.known import there

TOP_IS_7 = Refusal("T-5", "tivmiv.refusal.does_not_fit", {"card": "7±3", "top": "7±1", "down": 6, "up": 8})


# ---------------------------------------------------------------------------------------------- cards and deal


def test_T_1_the_pack_is_seventy_three_cards() -> None:
    faces = Counter((card.value, card.index) for card in PACK.cards)
    assert len(PACK.cards) == len(set(PACK.cards)) == 73
    assert set(faces) == set(FACES)
    thrice = {face for face, count in faces.items() if count == 3}
    assert thrice == {*((value, 2) for value in range(1, 11)), (1, 1), (5, 3), (10, 1)}
    assert set(faces.values()) == {2, 3}


@pytest.mark.parametrize(("seats", "each", "below"), [(2, 36, 0), (3, 24, 0), (4, 18, 0), (5, 14, 2), (6, 12, 0)])
def test_T_2_what_does_not_divide_lies_under_the_centre_card(seats: int, each: int, below: int) -> None:
    table = opened(seats)
    public = GAME.observe_public(table.state)
    assert public.decks == (each,) * seats
    assert public.hands == (0,) * seats
    assert public.below == below
    assert table.state.pile[-1] == public.top


def test_C_7_a_card_is_written_value_and_index() -> None:
    assert {card.name for card in PACK.cards} == {f"{value}±{index}" for value, index in FACES}
    assert [Card(7, 2, copy).code for copy in (1, 2, 3)] == ["7-2a", "7-2b", "7-2c"]


def test_T_3_before_GO_nobody_draws_or_plays() -> None:
    table = opened(2).ring("ready")
    timers = table.timers()
    assert timers["go"].length == Seconds(COUNTDOWN)
    assert timers["go"].shown
    assert set(timers) == {"go"}
    window = there(GAME.window(table.state))
    assert window.may_act == window.awaited == frozenset()
    not_yet = Refusal("T-3", "tivmiv.refusal.before_go")
    for action in (Draw(), DrawHandful(), Place(7, 2), Dinner()):
        assert table.refuses(A, action) == not_yet
    assert not table.choices(A).offers
    assert [shut.refusal for shut in table.choices(A).closed] == [not_yet, not_yet]
    table.ring("go").does(A, Draw())
    assert len(table.hand(A)) == 1


# ---------------------------------------------------------------------------------------------- playing


@pytest.mark.parametrize(
    ("top", "fitting"),
    [
        ("5±2", {3, 7}),
        ("9±3", {6, 2}),
        ("1±2", {3, 9}),
        ("10±3", {7, 3}),
        ("10±1", {1, 9}),
        ("7±1", {6, 8}),
        ("1±1", {10, 2}),
        ("3±3", {10, 6}),
    ],
)
def test_T_4_what_fits_is_the_sum_and_the_difference_in_a_circle(top: str, fitting: set[int]) -> None:
    for value in range(1, 11):
        face = f"{value}±{3 if top != f'{value}±3' else 2}"
        table = Played(lay(top, f"{face} 4±1", "6±1"))
        if value in fitting:
            assert table.does(A, place(face)).state.top.name == face
        else:
            refusal = table.refuses(A, place(face))
            assert refusal.key == "tivmiv.refusal.does_not_fit"
            assert (refusal.values["card"], refusal.values["top"]) == (face, top)
    assert all(1 <= value <= 10 for face in FACES for value in takes(*face))


def test_T_4_the_index_of_what_is_placed_plays_no_part() -> None:
    for index in (1, 2, 3):
        assert Played(lay("5±2", f"7±{index} 1±1", "2±2")).does(A, Place(7, index)).state.top.index == index


def test_T_5_a_play_that_comes_too_late_is_told_what_is_on_top_and_costs_nothing() -> None:
    table = Played(lay("5±2", "7±1 8±2", "7±3 4±1"))
    table.does(A, place("7±1"))
    assert table.refuses(B, place("7±3")) == TOP_IS_7
    assert table.hand(B) == ["4±1", "7±3"]
    shut = there(table.choices(B).find_closed("f7x3"))
    assert shut.refusal == TOP_IS_7
    assert there(shut.act).action == place("7±3")


def test_T_5_plays_that_both_fit_are_both_taken_in_turn() -> None:
    table = Played(lay("5±2", "7±1 1±1", "8±3 1±2"))
    table.does(A, place("7±1")).does(B, place("8±3"))
    assert [card.name for card in table.state.pile] == ["5±2", "7±1", "8±3"]


def test_T_5_a_card_not_held_is_refused_and_of_equal_ones_one_is_played() -> None:
    table = Played(lay("5±2", "7±1 7±1 1±1", "2±2"))
    assert table.refuses(A, place("3±1")) == Refusal("C-3", "refusal.card_not_held", {"card": "3±1"})
    assert table.refuses(A, Place(11, 4)).key == "refusal.card_not_held"
    assert table.does(A, place("7±1")).hand(A) == ["1±1", "7±1"]


def test_T_5_the_windows_number_is_the_phase() -> None:
    table = racing(2)
    numbers = set()
    for _ in range(4):
        window = there(GAME.window(table.does(A, Draw()).state))
        assert window.may_act == {A, B}
        assert window.awaited == frozenset()
        numbers.add(window.number)
    assert numbers == {1}


def test_T_6_drawing_takes_the_top_card_of_ones_own_deck_as_often_as_wanted() -> None:
    table = racing(2)
    deck = table.state.decks[A]
    for drawn in range(1, 37):
        table.does(A, Draw())
        assert set(table.state.hands[A]) == set(deck[:drawn])
    assert table.refuses(A, Draw()) == Refusal("T-6", "tivmiv.refusal.deck_empty")
    assert table.choices(A).find("draw") is None
    assert len(table.state.decks[B]) == 36


def test_T_6_a_handful_is_several_drawings_or_as_many_as_the_deck_has() -> None:
    table = Played(lay("5±2", "", "3±1", decks=("9±1 8±1 7±1 6±1 4±1 2±1 1±1 9±2", "")))
    table.does(A, DrawHandful())
    assert [card.name for card in table.state.decks[A]] == ["1±1", "9±2"]
    assert len(table.state.hands[A]) == HANDFUL == 6
    table.does(A, DrawHandful())
    assert len(table.state.hands[A]) == 8
    assert table.refuses(A, DrawHandful()) == Refusal("T-6", "tivmiv.refusal.deck_empty")


def test_T_12_a_placed_card_is_told_to_all() -> None:
    table = Played(lay("5±2", "7±1 8±2", "7±3 4±1")).does(A, place("7±1"))
    placed = table.facts[0]
    assert isinstance(placed, CardPlaced)
    assert placed.audience() is None
    assert placed.card.value == 7


# ---------------------------------------------------------------------------------------------- dead ends


def test_T_7_at_a_dead_end_the_bottom_card_comes_on_top_and_one_countdown_runs() -> None:
    table = Played(lay("5±1 4±1 9±1 2±2 6±2", "8±1 3±1 3±3", "3±2 5±2"))
    table.does(A, place("8±1"))  # 8±1 takes 7 and 9: nobody has one
    recycled = table.facts[-2]
    assert isinstance(recycled, Recycled)
    assert [card.name for card in recycled.cards] == ["5±1", "4±1"]  # 5±1 takes 4 and 6; 4±1 takes 3 and 5
    assert [card.name for card in table.state.pile] == ["9±1", "2±2", "6±2", "8±1", "5±1", "4±1"]
    assert table.told()[-1] == "CountdownBegun"
    assert table.refuses(B, place("3±2")).ruling == "T-3"
    assert set(table.timers()) == {"go", "idle"}
    table.ring("go").does(B, place("3±2"))


def test_T_7_a_deck_that_is_not_drawn_out_is_no_dead_end() -> None:
    table = Played(lay("4±1 6±2", "8±1 3±1 2±1", "3±2 5±2", decks=("", "1±1")))
    table.does(A, place("8±1"))
    assert table.told() == ["CardPlaced"]
    table.does(B, Draw())
    assert table.told() == ["CardDrawn", "Recycled", "CountdownBegun"]


def test_T_7_when_no_card_of_the_pile_helps_the_phase_ends_and_all_score() -> None:
    table = Played(lay("9±1 6±2", "8±1 3±1 3±3", "3±2 5±2"))
    table.does(A, place("8±1"))  # 9±1 takes 8 and 10, 6±2 takes 4 and 8
    assert table.facts[-1] == PhaseEnded(1, "dead_end", None, (6, 8, None))
    assert [card.name for card in table.state.pile] == ["9±1", "6±2", "8±1"]


def test_T_7_who_could_place_the_last_card_on_anything_is_no_dead_end() -> None:
    table = Played(lay("9±1 6±2", "8±1 3±1 1±1", "3±2"))
    table.does(A, place("8±1"))
    assert table.told() == ["CardPlaced"]


def test_T_7a_after_ten_idle_seconds_each_seat_with_a_deck_is_given_a_card() -> None:
    table = racing(3)
    timer = table.timers()["draw"]
    assert timer.length == Seconds(IDLE_DRAW)
    assert not timer.shown
    tops = [deck[0] for deck in table.state.decks]
    table.ring("draw")
    assert table.told() == ["HouseDraws", "CardDrawn", "CardDrawn", "CardDrawn"]
    assert [hand[0] for hand in table.state.hands] == tops
    drawn = table.facts[1]
    assert isinstance(drawn, CardDrawn)
    assert drawn.by_house
    assert drawn.audience() == {A}
    assert drawn.face() == CountDrawn(A, by_house=True)


def test_T_7a_only_seats_with_a_deck_are_given_one_and_a_dead_end_may_follow() -> None:
    table = Played(lay("7±1 9±2 5±1", "8±1 3±1", "3±2 5±2", decks=("", "1±1")))
    table.ring("draw")
    assert table.told() == ["HouseDraws", "CardDrawn", "Recycled", "CountdownBegun"]


def test_T_7a_the_clock_runs_only_while_nobody_can_play_and_anew_after_each_drawing() -> None:
    table = Played(lay("5±2", "8±1 3±1", "3±2 5±2", decks=("", "1±1 1±2")))
    assert "draw" not in table.timers()
    table = Played(lay("5±1", "8±1 3±1", "3±2 5±2", decks=("", "1±1 1±2")))
    before = table.timers()["draw"].key
    assert table.does(B, Draw()).timers()["draw"].key != before


def test_T_7a_a_drawing_by_the_house_and_a_refused_play_are_no_acts() -> None:
    table = racing(2)
    idle = table.timers()["idle"]
    table.ring("draw")
    table.refuses(A, place("1±1") if "1±1" not in table.hand(A) else place("2±1"))
    assert table.timers()["idle"] == idle
    assert table.state.acted == frozenset()
    table.does(A, Draw())
    assert table.timers()["idle"].key != idle.key


def test_T_7a_as_long_as_no_player_draws_the_next_ones_come_after_two_seconds() -> None:
    table = Played(lay("5±1", "8±1 3±1", "3±2 5±2", decks=("", "1±1 1±2 2±1 2±2 8±3 8±2")))
    assert table.timers()["draw"].length == Seconds(IDLE_DRAW)
    for _ in range(2):
        before = table.timers()["draw"].key
        timer = table.ring("draw").timers()["draw"]
        assert (timer.length, timer.shown) == (Seconds(NEXT_DRAW), False)
        assert timer.key != before
    table.does(B, Draw())
    assert table.timers()["draw"].length == Seconds(IDLE_DRAW)
    assert table.ring("draw").timers()["draw"].length == Seconds(NEXT_DRAW)


def test_T_7a_a_placing_in_between_leaves_the_two_seconds() -> None:
    table = Played(lay("5±1", "8±1 3±1", "3±2 5±2", decks=("", "4±2 1±2"))).ring("draw")
    assert "draw" not in table.timers(), "4±2 fits"
    table.does(B, place("4±2"))
    assert table.timers()["draw"].length == Seconds(NEXT_DRAW)
    hurried = Played(lay("5±1", "8±1 3±1", "3±2 5±2", decks=("", "1±1 1±2"))).ring("draw").ring("idle")
    hurried.ring("ready").ring("go")
    assert hurried.timers()["draw"].length == Seconds(IDLE_DRAW), "a phase begins afresh"


def stalled(pile: str = "6±1 10±2 5±2", **more: Any) -> Played:
    """All decks are drawn out, and A can place a 7 but does not."""
    return Played(lay(pile, "7±1 9±1", "1±2 10±1", **more))


def test_T_7b_where_nobody_places_a_card_the_bottom_card_becomes_the_top() -> None:
    table = stalled()
    timer = table.timers()["stall"]
    assert timer.length == Seconds(20)
    table.ring("stall")
    assert table.facts == (BottomTurned(table.state.top), CountdownBegun())
    assert [card.name for card in table.state.pile] == ["10±2", "5±2", "6±1"]
    assert set(table.timers()) == {"go", "idle"}
    table.ring("go")
    assert table.timers()["stall"].key != timer.key
    assert table.does(A, place("7±1")).state.top.name == "7±1"


def test_T_7b_and_so_on_with_turnings_of_T_7_where_nobody_could_play() -> None:
    table = stalled().ring("stall").ring("go").ring("stall")
    assert table.told() == ["BottomTurned", "Recycled", "CountdownBegun"]  # 10±2 takes 8 and 2: nobody has one
    assert [card.name for card in table.state.pile] == ["6±1", "10±2", "5±2"]


def test_T_7b_the_time_runs_anew_from_every_placing_and_turning() -> None:
    table = stalled("6±1 10±2 5±2")
    keys = [table.timers()["stall"].key]
    table.ring("stall").ring("go")
    keys.append(table.timers()["stall"].key)
    table = Played(lay("5±2", "7±1 9±1", "8±3 10±1"))
    assert "stall" not in table.timers(), "a pile of one card is not turned"
    table.does(A, place("7±1"))
    keys.append(table.timers()["stall"].key)
    assert len(set(keys)) == 3


def test_T_7b_the_last_draw_begins_it_and_decks_keep_it_off() -> None:
    table = Played(lay("6±1 5±2", "7±1 9±1", "1±2 10±1", decks=("", "4±1")))
    assert set(table.timers()) == {"idle"}
    table.does(B, Draw())
    assert set(table.timers()) == {"idle", "stall"}
    assert GAME.observe_public(table.state).may_stall


def test_T_7b_it_is_not_an_act() -> None:
    table = Played(without_acts(stalled().state))
    idle = table.timers()["idle"]
    table.ring("stall").ring("go")
    assert table.timers()["idle"] == idle
    assert table.state.acted == frozenset()


def test_T_7b_can_be_off() -> None:
    assert set(stalled(options=Options(stall_seconds=NONE)).timers()) == {"idle"}
    assert stalled(options=Options(stall_seconds=60)).timers()["stall"].length == Seconds(60)
    for wrong in (9, 61):
        with pytest.raises(OptionRefused):
            Options(stall_seconds=wrong)
    assert not GAME.observe_public(stalled(options=Options(stall_seconds=NONE)).state).may_stall


def test_T_7b_a_freezing_leader_does_not_end_the_phase_by_time() -> None:
    table, turnings = Played(without_acts(stalled().state)), 0
    clock = Clock()
    for _ in range(100):
        clock.look(there(GAME.window(table.state)))
        rung = clock.ring()
        table.does(None, rung)
        turnings += rung.timer == "stall"
        if rung.timer == "idle":
            break
    assert turnings == 180 // (20 + COUNTDOWN)
    assert table.told()[0] == "PhaseEnded"


# ---------------------------------------------------------------------------------------------- options and the rest


@pytest.mark.parametrize(
    ("option", "least", "most"), [("phases", 1, 10), ("idle_seconds", 30, 900), ("ready_seconds", 10, 600)]
)
def test_options_take_what_they_say(option: str, least: int, most: int) -> None:
    for value in (least, most):
        assert getattr(Options(**{option: value}), option) == value
    for value in (least - 1, most + 1):
        with pytest.raises(OptionRefused):
            Options(**{option: value})


def test_the_usual_options_are_the_rules() -> None:
    assert Options() == Options(phases=6, idle_seconds=180, ready_seconds=60)


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_it_is_a_game_for_two_to_six(seats: int) -> None:
    with pytest.raises(ValueError, match="two to six"):
        GAME.start(Options(), seats)


def test_text_that_is_no_act_is_refused() -> None:
    for text in ("", "jump", "place 7", "place seven-2", "draw it"):
        with pytest.raises(ValueError):  # noqa: PT011  the reasons differ
            GAME.read(text)


def test_lasting_acts_are_those_that_answer_no_one_question() -> None:
    acts = [offer for offer in racing(2).does(A, Draw()).choices(A) if isinstance(offer, Act)]
    assert [act.verb for act in acts if act.lasting] == ["draw", "handful"]
    between = racing(2).does(A, Draw()).ring("idle").choices(A)
    assert [act.verb for act in between if isinstance(act, Act) and act.lasting] == ["ready"]
