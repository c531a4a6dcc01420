"""Works out again what follows from results and logs, and corrects what differs. Only while no bot is connected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bot.cluster.schema import known_version
from bot.cluster.tools import refuse_in_use, tool_link
from bot.store.errors import StoreError
from bot.store.migrations import LATEST, migrations
from bot.store.queries import attendances, standings
from bot.store.queries.attendances import Attend
from bot.store.queries.database import Connection
from bot.store.queries.deleting import finish
from bot.store.queries.standings import Recount


def rebuild_standings(address: str) -> Recount:
    """`bot.store.queries.standings.rebuild`, in one transaction. Raises InUse while a bot is connected, and
    StoreError."""
    with _alone(address) as db:
        finish(db)
        return standings.rebuild(db)


def rebuild_attendances(address: str, attend: Attend) -> int:
    """The same for how people attended their matches. Returns in how many matches that differed."""
    with _alone(address) as db:
        return attendances.rebuild(db, attend)


@contextmanager
def _alone(address: str) -> Iterator[Connection]:
    with tool_link(address) as link:
        asked = link.connection()
        refuse_in_use(asked.raw)
        with asked.raw.transaction():
            if known_version(asked.raw, migrations()) < LATEST:
                raise StoreError("the database has no tables, or earlier ones: start the bot once, it makes them")
            yield asked
