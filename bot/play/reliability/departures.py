"""Who left a match before its end, and how: worked out from the row and the whole log of a match.

Resigning is part of play. Only to resign right after seeing a hand is to leave.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from bot.games import GAMES
from bot.play.clocks.time_up import can_resign, put_out
from bot.play.computers.stand_ins import HAND_OVERS
from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store.rows.matches import MatchRow, Record
from engines.chance import Chance, SeededChance
from engines.game import Resign, Seat, TimeUp, fold


class Departure(StrEnum):
    """How a seat left a match before its end."""

    LEFT = "left"
    """Its player saw a hand and resigned at once (`left_early`)."""
    OUT_OF_TIME = "out_of_time"
    """Its time ran out, and by that it lost or was put out (C-5)."""


@dataclass(frozen=True, slots=True)
class LateTurn:
    """A question that seats did not answer in time: the record's number, the seats, and which of them that put out."""

    seq: int
    late: frozenset[Seat]
    out: frozenset[Seat]


def left_early(act: int, own_moves: int, shortest_counted: int) -> bool:
    """Whether to resign as this act of a match (from 1) is to leave it: nobody can have played for long by then.

    It is if the match would be too short to count (`GameInfo.shortest_counted`), or if the player has not moved yet.
    """
    return act < shortest_counted or not own_moves


def departures(row: MatchRow, records: Sequence[Record]) -> dict[Seat, Departure]:
    """The seats that left a match, and how. `records` is its whole log.

    Raises what the codec and the rules raise for a log that they cannot read.
    """
    found = {seat: Departure.OUT_OF_TIME for turn in late_turns(row, records) for seat in turn.out}
    info, written, acts, moves = GAMES[row.game].info, codec(row.game), 0, Counter[Seat]()
    for record in records:
        kind = None if record.action is None else written.class_of(record.action)
        if kind is None or kind in HAND_OVERS:
            continue
        acts += 1
        if record.actor is None:
            continue
        if kind is Resign:
            if left_early(acts, moves[record.actor], info.shortest_counted):
                found[record.actor] = Departure.LEFT
        elif kind not in info.preparations:
            moves[record.actor] += 1
    return found


def late_turns(row: MatchRow, records: Sequence[Record]) -> tuple[LateTurn, ...]:
    """The questions of a match whose time ran out, with the seats that it waited for.

    Only a log in which time ran out is folded, because that takes far longer than to look at its acts. Raises what the
    codec and the rules raise for a log that they cannot read.
    """
    written = codec(row.game)
    ran_out = {record.seq for record in records if record.action and written.class_of(record.action) is TimeUp}
    return tuple(_late_turns(row, records, ran_out)) if ran_out else ()


def _late_turns(row: MatchRow, records: Sequence[Record], ran_out: set[int]) -> Iterator[LateTurn]:
    game, written, chance = GAMES[row.game], codec(row.game), _chances(row)
    state = game.start(written.decode(row.options), len(row.seats))
    for record in records:
        after = fold(game, state, written.decode_all(record.events))
        if record.seq in ran_out:
            window = game.window(state)
            late = window.awaited if window is not None else frozenset[Seat]()
            plays = partial(can_resign, game, after, chance(record.seq + 1))
            yield LateTurn(record.seq, late, put_out(game, after, late, plays))
        state = after


def _chances(row: MatchRow) -> Callable[[int], Chance]:
    game, options = GAMES[row.game], codec(row.game).decode(row.options)
    deal, pack_id = deal_of(row), game.pack(options, len(row.seats)).pack_id
    return lambda seq: SeededChance(row.seed, deal, seq, pack_id)
