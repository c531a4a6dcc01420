"""How logs travel to a worker that reads them, and what they say comes back.

Small values that come back, such as cards, become the ones that the bot has already (`bot.store.interning`). Otherwise
each match would have cards of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, TypeAlias

from bot.play.facts.replayed_log import ReplayedLog
from bot.store.interning import Interner, interner
from bot.store.rows.matches import MatchRow, Record
from bot.workers.packing import Reduce, Reductions, packed, unpacked

SavedLog: TypeAlias = tuple[MatchRow, Sequence[Record]]
"""An unfinished match and its log."""


class _InterningReductions(Reductions):
    """As `Reductions`, but small values are interned where they are unpacked."""

    def __missing__(self, kind: type) -> Reduce:
        reduce = super().__missing__(kind)
        if _interner(kind) is None:
            return reduce

        def taken_apart(value: Any) -> tuple[Any, tuple[Any, ...]]:
            made, parts = reduce(value)
            return _interned, (made, *parts)

        self[kind] = taken_apart
        return taken_apart


_INTERNING: Final = _InterningReductions()


def pack_logs(logs: Sequence[SavedLog]) -> bytes:
    """Logs, for `unpack_logs`."""
    return packed(logs)


def unpack_logs(data: bytes) -> Sequence[SavedLog]:
    """What `pack_logs` packed."""
    logs: Sequence[SavedLog] = unpacked(data)
    return logs


def pack_found(found: Sequence[ReplayedLog | None]) -> bytes:
    """What logs say, for `unpack_found`."""
    return packed(found, _INTERNING)


def unpack_found(data: bytes) -> Sequence[ReplayedLog | None]:
    """What `pack_found` packed."""
    found: Sequence[ReplayedLog | None] = unpacked(data)
    return found


@cache
def _interner(kind: type) -> Interner | None:
    return interner(kind)


def _interned(kind: type, *parts: Any) -> Any:
    intern = _interner(kind)
    value = kind(*parts)
    return value if intern is None else intern(value)
