"""High Card: the laws, and its rulings one by one. A is seat 0, B is seat 1, and so on."""

# ruff: noqa: N802  a test's name has the ruling's number as it is written

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from cardroom_high_card.cog import HighCardPresenter
from cardroom_high_card.engine import (
    PACK,
    BackLaid,
    CardLaid,
    CountDealt,
    Ended,
    HandDealt,
    HighCard,
    Lay,
    Options,
    State,
    TrickShown,
    taker,
)
from discord_sandbox import refusals
from engines.cards import Card
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, Deal
from engines.game import Event, IllegalAction, Outcome, Refusal, Resign, TimeUp, seen_by
from laws.case import GameCase, Viewer
from laws.suite import GameLaws

GAME = HighCard()
A, B = 0, 1


def sees(event: Event, viewer: Viewer) -> Iterable[Card]:
    """The Knowledge table row by row: the cards that a viewer (a seat, or None for everybody) sees by an event.

    Secrecy is tested against this. So it is written from the table, and not from the audiences of the events.
    """
    match event:
        case HandDealt():  # a hand: its owner
            return event.cards if viewer == event.seat else ()
        case CardLaid():  # a card laid face down: its owner
            return (event.card,) if viewer == event.seat else ()
        case TrickShown():  # the two cards of a trick: everybody
            return event.cards
    return ()  # the cards that were not dealt: nobody; other events have no cards


CASE = GameCase(
    game=GAME,
    presenter=HighCardPresenter(),
    sees=sees,
    endings=("tricks", "draw", "resignation", "time"),
    refusals=refusals,
    golden_folder=Path(__file__).parent / "golden",
    variants={"fewest_tricks": Options(tricks=3), "most_tricks": Options(tricks=9)},
)


class TestLaws(GameLaws):
    """Everything that is true of all games: laws/suite.py says what."""

    case = CASE


# ---------------------------------------------------------------------------------------------- tables laid by hand


def cards(codes: str) -> tuple[Card, ...]:
    """Cards from codes such as ``7S 3D``."""
    return tuple(Card.of(code) for code in codes.split())


def lay(code: str) -> Lay:
    """The act of laying this card."""
    return Lay(Card.of(code))


def chance(seq: int = 0) -> Chance:
    """Chance for one act of a match."""
    return SeededChance(bytes(32), Deal("high_card", 1, "G1", (NO_SALT,) * 2), seq, PACK.pack_id)


class Played:
    """A match that begins with these hands; all other cards are the stock. Every act must keep the cards together."""

    def __init__(self, a: str, b: str) -> None:
        hands = cards(a), cards(b)
        dealt = {*hands[A], *hands[B]}
        stock = tuple(card for card in PACK.cards if card not in dealt)
        self.state = State(Options(), hands=hands, stock=stock)

    def does(self, seat: int | None, action: Any) -> Played:
        """Act, and check that no card is lost or doubled."""
        self.state = GAME.decide(self.state, seat, action, chance(1)).state
        assert places(self.state) == Counter(PACK.cards)
        return self

    def refuses(self, seat: int | None, action: Any) -> Refusal:
        """Try to act, and be refused."""
        with pytest.raises(IllegalAction) as refused:
            GAME.decide(self.state, seat, action, chance(1))
        return refused.value.refusal

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        return GAME.outcome(self.state)


def places(state: State) -> Counter[Card]:
    """Every card on the table, by how often it is there."""
    shown = [card for trick in state.tricks for card in trick.cards]
    laid = [card for card in state.laid if card is not None]
    return Counter([*state.hands[A], *state.hands[B], *state.stock, *laid, *shown])


# ---------------------------------------------------------------------------------------------- set-up


@pytest.mark.parametrize("tricks", [3, 5, 9])
def test_each_is_dealt_as_many_cards_as_tricks_are_played(tricks: int) -> None:
    state = GAME.deal(GAME.start(Options(tricks), 2), chance()).state
    assert [len(hand) for hand in state.hands] == [tricks, tricks]
    assert places(state) == Counter(PACK.cards)


def test_cards_are_dealt_one_at_a_time() -> None:
    state = GAME.deal(GAME.start(Options(), 2), chance()).state
    deck = chance().deck(PACK.cards)
    assert (set(state.hands[A]), set(state.hands[B]), state.stock) == (set(deck[0:10:2]), set(deck[1:10:2]), deck[10:])


@pytest.mark.parametrize("seats", [1, 3])
def test_it_is_a_game_for_two(seats: int) -> None:
    with pytest.raises(ValueError, match="two"):
        GAME.start(Options(), seats)


# ---------------------------------------------------------------------------------------------- rulings


@pytest.mark.parametrize(("high", "low"), [("AC", "KC"), ("KS", "QH"), ("QH", "JD"), ("JD", "TC"), ("3C", "2S")])
def test_HC_1_the_ace_is_high_and_suits_do_not_matter(high: str, low: str) -> None:
    assert taker((Card.of(high), Card.of(low))) == A
    assert taker((Card.of(low), Card.of(high))) == B


@pytest.mark.parametrize(("first", "second"), [(A, B), (B, A)])
def test_HC_2_cards_are_laid_in_any_order_and_turned_up_together(first: int, second: int) -> None:
    codes = ("KS", "9H")
    table = Played("KS 2C", "9H 3C").does(first, lay(codes[first]))
    assert GAME.observe_public(table.state).tricks == ()
    table.does(second, lay(codes[second]))
    assert [trick.cards for trick in table.state.tricks] == [cards("KS 9H")]


def test_HC_2_a_laid_card_stays() -> None:
    table = Played("KS 2C", "9H 3C").does(A, lay("KS"))
    assert table.refuses(A, lay("2C")) == Refusal("HC-2", "high_card.refusal.already_laid")
    assert GAME.choices(table.state, A).offers == ()


def test_HC_2_only_its_owner_knows_a_card_that_is_face_down() -> None:
    table = Played("KS 2C", "9H 3C")
    (laid,) = GAME.decide(table.state, A, lay("KS"), chance(1))
    assert (seen_by(laid, A), seen_by(laid, B), seen_by(laid, None)) == (laid, BackLaid(A), BackLaid(A))
    table.does(A, lay("KS"))
    assert GAME.observe(table.state, A).own.laid == Card.of("KS")
    assert GAME.observe(table.state, B).own.laid is None


def test_the_result_shows_what_was_held_and_what_was_face_down() -> None:
    state = Played("7S 3D", "TC 5H").does(A, lay("7S")).does(B, Resign()).state
    held = {seat: HighCardPresenter().held(GAME.observe(state, seat)) for seat in (A, B)}
    assert {seat: [card.name for card in cards] for seat, cards in held.items()} == {A: ["3♦", "7♠"], B: ["10♣", "5♥"]}


def test_the_result_tells_the_tricks_that_were_taken_and_which_one_won_it() -> None:
    pairs = [cards(pair) for pair in ("KS 2C", "7D 7S", "9H 3C", "2H 4C")]
    shown = [TrickShown((mine, theirs), taker((mine, theirs))) for mine, theirs in pairs]
    events = [*shown, Ended("tricks", A)]
    presenter = HighCardPresenter()
    assert [presenter.weight(events, index) for index in range(len(events))] == [1, 0, 1, 1, 0]
    assert presenter.decisive(events) == 2
    assert presenter.decisive([*shown, Ended("resignation", A)]) is None


def test_HC_3_the_higher_card_takes_the_trick() -> None:
    table = Played("KS 2C", "9H 3C").does(A, lay("KS")).does(B, lay("9H"))
    assert table.state.taken == (1, 0)


def test_HC_3_nobody_takes_a_trick_of_equal_cards() -> None:
    table = Played("7D 2C", "7S 3C").does(A, lay("7D")).does(B, lay("7S"))
    assert table.state.taken == (0, 0)


def test_HC_4_more_tricks_win() -> None:
    table = Played("7D 2C", "7S 3C").does(A, lay("7D")).does(B, lay("7S")).does(B, lay("3C"))
    assert table.outcome is None
    assert table.does(A, lay("2C")).outcome == Outcome("tricks", (2, 1))


def test_HC_4_equally_many_tricks_are_a_draw() -> None:
    table = Played("7D 2C", "6S 3C").does(A, lay("7D")).does(B, lay("6S")).does(B, lay("3C")).does(A, lay("2C"))
    assert table.outcome == Outcome("draw", (1, 1))


# ---------------------------------------------------------------------------------------------- rulings for all games


def test_C_3_a_card_that_is_not_held_cannot_be_laid() -> None:
    assert Played("KS 2C", "9H 3C").refuses(A, lay("9H")).ruling == "C-3"


def test_C_4_who_resigns_loses_with_a_card_laid_or_without() -> None:
    assert Played("KS 2C", "9H 3C").does(A, Resign()).outcome == Outcome("resignation", (2, 1))
    assert Played("KS 2C", "9H 3C").does(B, lay("9H")).does(B, Resign()).outcome == Outcome("resignation", (1, 2))


def test_C_5_who_has_not_laid_in_time_loses() -> None:
    table = Played("KS 2C", "9H 3C").does(A, lay("KS"))
    assert table.does(None, TimeUp("turn", "1")).outcome == Outcome("time", (1, 2))


def test_C_5_if_neither_has_laid_in_time_it_is_a_draw() -> None:
    assert Played("KS 2C", "9H 3C").does(None, TimeUp("turn", "1")).outcome == Outcome("time", (1, 1))


def test_what_was_dealt_is_shown_to_others_as_a_number() -> None:
    dealt, *_ = GAME.deal(GAME.start(Options(), 2), chance())
    assert seen_by(dealt, B) == seen_by(dealt, None) == CountDealt(A, 5)


@pytest.mark.parametrize(
    ("text", "why"), [("", "no act"), ("lay", "no act"), ("pass", "no act"), ("lay 1S", "not a card")]
)
def test_a_text_that_is_no_act_is_not_read(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        GAME.read(text)
