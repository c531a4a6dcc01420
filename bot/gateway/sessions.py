"""Decides when the bot may begin a session at Discord's gateway, and notices sessions that are not its own.

Discord grants a bot a thousand identifies a day and then resets its token. A session that cannot be resumed costs one,
and so does every restart by a service manager. So the store keeps the times of all identifies across restarts
(`IdentifyBudget`). The first ones of an hour do not wait, and each further one waits twice as long as the one before.
When Discord reports that little of the day's budget is left, the rest is spread over the day.

Discord takes one identify in five seconds for each *bucket* of shards, those with the same remainder of their number by
`max_concurrency` (https://discord.com/developers/docs/events/gateway#sharding-max-concurrency). The library (2.7) keeps
that distance within a process. Processes that share their data take turns in them (`SessionTurns`).

The instance lock refuses a second bot on the same data folder. A bot on another folder, or on another machine, can only
be noticed by what it does (`ForeignAnswers`). Discord sends every press to both, and takes the first answer of each.
And each session that the other begins is one less of the day's.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import discord

from bot.store.errors import StoreError
from bot.store.store import Store

_log = logging.getLogger(__name__)

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
"""Milliseconds."""
FREE: Final = 20
"""Identifies per shard and hour that do not wait."""
FIRST_WAIT: Final = 5_000
LONGEST_WAIT: Final = 300_000
"""Milliseconds between two identifies. That allows about forty per hour at worst, and fewer than 700 per day."""
LOW: Final = 0.25
"""When this part of the day's budget or less is left, it is spread over the rest of the day."""
KEPT: Final = 1000
"""The most identifies to remember: more than fit into an hour, except for a bot with very many shards."""

SPACING: Final = 5500
"""Milliseconds between two identifies of a bucket: Discord's five seconds, and what differs on the way to it."""
ENOUGH: Final = 3
"""How many signs within `WINDOW` mean another process. One alone may be the library's repetition of a lost request."""
WINDOW: Final = 600.0
"""Seconds."""
AGAIN: Final = 3600.0
"""Seconds until it is said again."""


class IdentifyBudget:
    """The past identifies, and how many Discord says are left. Times are milliseconds, UTC.

    All processes on the same data have one record.
    """

    def __init__(self, store: Store, now: Callable[[], int], *, spaced: bool = True) -> None:
        """`spaced`: identifies of one hour wait for each other. On a Discord of this machine they need not."""
        self._spaced = spaced
        self._store = store
        self._now = now
        self._key = ""
        self._identifies: list[int] = []
        self._shards = 1
        self.remaining = 0
        """How many identifies Discord still grants today, as far as is known."""
        self._day_ends = 0
        self._spread = 0

    async def load(self, application_id: int, shards: int, *, total: int, remaining: int, reset_after: int) -> None:
        """Load the stored record at a start, and keep Discord's figures (`reset_after` in milliseconds)."""
        self._key = f"sessions:{application_id}"
        self._shards = max(1, shards)
        now = self._now()
        self._identifies = await self._read()
        self.remaining = remaining
        self._day_ends = now + reset_after
        self._spread = reset_after // max(1, remaining // self._shards) if remaining <= total * LOW else 0

    async def look(self) -> None:
        """Take over the identifies of other processes. A store that fails is logged; what is known still counts."""
        if not self._store.is_shared:
            return
        try:
            self._take(await self._read())
        except StoreError as error:
            _log.warning("the sessions of other processes could not be read: %s", type(error).__name__)

    async def _read(self) -> list[int]:
        kept = json.loads(await self._store.metadata(self._key) or "[]")
        # If the clock was set back, times in the future are moved to now.
        return sorted(min(int(moment), self._now()) for moment in kept)

    def _take(self, moments: list[int]) -> None:
        """Replace the record by a longer one, in which other processes have begun sessions."""
        self.remaining -= (Counter(moments) - Counter(self._identifies)).total()
        self._identifies = moments

    def delay_ms(self) -> int:
        """Milliseconds until the bot may identify; 0 for now."""
        now = self._now()
        # If the clock was set back, times in the future are moved to now.
        self._identifies = [min(moment, now) for moment in self._identifies if now - moment < DAY]
        self._day_ends = min(self._day_ends, now + DAY)
        if now < self._day_ends and self.remaining < self._shards:
            return self._day_ends - now
        if not self._identifies:
            return 0
        beyond = self.used_last_hour // self._shards - FREE
        pause = min(FIRST_WAIT << min(beyond, 10), LONGEST_WAIT) if beyond >= 0 and self._spaced else 0
        if now < self._day_ends:
            pause = max(pause, self._spread)
        return max(0, self._identifies[-1] + pause - now)

    def count_foreign(self, *, remaining: int, reset_after: int) -> int:
        """How many sessions somebody else began since Discord last said what is left; takes over the new figures."""
        now = self._now()
        known = self.remaining if now < self._day_ends else remaining
        self._day_ends = now + reset_after
        self.remaining = min(known, remaining)  # Discord may not have counted our last one yet
        return known - self.remaining

    @property
    def used_last_hour(self) -> int:
        """How many identifies there were within the last hour."""
        now = self._now()
        return sum(now - moment < HOUR for moment in self._identifies)

    async def record_identify(self) -> None:
        """Record an identify. A store that fails is logged; the record in memory still counts."""
        now = self._now()
        try:
            if self._store.is_shared:
                self._take(await self._store.record_session(self._key, now, KEPT))
                return
            self._note(now)
            await self._store.set_metadata(self._key, json.dumps(self._identifies))
        except StoreError as error:
            if self._store.is_shared:
                self._note(now)
            _log.warning("the beginning of a session could not be noted: %s", type(error).__name__)

    def _note(self, moment: int) -> None:
        self._identifies = [*self._identifies, moment][-KEPT:]
        self.remaining -= 1


class SessionTurns:
    """Turns of new sessions. Each takes two: one before it connects, which may be a long wait, and one when it
    identifies, which is a short wait, because connecting takes differently long."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._concurrency = 1

    def learn(self, concurrency: int) -> None:
        """Discord has said how many sessions may begin at once (`max_concurrency`)."""
        self._concurrency = max(1, concurrency)

    @property
    def shared(self) -> bool:
        """Whether other processes take turns with this one."""
        return self._store.is_shared

    async def to_connect(self, shard: int) -> int:
        """Milliseconds until a shard may connect for a new session. 0 where no other process takes turns."""
        return await self._take("connect", shard) if self.shared else 0

    async def to_identify(self, shard: int) -> int:
        """Milliseconds until a shard that has connected may identify."""
        return await self._take("identify", shard)

    async def _take(self, what: str, shard: int) -> int:
        """Take a turn. If the store fails there is none to wait for: Discord refuses a session that comes too early,
        and the library tries again."""
        try:
            return await self._store.take_turn(f"{what}:{shard % self._concurrency}", SPACING)
        except StoreError as error:
            _log.warning("the turn of a session could not be taken: %s", type(error).__name__)
            return 0


class ForeignAnswers:
    """Counts answers that another process gave, and presses on messages that this one never posted."""

    def __init__(self) -> None:
        self._signs: list[float] = []
        self._said: float | None = None

    @property
    def noticed(self) -> bool:
        """Whether another process was noticed."""
        return self._said is not None

    def unknown_message(self, interaction: discord.Interaction[Any]) -> None:
        """Somebody pressed a button of a match or a challenge that is not in the database.

        Only a button that the message has is a sign: a client could send any id.
        """
        custom_id = dict[str, Any](interaction.data or {}).get("custom_id")
        if interaction.message is not None and custom_id in set(_custom_ids(interaction.message.components)):
            self.answered_by_another()

    def answered_by_another(self) -> None:
        """Discord said at the first try that an interaction was already answered."""
        now = asyncio.get_running_loop().time()
        self._signs = [*(moment for moment in self._signs[-ENOUGH:] if now - moment < WINDOW), now]
        if len(self._signs) >= ENOUGH:
            self.session_of_another()

    def session_of_another(self) -> None:
        """Somebody else began a session: one is enough."""
        now = asyncio.get_running_loop().time()
        if self._said is not None and now - self._said < AGAIN:
            return
        self._said = now
        _log.error("another process uses this token with other data, or this database is an old one")


def _custom_ids(components: Iterable[Any]) -> Iterator[str | None]:
    """The custom ids of all components, nested ones too."""
    for component in components:
        yield getattr(component, "custom_id", None)
        nested = [*getattr(component, "children", ()), getattr(component, "accessory", None)]
        yield from _custom_ids(each for each in nested if each is not None)
