"""The laws of an answer to bad input, held against what went over the wire, the store and the log."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bot.store.sqlite.dump import dump_lines
from bot.ui.preferences import LANGUAGE
from discord_sandbox import Exchange, Reply, Sandbox
from tests.end_to_end.cardroom import Cardroom

UNSTEADY = frozenset({"heartbeat", "names", "open_hands", "postings", "progress"})
"""What the bot may write by itself or at any contact: when it was there last, what people are called, which hands are
open, what is being posted, and how many writes there were. So is the language in which somebody uses it."""

TRACE = re.compile(
    r"Traceback|(?<!verify_deal)\.py\b|\b[A-Z][a-z]+(?:[A-Z][a-z]+)*(?:Error|Exception)\b|0x[0-9a-f]{6}|<class"
)
"""What betrays the inside of a program. The script by which people check a deal is named to them."""

Rows = Counter[str]
"""The rows of a database, as the lines of its dump."""


class Errors(logging.Handler):
    """What is logged as an error, whoever logs it."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(f"{record.name}: {record.getMessage()} {record.exc_info or ''}")


class Court:
    """Judges what is sent to a bot. `rows` is the database as the last act that was judged left it."""

    def __init__(
        self, sandbox: Sandbox, room: Cardroom, database: Path, watching: sqlite3.Connection, errors: Errors
    ) -> None:
        self.sandbox = sandbox
        self.room = room
        self.people = {person.name: person for person in sandbox.people}
        self._database = database
        self._watching = watching
        self._version: int | None = None
        self._dumped = Rows()
        self._errors = errors
        self.rows = self.dump()

    def dump(self) -> Rows:
        """The database as it is, without what any contact may write. It is read again only after a commit."""
        (version,) = self._watching.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            lines = list(dump_lines(self._database))[1:-1]
            self._dumped = Counter(line for line in lines if _is_steady(json.loads(line)))
            self._version = version
        return self._dumped

    def answers(self, reply: Reply) -> list[Exchange]:
        """The first responses that were tried to the act of a reply."""
        path = f"/interactions/{reply.interaction_id}/"
        return [request for request in self.sandbox.transcript.requests if path in request.path]

    async def lawful(self, acting: Awaitable[Reply], *, shows: bool = False) -> tuple[Reply, Rows, Rows]:
        """The reply to an act, and the rows that came and went with it.

        Raises AssertionError unless the act had exactly one first response, without a trace, without an error in the
        log, and, where nothing was written, for its sender alone, unless the act `shows` something to everybody.
        """
        self.rows = self.dump()
        self.sandbox.transcript.clear()
        self._errors.lines.clear()
        reply = await acting
        callbacks = self.answers(reply)
        assert [request.status for request in callbacks] in ([200], [204]), (reply, self._errors.lines)
        assert self._errors.lines == []
        sent = callbacks[0].raw.decode(errors="replace")
        assert not TRACE.search(sent), sent
        assert self.sandbox.token not in sent
        before, self.rows = self.rows, self.dump()
        came, went = self.rows - before, before - self.rows
        if not came and not went and reply.kind != "choices" and not shows:
            assert reply.visibility == "ephemeral" or _put_off_privately(callbacks[0].raw), reply
        return reply, came, went

    async def settle(self) -> None:
        """Wait until of every invitation it is written down where it stands."""
        await self.room.settle()

    async def clear(self) -> None:
        """End every match and take back every invitation."""
        await self.room.clear()

    async def refused(self, acting: Awaitable[Reply]) -> Reply:
        """The reply to an act that must change nothing. Raises AssertionError as `lawful` does, and for any change."""
        reply, came, went = await self.lawful(acting)
        assert (came, went) == (Counter(), Counter())
        return reply


def _is_steady(line: dict[str, Any]) -> bool:
    return line["table"] not in UNSTEADY and (line["table"], line["row"].get("name")) != ("preferences", LANGUAGE)


def _put_off_privately(raw: bytes) -> bool:
    """Whether an answer was put off, as happens on a slow machine, where nobody else sees it."""
    callback = json.loads(raw)
    return bool(callback["type"] == 6 or (callback["type"] == 5 and callback["data"]["flags"] & 64))


@contextmanager
def court(sandbox: Sandbox, room: Cardroom, database: Path) -> Iterator[Court]:
    """A court for a running bot."""
    errors = Errors()
    logging.getLogger().addHandler(errors)
    try:
        with closing(sqlite3.connect(database)) as watching:
            yield Court(sandbox, room, database, watching, errors)
    finally:
        logging.getLogger().removeHandler(errors)
