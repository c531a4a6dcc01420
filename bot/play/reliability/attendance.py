"""How people attended a match: whether they stayed to its end, and how many of their turns they played in time.

It follows from the row and the log of a finished match. It is kept in rows of its own, because it is read whenever
somebody is asked to sit, and logs are long. `rebuild-standings` works the rows out again.

Nothing is kept of a match without a result, of an attempt at a deal of the day, of one with fewer than two people, or
of deleted people. Nor is anything kept of those who are excused: they left a match that had lost its place, their time
ran out while they could not act, or a computer made most of their seat's moves, as its table had agreed (C-8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.games import GAMES
from bot.play.computers.stand_ins import HAND_OVERS, TakenOver
from bot.play.deals.proof import holders_of
from bot.play.match_state import codec
from bot.play.reliability.departures import Departure, LateTurn, departures, late_turns
from bot.store.computer_ids import is_computer, is_deleted, people
from bot.store.rows.matches import MatchRow, Record, Result
from bot.store.rows.people import Attendance, Stay
from engines.game import Resign, Seat


def is_attended(row: MatchRow, result: Result) -> bool:
    """Whether anything is kept of a finished match: it had a result, and others waited for each player."""
    return bool(result.ranks) and row.day is None and len(people(row.seats)) > 1


def attendances(row: MatchRow, records: Sequence[Record], result: Result) -> tuple[Attendance, ...]:
    """What is kept of a finished match, in the order of the seats. `records` is its whole log.

    Raises what the codec and the rules raise for a log that they cannot read.
    """
    if not is_attended(row, result):
        return ()
    info, written = GAMES[row.game].info, codec(row.game)
    left, late = departures(row, records), late_turns(row, records)
    acts = sum(each.action is not None and written.class_of(each.action) not in HAND_OVERS for each in records)
    answered, missed = _answered(row, records), _missed(row, records, late)
    excused = _excused(row, records, left)
    return tuple(
        Attendance(
            row.id,
            seat,
            row.opened_at,
            result.ended_at,
            _stay(left.get(seat)),
            asked=answered[seat] + missed[seat],
            in_time=answered[seat],
        )
        for seat, user in enumerate(row.seats)
        if not is_computer(user)
        and not is_deleted(user)
        and seat not in excused
        and (seat in left or acts >= info.shortest_counted)
    )


def rebuilt(row: MatchRow, records: Sequence[Record], result: Result) -> tuple[Attendance, ...] | None:
    """As `attendances`; None for a match whose game is not installed, or whose log cannot be read."""
    if row.game not in GAMES:
        return None
    try:
        return attendances(row, records, result)
    except Exception:  # noqa: BLE001  an altered log may hold anything, and `check` says so
        return None


def _stay(left: Departure | None) -> Stay:
    match left:
        case None:
            return Stay.FINISHED
        case Departure.LEFT:
            return Stay.LEFT
        case Departure.OUT_OF_TIME:
            return Stay.OUT_OF_TIME


def _answered(row: MatchRow, records: Sequence[Record]) -> Counter[Seat]:
    """How many questions each player answered: with each move of their own one. In a race there are none."""
    info = GAMES[row.game].info
    if not info.turn_clock:
        return Counter()
    others = (Resign, *HAND_OVERS, *info.preparations)
    return Counter(
        each.actor
        for each in records
        if each.actor is not None
        and each.computer is None
        and codec(row.game).class_of(each.action or "") not in others
    )


def _missed(row: MatchRow, records: Sequence[Record], late: Sequence[LateTurn]) -> Counter[Seat]:
    """How many questions each player did not answer in time: by the clock's acts, and where a computer took over."""
    if not GAMES[row.game].info.turn_clock:
        return Counter()
    missed = Counter(seat for turn in late for seat in turn.late)
    for record in records:
        if record.actor is None and record.action and codec(row.game).class_of(record.action) is TakenOver:
            missed.update(codec(row.game).decode(record.action).seats)
    return missed


def _excused(row: MatchRow, records: Sequence[Record], left: dict[Seat, Departure]) -> frozenset[Seat]:
    """The seats of which nothing is kept, although the match ended with a result."""
    held = holders_of(row, records).forfeited
    gone = left if row.lost_places.causes or row.unrated is not None else ()
    absent = () if row.unrated is None else (row.unrated.seat,)
    return frozenset((*held, *gone, *absent))
