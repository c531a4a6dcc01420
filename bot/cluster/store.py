"""The store in a PostgreSQL database."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from bot.cluster.database import Database
from bot.cluster.schema import migrate
from bot.store.migrations import TABLES, migrations
from bot.store.person_key import PersonKey
from bot.store.queries import clusters, deleting, installation
from bot.store.store import Renewing, Store
from bot.telemetry import NO_TELEMETRY, Telemetry

_log = logging.getLogger(__name__)


class PostgresqlStore(Store):
    """The store in a PostgreSQL database: how it is opened."""

    database: Database

    @classmethod
    async def open(
        cls,
        address: str,
        *,
        now: Callable[[], int],
        person_key: Path,
        telemetry: Telemetry = NO_TELEMETRY,
        migrations_folder: Path = TABLES,
    ) -> PostgresqlStore:
        """Connect to a database that exists, and make or migrate its tables.

        `address` is a URL or connection string of libpq, `now` returns milliseconds since 1970, UTC. Reads and writes
        that the server refuses later are reported to `telemetry`. `person_key` is the file with the key by which
        deleted people are recognised (`bot.store.person_key`). Raises TooNew, OtherSchema and StoreError, each with one
        line to show that has no password.
        """
        steps = migrations(migrations_folder)
        database = Database(address, len(steps), telemetry)
        try:
            await database.begin(lambda link: migrate(link, steps))
            await database.write(installation.begin_progress)
            finished = await deleting.finish_all(database)
        except BaseException:
            await database.close()
            raise
        if finished:
            _log.info("finished %d deletions that a process had begun", finished)
        return cls(database, now, PersonKey(person_key))

    async def keep_renewing(self, process: Renewing, lease: int, every: float) -> None:
        """As `Store.keep_renewing`, beside the event loop."""
        holder = clusters.Holder(self.owner, self.data_clock)
        await self.database.keep_renewing(lambda db: clusters.renew(db, holder, lease), self.owner, process, every)
