"""Tiv-Miv's computer player: the laws, and which card it lays."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engines.players.player import Situation
from engines.players.question import Question
from engines.players.tivmiv import PLAYER, Memory, unseen
from engines.tivmiv import PACK, Dinner, Stage, State
from laws.players import a_question_holds_no_state, positions
from laws.suite import share_of
from tests.engines.players.player_laws import PlayerLaws
from tests.engines.tivmiv_table import GAME, A, B, lay, place
from tests.games.cases import case_of

CASE = case_of("tivmiv")

pytestmark = pytest.mark.slow  # asks the players at many positions of matches played by chance

# ---------------------------------------------------------------------------------------------- laws


class TestLaws(PlayerLaws):
    case = CASE

    def hidden(self, state: State, seat: int) -> tuple[Any, ...]:
        return state.decks[seat]


def test_a_question_with_a_hidden_timer_is_caught() -> None:
    for position in positions(CASE, 200, seed=2):
        window = GAME.window(position.state)
        hidden = [timer for timer in window.timers if not timer.shown] if window else []
        if not hidden:
            continue
        question = position.question("normal")
        with_timer = Question(**{**{name: getattr(question, name) for name in Question.__slots__}, "options": hidden})
        with pytest.raises(AssertionError, match="contains a timer"):
            a_question_holds_no_state(with_timer, position)
        return
    raise AssertionError("no position has a hidden timer")


def test_candidates_are_all_that_is_offered() -> None:
    for position in positions(CASE, share_of(40), seed=3):
        offers: Sequence[Any] = GAME.choices(position.state, position.seat).offers
        assert list(PLAYER.candidates(position.situation())) == [offer.action for offer in offers]


# ---------------------------------------------------------------------------------------------- what a seat knows


def test_a_seat_remembers_every_card_of_the_phase_that_was_on_top() -> None:
    looked = 0
    for position in positions(CASE, 120, seed=5):
        state: State = position.state
        if state.stage is not Stage.RACE:
            continue
        memory = position.situation().memory
        hidden = {*PACK.cards} - memory.centre - {*state.hands[position.seat]}
        assert {card for seat, deck in enumerate(state.decks) for card in deck} <= hidden
        assert {card for seat, hand in enumerate(state.hands) if seat != position.seat for card in hand} <= hidden
        assert set(unseen(memory, state.hands[position.seat])) == hidden
        assert len(state.pile) - len(memory.centre) <= 2 or any(state.left), "two cards at most lie below unseen"
        looked += 1
    assert looked > 60


# ---------------------------------------------------------------------------------------------- which act


def chosen(state: State, seat: int = A) -> Any:
    """The act by rule of thumb, of a seat that has paid no attention."""
    return PLAYER.rule_of_thumb(
        Situation(Memory(), GAME.observe(state, seat), GAME.choices(state, seat)), random.Random(1)
    )


def test_T_8_it_says_the_cry_as_soon_as_it_may() -> None:
    assert chosen(lay("5±2", "3±1", "1±1 2±1")) == Dinner()


def test_it_takes_care_that_the_others_have_no_card_that_fits() -> None:
    """After 7±1 a 6 or an 8 fits, after 3±1 a 2 or a 4, and almost all of those have been laid."""
    state = lay("5±2", "3±1 7±1 10±2 10±3", "1±1 1±2 1±3 9±1 9±2 9±3")
    laid = frozenset(card for card in PACK.cards if card.value in (2, 4))
    view, choices = GAME.observe(state, A), GAME.choices(state, A)
    assert chosen(state) == place("7±1")
    assert PLAYER.rule_of_thumb(Situation(Memory(laid), view, choices), random.Random(1)) == place("3±1")


# ---------------------------------------------------------------------------------------------- its pace


def test_a_seat_is_surely_busy_while_it_can_draw() -> None:
    state = lay("5±2", "3±1 9±1", "3±2", decks=("", "8±1"))
    assert PLAYER.busy(GAME.observe_public(state)) == {B}
    for stage in (Stage.DEALT, Stage.COUNTDOWN, Stage.SCORED):
        assert not PLAYER.busy(GAME.observe_public(lay("5±2", "3±1", "", decks=("8±1", "8±2"), stage=stage)))


def test_of_several_others_it_compares_itself_with_the_best_and_stays_a_little_behind() -> None:
    def ahead(*scores: int) -> float:
        state = replace(lay("5±2", "3±1", "1±1", "2±1"), phase=2, scores=((*scores, None),))
        return PLAYER.ahead(GAME.observe_public(state), A)

    assert ahead(20, 20, 60) == ahead(20, 60, 20) == ahead(20, 20, 20)
    assert ahead(20, 20, 20) > 0 > ahead(35, 20, 20)
    assert ahead(20, 0, 60) < 0
