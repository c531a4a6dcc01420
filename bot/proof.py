"""Whether a match is what its deal and its acts make: worked out again, act by act, and compared with its log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.match import codec
from bot.store.base import MatchRow, Record
from engines import GAMES
from engines.chance import Chance, Sitter, Table
from engines.game import fold
from engines.keys import KeptChance, Keys, NotingChance


class DoesNotFollow(Exception):  # noqa: N818  says what was found
    """The log of a match holds something else than its deal and its acts make, from the record `seq` on."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"record {seq} does not follow")
        self.seq = seq


def keys_of(row: MatchRow, records: Sequence[Record]) -> dict[str, bytes]:
    """Every key that the chance of a match used; the row names all players still. Raises DoesNotFollow."""
    noted: dict[str, bytes] = {}
    table, pack_id = _table(row)
    _follow(row, records, lambda seq: NotingChance(row.seed, table, seq, pack_id, noted))
    return noted


def check(row: MatchRow, records: Sequence[Record], kept: Keys) -> None:
    """Raise DoesNotFollow unless the log is what the seed and the acts make.

    `kept` are the match's keys where a player's id was taken out of it; empty where the row names all players still.
    """
    table, pack_id = _table(row)
    if kept:
        _follow(row, records, lambda seq: KeptChance(table, seq, pack_id, kept))
    else:
        _follow(row, records, lambda seq: Chance(row.seed, table, seq, pack_id))


def _table(row: MatchRow) -> tuple[Table, str]:
    options = codec(row.game).decode(row.options)
    pack_id = GAMES[row.game].pack(options, len(row.seats)).pack_id
    return Table(row.game, row.rules_version, row.id, tuple(Sitter(user) for user in row.seats)), pack_id


def _follow(row: MatchRow, records: Sequence[Record], chance: Callable[[int], Chance]) -> None:
    game, written = GAMES[row.game], codec(row.game)
    state = game.start(written.decode(row.options), len(row.seats))
    for record in records:
        try:
            if record.action is None:
                events = tuple(game.deal(state, chance(record.seq)))
            else:
                action = written.decode(record.action)
                events = tuple(game.decide(state, record.actor, action, chance(record.seq)))
        except Exception as error:  # whatever a rule makes of an act it never allowed
            raise DoesNotFollow(record.seq) from error
        if written.encode_all(events) != record.events:
            raise DoesNotFollow(record.seq)
        state = fold(game, state, events)
