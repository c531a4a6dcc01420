"""Recalculates standings from the results. Comparing works at any time, rewriting only while the bot is stopped."""

from __future__ import annotations

from pathlib import Path

from bot.store.queries import standings
from bot.store.queries.deleting import finish
from bot.store.queries.standings import Recount
from bot.store.sqlite.reading import open_existing
from bot.store.sqlite.recounts.alone import alone, refuse_older


def recount_standings(database: Path) -> Recount:
    """Compare the standings with the recalculated ones. The database may be in use.

    Raises StoreError, also for tables of an earlier version.
    """
    with open_existing(database) as connection:
        connection.execute("BEGIN")  # results and standings from the same moment
        refuse_older(database, connection)
        return standings.recount(connection)


def rebuild_standings(database: Path) -> Recount:
    """`bot.store.queries.standings.rebuild`, in one transaction. Raises what `alone` raises."""
    with alone(database) as connection:
        finish(connection)
        return standings.rebuild(connection)
