"""The side of a worker: a process that replies to requests, one after the other.

It reads requests from standard input and writes replies to standard output, each as four bytes of length and then the
data. When its input ends, it ends at once, also in the middle of its work: so it never outlives the bot, however the
bot ends.

Values travel pickled (`packed`), but in a third to a half of pickle's own time. The event loop packs, so the time
counts. A frozen dataclass with slots is pickled by Python code, field by field. Here each class has a function of
`operator` that gets all its fields at once, and its constructor puts them back.
"""

from __future__ import annotations

import contextlib
import io
import os
import pickle
import resource
import signal
import struct
import sys
import threading
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from operator import attrgetter
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, Final, TypeAlias

LENGTH: Final = struct.Struct(">I")
"""The bytes of data that follow."""
READY: Final = b""
"""The first reply of all, without a request: now requests are read."""

MOST_MEMORY: Final = 1 << 29
"""Bytes of address space. A worker needs a tenth; one that runs away must not take the machine with it."""
OUT_OF_MEMORY_SCORE: Final = "500"
"""When the machine runs out of memory, Linux kills the worker before the bot, because nothing is lost by that."""

Reduce: TypeAlias = Callable[[Any], tuple[Callable[..., Any], tuple[Any, ...]]]
"""Takes a value apart: what puts it together again, and the parts."""


def serve(replied: Callable[[bytes], bytes], niceness: int = 0) -> None:
    """Reply to requests until the input ends. `niceness` says how far the process steps back for the bot."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # a service manager sends them to all processes; the bot ends this one
    give_way(niceness)
    output = _output()
    requests: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, requests), daemon=True).start()
    reply = READY
    with contextlib.suppress(OSError):  # the bot is gone
        while True:
            output.write(LENGTH.pack(len(reply)) + reply)
            output.flush()
            reply = replied(requests.get())
    os._exit(0)


def give_way(niceness: int) -> None:
    """Let the bot and the rest of the machine go first. What the system doesn't allow is left out."""
    with contextlib.suppress(OSError):
        os.nice(niceness)
    with contextlib.suppress(OSError, ValueError):  # ValueError: the limit is lower already
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(OUT_OF_MEMORY_SCORE)


def _output() -> IO[bytes]:
    """Standard output for replies alone. Whatever else is printed must not come between them."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


def _read(source: IO[bytes], requests: SimpleQueue[bytes]) -> None:
    """Hand on every request, and end the process when the input ends, even while it works."""
    while len(length := source.read(LENGTH.size)) == LENGTH.size:
        requests.put(source.read(*LENGTH.unpack(length)))
    os._exit(0)


class Reductions(dict[type, Reduce]):
    """How each class of dataclasses is taken apart, found out at its first value."""

    def __missing__(self, kind: type) -> Reduce:
        if not is_dataclass(kind):
            raise KeyError(kind)  # pickle has its own way
        parts = fields(kind)
        if any(not part.init or part.kw_only for part in parts):
            raise KeyError(kind)
        names = [part.name for part in parts]
        found = self[kind] = _reduction(kind, names)
        return found


def _reduction(kind: type, names: list[str]) -> Reduce:
    if not names:
        return lambda _: (kind, ())
    get = attrgetter(*names)
    if len(names) == 1:
        return lambda value: (kind, (get(value),))
    return lambda value: (kind, get(value))


class _Pickler(pickle.Pickler):
    def __init__(self, written: io.BytesIO, reductions: Reductions) -> None:
        super().__init__(written, pickle.HIGHEST_PROTOCOL)
        self.dispatch_table = reductions


_EACH: Final = Reductions()


def packed(value: object, reductions: Reductions = _EACH) -> bytes:
    """A value, for `unpacked`. A question has about 1 to 35 KB."""
    written = io.BytesIO()
    _Pickler(written, reductions).dump(value)
    return written.getvalue()


def unpacked(data: bytes) -> Any:
    """What `packed` wrote. Never give it what comes from outside: pickles can run any code."""
    return pickle.loads(data)  # noqa: S301  the bot wrote it, and the pipe is its own
