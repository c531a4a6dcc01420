"""Checks that a match follows from its deal and its acts: works it out again, act by act, and compares its log.

It uses today's rules. If they have changed since, acts may have other results than they had (`DoesNotFollow`). The deal
stays the same, because it names the version under which the match was dealt. Facts are compared as values: a field that
they got later has its default in an old log. The opening of a match that was begun from another one is taken as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bot.games import GAMES
from bot.play.computers.stand_ins import HAND_OVERS, NOBODY_ABSENT, SeatHolders
from bot.play.deals.sealing import deal_of
from bot.play.match_state import codec
from bot.store.codec import Codec
from bot.store.rows.invitations import StandIn
from bot.store.rows.matches import MatchRow, Record
from engines.chance import Chance, SeededChance
from engines.game import AnyGame, fold


class DoesNotFollow(Exception):  # noqa: N818  says what was found
    """From the record `seq` on, the log of a match does not follow from its deal and its acts."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"record {seq} does not follow")
        self.seq = seq


def check(row: MatchRow, records: Sequence[Record]) -> None:
    """Raise DoesNotFollow unless the log follows from the seed and the acts."""
    for seq in differing(row, records):
        raise DoesNotFollow(seq)


def check_deal(row: MatchRow, records: Sequence[Record]) -> None:
    """Raise DoesNotFollow unless the deal follows from the seed."""
    check(row, records[:1])


def differing(row: MatchRow, records: Sequence[Record]) -> Iterator[int]:
    """The numbers of the records whose facts don't follow from the act, the facts before it and the seed, one by one.

    After such a record the log's own facts lead on, so each record is judged by itself. From a gap or an unreadable
    fact on, nothing follows. Raises DoesNotFollow if no match can be played with the options.
    """
    try:
        options, game = codec(row.game).decode(row.options), GAMES[row.game]
        game.start(options, len(row.seats))
        pack_id = game.pack(options, len(row.seats)).pack_id
    except Exception as error:  # the row may be damaged in any way
        raise DoesNotFollow(0) from error
    deal = deal_of(row)
    return _differing(row, records, lambda seq: SeededChance(row.seed, deal, seq, pack_id))


def state_after(row: MatchRow, records: Sequence[Record]) -> Any:
    """The state to which the facts of a log lead. Raises whatever a text or a fact that cannot be read raises."""
    game, written = GAMES[row.game], codec(row.game)
    state = game.start(written.decode(row.options), len(row.seats))
    return fold(game, state, [event for record in records for event in written.decode_all(record.events)])


def holders_of(row: MatchRow, records: Sequence[Record]) -> SeatHolders:
    """Who played each seat at the end of a log. Raises whatever a text that cannot be read raises."""
    if row.stand_in is StandIn.OFF:
        return NOBODY_ABSENT
    return SeatHolders.of(len(row.seats), records, codec(row.game))


def _differing(row: MatchRow, records: Sequence[Record], chance: Callable[[int], Chance]) -> Iterator[int]:
    if not records:
        yield 0  # every match has its deal
    game, written = GAMES[row.game], codec(row.game)
    state = game.start(written.decode(row.options), len(row.seats))
    for place, record in enumerate(records):
        read = _read(game, written, state, record) if record.seq == place else None
        if read is None:
            yield from range(place, len(records))
            return
        facts, after = read
        taken = place == 0 and row.origin is not None  # no seed says how it lay
        if not taken and _made(game, written, state, record, chance) != facts:
            yield place
        state = after


def _read(game: AnyGame, written: Codec, state: Any, record: Record) -> tuple[tuple[Any, ...], Any] | None:
    """A record's facts and the state after them; None if they can't be read."""
    try:
        facts = written.decode_all(record.events)
        return facts, fold(game, state, facts)
    except Exception:  # noqa: BLE001  an altered log may hold anything
        return None


def _made(
    game: AnyGame, written: Codec, state: Any, record: Record, chance: Callable[[int], Chance]
) -> tuple[Any, ...] | None:
    """The facts that follow from a record's act; None if the rules take none from it. Only the first has no act."""
    try:
        if record.seq == 0:
            is_deal = record.actor is None and record.action is None
            return tuple(game.deal(state, chance(0))) if is_deal else None
        action = written.decode(record.action or "")
        if isinstance(action, HAND_OVERS):  # nothing at the table changes (C-8)
            return ()
        return tuple(game.decide(state, record.actor, action, chance(record.seq)))
    except Exception:  # noqa: BLE001  a rule may raise anything for an act that it never allowed
        return None
