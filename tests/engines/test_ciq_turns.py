"""The rulings of CIQ on the deal, the turns, the end and leaving; those on attacks are in test_ciq_rulings."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from engines.ciq import (
    Allow,
    CardsDrawn,
    Defend,
    Draw,
    Ended,
    Give,
    LetThrough,
    Options,
    Pass,
    Passed,
    Phase,
    Pile,
    Transferred,
    TurnBegun,
    TurnedOver,
    packs,
)
from engines.game import Closed, Outcome, Refusal, Resign, Turn
from engines.options import NONE, OptionRefused
from tests.engines.ciq_table import (
    GAME,
    OTHERS,
    A,
    B,
    C,
    D,
    Place,
    Played,
    against,
    card,
    chance,
    everything,
    giving,
    lay,
    names,
    opened,
    ring,
)

PASS_NOT_OPEN = Refusal("Q-15", "ciq.refusal.pass_not_open")

# ---------------------------------------------------------------------------------------------- set-up and turns


def test_Q_0_open_piles_are_open_and_a_pile_turned_over_is_not() -> None:
    table = Played(lay(Place("4H 5H 6H 7H 9H", 9), Place("2C 4C", "", "KS QS", "8D 9D")))
    assert names(GAME.observe_public(table.state).places[B].damage) == "KS QS"
    assert names(GAME.observe_public(table.state).places[B].defense) == "8D 9D"
    table.does(A, Draw())
    place = GAME.observe_public(table.state).places[B]
    assert (place.hand, place.attack, place.damage) == (4, 0, ())
    assert [name for name in place.__slots__ if name not in ("hand", "attack", "out")] == ["damage", "defense"]


def test_Q_1_the_pile_is_turned_over_before_refilling_and_its_bottom_card_comes_on_top() -> None:
    table = Played(lay(Place("4H 5H 6H 7H 9H", 9), Place("2C 4C 5C", "", "KS QS JS TS"))).does(A, Draw())
    assert [type(fact) for fact in table.facts[-3:]] == [TurnBegun, TurnedOver, CardsDrawn]
    assert names(table.facts[-1].cards) == "TS JS"  # type: ignore[union-attr]  # the last is what was drawn
    assert names(table.state.places[B].attack) == "QS KS"


def test_Q_1_the_pile_is_turned_over_during_and_after_refilling() -> None:
    during = Played(lay(Place("4H 5H 6H 7H 9H", 9), Place("2C 4C 5C", "AS", "KS QS"))).does(A, Draw())
    assert names(during.state.places[B].hand) == "2C 4C 5C QS AS"
    assert names(during.state.places[B].attack) == "KS"
    after = Played(lay(Place("4H 5H 6H 7H 9H", 9), Place("2C 4C 5C", "AS JS", "KS QS"))).does(A, Draw())
    assert names(after.state.places[B].hand) == "2C 4C 5C JS AS"
    assert names(after.state.places[B].attack) == "QS KS"
    assert after.state.places[B].damage == ()


def test_Q_1_a_full_hand_is_not_refilled_but_the_pile_is_turned_over() -> None:
    table = Played(lay(Place("4H 5H 6H 7H 9H", 9), Place("2C 4C 5C 6C 7C 9C", "", "KS"))).does(A, Draw())
    assert names(table.state.places[B].attack) == "KS"
    assert len(table.state.places[B].hand) == 6


def test_Q_1_no_pile_is_turned_over_during_an_attack() -> None:
    table = against("9H", "5S 2D KC", 3, damage="KS QS").attacks("5S").does(B, Allow())
    assert table.moved() == 3
    assert names(table.worked.places[A].damage) == "KS QS"


# ---------------------------------------------------------------------------------------------- the other acts


def test_Q_14_to_defend_takes_the_suit_of_the_top_card() -> None:
    table = Played(lay(Place("2C 3C 4H 5D X", 9, "QD TD", "KC 8H"), OTHERS))
    refused = table.refuses(A, Defend(table.held(A, "4H")))
    assert (refused.ruling, refused.key, refused.values) == ("Q-14", "ciq.refusal.defend_suit", {"suit": "♣"})
    assert table.refuses(A, Defend(table.held(A, "X"))).key == "ciq.refusal.defend_suit"
    assert table.refuses(A, Defend(())).key == "ciq.refusal.defend_without_card"
    assert table.refuses(A, Defend(table.held(A, "2C 3C"))).key == "ciq.refusal.defend_with_one"
    table.does(A, Defend(table.held(A, "2C")))
    assert names(table.worked.places[A].defense) == "2C"
    assert names(table.worked.places[A].damage) == "KC 8H QD TD"
    assert table.state.turn == B


def test_Q_15_a_draw_takes_one_card() -> None:
    table = Played(lay(Place("2C 4C 5C 6C 7C", "AD KD"), OTHERS)).does(A, Draw())
    assert names(table.worked.places[A].hand) == "2C 4C 5C 6C 7C AD"
    assert table.state.turn == B


def test_Q_15_passing_is_open_only_with_nothing_to_draw() -> None:
    table = Played(lay(Place("2C 4C", 1), OTHERS))
    assert table.choices.closed == (Closed("pass", Refusal("Q-15", "ciq.refusal.pass_not_open")),)
    assert table.refuses(A, Pass()).ruling == "Q-15"
    dry = Played(lay(Place("2C 4C", 0), OTHERS))
    assert dry.choices.closed == (Closed("draw", Refusal("Q-15", "ciq.refusal.draw_nothing")),)
    assert dry.refuses(A, Draw()).ruling == "Q-15"
    dry.does(A, Pass())
    assert dry.does_all(Passed) == [Passed(A, forced=False)]


def test_Q_15_where_passing_is_all_there_is_it_is_done() -> None:
    table = Played(lay(Place("2C 4C", 5), Place("", 0, "", "8H"))).does(A, Draw())
    assert table.does_all(Passed) == [Passed(B, forced=True)]
    assert (table.state.turn, table.state.round) == (A, 4)


def test_Q_15_with_cards_on_the_damage_pile_nobody_passes() -> None:
    table = Played(lay(Place("2C 4C", 5), Place("", 0, "KD", "8H"))).does(A, Draw())
    assert table.does_all(Passed) == []
    assert names(table.state.places[B].hand) == "KD"


# ---------------------------------------------------------------------------------------------- the end


def last_round(*places: Place) -> Played:
    """The last turn of the last round is on, the last seat's."""
    options = Options(round_limit=10)
    return Played(lay(*places, turn=len(places) - 1, options=options, number=10))


def test_Q_16_after_the_last_round_the_fewest_cards_win() -> None:
    table = last_round(Place("2C 4C 5C 6C 7C", 1), Place("2H", 5, 3), Place("2D 4D 5D 6D 7D", 9))
    table.does(C, Draw())
    assert table.outcome == Outcome("decision", (1, 2, 2))


def test_Q_16_equally_few_share_the_win() -> None:
    table = last_round(Place("2C 4C", 3), Place("2H", 1, 3), Place("2D 4D 5D 6D 7D", 9)).does(C, Draw())
    assert table.outcome == Outcome("decision", (1, 1, 3))
    everybody = last_round(Place("2C 4C", 3), Place("2H 4H", 3)).does(B, Draw())
    assert everybody.outcome == Outcome("decision", (1, 1))


def test_Q_16_a_round_is_one_turn_for_each_seat_still_in() -> None:
    table = Played(lay(OTHERS, OTHERS, OTHERS, number=1))
    rounds = []
    for seat in (A, B, C, A, B):
        rounds.append(table.state.round)
        table.does(seat, Draw())
    assert rounds == [1, 1, 1, 2, 2]
    table.does(A, Resign())
    table.does(C, Draw())
    assert (table.state.turn, table.state.round) == (B, 3)
    table.does(B, Draw()).does(C, Draw())
    assert (table.state.turn, table.state.round) == (B, 4)


def test_Q_16_nobody_is_asked_again_before_the_limit_is_full() -> None:
    table = Played(lay(OTHERS, OTHERS, options=Options(round_limit=10), number=9, turn=B)).does(B, Draw())
    assert table.outcome is None
    table.does(A, Draw())
    assert table.outcome is None
    assert table.does(B, Draw()).outcome is not None


def test_Q_16_without_a_limit_no_round_is_the_last() -> None:
    table = Played(lay(OTHERS, OTHERS, options=Options(round_limit=NONE), number=100_000, turn=B)).does(B, Draw())
    assert table.outcome is None
    assert table.state.round == 100_001


def test_Q_17_who_has_left_cannot_be_attacked_and_is_out_of_play() -> None:
    table = Played(lay(OTHERS, Place("2S 4S", 9), OTHERS)).does(B, Resign())
    assert table.refuses_attack("2C", B).ruling == "Q-17"
    assert {offer.verb for offer in table.choices} == {"damage2", "defense2", "defend", "draw"}
    before = table.state.places[B]
    table.does(A, Draw())
    assert table.state.turn == C
    assert table.state.places[B] == before
    last = Played(lay(Place("2C 4C 5C", 9), Place(), OTHERS, options=Options(round_limit=10), number=10, turn=C))
    assert last.does(B, Resign()).does(C, Draw()).outcome == Outcome("decision", (1, 3, 2))


@pytest.mark.parametrize("seats", range(2, 7))
def test_Q_18_how_many_packs_there_are(seats: int) -> None:
    least = {2: 1, 3: 1, 4: 1, 5: 2, 6: 2}[seats]
    most = 2 * seats
    for decks, packed in ((None, seats), (0, least), *((decks, decks) for decks in range(least, most + 1))):
        assert GAME.pack(Options(decks=decks), seats).cards == packs(packed)
    for decks in {*range(1, 13)} - {*range(least, most + 1)}:
        with pytest.raises(OptionRefused) as refused:
            GAME.start(Options(decks=decks), seats)
        assert refused.value.values == {"seats": seats, "least": least, "most": most}


def test_Q_18_options_take_what_they_say() -> None:
    refused: tuple[dict[str, Any], ...] = (
        {"decks": 13},
        {"decks": -1},
        {"decks": NONE},
        {"round_limit": 9},
        {"round_limit": 501},
        {"block_seconds": 9},
        {"hand_limit": 9},
        {"hand_limit": 11},
    )
    for wrong in refused:
        with pytest.raises(OptionRefused):
            Options(**wrong)
    assert GAME.info.presets["quick"] == Options(decks=0, round_limit=30, hand_limit=10)


def test_C_0_only_an_answer_to_the_question_is_taken() -> None:
    table = Played(lay(Place("2S 6S KC 9D TD", 40), OTHERS._replace(defense="9H")))
    act: Allow | Draw | Give | Pass
    for act in (Allow(), Give(table.held(A, "KC"))):
        assert table.refuses(A, act) == Refusal("C-0", "ciq.refusal.asked_turn")
    table.attacks("2S 6S")
    assert table.state.phase is Phase.BLOCK
    for act in (Draw(), Pass(), Give(table.held(B, "7C"))):
        assert table.refuses(B, act) == Refusal("C-0", "ciq.refusal.asked_block")
    owing = giving()
    for act in (Draw(), Allow()):
        assert owing.refuses(A, act) == Refusal("C-0", "ciq.refusal.asked_give")


@pytest.mark.parametrize(
    ("seats", "options"), [(2, Options()), (5, Options()), (6, Options(decks=0)), (4, Options(decks=0))]
)
def test_Q_19_the_deal(seats: int, options: Options) -> None:
    state = opened(3, seats, options)
    assert everything(state) == Counter(GAME.pack(options, seats).cards)
    assert state.turn == state.first == (state.dealer + 1) % seats
    assert all(len(place.hand) == 5 and [top.rank for top in place.defense] == [8] for place in state.places)
    sizes = [state.places[(state.first + step) % seats].cards for step in range(seats)]
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) - min(sizes) <= 1


def test_Q_19_the_eights_and_the_others_are_shuffled_apart() -> None:
    pack = GAME.pack(Options(), 3).cards
    dealt, by = opened(5, 3), chance(0, 5, 3)
    laid = by.use("eights").shuffled([card for card in pack if card.rank == 8])[:3]
    rest = by.deck([card for card in pack if card not in laid])
    assert dealt.dealer == (chance(0, 5, 3).first_seat(3) - 1) % 3
    for index in range(3):
        seat = (dealt.dealer + 1 + index) % 3
        assert dealt.places[seat].defense == (laid[index],)
        pile = rest[index::3]
        assert set(dealt.places[seat].hand) == set(pile[:5])
        assert dealt.places[seat].attack == pile[5:]


def test_Q_23_with_ten_cards_in_hand_drawing_is_closed() -> None:
    limited = Options(hand_limit=10)
    told = Refusal("Q-23", "ciq.refusal.draw_at_limit", {"limit": 10})
    ten, nine = "2C 4C 5C 6C 7C 9C TC JC QC KC", "2C 4C 5C 6C 7C 9C TC JC QC"
    full = Played(lay(Place(ten, 9), OTHERS, options=limited))
    assert full.refuses(A, Draw()) == told
    assert full.choices.closed == (Closed("draw", told), Closed("pass", PASS_NOT_OPEN))
    assert full.refuses(A, Pass()) == PASS_NOT_OPEN
    more = Played(lay(Place(f"{ten} AC", 9), OTHERS, options=limited))
    assert more.refuses(A, Draw()) == told
    below = Played(lay(Place(nine, 9), OTHERS, options=limited)).does(A, Draw())
    assert len(below.worked.places[A].hand) == 10
    assert len(Played(lay(Place(ten, 9), OTHERS)).does(A, Draw()).worked.places[A].hand) == 11


def test_Q_23_with_nothing_to_draw_passing_stays_open() -> None:
    ten = "2C 4C 5C 6C 7C 9C TC JC QC KC"
    dry = Played(lay(Place(ten, 0), OTHERS, options=Options(hand_limit=10)))
    assert dry.choices.closed == (Closed("draw", Refusal("Q-15", "ciq.refusal.draw_nothing")),)
    dry.does(A, Pass())
    assert dry.state.turn == B


def test_Q_20_chosen_cards_go_in_hand_order() -> None:
    table = giving()
    table.does(A, Give(table.held(A, "7D KC")))
    assert names(table.does_all(Transferred)[0].cards) == "KC 7D"


def test_Q_21_where_no_card_can_ever_move_the_match_is_decided() -> None:
    table = Played(lay(Place("2H 4H", 0, "", "8C"), Place("", 0, "", "8H 9H")))
    table.attacks("2H 4H", pile=Pile.DEFENSE)
    assert table.outcome == Outcome("decision", (1, 2))
    assert table.does_all(TurnBegun) == []


# ---------------------------------------------------------------------------------------------- leaving


def three(sequence: str = "2S 6S", mine: int = 40) -> Played:
    """A attacks B, who is asked to block, while C looks on."""
    return Played(lay(Place(sequence + " KC 9D TD", mine), OTHERS._replace(defense="9H"), OTHERS)).attacks(sequence)


def test_C_4_who_leaves_when_asked_for_a_block_makes_none_and_is_out_afterwards() -> None:
    table = three().does(B, Resign())
    assert table.does_all(LetThrough) == [LetThrough(B)]
    assert table.moved() == 8
    assert table.state.out == {B}
    assert table.state.turn == C
    assert table.outcome is None
    assert table.refuses(B, Resign()).key == "ciq.refusal.left"


def test_Q_22_who_leaves_under_attack_stays_until_it_is_worked_out() -> None:
    table = three("3S", 1).does(B, Allow())
    assert (table.state.phase, table.state.asked) == (Phase.GIVE, A)
    table.does(B, Resign())
    assert (table.state.phase, table.state.out) == (Phase.GIVE, frozenset())
    assert table.refuses(B, Resign()).key == "ciq.refusal.left"
    table.does(None, ring(table)[0])
    assert table.state.out == {B}
    assert len(table.state.places[B].damage) == 4
    assert table.state.turn == C


def test_Q_22_the_last_one_left_wins_at_once() -> None:
    table = three("3S", 1).does(B, Allow()).does(B, Resign()).does(C, Resign())
    assert table.outcome == Outcome("resignation", (1, 3, 2))
    assert table.state.out == {B, C}


def test_C_4_if_the_attacker_leaves_the_cards_stay_and_the_next_seat_is_on() -> None:
    table = three().does(A, Resign())
    assert names(table.worked.places[B].damage) == "6S 2S"
    assert table.moved() == 0
    assert (table.state.phase, table.state.turn, table.state.out) == (Phase.TURN, B, frozenset({A}))
    gave = three("3S", 1).does(B, Allow()).does(B, Resign()).does(A, Resign())
    assert gave.outcome == Outcome("resignation", (2, 3, 1))


def test_C_4_if_the_attacker_leaves_too_the_seat_that_left_under_attack_is_out() -> None:
    laid = lay(Place("3S KC 9D TD", 1), OTHERS._replace(defense="9H"), OTHERS, OTHERS)
    table = Played(laid).attacks("3S").does(B, Allow()).does(B, Resign())
    assert (table.state.phase, table.state.out) == (Phase.GIVE, frozenset())
    table.does(A, Resign())
    assert table.state.out == {A, B}
    assert (table.state.turn, table.outcome) == (C, None)
    assert table.does(C, Draw()).state.turn == D


def test_C_12_who_left_is_below_those_who_played_on_the_last_to_leave_first() -> None:
    places = (Place("2C 4C", 1), OTHERS, OTHERS, OTHERS, Place("2D 4D", 9))
    table = Played(lay(*places, turn=4, options=Options(round_limit=10), number=10))
    table.does(D, Resign()).does(B, Resign()).does(4, Draw())
    assert table.outcome == Outcome("decision", (1, 4, 2, 5, 2))


def test_C_12_who_leaves_under_attack_left_then_and_not_when_it_is_worked_out() -> None:
    table = three("3S", 1).does(B, Allow()).does(B, Resign())
    assert table.state.departed == (B,)
    assert table.does(C, Resign()).outcome == Outcome("resignation", (1, 3, 2))


def test_C_12_before_the_third_version_of_the_rules_all_who_did_not_win_shared_a_place() -> None:
    table = Played(lay(OTHERS, OTHERS, OTHERS)).does(B, Resign())
    ended = GAME.evolve(table.state, Ended("decision", (A,)))
    assert GAME.outcome(ended) == Outcome("decision", (1, 2, 2))


def test_C_4_who_leaves_out_of_turn_is_passed_over() -> None:
    table = Played(lay(OTHERS, OTHERS, OTHERS)).does(B, Resign())
    assert (table.state.turn, table.state.window) == (A, 7)
    assert table.does(A, Draw()).state.turn == C
    blocking = three().does(C, Resign())
    assert (blocking.state.phase, blocking.state.asked) == (Phase.BLOCK, B)
    blocking.does(B, Allow())
    assert blocking.state.turn == B


@pytest.mark.parametrize("seat", [A, B])
def test_C_4_with_two_players_the_other_wins(seat: int) -> None:
    asked = Played(lay(Place("4S KC 9D", 1), OTHERS._replace(defense="9H"))).attacks("4S")
    for state in (lay(OTHERS, OTHERS), asked.state, giving().state):
        table = Played(state).does(seat, Resign())
        assert table.outcome == Outcome("resignation", (2, 1) if seat == A else (1, 2))


def test_C_5_out_of_time_in_a_turn_is_leaving() -> None:
    table = Played(lay(OTHERS, OTHERS, OTHERS))
    assert ring(table)[1] == Turn()
    table.does(None, ring(table)[0])
    assert (table.state.turn, table.state.out, table.outcome) == (B, frozenset({A}), None)
    old = ring(table)[0]
    table.does(None, old)
    assert table.outcome == Outcome("time", (3, 2, 1))
    assert Played(lay(OTHERS, OTHERS)).refuses(None, replace(old, key="1")).key == "refusal.time_is_not_up"


def test_C_7_a_joker_is_written_as_one() -> None:
    assert [card(code).name for code in ("X", "TH", "AS", "2C")] == ["🃏", "10♥", "A♠", "2♣"]
