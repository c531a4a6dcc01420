"""What a player of Haymaker tells by its acts."""

from __future__ import annotations

import random

from engines.game import seen_by
from engines.haymaker import CardsDrawn, CountDrawn
from engines.players.haymaker.bits import bits_of
from engines.players.haymaker.history import (
    ATTACKED,
    BLOCK,
    FADES,
    GAVE,
    HIT,
    NOTHING,
    PASSED,
    SIZE,
    UNEQUALLED,
    History,
    attacked,
    blocked,
    drew,
    gave,
    hit,
    passed,
)
from engines.players.haymaker.memory import Memory, remember
from laws.play import random_match
from tests.engines.haymaker_table import A, B, cards
from tests.games.cases import case_of

CASE = case_of("haymaker")


def bits(codes: str) -> int:
    return bits_of(cards(codes))


def told(history: History) -> dict[int, float]:
    """What a history says, by index."""
    assert len(history) == SIZE
    return {index: value for index, value in enumerate(history) if value}


def test_an_attack_tells_its_rank_and_fades_with_the_next() -> None:
    seven = ATTACKED + 6
    history = attacked(NOTHING, bits("7S"))
    assert told(history) == {seven: 1.0}
    assert told(attacked(history, bits("2S 3S"))) == {seven: FADES}


def test_who_takes_a_hit_had_no_equal_card_until_it_draws() -> None:
    history = hit(NOTHING, bits("7S"))
    assert told(history) == {UNEQUALLED + 6: 1.0, HIT + 6: 1.0}
    assert told(drew(history)) == {UNEQUALLED + 6: FADES, HIT + 6: FADES}
    assert hit(NOTHING, bits("2S 3S")) == NOTHING


def test_a_block_tells_what_it_cost_and_whether_it_had_to_be_unequal() -> None:
    history = blocked(NOTHING, bits("7S"), bits("9D"), reversal=False)
    assert told(history) == {UNEQUALLED + 6: 1.0, BLOCK: 0.25, BLOCK + 1: 0.2, BLOCK + 2: 0.9}
    history = blocked(history, bits("5S"), bits("4D AC"), reversal=True)
    assert told(history) == {UNEQUALLED + 6: 1.0, BLOCK: 0.5, BLOCK + 2: 0.4, BLOCK + 3: 1.0}


def test_a_pass_tells_which_card_was_not_kept() -> None:
    assert told(gave(passed(NOTHING), bits("3H"))) == {PASSED: 1.0, GAVE: 0.3}


def test_a_card_drawn_in_a_pass_fades_what_was_told_once_it_is_kept() -> None:
    """Both sides of it: the player sees its cards, the opponent how many there are."""
    memory = Memory(A, histories=(NOTHING, hit(NOTHING, bits("7S"))))
    assert remember(memory, CountDrawn(B, 2, passing=True)) == memory
    assert remember(memory, CardsDrawn(B, cards("2C 3C"), passing=True)) == memory
    for fact in (CountDrawn(B, 1, passing=True), CountDrawn(B, 1, passing=False)):
        assert remember(memory, fact).histories[B][HIT + 6] == FADES


def test_both_seats_remember_the_same_histories() -> None:
    """A history is made of what both have seen."""
    rng, both = random.Random(1), [Memory(A), Memory(B)]
    log = random_match(CASE.deal("default", 2, rng), rng)
    for fact in log.events(len(log.moves)):
        for seat in (A, B):
            seen = seen_by(fact, seat)
            both[seat] = both[seat] if seen is None else remember(both[seat], seen)
        assert both[A].histories == both[B].histories
    assert NOTHING not in both[A].histories
