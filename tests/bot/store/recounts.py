"""Standings of a database that no bot has open, recalculated."""

from __future__ import annotations

from pathlib import Path

from bot.store.queries import counting_again
from bot.store.queries.counting_again import Recount
from bot.store.sqlite.alone import alone
from bot.store.sqlite.reading import open_existing


def recount_standings(database: Path) -> Recount:
    """Compare them with those that are kept. The database may be in use after all."""
    with open_existing(database) as connection:
        connection.execute("BEGIN")  # results and standings from the same moment
        return counting_again.recount(connection)


def rebuild_standings(database: Path) -> Recount:
    """Replace those that differ."""
    with alone(database) as connection:
        return counting_again.rebuild(connection)
