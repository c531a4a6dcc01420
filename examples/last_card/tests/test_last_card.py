"""Last Card: the laws, and its rulings one by one. A is seat 0, B is seat 1, and so on."""

# ruff: noqa: N802  a test's name has the ruling's number as it is written

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest

from cardroom_last_card.cog import LastCardPresenter
from cardroom_last_card.engine import (
    PACK,
    BackDrawn,
    CardDrawn,
    CardPlayed,
    Draw,
    Fact,
    HandDealt,
    HeapBegun,
    LastCard,
    Options,
    Pass,
    PileLaid,
    Play,
    State,
    TurnBegun,
)
from cardroom_last_card.engine import SeatLeft as Left
from discord_sandbox import refusals
from engines.cards import Card
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, Deal
from engines.game import Event, IllegalAction, Outcome, Refusal, Resign, Seat, TimeUp, fold, seen_by
from laws.case import GameCase, Search, Viewer
from laws.suite import GameLaws

GAME = LastCard()
A, B, C = range(3)


def sees(event: Event, viewer: Viewer) -> Iterable[Card]:
    """The Knowledge table row by row: the cards that a viewer (a seat, or None for everybody) sees by an event.

    Secrecy is tested against this. So it is written from the table, and not from the audiences of the events.
    """
    match event:
        case HandDealt():  # a hand: its owner
            return event.cards if viewer == event.seat else ()
        case CardDrawn():  # a card that was drawn: its owner
            return (event.card,) if viewer == event.seat else ()
        case CardPlayed() | HeapBegun():  # the heap: everybody
            return (event.card,)
    return ()  # the pile: nobody; other events have no cards


def timed_out(event: Any, _seats: int) -> Collection[Seat]:
    """The seat that an event takes out because its time ran out."""
    return (event.seat,) if isinstance(event, Left) and event.reason == "time" else ()


CASE = GameCase(
    game=GAME,
    presenter=LastCardPresenter(),
    sees=sees,
    endings=("emptied", "stuck", "resignation", "time"),
    refusals=refusals,
    golden_folder=Path(__file__).parent / "golden",
    variants={"fewest_cards": Options(cards=3), "most_cards": Options(cards=7)},
    closed={"pass": Pass(), "draw": Draw()},
    timed_out=timed_out,
    rare={"stuck"},
    golden_searches={"emptied": Search("fewest_cards"), "stuck": Search("most_cards", seats=4)},
)


class TestLaws(GameLaws):
    """Everything that is true of all games: laws/suite.py says what."""

    case = CASE


# ---------------------------------------------------------------------------------------------- tables laid by hand


def cards(codes: str) -> tuple[Card, ...]:
    """Cards from codes such as ``7S 3D``."""
    return tuple(Card.of(code) for code in codes.split())


def play(codes: str) -> Play:
    """The act of playing this card."""
    return Play(cards(codes))


def chance(seed: int = 0, seats: int = 2) -> Chance:
    """Chance for the opening of a match."""
    deal = Deal("last_card", 1, "G1", (NO_SALT,) * seats)
    return SeededChance(seed.to_bytes(32, "big"), deal, 0, PACK.pack_id)


class Played:
    """A match that begins with these hands, this top card and this pile, and with A's turn. Other cards are under the
    heap's top."""

    def __init__(self, *hands: str, top: str = "7H", pile: str = "2C 3C 4C") -> None:
        opening: list[Fact] = [HandDealt(seat, cards(hand)) for seat, hand in enumerate(hands)]
        opening += [HeapBegun(Card.of(top)), PileLaid(cards(pile)), TurnBegun(A)]
        self.state: State = fold(GAME, GAME.start(Options(), len(hands)), opening)
        self.facts: tuple[Any, ...] = ()

    def does(self, seat: int | None, action: Any) -> Played:
        """Act."""
        facts = GAME.decide(self.state, seat, action, chance())
        self.facts, self.state = facts, facts.state
        return self

    def refuses(self, seat: int | None, action: Any) -> Refusal:
        """Why an act is refused."""
        with pytest.raises(IllegalAction) as refused:
            GAME.decide(self.state, seat, action, chance())
        return refused.value.refusal

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return GAME.outcome(self.state)


def test_LC_1_each_is_dealt_as_many_the_next_begins_the_heap_and_the_rest_is_the_pile() -> None:
    state = GAME.deal(GAME.start(Options(cards=4), 3), chance(seats=3)).state
    assert [len(hand) for hand in state.hands] == [4, 4, 4]
    assert (len(state.heap), len(state.pile)) == (1, 39)
    assert {*state.heap, *state.pile, *[card for hand in state.hands for card in hand]} == {*PACK.cards}
    for seats in (1, 5):
        with pytest.raises(ValueError, match="two to four"):
            GAME.start(Options(), seats)


def test_LC_2_the_first_player_is_drawn_and_after_each_act_the_next_is_on() -> None:
    found = Counter(GAME.deal(GAME.start(Options(), 2), chance(seed)).state.turn for seed in range(200))
    assert min(found[A], found[B]) > 60
    table = Played("7S 9S", "KD QD", "2D")
    assert table.refuses(B, Draw()).key == "refusal.not_your_turn"
    assert [table.does(seat, Draw()).state.turn for seat in (A, B, C)] == [B, C, A]


def test_LC_3_a_card_of_the_same_suit_or_rank_can_be_played() -> None:
    table = Played("7S 9H 9S", "KD")
    refused = Refusal("LC-3", "last_card.refusal.does_not_fit", {"top": "7♥"})
    assert table.refuses(A, play("9S")) == refused
    assert table.refuses(A, play("7S 9H")).key == "last_card.refusal.one_card"
    assert table.refuses(A, play("KD")).ruling == "C-3"
    assert Played("7S 9H 9S", "KD").does(A, play("9H")).state.heap[-1] == Card.of("9H")
    assert table.does(A, play("7S")).state.heap == cards("7H 7S")


def test_LC_4_drawing_is_always_open_and_passing_only_without_a_pile() -> None:
    table = Played("7S 9H", "KD 2S", pile="2C")
    assert table.refuses(A, Pass()).ruling == "LC-4"
    table.does(A, Draw())
    assert table.facts[0] == CardDrawn(A, Card.of("2C"))
    assert seen_by(table.facts[0], B) == BackDrawn(A)
    assert table.refuses(B, Draw()) == Refusal("LC-4", "last_card.refusal.no_pile")
    assert table.does(B, Pass()).state.turn == A


def test_LC_5_whoever_has_no_cards_wins_at_once_and_fewer_cards_are_above() -> None:
    table = Played("7S", "KD 2S", "3D 4D 5D", "6D 8D").does(A, play("7S"))
    assert table.outcome == Outcome("emptied", (1, 2, 4, 2))


def test_LC_5_if_all_pass_in_a_row_the_fewest_cards_win() -> None:
    table = Played("9S", "KD 2S", pile="").does(A, Pass()).does(B, Pass())
    assert table.outcome == Outcome("stuck", (1, 2))
    on = Played("9S", "KD 7S", pile="").does(A, Pass()).does(B, play("7S")).does(A, play("9S"))
    assert on.outcome == Outcome("emptied", (1, 2))


def test_C_4_and_C_5_who_leaves_is_passed_over_and_below_those_who_played_on() -> None:
    table = Played("7S 9S", "KD", "2D 3D").does(B, Resign())
    assert table.does(A, Draw()).state.turn == C
    window = GAME.window(table.state)
    assert window is not None
    assert table.does(None, TimeUp("turn", window.timers[0].key)).outcome == Outcome("time", (1, 3, 2))
    assert table.refuses(A, Draw()).key == "refusal.match_over"
