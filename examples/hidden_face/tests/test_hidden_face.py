"""Hidden Face: the laws, and its rulings one by one. A is seat 0, B is seat 1, and so on."""

# ruff: noqa: N802  a test's name has the ruling's number as it is written

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pytest

from cardroom_hidden_face.cog import HiddenFacePresenter
from cardroom_hidden_face.engine import (
    PACK,
    RANKS,
    Answer,
    FaceDealt,
    FaceShown,
    Fact,
    Guess,
    Guessed,
    HiddenFace,
    Name,
    Options,
    Phase,
    State,
    StockLaid,
    TurnBegun,
    Unmasked,
)
from cardroom_hidden_face.engine import SeatLeft as Left
from discord_sandbox import refusals
from engines.cards import Card
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT, Deal
from engines.game import Event, IllegalAction, Outcome, Refusal, Resign, Seat, TimeUp, fold
from laws.case import GameCase, Viewer
from laws.suite import GameLaws

GAME = HiddenFace()
A, B, C, D = range(4)


def sees(event: Event, viewer: Viewer) -> Iterable[Card]:
    """The Knowledge table row by row: the cards that a viewer (a seat, or None for everybody) sees by an event.

    Secrecy is tested against this. So it is written from the table, and not from the audiences of the events.
    """
    match event:
        case FaceDealt():  # a seat's card: that seat
            return (event.card,) if viewer == event.seat else ()
        case Unmasked() | FaceShown():  # a card that was guessed, or shown at the end: everybody
            return (event.card,)
    return ()  # the cards that were not dealt: nobody; other events have no cards


def timed_out(event: Any, _seats: int) -> Collection[Seat]:
    """The seat that an event takes out because its time ran out."""
    return (event.seat,) if isinstance(event, Left) and event.reason == "time" else ()


def eliminated(event: Any, _seats: int) -> Collection[Seat]:
    """The seat that an event knocks out by the rules."""
    return (event.seat,) if isinstance(event, Unmasked) else ()


def illegal_tries(rng: random.Random) -> list[Any]:
    """Acts that somebody might try, legal or not."""
    return [*[Name(rng.randrange(-1, 6)) for _ in range(3)], *[Guess(rng.randrange(0, 12)) for _ in range(3)]]


CASE = GameCase(
    game=GAME,
    presenter=HiddenFacePresenter(),
    sees=sees,
    endings=("unmasked", "highest", "resignation", "time"),
    refusals=refusals,
    golden_folder=Path(__file__).parent / "golden",
    variants={"one_round": Options(rounds=1), "most_rounds": Options(rounds=6)},
    illegal_tries=illegal_tries,
    timed_out=timed_out,
    eliminated=eliminated,
)


class TestLaws(GameLaws):
    """Everything that is true of all games: laws/suite.py says what."""

    case = CASE


# ---------------------------------------------------------------------------------------------- tables laid by hand


def chance(seq: int = 0, seats: int = 3) -> Chance:
    """Chance for one act of a match."""
    return SeededChance(bytes(32), Deal("hidden_face", 1, "G1", (NO_SALT,) * seats), seq, PACK.pack_id)


class Played:
    """A match that begins with these cards, one for each seat, and with A's turn; all others are the stock."""

    def __init__(self, codes: str, *, rounds: int = 3) -> None:
        faces = [Card.of(code) for code in codes.split()]
        state = GAME.start(Options(rounds), len(faces))
        stock = StockLaid(tuple(card for card in PACK.cards if card not in faces))
        opening: list[Fact] = [FaceDealt(seat, card) for seat, card in enumerate(faces)]
        self.state: State = fold(GAME, state, [*opening, stock, TurnBegun(A)])
        self.facts: tuple[Any, ...] = ()

    def does(self, seat: int | None, *actions: Any) -> Played:
        """Act, once or several times."""
        for action in actions:
            facts = GAME.decide(self.state, seat, action, chance(1))
            self.facts, self.state = facts, facts.state
        return self

    def refuses(self, seat: int | None, action: Any) -> Refusal:
        """Why an act is refused."""
        with pytest.raises(IllegalAction) as refused:
            GAME.decide(self.state, seat, action, chance(1))
        return refused.value.refusal

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return GAME.outcome(self.state)


def ring(table: Played) -> TimeUp:
    """The clock's act."""
    window = GAME.window(table.state)
    assert window is not None
    return TimeUp(window.timers[0].name, window.timers[0].key)


def test_HF_1_everybody_gets_one_card_of_32() -> None:
    assert (len(PACK.cards), {card.rank for card in PACK.cards}) == (32, set(RANKS))
    state = GAME.deal(GAME.start(Options(), 4), chance(seats=4)).state
    assert len({*state.faces, *state.stock}) == 32
    for seats in (2, 6):
        with pytest.raises(ValueError, match="three to five"):
            GAME.start(Options(), seats)


def test_HF_2_the_first_player_is_drawn_and_names_another_seat() -> None:
    found: Counter[int] = Counter()
    for seed in range(300):
        by = SeededChance(seed.to_bytes(32, "big"), Deal("hidden_face", 1, "G1", (NO_SALT,) * 3), 0, PACK.pack_id)
        found[GAME.deal(GAME.start(Options(), 3), by).state.turn] += 1
    assert min(found[seat] for seat in range(3)) > 60
    table = Played("8C 3D 5S")
    assert table.refuses(A, Name(A)).ruling == table.refuses(A, Name(3)).ruling == "HF-2"
    assert table.refuses(A, Guess(3)) == Refusal("C-0", "hidden_face.refusal.asked_name")
    table.does(A, Name(B))
    assert (table.state.phase, table.state.target) == (Phase.GUESS, B)
    assert table.refuses(A, Name(C)) == Refusal("C-0", "hidden_face.refusal.asked_guess")


@pytest.mark.parametrize(("rank", "answer"), [(2, Answer.HIGHER), (3, Answer.RIGHT), (9, Answer.LOWER)])
def test_HF_3_the_answer_is_true_and_told_to_everybody(rank: int, answer: Answer) -> None:
    table = Played("8C 3D 5S").does(A, Name(B), Guess(rank))
    assert table.facts[0] == Guessed(A, B, rank, answer)
    assert table.facts[0].audience() is None
    assert Played("8C 3D 5S").does(A, Name(B)).refuses(A, Guess(10)).ruling == "HF-3"


def test_HF_3_answers_narrow_what_a_card_can_be() -> None:
    table = Played("8C 3D 5S").does(A, Name(B), Guess(5)).does(B, Name(C), Guess(2)).does(C, Name(B), Guess(2))
    assert table.state.bounds == ((2, 9), (3, 4), (3, 9))
    assert table.does(A, Name(B), Guess(9)).state.bounds[B] == (3, 4), "a guess that can't be right"


def test_HF_4_whose_card_was_guessed_is_out_and_the_last_one_wins() -> None:
    table = Played("8C 3D 5S").does(A, Name(B), Guess(3))
    assert table.facts[1] == Unmasked(B, Card.of("3D"))
    assert (table.state.turn, table.outcome) == (C, None)
    assert table.refuses(C, Name(B)).ruling == "HF-2"
    assert table.refuses(B, Resign()).key == "hidden_face.refusal.out"
    table.does(C, Name(A), Guess(8))
    assert table.outcome == Outcome("unmasked", (2, 3, 1))


def test_HF_5_after_the_last_round_the_highest_card_wins() -> None:
    table = (
        Played("8C 3D 5S", rounds=1).does(A, Name(B), Guess(9)).does(B, Name(C), Guess(9)).does(C, Name(A), Guess(9))
    )
    assert [fact for fact in table.facts if isinstance(fact, FaceShown)] == [
        FaceShown(seat, Card.of(code)) for seat, code in enumerate(("8C", "3D", "5S"))
    ]
    assert table.outcome == Outcome("highest", (1, 3, 2))
    equal = Played("8C 8D 5S", rounds=1).does(A, Name(C), Guess(5)).does(B, Name(A), Guess(9))
    assert equal.outcome == Outcome("highest", (1, 1, 3))


def test_HF_6_if_who_was_named_leaves_another_one_is_named() -> None:
    table = Played("8C 3D 5S 9H").does(A, Name(B)).does(B, Resign())
    assert (table.state.turn, table.state.phase, table.state.target) == (A, Phase.NAME, None)
    assert B not in table.state.shown
    assert table.does(A, Name(C)).state.target == C


def test_C_4_and_C_5_who_leaves_in_their_turn_is_passed_over_and_the_last_one_left_wins() -> None:
    table = Played("8C 3D 5S").does(None, ring(Played("8C 3D 5S")))
    assert (table.state.turn, table.outcome) == (B, None)
    assert table.does(C, Resign()).outcome == Outcome("resignation", (3, 1, 2))


def test_C_12_who_was_knocked_out_is_above_who_left() -> None:
    table = Played("8C 3D 5S 9H").does(A, Name(B), Guess(3)).does(D, Resign())
    assert table.does(C, Name(A), Guess(8)).outcome == Outcome("unmasked", (2, 3, 1, 4))
