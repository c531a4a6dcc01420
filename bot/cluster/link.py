"""One connection to a server, which is made again after it was lost."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from bot.cluster.dialect import register, translated
from bot.cluster.errors import UNREACHABLE, store_error
from bot.store.errors import NotSaved, StoreError
from bot.store.queries.database import Connection, Cursor, Values

CONNECT_TIMEOUT: Final = 5
"""Seconds to wait for an answer to a new connection."""
RETRY_AFTER: Final = 0.5
"""Seconds after a vain attempt to connect during which no other is made: presses get their answer at once."""
STATEMENT_TIMEOUT: Final = 10_000
"""How long one statement may take, in milliseconds."""
LOCK_TIMEOUT: Final = 5_000
"""How long a statement waits for another transaction, in milliseconds."""
IDLE_TIMEOUT: Final = 5_000
"""After how many milliseconds the server ends a transaction in which nothing happens: that of a process that stands
still, for example, which others would wait for."""
PREPARED: Final = 500
"""How many prepared statements a connection keeps."""

WRITABLE: Final[Mapping[str, str]] = {"target_session_attrs": "read-write"}
"""Of several servers, the one that can be written."""
_DEFAULTS: Final[Mapping[str, int | str]] = {
    **WRITABLE,
    "connect_timeout": CONNECT_TIMEOUT,
    # A connection whose other end is gone without a word is noticed within about ten seconds.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""Settings of libpq (https://www.postgresql.org/docs/current/libpq-connect.html), unless the address has others."""
_SESSION: Final = f"""
    SET client_encoding = 'UTF8';
    SET standard_conforming_strings = on;
    SET jit = off;
    SET statement_timeout = {STATEMENT_TIMEOUT};
    SET lock_timeout = {LOCK_TIMEOUT};
    SET idle_in_transaction_session_timeout = {IDLE_TIMEOUT};
"""
_DURABLE: Final = """
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')
"""
"""A commit waits for the disk. Who has set it to wait for other servers too knows why."""
WRITING: Final = f"{_SESSION} SET default_transaction_isolation = 'read committed'; {_DURABLE}"
_LOOK_AGAIN: Final = 1.0
"""Seconds after which a socket that takes nothing is looked at again."""
READING: Final = _SESSION
RENEWING: Final = f"""{_SESSION}
    SET synchronous_commit = off;
    SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
"""
"""A renewal doesn't wait for the disk, and the server gives a connection up five seconds after its machine has died. A
renewal that a crash of the server undoes leaves a lease that runs out earlier than its process thinks. But that crash
also ends the connections of all who could take it, and they then wait for a whole lease (`bot.cluster.ownership`)."""
BEGIN_READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
"""All of a piece of reading is of one moment."""
SESSION: Final = "current_setting('cardroom.session', true)"
"""The name of the connection that made a session's settings. If it isn't this one's, a pooler has given it another's
session, which has other settings: it may not wait for the disk, for example."""


class PostgresConnection(Connection):
    """`bot.store.queries.database.Connection` on a connection to PostgreSQL."""

    def __init__(self, raw: psycopg.Connection[tuple[Any, ...]]) -> None:
        self.raw = raw
        self._pipeline: psycopg.Pipeline | None = None

    def execute(self, sql: str, parameters: Values = (), /) -> Cursor:
        cursor = self.raw.execute(translated(sql), parameters)
        if self._pipeline is None:
            return cursor
        self._send()
        return _Awaited(cursor, self._pipeline)

    def executemany(self, sql: str, parameters: Iterable[Values], /) -> Cursor:
        if self._pipeline is not None:
            for row in parameters:
                self.execute(sql, row)
            return _Awaited(self.raw.cursor(), self._pipeline)
        cursor = self.raw.cursor()
        cursor.executemany(translated(sql), parameters)
        return cursor

    @contextlib.contextmanager
    def without_waiting(self) -> Iterator[None]:
        """Send statements without waiting for their results, until one is asked for. So several take one trip to the
        server and back (https://www.psycopg.org/psycopg3/docs/advanced/pipeline.html). What a statement raises comes
        with a later one, or with `settle`."""
        with self.raw.pipeline() as pipeline:
            self._pipeline = pipeline
            try:
                yield
            finally:
                self.clear()
                self._pipeline = None

    def _send(self) -> None:
        """Send all that is still in libpq's buffer. Otherwise psycopg waits for results of what it hasn't sent, if a
        text is larger than what the system takes at once."""
        while self.raw.pgconn.flush():
            select.select([], [self.raw], [], _LOOK_AGAIN)

    def settle(self) -> None:
        """Wait for the results of all that was sent. Raises the first error among them."""
        if self._pipeline is not None:
            self._pipeline.sync()

    def clear(self) -> None:
        """The same after an error, which the statements behind it share."""
        with contextlib.suppress(psycopg.Error):
            if not self.raw.closed:
                self.settle()


class _Awaited:
    """The rows of a statement whose result may still be on its way."""

    def __init__(self, cursor: psycopg.Cursor[tuple[Any, ...]], pipeline: psycopg.Pipeline) -> None:
        self._cursor = cursor
        self._pipeline = pipeline

    @property
    def rowcount(self) -> int:
        self._pipeline.sync()
        return self._cursor.rowcount

    def fetchone(self) -> Any:
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        return self._cursor.fetchall()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cursor)


class Link:
    """A connection for one thread. Only `cut` may be called in another."""

    def __init__(self, address: str, name: str, session: str) -> None:
        """`address` is a connection string or URL of libpq, `name` what the server calls the connection, `session` the
        statements with which it begins. Raises StoreError for an address that can't be read."""
        try:
            given = conninfo_to_dict(address)
        except psycopg.ProgrammingError:  # its message quotes the address, which may contain a password
            raise StoreError("the address of the database cannot be read") from None
        self._settings: dict[str, Any] = {**_DEFAULTS, **given, "application_name": name}
        self._session = f"{session}; SET cardroom.session = '{name}'"
        self._asked: PostgresConnection | None = None
        self._failed_at = -RETRY_AFTER
        self._guard = threading.Lock()
        """Held while a connection is closed or cut: its descriptor may be another file's afterwards."""

    @property
    def current(self) -> PostgresConnection | None:
        """The connection, if there is one. It may be lost."""
        return self._asked

    def connection(self, *, patient: bool = False) -> PostgresConnection:
        """The connection, made if there is none. Raises psycopg.Error, and NotSaved right after a vain attempt unless
        `patient`."""
        if self._asked is not None and not self._asked.raw.closed:
            return self._asked
        self.drop()
        if not patient and time.monotonic() < self._failed_at + RETRY_AFTER:
            raise NotSaved(UNREACHABLE)
        try:
            raw = psycopg.connect(**self._settings, autocommit=True)
        except psycopg.Error:
            self._failed_at = time.monotonic()
            raise
        self._asked = PostgresConnection(raw)
        raw.prepared_max = PREPARED
        register(raw)
        raw.execute(self._session, prepare=False)
        return self._asked

    def refusal(self, error: psycopg.Error) -> StoreError:
        """What a start says of a database that it can't open. The server's words name neither rows nor the password."""
        said = " ".join(str(error).split())
        password = str(self._settings.get("password") or "")
        if error.sqlstate is not None or (password and password in said):
            return store_error(error) or StoreError("the database cannot be opened")
        return StoreError(f"the database cannot be opened: {said}")

    def drop(self) -> None:
        """Close the connection, if there is one; the next piece of work makes another."""
        asked, self._asked = self._asked, None
        if asked is not None:
            with self._guard, contextlib.suppress(psycopg.Error):
                asked.raw.close()

    def cut(self) -> None:
        """End a connection that does not answer, while its thread waits for it: the thread then sees that it is
        lost."""
        asked = self._asked
        with self._guard, contextlib.suppress(OSError, psycopg.Error):
            if asked is not None and not asked.raw.closed:
                with socket.socket(fileno=os.dup(asked.raw.fileno())) as line:
                    line.shutdown(socket.SHUT_RDWR)
