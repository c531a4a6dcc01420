"""Champions of Chance ruling by ruling (docs/rulings/champions.md): the game itself, ties, the blind dice.

Leaving is in test_champions_leaving.py, the expansions in test_champions_expansions.py. A is seat 0, B is seat 1.
"""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engines.champions import (
    PACKS,
    BattleTied,
    BattleWon,
    Call,
    Called,
    Card,
    CardDrawn,
    CardGiven,
    Challenge,
    Decline,
    DieDrawn,
    DiePick,
    DieSeen,
    DieSelected,
    DieSized,
    Ended,
    Exchange,
    ExchangeChosen,
    ExchangePick,
    NameNumber,
    Options,
    Phase,
    Reshuffled,
    Rolled,
    Sealed,
    Select,
    TurnBegun,
)
from engines.game import Act, Choices, Outcome, Refusal, Resign, TimeUp, seen_by
from engines.options import OptionRefused
from tests.engines.champions_table import (
    BASE,
    GAME,
    HIGHEST,
    LOWEST,
    WACKY,
    A,
    B,
    C,
    D,
    Played,
    exchange,
    lay,
    names,
    opened,
    roll,
    select,
    tied,
)
from tests.known import there

# ---------------------------------------------------------------------------------------------- set-up


def test_K_1_each_number_is_there_six_times() -> None:
    for icons in (False, True):
        pack = PACKS[icons, False].cards
        assert len(pack) == len(set(pack)) == 36
        assert Counter(card.number for card in pack) == dict.fromkeys(range(1, 7), 6)
        assert not any(card.special for card in pack)


@pytest.mark.parametrize(
    ("numbers", "icons"), [((1, 6), [2, 2, 2, 2, 3, 3]), ((2, 5), [2, 2, 3, 3, 4, 4]), ((3, 4), [3, 3, 4, 4, 4, 4])]
)
def test_K_1_the_icons_of_a_number(numbers: tuple[int, int], icons: list[int]) -> None:
    for number in numbers:
        assert sorted(card.icons for card in PACKS[True, False].cards if card.number == number) == icons


def test_K_1_the_wacky_cards() -> None:
    wacky = [card for card in PACKS[True, True].cards if card.special]
    assert len(PACKS[True, True].cards) == 54
    shown = {n: " ".join(c.special.value for c in wacky if c.number == n and c.special) for n in range(1, 7)}
    assert shown == {
        1: "INVERT STEAL BEGGAR",
        2: "TIEBREAK INVERT NUMBERLESS",
        3: "STEAL TIEBREAK BEGGAR",
        4: "INVERT STEAL NUMBERLESS",
        5: "TIEBREAK BEGGAR INVERT",
        6: "STEAL TIEBREAK NUMBERLESS",
    }
    assert all([card.icons for card in wacky if card.number == number] == [2, 3, 4] for number in range(1, 7))


def test_K_1_every_player_is_dealt_six_and_the_rest_is_the_draw_pile() -> None:
    for seats, wacky in itertools.product(range(2, 6), (False, True)):
        state = opened(3, seats, Options(wacky_numbers=wacky))
        assert [len(deck) for deck in state.decks] == [6] * seats
        assert len(state.draw) == (54 if wacky else 36) - 6 * seats
        assert state.discards == ()


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_it_is_a_game_for_two_to_five(seats: int) -> None:
    with pytest.raises(ValueError, match="two to five"):
        GAME.start(BASE, seats)


def test_options_take_what_they_take() -> None:
    for die in ("chosen", "blind", "soft_blind"):
        assert Options(die=die).die == die
    with pytest.raises(OptionRefused):
        Options(die="loaded")
    assert Options() == Options("chosen", victory_dice=False, wacky_numbers=False, icon_tiebreak=False)


def test_C_7_cards_are_named_by_number_icons_where_they_count_and_special() -> None:
    assert {card.name for card in PACKS[False, False].cards} == set("123456")
    assert "4·3" in {card.name for card in PACKS[True, False].cards}
    assert "4⚡STEAL" in {card.name for card in PACKS[False, True].cards}
    assert "4·3⚡STEAL" in {card.name for card in PACKS[True, True].cards}
    for pack in PACKS.values():
        assert all(Card.of(card.code) == card and card.code.isascii() for card in pack.cards)


# ---------------------------------------------------------------------------------------------- the order of a battle


def test_a_battle_goes_by_opponent_number_selection_challenge_roll() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1"))
    assert (table.state.phase, table.awaited) == (Phase.OPPONENT, {A})
    assert table.choices(A).offers == (Act("battle1", Challenge(B)), Act("battle2", Challenge(C)))
    table.does(A, Challenge(C))
    assert (table.state.phase, table.awaited) == (Phase.NUMBER, {C})
    assert table.verbs(C) == ["number2", "number3", "number4", "number5", "number6"]
    table.does(C, NameNumber(2))
    assert (table.state.phase, table.awaited) == (Phase.DICE, {A, C})
    assert table.choices(B) == Choices()
    table.does(C, select(table, C, "1 1"))
    assert (table.state.phase, table.awaited) == (Phase.DICE, {A})
    table.does(A, select(table, A, "1 3"))
    assert (table.state.phase, table.awaited) == (Phase.CALL, {A})
    assert table.verbs(A) == ["highest", "lowest"]
    table.does(A, LOWEST)
    assert isinstance(table.facts[0], Called)
    (rolled,) = table.told(Rolled)
    assert rolled.cards[0].number in (1, 3)
    assert rolled.cards[1].number == 1


@pytest.mark.parametrize("number", [-1, 0, 1, 7])
def test_the_number_is_two_to_six(number: int) -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1")).does(A, Challenge(B))
    told = Refusal("C-0", "champions.refusal.number", {"least": 2, "most": 6})
    assert table.refuses(B, NameNumber(number)) == told


def test_who_can_be_named() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1", "2 2"))
    for nobody in (-1, A, 4):
        assert table.refuses(A, Challenge(nobody)) == Refusal("C-0", "champions.refusal.no_opponent")
    table.does(B, Resign())
    assert table.refuses(A, Challenge(B)) == Refusal("C-4", "champions.refusal.opponent_left")
    assert table.verbs(A) == ["battle2", "battle3"]


def test_nobody_is_asked_where_there_is_nothing_to_choose() -> None:
    two = Played(opened(1))
    assert two.state.phase is Phase.NUMBER, "there is one opponent"
    table = Played(lay("1 2 3", "4 5", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(2))
    assert [fact.cards for fact in table.told(DieSelected)] == [table.state.decks[B]]
    assert table.awaited == {A}, "B's die is the whole deck"
    table = Played(lay("1 2", "4 5", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(6))
    assert (table.state.phase, table.awaited) == (Phase.CALL, {A})
    table = Played(lay("1 2", "4 5", "1 1 1")).does(C, Resign())
    assert (table.state.phase, table.awaited) == (Phase.NUMBER, {B}), "there is one opponent left"


def test_C_0_only_an_answer_to_the_question_is_taken() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1"))
    one = table.state.decks[A][:1]
    acts: dict[str, Any] = {
        "opponent": Challenge(B),
        "number": NameNumber(2),
        "dice": Select(one),
        "call": HIGHEST,
        "steal": Decline(),
        "exchange": Exchange(one),
    }
    for kind, act in acts.items():
        if kind != "opponent":
            assert table.refuses(A, act) == Refusal("C-0", "champions.refusal.asked_opponent")
        assert table.refuses(B, act) == Refusal("C-0", "refusal.not_your_turn")
        assert table.refuses(3, act).key == "refusal.not_seated"
        assert table.refuses(None, act).key == "refusal.not_seated"
    table.does(A, Challenge(B))
    assert table.refuses(B, HIGHEST).key == "champions.refusal.asked_number"
    table.does(B, NameNumber(2))
    assert table.refuses(B, HIGHEST).key == "champions.refusal.asked_dice"
    assert table.refuses(C, Select(one)).key == "refusal.not_your_turn"
    table.does(A, Resign()).does(B, Resign())
    assert table.refuses(C, Challenge(B)).key == "refusal.match_over"
    assert table.refuses(None, TimeUp("turn", "7")).key == "refusal.match_over"


# ---------------------------------------------------------------------------------------------- the selection


def test_K_2_the_selection_is_final() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(2))
    table.does(B, select(table, B, "4 5"))
    assert table.choices(B) == Choices()
    assert table.refuses(B, select(table, B, "4 6")) == Refusal("K-2", "champions.refusal.chosen")
    table.does(A, select(table, A, "1 2"))
    for seat in (A, B):
        assert table.refuses(seat, Select(table.state.decks[seat][:2])).ruling == "C-0"


def test_C_0_a_battler_out_of_turn_is_refused_as_out_of_turn() -> None:
    table = Played(roll("3 1 2", "5 6 4", "1 1"))
    assert table.state.phase is Phase.CALL
    assert table.awaited == {A}
    assert table.refuses(B, HIGHEST) == Refusal("C-0", "refusal.not_your_turn")


def test_K_2_the_selections_are_made_at_the_same_time_and_in_secret() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(2))
    before = GAME.window(table.state)
    table.does(B, select(table, B, "4 5"))
    after = GAME.window(table.state)
    assert before is not None
    assert after is not None
    assert (before.number, before.timers) == (after.number, after.timers), "B's answer does not restart A's time"
    (made,) = table.facts
    assert [seen_by(made, viewer) for viewer in (A, C, None)] == [DieSized(B, 2)] * 3
    assert names(GAME.observe(table.state, B).own.die) == ["4", "5"]
    assert GAME.observe(table.state, A).own.die == ()
    assert there(GAME.observe_public(table.state).battle).sizes == (0, 2)


def test_K_2_a_die_has_the_numbers_cards() -> None:
    table = Played(lay("1 2 3 4", "4 5 6", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(3))
    too_few = Refusal("K-2", "champions.refusal.die_too_small", {"size": 3, "picked": 2})
    too_many = Refusal("K-2", "champions.refusal.die_too_large", {"size": 3})
    assert table.refuses(A, select(table, A, "1 2")) == too_few
    assert table.refuses(A, select(table, A, "1 2 3 4")) == too_many
    (pick,) = table.choices(A)
    assert isinstance(pick, DiePick)
    assert pick.step((0, 1)).unfinished == too_few
    assert pick.step((0, 1)).addable[2:] == (None, None)
    full = pick.step((0, 1, 3))
    assert full.unfinished is None
    assert full.addable[2] == too_many
    assert full.worth == {"picked": 3, "size": 3}


def test_C_3_only_held_cards_are_selected_and_each_once() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(2))
    four, one = table.state.decks[B][0], table.state.decks[A][0]
    assert table.refuses(A, Select((four, one))) == Refusal("C-3", "refusal.card_not_held", {"card": "4"})
    assert table.refuses(A, Select((one, one))) == Refusal("C-3", "refusal.card_twice", {"card": "1"})


# ---------------------------------------------------------------------------------------------- ties


def test_K_3_on_a_tie_both_exchange_in_secret_at_the_same_time() -> None:
    table = tied()
    assert table.told(BattleTied) == [BattleTied(specials=False)]
    assert (table.state.phase, table.awaited) == (Phase.EXCHANGE, {A, B})
    draw = table.state.draw
    chosen = exchange(table, B, "6")
    table.does(B, chosen)
    assert table.facts == (ExchangeChosen(B, chosen.cards[0]),)
    assert [seen_by(table.facts[0], viewer) for viewer in (A, C, None)] == [Sealed(B)] * 3
    assert table.deck(B) == ["4", "5", "6"], "nothing moves before both have chosen"
    assert table.refuses(B, exchange(table, B, "5")) == Refusal("K-2", "champions.refusal.chosen")
    foreign = Exchange((table.state.decks[B][0],))
    assert table.refuses(A, foreign) == Refusal("C-3", "refusal.card_not_held", {"card": "4"})
    table.does(A, exchange(table, A, "1"))
    assert [(fact.seat, fact.card) for fact in table.told(CardDrawn)] == [(A, draw[0]), (B, draw[1])]
    assert {card.number for card in table.state.discards} == {1, 6}
    assert [len(deck) for deck in table.state.decks] == [3, 3, 3]
    assert table.told(TurnBegun) == [TurnBegun(B)]


def test_K_3_a_revealed_card_may_be_exchanged() -> None:
    table = tied()
    (pick,) = table.choices(A)
    assert isinstance(pick, ExchangePick)
    assert names(pick.hand) == ["1", "2", "4"]
    table.does(A, exchange(table, A, "4")).does(B, exchange(table, B, "4"))
    assert names(table.state.discards) == ["4", "4"]


def test_K_3_each_battler_knows_only_what_it_gave_and_drew() -> None:
    table = tied()
    table.does(A, exchange(table, A, "1")).does(B, exchange(table, B, "6"))
    for fact in (*table.told(CardGiven), *table.told(CardDrawn)):
        assert fact.audience() == {fact.seat}
        assert not hasattr(seen_by(fact, None), "card")
    assert GAME.observe_public(table.state).discards == 2


def test_K_3_it_is_one_card() -> None:
    table = tied()
    told = Refusal("K-3", "champions.refusal.exchange_one")
    assert table.refuses(A, Exchange(())) == told
    assert table.refuses(A, Exchange(table.state.decks[A][:2])) == told
    (pick,) = table.choices(A)
    assert isinstance(pick, ExchangePick)
    assert pick.step(()).unfinished == told
    assert pick.step((0,)).addable[1:] == (told, told)


def test_K_3_the_only_card_there_is_is_exchanged_unasked() -> None:
    table = tied(a="4")
    assert table.awaited == {B}
    assert table.told(ExchangeChosen)[0].seat == A
    table.does(B, exchange(table, B, "5"))
    assert len(table.state.decks[A]) == 1


def test_K_4_an_empty_draw_pile_is_made_of_the_discards() -> None:
    table = tied(draw="", discards="3 3 3")
    table.does(A, exchange(table, A, "1")).does(B, exchange(table, B, "6"))
    (shuffled,) = table.told(Reshuffled)
    assert names(shuffled.draw) == ["1", "3", "3", "3", "6"], "what was exchanged is in it"
    assert shuffled.audience() == frozenset()
    assert (len(table.state.draw), table.state.discards) == (3, ())
    kinds = [type(fact) for fact in table.facts]
    assert kinds.index(CardGiven) < kinds.index(Reshuffled) < kinds.index(CardDrawn)


def test_K_4_the_pile_may_run_out_between_the_two_draws() -> None:
    table = tied(draw="3")
    table.does(A, exchange(table, A, "1")).does(B, exchange(table, B, "6"))
    kinds = [type(fact) for fact in table.facts if isinstance(fact, CardDrawn | Reshuffled)]
    assert kinds == [CardDrawn, Reshuffled, CardDrawn]
    assert table.deck(A) == ["2", "3", "4"]
    assert len(table.state.draw) == 1


def test_K_4_with_both_piles_empty_a_tie_changes_nothing() -> None:
    table = tied(draw="")
    assert [table.deck(seat) for seat in (A, B)] == [["1", "2", "4"], ["4", "5", "6"]]
    assert table.told(TurnBegun) == [TurnBegun(B)]


# ---------------------------------------------------------------------------------------------- results, the end, turns


def test_K_5_the_winners_card_is_discarded_and_the_losers_returns() -> None:
    table = Played(roll("5 1 2", "3 6", "1 1")).does(A, HIGHEST)
    assert table.told(BattleWon) == [BattleWon(A, B, table.state.discards[0], "number")]
    assert (table.deck(A), table.deck(B)) == (["1", "2"], ["3", "6"])
    assert names(table.state.discards) == ["5"]


def test_K_5_a_player_out_of_cards_wins() -> None:
    table = Played(roll("5", "3 6", "1 1")).does(A, HIGHEST)
    assert table.outcome == Outcome("out_of_cards", (1, 2, 2))
    assert GAME.window(table.state) is None
    table = Played(roll("5 6", "3", "1 1")).does(A, LOWEST)
    assert table.outcome == Outcome("out_of_cards", (2, 1, 2)), "also one who was challenged"


def test_K_5_two_empty_decks_share_the_win() -> None:
    table = Played(roll("4!NUMBERLESS", "6!NUMBERLESS", "1 1", options=WACKY)).does(A, HIGHEST)
    assert table.outcome == Outcome("out_of_cards_shared", (1, 1, 3))
    table = Played(roll("4!NUMBERLESS", "6!NUMBERLESS", options=WACKY)).does(A, HIGHEST)
    assert table.outcome == Outcome("out_of_cards_shared", (1, 1))


def test_K_6_the_turn_goes_round_by_seat() -> None:
    table = Played(roll("5 1 2", "3 6", "1 1", "2 2")).does(A, HIGHEST)
    assert table.told(TurnBegun) == [TurnBegun(B)]
    last = replace(roll("5 1 2", "3 6", "1 1", "2 2"), challenger=D)
    assert last.battle is not None
    table = Played(replace(last, battle=replace(last.battle, opponent=B, dice=(last.decks[D][:1], last.decks[B][:1]))))
    assert table.does(D, HIGHEST).told(TurnBegun) == [TurnBegun(A)]


# ---------------------------------------------------------------------------------------------- blind dice


def blind(die: str, **laid: Any) -> Played:
    state = lay("1 2 3 4", "3 4 5 6", "1 1 1", options=Options(die=die), **laid)
    return Played(state).does(A, Challenge(B)).does(B, NameNumber(2))


def test_K_7_blind_dice_are_drawn_and_nobody_sees_them() -> None:
    table = blind("blind")
    assert (table.state.phase, table.awaited) == (Phase.CALL, {A})
    drawn = table.told(DieDrawn)
    assert [(fact.seat, len(fact.cards)) for fact in drawn] == [(A, 2), (B, 2)]
    assert all(fact.audience() == frozenset() for fact in drawn)
    assert all(set(fact.cards) <= set(table.state.decks[fact.seat]) for fact in drawn)
    assert [GAME.observe(table.state, seat).own.die for seat in (A, B)] == [(), ()]


def test_K_7_a_blind_die_cannot_be_told_from_another() -> None:
    """Its owner knows the deck; so what is hidden is which of its cards were drawn."""
    state = blind("blind").state
    views = set()
    for pair in itertools.combinations(state.decks[A], 2):
        assert state.battle is not None
        other = replace(state, battle=replace(state.battle, dice=(pair, state.battle.dice[1])))
        views.add(repr([(GAME.observe(other, seat), GAME.choices(other, seat)) for seat in range(3)]))
    assert len(views) == 1


def test_K_7_a_blind_die_is_seen_by_its_owner_once_rolled() -> None:
    table = blind("blind")
    dice = {fact.seat: fact.cards for fact in table.told(DieDrawn)}
    table.does(A, HIGHEST)
    seen = table.told(DieSeen)
    assert {fact.seat: set(fact.cards) for fact in seen} == {seat: set(die) for seat, die in dice.items()}
    assert all(fact.audience() == {fact.seat} for fact in seen)


def test_K_8_soft_blind_dice_are_seen_by_their_owner_before_the_challenge() -> None:
    table = blind("soft_blind")
    assert table.state.phase is Phase.CALL
    drawn = {fact.seat: fact for fact in table.told(DieDrawn)}
    for seat in (A, B):
        assert drawn[seat].audience() == {seat}
        assert seen_by(drawn[seat], 1 - seat) == DieSized(seat, 2)
        assert set(GAME.observe(table.state, seat).own.die) == set(drawn[seat].cards)
    assert table.does(A, HIGHEST).told(DieSeen) == []


# ---------------------------------------------------------------------------------------------- the examples


@pytest.mark.parametrize(
    ("call", "mine", "theirs", "decks"),
    [
        (HIGHEST, "5", "3", (["1"], ["1", "3"])),
        (LOWEST, "5", "3", (["1", "5"], ["1"])),
    ],
)
def test_example_the_better_number_wins(call: Call, mine: str, theirs: str, decks: tuple[list[str], list[str]]) -> None:
    table = Played(roll(f"{mine} 1", f"{theirs} 1", "2 2")).does(A, call)
    assert (table.deck(A), table.deck(B)) == decks


def test_example_equal_numbers_exchange() -> None:
    assert tied().awaited == {A, B}


def test_example_a_deck_of_two_cards_and_the_number_five() -> None:
    table = Played(lay("1 2 3 4 5", "4 5", "1 1 1")).does(A, Challenge(B)).does(B, NameNumber(5))
    assert [names(die) for die in there(table.state.battle).dice] == [["1", "2", "3", "4", "5"], ["4", "5"]]


# ---------------------------------------------------------------------------------------------- notation


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("challenge 3", Challenge(3)),
        ("challenge 0 take", Challenge(0, take=True)),
        ("number 4", NameNumber(4)),
        ("select 4#1+6.2!STEAL#0", Select((Card.of("4#1"), Card.of("6.2!STEAL#0")))),
        ("highest", HIGHEST),
        ("lowest", LOWEST),
        ("decline", Decline()),
        ("exchange 1.3#1", Exchange((Card.of("1.3#1"),))),
        ("resign", Resign()),
        ("time turn 5", TimeUp("turn", "5")),
    ],
)
def test_notation(text: str, action: Any) -> None:
    assert GAME.write(action) == text
    assert GAME.read(text) == action


@pytest.mark.parametrize(
    "text", ["", "challenge", "challenge x", "number", "select", "select 7#0", "exchange 1#6", "steal", "Highest"]
)
def test_notation_of_nothing(text: str) -> None:
    with pytest.raises(ValueError, match=r"card|action|int"):
        GAME.read(text)


def test_a_match_by_chance_keeps_its_dice_in_its_decks() -> None:
    """What the conservation of cards cannot see: the cards of a battle are cards of the battlers."""
    for seed in range(20):
        rng, table = random.Random(seed), Played(opened(seed, 3, WACKY), seed=seed)
        while table.state.ended is None:
            battle = table.state.battle
            if battle is not None and not battle.rolled:
                for side, seat in enumerate(table.state.battlers):
                    assert set(battle.dice[side]) <= set(table.state.decks[seat])
            seat = rng.choice(sorted(table.awaited))
            offer = rng.choice(table.choices(seat).offers)
            if isinstance(offer, Act):
                table.does(seat, offer.action)
            else:
                size = 1 if isinstance(offer, ExchangePick) else int(offer.step(()).worth["size"])
                table.does(seat, offer.action(tuple(sorted(rng.sample(range(offer.items), size)))))
        assert isinstance(table.facts[-1], Ended)
