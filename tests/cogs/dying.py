"""A process that dies between two things that it writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bot.store.queries.database import Connection, Database

T = TypeVar("T")


class Killed(Exception):  # noqa: N818  no error
    """The process has died."""


class Dying:
    """A database for which a process writes some times more. What it wrote last is there, but it never hears that."""

    def __init__(self, database: Database, left: int) -> None:
        self.database, self.left = database, left
        self.read, self.read_all = self.database.read, self.database.read_all

    async def write(self, work: Callable[[Connection], T], *, counts: bool = True) -> T:
        if self.left <= 0:
            raise Killed
        self.left -= 1
        written = await self.database.write(work, counts=counts)
        if self.left == 0:
            raise Killed
        return written
