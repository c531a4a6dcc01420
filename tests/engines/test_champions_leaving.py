"""Champions of Chance when players leave or run out of time (C-4, C-5, K-5). A is seat 0, B is seat 1, and so on."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from functools import partial

import pytest

from engines.champions import BattleVoid, CardDrawn, CardGiven, Challenge, ExchangeChosen, NameNumber, Phase, SeatsLeft
from engines.game import Choices, Outcome, Refusal, Resign, TimeUp, can_resign
from tests.engines.champions_table import GAME, HIGHEST, A, B, C, D, Played, chance, exchange, lay, roll, select, tied
from tests.known import there


def in_phase(phase: Phase) -> Played:
    """A (turn) and B are in battle in this phase, C and D look on."""
    table = Played(lay("1 2 3", "4 5 6", "1 1 1", "6 6 6"))
    table.does(A, Challenge(B))
    if phase is not Phase.NUMBER:
        table.does(B, NameNumber(2))
    if phase is Phase.CALL:
        table.does(A, select(table, A, "1 2")).does(B, select(table, B, "4 5"))
    assert table.state.phase is phase
    return table


@pytest.mark.parametrize("phase", [Phase.NUMBER, Phase.DICE, Phase.CALL])
def test_K_5_if_the_opponent_leaves_before_the_roll_the_challenger_names_another(phase: Phase) -> None:
    table = in_phase(phase)
    before = table.state.window
    table.does(B, Resign())
    assert table.facts == (SeatsLeft((B,), "resignation"), BattleVoid(A, B))
    assert (table.state.phase, table.state.challenger, table.awaited) == (Phase.OPPONENT, A, {A})
    assert table.verbs(A) == ["battle2", "battle3"]
    assert table.state.window > before
    assert table.state.turn == 3
    assert [table.deck(seat) for seat in (A, B)] == [["1", "2", "3"], ["4", "5", "6"]]


@pytest.mark.parametrize("phase", [Phase.NUMBER, Phase.DICE, Phase.CALL])
def test_K_5_if_the_challenger_leaves_before_the_roll_the_next_seat_is_on(phase: Phase) -> None:
    table = in_phase(phase).does(A, Resign())
    assert table.told(BattleVoid) == [BattleVoid(A, B)]
    assert (table.state.phase, table.state.challenger) == (Phase.OPPONENT, B)
    assert table.verbs(B) == ["battle2", "battle3"]


@pytest.mark.parametrize("phase", [Phase.NUMBER, Phase.DICE, Phase.CALL])
def test_K_5_an_onlooker_who_leaves_disturbs_no_battle(phase: Phase) -> None:
    table = in_phase(phase)
    before = GAME.window(table.state)
    table.does(C, Resign())
    assert table.facts == (SeatsLeft((C,), "resignation"),)
    assert GAME.window(table.state) == before


def test_C_4_whether_each_of_several_seats_could_leave_is_asked_with_the_chance_of_one_act() -> None:
    drawn = GAME.info.presets["drawn"]
    state = lay("1 2 3", "4 5 6", "1 1 1", options=drawn)
    plays = partial(can_resign, GAME, state, partial(chance, options=drawn, seats=3))
    assert [plays(seat) for seat in (A, B, C)] == [True, True, True]  # a number is drawn for each who would leave


def test_C_4_who_has_left_is_asked_nothing_more() -> None:
    table = tied(a="4 1").does(A, Resign())
    assert table.state.challenger == B
    assert table.choices(A) == Choices()
    assert table.refuses(A, Resign()) == Refusal("C-4", "champions.refusal.left")
    assert table.refuses(A, exchange(table, A, "1")) == Refusal("C-4", "champions.refusal.left")


def test_K_6_who_has_left_is_passed_over() -> None:
    table = Played(roll("5 1 2", "3 6", "1 1", "2 2")).does(B, Resign()).does(C, Resign())
    assert (table.state.challenger, table.awaited) == (A, {D}), "the battle is void, and D is the only opponent left"
    table = Played(roll("5 1 2", "3 6", "1 1", "2 2")).does(C, Resign()).does(A, HIGHEST)
    assert table.state.challenger == B
    table.does(B, Resign())
    assert table.state.challenger == D


def test_C_4_with_two_players_the_other_wins() -> None:
    for seat, ranks in ((A, (2, 1)), (B, (1, 2))):
        for state in (roll("5 1 2", "3 6"), tied_for_two().state):
            assert Played(state).does(seat, Resign()).outcome == Outcome("resignation", ranks)


def tied_for_two() -> Played:
    table = Played(roll("4 1 2", "4 5 6")).does(A, HIGHEST)
    assert table.awaited == {A, B}
    return table


def test_C_4_the_last_seat_left_wins_and_who_left_first_is_last() -> None:
    table = Played(lay("1 2", "3 4", "5 6", "1 1")).does(C, Resign()).does(B, Resign())
    assert table.outcome is None
    table.does(A, Resign())
    assert table.outcome == Outcome("resignation", (2, 3, 4, 1))


def test_C_4_an_opponent_who_leaves_after_the_roll_gives_the_default() -> None:
    table = tied()
    table.does(B, Resign())
    assert [(fact.seat, fact.card.number) for fact in table.told(ExchangeChosen)] == [(B, 4)], "the first card"
    assert table.awaited == {A}
    assert table.outcome is None
    table.does(A, exchange(table, A, "2"))
    assert len(table.told(CardDrawn)) == 2, "the act is worked out"
    assert table.state.challenger == C
    assert table.state.left == (0, 1, 0)


def test_C_4_an_opponents_choice_stands_when_they_leave() -> None:
    table = tied()
    chosen = exchange(table, B, "6")
    table.does(B, chosen).does(B, Resign())
    assert table.facts == (SeatsLeft((B,), "resignation"),)
    table.does(A, exchange(table, A, "2"))
    assert {card.number for card in table.state.discards} == {2, 6}


def test_C_4_a_challenger_who_leaves_after_the_roll_stops_the_battle() -> None:
    table = tied()
    table.does(B, exchange(table, B, "6")).does(A, Resign())
    assert table.told(BattleVoid) == [BattleVoid(A, B)]
    assert (table.state.challenger, table.state.phase) == (B, Phase.NUMBER)
    assert table.deck(B) == ["4", "5", "6"], "nothing more is worked out"


@pytest.mark.parametrize("phase", [Phase.OPPONENT, Phase.NUMBER, Phase.CALL])
def test_C_5_who_lets_the_time_run_out_has_left(phase: Phase) -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1", "6 6 6")) if phase is Phase.OPPONENT else in_phase(phase)
    (late,) = table.awaited
    table.ring()
    assert table.told(SeatsLeft) == [SeatsLeft((late,), "time")]
    assert table.state.challenger == (B if late == A else A)


def test_C_5_both_battlers_may_run_out_of_time_at_once() -> None:
    table = in_phase(Phase.DICE).ring()
    assert table.told(SeatsLeft) == [SeatsLeft((A, B), "time")]
    assert table.state.challenger == C
    assert table.state.left == (1, 1, 0, 0)


def test_C_5_only_who_has_not_chosen_runs_out_of_time() -> None:
    table = in_phase(Phase.DICE)
    table.does(A, select(table, A, "1 2")).ring()
    assert table.told(SeatsLeft) == [SeatsLeft((B,), "time")]


def test_C_5_if_nobody_is_left_it_is_a_draw() -> None:
    table = Played(lay("1 2 3", "4 5 6")).does(A, Challenge(B)).does(B, NameNumber(2)).ring()
    assert table.outcome == Outcome("nobody_left", (1, 1))
    assert there(table.outcome).is_draw
    three = Played(lay("1 2 3", "4 5 6", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(2)).does(C, Resign())
    assert three.ring().outcome == Outcome("nobody_left", (1, 1, 3)), "who left before has lost"


def test_C_5_one_left_of_three_wins_when_two_run_out_of_time() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(2)).ring()
    assert table.outcome == Outcome("time", (2, 2, 1))


def test_C_5_in_a_ties_exchange_the_first_card_goes() -> None:
    table = tied().ring()
    assert [(fact.seat, fact.card.number) for fact in table.told(CardGiven)] == [(A, 1), (B, 4)]
    assert table.outcome is None
    assert table.state.left == (0, 0, 0)
    again = tied()
    again.does(A, exchange(again, A, "2")).ring()
    assert [fact.card.number for fact in again.told(CardGiven)] == [2, 4]


def test_C_15_time_that_is_up_for_one_of_two_who_are_asked_leaves_the_other_their_own() -> None:
    table = in_phase(Phase.DICE)
    table.does(None, TimeUp("turn", str(table.state.window), (B,)))
    assert table.told(SeatsLeft) == [SeatsLeft((B,), "time")]
    assert table.state.left[A] == 0
    asked = tied()
    asked.does(None, TimeUp("turn", str(asked.state.window), (A,)))
    assert [(fact.seat, fact.card.number) for fact in asked.told(CardGiven)] == []
    assert asked.awaited == {B}
    asked.does(B, exchange(asked, B, "5"))
    assert [(fact.seat, fact.card.number) for fact in asked.told(CardGiven)] == [(A, 1), (B, 5)]


def test_C_15_nobodys_time_is_up_who_is_not_asked() -> None:
    table = in_phase(Phase.NUMBER)
    for seats in ((C,), (A, B), (B, A), (B, B), (9,)):
        if seats != tuple(sorted(table.awaited)):
            assert table.refuses(None, TimeUp("turn", str(table.state.window), seats)).ruling == "C-5"


def test_C_5_a_timer_of_an_earlier_question_is_refused() -> None:
    table = in_phase(Phase.NUMBER)
    for action in (TimeUp("turn", "7"), TimeUp("other", str(table.state.window))):
        assert table.refuses(None, action) == Refusal("C-5", "refusal.time_is_not_up")
    assert table.refuses(A, TimeUp("turn", str(table.state.window))).ruling == "C-5"
