"""The rulings of Tiv-Miv (docs/rulings/tivmiv.md), number by number, and the examples of that page."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engines.game import Act, Choices, Outcome, Refusal, Resign, Seconds, TimeUp
from engines.options import NONE, OptionRefused
from engines.tivmiv import (
    COUNTDOWN,
    FACES,
    IDLE_DRAW,
    NEXT_DRAW,
    PACK,
    BottomTurned,
    Buried,
    Card,
    CardDrawn,
    CardPlaced,
    CountdownBegun,
    CountDrawn,
    Dinner,
    Draw,
    Options,
    PhaseEnded,
    Place,
    Ready,
    ReadyAsked,
    Recycled,
    Stage,
    takes,
)
from laws.play import Clock
from tests.engines.tivmiv_table import GAME, A, B, C, D, Played, chance, lay, opened, place, racing, without_acts

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
    window = GAME.window(table.state)
    assert window is not None
    assert window.may_act == window.awaited == frozenset()
    not_yet = Refusal("T-3", "tivmiv.refusal.before_go")
    for action in (Draw(), Place(7, 2), Dinner()):
        assert table.refuses(A, action) == not_yet
    assert not table.choices(A).offers
    assert [shut.refusal for shut in table.choices(A).closed] == [not_yet]
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
    shut = table.choices(B).find_closed("f7x3")
    assert shut is not None
    assert shut.refusal == TOP_IS_7
    assert shut.act is not None
    assert shut.act.action == place("7±3")


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
        window = GAME.window(table.does(A, Draw()).state)
        assert window is not None
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


def test_T_7b_can_be_off_and_is_off_where_options_are_older_than_it() -> None:
    assert set(stalled(options=Options(stall_seconds=NONE)).timers()) == {"idle"}
    assert stalled(options=Options(stall_seconds=60)).timers()["stall"].length == Seconds(60)
    for wrong in (9, 61):
        with pytest.raises(OptionRefused):
            Options(stall_seconds=wrong)
    upcast = GAME.info.upcasters["Options", 1]
    assert upcast({"phases": 6}) == {"phases": 6, "stall_seconds": NONE}
    assert not GAME.observe_public(stalled(options=Options(stall_seconds=NONE)).state).may_stall


def test_T_7b_a_freezing_leader_does_not_end_the_phase_by_time() -> None:
    table, turnings = Played(without_acts(stalled().state)), 0
    clock = Clock()
    for _ in range(100):
        window = GAME.window(table.state)
        assert window is not None
        clock.look(window)
        rung = clock.ring()
        table.does(None, rung)
        turnings += rung.timer == "stall"
        if rung.timer == "idle":
            break
    assert turnings == 180 // (20 + COUNTDOWN)
    assert table.told()[0] == "PhaseEnded"


# ---------------------------------------------------------------------------------------------- the end of a phase


def test_T_8_the_last_card_may_be_placed_on_anything_and_ends_the_phase() -> None:
    table = Played(lay("5±2", "9±1", "3±2 10±1"))
    assert table.choices(A).find("dinner") is not None
    table.does(A, Dinner())
    assert table.facts[0] == CardPlaced(A, table.state.top)
    assert table.state.top.name == "9±1"
    assert table.facts[1] == PhaseEnded(1, "dinner", A, (0, 13, None))
    assert table.state.stage is Stage.SCORED


def test_T_8_it_is_an_act_of_the_player_and_others_may_come_before() -> None:
    table = Played(lay("5±2", "9±1", "3±2 7±3"))
    table.does(B, place("7±3"))
    assert table.told() == ["CardPlaced"]
    table.does(B, Dinner())
    assert table.facts[-1] == PhaseEnded(1, "dinner", B, (9, 0, None))


def test_T_8_only_one_card_left_in_all_and_that_in_hand() -> None:
    two = Played(lay("5±2", "9±1 8±1", "3±2"))
    assert two.refuses(A, Dinner()) == Refusal("T-8", "tivmiv.refusal.not_the_last_card", {"left": 2})
    one_each = Played(lay("5±2", "9±1", "3±2", decks=("8±1", "")))
    assert one_each.refuses(A, Dinner()).values == {"left": 2}
    assert one_each.refuses(A, place("9±1")).ruling == "T-5"
    in_deck = Played(lay("5±2", "", "3±2 1±1", decks=("8±1", "")))
    assert in_deck.refuses(A, Dinner()) == Refusal("T-8", "tivmiv.refusal.draw_it_first")
    assert in_deck.choices(A).find("dinner") is None
    in_deck.does(A, Draw()).does(A, Dinner())
    assert in_deck.state.stage is Stage.SCORED


def test_T_15_the_last_cards_face_is_the_same_act_as_the_cry() -> None:
    by_face = Played(lay("5±2", "9±1", "3±2 10±1")).does(A, place("9±1"))
    assert by_face.facts == Played(lay("5±2", "9±1", "3±2 10±1")).does(A, Dinner()).facts
    assert Played(lay("5±2", "7±1", "3±2 10±1")).does(A, place("7±1")).state.stage is Stage.SCORED


def test_T_9_points_are_the_values_left_in_hand_and_deck() -> None:
    table = Played(lay("5±2", "9±1", "3±2 10±1", "", decks=("", "6±1 1±3", "2±1 8±2")))
    table.does(A, Dinner())
    assert table.state.scores == ((0, 20, 10, None),)
    assert GAME.observe_public(table.state).totals == (0, 20, 10, 0)


def test_T_9_the_lowest_total_after_the_last_phase_wins() -> None:
    state = replace(lay("5±2", "9±1", "3±2 10±1", options=Options(phases=2)), phase=2, scores=((30, 10, None),))
    table = Played(state).does(A, Dinner())
    assert table.outcome == Outcome("points", (2, 1, 3))
    assert GAME.window(table.state) is None


def test_T_9_equal_lowest_totals_share_the_win() -> None:
    state = replace(lay("5±2", "9±1", "3±2 10±1", options=Options(phases=2)), phase=2, scores=((13, 0, None),))
    table = Played(state).does(A, Dinner())
    assert table.outcome == Outcome("shared", (1, 1, 3))


def test_T_9_a_match_has_as_many_phases_as_its_options_say() -> None:
    table = racing(2, options=Options(phases=3))
    for phase in (1, 2, 3):
        assert table.state.phase == phase
        table.does(A, Draw()).does(B, Draw()).ring("idle")
        if phase < 3:
            table.does(A, Ready()).does(B, Ready()).ring("go")
    assert table.outcome is not None
    assert len(table.state.scores) == 3


def test_T_10_the_first_phase_too_begins_when_all_are_ready() -> None:
    table = opened(2)
    assert table.state.stage is Stage.DEALT
    assert table.timers().keys() == {"ready"}
    assert table.timers()["ready"].length == Seconds(60)
    window = GAME.window(table.state)
    assert window is not None
    assert window.number == 1
    assert window.may_act == window.awaited == {A, B}
    assert [offer.verb for offer in table.choices(A)] == ["ready"]
    for action in (Draw(), Place(7, 2), Dinner()):
        assert table.refuses(A, action) == Refusal("T-3", "tivmiv.refusal.before_go")
    dealt, centre = table.state.decks, table.state.pile
    table.does(A, Ready())
    assert table.refuses(A, Ready()) == Refusal("T-10", "tivmiv.refusal.ready_already")
    assert GAME.observe_public(table.state).ready == {A}
    table.does(B, Ready())
    assert table.told() == ["MadeReady", "CountdownBegun"]
    assert (table.state.stage, table.state.ready) == (Stage.COUNTDOWN, frozenset())
    assert (table.state.decks, table.state.pile) == (dealt, centre)
    assert table.refuses(A, Ready()).ruling == "T-10"


def test_T_10_the_first_phase_begins_when_its_time_has_come() -> None:
    table = opened(3, options=Options(ready_seconds=20)).does(C, Ready())
    first = table.timers()["ready"]
    assert first.length == Seconds(20)
    assert table.ring("ready").told() == ["CountdownBegun"]
    table.ring("go").does(A, Draw()).ring("idle")
    assert table.timers()["ready"].key != first.key


def test_T_10_who_resigns_before_the_first_phase_is_not_waited_for() -> None:
    table = opened(3).does(A, Ready()).does(B, Ready()).does(C, Resign())
    assert table.told() == ["SeatsOut", "Buried", "CountdownBegun"]
    two = opened(2).does(A, Resign())
    assert two.outcome == Outcome("resignation", (2, 1))


def test_T_10_under_version_1_the_countdown_began_at_once() -> None:
    start = GAME.start(Options(), 2)
    old, new = (GAME.deal(start, chance(3, 2, 0, version=version)) for version in (1, 2))
    assert type(old[-1]) is CountdownBegun
    assert old.state.stage is Stage.COUNTDOWN
    assert type(new[-1]) is ReadyAsked
    assert [type(fact) for fact in old[:-1]] == [type(fact) for fact in new[:-1]]


def test_T_10_the_next_phase_begins_when_all_are_ready() -> None:
    table = Played(lay("5±2", "9±1", "3±2 10±1")).does(A, Dinner())
    assert set(table.timers()) == {"ready"}
    assert table.timers()["ready"].length == Seconds(60)
    window = GAME.window(table.state)
    assert window is not None
    assert window.awaited == {A, B}
    table.does(A, Ready())
    assert table.refuses(A, Ready()) == Refusal("T-10", "tivmiv.refusal.ready_already")
    assert table.refuses(A, Draw()) == Refusal("T-10", "tivmiv.refusal.phase_over")
    assert table.refuses(B, place("3±2")).key == "tivmiv.refusal.phase_over"
    table.does(B, Ready())
    assert table.state.stage is Stage.COUNTDOWN
    assert table.state.phase == 2
    assert [len(deck) for deck in table.state.decks] == [36, 36, 0]
    assert table.refuses(A, Ready()).ruling == "T-10"


def test_T_10_or_when_its_time_has_come() -> None:
    table = Played(lay("5±2", "9±1", "3±2 10±1", options=Options(ready_seconds=20))).does(A, Dinner()).does(B, Ready())
    assert table.timers()["ready"].length == Seconds(20)
    assert table.ring("ready").state.phase == 2


def test_T_10_each_phase_is_dealt_anew() -> None:
    table = racing(2)
    first = table.state.decks
    table.does(A, Draw()).does(B, Draw()).ring("idle").ring("ready")
    assert table.state.decks != first
    assert table.state.hands == ((), ())


# ---------------------------------------------------------------------------------------------- time


def test_T_11_a_phase_in_which_nobody_acts_any_more_ends_without_a_winner() -> None:
    table = Played(lay("5±2", "9±1 2±2", "3±2 10±1"))
    assert table.timers()["idle"].length == Seconds(180)
    table.ring("idle")
    assert table.facts == (PhaseEnded(1, "idle", None, (11, 13, None)),)
    assert Played(lay("5±2", "9±1", "3±2", options=Options(idle_seconds=30))).timers()["idle"].length == Seconds(30)


def test_T_11_the_time_runs_anew_from_every_act() -> None:
    table = racing(2)
    keys = [table.timers()["idle"].key]
    keys += [table.does(seat, Draw()).timers()["idle"].key for seat in (A, B, A)]
    assert len(set(keys)) == 4
    old = TimeUp("idle", keys[0])
    assert table.refuses(None, old) == Refusal("C-5", "refusal.time_is_not_up")


def test_T_11_the_countdown_after_a_dead_end_does_not_stop_it() -> None:
    table = Played(lay("5±1 4±1 9±1 2±2 6±2", "8±1 3±1 3±3", "3±2 5±2")).does(A, place("8±1"))
    key = table.timers()["idle"].key
    assert table.ring("go").timers()["idle"].key == key


def test_T_11_who_does_not_act_in_two_phases_in_a_row_is_out() -> None:
    table = racing(3)
    table.does(A, Draw()).does(B, Draw()).ring("idle")
    assert table.told() == ["PhaseEnded"]
    table.ring("ready").ring("go").does(A, Draw()).does(B, Draw()).ring("idle")
    assert table.told() == ["PhaseEnded", "SeatsOut", "Buried"]
    assert table.state.playing == (A, B)
    table.ring("ready")
    assert [len(deck) for deck in table.state.decks] == [36, 36, 0]
    assert table.refuses(C, Draw()) == Refusal("C-4", "tivmiv.refusal.out")
    assert table.refuses(C, Resign()).key == "tivmiv.refusal.out"
    assert table.choices(C) == Choices()


def test_T_11_a_phase_with_an_act_between_counts_afresh() -> None:
    table = racing(2)
    table.does(A, Draw()).ring("idle").ring("ready").ring("go")
    table.does(A, Draw()).does(B, Draw()).ring("idle").ring("ready").ring("go")
    table.does(A, Draw()).ring("idle")
    assert table.outcome is None


def test_T_11_it_holds_however_the_phase_ends() -> None:
    state = replace(lay("5±2", "9±1", "3±2 10±1", "4±1"), absences=(0, 0, 1, 0), acted=frozenset({A, B}))
    table = Played(state).does(A, Dinner())
    assert table.told() == ["CardPlaced", "PhaseEnded", "SeatsOut", "Buried"]


def test_T_11_the_last_seat_left_wins() -> None:
    table = racing(2)
    table.does(A, Draw()).ring("idle").ring("ready").ring("go").does(A, Draw()).ring("idle")
    assert table.outcome == Outcome("time", (1, 2))


def test_T_11_if_all_would_go_out_the_lowest_total_so_far_wins() -> None:
    table = racing(2)
    table.does(A, Draw()).does(B, Draw()).ring("idle")
    lowest = min(table.state.totals())
    assert table.state.totals() != (lowest, lowest)
    for _ in range(2):
        table.ring("ready").ring("go").ring("idle")
    assert table.outcome is not None
    assert table.outcome.kind == "abandoned"
    (winner,) = table.outcome.winners
    assert table.state.totals()[winner] == lowest


def test_T_11_without_a_scored_phase_the_match_is_called_off() -> None:
    table = racing(3).ring("idle").ring("ready").ring("go").ring("idle")
    assert table.outcome == Outcome("called_off", (1, 1, 1), void=True)
    once = racing(2, options=Options(phases=1)).ring("idle")
    assert once.outcome == Outcome("called_off", (1, 1), void=True)


def test_T_11_after_the_last_phase_the_totals_decide() -> None:
    state = replace(lay("5±2", "9±1 1±1", "3±2", options=Options(phases=2)), phase=2, scores=((1, 60, None),))
    state = replace(state, absences=(1, 0, 0), acted=frozenset({B}))
    table = Played(state).does(B, Dinner())
    assert table.outcome == Outcome("points", (1, 2, 3))


def test_T_14_a_phase_in_which_nobody_acted_is_not_scored() -> None:
    table = Played(without_acts(lay("5±2", "9±1 2±2", "3±2 10±1"))).ring("idle")
    assert table.facts[0] == PhaseEnded(1, "idle", None, ())
    assert GAME.observe_public(table.state).totals == (0, 0, 0)
    assert table.ring("ready").state.phase == 2


def test_T_16_being_ready_is_no_act() -> None:
    table = racing(2)
    table.does(A, Draw()).ring("idle").does(B, Ready()).does(A, Ready()).ring("go").does(A, Draw()).ring("idle")
    assert table.outcome == Outcome("time", (1, 2))


def test_T_12_a_placed_card_is_told_to_all() -> None:
    table = Played(lay("5±2", "7±1 8±2", "7±3 4±1")).does(A, place("7±1"))
    placed = table.facts[0]
    assert isinstance(placed, CardPlaced)
    assert placed.audience() is None
    assert placed.card.value == 7


# ---------------------------------------------------------------------------------------------- leaving


def test_C_4_with_two_players_the_other_one_wins() -> None:
    assert racing(2).does(A, Resign()).outcome == Outcome("resignation", (2, 1))
    assert opened(2).does(B, Resign()).outcome == Outcome("resignation", (1, 2))


def test_T_13_who_leaves_has_the_cards_shuffled_under_the_pile() -> None:
    table = racing(3).does(A, Draw()).does(A, Draw())
    left, top = set(table.state.left_over(A)), table.state.top
    table.does(A, Resign())
    buried = table.facts[1]
    assert isinstance(buried, Buried)
    assert buried.audience() == frozenset()
    assert set(table.state.pile[:-1]) == set(buried.cards) == left
    assert table.state.top == top
    assert table.state.left_over(A) == ()
    orders = [racing(3, seed).does(A, Resign()).facts[1] for seed in range(2)]
    assert orders[0] != orders[1]


def test_T_13_leaving_may_make_a_dead_end_and_the_cards_left_may_end_it() -> None:
    table = Played(lay("1±1", "10±1 6±1", "5±1 3±3", "4±3 6±2"))
    table.does(A, Resign())
    assert table.told() == ["SeatsOut", "Buried", "Recycled", "CountdownBegun"]


def test_T_13_who_leaves_ranks_behind_those_who_play_and_before_those_who_left_earlier() -> None:
    table = racing(4).does(C, Resign()).does(A, Resign()).does(D, Resign())
    assert table.outcome == Outcome("resignation", (3, 1, 4, 2))


def test_T_13_seats_that_leave_together_share_their_rank() -> None:
    table = racing(4)
    for _ in range(2):
        table.does(A, Draw()).does(B, Draw()).ring("idle")
        if table.outcome is None:
            table.ring("ready").ring("go")
    table.does(A, Resign())
    assert table.outcome == Outcome("resignation", (2, 1, 3, 3))


def test_T_13_between_phases_the_next_one_begins_when_the_last_unready_seat_leaves() -> None:
    table = racing(3).does(A, Draw()).does(B, Draw()).does(C, Draw()).ring("idle")
    table.does(A, Ready()).does(B, Ready()).does(C, Resign())
    assert table.state.phase == 2
    assert [len(deck) for deck in table.state.decks] == [36, 36, 0]


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
    assert [act.verb for act in acts if act.lasting] == ["draw"]
    between = racing(2).does(A, Draw()).ring("idle").choices(A)
    assert [act.verb for act in between if isinstance(act, Act) and act.lasting] == ["ready"]
