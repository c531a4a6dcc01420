"""Champions of Chance's computer player: the laws, and what is its own."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engines.champions import (
    Call,
    CardDrawnUnseen,
    ExchangeAsked,
    Phase,
    Rolled,
    State,
)
from engines.players.champions import lines
from engines.players.champions.lines import ACTS, plays_on, sampled, shares
from engines.players.champions.memory import Memory
from engines.players.champions.numbering import numbering
from engines.players.champions.player import PLAYER, dice
from engines.players.champions.sight import weights
from engines.players.player import Situation
from laws.players import positions
from laws.suite import share_of
from tests.engines.champions_table import BASE, GAME, WACKY, A, B, Played, lay, roll
from tests.engines.players.player_laws import PlayerLaws
from tests.games.cases import case_of

CASE = case_of("champions")

pytestmark = pytest.mark.slow  # asks the players at many positions of matches played by chance

# ---------------------------------------------------------------------------------------------- laws


class TestLaws(PlayerLaws):
    case = CASE
    looks = 60

    def hidden(self, state: State, seat: int) -> tuple[Any, ...]:
        return state.decks[seat - 1]


# ---------------------------------------------------------------------------------------------- what a seat knows


def number(face: str) -> int:
    """The number of the first card with these figures, such as ``6`` or ``3!STEAL``."""
    return next(card.place for card in numbering(WACKY).cards if card.code.split("#")[0] == face)


def test_what_a_seat_is_sure_of_is_so() -> None:
    """How many cards each deck has, which cards lie in it for certain, and which on the discard pile."""
    known = 0
    for position in positions(CASE, share_of(150), seed=6):
        memory, state = position.situation().memory, position.state
        assert memory.counts == tuple([len(deck) for deck in state.decks])
        assert memory.gone <= {card.place for card in state.discards}
        for row, deck in zip(memory.held, state.decks, strict=True):
            sure = {held.card for held in row if held.likely == 1}
            assert sure <= {card.place for card in deck}
            known += len(sure)
    assert known


def test_what_was_seen_in_a_deck_weighs_more_until_it_may_have_left() -> None:
    table = Played(roll("1 1", "6 6 2", dice=(2, 2)))
    view = GAME.observe(table.state, A)
    memory = Memory(BASE, A, (2, 3), ((), ()))
    for fact in table.does(A, Call(lowest=True)).facts:
        memory = PLAYER.remember(memory, fact)
    six = table.told(Rolled)[0].cards[1].place
    seen = weights(memory, view, B)[six]
    exchanged = PLAYER.remember(memory, ExchangeAsked((B,)))
    memory = PLAYER.remember(exchanged, CardDrawnUnseen(B))
    later = weights(memory, view, B)[six]
    other = weights(memory, view, B)[number("5")]
    assert seen == pytest.approx(1 / 3)
    assert seen > later > other > 0


# ---------------------------------------------------------------------------------------------- acts


def thumb(state: State) -> Any:
    """The act by rule of thumb of the first seat that is asked, which has seen nothing of the other decks."""
    seat = min(state.awaited)
    memory = Memory(state.options, seat, tuple([len(deck) for deck in state.decks]), ((),) * state.seats)
    situation = Situation(memory, GAME.observe(state, seat), GAME.choices(state, seat))
    return PLAYER.rule_of_thumb(situation, random.Random(1))


def test_of_dice_that_differ_only_in_copies_one_is_tried() -> None:
    deck = [card.place for card in lay("1 1 1 6 6", "2").decks[A]]
    assert len(dice(numbering(BASE), deck, 2)) == 3
    assert len(dice(numbering(BASE), deck, 5)) == 1


def test_an_estimate_is_a_share_and_a_better_call_brings_more() -> None:
    for position in positions(CASE, share_of(60), seed=15):
        situation = position.situation()
        acts = PLAYER.candidates(situation)
        values = PLAYER.judge(situation, acts)
        assert all(0 <= value <= 1 for value in values)
        if position.state.phase is Phase.CALL:
            assert acts[values.index(max(values))] == PLAYER.rule_of_thumb(situation, random.Random(1))


# ---------------------------------------------------------------------------------------------- lines


def looked_at(count: int) -> None:
    """Look at tables that lines begin at."""
    rng = random.Random(17)
    for position in positions(CASE, count, seed=17):
        situation = position.situation()
        table = sampled(situation.memory, situation.view, rng)
        assert table.game.observe(table.state, position.seat) == situation.view
        state = table.state
        everywhere = Counter([*state.draw, *state.discards, *sum(state.decks + state.piles, ())])
        assert everywhere == Counter(position.pack)


def test_a_line_begins_at_a_table_that_looks_to_the_seat_as_its_own() -> None:
    looked_at(share_of(400))


def test_a_table_of_whom_the_seat_has_seen_too_little_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if what lies face up could lie anywhere."""
    monkeypatch.setattr(lines, "_placed", lambda *_: set[int]())
    with pytest.raises(AssertionError):
        looked_at(60)


def test_every_line_goes_on_until_it_is_cut_off_or_over() -> None:
    rng = random.Random(18)
    for position in positions(CASE, share_of(200), seed=18):
        situation = position.situation()
        table = sampled(situation.memory, situation.view, rng)
        for _ in range(ACTS):
            seat = table.asked()
            if seat is None:
                break
            assert sum(shares(table)) == pytest.approx(1)
            table.play(plays_on(table, seat, rng), rng)
