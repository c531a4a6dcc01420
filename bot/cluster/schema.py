"""Migrates the tables: the steps of `bot.store.migrations` in PostgreSQL's words, each followed by what PostgreSQL has
beside them, the file of the same number in `bot/cluster/tables`.

They only go forward; each is one transaction with its number, and a digest of all until then, in the table
`schema_version`. A process that opens the database while another one migrates it waits for that.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import psycopg

from bot.cluster.link import Link
from bot.store.errors import OtherSchema, StoreError
from bot.store.migrations import Migration, adds, digest, refuse_others

LEAST_SERVER: Final = 130000
"""The oldest server that is taken, as psycopg numbers versions."""
_OWN: Final = Path(__file__).parent / "tables"
_SQLITE_ALONE: Final = "-- In SQLite alone"
"""What follows this line in a step is not for PostgreSQL."""
_WORDS: Final = {
    "INTEGER": "bigint",
    "REAL": "double precision",
    "TEXT": 'text COLLATE "C"',  # texts are compared by their bytes, as SQLite does
    "BLOB": "bytea",
    "x''": "''",
    ") STRICT, WITHOUT ROWID;": ");",
    ") STRICT;": ");",
}
_ACTING: Final = """
WITH ours AS (
    SELECT oid FROM pg_class WHERE relname = ANY(%(tables)s) AND relnamespace = current_schema()::regnamespace
)
SELECT 'trigger', tgname::text FROM pg_trigger WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM ours)
UNION ALL SELECT 'rule', rulename::text FROM pg_rewrite WHERE ev_class IN (SELECT oid FROM ours)
UNION ALL SELECT 'policy', polname::text FROM pg_policy WHERE polrelid IN (SELECT oid FROM ours)
UNION ALL SELECT 'index', relname::text FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid IN (SELECT oid FROM ours)
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
"""
"""What acts on our tables by itself (https://www.postgresql.org/docs/current/catalogs.html). An index of a constraint
has a name that PostgreSQL gives it."""
_LOCK: Final = 0x43617264726F6F6D
"""What migrations are locked by: "Cardroom" in ASCII."""


@cache
def in_postgresql(steps: tuple[Migration, ...]) -> tuple[Migration, ...]:
    """The steps as PostgreSQL takes them. They are kept: it takes as long as the rest of a look at them."""
    words = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in _WORDS))
    return tuple(
        Migration(
            step.number,
            words.sub(lambda found: _WORDS[found[0]], step.sql.partition(_SQLITE_ALONE)[0])
            + "".join(file.read_text("utf-8") for file in _OWN.glob(f"{step.number:04}_*.sql")),
        )
        for step in steps
    )


def migrate(link: Link, steps: tuple[Migration, ...]) -> None:
    """Bring the tables up to date. Raises psycopg.Error, StoreError, and TooNew and OtherSchema for other tables."""
    raw = link.connection().raw
    _refuse_server(raw)
    steps = in_postgresql(steps)
    while not _take_step(raw, steps):
        pass
    _refuse_additions(raw, steps)


def known_version(raw: psycopg.Connection[tuple[Any, ...]], steps: tuple[Migration, ...]) -> int:
    """The number of the last migration that the database went through; 0 for one without our tables.

    Raises TooNew and OtherSchema for tables that other steps made.
    """
    return _known_version(raw, in_postgresql(steps))


def _known_version(raw: psycopg.Connection[tuple[Any, ...]], steps: tuple[Migration, ...]) -> int:
    if _is_missing(raw, "schema_version"):
        return 0
    # As JSON, because a table that another state of the program made may have no such column.
    row = raw.execute("SELECT version, (to_jsonb(schema_version) ->> 'digest')::bigint FROM schema_version").fetchone()
    if row is None:
        return 0
    version, kept = row
    refuse_others("the database", version, kept, steps)
    return int(version)


def _take_step(raw: psycopg.Connection[tuple[Any, ...]], steps: tuple[Migration, ...]) -> bool:
    """Take the next step; whether there was none."""
    raw.execute("BEGIN; SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0", prepare=False)
    try:
        raw.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = _known_version(raw, steps)
        if version < len(steps):
            _apply(raw, version, steps)
    except BaseException:
        if not raw.closed:
            raw.execute("ROLLBACK", prepare=False)
        raise
    raw.execute("COMMIT", prepare=False)
    return version == len(steps)


def _apply(raw: psycopg.Connection[tuple[Any, ...]], version: int, steps: tuple[Migration, ...]) -> None:
    step = steps[version]
    if version == 0:
        if not _is_missing(raw, "matches"):
            raise StoreError("the database has tables of another program, so it is left as it is")
        raw.execute("CREATE TABLE schema_version (version bigint NOT NULL, digest bigint NOT NULL)")
        raw.execute("INSERT INTO schema_version VALUES (0, 0)")
    raw.execute(step.sql.encode(), prepare=False)
    made_by = digest(steps[: step.number])
    raw.execute("UPDATE schema_version SET version = %s, digest = %s", (step.number, made_by))


def _refuse_additions(raw: psycopg.Connection[tuple[Any, ...]], steps: tuple[Migration, ...]) -> None:
    """Raise OtherSchema unless what acts on our tables is exactly what the steps make: triggers, rules, policies and
    indexes. What else lies in the database changes nothing that we write."""
    text = "".join(step.sql for step in steps)
    wanted = {("trigger", name) for name in re.findall(r"^CREATE TRIGGER (\w+)", text, re.MULTILINE)}
    for does, names in re.findall(r"^(CREATE|DROP)(?: UNIQUE)? INDEX (\w+(?:, \w+)*)", text, re.MULTILINE):
        indexes = {("index", name) for name in names.split(", ")}
        wanted = wanted | indexes if does == "CREATE" else wanted - indexes
    tables = re.findall(r"^CREATE TABLE (\w+)", text, re.MULTILINE)
    found = set(raw.execute(_ACTING, {"tables": tables}).fetchall())
    for kind, name in sorted(found - wanted):
        raise OtherSchema(f"the database {adds(kind, name)}")
    for kind, name in sorted(wanted - found):
        raise OtherSchema(f"the database has lost the {kind} {name}: restore a backup")


def _is_missing(raw: psycopg.Connection[tuple[Any, ...]], table: str) -> bool:
    row = raw.execute("SELECT to_regclass(%s) IS NULL", (table,)).fetchone()
    return row is not None and bool(row[0])


def _refuse_server(raw: psycopg.Connection[tuple[Any, ...]]) -> None:
    if raw.info.server_version < LEAST_SERVER:
        raise StoreError(f"the database server is older than PostgreSQL {LEAST_SERVER // 10000}")
    row = raw.execute("SELECT current_setting('server_encoding')").fetchone()
    if row != ("UTF8",):
        raise StoreError("the database isn't encoded in UTF-8: create it with ENCODING 'UTF8'")
