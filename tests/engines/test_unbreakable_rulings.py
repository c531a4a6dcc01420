"""Unbreakable ruling by ruling (docs/rulings/unbreakable.md), on tables laid out by hand. A is seat 0, B is seat 1."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.cards import Card, in_order
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, Deal
from engines.game import IllegalAction, Outcome, Resign, TimeUp, fold
from engines.options import NONE, OptionRefused, settled
from engines.unbreakable import (
    PACK,
    Discard,
    ExtraDrawn,
    Lay,
    Options,
    PairsShown,
    Phase,
    Reshuffled,
    State,
    Unbreakable,
    swift_discard,
    target_value,
)
from engines.unbreakable.facts import Chosen
from engines.unbreakable.rules import LayPick
from tests.known import there

GAME = Unbreakable()
A, B = 0, 1


def cards(codes: str) -> tuple[Card, ...]:
    """Cards from codes such as ``7S 3D``."""
    return tuple(Card.of(code) for code in codes.split())


def chance(seq: int = 1, seed: int = 0) -> Chance:
    table = Deal("unbreakable", 1, "G1", (NO_SALT,) * 2)
    return SeededChance(seed.to_bytes(32, "big"), table, seq, PACK.pack_id)


def opened(options: Options | None = None, seed: int = 0) -> State:
    start = GAME.start(options or Options(), 2)
    return fold(GAME, start, GAME.deal(start, chance(0, seed)))


def places(state: State) -> Counter[Card]:
    rows = (*state.hands, *state.weapons, state.deck, state.discards, (state.target,) if state.target else ())
    return Counter(card for row in rows for card in row)


def laid(
    target: str,
    a: str,
    b: str,
    *,
    turn: int | None = A,
    hands: tuple[str, str] = ("2C 3C", "2D 3D"),
    deck: str | None = None,
    attackers: int = 1,
    options: Options | None = None,
) -> State:
    """A round that waits for both choices: target and both weapon hands. What is not named lies in deck or discards."""
    named = {*cards(target), *cards(a), *cards(b), *cards(hands[0]), *cards(hands[1])}
    rest = tuple(card for card in PACK.cards if card not in named)
    top = rest if deck is None else cards(deck)
    return State(
        options or Options(),
        deck=top,
        discards=tuple(card for card in rest if card not in top),
        hands=(cards(hands[0]), cards(hands[1])),
        weapons=(cards(a), cards(b)),
        target=cards(target)[0],
        turn=turn,
        attackers=attackers,
        window=9,
        phase=Phase.CHOOSE,
    )


def does(state: State, seat: int | None, action: Any, seed: int = 0) -> tuple[State, list[Any]]:
    """Act, and check that no card is lost or doubled (C-3)."""
    facts = list(GAME.decide(state, seat, action, chance(seed=seed)))
    after = fold(GAME, state, facts)
    assert places(after) == places(state)
    return after, facts


def plays(state: State, a: str, b: str) -> tuple[State, list[Any]]:
    """Both put a weapon card away; the state after the round, and what followed from the second choice."""
    after, _ = does(state, A, Discard(Card.of(a)))
    return does(after, B, Discard(Card.of(b)))


def refused(state: State, seat: int, action: Any) -> tuple[str, str]:
    with pytest.raises(IllegalAction) as caught:
        GAME.decide(state, seat, action, chance())
    return caught.value.refusal.ruling, caught.value.refusal.key


# ---------------------------------------------------------------------------------------------- set-up and options


def test_setup_is_exact_to_the_card() -> None:
    state = opened()
    assert [len(hand) for hand in state.hands] == [5, 5]
    assert [len(hand) for hand in state.weapons] == [3, 3]
    assert state.target is not None
    assert len(state.deck) == 52 - 10 - 1 - 6
    assert places(state) == Counter(PACK.cards)


def test_dealing_alternates_with_the_dealers_opponent_first() -> None:
    state = opened()
    deck = chance(0).deck(PACK.cards)
    assert set(state.hands[1 - state.dealer]) == set(deck[0:10:2])
    assert set(state.hands[state.dealer]) == set(deck[1:10:2])
    assert state.target == deck[10]
    assert set(state.weapons[1 - state.dealer]) == set(deck[11:17:2])


@pytest.mark.parametrize("cards_held", [2, 7])
def test_the_match_hand_is_an_option(cards_held: int) -> None:
    assert [len(hand) for hand in opened(Options(match_hand=cards_held)).hands] == [cards_held] * 2


@pytest.mark.parametrize("wrong", [{"match_hand": 1}, {"match_hand": 8}, {"turn_limit": 21}, {"pace": "slow"}])
def test_options_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(OptionRefused):
        Options(**wrong)


def test_the_preset_short_is_three_cards_swift_and_thirty_attackers() -> None:
    assert GAME.info.presets["short"] == Options(match_hand=3, turn_limit=200)


def test_it_is_a_game_for_two() -> None:
    with pytest.raises(ValueError, match="two"):
        GAME.start(Options(), 3)


# ---------------------------------------------------------------------------------------------- rulings


def test_U_0_old_weapons_go_then_the_attacker_lies_then_new_weapons_are_dealt() -> None:
    after, _ = plays(laid("7S", "5D AC KH", "9S TH 6C"), "KH", "TH")
    assert after.phase is Phase.LAY
    assert after.weapons == ((), ())
    attacker = after.hands[B][0]
    dealt, facts = does(after, B, Lay((attacker,)))
    assert type(facts[0]).__name__ == "AttackerLaid"
    assert dealt.target == attacker
    assert [len(hand) for hand in dealt.weapons] == [3, 3]


def test_U_1_nothing_is_shown_until_both_have_chosen_and_a_choice_can_be_changed_until_then() -> None:
    state = laid("7S", "5D AC KH", "9S TH 6C")
    once, facts = does(state, A, Discard(Card.of("AC")))
    assert not any(isinstance(fact, PairsShown) for fact in facts)
    window = there(GAME.window(once))
    assert (set(window.may_act), set(window.awaited), window.number) == ({A, B}, {B}, 9)
    assert GAME.observe_public(once).chosen == (True, False)
    changed, _ = does(once, A, Discard(Card.of("KH")))
    shown, facts = does(changed, B, Discard(Card.of("TH")))
    (pairs,) = [fact for fact in facts if isinstance(fact, PairsShown)]
    assert set(pairs.first) == set(cards("5D AC"))
    assert refused(shown, A, Discard(Card.of("AC")))[1] == "unbreakable.refusal.no_choice_now"


def test_U_1_only_a_weapon_of_ones_own_can_be_put_away() -> None:
    state = laid("7S", "5D AC KH", "9S TH 6C")
    assert refused(state, A, Discard(Card.of("TH"))) == ("U-1", "unbreakable.refusal.not_a_weapon")
    assert refused(state, A, Discard(Card.of("2C"))) == ("U-1", "unbreakable.refusal.not_a_weapon")


@pytest.mark.parametrize(
    ("a", "b", "put"), [("5H AC KH", "9H TH QC", ("AC", "TH")), ("4H AC KH", "3H 2H QC", ("KH", "QC"))]
)
def test_U_2_equal_distances_on_the_chooser_turn_a_new_one(a: str, b: str, put: tuple[str, str]) -> None:
    target = "7S" if put[0] == "AC" else "5S"
    after, facts = plays(laid(target, a, b, turn=None, attackers=0), *put)
    assert next(fact for fact in facts if isinstance(fact, PairsShown)).winner is None
    assert after.turn is None
    assert there(after.target) != Card.of(target)
    assert [len(hand) for hand in after.weapons] == [3, 3]
    assert Card.of(target) in after.discards
    assert after.undecided == (A, B)


def test_U_2_equal_distances_on_an_attacker_discard_it() -> None:
    after, _ = plays(laid("7S", "2H 3H KH", "4H 5H KC"), "KH", "KC")
    assert Card.of("7S") in after.discards
    assert after.turn == B


def test_U_3_against_a_court_card_the_highest_sum_wins_and_nobody_knocks_out() -> None:
    assert [target_value(Card.of(code)) for code in ("JS", "QS", "KS", "AS", "TS")] == [100, 100, 100, 1, 10]
    after, facts = plays(laid("QS", "TD 9D 2H", "8D TH 2S"), "2H", "2S")
    shown = next(fact for fact in facts if isinstance(fact, PairsShown))
    assert (shown.winner, shown.knockout) == (A, False)
    assert Card.of("QS") in after.hands[B]
    even, _ = plays(laid("QS", "TD 9D 2H", "9H TH 2S"), "2H", "2S")
    assert Card.of("QS") in even.discards


def test_U_4_whoever_is_farther_away_takes_the_attacker_also_its_owner() -> None:
    after, _ = plays(laid("7S", "5D AC KH", "9S TH 6C"), "KH", "6C")
    assert Card.of("7S") in after.hands[B]
    assert after.known[B] == cards("7S")
    back, _ = plays(laid("7S", "9S TH 6C", "5D AC KH"), "6C", "KH")
    assert Card.of("7S") in back.hands[A]


def test_U_5_a_knockout_costs_the_loser_the_attacker_and_a_card_only_the_loser_sees() -> None:
    state = laid("7S", "9S TH 6C", "6D AC KH", deck="5C 5D 5H 5S 8C 8D 8H")
    after, facts = plays(state, "6C", "KH")
    (extra,) = [fact for fact in facts if isinstance(fact, ExtraDrawn)]
    assert (extra.seat, extra.card) == (A, Card.of("5C"))
    assert extra.audience() == {A}
    assert {Card.of("7S"), Card.of("5C")} <= set(after.hands[A])
    assert Card.of("5C") not in after.known[A]


@pytest.mark.parametrize(
    ("a", "b", "put", "winner", "knockout"),
    [
        ("9S TH 6C", "6D AC KH", ("6C", "KH"), B, True),
        ("6D AC KH", "9S TH 6C", ("KH", "6C"), A, True),
        ("5D AC KH", "9S TH 6C", ("KH", "6C"), A, False),
        ("6D AC KH", "6H AS TH", ("KH", "TH"), None, False),
    ],
    ids=["B knocks out", "A knocks out", "A is closer", "both are exact"],
)
def test_U_5_the_pairs_are_shown_with_who_was_closer_and_whether_it_was_a_knockout(
    a: str, b: str, put: tuple[str, str], winner: int | None, knockout: bool
) -> None:
    _, facts = plays(laid("7S", a, b), *put)
    (pairs,) = [fact for fact in facts if isinstance(fact, PairsShown)]
    assert (pairs.winner, pairs.knockout) == (winner, knockout)


def test_U_5_a_knockout_on_the_chooser_costs_the_chooser_alone() -> None:
    after, facts = plays(laid("5S", "4H AC KH", "5H 9H KC", turn=None, attackers=0), "KH", "KC")
    assert Card.of("5S") in after.hands[B]
    assert not any(isinstance(fact, ExtraDrawn) for fact in facts)
    assert after.turn == A


@pytest.mark.parametrize(
    ("target", "a", "b", "put", "first"),
    [("7S", "AH 3H KH", "3S 5H KC", ("KH", "KC"), B), ("2S", "JH KD 9H", "2H 3H KC", ("9H", "KC"), A)],
)
def test_the_closest_to_the_chooser_goes_first_and_it_is_discarded(
    target: str, a: str, b: str, put: tuple[str, str], first: int
) -> None:
    after, _ = plays(laid(target, a, b, turn=None, attackers=0, hands=("2C 3C", "2D 3D")), *put)
    assert (after.turn, after.phase) == (first, Phase.LAY)
    assert Card.of(target) in after.discards


@pytest.mark.parametrize("put", [("KH", "TH"), ("5D", "9S")])
def test_U_6_turns_alternate_whatever_comes_of_an_attacker(put: tuple[str, str]) -> None:
    after, _ = plays(laid("7S", "5D AC KH", "9S TH 6C"), *put)
    assert after.turn == B


def test_U_7_a_match_hand_that_is_empty_after_the_round_wins() -> None:
    state = laid("7S", "2H 3H KH", "4H 5H KC", hands=("", "2D 3D"))
    after, _ = plays(state, "KH", "KC")
    assert GAME.outcome(after) == Outcome("unbreakable", (1, 2))
    assert GAME.window(after) is None


def test_U_7_a_hand_that_is_empty_only_while_its_last_card_lies_ends_nothing() -> None:
    state = laid("7S", "9S TH 6C", "5D AC KH", hands=("", "2D 3D"))
    assert GAME.window(state) is not None
    after, _ = plays(state, "6C", "KH")
    assert after.hands[A] == cards("7S")
    assert GAME.outcome(after) is None


def test_U_8_an_empty_deck_is_made_anew_of_the_discards_and_of_nothing_else() -> None:
    state = laid("7S", "5D AC KH", "9S TH 6C", deck="4S 4H")
    turn, _ = plays(state, "KH", "TH")
    after, facts = does(turn, B, Lay(turn.hands[B][:1]))
    (shuffled,) = [fact for fact in facts if isinstance(fact, Reshuffled)]
    assert set(shuffled.cards) == set(turn.discards)
    assert shuffled.audience() == frozenset()
    assert [len(hand) for hand in after.weapons] == [3, 3]


def test_C_1_the_first_new_deck_of_an_act_is_shuffled_by_the_chance_of_that_name() -> None:
    turn, _ = plays(laid("7S", "5D AC KH", "9S TH 6C", deck="4S 4H"), "KH", "TH")
    _, facts = does(turn, B, Lay(turn.hands[B][:1]))
    (shuffled,) = [fact for fact in facts if isinstance(fact, Reshuffled)]
    assert shuffled.cards == chance().use("reshuffle1").shuffled(in_order(turn.discards))


def short_of_cards(weapons: tuple[str, str], target: str, hands: tuple[str, str]) -> State:
    """A round in which all other cards lie in the match hands: nothing in deck and discards."""
    used = {*cards(weapons[0]), *cards(weapons[1]), *cards(target), *cards(hands[0]), *cards(hands[1])}
    rest = [card for card in PACK.cards if card not in used]
    mine, theirs = tuple(rest[0::2]), tuple(rest[1::2])
    return State(
        Options(),
        hands=((*cards(hands[0]), *mine), (*cards(hands[1]), *theirs)),
        weapons=(cards(weapons[0]), cards(weapons[1])),
        target=cards(target)[0],
        turn=A,
        attackers=3,
        window=9,
    )


def test_U_9_without_cards_for_an_extra_card_none_is_drawn() -> None:
    state = short_of_cards(("9S TH 6C", "6D AC KH"), "7S", ("", ""))
    after, facts = plays(state, "6C", "KH")
    assert not any(isinstance(fact, ExtraDrawn) for fact in facts)
    assert Card.of("7S") in after.hands[A]


def test_U_9_without_cards_for_two_weapon_hands_the_smaller_match_hand_wins() -> None:
    state = State(
        Options(),
        hands=(PACK.cards[:20], PACK.cards[20:46]),
        weapons=(PACK.cards[46:48], PACK.cards[48:50]),
        deck=PACK.cards[50:51],
        target=PACK.cards[51],
        turn=A,
        attackers=3,
        window=9,
    )
    first, _ = does(state, A, Discard(PACK.cards[46]))
    after, _ = does(first, B, Discard(PACK.cards[48]))
    assert GAME.outcome(after) is not None
    assert GAME.outcome(after) == Outcome("decision", (1, 2))


def test_U_10_after_the_limit_the_smaller_match_hand_wins_or_it_is_a_draw() -> None:
    options = Options(turn_limit=20)
    less, _ = plays(
        laid("7S", "2H 3H KH", "4H 5H KC", attackers=20, options=options, hands=("2C", "2D 3D")), "KH", "KC"
    )
    assert GAME.outcome(less) == Outcome("decision", (1, 2))
    other, _ = plays(
        laid("7S", "4H 5H KC", "2H 3H KH", attackers=20, options=options, hands=("2C 3C", "2D")), "KC", "KH"
    )
    assert GAME.outcome(other) == Outcome("decision", (2, 1))
    even, _ = plays(laid("7S", "2H 3H KH", "4H 5H KC", attackers=20, options=options), "KH", "KC")
    assert GAME.outcome(even) == Outcome("draw", (1, 1))
    before, _ = plays(laid("7S", "2H 3H KH", "4H 5H KC", attackers=19, options=options), "KH", "KC")
    assert GAME.outcome(before) is None


@pytest.mark.parametrize(("pace", "limit"), [("classic", 100), ("swift", 200)])
def test_U_10_the_usual_limit_is_that_of_the_pace(pace: str, limit: int) -> None:
    options = Options(pace=pace)
    assert options.limit == limit
    hands = ("2C", "2D 3D")
    for attackers, ended in ((limit - 1, False), (limit, True)):
        table = laid("7S", "2H 3H KH", "4H 5H KC", attackers=attackers, options=options, hands=hands)
        assert (GAME.outcome(plays(table, "KH", "KC")[0]) is not None) == ended


def test_U_10_the_usual_limit_is_settled_when_the_challenge_is_made() -> None:
    assert settled(Options()) == Options(turn_limit=100)
    assert settled(Options(pace="swift")) == Options(turn_limit=200, pace="swift")
    assert settled(Options(turn_limit=NONE)) == Options(turn_limit=NONE)
    assert settled(Options(turn_limit=100, pace="swift")) == Options(turn_limit=100, pace="swift")


def test_U_10_without_a_limit_no_attacker_is_the_last() -> None:
    endless = laid("7S", "2H 3H KH", "4H 5H KC", attackers=100_000, options=Options(turn_limit=NONE))
    assert GAME.outcome(plays(endless, "KH", "KC")[0]) is None


def test_U_10_the_limit_is_even() -> None:
    for odd in (21, 999, 18, 1002):
        with pytest.raises(OptionRefused):
            Options(turn_limit=odd)


# ---------------------------------------------------------------------------------------------- swift, time, leaving


@pytest.mark.parametrize(
    ("hand", "target", "put"),
    [
        ("5D AC KH", "7S", "KH"),
        ("9S TH 6C", "7S", "TH"),
        ("2S 2H 2D", "4S", "2S"),
        ("JD JH KS", "9S", "JH"),
        ("JD QH KS", "3S", "JD"),
    ],
)
def test_swift_keeps_the_closest_pair_ties_by_rank_then_suit(hand: str, target: str, put: str) -> None:
    assert swift_discard(cards(hand), Card.of(target)) == Card.of(put)


def test_swift_asks_only_for_attackers() -> None:
    state = opened(Options(pace="swift"))
    assert state.phase is Phase.LAY
    assert there(GAME.window(state)).awaited == {state.turn}


def test_swift_puts_away_a_card_for_each_player_and_shows_pairs() -> None:
    start = GAME.start(Options(pace="swift"), 2)
    facts = list(GAME.deal(start, chance(0)))
    chosen = [fact for fact in facts if isinstance(fact, Chosen)]
    pairs = [fact for fact in facts if isinstance(fact, PairsShown)]
    assert [fact.seat for fact in chosen] == [A, B] * len(pairs)
    assert {len(pair) for fact in pairs for pair in (fact.first, fact.second)} == {2}


def test_one_card_is_picked_to_attack_so_its_order_says_nothing() -> None:
    turn, _ = plays(laid("7S", "5D AC KH", "9S TH 6C"), "KH", "TH")
    (pick,) = GAME.choices(turn, B)
    assert isinstance(pick, LayPick)
    assert not pick.ordered


def test_time_up_for_one_loses_and_for_both_is_a_draw() -> None:
    state = laid("7S", "5D AC KH", "9S TH 6C")
    up = TimeUp("turn", "9")
    both, _ = does(state, None, up)
    assert GAME.outcome(both) == Outcome("time", (1, 1))
    chosen, _ = does(state, A, Discard(Card.of("KH")))
    one, _ = does(chosen, None, up)
    assert GAME.outcome(one) == Outcome("time", (1, 2))
    assert refused(state, A, up) == ("C-5", "refusal.time_is_not_up")


def test_resigning_gives_the_match_to_the_other() -> None:
    state = laid("7S", "5D AC KH", "9S TH 6C")
    for seat, ranks in ((A, (2, 1)), (B, (1, 2))):
        after, _ = does(state, seat, Resign())
        assert GAME.outcome(after) == Outcome("resignation", ranks)


def test_acts_out_of_turn_are_refused() -> None:
    state = laid("7S", "5D AC KH", "9S TH 6C")
    assert refused(state, A, Lay(cards("2C"))) == ("C-0", "unbreakable.refusal.no_attacker_now")
    turn, _ = plays(state, "KH", "TH")
    assert refused(turn, A, Lay(cards("2C"))) == ("C-0", "refusal.not_your_turn")
    assert refused(turn, B, Lay(cards("KC"))) == ("C-3", "refusal.card_not_held")
    assert refused(turn, B, Lay(()))[1] == "unbreakable.refusal.no_card"
    assert refused(turn, B, Lay(turn.hands[B]))[1] == "unbreakable.refusal.one_card"
