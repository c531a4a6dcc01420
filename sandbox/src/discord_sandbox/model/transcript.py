"""The traffic in order: requests with their answers, events, and what happened to connections."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

from discord_sandbox.model import traffic_text, wire
from discord_sandbox.model.wire import JsonObject

Audience: TypeAlias = Literal["public"] | int | None
"""Who may see the result of a request: everyone, one person (their user id), or nobody."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request of the bot and its answer. `at` in seconds since 1970; status 0: the connection was cut."""

    order: int
    at: float
    method: str
    path: str
    raw: bytes
    status: int
    raw_answer: bytes
    audience: Audience
    query: str = ""

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

    def as_text(self, began: float) -> str:
        """The exchange for a reader, in a record that began at `began`."""
        lines = [traffic_text.head(self.at - began, f"{self.method} {traffic_text.path(self.path)}")]
        if self.raw:
            lines.append(traffic_text.body(self.body, "> "))
        if self.raw_answer:
            lines.append(traffic_text.body(self.answer, f"< {self.status} "))
        else:
            lines.append(traffic_text.body_less(self.status))
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Dispatched:
    """One event sent to the bot's gateway sessions."""

    order: int
    at: float
    name: str
    data: JsonObject

    def __str__(self) -> str:
        return f"{self.order:>6} event {self.name}"

    def as_text(self, began: float) -> str:
        """The event for a reader, in a record that began at `began`."""
        return f"{traffic_text.head(self.at - began, f'event {self.name}')}\n{traffic_text.body(self.data)}"


@dataclass(frozen=True, slots=True)
class Noted:
    """What happened to a connection, in words."""

    order: int
    at: float
    words: str

    def __str__(self) -> str:
        return f"{self.order:>6} {self.words}"

    def as_text(self, began: float) -> str:
        """The note for a reader, in a record that began at `began`."""
        return traffic_text.head(self.at - began, self.words)


Entry: TypeAlias = Exchange | Dispatched | Noted


class Transcript:
    """The last `most` entries (None: all of them)."""

    def __init__(self, most: int | None = None) -> None:
        self._entries: deque[Entry] = deque(maxlen=most)
        self._orders = itertools.count(1)
        self._listeners: list[Callable[[Entry], None]] = []

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
        query: str = "",
    ) -> None:
        """Record a request; `query` is the part after its `?`."""
        self._keep(Exchange(next(self._orders), at, method, path, raw, status, raw_answer, audience, query))

    def event(self, at: float, name: str, data: JsonObject) -> None:
        """Record an event."""
        self._keep(Dispatched(next(self._orders), at, name, data))

    def note(self, at: float, words: str) -> None:
        """Record what happened to a connection."""
        self._keep(Noted(next(self._orders), at, words))

    def _keep(self, entry: Entry) -> None:
        self._entries.append(entry)
        for listener in self._listeners:
            listener(entry)

    def listen(self, listener: Callable[[Entry], None]) -> Callable[[], None]:
        """Call `listener` with each entry from now on. Call the result to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def text(self) -> str:
        """What is kept, for a reader; tokens are masked."""
        entries = tuple(self._entries)
        if not entries:
            return ""
        began = entries[0].at
        return "".join(f"{each}\n" for each in (_title(began), *(each.as_text(began) for each in entries)))

    def write(self, path: Path | str) -> None:
        """Write what is kept into a file, for a reader; tokens are masked."""
        Path(path).write_text(self.text(), encoding="utf-8")

    def follow(self, path: Path) -> Callable[[], None]:
        """Write each entry from now on into a file, at once. Call the result to stop."""
        file = path.open("w", encoding="utf-8")
        began: list[float] = []

        def write(entry: Entry) -> None:
            if not began:
                began.append(entry.at)
                file.write(f"{_title(entry.at)}\n")
            file.write(f"{entry.as_text(began[0])}\n")
            file.flush()

        stop_listening = self.listen(write)

        def end() -> None:
            stop_listening()
            file.close()

        return end

    def clear(self) -> None:
        """Forget everything so far."""
        self._entries.clear()

    def __str__(self) -> str:
        return "\n".join(str(entry) for entry in self._entries)


def _title(began: float) -> str:
    return f"# A sandbox's traffic, seconds since {datetime.fromtimestamp(began, UTC):%Y-%m-%d %H:%M:%S.%f} UTC"
