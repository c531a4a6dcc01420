"""What went over the wire: requests of the bot with their answers, and events sent to it, in order."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sandbox import wire
from sandbox.wire import JsonObject

Audience: TypeAlias = Literal["public"] | int | None
"""Who may see what a request brings about: everyone, one person (their user id), or nobody."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request of the bot and its answer. `at` in seconds since 1970."""

    order: int
    at: float
    method: str
    path: str
    raw: bytes
    status: int
    raw_answer: bytes
    audience: Audience

    @property
    def body(self) -> object:
        """The request's JSON body; None without one. Of a multipart request, its payload_json."""
        return wire.read(self.raw) if self.raw else None

    @property
    def answer(self) -> object:
        """The answer's JSON body; None without one."""
        return wire.read(self.raw_answer) if self.raw_answer else None

    def __str__(self) -> str:
        return f"{self.order:>6} {self.method} {self.path} -> {self.status} [{self.audience}]"


@dataclass(frozen=True, slots=True)
class Dispatched:
    """One event sent to the bot's gateway sessions."""

    order: int
    at: float
    name: str
    data: JsonObject

    def __str__(self) -> str:
        return f"{self.order:>6} event {self.name}"


Entry: TypeAlias = Exchange | Dispatched


class Transcript:
    """The last `most` entries (None: all of them)."""

    def __init__(self, most: int | None = None) -> None:
        self._entries: deque[Entry] = deque(maxlen=most)
        self._orders = itertools.count(1)

    def __iter__(self) -> Iterator[Entry]:
        return iter(tuple(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def requests(self) -> list[Exchange]:
        """The requests alone, oldest first."""
        return [entry for entry in self._entries if isinstance(entry, Exchange)]

    @property
    def events(self) -> list[Dispatched]:
        """The events alone, oldest first."""
        return [entry for entry in self._entries if isinstance(entry, Dispatched)]

    def seen_by(self, person_id: int | None) -> list[Exchange]:
        """The requests whose results a person may see; None: what everybody may see."""
        wanted: set[Audience] = {"public"}
        if person_id is not None:
            wanted.add(person_id)
        return [each for each in self.requests if each.audience in wanted]

    def request(
        self,
        *,
        at: float,
        method: str,
        path: str,
        raw: bytes,
        status: int,
        raw_answer: bytes,
        audience: Audience,
    ) -> None:
        """Write down a request."""
        order = next(self._orders)
        self._entries.append(Exchange(order, at, method, path, raw, status, raw_answer, audience))

    def event(self, at: float, name: str, data: JsonObject) -> None:
        """Write down an event."""
        self._entries.append(Dispatched(next(self._orders), at, name, data))

    def clear(self) -> None:
        """Forget everything so far."""
        self._entries.clear()

    def __str__(self) -> str:
        return "\n".join(str(entry) for entry in self._entries)
