"""Quick Step: the laws, and its rulings one by one. A is seat 0, B is seat 1, and so on."""

# ruff: noqa: N802  a test's name has the ruling's number as it is written

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardroom_quick_step.cog import QuickStepPresenter
from cardroom_quick_step.engine import (
    PACK,
    Call,
    CardLaid,
    CardTurned,
    Fact,
    Go,
    HandDealt,
    Lay,
    Options,
    QuickStep,
    SeatsLeft,
    State,
    StockLaid,
)
from cardroom_quick_step.player import PLAYER
from discord_sandbox import refusals
from engines.cards import Card
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, Deal
from engines.game import Closed, Event, IllegalAction, Outcome, Refusal, Resign, Seat, Seconds, TimeUp, fold
from engines.players.player import Situation
from laws.case import GameCase, Search, Viewer
from laws.play import Odds
from laws.suite import GameLaws

GAME = QuickStep()
PRESENTER = QuickStepPresenter()
A, B, C = range(3)


def sees(event: Event, viewer: Viewer) -> Iterable[Card]:
    """The Knowledge table row by row: the cards that a viewer (a seat, or None for everybody) sees by an event.

    Secrecy is tested against this. So it is written from the table, and not from the audiences of the events.
    """
    match event:
        case HandDealt():  # a hand: its owner
            return event.cards if viewer == event.seat else ()
        case CardTurned() | CardLaid():  # the pile: everybody
            return (event.card,)
    return ()  # the stock: nobody; other events have no cards


def timed_out(event: Any, _seats: int) -> Collection[Seat]:
    """The seats that an event takes out because their time ran out."""
    return event.seats if isinstance(event, SeatsLeft) and event.reason == "time" else ()


CASE = GameCase(
    game=GAME,
    presenter=PRESENTER,
    sees=sees,
    endings=("emptied", "stuck", "resignation", "time"),
    refusals=refusals,
    golden_folder=Path(__file__).parent / "golden",
    variants={"fewest_cards": Options(cards=4, seconds=5), "most_cards": Options(cards=12, seconds=600)},
    timed_out=timed_out,
    recall_fields=frozenset({"dealt"}),
    rare={"time"},
    golden_searches={
        "emptied": Search("fewest_cards"),
        "stuck": Search("most_cards", seats=4),
        "time": Search(odds=Odds(time=0.8)),
    },
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


def chance(seats: int = 2) -> Chance:
    """Chance for the opening of a match."""
    return SeededChance(bytes(32), Deal("quick_step", 1, "G1", (NO_SALT,) * seats), 0, PACK.pack_id)


class Played:
    """A match that begins with these hands, this top card and this stock below it, at GO or before."""

    def __init__(self, *hands: str, top: str = "7H", stock: str = "2C 5C JC KC", on: bool = True) -> None:
        opening: list[Fact] = [HandDealt(seat, cards(hand)) for seat, hand in enumerate(hands)]
        opening += [StockLaid(cards(f"{top} {stock}")), CardTurned(Card.of(top))]
        self.state: State = fold(GAME, GAME.start(Options(), len(hands)), [*opening, *([Go()] if on else [])])

    def does(self, seat: int | None, *actions: Any) -> Played:
        """Act, once or several times."""
        for action in actions:
            self.state = GAME.decide(self.state, seat, action, chance()).state
        return self

    def rings(self, times: int = 1) -> Played:
        """Time passes until the clock acts."""
        for _ in range(times):
            window = GAME.window(self.state)
            assert window is not None
            self.does(None, TimeUp(window.timers[0].name, window.timers[0].key))
        return self

    def refuses(self, seat: int | None, action: Any) -> Refusal:
        """Why an act is refused."""
        with pytest.raises(IllegalAction) as refused:
            GAME.decide(self.state, seat, action, chance())
        return refused.value.refusal

    @property
    def top(self) -> str:
        """The top card's code."""
        return self.state.pile[-1].code

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return GAME.outcome(self.state)


def test_QS_1_each_is_dealt_as_many_and_the_top_card_of_the_rest_is_turned_up() -> None:
    state = GAME.deal(GAME.start(Options(cards=4), 3), chance(seats=3)).state
    assert [len(hand) for hand in state.hands] == [4, 4, 4]
    assert (len(state.pile), len(state.stock)) == (1, 39)
    assert {*state.pile, *state.stock, *[card for hand in state.hands for card in hand]} == {*PACK.cards}
    for seats in (1, 5):
        with pytest.raises(ValueError, match="two to four"):
            GAME.start(Options(), seats)


def test_QS_2_before_go_nobody_may_act_and_after_it_everybody_may() -> None:
    table = Played("8S 9S", "6D KD", on=False)
    assert table.refuses(A, lay("8S")) == table.refuses(B, Call()) == Refusal("QS-2", "quick_step.refusal.not_yet")
    window = GAME.window(table.state)
    assert window is not None
    assert window.may_act | window.awaited == set()
    assert window.timers[0].length == Seconds(5)
    assert table.rings().does(B, lay("6D")).top == "6D"
    assert table.refuses(A, lay("8S")).ruling == "QS-3", "somebody was faster"


@pytest.mark.parametrize(("card", "top"), [("8S", "7H"), ("6S", "7H"), ("AS", "KH"), ("KS", "AH"), ("2S", "AH")])
def test_QS_3_a_card_of_the_next_rank_can_be_laid(card: str, top: str) -> None:
    assert Played(f"{card} 9S", "KD", top=top).does(A, lay(card)).top == card


def test_QS_3_no_other_card_can_be_laid() -> None:
    table = Played("7S 9S", "KD")
    refused = Refusal("QS-3", "quick_step.refusal.does_not_fit", {"top": "7♥"})
    assert table.refuses(A, lay("7S")) == table.refuses(A, lay("9S")) == refused
    assert table.refuses(A, lay("8S")).ruling == "C-3"


def test_QS_4_a_card_is_turned_up_when_all_have_called_and_a_card_laid_takes_a_call_back() -> None:
    table = Played("8S 9S", "KD", "3D 4D").does(A, Call())
    assert table.refuses(A, Call()) == Refusal("QS-4", "quick_step.refusal.called_already")
    table.does(A, lay("8S")).does(B, Call()).does(C, Call())
    assert table.top == "8S"
    assert table.state.called == {B, C}
    assert table.does(A, Call()).top == "2C"
    assert table.state.called == set()
    assert table.does(A, Call()).does(B, Call()).does(C, Resign()).top == "5C", "all who are in have called"


def test_QS_4_a_card_is_turned_up_when_the_top_card_has_been_the_same_for_as_long_as_agreed() -> None:
    table = Played("8S 9S", "KD")
    first = GAME.window(table.state)
    second = GAME.window(table.does(A, Call()).state)
    third = GAME.window(table.does(A, lay("8S")).state)
    assert first is not None
    assert second is not None
    assert third is not None
    assert first.timers == second.timers != third.timers
    assert first.timers[0].length == Seconds(10)
    assert table.rings().top == "2C"


def test_QS_5_whoever_has_no_cards_wins_at_once_and_fewer_cards_are_above() -> None:
    table = Played("8S", "KD 2S", "3D 4D 5D", "6D 8D").does(A, lay("8S"))
    assert table.outcome == Outcome("emptied", (1, 2, 4, 2))


def test_QS_5_without_a_card_to_turn_up_the_fewest_cards_win() -> None:
    table = Played("KS", "KD 2S", stock="").does(A, Call()).does(B, Call())
    assert table.outcome == Outcome("stuck", (1, 2))


def test_QS_6_who_does_nothing_while_three_cards_are_turned_up_is_out() -> None:
    table = Played("8S 9S", "KD QD", "3D 4D").rings(2).does(A, Call())
    assert (table.top, table.outcome) == ("5C", None)
    table.does(B, Call()).rings()
    assert table.state.staying == (A, B), "C did nothing"
    assert table.top == "JC"
    assert table.does(B, lay("QD")).rings(2).outcome == Outcome("stuck", (2, 1, 3))


def test_C_5_who_runs_out_of_time_loses_and_if_nobody_is_left_it_is_a_draw() -> None:
    assert Played("8S 9S", "KD").rings(2).does(A, Call()).rings().outcome == Outcome("time", (1, 2))
    assert Played("8S 9S", "KD").rings(3).outcome == Outcome("time", (1, 1))


def test_C_4_who_resigns_is_below_those_who_play_on_and_the_last_one_left_wins() -> None:
    table = Played("8S 9S", "KD", "2D 3D", on=False).does(B, Resign())
    assert table.refuses(B, Resign()).key == "quick_step.refusal.out"
    assert table.does(C, Resign()).outcome == Outcome("resignation", (1, 3, 2))


# ---------------------------------------------------------------------------------------------- buttons and computers


def test_what_does_not_fit_may_be_tried_and_a_laid_card_has_no_button() -> None:
    table = Played("8S 9S KS", "KD")
    found = GAME.choices(table.state, A)
    assert [offer.verb for offer in found] == ["lay0", "call"]
    assert [each.verb for each in found.closed] == ["lay1", "lay2"]
    after = GAME.choices(table.does(A, lay("8S")).state, A)
    assert [offer.verb for offer in after] == ["lay1", "call"]
    assert after.closed == (Closed("lay2", table.refuses(A, lay("KS")), found.closed[1].act),)
    assert PRESENTER.rows(GAME.observe(table.state, A), ()) == (("lay0", "lay1", "lay2"), ("call",))


def test_the_computer_lays_what_its_own_cards_can_follow_and_else_calls() -> None:
    table = Played("6S 8S 9S", "KD 2D")
    assert by_rule_of_thumb(table, A) == lay("8S")
    assert by_rule_of_thumb(table, B) == Call()


def by_rule_of_thumb(table: Played, seat: Seat) -> object:
    """What the computer player does."""
    situation = Situation(None, GAME.observe(table.state, seat), GAME.choices(table.state, seat))
    return PLAYER.rule_of_thumb(situation, Random(1))


def test_the_computers_pace_depends_on_what_everybody_sees() -> None:
    table = Played("8S 9S KS", "KD 2D", "4D").does(B, Call())
    public = GAME.observe_public(table.state)
    assert PLAYER.busy(public) == {A, C}
    assert PLAYER.busy(replace(public, racing=False)) == set()
    assert PLAYER.ahead(public, C) > 0 > PLAYER.ahead(public, A)
    assert PLAYER.ahead(public, A) == pytest.approx(-PLAYER.ahead(replace(public, hands=(1, 3, 4)), A))
