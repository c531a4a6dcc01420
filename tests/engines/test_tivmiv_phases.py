"""The rulings of Tiv-Miv (docs/rulings/tivmiv.md) on how a phase ends and what follows: scores, time, and leaving."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from dataclasses import replace

from engines.game import Choices, Outcome, Refusal, Resign, Seconds, TimeUp
from engines.tivmiv import (
    Buried,
    CardPlaced,
    Dinner,
    Draw,
    Options,
    PhaseEnded,
    Place,
    Ready,
    Stage,
)
from tests.engines.tivmiv_table import GAME, A, B, C, D, Played, lay, opened, place, racing, without_acts
from tests.known import there

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
    window = there(GAME.window(table.state))
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


def test_T_10_the_next_phase_begins_when_all_are_ready() -> None:
    table = Played(lay("5±2", "9±1", "3±2 10±1")).does(A, Dinner())
    assert set(table.timers()) == {"ready"}
    assert table.timers()["ready"].length == Seconds(60)
    assert there(GAME.window(table.state)).awaited == {A, B}
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
