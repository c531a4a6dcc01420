"""Writes in groups: each group is one transaction, and each write in it a savepoint.

A group is tried again when its connection was lost before the commit, or when another process was faster, because then
nothing of it is there. If the connection is lost during the commit, the next one finds out what became of it: each
transaction counts up its process's row in the table `writers`. Waiting for that row also waits until the server has
given up the former connection.

The same row shows when the database lacks writes that were saved, because a server that lagged behind has taken over,
or a backup was restored. It also shows when the database has a commit of which nobody could say anything. What the
process has in memory is then no longer what is stored, so it writes no more.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import psycopg

from bot.cluster.errors import is_lost, is_worth_repeating, store_error
from bot.cluster.link import SESSION, WRITING, Link, PostgresConnection
from bot.store.errors import AccessRefused, Fenced, NotSaved, StoreError, TooNew, Unsettled
from bot.store.queries.database import Connection, Work

MOST: Final = 60
"""How many writes share a transaction at most: PostgreSQL keeps track of 64 savepoints cheaply."""
TRIES: Final = 3
"""How often a group is tried, where trying again can help."""
SETTLED_WITHIN: Final = 10.0
"""For how many seconds the server is asked what became of a commit."""
_ASK_EVERY: Final = 0.1
"""Seconds between two vain attempts."""
FORGOTTEN_AFTER: Final = "7 days"
"""A process that has written nothing for so long is gone, and its row too. A bot's heartbeat is written more often."""

_log = logging.getLogger(__name__)


class _InDoubtError(Exception):
    """The connection was lost during a commit, and nothing shows whether it was made."""


@dataclass(slots=True)
class Write:
    """A pending write, and then its outcome."""

    work: Work[Any]
    counts: bool = True
    """Whether the process remembers what it wrote here."""
    value: Any = None
    error: BaseException | None = None


class Writer:
    """Runs groups of writes on one connection. All of it runs in one thread."""

    def __init__(self, address: str, version: int) -> None:
        """`version` is the number of the last migration: a database with another one is not written."""
        self.id = secrets.token_hex(8)
        self.guard: Callable[[Connection], None] | None = None
        """Called at the start of each transaction. What it raises fails all writes in it: a fence."""
        self.name = f"cardroom {self.id}"
        """What the server calls the connection."""
        self.link = Link(address, self.name, WRITING)
        self._version = version
        self._number = 0
        self._saved = 0
        """The number of the last transaction that was surely committed."""
        self._is_unsettled = False
        """Whether the last transaction may have been committed, and changed what the process remembers."""
        self._is_behind = False

    def begin(self) -> None:
        """Add this process's row, and remove those of processes that are gone. Raises psycopg.Error."""
        raw = self.link.connection().raw
        raw.execute("DELETE FROM writers WHERE at < now() - %s::interval", (FORGOTTEN_AFTER,))
        self._add_row(raw)

    def end(self) -> None:
        """Remove this process's row, and close the connection."""
        with contextlib.suppress(psycopg.Error, StoreError):
            self.link.connection().raw.execute("DELETE FROM writers WHERE id = %s", (self.id,))
        self.link.drop()

    def run(self, pending: deque[Write], group: list[Write]) -> None:
        """Take writes from a queue into an empty group, and make them in one transaction.

        Raises what fails all of them: psycopg.Error and StoreError, among them Unsettled.
        """
        for tries_left in reversed(range(TRIES)):
            try:
                self._transact(pending, group, repeats=tries_left > 0)
            except _InDoubtError as error:
                if self._was_committed(group):
                    self._saved = self._number
                    return
                if not tries_left:
                    raise NotSaved("the connection to the database server was lost") from error
            except psycopg.Error as error:
                lost = self._give_up(error)
                if not tries_left or not (lost or is_worth_repeating(error)):
                    raise
            else:
                self._saved = self._number
                return

    def _transact(self, pending: deque[Write], group: list[Write], *, repeats: bool) -> None:
        try:
            asked = self.link.connection()
            self._settle()
            self._begin(asked)
        finally:  # only now: writes that arrived meanwhile join this group, or fail with it
            while pending and len(group) < MOST:
                group.append(pending.popleft())
        try:
            if self.guard is not None:
                self.guard(asked)
            with asked.without_waiting():
                for index, write in enumerate(group):
                    self._make(asked, write, first=index == 0, repeats=repeats)
        except BaseException:
            self._roll_back(asked)
            raise
        self._commit(asked)

    def _settle(self) -> None:
        """Find out what became of a commit that was left unsettled. Raises Fenced if it was made: nobody here knows."""
        if self._is_unsettled and self._ask():
            if not self._is_behind:
                _log.error("a commit that nobody could say anything about was made: this process has to start again")
            self._is_behind = True
            raise Fenced("a commit that nobody could say anything about was made")
        self._is_unsettled = False

    def _begin(self, asked: PostgresConnection) -> None:
        """Begin a transaction and count it. Raises TooNew when another process has upgraded the tables,
        AccessRefused where a pooler has given the connection another session, and Fenced if the database lacks what was
        saved."""
        self._number += 1
        cursor = asked.raw.execute(
            f"BEGIN; UPDATE writers SET last = {self._number}, at = now()"  # noqa: S608  a number and digits
            f" WHERE id = '{self.id}' AND last >= {self._saved}"
            f" AND (SELECT version FROM schema_version) = {self._version} AND {SESSION} = '{self.name}'",
            prepare=False,
        )
        cursor.nextset()
        if cursor.rowcount == 1:
            return
        version, session, last = asked.raw.execute(
            f"SELECT version, {SESSION}, (SELECT last FROM writers WHERE id = %s) FROM schema_version",  # noqa: S608  a constant
            (self.id,),
        ).fetchone() or (None, self.name, None)
        if (version, session, last) == (self._version, self.name, None):
            self._add_row(asked.raw)  # it was removed, as after a week without a connection
            return
        self._roll_back(asked)
        if session != self.name:
            raise AccessRefused(
                "the database can't be used through a pooler that shares sessions: set pool_mode = session"
            )
        if version != self._version:
            raise TooNew("a later version of the program has changed the database, so this one writes no more")
        if not self._is_behind:
            _log.error("the database lacks writes that were saved: an older copy of it has taken its place")
        self._is_behind = True
        raise Fenced("the database lacks writes that were saved")

    def _add_row(self, raw: psycopg.Connection[tuple[Any, ...]]) -> None:
        raw.execute("INSERT INTO writers (id, last) VALUES (%s, %s)", (self.id, self._number))

    def _make(self, asked: PostgresConnection, write: Write, *, first: bool, repeats: bool) -> None:
        """One write in its savepoint. Raises only if the whole transaction is lost or should be repeated."""
        write.value = write.error = None
        try:
            if not first:
                asked.raw.execute("RELEASE one")
            asked.raw.execute("SAVEPOINT one")
            write.value = write.work(asked)
            asked.settle()
        except Exception as error:  # the caller gets it; the rest of the group continues
            if isinstance(error, psycopg.Error):
                if is_lost(error) or asked.raw.closed or (repeats and is_worth_repeating(error)):
                    raise
                meaning = store_error(error)
                if meaning is not None:
                    meaning.__cause__ = error
                    error = meaning
            write.error = error
            asked.clear()
            asked.raw.execute("ROLLBACK TO one")
            asked.settle()

    def _commit(self, asked: PostgresConnection) -> None:
        try:
            done = asked.raw.execute("COMMIT", prepare=False)
        except psycopg.Error as error:
            if is_lost(error) or asked.raw.closed:
                self.link.drop()
                raise _InDoubtError from error
            raise NotSaved("the transaction was lost") from error
        if done.statusmessage != "COMMIT":
            raise NotSaved("the transaction was lost")

    def _give_up(self, error: psycopg.Error) -> bool:
        """Drop a connection that was lost; whether it was. Otherwise its transaction was rolled back before."""
        asked = self.link.current
        lost = is_lost(error) or asked is None or asked.raw.closed
        if lost:
            self.link.drop()
        return lost

    def _roll_back(self, asked: PostgresConnection) -> None:
        try:
            if not asked.raw.closed:
                asked.raw.execute("ROLLBACK", prepare=False)
        except psycopg.Error:
            self.link.drop()

    def _was_committed(self, group: list[Write]) -> bool:
        """Whether the last transaction, of these writes, was. Raises Unsettled if the server doesn't say so in time."""
        until = time.monotonic() + SETTLED_WITHIN
        while time.monotonic() < until:
            try:
                return self._ask()
            except psycopg.Error as error:
                if is_lost(error) or self.link.current is None or self.link.current.raw.closed:
                    self.link.drop()
            time.sleep(_ASK_EVERY)
        self._is_unsettled = any(write.counts for write in group)
        raise Unsettled("the connection was lost during a commit, which may have been saved")

    def _ask(self) -> bool:
        raw = self.link.connection(patient=True).raw
        raw.execute(  # it may wait for the rest of its transaction, which will never come
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = %s AND pid <> pg_backend_pid()",
            (self.name,),
        )
        row = raw.execute("SELECT last FROM writers WHERE id = %s FOR UPDATE", (self.id,)).fetchone()
        return row is not None and row[0] == self._number
