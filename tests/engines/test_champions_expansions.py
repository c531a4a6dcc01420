"""Champions of Chance ruling by ruling (docs/rulings/champions.md): Victory Dice and Wacky Numbers.

A is seat 0 and challenges B, seat 1.
"""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engines.champions import (
    BattleTied,
    BattleWon,
    Call,
    CardDrawn,
    Challenge,
    Decline,
    DieDrawn,
    DiePick,
    DieShown,
    Exchange,
    FaceupLost,
    Inverted,
    NameNumber,
    NumberDrawn,
    NumberlessRolled,
    NumberSet,
    Options,
    Phase,
    Sealed,
    Select,
    Special,
    Steal,
    StealAsked,
    StealChosen,
    StealDeclined,
    Stolen,
    StolenUnseen,
    TurnBegun,
    judge,
)
from engines.game import Act, Closed, Outcome, Refusal, Resign, seen_by
from tests.engines.champions_table import (
    GAME,
    HIGHEST,
    ICONS,
    LOWEST,
    VICTORY,
    WACKY,
    A,
    B,
    Box,
    C,
    Played,
    lay,
    names,
    roll,
)

BOTH = Options(victory_dice=True, wacky_numbers=True)


# ---------------------------------------------------------------------------------------------- Victory Dice


def test_K_9_the_winners_card_goes_on_top_of_their_pile() -> None:
    table = Played(roll("5.3 1 2", "3.4 6", "1 1", options=VICTORY, piles=("6.2", "1.2", ""))).does(A, HIGHEST)
    assert [card.name for card in table.state.piles[A]] == ["6·2", "5·3"]
    assert table.deck(B) == ["3·4", "6·2"]
    assert table.state.discards == ()
    assert GAME.observe_public(table.state).scores == (5, 2, 0)
    table = Played(roll("5.3 1 2", "3.4 6", "1 1", options=VICTORY)).does(A, LOWEST)
    assert [card.name for card in table.state.piles[B]] == ["3·4"]


def test_K_10_taking_the_number_needs_a_faceup_card() -> None:
    table = Played(lay("1 2 3", "4 5 6", "1 1 1", options=VICTORY, piles=("", "6.2", "")))
    told = Refusal("K-10", "champions.refusal.nothing_faceup")
    assert table.refuses(A, Challenge(B, take=True)) == told
    assert table.choices(A).closed == (Closed("take", told),)
    base = Played(lay("1 2 3", "4 5 6", "1 1 1"))
    assert base.refuses(A, Challenge(B, take=True)) == told
    assert base.choices(A).closed == ()


@pytest.mark.parametrize(("top", "number"), [("1.2", 2), ("5.3", 3), ("4.4", 4)])
def test_K_10_the_icons_of_the_top_card_are_the_number(top: str, number: int) -> None:
    table = Played(lay("1 2 3 4 5", "4 5 6 6 6", options=VICTORY, piles=(f"6.2 {top}", "")))
    assert table.choices(A).offers == (Act("battle1", Challenge(B)), Act("take1", Challenge(B, take=True)))
    assert table.awaited == {A}, "with a choice to make, A is asked even about the one opponent"
    table.does(A, Challenge(B, take=True))
    assert table.told(NumberSet) == [NumberSet(A, number)]
    assert (table.state.phase, table.awaited) == (Phase.DICE, {A, B})


@pytest.mark.parametrize("die", ["chosen", "blind"])
def test_K_19_a_drawn_number_is_asked_of_nobody(die: str) -> None:
    options = Options(die=die, number="drawn")
    numbers = Counter[int]()
    for seed in range(60):
        table = Played(lay("1 2 3 4 5 6 6", "1 2 3 4 5 6 6", "1 1", options=options), seed=seed).does(A, Challenge(B))
        (drawn,) = table.told(NumberDrawn)
        assert table.told(NumberSet) == []
        assert table.state.fought.number == drawn.number
        assert table.awaited == ({A, B} if die == "chosen" else {A})
        numbers[drawn.number] += 1
    assert set(numbers) == {2, 3, 4, 5, 6}


def test_K_19_a_faceup_card_still_sets_the_number() -> None:
    options = Options(victory_dice=True, number="drawn")
    table = Played(lay("1 2 3 4 5", "4 5 6 6 6", options=options, piles=("6.2 5.3", ""))).does(
        A, Challenge(B, take=True)
    )
    assert table.told(NumberSet) == [NumberSet(A, 3)]
    assert table.told(NumberDrawn) == []
    other = Played(lay("1 2 3 4 5", "4 5 6 6 6", options=options, piles=("6.2 5.3", ""))).does(A, Challenge(B))
    assert len(other.told(NumberDrawn)) == 1


def test_K_19_the_one_opponent_is_named_and_the_number_drawn_without_a_question() -> None:
    table = Played(roll("5 1", "3 6", options=Options(number="drawn"))).does(A, HIGHEST)
    assert len(table.told(NumberDrawn)) == 1
    assert table.state.challenger == B
    assert table.state.phase in (Phase.DICE, Phase.CALL)


def test_K_10_losing_the_battle_costs_that_card() -> None:
    piles = ("6.2 4.4", "", "")
    table = Played(roll("3 1 2", "5.4 6", "1 1", options=VICTORY, taken=True, piles=piles)).does(A, HIGHEST)
    (lost,) = table.told(FaceupLost)
    assert (lost.seat, lost.card.name) == (A, "4·4")
    assert names(table.state.piles[A]) == ["6·2"]
    assert names(table.state.piles[B]) == ["5·4"]
    assert names(table.state.discards) == ["4·4"]


def test_K_10_the_card_is_kept_on_a_win_a_tie_and_numberless() -> None:
    piles = ("6.2 4.4", "", "")
    laid: dict[str, Any] = {"options": BOTH, "taken": True, "piles": piles}
    won = Played(roll("5 1 2", "3 6", "1 1", **laid)).does(A, HIGHEST)
    assert names(won.state.piles[A]) == ["4·4", "5·2", "6·2"]
    tie = Played(roll("3 1 2", "3 6", "1 1", **laid)).does(A, HIGHEST)
    assert names(tie.state.piles[A]) == ["4·4", "6·2"]
    nothing = Played(roll("3 1 2", "6!NUMBERLESS 6", "1 1", **laid)).does(A, HIGHEST)
    assert names(nothing.state.piles[A]) == ["4·4", "6·2"]


def test_K_10_a_battle_lost_without_taking_costs_nothing() -> None:
    table = Played(roll("3 1 2", "5 6", "1 1", options=VICTORY, piles=("4.4", "", ""))).does(A, HIGHEST)
    assert names(table.state.piles[A]) == ["4·4"]


def test_K_11_a_player_without_cards_is_out_of_battles_but_not_out_of_the_match() -> None:
    table = Played(roll("5", "3 6", "1 1 1", options=VICTORY)).does(A, HIGHEST)
    assert table.outcome is None
    assert table.told(TurnBegun) == [TurnBegun(B)]
    assert table.state.phase is Phase.NUMBER, "C is the only one to be named"
    three = Played(lay("1 2", "", "5 6", "3 3", options=VICTORY, piles=("", "6.3", "", "")))
    assert three.verbs(A) == ["battle2", "battle3"]
    assert three.refuses(A, Challenge(B)) == Refusal("K-11", "champions.refusal.opponent_out")


def test_K_11_who_has_no_cards_is_passed_over() -> None:
    table = Played(roll("5 1", "3", "1 1", "2 2", options=VICTORY)).does(A, LOWEST)
    assert table.told(TurnBegun) == [TurnBegun(C)]


def test_K_11_the_match_ends_when_one_player_has_cards_and_the_most_icons_win() -> None:
    piles = ("4.4", "6.2 6.3", "")
    table = Played(roll("5.3", "3 6", "", options=VICTORY, piles=piles)).does(A, HIGHEST)
    assert table.outcome == Outcome("score", (1, 2, 3))
    piles = ("", "6.2 6.3", "4.4 4.4")
    table = Played(roll("5.3", "3 6", "", options=VICTORY, piles=piles)).does(A, HIGHEST)
    assert table.outcome == Outcome("score", (3, 2, 1)), "who has cards left, or none, may be anybody"


def test_K_11_equal_scores_share_the_win() -> None:
    table = Played(roll("5.3", "3 6", options=VICTORY, piles=("", "6.3"))).does(A, HIGHEST)
    assert table.outcome == Outcome("score_shared", (1, 1))


def test_K_11_piles_of_seats_that_left_do_not_score() -> None:
    piles = ("4.4", "6.2", "4.4 4.4 4.4")
    table = Played(roll("5.3", "3 6", "1", options=VICTORY, piles=piles)).does(C, Resign())
    table.does(A, HIGHEST)
    assert table.outcome == Outcome("score", (1, 2, 3))


def test_K_11_leaving_may_leave_one_player_with_cards() -> None:
    table = Played(lay("1 2", "", "5 6", options=VICTORY, piles=("", "6.3", "4.4"))).does(C, Resign())
    assert table.outcome == Outcome("score", (2, 1, 3))
    alone = Played(lay("1 2", "", "5 6", options=VICTORY, piles=("", "6.3", "4.4"))).does(B, Resign()).does(C, Resign())
    assert alone.outcome == Outcome("resignation", (1, 3, 2))


def test_K_11_a_battle_under_way_is_worked_out_before_the_end_is_looked_at() -> None:
    """B's last card is stolen on a tie, and A is to exchange; C, the only other one with cards, leaves."""
    table = Played(roll("3!STEAL 5", "3", "1 1", options=BOTH, piles=("", "6.3", ""))).does(A, HIGHEST)
    table.does(A, Steal(table.state.fought.shown[0][0]))
    assert (table.state.phase, table.awaited) == (Phase.EXCHANGE, {A})
    table.does(C, Resign())
    assert table.outcome is None
    table.ring()
    assert table.outcome == Outcome("score", (2, 1, 3))


def test_K_12_icons_decide_where_numbers_tie() -> None:
    table = Played(roll("4.3 1 2", "4.4 6", "1 1", options=ICONS)).does(A, HIGHEST)
    assert table.told(BattleWon) == [BattleWon(B, A, table.state.discards[0], "icons")]
    table = Played(roll("4.3 1 2", "4.4 6", "1 1", options=ICONS)).does(A, LOWEST)
    assert table.told(BattleWon)[0].winner == A
    assert Played(roll("4.4 1 2", "4.4 6", "1 1", options=ICONS)).does(A, HIGHEST).told(BattleTied)
    assert Played(roll("4.3 1 2", "4.4 6", "1 1", options=VICTORY)).does(A, HIGHEST).told(BattleTied)


def test_K_12_unequal_numbers_do_not_look_at_icons() -> None:
    table = Played(roll("5.2 1 2", "4.4 6", "1 1", options=ICONS)).does(A, HIGHEST)
    assert table.told(BattleWon)[0].by == "number"


# ---------------------------------------------------------------------------------------------- Wacky Numbers


def won(first: str, second: str, *, lowest: bool, options: Options = WACKY) -> tuple[int | None, str]:
    """Who wins a roll, 0 the challenger, and by what."""
    mine, theirs = Box(options).take(f"{first} {second}")
    verdict = judge((mine, theirs), lowest=lowest, icon_tiebreak=options.icon_tiebreak)
    return verdict.winner, verdict.by


def test_K_13_numberless_is_discarded_and_nobody_wins() -> None:
    table = Played(roll("4!NUMBERLESS 1 2", "6 3", "1 1", options=WACKY)).does(A, HIGHEST)
    assert [(fact.seat, fact.card.name) for fact in table.told(NumberlessRolled)] == [(A, "4⚡NUMBERLESS")]
    assert (table.deck(A), table.deck(B)) == (["1", "2"], ["3", "6"])
    assert names(table.state.discards) == ["4⚡NUMBERLESS"]
    assert table.told(BattleWon) == []
    assert table.told(TurnBegun) == [TurnBegun(B)]


def test_K_13_two_numberless_cards_are_both_discarded() -> None:
    table = Played(roll("4!NUMBERLESS 1 2", "6!NUMBERLESS 3", "1 1", options=WACKY)).does(A, HIGHEST)
    assert names(table.state.discards) == ["4⚡NUMBERLESS", "6⚡NUMBERLESS"]


@pytest.mark.parametrize("other", ["1!STEAL", "4!INVERT", "2!TIEBREAK", "3!BEGGAR"])
def test_K_13_nothing_else_happens(other: str) -> None:
    table = Played(roll("6!NUMBERLESS 1 2", f"{other} 3", "1 1", options=WACKY)).does(A, HIGHEST)
    assert [type(fact).__name__ for fact in table.facts] == ["Called", "Rolled", "NumberlessRolled", "TurnBegun"]


def test_K_13_numberless_may_be_the_last_card() -> None:
    table = Played(roll("4!NUMBERLESS", "6 3", "1 1", options=WACKY)).does(A, HIGHEST)
    assert table.outcome == Outcome("out_of_cards", (1, 2, 2))


def test_K_13_with_victory_dice_it_scores_for_nobody() -> None:
    table = Played(roll("4!NUMBERLESS 1", "6 3", "1 1", options=BOTH)).does(A, HIGHEST)
    assert table.state.piles == ((), (), ())
    assert len(table.state.discards) == 1


def test_K_14_one_invert_turns_the_challenge() -> None:
    table = Played(roll("2!INVERT 1", "5 3", "1 1", options=WACKY)).does(A, HIGHEST)
    assert table.told(Inverted) == [Inverted(1, lowest=True)]
    assert table.told(BattleWon)[0].winner == A
    assert won("2!INVERT", "5", lowest=True) == (1, "number")


def test_K_14_two_inverts_cancel_out() -> None:
    table = Played(roll("5!INVERT 2", "1!INVERT 3", "1 1", options=WACKY)).does(A, HIGHEST)
    assert table.told(Inverted) == [Inverted(2, lowest=False)]
    assert table.told(BattleWon)[0].winner == A


def test_K_15_numbers_and_icons_go_by_the_challenge_as_it_stands() -> None:
    options = Options(wacky_numbers=True, icon_tiebreak=True)
    assert won("4.2!INVERT", "4.3", lowest=False, options=options) == (0, "icons")
    assert won("4.2!INVERT", "5", lowest=False, options=options) == (0, "number")


@pytest.mark.parametrize(
    ("first", "second", "lowest", "result"),
    [
        ("3!TIEBREAK", "3", False, (0, "TIEBREAK")),
        ("3", "3!TIEBREAK", True, (1, "TIEBREAK")),
        ("3!TIEBREAK", "4", False, (1, "number")),
        ("3!BEGGAR", "6", False, (0, "BEGGAR")),
        ("3!BEGGAR", "1", True, (0, "BEGGAR")),
        ("3!BEGGAR", "5", False, (1, "number")),
        ("1!BEGGAR", "5!BEGGAR", False, (1, "BEGGAR")),
        ("1!BEGGAR", "5!BEGGAR", True, (1, "BEGGAR")),
        ("1!BEGGAR", "6!TIEBREAK", False, (0, "BEGGAR")),
        ("1", "1!BEGGAR", False, (1, "BEGGAR")),
        ("1!BEGGAR", "1!BEGGAR", False, (None, "specials")),
    ],
)
def test_K_16_special_wins(first: str, second: str, lowest: bool, result: tuple[int | None, str]) -> None:
    if first == second:  # the pack has one of each: two of them are only thought of
        (card,) = Box(WACKY).take(first)
        verdict = judge((card, replace(card, copy=1)), lowest=lowest, icon_tiebreak=False)
        assert (verdict.winner, verdict.by) == result
    else:
        assert won(first, second, lowest=lowest) == result


def test_K_16_if_both_have_one_it_is_a_tie() -> None:
    """6⚡TIEBREAK against a BEGGAR of 6, which the pack has not: the rule is for any pack."""
    (six,) = Box(WACKY).take("6!TIEBREAK")
    verdict = judge((six, replace(six, special=Special.BEGGAR)), lowest=False, icon_tiebreak=False)
    assert (verdict.winner, verdict.by) == (None, "specials")


def test_K_16_tiebreak_needs_a_tie_of_icons_too_where_they_count() -> None:
    options = Options(wacky_numbers=True, icon_tiebreak=True)
    assert won("3.3!TIEBREAK", "3.4", lowest=False, options=options) == (1, "icons")
    assert won("3.3!TIEBREAK", "3.3", lowest=False, options=options) == (0, "TIEBREAK")


# ---------------------------------------------------------------------------------------------- STEAL


def test_K_17_a_winner_may_steal_from_the_other_die() -> None:
    table = Played(roll("6!STEAL 2", "3 4 5", "1 1", options=WACKY, dice=(1, 2)), seed=3).does(A, HIGHEST)
    assert table.told(StealAsked) == [StealAsked((A,))]
    assert (table.state.phase, table.awaited) == (Phase.STEAL, {A})
    (shown,) = table.told(DieShown)
    assert names(shown.cards) == ["3", "4"], "the die, not the whole deck, the loser's revealed card included"
    assert table.deck(A) == ["2"], "the winner's card has left"
    assert table.verbs(A) == ["steal0", "steal1", "decline"]
    four = next(card for card in shown.cards if card.number == 4)
    table.does(A, Steal(four))
    assert (table.deck(A), table.deck(B)) == (["2", "4"], ["3", "5"])
    assert table.told(TurnBegun) == [TurnBegun(B)]


def test_K_17_a_loser_may_steal_what_is_left_of_the_winners_die() -> None:
    table = Played(roll("1!STEAL 2", "3 4 5", "1 1", options=WACKY, dice=(1, 2)), seed=3).does(A, HIGHEST)
    (shown,) = table.told(DieShown)
    assert shown.thief == A
    assert len(shown.cards) == 1, "the winner's card is gone"
    assert set(shown.cards) <= set(table.state.decks[B])
    alone = Played(roll("1!STEAL 2", "3 5", "1 1", options=WACKY)).does(A, HIGHEST)
    assert alone.told(StealAsked) == [], "nothing of the die is left"
    assert alone.told(TurnBegun) == [TurnBegun(B)]


def test_K_17_declining_is_allowed() -> None:
    table = Played(roll("6!STEAL 2", "3", "1 1", options=WACKY)).does(A, HIGHEST)
    table.does(A, Decline())
    assert table.told(StealDeclined) == [StealDeclined(A)]
    assert table.deck(B) == ["3"]
    assert table.outcome is None


def test_K_17_stealing_the_last_card_gives_the_match_away() -> None:
    table = Played(roll("6!STEAL 2", "3", "1 1", options=WACKY)).does(A, HIGHEST)
    table.does(A, Steal(table.state.decks[B][0]))
    assert table.outcome == Outcome("out_of_cards", (2, 1, 2))


def test_K_17_a_seat_whose_last_card_has_just_won_is_not_asked() -> None:
    table = Played(roll("6!STEAL", "3 4", "1 1", options=WACKY)).does(A, HIGHEST)
    assert table.told(StealAsked) == []
    assert table.outcome == Outcome("out_of_cards", (1, 2, 2))
    with_dice = Played(roll("6!STEAL", "3 4", "1 1", options=BOTH)).does(A, HIGHEST)
    assert with_dice.told(StealAsked) == []


def test_K_17_only_what_was_shown_can_be_stolen() -> None:
    table = Played(roll("6!STEAL 2", "3 4 5", "1 1", options=WACKY, dice=(1, 2))).does(A, HIGHEST)
    five = next(card for card in table.state.decks[B] if card.number == 5)
    assert table.refuses(A, Steal(five)) == Refusal("K-17", "champions.refusal.not_to_steal", {"card": "5"})
    assert table.refuses(B, Decline()).key == "refusal.not_your_turn"


def two_thieves() -> Played:
    """Both rolled STEAL: A's 3 beats B's 1, and A's die has a 2 left, B's die the 1 and the 5."""
    state = roll("3!STEAL 2 4", "1!STEAL 5 6", "1 1", options=WACKY)
    assert state.battle is not None
    dice = (state.decks[A][:2], (state.decks[B][0], state.decks[B][1]))
    table = next(
        played
        for seed in range(100)
        for played in [Played(replace(state, battle=replace(state.battle, dice=dice)), seed=seed).does(A, HIGHEST)]
        if played.state.battle is not None
        if [card.special for card in played.state.fought.rolled] == [Special.STEAL, Special.STEAL]
    )
    assert table.awaited == {A, B}
    return table


def test_K_17_two_thieves_choose_at_the_same_time_in_secret_then_exchange() -> None:
    table = two_thieves()
    mine, theirs = table.state.fought.shown
    assert (names(mine), names(theirs)) == (["1⚡STEAL", "5"], ["2"])
    table.does(B, Steal(theirs[0]))
    assert table.facts == (StealChosen(B, theirs[0]),)
    assert [seen_by(table.facts[0], viewer) for viewer in (A, C, None)] == [Sealed(B)] * 3
    assert table.refuses(B, Decline()) == Refusal("K-2", "champions.refusal.chosen")
    assert table.deck(A) == ["2", "4"]
    assert GAME.observe(table.state, A).own.shown == mine, "what A chooses from does not change"
    table.does(A, Steal(mine[1]))
    assert (table.deck(A), table.deck(B)) == (["4", "5"], ["1⚡STEAL", "2", "6"])


def test_K_17_the_thief_sees_the_die_both_see_the_card_and_others_the_count() -> None:
    table = Played(roll("6!STEAL 2", "3 4 5", "1 1", options=WACKY, dice=(1, 2))).does(A, HIGHEST)
    (shown,) = table.told(DieShown)
    assert shown.audience() == {A}
    assert shown.face() is None
    assert GAME.observe(table.state, B).own.shown == ()
    table.does(A, Steal(shown.cards[0]))
    (stolen,) = table.told(Stolen)
    assert stolen.audience() == {A, B}
    assert seen_by(stolen, C) == seen_by(stolen, None) == StolenUnseen(A, B)
    assert GAME.observe_public(table.state).decks == (2, 2, 2)


def test_K_17_on_a_tie_it_comes_before_the_exchange() -> None:
    table = Played(roll("3!STEAL 2", "3 4", "1 1", options=WACKY)).does(A, HIGHEST)
    assert table.told(BattleTied)
    assert (table.state.phase, table.awaited) == (Phase.STEAL, {A})
    table.does(A, Steal(table.state.fought.shown[0][0]))
    assert (table.state.phase, table.awaited) == (Phase.EXCHANGE, {A}), "B's only card goes unasked"
    assert table.deck(A) == ["2", "3", "3⚡STEAL"]


def test_K_17_a_deck_emptied_by_a_theft_takes_no_part_in_the_exchange() -> None:
    table = Played(roll("3!STEAL 2", "3", "1 1", options=WACKY)).does(A, HIGHEST)
    table.does(A, Steal(table.state.fought.shown[0][0]))
    assert (table.state.phase, table.awaited) == (Phase.EXCHANGE, {A})
    assert table.outcome is None, "the battle is not worked out yet"
    two = next(card for card in table.state.decks[A] if card.number == 2)
    table.does(A, Exchange((two,)))
    assert [fact.seat for fact in table.told(CardDrawn)] == [A]
    assert table.outcome == Outcome("out_of_cards", (2, 1, 2))


def test_K_17_a_deck_emptied_by_a_theft_is_out_of_battles_with_victory_dice() -> None:
    table = Played(roll("3!STEAL 2", "3", "1 1", "5 5", options=BOTH)).does(A, HIGHEST)
    table.does(A, Steal(table.state.fought.shown[0][0])).ring()
    assert table.outcome is None
    assert table.told(TurnBegun) == [TurnBegun(C)]


def test_C_5_a_theft_that_is_not_chosen_in_time_is_declined() -> None:
    table = Played(roll("6!STEAL 2", "3 4 5", "1 1", options=WACKY, dice=(1, 2))).does(A, HIGHEST).ring()
    assert table.told(StealDeclined) == [StealDeclined(A)]
    assert table.state.left == (0, 0, 0)
    assert len(two_thieves().ring().told(StealDeclined)) == 2


def test_C_4_an_opponent_who_leaves_declines_and_exchanges_the_first_card() -> None:
    """B rolled STEAL in a tie and leaves: nothing is stolen, B's first card is exchanged, and B is out."""
    table = Played(roll("3 2", "3!STEAL 4", "1 1", options=WACKY)).does(A, HIGHEST)
    assert table.awaited == {B}
    table.does(B, Resign())
    assert table.told(StealDeclined) == [StealDeclined(B)]
    assert (table.state.phase, table.awaited) == (Phase.EXCHANGE, {A}), "nobody waits for who has left"
    table.does(A, Exchange((table.state.decks[A][0],)))
    assert "4" in table.deck(B)
    assert table.told(TurnBegun) == [TurnBegun(C)]


def test_K_5_who_has_left_does_not_win_by_an_empty_deck() -> None:
    table = Played(roll("3!STEAL 2", "3", "1 1", options=WACKY)).does(A, HIGHEST).does(B, Resign())
    table.does(A, Steal(table.state.fought.shown[0][0])).ring()
    assert table.deck(B) == []
    assert table.outcome is None
    assert table.told(TurnBegun) == [TurnBegun(C)]


def test_K_5_a_battle_broken_off_after_a_theft_may_leave_an_empty_deck() -> None:
    """B's last card is stolen, then A leaves before exchanging: B is out of cards, and still here."""
    table = Played(roll("3!STEAL 2", "3", "1 1", options=WACKY)).does(A, HIGHEST)
    table.does(A, Steal(table.state.fought.shown[0][0])).does(A, Resign())
    assert table.outcome == Outcome("out_of_cards", (3, 1, 2))


# ---------------------------------------------------------------------------------------------- a die of one


def of_one(deck: str, options: Options = WACKY) -> Played:
    """A die of one card is to be made of A's deck. By the numbers there are, no die of one leaves a choice; the rule
    is written for any number."""
    state = lay(deck, "3 4 5", "1 1", options=options)
    table = Played(state).does(A, Challenge(B))
    return Played(replace(table.state, phase=Phase.DICE, battle=replace(table.state.fought, number=1)))


def test_K_18_a_special_cannot_be_a_die_of_one_while_there_are_others() -> None:
    table = of_one("2 3!STEAL")
    two, steal = table.state.decks[A]
    told = Refusal("K-18", "champions.refusal.special_alone")
    assert table.refuses(A, Select((steal,))) == told
    (pick,) = table.choices(A)
    assert isinstance(pick, DiePick)
    assert pick.step(()).addable == (None, told)
    assert table.does(A, Select((two,))).state.fought.dice[0] == (two,)


def test_K_18_unless_there_is_no_other() -> None:
    table = of_one("2!INVERT 3!STEAL")
    assert table.does(A, Select(table.state.decks[A][1:])).state.fought.dice[0]
    last = Played(lay("3!STEAL", "3 4 5", "1 1", options=WACKY)).does(A, Challenge(B)).does(B, NameNumber(4))
    assert names(last.state.fought.dice[0]) == ["3⚡STEAL"]


def test_K_18_holds_for_dice_drawn_blind() -> None:
    options = Options(die="blind", wacky_numbers=True, victory_dice=True)
    state = lay("2 3!STEAL 4!INVERT", "3 4 5", "1 1", options=options, piles=("6.2", "", ""))
    one_icon = replace(state.piles[A][0], icons=1)
    for seed in range(40):
        table = Played(replace(state, piles=((one_icon,), (), ())), seed=seed).does(A, Challenge(B, take=True))
        assert names(table.told(DieDrawn)[0].cards) == ["2·2"]


# ---------------------------------------------------------------------------------------------- the examples


@pytest.mark.parametrize(
    ("lowest", "first", "second", "winner"),
    [
        (False, "2!INVERT", "5", 0),
        (False, "5!INVERT", "1!INVERT", 0),
        (False, "3!BEGGAR", "6", 0),
        (False, "1!BEGGAR", "5!BEGGAR", 1),
        (True, "1!BEGGAR", "5!BEGGAR", 1),
        (True, "3!TIEBREAK", "3", 0),
        (True, "3!TIEBREAK", "3!BEGGAR", 0),
    ],
)
def test_example_wacky_numbers(lowest: bool, first: str, second: str, winner: int) -> None:
    table = Played(roll(f"{first} 2 4", f"{second} 2 4", "1 1", options=WACKY)).does(A, Call(lowest=lowest))
    (result,) = table.told(BattleWon)
    assert result.winner == winner
    assert names(table.state.discards) == [result.card.name]


@pytest.mark.parametrize("call", [HIGHEST, LOWEST])
def test_example_numberless(call: Call) -> None:
    table = Played(roll("4!NUMBERLESS 2 4", "6 2 4", "1 1", options=WACKY)).does(A, call)
    assert (table.deck(A), table.deck(B)) == (["2", "4"], ["2", "4", "6"])
