"""Haymaker ruling by ruling (docs/rulings/haymaker.md), on tables laid out by hand. A is seat 0, B is seat 1."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from engines.cards import Card
from engines.game import Act, Choices, Closed, Outcome, Pick, Refusal, Resign, TimeUp, fold
from engines.haymaker import (
    PACK,
    AttackPick,
    BlockPick,
    CardsGiven,
    Ended,
    HitTaken,
    Keep,
    LastTurn,
    Options,
    Pass,
    Phase,
    TakeHit,
    TurnBegun,
    strength,
)
from tests.engines.haymaker_table import GAME, A, B, Played, attack, block, cards, chance, lay, opened, places, turn
from tests.known import there

# ---------------------------------------------------------------------------------------------- set-up


def test_setup_is_exact_to_the_card() -> None:
    state = opened(0)
    assert [len(hand) for hand in state.hands] == [10, 10]
    assert (len(state.draw), len(state.burned), state.discards) == (16, 4, ((), ()))
    assert places(state) == Counter(PACK.cards)
    assert len(PACK.cards) == 40
    assert {card.rank for card in PACK.cards} == set(range(1, 11))


def test_cards_are_dealt_one_by_one_then_burned_then_laid_to_draw() -> None:
    state = opened(0)
    deck = chance(0).deck(PACK.cards)
    assert set(state.hands[1 - state.dealer]) == set(deck[0:20:2])
    assert set(state.hands[state.dealer]) == set(deck[1:20:2])
    assert state.burned == deck[20:24]
    assert state.draw == deck[24:]


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_it_is_a_game_for_two(seats: int) -> None:
    with pytest.raises(ValueError, match="two"):
        GAME.start(Options(), seats)


def test_a_hand_is_held_in_one_order() -> None:
    state = lay("TS AC 2H 9C", "AD")
    assert [card.code for card in GAME.observe(state, A).own.hand] == ["AC", "9C", "2H", "TS"]


# ---------------------------------------------------------------------------------------------- Haymaker's rulings


def test_H_1_the_non_dealer_attacks_first() -> None:
    for seed in range(20):
        state = opened(seed)
        assert turn(state) == (Phase.ATTACK, 1 - state.dealer, False)


def test_H_2_all_played_cards_go_to_one_discard_pile() -> None:
    held = Played(lay("7S 3D", "9D 2C", discards=("AC", "AD"))).does(A, attack("7S")).does(B, block("9D 2C"))
    assert (held.discarded(A), held.discarded(B)) == (cards("AC 7S 9D 2C"), cards("AD"))
    turned = Played(lay("7S 3D", "7D 2C", discards=("AC", "AD"))).does(A, attack("7S")).does(B, block("7D"))
    assert (turned.discarded(A), turned.discarded(B)) == (cards("AC"), cards("AD 7S 7D"))
    hit = Played(lay("7S 3D", "7D 2C", discards=("AC", "AD"))).does(A, attack("7S")).does(B, TakeHit())
    assert (hit.discarded(A), hit.discarded(B)) == (cards("AC 7S"), cards("AD"))


def test_H_3_a_block_may_hold_more_than_it_needs() -> None:
    table = Played(lay("7S 3D", "9D TC 2C AC")).does(A, attack("7S")).does(B, block("9D TC 2C"))
    assert table.discarded(A) == cards("7S 9D TC 2C")
    assert turn(table.state) == (Phase.ATTACK, A, True)


def test_H_3_a_block_of_no_cards_or_too_few_is_refused() -> None:
    table = Played(lay("7S 3D", "9D 2C")).does(A, attack("7S"))
    assert table.refuses(B, block("")) == Refusal("H-3", "haymaker.refusal.block_without_cards", {"needed": 7})
    told = Refusal("H-3", "haymaker.refusal.block_too_weak", {"strength": 2, "needed": 7})
    assert table.refuses(B, block("2C")) == told
    pick = table.choices.find("block")
    assert isinstance(pick, BlockPick)
    step = pick.step((0,))
    assert step.unfinished == told
    assert step.worth == {"strength": 2, "needed": 7, "reversal": 0}
    assert step.addable == (Refusal("C-3", "refusal.card_twice", {"card": "2♣"}), None)


def test_H_3_an_ace_counts_one() -> None:
    assert strength(cards("AS AH TC")) == 12


def test_H_4_one_card_is_a_normal_attack_and_more_are_a_haymaker() -> None:
    normal = Played(lay("2S 9S 3D", "TC 5H")).does(A, attack("9S")).does(B, block("TC"))
    assert turn(normal.state) == (Phase.ATTACK, A, True)
    haymaker = Played(lay("2S 9S 3D", "TC 5H AC")).does(A, attack("2S 9S")).does(B, block("TC 5H"))
    assert turn(haymaker.state) == (Phase.ATTACK, B, False)


def test_H_4_two_suits_are_refused() -> None:
    table = Played(lay("2S 4D 5S", "TC 5H"))
    told = Refusal("H-4", "haymaker.refusal.two_suits")
    assert table.refuses(A, attack("2S 4D")) == told
    pick = table.choices.find("attack")
    assert isinstance(pick, AttackPick)
    two_of_spades = pick.hand.index(Card.of("2S"))
    step = pick.step((two_of_spades,))
    assert step.unfinished is None
    assert step.worth == {"strength": 2, "haymaker": 0}
    assert step.addable[pick.hand.index(Card.of("4D"))] == told
    assert step.addable[pick.hand.index(Card.of("5S"))] is None
    both = tuple(sorted((two_of_spades, pick.hand.index(Card.of("5S")))))
    assert pick.step(both).worth == {"strength": 7, "haymaker": 1}
    assert pick.action(both) == attack("2S 5S")


def test_H_4_an_attack_of_no_cards_is_refused() -> None:
    refusal = Played(lay("2S", "TC")).refuses(A, attack(""))
    assert refusal == Refusal("H-4", "haymaker.refusal.attack_without_cards")


def test_H_5_no_pass_in_the_first_turn() -> None:
    state = opened(1)
    told = Refusal("H-5", "haymaker.refusal.pass_not_open")
    assert Played(state).refuses(state.attacker, Pass()) == told
    assert GAME.choices(state, state.attacker).closed == (Closed("pass", told),)


def test_H_5_a_pass_after_ones_own_attack() -> None:
    for reply in (block("9D"), TakeHit()):
        table = Played(lay("7S 3D", "9D 2C", draw="AC AD")).does(A, attack("7S")).does(B, reply)
        assert table.choices.find("pass") == Act("pass", Pass())
        assert table.does(A, Pass()).state.phase is Phase.KEEP


@pytest.mark.parametrize("draw", ["", "AC AD", "AC AD 4D 5D"])
def test_H_5_no_pass_for_the_new_attacker(draw: str) -> None:
    table = Played(lay("7S 3D", "7D 2C", draw=draw)).does(A, attack("7S")).does(B, block("7D"))
    assert turn(table.state) == (Phase.ATTACK, B, False)
    assert table.refuses(B, Pass()).ruling == "H-5"


def test_H_5_no_pass_right_after_a_pass() -> None:
    table = Played(lay("7S 3D", "7D 2C", draw="AC AD 4D 5D", may_pass=True))
    table.does(A, Pass()).does(A, Keep(Card.of("AC")))
    assert table.refuses(B, Pass()).ruling == "H-5"


def test_H_6_a_pass_draws_two() -> None:
    table = Played(lay("7S", "4C", draw="9C 2C 5C 6C", may_pass=True)).does(A, Pass())
    assert table.state.drawn == cards("9C 2C")
    assert table.choices.offers == (Act("keep0", Keep(Card.of("9C"))), Act("keep1", Keep(Card.of("2C"))))
    table.does(A, Keep(Card.of("2C")))
    assert (table.hand(A), table.hand(B)) == (cards("2C 7S"), cards("4C 9C"))
    assert table.state.draw == cards("5C 6C")
    assert turn(table.state) == (Phase.ATTACK, B, False)


def test_H_6_the_last_card_goes_to_the_attacker() -> None:
    table = Played(lay("7S", "4C", draw="9C", may_pass=True)).does(A, Pass())
    assert (table.hand(A), table.hand(B)) == (cards("9C 7S"), cards("4C"))
    assert table.state.draw == ()
    assert turn(table.state) == (Phase.ATTACK, B, False)


def test_H_6_without_a_draw_pile_the_roles_just_switch() -> None:
    table = Played(lay("7S", "4C", may_pass=True)).does(A, Pass())
    assert (table.hand(A), table.hand(B)) == (cards("7S"), cards("4C"))
    assert turn(table.state) == (Phase.ATTACK, B, False)
    assert table.state.last == LastTurn(A, (), "pass", ())


def test_H_6_the_draw_pile_stays_even() -> None:
    for seed in range(30):
        rng, state, seq = random.Random(seed), opened(seed), 0
        while GAME.window(state) is not None:
            assert len(state.draw) % 2 == 0
            seq += 1
            seat = state.asked
            offer = rng.choice(GAME.choices(state, seat).offers)
            if isinstance(offer, Pick):
                everything = tuple(range(offer.items))
                enough = [one for one in ((i,) for i in everything) if offer.step(one).unfinished is None]
                action = offer.action(rng.choice(enough)) if enough else TakeHit()
            else:
                action = offer.action
            state = fold(GAME, state, GAME.decide(state, seat, action, chance(seq, seed)))


def test_H_7_the_choice_is_the_attackers_alone_and_private() -> None:
    table = Played(lay("7S", "4C", draw="9C 2C", may_pass=True)).does(A, Pass())
    assert GAME.observe(table.state, A).own.drawn == cards("9C 2C")
    assert GAME.observe(table.state, B).own.drawn == ()
    assert GAME.observe_public(table.state).drawn == 2
    assert GAME.choices(table.state, B) == Choices()
    assert table.refuses(B, Keep(Card.of("9C"))).key == "refusal.not_your_turn"
    assert table.refuses(A, Keep(Card.of("7S"))) == Refusal("H-7", "haymaker.refusal.not_drawn", {"card": "7♠"})


def test_H_7_the_choice_is_final() -> None:
    table = Played(lay("7S", "4C", draw="9C 2C", may_pass=True)).does(A, Pass()).does(A, Keep(Card.of("9C")))
    assert table.refuses(A, Keep(Card.of("2C"))).ruling == "C-0"


def test_H_8_the_new_attacker_draws_first() -> None:
    table = Played(lay("7S 3D", "7D 2C", draw="9C 8C 6C")).does(A, attack("7S")).does(B, block("7D"))
    assert (table.hand(B), table.hand(A)) == (cards("2C 9C"), cards("8C 3D"))
    assert table.state.draw == cards("6C")


def test_H_8_one_card_left_goes_to_the_new_attacker() -> None:
    table = Played(lay("7S 3D", "7D 2C", draw="9C")).does(A, attack("7S")).does(B, block("7D"))
    assert (table.hand(B), table.hand(A), table.state.draw) == (cards("2C 9C"), cards("3D"), ())


def test_H_8_no_card_left_and_none_is_drawn() -> None:
    table = Played(lay("7S 3D", "7D 2C")).does(A, attack("7S")).does(B, block("7D"))
    assert (table.hand(B), table.hand(A)) == (cards("2C"), cards("3D"))


def test_H_9_a_haymaker_costs_two_cards() -> None:
    table = Played(lay("2S 3S 9D", "8C 4H 5H")).does(A, attack("2S 3S")).does(B, TakeHit())
    assert (len(table.hand(A)), len(table.hand(B))) == (3, 1)
    assert turn(table.state) == (Phase.ATTACK, A, True)


def test_H_9_with_one_card_it_is_a_knockout_and_the_card_is_kept() -> None:
    table = Played(lay("2S 3S 9D", "8C")).does(A, attack("2S 3S")).does(B, TakeHit())
    assert table.outcome == Outcome("knockout", (1, 2))
    assert table.hand(B) == cards("8C")
    assert table.facts == (HitTaken(B, asked=True), Ended("knockout", A))
    assert GAME.observe_public(table.state).attack == cards("2S 3S")


def test_H_9_the_last_card_pays_for_a_normal_hit() -> None:
    table = Played(lay("2S 9D", "8C")).does(A, attack("2S")).does(B, TakeHit())
    assert table.outcome is None
    assert (table.hand(A), table.hand(B)) == (cards("8C 9D"), ())


def test_H_10_a_defender_without_cards_is_not_asked() -> None:
    for played in ("2S", "2S 3S"):
        table = Played(lay("2S 3S 9D", "")).does(A, attack(played))
        assert table.outcome == Outcome("knockout", (1, 2))
        assert HitTaken(B, asked=False) in table.facts


def test_H_11_both_hands_empty_is_a_decision() -> None:
    table = empty_handed(19)
    assert table.outcome == Outcome("decision", (1, 2))
    assert len(table.discarded(A)) + len(table.discarded(B)) == 36
    assert empty_handed(17).outcome == Outcome("decision", (2, 1))


def test_H_11_equal_discard_piles_are_a_draw() -> None:
    table = empty_handed(18)
    assert table.outcome == Outcome("draw", (1, 1))
    assert there(table.outcome).is_draw


def empty_handed(first: int) -> Played:
    """Both players' last cards are played: A's 7♠ is blocked by B's 9♦. A's pile then has so many of the 36 cards."""
    rest = [card.code for card in PACK.cards if card.code not in ("7S", "9D", "AC", "2C", "3C", "4C")]
    piles = " ".join(rest[:first]), " ".join(rest[first:])
    return Played(lay("7S", "9D", discards=piles)).does(A, attack("7S")).does(B, block("9D"))


def test_H_11_an_attacker_without_cards_loses_by_technical_knockout() -> None:
    """B's last card turns the tables, and with the pile empty B has nothing to attack with."""
    table = Played(lay("2S 3S 9D", "5H")).does(A, attack("2S 3S")).does(B, block("5H"))
    assert table.outcome == Outcome("technical_knockout", (1, 2))
    assert table.hand(A) == cards("9D")


def test_H_11_the_check_comes_when_a_turn_begins_and_before_the_attack() -> None:
    table = Played(lay("2S 3S 9D", "5H")).does(A, attack("2S 3S")).does(B, block("5H"))
    assert table.facts[-2:] == (TurnBegun(B, may_pass=False), Ended("technical_knockout", A))
    assert GAME.window(table.state) is None


def test_H_11_a_defender_without_cards_is_no_end_yet() -> None:
    table = Played(lay("2S 9D", "8C")).does(A, attack("2S")).does(B, TakeHit())
    assert table.hand(B) == ()
    assert turn(table.state) == (Phase.ATTACK, A, True)


def test_H_12_cards_given_are_each_equally_likely() -> None:
    """Two of five cards: ten pairs, 4,000 hits; chi-squared over them, 27.9 being passed once in a thousand seeds."""
    state = lay("2S 3S 9D", "8C 4H 5H TH AD")
    attacked = Played(state).does(A, attack("2S 3S")).state
    pairs: Counter[frozenset[Card]] = Counter()
    for seed in range(4000):
        given = [fact for fact in Played(attacked, seed=seed).does(B, TakeHit()).facts if isinstance(fact, CardsGiven)]
        assert len(given) == 1
        pairs[frozenset(given[0].cards)] += 1
    assert len(pairs) == 10
    assert all(len(pair) == 2 for pair in pairs)
    assert sum((count - 400) ** 2 / 400 for count in pairs.values()) < 27.9


# ---------------------------------------------------------------------------------------------- the examples


def test_example_an_equal_block_is_a_reversal() -> None:
    table = Played(lay("7S 3D", "4C 3H 9D", draw="AC 2C TC TD")).does(A, attack("7S")).does(B, block("4C 3H"))
    assert len(table.discarded(B)) == 3
    assert (len(table.hand(A)), len(table.hand(B))) == (2, 2)
    assert turn(table.state) == (Phase.ATTACK, B, False)
    assert table.state.last == LastTurn(A, cards("7S"), "reversal", cards("4C 3H"))


def test_example_a_block_without_reversal() -> None:
    table = Played(lay("7S 3D", "9D 2C", draw="AC AD")).does(A, attack("7S")).does(B, block("9D"))
    assert len(table.discarded(A)) == 2
    assert turn(table.state) == (Phase.ATTACK, A, True)
    assert len(table.state.draw) == 2


def test_example_a_block_too_weak() -> None:
    refusal = Played(lay("7S 3D", "9D 2C")).does(A, attack("7S")).refuses(B, block("2C"))
    assert dict(refusal.values) == {"strength": 2, "needed": 7}


def test_example_a_blocked_haymaker_is_a_reversal() -> None:
    table = Played(lay("2S 9S 3D", "TC 5H 6D")).does(A, attack("2S 9S"))
    assert GAME.observe_public(table.state).strength == 11
    pick = table.choices.find("block")
    assert isinstance(pick, BlockPick)
    picked = (pick.hand.index(Card.of("TC")), pick.hand.index(Card.of("5H")))
    assert pick.step(picked).worth == {"strength": 15, "needed": 11, "reversal": 1}
    table.does(B, block("TC 5H"))
    assert turn(table.state) == (Phase.ATTACK, B, False)
    assert len(table.discarded(B)) == 4


def test_example_the_attackers_last_card_blocked_is_a_reversal() -> None:
    table = Played(lay("5S", "9D 2C", draw="AC AD")).does(A, attack("5S")).does(B, block("9D"))
    assert turn(table.state) == (Phase.ATTACK, B, False)
    assert len(table.discarded(B)) == 2


def test_example_a_hit_that_cannot_be_paid() -> None:
    table = Played(lay("2S 3S 9D", "8C")).does(A, attack("2S 3S")).does(B, TakeHit())
    assert table.outcome == Outcome("knockout", (1, 2))
    assert table.hand(B) == cards("8C")


def test_example_a_hit_costs_a_random_card() -> None:
    table = Played(lay("2S 9D", "8C 4H")).does(A, attack("2S")).does(B, TakeHit())
    assert len(table.hand(B)) == 1
    assert len(table.hand(A)) == 2
    assert table.discarded(A) == cards("2S")
    assert turn(table.state) == (Phase.ATTACK, A, True)


def test_example_two_suits() -> None:
    assert Played(lay("2S 4D", "8C")).refuses(A, attack("2S 4D")).ruling == "H-4"


def test_example_a_pass_in_the_first_turn() -> None:
    state = opened(4)
    assert Played(state).refuses(state.attacker, Pass()).ruling == "H-5"


def test_example_technical_knockout() -> None:
    """A's last card was blocked; B, having attacked since, gives the attack back by passing with the pile empty."""
    table = Played(lay("", "9D 8C", may_pass=True, attacker=B)).does(B, Pass())
    assert table.outcome == Outcome("technical_knockout", (2, 1))


@pytest.mark.parametrize(("first", "outcome"), [(19, ("decision", (1, 2))), (18, ("draw", (1, 1)))])
def test_example_decision(first: int, outcome: tuple[str, tuple[int, ...]]) -> None:
    assert empty_handed(first).outcome == Outcome(*outcome)


# ---------------------------------------------------------------------------------------------- what is told to whom


def test_a_card_given_for_a_hit_is_seen_by_both_players_and_counted_by_others() -> None:
    table = Played(lay("2S 9D", "8C 4H")).does(A, attack("2S")).does(B, TakeHit())
    given = next(fact for fact in table.facts if isinstance(fact, CardsGiven))
    assert given.audience() == frozenset({A, B})
    assert not hasattr(given.face(), "cards")
    assert given.face().count == 1


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("7S+3S", attack("7S 3S")),
        ("TH", attack("TH")),
        ("block 4C+3H", block("4C 3H")),
        ("hit", TakeHit()),
        ("pass", Pass()),
        ("keep 7S", Keep(Card.of("7S"))),
        ("resign", Resign()),
        ("time turn 5", TimeUp("turn", "5")),
    ],
)
def test_notation(text: str, action: Any) -> None:
    assert GAME.write(action) == text
    assert GAME.read(text) == action


@pytest.mark.parametrize(
    "text", ["", " ", "7S+", "7S 3S", "block", "block ", "keep", "keep 7S+3S", "PASS", "time turn"]
)
def test_notation_of_nothing(text: str) -> None:
    with pytest.raises(ValueError, match=r"action|card|Suit"):
        GAME.read(text)
