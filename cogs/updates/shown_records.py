"""Stores what boards show and which hands are open, so that the next process edits no more and no less than it must.

Both change with every press. So changes are collected and written together (`LateWrites`), after the presses are
answered: no press waits for it, and a process that is killed loses the last of them.

**Boards** have marks. A mark is a digest of the board as it is sent, and the moments that Discord counts down on it. So
a release that draws boards differently, another language or another name make another mark. A mark is stored some
seconds after the board was shown, with the number of acts that led to it, and says nothing any more once the match has
more. Before a board changes in another way than by an act, its stored mark is deleted. So a killed process leaves no
mark of something that its board doesn't show. Notices (`cogs.updates.match_notices`) have marks of the same kind.

Each start and each outage moves all deadlines a little. A board whose deadline is far away shows that later: Discord
counts down in days and hours then, and nearly always somebody moves before.

**Hands** have rows with their tokens. One that was stored before its last change can still be edited, because its
former token edits the same message.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import Final, Generic, TypeVar

from bot.kept import Kept
from bot.play.live_match import LiveMatch
from bot.scheduler import ScheduledCall, Scheduler
from bot.store.errors import StoreError
from bot.store.queries.screens import BoardMark, HandKey, HandRow
from bot.store.store import Store
from cogs.screens.renderer import Sheet

_log = logging.getLogger(__name__)

MARKS_EVERY: Final = 10.0
"""Seconds between two writes of marks. A process that is killed paints the boards of its last seconds again."""
HANDS_EVERY: Final = 1.0
"""Seconds between two writes of open hands, at least."""
SWEEP_AFTER: Final = 15.0 * 60
"""Seconds after the last write of open hands until whatever it saved has expired, and is deleted."""
SOON: Final = 3600
"""Seconds before a deadline within which its board shows exactly when it is."""
LITTLE: Final = 60
"""A deadline moved little if what is left is more than this many times as long."""

_TIME = re.compile(rb"<t:(\d+):R>")
_DIGEST = 16
_MOMENT = 8
"""Bytes of each part of a mark: the digest, then each moment in seconds UTC."""

K = TypeVar("K")
V = TypeVar("V")


def mark_of(made: Sheet) -> bytes:
    """The mark of a board that looks like this."""
    return _mark(made.json(), made.picture)


def mark_of_text(text: str) -> bytes:
    """The mark of a message that says this."""
    return _mark(text.encode())


def change_due(shown: bytes | None, wanted: bytes) -> float:
    """When (seconds UTC) a message of the mark `shown` must get the mark `wanted`: never if they are equal, and at once
    if more than moments differ or nobody knows what it shows. A deadline that moved little is shown later."""
    if shown == wanted:
        return math.inf
    if shown is None or shown[:_DIGEST] != wanted[:_DIGEST] or len(shown) != len(wanted):
        return -math.inf
    starts = range(_DIGEST, len(wanted), _MOMENT)
    moments = [(_moment(shown, start), _moment(wanted, start)) for start in starts]
    return min(after - max(SOON, LITTLE * abs(after - before)) for before, after in moments if after != before)


def _mark(sent: bytes, picture: bytes = b"") -> bytes:
    digest = blake2b(_TIME.sub(b"<t:R>", sent) + picture, digest_size=_DIGEST).digest()
    return digest + b"".join(int(moment).to_bytes(_MOMENT, "big") for moment in _TIME.findall(sent))


def _moment(mark: bytes, start: int) -> int:
    return int.from_bytes(mark[start : start + _MOMENT], "big")


class LateWrites(Generic[K, V]):
    """Changes of rows, collected and written together: the last of each key, None for a row that goes."""

    def __init__(
        self, what: str, write: Callable[[dict[K, V | None]], Awaitable[None]], every: float, scheduler: Scheduler
    ) -> None:
        """`write` saves changes and raises StoreError; what it can't save is dropped. Two writes are `every` seconds
        apart, at least. `what` names the rows in logs."""
        self._what = what
        self._save = write
        self._every = every
        self._scheduler = scheduler
        self._changed: dict[K, V | None] = {}
        self._call: ScheduledCall | None = None
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    @property
    def idle(self) -> bool:
        """Whether everything is written."""
        return not self._changed and self._writing is None

    def change(self, key: K, row: V | None) -> None:
        """Write a row some time later, in place of an earlier change of it."""
        self._changed.pop(key, None)
        self._changed[key] = row
        if self._call is None and self._writing is None and not self._closed:
            self._call = self._scheduler.call_later(self._every, self.begin)

    def drop(self, key: K) -> None:
        """Write nothing of a row."""
        self._changed.pop(key, None)

    def begin(self) -> None:
        """Write what has changed, also if that is nothing."""
        if self._writing is not None or self._closed:
            return
        self._call = None
        self._writing = asyncio.get_running_loop().create_task(self._write())
        self._writing.add_done_callback(self._written)

    async def close(self) -> None:
        """Write what is left."""
        self._closed = True
        if self._call is not None:
            self._call.cancel()
        if self._writing is not None:
            await self._writing
        if self._changed:
            await self._write()

    def _written(self, _: asyncio.Task[None]) -> None:
        self._writing = None
        if self._changed and not self._closed:
            self._call = self._scheduler.call_later(self._every, self.begin)

    async def _write(self) -> None:
        changed, self._changed = self._changed, {}
        try:
            await self._save(changed)
        except StoreError as error:
            _log.warning("%s could not be saved: %s", self._what, type(error).__name__)


class BoardMarks:
    """The marks of the boards that are shown, by match."""

    def __init__(self, store: Store, scheduler: Scheduler) -> None:
        self._store = store
        self._scheduler = scheduler
        self._shown: Kept[str, BoardMark] = Kept("marks of boards")
        """By match. They are stored, or will be."""
        self._writes: LateWrites[str, BoardMark] = LateWrites(
            "marks of boards", store.write_board_marks, MARKS_EVERY, scheduler
        )
        self._looks: dict[str, ScheduledCall] = {}
        """The next looks at boards whose deadline moved a little."""

    def __len__(self) -> int:
        return len(self._shown)

    def restore(self, match: LiveMatch, saved: BoardMark | None) -> None:
        """Take over the mark that an earlier process stored, if it is of the board as the match is now."""
        if saved is not None and saved.acts == match.position.acts and match.board_id is not None:
            self._shown[match.id] = saved

    def of(self, match: LiveMatch) -> BoardMark | None:
        """The mark of a board, another one whenever that was shown; None if it isn't known or just changes."""
        return self._shown.get(match.id)

    def shows(self, match: LiveMatch, made: Sheet, repair: Callable[[LiveMatch], None]) -> bool:
        """Whether the board looks like this, perhaps with a deadline that moved little. `repair` is called when that
        must be shown."""
        now = self._scheduler.now() / 1000
        shown = self._shown.get(match.id)
        due = change_due(None if shown is None else shown.mark, mark_of(made))
        if due <= now:
            return False
        if due < math.inf:
            self._look_no_more(match.id)
            self._looks[match.id] = self._scheduler.call_later(due - now, repair, match)
        return True

    async def begin(self, match: LiveMatch) -> None:
        """Delete a stored mark that would be wrong after the edit that follows."""
        shown = self._shown.pop(match.id, None)
        self._writes.drop(match.id)
        if shown is not None and shown.acts == match.position.acts:
            try:
                await self._store.write_board_marks({match.id: None})
            except StoreError as error:  # its board is more important
                _log.warning("the mark of a board could not be deleted: %s", type(error).__name__)

    def note(self, match: LiveMatch, made: Sheet, acts: int) -> None:
        """Record that the board looks like this after this number of acts."""
        mark = self._shown[match.id] = BoardMark(acts, mark_of(made))
        self._writes.change(match.id, mark)

    def forget(self, match_id: str) -> None:
        """Forget what a board shows, because it isn't known any more."""
        self._look_no_more(match_id)
        if self._shown.pop(match_id, None) is not None:
            self._writes.change(match_id, None)

    async def close(self) -> None:
        """Write what is left."""
        for match_id in tuple(self._looks):
            self._look_no_more(match_id)
        await self._writes.close()

    def _look_no_more(self, match_id: str) -> None:
        look = self._looks.pop(match_id, None)
        if look is not None:
            look.cancel()


class HandRecords:
    """The rows of open hands. One that could not be saved is stored again by the next press on its hand."""

    def __init__(self, store: Store, scheduler: Scheduler) -> None:
        self._store = store
        self._scheduler = scheduler
        self._writes: LateWrites[HandKey, HandRow] = LateWrites("open hands", self._write, HANDS_EVERY, scheduler)
        self._sweep: ScheduledCall | None = None

    @property
    def idle(self) -> bool:
        """Whether everything is written."""
        return self._writes.idle

    async def stored(self) -> list[HandRow]:
        """The hands that an earlier process left open and whose tokens are still valid. Raises StoreError."""
        now = self._scheduler.now()
        await self._write({})  # this deletes what has expired
        self._sweep_later()
        return [row for row in await self._store.open_hands() if row.expires_at > now]

    def save(self, row: HandRow) -> None:
        """Store a hand, in place of the former row of its message."""
        self._writes.change(row.key, row)

    def remove(self, key: HandKey) -> None:
        """Delete the row of a hand."""
        self._writes.change(key, None)

    async def close(self) -> None:
        """Write what is left."""
        await self._writes.close()
        if self._sweep is not None:
            self._sweep.cancel()

    def _sweep_later(self) -> None:
        """Write once more when all tokens that are stored now have expired, if nothing else is written until then."""
        if self._sweep is not None:
            self._sweep.cancel()
        self._sweep = self._scheduler.call_later(SWEEP_AFTER, self._writes.begin)

    async def _write(self, changed: dict[HandKey, HandRow | None]) -> None:
        saved = [row for row in changed.values() if row is not None]
        removed = [key for key, row in changed.items() if row is None]
        if saved:
            self._sweep_later()
        await self._store.write_open_hands(saved, removed, self._scheduler.now())
