"""What each subject's methods are made of."""

from __future__ import annotations

from collections.abc import Callable

from bot.shard_range import EVERYTHING, ShardRange
from bot.store.person_key import PersonKey
from bot.store.queries.database import Database
from bot.store.queries.deleting import Uncancelled


class SqlPart:
    """A part of the store: the database, the time (ms since 1970, UTC), and the key of deleted people."""

    def __init__(self, database: Database, now: Callable[[], int], key: PersonKey) -> None:
        self.database = database
        """Play goes by the methods; this is for who looks at the database as a whole."""
        self.person_key = key
        """The key by which deleted people are recognised."""
        self._now = now
        self.serves: ShardRange = EVERYTHING
        """The servers that this store serves (`bot.store.protocols.clusters`)."""
        self.is_shared = False
        """Whether other processes may have the data open."""
        self._deletions = Uncancelled()
