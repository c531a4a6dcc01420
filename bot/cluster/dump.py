"""Writes a whole PostgreSQL database as a dump's lines (`bot.store.dump_format`), and fills an empty one from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, LiteralString, TypeAlias

import psycopg
from psycopg import sql

from bot.cluster.schema import known_version, migrate
from bot.cluster.tools import refuse_in_use, tool_link
from bot.store.dump_format import FILLED_WHEN_NEW, Columns, DumpReader, NotADumpError, Row, refused, written
from bot.store.errors import NotSaved, StoreError
from bot.store.migrations import migrations

OWN: Final = frozenset({"schema_version", "writers"})
"""Tables that only this store has, and that say nothing about play."""
ORDER: Final = "rowid"
"""The column for the order in which rows were added, which SQLite keeps by itself. Dumps keep that order."""

ROWS_AT_ONCE: Final = 1000
"""Rows of a dump that are in memory."""

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]


def dump_lines(address: str) -> Iterator[str]:
    """The lines of a dump with their line breaks, all from the same moment. The database may be in use.

    Raises TooNew, OtherSchema and StoreError, also for a database without tables.
    """
    with tool_link(address) as link:
        connection = link.connection().raw
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        version = known_version(connection, migrations())
        if version == 0:
            raise NotSaved("the database is empty")
        tables = columns(connection)
        yield from written(version, tables, lambda table: _rows(connection, table, tables[table]))


def refuse_to_load(address: str) -> None:
    """Raise what `load_dump` would raise about a database that it does not take."""
    with tool_link(address) as link:
        connection = link.connection().raw
        refuse_in_use(connection)
        _refuse_unless_empty(connection, columns(connection))


def load_dump(reader: DumpReader, address: str) -> int:
    """Fill an empty database from a dump of the present tables, in one transaction. Returns the number of rows.

    Makes the tables if there are none. Raises NotADumpError, InUse while a bot runs, NotSaved if the database is not
    empty, and StoreError.
    """
    with tool_link(address) as link:
        migrate(link, migrations())
        connection = link.connection().raw
        with connection.transaction():
            tables = columns(connection)
            names = sql.SQL(", ").join(map(sql.Identifier, tables))
            refuse_in_use(connection)
            connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(names))
            _refuse_unless_empty(connection, tables)
            connection.execute(sql.SQL("TRUNCATE {}").format(names))
            references = _without_references(connection)
            for table, rows in groupby(reader.read(tables), key=attrgetter("table")):
                _copy(connection, table, tables[table], rows)
            _refer_again(connection, references, reader.line)
            _count_on(connection, tables)
        connection.execute("ANALYZE")
    return reader.rows


def columns(connection: Connection) -> Columns:
    """The tables and their columns, without those that no dump has. A table comes after those that it refers to.

    Otherwise they are in the order of their names: a restored database has them in another order than they were made.
    """
    found: dict[str, tuple[str, ...]] = {}
    for table, column in connection.execute(
        """
        SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
        ORDER BY relname COLLATE "C", attnum
        """
    ):
        if table not in OWN and column != ORDER:
            found[table] = (*found.get(table, ()), column)
    references = connection.execute(
        """
        SELECT referring.relname, referred.relname FROM pg_constraint
        JOIN pg_class AS referring ON conrelid = referring.oid JOIN pg_class AS referred ON confrelid = referred.oid
        WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY 1, 2
        """
    ).fetchall()
    before: dict[str, list[str]] = {table: [] for table in found}
    for table, other in references:
        before[table].append(other)
    return {table: found[table] for table in TopologicalSorter(before).static_order()}


def _rows(connection: Connection, table: str, columns: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """The rows of a table in the order in which they were added where that is kept, else in that of their key."""
    order = _key(connection, table)
    query = sql.SQL("DECLARE dumped NO SCROLL CURSOR FOR SELECT {} FROM {} ORDER BY {}").format(
        sql.SQL(", ").join(map(sql.Identifier, columns)),
        sql.Identifier(table),
        sql.SQL(", ").join(map(sql.Identifier, order)),
    )
    connection.execute(query)
    while some := connection.execute(f"FETCH {ROWS_AT_ONCE:d} FROM dumped".encode()).fetchall():
        yield from some
    connection.execute("CLOSE dumped")


def _key(connection: Connection, table: str) -> list[str]:
    has_order = connection.execute(
        "SELECT 1 FROM pg_attribute WHERE attrelid = %s::regclass AND attname = %s", [table, ORDER]
    ).fetchone()
    if has_order:
        return [ORDER]
    found = connection.execute(
        """
        SELECT attname FROM pg_index, unnest(indkey) WITH ORDINALITY AS part (number, place), pg_attribute
        WHERE indrelid = %s::regclass AND indisprimary AND attrelid = indrelid AND attnum = part.number
        ORDER BY part.place
        """,
        [table],
    )
    return [name for (name,) in found]


def _refuse_unless_empty(connection: Connection, tables: Columns) -> None:
    for table in tables.keys() - FILLED_WHEN_NEW:
        if connection.execute(sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(table))).fetchone():
            raise NotSaved("the database is not empty: make a new one")


def _without_references(connection: Connection) -> list[tuple[str, str, str]]:
    """Remove the rules that a row refers to one of another table, because rows may come before those that they refer
    to. Returns their tables, names and definitions."""
    found = connection.execute(
        """
        SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid)
        FROM pg_constraint JOIN pg_class ON conrelid = pg_class.oid
        WHERE contype = 'f' AND connamespace = current_schema()::regnamespace ORDER BY relname, conname
        """
    ).fetchall()
    for table, name, _ in found:
        connection.execute(
            sql.SQL("ALTER TABLE {} DROP CONSTRAINT {}").format(sql.Identifier(table), sql.Identifier(name))
        )
    return found


def _refer_again(connection: Connection, references: list[tuple[str, str, str]], line: int) -> None:
    """Restore these rules, which checks all rows by them."""
    for table, name, definition in references:
        added = sql.SQL("ALTER TABLE {} ADD CONSTRAINT {} {}").format(
            sql.Identifier(table), sql.Identifier(name), sql.SQL(definition)
        )
        try:
            connection.execute(added)
        except psycopg.errors.ForeignKeyViolation:
            raise NotADumpError(line, "ends a dump in which a row refers to a missing one") from None


def _copy(connection: Connection, table: str, columns: tuple[str, ...], rows: Iterator[Row]) -> None:
    """Add rows of one table. An error names the line of a row that breaks a rule."""
    query = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    bytes_in = _columns_of_bytes(connection, table)
    first = 0
    try:
        with connection.cursor() as cursor, cursor.copy(query) as copy:
            for row in rows:
                first = first or row.line
                for name, value in row.values.items():
                    if value is not None and isinstance(value, bytes) != (name in bytes_in):
                        raise refused(row.line)  # SQLite would refuse it too
                copy.write_row([row.values[name] for name in columns])
    except (psycopg.DataError, psycopg.IntegrityError) as error:
        number = re.search(r"line (\d+)", error.diag.context or "")
        raise refused(first + int(number[1]) - 1 if number else first) from None


def _columns_of_bytes(connection: Connection, table: str) -> set[str]:
    found = connection.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND atttypid = 'bytea'::regtype", [table]
    )
    return {name for (name,) in found}


def _count_on(connection: Connection, tables: Columns) -> None:
    """Have every column that numbers new rows go on after the largest number."""
    for table, columns in tables.items():
        for column in columns:
            (sequence,) = _one(connection, "SELECT pg_get_serial_sequence(%s, %s)", table, column)
            if sequence is not None:
                query = sql.SQL("SELECT setval(%s, max({0})) FROM {1} HAVING max({0}) IS NOT NULL")
                connection.execute(query.format(sql.Identifier(column), sql.Identifier(table)), [sequence])


def _one(connection: Connection, query: LiteralString, *values: str) -> tuple[Any, ...]:
    row = connection.execute(query, values).fetchone()
    if row is None:
        raise StoreError("the database gave no answer")
    return row
