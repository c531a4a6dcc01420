"""Migrates the tables. Migrations are numbered SQL files as SQLite's are, with numbers of their own.

They only go forward; each is one transaction with its number in the table `schema_version`. A process that opens the
database while another one migrates it waits for that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import psycopg

from bot.cluster.link import Link
from bot.store.errors import StoreError, TooNew
from bot.store.sql.migrations import Migration

MIGRATIONS: Final = Path(__file__).parent / "migrations"
LEAST_SERVER: Final = 130000
"""The oldest server that is taken, as psycopg numbers versions."""
_LOCK: Final = 0x43617264726F6F6D
"""What migrations are locked by: "Cardroom" in ASCII."""


def migrate(link: Link, steps: tuple[Migration, ...]) -> None:
    """Bring the tables up to date. Raises psycopg.Error, and TooNew for those of a later version."""
    raw = link.connection().raw
    _refuse_server(raw)
    while not _take_step(raw, steps):
        pass


def version_of(raw: psycopg.Connection[tuple[Any, ...]]) -> int:
    """The number of the last migration that the database went through; 0 for one without our tables."""
    if _is_missing(raw, "schema_version"):
        return 0
    row = raw.execute("SELECT version FROM schema_version").fetchone()
    return 0 if row is None else int(row[0])


def _take_step(raw: psycopg.Connection[tuple[Any, ...]], steps: tuple[Migration, ...]) -> bool:
    """Take the next step; whether there was none."""
    raw.execute("BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0", prepare=False)
    try:
        raw.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = version_of(raw)
        _refuse_newer(version, len(steps))
        if version < len(steps):
            _apply(raw, version, steps[version])
    except BaseException:
        if not raw.closed:
            raw.execute("ROLLBACK", prepare=False)
        raise
    raw.execute("COMMIT", prepare=False)
    return version == len(steps)


def _refuse_newer(version: int, known: int) -> None:
    if version > known:
        raise TooNew(
            f"the database has version {version}, and this program reads up to {known}: "
            "install the newer program again, or restore a backup from before its first start"
        )


def _apply(raw: psycopg.Connection[tuple[Any, ...]], version: int, step: Migration) -> None:
    if version == 0:
        if not _is_missing(raw, "matches"):
            raise StoreError("the database has tables of another program, so it is left as it is")
        raw.execute("CREATE TABLE schema_version (version bigint NOT NULL)")
        raw.execute("INSERT INTO schema_version VALUES (0)")
    raw.execute(step.sql.encode(), prepare=False)
    raw.execute("UPDATE schema_version SET version = %s", (step.number,))


def _is_missing(raw: psycopg.Connection[tuple[Any, ...]], table: str) -> bool:
    row = raw.execute("SELECT to_regclass(%s) IS NULL", (table,)).fetchone()
    return row is not None and bool(row[0])


def _refuse_server(raw: psycopg.Connection[tuple[Any, ...]]) -> None:
    if raw.info.server_version < LEAST_SERVER:
        raise StoreError(f"the database server is older than PostgreSQL {LEAST_SERVER // 10000}")
    row = raw.execute("SELECT current_setting('server_encoding')").fetchone()
    if row != ("UTF8",):
        raise StoreError("the database isn't encoded in UTF-8: create it with ENCODING 'UTF8'")
