"""The last facts of a match: those that its boards and hands narrate, and no more.

A log grows with its match, and thousands of matches are in memory. So a live match keeps what the next screens narrate.
All else that somebody asks of its log is read from the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from engines.game import Event, Seat, Unnarrated

BOARD_LINES: Final = 6
"""How many lines of last events a board has at most."""
HAND_LINES: Final = 4
"""How many lines of last events a hand has at most."""
SPARE: Final = 4
"""After this many more facts, those that no screen narrates any more are dropped."""


class LastFacts:
    """The facts that the last lines of everybody need, of the whole match and of what came before its question.

    Lines are counted as `narrated` events that somebody sees. Events that look the same to them, one after another,
    may be one line or several: both are possible with these facts.
    """

    __slots__ = ("_before", "_seats", "_since", "_spare")

    def __init__(self, seats: int, logged: Sequence[Sequence[Event]] = (), asked: int = 0) -> None:
        """Of the facts of a whole log, record by record, oldest first. The question was asked after `asked` records."""
        self._seats = seats
        self._spare = SPARE
        self._before = needed(_newest_first(logged[:asked]), seats)
        self._since = needed(_newest_first(logged[asked:]), seats)

    @property
    def before_question(self) -> tuple[Event, ...]:
        """Those that came before the open question was asked, oldest first."""
        return self._before

    @property
    def all(self) -> tuple[Event, ...]:
        """Those of the whole match, oldest first."""
        return (*self._before, *self._since)

    def add(self, facts: Iterable[Event], *, asks: bool) -> None:
        """Add the facts of an act. `asks` says that a new question was asked after them."""
        added = tuple([fact for fact in facts if _is_narrated(fact)])
        self._since += added
        self._spare -= len(added)
        if asks:
            self._before, self._since = self._before + self._since, ()
        if self._spare < 0:
            self._before = needed(reversed(self._before), self._seats)
            self._since = needed(reversed(self._since), self._seats)
            self._spare = SPARE


def needed(newest_first: Iterable[Event], seats: int) -> tuple[Event, ...]:
    """Those of these facts that somebody's last lines need, oldest first."""
    readers = [_Reader(viewer) for viewer in (None, *range(seats))]
    kept: list[Event] = []
    for fact in newest_first:
        if _is_silent(type(fact)):  # type: ignore[arg-type]  # mypy takes the hash of its instances
            continue
        audience, own = fact.audience(), fact if fact.narrated else None
        others = own if audience is None else _face(fact)
        if own is None and others is None:
            continue
        is_needed = False
        for reader in readers:
            seen = own if audience is None or reader.viewer in audience else others
            if seen is not None and reader.reads(seen):
                is_needed = True
        if is_needed:
            kept.append(fact)
            readers = [reader for reader in readers if reader.lines <= reader.most]
        if not readers:
            break
    return tuple(kept[::-1])


def _newest_first(logged: Sequence[Sequence[Event]]) -> Iterator[Event]:
    """The facts of these records, the last one first."""
    return (fact for events in reversed(logged) for fact in reversed(events))


@cache
def _is_silent(kind: type[Any]) -> bool:
    """Whether no fact of a class is ever narrated, whatever its values: most of a log are such."""
    return bool(kind.narrated is Unnarrated.narrated and kind.face is Event.face)


def _is_narrated(fact: Event) -> bool:
    """Whether a fact is in somebody's lines."""
    return fact.narrated or _face(fact) is not None


def _face(fact: Event) -> Event | None:
    """What those outside a fact's audience see of it in a line; None if it is in none."""
    face = fact.face()
    return face if face is not None and face.narrated else None


class _Reader:
    """Somebody who reads the events of a match, the last one first. Without a seat it is everybody else."""

    __slots__ = ("_following", "_repeated", "lines", "most", "viewer")

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.most = BOARD_LINES if viewer is None else HAND_LINES
        self.lines = 0
        self._following: Event | None = None
        self._repeated = 0

    def reads(self, seen: Event) -> bool:
        """Have them read an event that came before all others so far. Returns whether their last lines need it."""
        following = self._following
        if seen.__class__ is following.__class__ and seen == following:
            self._repeated += 1
        else:
            self.lines, self._repeated = self.lines + 1, 1
        self._following = seen
        return self.lines <= self.most and self._repeated <= self.most
