"""The side of a worker: a process that replies to requests, one after the other.

It reads requests from standard input and writes replies to standard output, each as four bytes of length and then the
data. When its input ends, it ends at once, also in the middle of its work: so it never outlives the bot, however the
bot ends.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Final

LENGTH: Final = struct.Struct(">I")
"""The bytes of data that follow."""
READY: Final = b""
"""The first reply of all, without a request: now requests are read."""

MOST_MEMORY: Final = 1 << 29
"""Bytes of address space. A worker needs a tenth; one that runs away must not take the machine with it."""
OUT_OF_MEMORY_SCORE: Final = "500"
"""When the machine runs out of memory, Linux kills the worker before the bot, because nothing is lost by that."""


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
