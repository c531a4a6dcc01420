"""How long a match is expected to last, by game, options and number of players.

The minutes are in `LENGTHS`. `python -m tests.bench.lengths` measures them again: matches by rules of thumb, and a few
seconds for each question. A match with other options gets the row that is most like it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bot.games import GAMES
from bot.time_controls import TimeControl


@dataclass(frozen=True, slots=True)
class Row:
    """Minutes by the number of players, for some of a game's options; the others hardly matter."""

    minutes: Mapping[int, int]
    options: Mapping[str, Any] = field(default_factory=dict)


def _unbreakable(pace: str, limit: int | str, *minutes: int) -> tuple[Row, ...]:
    """The rows for match hands of 2, 3, 5 and 7 cards."""
    return tuple(
        Row({2: most}, {"pace": pace, "turn_limit": limit, "match_hand": hand})
        for hand, most in zip((2, 3, 5, 7), minutes, strict=True)
    )


def _ciq(decks: int | None, limit: int | str, *, two: int, more: int) -> Row:
    """The row for two players, and for three to six."""
    return Row({2: two, 3: more, 4: more, 5: more, 6: more}, {"decks": decks, "round_limit": limit})


def _tivmiv(phases: int, *minutes: int) -> Row:
    """The row for two to six players."""
    return Row(dict(zip(range(2, 7), minutes, strict=True)), {"phases": phases})


def _champions(die: str, number: str, minutes: tuple[int, ...], with_victory_dice: tuple[int, ...]) -> tuple[Row, ...]:
    """The rows for two to five players without Victory Dice and with them."""
    return tuple(
        Row(dict(zip(range(2, 6), each, strict=True)), {"die": die, "number": number, "victory_dice": scored})
        for scored, each in ((False, minutes), (True, with_victory_dice))
    )


LENGTHS: Final[Mapping[str, tuple[Row, ...]]] = {
    "haymaker": (Row({2: 5}),),
    "unbreakable": (
        *_unbreakable("classic", 30, 5, 5, 10, 10),
        *_unbreakable("classic", 60, 5, 10, 20, 20),
        *_unbreakable("classic", 100, 5, 10, 30, 30),
        *_unbreakable("classic", 200, 5, 10, 30, 60),
        *_unbreakable("classic", "none", 5, 10, 30, 60),
        *_unbreakable("swift", 30, 5, 5, 5, 5),
        *_unbreakable("swift", 60, 5, 5, 10, 10),
        *_unbreakable("swift", 100, 5, 5, 10, 15),
        *_unbreakable("swift", 200, 5, 5, 15, 30),
        *_unbreakable("swift", "none", 5, 5, 15, 30),
    ),
    "ciq": (
        _ciq(None, 10, two=10, more=15),
        _ciq(None, 30, two=20, more=15),
        _ciq(None, 100, two=30, more=15),
        _ciq(None, "none", two=30, more=15),
        _ciq(0, 10, two=10, more=5),
        _ciq(0, 30, two=10, more=5),
        _ciq(0, 100, two=10, more=5),
        _ciq(0, "none", two=10, more=5),
    ),
    "tivmiv": (
        _tivmiv(1, 5, 5, 5, 5, 5),
        _tivmiv(2, 5, 5, 5, 5, 5),
        _tivmiv(3, 10, 5, 5, 5, 5),
        _tivmiv(4, 10, 10, 5, 5, 5),
        _tivmiv(6, 15, 10, 10, 10, 10),
        _tivmiv(10, 30, 20, 15, 15, 10),
    ),
    "champions": (
        *_champions("chosen", "named", (5, 10, 10, 10), (5, 10, 15, 15)),
        *_champions("chosen", "drawn", (5, 5, 10, 10), (5, 10, 10, 15)),
        *_champions("blind", "named", (5, 5, 10, 10), (5, 10, 10, 15)),
        *_champions("blind", "drawn", (5, 5, 5, 10), (5, 5, 10, 10)),
    ),
}


def expected_minutes(game: str, options: Any, seats: int, clock: TimeControl) -> int | None:
    """About how many minutes a match lasts. None in slow play, and for a game or number of players not among them."""
    if clock.slow and GAMES[game].info.turn_clock:
        return None
    rows = [row for row in LENGTHS.get(game, ()) if seats in row.minutes]
    if not rows:
        return None
    return min(rows, key=lambda row: _difference(row, options)).minutes[seats]


def _difference(row: Row, options: Any) -> float:
    """How unlike the options of a row these are: 0 to 1 for each that the row names."""
    return sum([_distance(value, getattr(options, name)) for name, value in row.options.items()])


def _distance(value: Any, other: Any) -> float:
    """0 for equal values, less than 1 for numbers, 1 for anything else."""
    if value == other and type(value) is type(other):
        return 0
    if type(value) is type(other) is int:
        return abs(value - other) / (1 + max(value, other))
    return 1
