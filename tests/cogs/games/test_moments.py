"""What a result tells of a match of each game: at most three moments, the act that won it last. A is Ann, B is Ben."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.ui.catalogue import translations
from cogs.games.champions import ChampionsPresenter
from cogs.games.ciq import CIQPresenter
from cogs.games.haymaker import HaymakerPresenter
from cogs.games.tivmiv import TivMivPresenter
from cogs.games.unbreakable import UnbreakablePresenter
from cogs.screens.narration import MOMENTS, moments
from cogs.screens.presenter import Presenter, Reader
from engines import champions, ciq, haymaker, tivmiv, unbreakable
from engines.cards import Card
from engines.game import Event
from tests.engines.champions_table import WACKY, Box
from tests.engines.ciq_table import card as ciq_card

A, B, C = 0, 1, 2
NAMES = ("Ann", "Ben", "Cleo")
WON = "**What won it:** "


def told(presenter: Presenter, events: Sequence[Event], seats: int = 2) -> list[str]:
    """The moments of a match with these facts."""
    return list(moments(events, presenter, Reader(translations("en"), NAMES[:seats])).lines)


# ---------------------------------------------------------------------------------------------- Haymaker


def cards(codes: str) -> tuple[Card, ...]:
    """Cards from codes such as ``7S 3D``."""
    return tuple(Card.of(code) for code in codes.split())


def exchange(attacker: int, attack: str, *reply: Event) -> list[Event]:
    """A turn of Haymaker: an attack and what came of it."""
    return [haymaker.TurnBegun(attacker, may_pass=True), haymaker.AttackLaid(attacker, cards(attack)), *reply]


def blocked(seat: int, codes: str, *, reversal: bool) -> Event:
    """A block in Haymaker."""
    return haymaker.BlockLaid(seat, cards(codes), reversal)


def hit(seat: int, given: str) -> list[Event]:
    """A hit in Haymaker, and the cards that it cost."""
    return [haymaker.HitTaken(seat, asked=True), haymaker.CardsGiven(seat, 1 - seat, cards(given), passing=False)]


def test_haymaker_tells_reversals_and_haymakers_that_hit_and_never_a_pass() -> None:
    events = [
        *exchange(A, "2S 3S", *hit(B, "9D 8D")),
        *exchange(A, "TS 9S 8S", blocked(B, "TC TD TH", reversal=False)),
        haymaker.TurnBegun(A, may_pass=True),
        haymaker.Passed(A),
        *exchange(B, "5H", blocked(A, "5D", reversal=True)),
        *exchange(A, "9C"),
        haymaker.HitTaken(B, asked=False),
        haymaker.Ended("knockout", A),
    ]
    assert told(HaymakerPresenter(), events) == [
        "Ann throws a haymaker: `10♠` `9♠` `8♠`, strength 27. Ben blocks with `10♣` `10♦` `10♥`.",
        "Ben attacks with `5♥`. Ann blocks with `5♦`: a reversal!",
        f"{WON}Ann attacks with `9♣`. Ben has no cards left to block with.",
    ]


def test_haymaker_tells_hits_with_their_cost_and_of_equal_moments_the_later_ones() -> None:
    events = [*exchange(A, "2S 3S", *hit(B, "9D 8D")), haymaker.Ended("resignation", A)]
    assert told(HaymakerPresenter(), events) == [
        "Ann throws a haymaker: `2♠` `3♠`, strength 5. Ben takes the hit. Ben gives Ann 2 cards."
    ]
    turns = [each for code in ("2H", "2D", "2C", "2S") for each in exchange(A, code, blocked(B, code, reversal=True))]
    lines = told(HaymakerPresenter(), [*turns, haymaker.Ended("decision", A)])
    assert [line.split("`")[1] for line in lines] == ["2♦", "2♣", "2♠"]
    assert told(HaymakerPresenter(), [haymaker.DealerDrawn(A), haymaker.Ended("resignation", A)]) == []


@pytest.mark.parametrize("kind", ["decision", "draw", "resignation", "time"])
def test_no_attack_won_a_match_of_haymaker_that_a_count_or_somebody_who_left_decided(kind: str) -> None:
    events = [*exchange(A, "5H", blocked(B, "5D", reversal=True)), haymaker.Ended(kind, A)]
    assert not any(line.startswith(WON) for line in told(HaymakerPresenter(), events))


# ---------------------------------------------------------------------------------------------- Unbreakable


def round_of(
    attacker: int | None, target: str, first: str, second: str, winner: int | None, *, exact: bool
) -> list[Event]:
    """A round of Unbreakable: a chooser (None) or an attacker, and the pairs."""
    (card,) = cards(target)
    laid = unbreakable.ChooserTurned(card) if attacker is None else unbreakable.AttackerLaid(attacker, card)
    shown = unbreakable.PairsShown(cards(first), cards(second), winner, exact)
    return [laid, unbreakable.WeaponsReady(), unbreakable.ChoiceMade(A), unbreakable.ChoiceMade(B), shown]


def test_unbreakable_tells_knockouts_and_the_round_that_emptied_the_hand_if_one_did() -> None:
    events = [
        *round_of(A, "9S", "4S 5S", "2D 3D", A, exact=True),
        *round_of(None, "8S", "4D 4H", "2D 3D", A, exact=True),
        *round_of(B, "7S", "4C 2C", "AD 3D", A, exact=False),
        *round_of(A, "6S", "2S 3S", "AD 3C", A, exact=False),
        unbreakable.Ended("unbreakable", A),
    ]
    lines = told(UnbreakablePresenter(), events)
    assert [line.split(".")[0] for line in lines] == [
        "Ann attacks with `9♠`",
        "The chooser is `8♠`",
        f"{WON}Ann attacks with `6♠`",
    ]
    assert lines[0].endswith("Ann hits it exactly: a knockout!")
    assert lines[2].endswith("Ann is closest.")
    events = [*round_of(A, "9S", "4S 5S", "2D 3D", A, exact=True), unbreakable.Ended("decision", A)]
    (line,) = told(UnbreakablePresenter(), events)
    assert not line.startswith(WON)


# ---------------------------------------------------------------------------------------------- Tiv-Miv


def phase(number: int, winner: int | None, *points: int | None) -> Event:
    """The end of a phase of Tiv-Miv."""
    return tivmiv.PhaseEnded(number, "dinner" if winner is not None else "dead_end", winner, points)


def test_tivmiv_tells_the_phases_that_parted_the_players_with_their_points() -> None:
    events = [
        phase(1, A, 0, 30),
        phase(2, None, 12, 10),
        phase(3, B, 20, 0),
        phase(4, None),
        phase(5, A, 0, 1),
        tivmiv.Ended("points", (1, 2)),
    ]
    cry = "**Winner winner, chicken dinner!**"
    assert told(TivMivPresenter(), events) == [
        f"Phase 1: Ann places the last card. {cry} Points: Ann 0 · Ben 30.",
        f"Phase 3: Ben places the last card. {cry} Points: Ann 20 · Ben 0.",
        f"{WON}Phase 5: Ann places the last card. {cry} Points: Ann 0 · Ben 1.",
    ]


@pytest.mark.parametrize("last", [phase(2, B, 5, 0), phase(2, None, 0, 5)])
def test_a_last_phase_that_the_winner_did_not_win_is_not_what_won_it(last: Event) -> None:
    lines = told(TivMivPresenter(), [phase(1, A, 0, 30), last, tivmiv.Ended("points", (1, 2))])
    assert len(lines) == 2
    assert not any(line.startswith(WON) for line in lines)


def test_points_of_a_seat_that_is_out_are_not_told() -> None:
    events = [tivmiv.SeatsOut((C,), "time"), phase(1, A, 0, 30, None), tivmiv.Ended("points", (1, 2, 3))]
    lines = told(TivMivPresenter(), events, seats=3)
    assert lines[0].startswith("Out after two phases without a move: Cleo")
    assert lines[1].endswith("Points: Ann 0 · Ben 30.")


# ---------------------------------------------------------------------------------------------- CIQ


def row_of(seat: int, target: int, codes: str, *moved: int) -> list[Event]:
    """A turn of CIQ: an attack, and how many cards it moved in each step."""
    laid = tuple(ciq_card(code) for code in codes.split())
    steps = [
        ciq.Transferred(seat, target, ciq.Source.ATTACK, tuple(ciq_card("3C", copy) for copy in range(count)))
        for count in moved
    ]
    return [ciq.TurnBegun(seat, 1), ciq.AttackLaid(seat, target, ciq.Pile.DAMAGE, laid, 8), *steps]


def test_ciq_tells_the_attacks_that_moved_most_the_row_that_won_and_who_left() -> None:
    events = [
        *row_of(A, B, "9S TS", 9, 10),
        *row_of(B, C, "2S", 2),
        *row_of(C, A, "7S", 7),
        ciq.TurnBegun(A, 2),
        ciq.Passed(A, forced=False),
        *row_of(B, A, "4S 5S", 3),
        ciq.Ended("emptied", (B,)),
    ]
    assert told(CIQPresenter(), events, seats=3) == [
        "Ann attacks Ben with `9♠` `10♠`. Ben gets 19 cards.",
        "Cleo attacks Ann with `7♠`. Ann gets 7 cards.",
        f"{WON}Ben attacks Ann with `4♠` `5♠`. Ann gets 3 cards.",
    ]
    events = [*row_of(A, B, "7S"), ciq.Ended("emptied", (A,))]
    assert told(CIQPresenter(), events) == [f"{WON}Ann attacks Ben with `7♠`."]
    leaving = [ciq.TurnBegun(A, 1), ciq.SeatLeft(A, "time"), ciq.TurnBegun(B, 1), ciq.SeatLeft(B, "resignation")]
    lines = told(CIQPresenter(), [*leaving, ciq.Ended("resignation", (C,))], seats=3)
    assert lines == ["Ann ran out of time and is out."]


# ---------------------------------------------------------------------------------------------- Champions


def battle(challenger: int, rolled: str, *result: Event, lowest: bool = False) -> list[Event]:
    """A battle of Champions, from the challenge on."""
    rolls = Box(WACKY).take(rolled)
    return [
        champions.TurnBegun(challenger),
        champions.OpponentNamed(challenger, 1 - challenger, taken=False),
        champions.Called(challenger, lowest),
        champions.Rolled(challenger, 1 - challenger, rolls),
        *result,
    ]


def won(winner: int, card: str, by: str = "number") -> Event:
    """The end of a battle of Champions."""
    return champions.BattleWon(winner, 1 - winner, Box(WACKY).take(card)[0], by)


def test_the_last_battle_of_champions_says_what_won_it_and_whose_roll_it_was() -> None:
    inverted = champions.Inverted(1, lowest=True)
    events = [*battle(A, "2!INVERT 5", inverted, won(A, "2!INVERT")), champions.Ended("out_of_cards", (1, 2))]
    (line,) = told(ChampionsPresenter(), events)
    assert line == (
        f"{WON}Ann says: highest wins. Ann rolls `2⚡INVERT`, Ben rolls `5`. INVERT: now the lowest wins. "
        "Ann wins with `2⚡INVERT`."
    )
    rolled = Box(WACKY).take("4!NUMBERLESS")[0]
    events = [
        *battle(A, "6 2", won(A, "6")),
        *battle(B, "4!NUMBERLESS 2", champions.NumberlessRolled(B, rolled)),
        champions.Ended("resignation", (1, 2)),
    ]
    lines = told(ChampionsPresenter(), events)
    assert lines[1] == (
        "Ben says: highest wins. Ben rolls `4⚡NUMBERLESS`, Ann rolls `2`. "
        "Nobody wins: `4⚡NUMBERLESS` of Ben has no number and is discarded."
    )


def test_champions_tells_battles_won_by_something_special_before_others() -> None:
    events = [
        *battle(A, "3!BEGGAR 6", won(A, "3!BEGGAR", "BEGGAR")),
        *[each for _ in range(5) for each in battle(B, "5 3", won(B, "5"))],
        champions.StolenUnseen(A, B),
        *battle(A, "6 2", won(A, "6")),
        champions.Ended("out_of_cards", (1, 2)),
    ]
    lines = told(ChampionsPresenter(), events)
    assert lines[0].endswith("BEGGAR: Ann wins with `3⚡BEGGAR` against a 1 or a 6.")
    assert lines[1] == "Ann takes a card from Ben."
    assert lines[2] == f"{WON}Ann says: highest wins. Ann rolls `6`, Ben rolls `2`. Ann wins with `6`."


def test_a_last_card_that_a_thief_took_is_what_won_it() -> None:
    stolen = champions.Stolen(A, B, Box(WACKY).take("4")[0])
    events = [*battle(A, "6 2", won(A, "6")), stolen, champions.Ended("out_of_cards", (2, 1))]
    lines = told(ChampionsPresenter(), events)
    assert lines[-1] == f"{WON}Ann takes the last card of Ben."
    assert "`4`" not in "".join(lines)


# ---------------------------------------------------------------------------------------------- all games


def test_no_result_tells_more_than_three_moments() -> None:
    rows = [each for _ in range(9) for each in row_of(A, B, "9S", 9)]
    assert len(told(CIQPresenter(), [*rows, ciq.Ended("emptied", (A,))])) == MOMENTS == 3
