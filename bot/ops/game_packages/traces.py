"""What belongs to the whole process and a package must leave as it was: functions and classes of the standard library
and of this program, signals, threads, the locale and the like."""

from __future__ import annotations

import locale
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias

Traces: TypeAlias = Mapping[str, object]
"""By the name of each thing, what it is."""

_OURS: Final = frozenset({"bot", "cogs", "engines"})
_CODE: Final = (FunctionType, BuiltinFunctionType, type, staticmethod, classmethod, property)


def taken() -> Traces:
    """The traces as they are now. Code is in them by the name under which others find it."""
    found = dict(_state())
    for name, module in tuple(sys.modules.items()):
        if _is_guarded(name):
            found.update(_code(name, module))
    return found


def change(before: Traces) -> str:
    """What has changed since these traces were taken, in words; empty if nothing has. What is new is no change."""
    now = taken()
    changed = [name for name, thing in before.items() if name not in now or now[name] != thing]
    if not changed:
        return ""
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    return f"it changes {changed[0]}{more}"


def _is_guarded(module: str) -> bool:
    root = module.partition(".")[0]
    return root in sys.stdlib_module_names or root in _OURS


def _state() -> Iterator[tuple[str, object]]:
    yield "the locale", locale.setlocale(locale.LC_ALL)
    yield "the current folder", os.getcwd()  # noqa: PTH109  compared as a text
    yield "the environment", dict(os.environ)
    yield "the threads that run", frozenset(threading.enumerate())
    yield "the processes that run", _has_children()
    yield "the time limit of all connections", socket.getdefaulttimeout()
    yield "the limit of recursion", sys.getrecursionlimit()
    yield "the standard output", (sys.stdout, sys.stderr)
    yield "what is logged", (tuple(logging.root.handlers), logging.root.level, logging.root.manager.disable)
    for number in sorted(signal.valid_signals()):
        yield f"the handler of signal {int(number)}", signal.getsignal(number)


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _code(name: str, module: ModuleType) -> Iterator[tuple[str, object]]:
    for own, thing in tuple(vars(module).items()):
        if isinstance(thing, _CODE):
            yield f"{name}.{own}", _Same(thing)
        if isinstance(thing, type) and thing.__module__ == name:
            for part, inner in tuple(vars(thing).items()):
                if isinstance(inner, _CODE):
                    yield f"{name}.{own}.{part}", _Same(inner)


class _Same:
    """Compares by identity, because a class may define what equals it. Keeps its thing, so that no other gets its
    place."""

    def __init__(self, thing: Any) -> None:
        self._thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other._thing is self._thing

    def __hash__(self) -> int:
        return id(self._thing)
