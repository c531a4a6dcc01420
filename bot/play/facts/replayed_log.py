"""What a match's log says: the position that its records lead to, and what is remembered of the way there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate, takewhile
from typing import Any

from bot.play.computers.stand_ins import HAND_OVERS, SeatHolders
from bot.play.facts.last_facts import LastFacts
from bot.play.own_acts import OwnActs
from bot.store.codec import Codec
from bot.store.queries.matches import MatchRow, Record
from engines.game import AnyGame, Event, Resign, Seat, fold


class BrokenLog(Exception):  # noqa: N818  says what was found
    """The log of a match has gaps, or it ends the match but there is no stored result."""


@dataclass(frozen=True, slots=True)
class ReplayedLog:
    """What the records of a match say. `own_acts` and `last_facts` are changed by the match that takes them."""

    state: Any
    """The state after the last record."""
    acts: int
    """The number of the last record."""
    chain: bytes
    """The last value of the hash chain, 32 bytes."""
    events: tuple[Event, ...]
    """All facts, oldest first, if they were asked for."""
    last_facts: LastFacts
    own_acts: OwnActs
    holders: SeatHolders
    moves: int
    """How many moves the players have made."""
    moved: bool
    """Whether a player has made a move or resigned, so that the match cannot be called off any more (C-6)."""


def replay(
    row: MatchRow, records: Sequence[Record], game: AnyGame, options: Any, codec: Codec, *, with_events: bool
) -> ReplayedLog:
    """Replay the whole log of a match.

    Raises BrokenLog for a log with gaps, and whatever codec or rules raise for facts they cannot read.
    """
    if [record.seq for record in records] != list(range(max(1, len(records)))):
        raise BrokenLog("records are missing")
    seats = len(row.seats)
    logged = [codec.decode_all(record.events) for record in records]
    states = list(accumulate(logged, partial(fold, game), initial=game.start(options, seats)))[1:]
    asked = _asked_after(game, states)
    acts = [codec.class_of(each.action) for each in records if each.action and each.actor is not None]
    moves = [act for act in acts if is_move(act, game.info.preparations)]
    return ReplayedLog(
        states[-1],
        records[-1].seq,
        records[-1].chain,
        joined(logged) if with_events else (),
        LastFacts(seats, logged, asked),
        _own_acts(records, seats, asked, codec),
        SeatHolders.of(row, records, codec),
        len(moves) - moves.count(Resign),
        bool(moves),
    )


@cache
def is_move(act: type, preparations: tuple[type, ...]) -> bool:
    """Whether a player's act of this class is one after which a match cannot be called off any more (C-6)."""
    return not issubclass(act, (*preparations, *HAND_OVERS))


def joined(logged: Iterable[Sequence[Event]]) -> tuple[Event, ...]:
    """The facts of all these records."""
    return tuple([event for events in logged for event in events])


def _asked_after(game: AnyGame, states: Sequence[Any]) -> int:
    """After how many records the last question was asked. There is a state for each record."""
    windows = (game.window(state) for state in reversed(states))
    numbers = (window.number if window else 0 for window in windows)
    last = next(numbers)
    return len(states) - sum(1 for _ in takewhile(last.__eq__, numbers))


def _own_acts(records: Sequence[Record], seats: int, asked: int, codec: Codec) -> OwnActs:
    """The acts of each seat. No press can repeat the last one if a computer made it or it only handed the seat over."""
    indexes = {
        record.actor: index
        for index, record in enumerate(records)
        if record.actor is not None and record.action is not None
    }
    actions = {seat: records[index].action or "" for seat, index in indexes.items()}
    confirmed: list[Seat] = [
        seat
        for seat, index in indexes.items()
        if records[index].computer is not None or codec.class_of(actions[seat]) in HAND_OVERS
    ]
    last = {seat: actions[seat] if index >= asked else "" for seat, index in indexes.items()}
    return OwnActs(seats, (record.actor for record in records), confirmed, last)
