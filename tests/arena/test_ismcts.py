"""The arena's tree search, on a game whose best acts are known."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Self

from engines.game import Seat
from tests.arena.ismcts import tried


class Guessing:
    """Seat 0 lays a number from 0 to `most` face down, then seat 1 guesses it, and wins if it is right."""

    def __init__(self, most: int, laid: int | None = None, guess: int | None = None) -> None:
        self.most = most
        self.laid = laid
        self.guess = guess

    def copy(self) -> Self:
        return type(self)(self.most, self.laid, self.guess)

    def asked(self) -> Seat | None:
        return 0 if self.laid is None else 1 if self.guess is None else None

    def candidates(self) -> Sequence[int]:
        return range(3) if self.laid is not None else range(self.most + 1)

    def play(self, action: int, rng: Random) -> None:  # noqa: ARG002  there is no chance in it
        if self.laid is None:
            self.laid = action
        else:
            self.guess = action

    def label(self, action: int, viewer: Seat) -> Hashable:
        return "laid" if viewer == 1 and self.laid is None else action

    def share(self, seat: Seat) -> float:
        return float((self.laid == self.guess) == (seat == 1))


def test_a_seat_guesses_what_lies_there_most_often() -> None:
    rng = Random(1)
    counts = tried(lambda: Guessing(2, rng.choice((0, 2, 2))), 2, 400, rng)
    assert max(counts, key=counts.__getitem__) == 2


def test_what_is_laid_face_down_is_not_known_to_the_others_tree() -> None:
    """With one tree for both, seat 1 would answer each number by guessing it, and seat 0 would never win."""
    rng = Random(2)
    counts = tried(lambda: Guessing(2), 2, 3000, rng)
    assert all(count > 600 for count in counts.values())


def test_with_a_model_it_finds_the_best_response() -> None:
    rng = Random(3)
    counts = tried(lambda: Guessing(2), 2, 300, rng, lambda _table, _seat, luck: luck.choice((0, 1)))
    assert counts[2] > 200


def test_a_single_act_is_not_searched_for() -> None:
    assert tried(lambda: Guessing(0), 2, 50, Random(4)) == {0: 50}
