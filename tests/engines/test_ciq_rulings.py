"""The rulings of CIQ (docs/rulings/ciq.md), one by one, on tables laid out by hand."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

import pytest

from engines.ciq import (
    Allow,
    Attack,
    AttackCut,
    AttackPick,
    Block,
    BlockAsked,
    CardTaken,
    Give,
    LetThrough,
    Options,
    Phase,
    Pile,
    Source,
    Transferred,
)
from engines.game import Act, Outcome, Pick, Refusal, Reply, Turn
from tests.engines.ciq_table import (
    GAME,
    OTHERS,
    A,
    B,
    Place,
    Played,
    against,
    card,
    giving,
    lay,
    names,
    ring,
)

# ---------------------------------------------------------------------------------------------- the examples


@pytest.mark.parametrize(
    ("defense", "sequence", "cards"),
    [
        ("7H", "QS", 7),
        ("9H", "2S 6S 6H TH", 24),
        ("9H", "3S X 8D", 11),
        ("9H", "X QD", 0),
        ("9H", "4S 4D QD", 16),
    ],
)
def test_the_examples_of_attacks_on_a_damage_pile(defense: str, sequence: str, cards: int) -> None:
    table = against(defense, sequence + " KC").attacks(sequence)
    assert table.state.asked == B
    table.does(B, Allow())
    assert table.moved() == cards
    assert len(table.worked.places[B].damage) == cards + len(sequence.split())


@pytest.mark.parametrize(
    ("defense", "sequence", "pile", "ruling", "key"),
    [
        ("7H", "QS", Pile.DEFENSE, "Q-3", "attack_card_alone"),
        ("9H", "2S 6H", Pile.DAMAGE, "Q-3", "not_linked"),
        ("9H", "TH 2H", Pile.DAMAGE, "Q-3", "attack_card_not_last"),
        ("9H", "TH TS", Pile.DAMAGE, "Q-3", "attack_card_not_last"),
        ("9H", "4S X", Pile.DEFENSE, "Q-3", "joker_on_defense"),
        ("9H", "", Pile.DAMAGE, "Q-2", "attack_without_cards"),
    ],
)
def test_the_examples_of_refusals(defense: str, sequence: str, pile: Pile, ruling: str, key: str) -> None:
    refusal = against(defense, sequence + " KC").refuses_attack(sequence, pile=pile)
    assert (refusal.ruling, refusal.key) == (ruling, f"ciq.refusal.{key}")


def test_the_example_of_an_attack_on_a_defense_pile() -> None:
    table = against("9H", "4S 9S JS KC").attacks("4S 9S JS", pile=Pile.DEFENSE)
    assert names(table.worked.places[B].defense) == "JS 9S 4S 9H"
    assert table.moved() == 0
    assert table.does_all(BlockAsked) == []
    assert table.state.turn == B


def test_the_example_of_an_attack_that_runs_out() -> None:
    table = against("9H", "5S 5D KD KC", 7, damage=3).attacks("5S 5D KD").does(B, Allow())
    assert [len(fact.cards) for fact in table.does_all(Transferred)] == [5, 2]
    assert len(table.does_all(AttackCut)) == 1
    assert len(table.worked.places[A].damage) == 3


def test_the_example_of_an_attack_that_wins() -> None:
    table = Played(lay(Place("5S 2D 3D 4D", "", "", "7C 6C"), OTHERS._replace(defense="9H")))
    table.attacks("5S").does(B, Allow())
    assert [(fact.source, len(fact.cards)) for fact in table.does_all(Transferred)] == [
        (Source.HAND, 3),
        (Source.DEFENSE, 2),
    ]
    assert table.outcome == Outcome("emptied", (1, 2))


def test_the_example_of_a_block() -> None:
    table = Played(lay(Place("2S 9S KC", 40), Place("9D 4C 5C 6C 7C KH", 9, "", "9H")))
    table.attacks("2S 9S").blocks(B, "9D")
    assert names(table.worked.places[B].damage) == "3C 3C 9S 2S"
    assert names(table.worked.places[B].defense) == "9D 9H"


def test_Q_2_an_attack_names_one_opponent_at_the_table() -> None:
    table = against("9H", "5S 2D KC")
    for target in (A, 2, -1):
        assert table.refuses_attack("5S", target).key == "ciq.refusal.not_an_opponent"


def test_Q_2_an_attack_is_judged_whole_before_anything_moves() -> None:
    table = against("9H", "2S 6S KC")
    assert table.refuses_attack("2S 6S KC").key == "ciq.refusal.not_linked"
    assert table.refuses(A, Attack(B, Pile.DAMAGE, (card("2S"), card("9D")))).key == "refusal.card_not_held"
    assert table.refuses(A, Attack(B, Pile.DAMAGE, (card("2S"), card("2S")))).key == "refusal.card_twice"


# ---------------------------------------------------------------------------------------------- sequences


@pytest.mark.parametrize("sequence", ["2S", "9S", "X", "X X", "2S 2D 9D", "2S X 9D KD", "9S 9S", "QS", "X QS", "2S QS"])
def test_Q_3_sequences_for_a_damage_pile(sequence: str) -> None:
    against("9H", sequence + " 3C KC").attacks(sequence)


@pytest.mark.parametrize("sequence", ["2S", "9S", "2S 2D 9D", "9S QS"])
def test_Q_3_sequences_for_a_defense_pile(sequence: str) -> None:
    against("9H", sequence + " 3C KC").attacks(sequence, pile=Pile.DEFENSE)


@pytest.mark.parametrize("sequence", ["QS", "X", "X 2S", "2S X", "QS 2S", "2S QS 3S"])
def test_Q_3_no_sequences_for_a_defense_pile(sequence: str) -> None:
    assert against("9H", sequence + " 3C KC").refuses_attack(sequence, pile=Pile.DEFENSE).ruling == "Q-3"


def test_Q_3_a_joker_does_not_link_past_itself() -> None:
    assert against("9H", "2S X 9D 8C").refuses_attack("2S X 9D 8C").values == {"card": "9♦"}


def test_Q_3_the_defense_is_read_once_before_the_attack() -> None:
    table = against("5H", "4S JS 9S KC")
    refusal = table.refuses_attack("4S JS 9S", pile=Pile.DEFENSE)
    assert refusal == Refusal("Q-3", "ciq.refusal.attack_card_not_last", {"card": "J♠"})


def test_Q_3_the_offer_says_what_may_follow_and_what_it_moves() -> None:
    table = against("9H", "2S 6S 6H TH KC X", 40)
    pick = table.choices.find("damage1")
    assert isinstance(pick, AttackPick)
    hand = [each.name for each in pick.hand]
    picked = tuple(hand.index(name) for name in ("2♠", "6♠"))
    step = pick.step(picked)
    assert [name for name, why in zip(hand, step.addable, strict=True) if why is None] == ["6♥", "🃏"]
    assert step.unfinished is None
    assert (step.worth["transfer"], step.worth["needed"]) == (8, "6")
    whole = pick.step((*picked, hand.index("6♥"), hand.index("10♥")))
    assert all(whole.addable)
    assert (whole.worth["transfer"], whole.worth["needed"], whole.worth["cut"]) == (24, "10", 0)
    assert pick.step((hand.index("🃏"),)).worth["needed"] == ""


def test_Q_3_the_offer_for_a_defense_pile_moves_nothing() -> None:
    pick = against("9H", "2S 6S 6H TH KC X", 40).choices.find("defense1")
    assert isinstance(pick, AttackPick)
    nothing = {"transfer": 0, "jack": 0, "cut": 0, "wins": 0, "needed": ""}
    assert pick.step(()).worth == {**nothing, "cards": "", "top": ""}
    picked = tuple([each.name for each in pick.hand].index(name) for name in ("2♠", "6♠"))
    assert pick.step(picked).worth == {**nothing, "cards": "2♠ 6♠", "top": "6♠"}


def test_Q_3_an_offer_without_cards_needs_no_block() -> None:
    pick = against("9H", "2S KC", 40).choices.find("damage1")
    assert isinstance(pick, AttackPick)
    assert pick.step(()).worth["needed"] == ""


def test_Q_4_a_lone_attack_card_acts_as_the_defense() -> None:
    table = against("7H", "QS KC").attacks("QS")
    assert [fact.needed for fact in table.does_all(BlockAsked)] == [7]


def test_Q_4_also_when_the_defense_is_a_court_card() -> None:
    as_king = against("KH", "AS KC", damage=4).attacks("AS")
    assert [fact.needed for fact in as_king.does_all(BlockAsked)] == [13]
    as_king.does(B, Allow())
    assert [(fact.source, len(fact.cards)) for fact in as_king.does_all(Transferred)] == [(Source.DAMAGE, 4)]
    as_jack = against("JH", "QS KC").attacks("QS").does(B, Allow())
    assert len(as_jack.does_all(CardTaken)) == 1
    as_queen = against("QH", "KS KC", damage=4).attacks("KS").does(B, Allow())
    assert as_queen.moved() == 0


def test_Q_4_a_lone_spy_card_acts_as_itself() -> None:
    assert against("9H", "5S KC").attacks("5S").does(B, Allow()).moved() == 5


def test_Q_5_all_cards_are_laid_before_the_block_and_the_results() -> None:
    table = against("9H", "2S 6S KC").attacks("2S 6S")
    assert names(table.state.places[B].damage) == "6S 2S"
    assert table.moved() == 0
    table.does(B, Allow())
    assert names(table.worked.places[B].damage) == "3C 3C 3C 3C 3C 3C 3C 3C 6S 2S"


# ---------------------------------------------------------------------------------------------- blocks


def defended(hand: str, sequence: str = "2S 6S") -> Played:
    """B, with this hand and Defense 9, is asked to block."""
    return Played(lay(Place(sequence + " KC", 40), Place(hand, 9, "", "9H"))).attacks(sequence)


@pytest.mark.parametrize(
    ("code", "key"), [("5D", "block_too_low"), ("X", "block_with_joker"), ("", "block_without_card")]
)
def test_Q_6_a_block_is_one_card_high_enough_and_no_joker(code: str, key: str) -> None:
    table = defended("5D X 6D KD AD")
    refused = table.refuses(B, Block(table.held(B, code)))
    assert (refused.ruling, refused.key) == ("Q-6", f"ciq.refusal.{key}")
    assert table.refuses(B, Block(table.held(B, "KD AD"))).key == "ciq.refusal.block_with_one"
    for fits in ("6D", "KD", "AD"):
        Played(table.state).blocks(B, fits)


def test_Q_6_only_the_last_result_is_dropped() -> None:
    table = defended("6D 2D 3D 4D 5D KH").blocks(B, "6D")
    assert table.moved() == 2
    assert names(table.worked.places[B].defense) == "6D 9H"
    alone = defended("KD", "6S").blocks(B, "KD")
    assert alone.moved() == 0


def test_Q_6_an_attack_on_the_defense_or_ending_in_a_joker_cannot_be_blocked() -> None:
    table = Played(lay(Place("2S 6S X KC", 40), Place("AD KD QD JD TD", 9, "", "9H")))
    assert Played(table.state).attacks("2S 6S", pile=Pile.DEFENSE).does_all(BlockAsked) == []
    ended_in_joker = Played(table.state).attacks("6S X")
    assert ended_in_joker.does_all(BlockAsked) == []
    assert ended_in_joker.moved() == 6


def test_Q_7_whoever_holds_a_card_is_asked_even_if_none_would_do() -> None:
    table = defended("2D")
    assert (table.state.phase, table.state.asked) == (Phase.BLOCK, B)
    pick, allow = table.choices
    assert isinstance(pick, Pick)
    assert isinstance(allow, Act)
    assert [refusal and refusal.key for refusal in pick.step(()).addable] == ["ciq.refusal.block_too_low"]


def test_Q_7_nobody_asks_an_empty_hand() -> None:
    table = Played(lay(Place("2S KC", 40), Place("", 9, "", "9H"))).attacks("2S")
    assert table.does_all(BlockAsked) == []
    assert table.moved() == 2


def test_Q_7_the_time_for_a_block_is_short_and_running_out_lets_the_attack_through() -> None:
    state = lay(Place("2S KC", 40), Place("2D 3D 4D 5D 6D", 9, "", "9H"), options=Options(block_seconds=45))
    table = Played(state).attacks("2S")
    up, length = ring(table)
    assert length == Reply(45)
    table.does(None, up)
    assert len(table.does_all(LetThrough)) == 1
    assert table.moved() == 2
    assert table.outcome is None
    assert ring(table)[1] == Turn()


# ---------------------------------------------------------------------------------------------- transfers


def test_Q_8_cards_go_one_by_one_from_the_top() -> None:
    table = against("9H", "3S KC", "AD KD QD JD TD").attacks("3S").does(B, Allow())
    assert names(table.worked.places[B].damage) == "QD KD AD 3S"
    assert names(table.worked.places[A].attack) == "JD TD"


def test_Q_8_with_a_damage_pile_the_whole_attack_ends() -> None:
    table = against("9H", "5S AS KC", 4, damage=2).attacks("5S AS").does(B, Allow())
    assert table.moved() == 4
    assert len(table.does_all(AttackCut)) == 1
    assert table.state.turn == B


def test_Q_8_an_attack_that_needs_exactly_the_pile_goes_on() -> None:
    table = against("9H", "5S KS KC", 5, damage=2).attacks("5S KS").does(B, Allow())
    assert [(fact.source, len(fact.cards)) for fact in table.does_all(Transferred)] == [
        (Source.ATTACK, 5),
        (Source.DAMAGE, 2),
    ]
    assert table.does_all(AttackCut) == []


def test_Q_8_a_king_can_clear_the_way_to_the_hand() -> None:
    table = against("KH", "KS 3S 4D 6D", 1, damage=2).attacks("KS 3S").does(B, Allow())
    assert table.does_all(AttackCut) == []
    assert [(fact.source, len(fact.cards)) for fact in table.does_all(Transferred)] == [
        (Source.DAMAGE, 2),
        (Source.ATTACK, 1),
        (Source.HAND, 2),
    ]


def test_Q_8_without_a_damage_pile_hand_and_then_defense_follow() -> None:
    table = against("9H", "6S 4D 5D", 2, own="8C 7C 6C").attacks("6S").does(B, Allow())
    assert [(fact.source, names(fact.cards)) for fact in table.does_all(Transferred)] == [
        (Source.ATTACK, "3C 3C"),
        (Source.HAND, "4D 5D"),
        (Source.DEFENSE, "8C 7C"),
    ]
    assert names(table.worked.places[A].defense) == "6C"


def test_Q_9_the_attacker_chooses_what_to_give() -> None:
    table = giving()
    (pick,) = table.choices
    assert isinstance(pick, Pick)
    assert pick.step(()).worth == {"picked": 0, "owed": 2}
    assert table.refuses(A, Give(table.held(A, "KC"))).key == "ciq.refusal.give_more"
    assert table.refuses(A, Give(table.held(A, "KC 6D 5D"))).key == "ciq.refusal.give_less"
    assert table.refuses(A, Give(table.held(A, "KC") * 2)).key == "refusal.card_twice"
    table.does(A, Give(table.held(A, "KC 6D")))
    assert [(fact.source, len(fact.cards)) for fact in table.does_all(Transferred)] == [
        (Source.HAND, 2),
        (Source.HAND, 2),
        (Source.DEFENSE, 2),
    ]


def test_Q_9_what_is_left_of_the_attack_goes_on_after_the_choice() -> None:
    table = against("9H", "3S 4S 5D 6D 7D 9D KC TC", 2).attacks("3S 4S").does(B, Allow())
    assert table.moved() == 2
    table.does(A, Give(table.held(A, "KC")))
    assert (table.state.phase, table.moved()) == (Phase.GIVE, 1)
    table.does(A, Give(table.held(A, "5D 6D 7D 9D")))
    assert table.moved() == 4
    assert names(table.worked.places[A].hand) == "TC"
    assert table.state.turn == B


def test_Q_9_where_all_are_taken_nobody_is_asked() -> None:
    table = against("9H", "2S KC 5D", 0).attacks("2S").does(B, Allow())
    assert [names(fact.cards) for fact in table.does_all(Transferred)] == ["KC 5D"]
    assert table.state.turn == B


def test_Q_9_out_of_time_the_cards_go_in_hand_order() -> None:
    table = giving()
    assert ring(table)[1] == Turn()
    hand = table.state.places[A].hand
    table.does(None, ring(table)[0])
    assert table.does_all(Transferred)[0].cards == hand[:2]


# ---------------------------------------------------------------------------------------------- court cards


def taken(hand: str, *, mine: int = 30, damage: int = 0, sequence: str = "JS") -> Played:
    """A Jack, as a Spy Card, takes from this hand."""
    table = Played(lay(Place(sequence + " KC", mine, damage), Place(hand, 9, "", "QH"))).attacks(sequence)
    return table.does(B, Allow()) if table.state.phase is Phase.BLOCK else table


@pytest.mark.parametrize(
    ("hand", "cards"),
    [("7D", 14), ("2D", 4), ("TD", 20), ("JD", 0), ("QD", 0), ("X", 0), ("KD", 3), ("AD", 30), ("", 0)],
)
def test_Q_10_a_jack_takes_a_card_and_moves_twice_its_number(hand: str, cards: int) -> None:
    table = taken(hand, damage=3)
    assert table.moved() == cards
    assert [fact.card.name for fact in table.does_all(CardTaken)] == [card(code).name for code in hand.split()]
    if hand:
        assert hand in names(table.worked.places[B].damage).split()


def test_Q_10_a_jack_that_finds_no_card_does_not_stop_the_attack() -> None:
    table = taken("", sequence="JS 2S")
    assert table.does_all(CardTaken) == []
    assert table.moved() == 2


def test_Q_10_two_jacks_take_two_cards_and_the_block_comes_before() -> None:
    table = Played(lay(Place("JS JH KC", 30), Place("2D 4D AD", 9, "", "QH"))).attacks("JS JH").does(B, Allow())
    assert len(table.does_all(CardTaken)) == 2
    blocked = Played(lay(Place("JS 2S KC", 30), Place("4D", 9, "", "QH"))).attacks("JS 2S").blocks(B, "4D")
    assert blocked.does_all(CardTaken) == []
    assert blocked.moved() == 0


def test_Q_11_a_king_moves_the_damage_pile_in_its_order() -> None:
    table = Played(lay(Place("KS KC", 9, "AD QD TD"), OTHERS._replace(damage="2H 4H", defense="KH")))
    table.attacks("KS").does(B, Allow())
    assert names(table.worked.places[B].damage) == "AD QD TD KS 2H 4H"
    assert table.worked.places[A].damage == ()


def test_Q_11_an_ace_moves_the_attack_pile_top_card_first() -> None:
    table = Played(lay(Place("2S AS KC", "AD QD TD KD"), OTHERS._replace(damage="2H", defense="9H")))
    table.attacks("2S AS").does(B, Allow())
    assert names(table.worked.places[B].damage) == "KD TD QD AD AS 2S 2H"
    assert table.does_all(AttackCut) == []


def test_Q_11_from_an_empty_pile_nothing_moves_and_nothing_runs_short() -> None:
    table = against("AH", "KS AS KC", 0).attacks("KS AS").does(B, Allow())
    assert table.moved() == 0
    assert names(table.worked.places[A].hand) == "KC"


@pytest.mark.parametrize(
    ("sequence", "damage", "cards"),
    [("4S QS", 0, 8), ("4S QS QD", 0, 16), ("QS 4S", 0, 4), ("KS QS", 3, 6), ("QS", 0, 0)],
)
def test_Q_12_a_queen_doubles_what_was_moved_so_far(sequence: str, damage: int, cards: int) -> None:
    assert against("KH", sequence + " KC", damage=damage).attacks(sequence).does(B, Allow()).moved() == cards


def test_Q_12_a_card_taken_by_a_jack_is_not_a_transfer() -> None:
    table = taken("JD", sequence="JS QS")
    assert table.moved() == 0
    assert taken("2D", sequence="JS QS").moved() == 8


def test_Q_11_an_ace_leaves_nothing_for_what_follows_and_the_offer_knows() -> None:
    table = against("AH", "AS 4S KC", 3)
    pick = table.choices.find("damage1")
    assert isinstance(pick, AttackPick)
    worth = pick.step(tuple(pick.hand.index(each) for each in table.held(A, "AS 4S"))).worth
    assert (worth["transfer"], worth["wins"]) == (5, 1)
    assert table.attacks("AS 4S").does(B, Allow()).moved() == 5
    assert table.outcome == Outcome("emptied", (1, 2))


def test_Q_13_the_match_is_won_in_the_middle_of_an_attack() -> None:
    table = Played(lay(Place("5S 2S 7S 4D", 1, "", "8C"), OTHERS._replace(defense="9H"))).attacks("5S 2S 7S")
    table.does(B, Allow())
    assert table.outcome == Outcome("emptied", (1, 2))
    assert table.moved() == 3
    assert table.state.places[A].cards == 0
    assert GAME.window(table.state) is None


def test_Q_13_one_card_left_is_not_a_win() -> None:
    table = Played(lay(Place("2S 4D", 0, "", "8C 7C"), OTHERS._replace(defense="9H"))).attacks("2S").does(B, Allow())
    assert table.outcome is None
    assert table.worked.places[A].cards == 1


@pytest.mark.parametrize(
    ("sequence", "mine", "damage", "told"),
    [
        ("4S JS", 30, 2, {"transfer": 4, "jack": 1}),
        ("9S QS KS", 12, 2, {"transfer": 12, "cut": 1}),
        ("4S KS", 12, 2, {"transfer": 6}),
        ("4S AS", 12, 2, {"transfer": 12}),
        ("4S", 1, 0, {"transfer": 3, "wins": 1}),
        ("4S", 3, 0, {"transfer": 4}),
        ("KS 4S", 3, 2, {"transfer": 6}),
    ],
)
def test_Q_8_to_Q_13_are_told_before_the_attack(sequence: str, mine: int, damage: int, told: dict[str, int]) -> None:
    table = against("KH", sequence + " KC", mine, damage=damage)
    pick = table.choices.find("damage1")
    assert isinstance(pick, AttackPick)
    cards = table.held(A, sequence)
    worth = pick.step(tuple(pick.hand.index(each) for each in cards)).worth
    assert {key: worth[key] for key in ("transfer", "jack", "cut", "wins")} == {
        "transfer": 0,
        "jack": 0,
        "cut": 0,
        "wins": 0,
        **told,
    }
    if not worth["jack"]:
        assert table.attacks(sequence).does(B, Allow()).moved() == worth["transfer"]
        assert (table.outcome is not None) == bool(worth["wins"])
