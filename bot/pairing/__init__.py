"""Who meets whom in a round, and who stands where: functions of who is in a tournament and what was played.

Nothing here asks a clock, chance or a database, so a round that is worked out again is the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from bot.pairing import arena, elimination, round_robin, seeding, swiss, tables
from bot.pairing.model import NOBODY, Apart, Entrant, Format, Pairing, Played, Scoring


def seeded(form: Format, user_ids: Sequence[int], apart: Apart = NOBODY) -> tuple[Entrant, ...]:
    """The entrants of a tournament that begins, of people in the order of their strength. Asked once, then kept.

    In a round robin and an elimination the seeds say who meets when, so here those who are apart get places where they
    meet as late as can be. In the others they are kept apart round by round.
    """
    fixed = form in {Format.SWISS, Format.ARENA}
    order = user_ids if fixed else seeding.late(form, user_ids, apart)
    return tuple(Entrant(user_id, seed) for seed, user_id in enumerate(order, 1))


PAIRS: Final = range(2, 3)
"""The sizes of tables where two play each other."""


def rounds(form: Format, count: int, size: int = PAIRS[-1]) -> int | None:
    """How many rounds a tournament of `count` people should have at tables of `size`. A double elimination may need
    fewer. None for an arena, which ends by time."""
    match form:
        case Format.SWISS:
            return swiss.rounds(count) if size in PAIRS else tables.rounds(count, size)
        case Format.ROUND_ROBIN:
            return round_robin.rounds(count)
        case Format.SINGLE | Format.DOUBLE:
            return elimination.rounds(count, form is Format.DOUBLE)
        case Format.ARENA:
            return None


def pair(
    form: Format,
    entrants: Sequence[Entrant],
    played: Sequence[Played],
    number: int,
    *,
    apart: Apart = NOBODY,
    scoring: Scoring = Scoring.WINS,
    sizes: range = PAIRS,
) -> tuple[Pairing, ...]:
    """The pairings of round `number`, from 1, of all formats but an arena. Byes stand last.

    `played` has all rounds before it, whole. What it has of this round is ignored, so a round that was paired in part
    is paired the same again, if the entrants are the same. Empty when an elimination or a round robin is over, or too
    few are there. An elimination has no byes: who is in no pairing waits for an opponent. `sizes` says how many may
    sit at a table, which only a Swiss tournament asks.
    """
    match form:
        case Format.SWISS if sizes != PAIRS:
            return tables.pair(entrants, played, number, apart, scoring, sizes=sizes)
        case Format.SWISS:
            return swiss.pair(entrants, played, number, apart, scoring)
        case Format.ROUND_ROBIN:
            return round_robin.pair(entrants, played, number)
        case Format.SINGLE | Format.DOUBLE:
            return elimination.pair(entrants, played, number, form is Format.DOUBLE)
        case Format.ARENA:
            raise ValueError("an arena has no rounds")


def pair_waiting(
    waiting: Sequence[Entrant], played: Sequence[Played], apart: Apart = NOBODY, busy: Collection[int] = ()
) -> tuple[Pairing, ...]:
    """Pairings of an arena among who waits, those who wait longest first. Never a bye: who isn't in it waits on.

    `busy` are the others in the arena. While there are some, nobody gets the opponent of their last match again, or
    one they are kept apart from.
    """
    return arena.pair(waiting, played, apart, busy)
