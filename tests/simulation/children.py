"""Each simulation in a process of its own, forked when everything is loaded: none sees what another has left behind.

What was killed in a simulation is never collected, for the child ends without a word.
"""

from __future__ import annotations

import os
import pickle
import selectors
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

T = TypeVar("T")
K = TypeVar("K")

Job = tuple[K, Callable[[], T]]
"""What to tell the outcome by, and what is to be done."""

_CHUNK: Final = 1 << 16


class ChildFailed(Exception):  # noqa: N818  what failed is in its text
    """What was to be done in a child raised an error, which is in the text, or the child died."""


@dataclass
class _Child:
    key: Any
    pid: int
    pipe: int
    received: bytearray


def run_all(jobs: Iterable[Job[K, T]], at_once: int) -> Iterator[tuple[K, T]]:
    """Do every job in a child of its own, so many at once; each outcome as it comes.

    Raises ChildFailed where a child could not do its job. If the iteration is given up, the children are killed.
    """
    waiting, selector = iter(jobs), selectors.DefaultSelector()
    children: dict[int, _Child] = {}
    try:
        while True:
            while len(children) < max(1, at_once) and (job := next(waiting, None)) is not None:
                child = _start(*job)
                children[child.pipe] = child
                selector.register(child.pipe, selectors.EVENT_READ)
            if not children:
                return
            for key, _ in selector.select():
                child = children[key.fd]
                piece = os.read(child.pipe, _CHUNK)
                if piece:
                    child.received += piece
                    continue
                selector.unregister(child.pipe)
                del children[child.pipe]
                yield child.key, _outcome(child)
    finally:
        for child in children.values():
            os.kill(child.pid, signal.SIGKILL)
            os.close(child.pipe)
            os.waitpid(child.pid, 0)
        selector.close()


def run_one(work: Callable[[], T]) -> T:
    """Do one piece of work in a child. Raises ChildFailed."""
    ((_, outcome),) = run_all([(None, work)], 1)
    return outcome


def _start(key: Any, work: Callable[[], Any]) -> _Child:
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads, if any, are nothing to the child
        pid = os.fork()
    if pid:
        os.close(writing)
        return _Child(key, pid, reading, bytearray())
    code = 1
    try:
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(_try(work), pipe)
        sys.stdout.flush()
        code = 0
    finally:
        os._exit(code)


def _try(work: Callable[[], Any]) -> tuple[bool, Any]:
    try:
        return True, work()
    except BaseException:  # noqa: BLE001  the parent is told, whatever it is
        return False, traceback.format_exc()


def _outcome(child: _Child) -> Any:
    os.close(child.pipe)
    _, status = os.waitpid(child.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code:
        raise ChildFailed(f"the process of {child.key} ended with {code}")
    done, outcome = pickle.loads(child.received)
    if not done:
        raise ChildFailed(f"{child.key}:\n{outcome}")
    return outcome
