"""One trial: the tests of a game are run with a fault in one module, in a process that is forked for it.

The forked process has the libraries imported already, which is most of what a start of pytest takes. The fault is put
in as the module is imported; no file is changed.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final, NoReturn

import discord  # noqa: F401  imported for the forked processes, which would each take a second for it
import hypothesis
import pytest

from tools.mutation.mutants import Mutant, faulty

MATCHES: Final = 1
"""How many matches a law is tried on at each table; the tests themselves take many more."""

LAWS: Final = (
    "test_a_match_is_played_as_it_was",
    "test_offers_are_accepted",
    "test_thin_air_is_refused",
    "test_matches_end_and_replay",
    "test_secrets_are_kept",
    "test_states_follow_from_the_log",
    "test_absence_costs_the_present_nothing",
)
"""The laws that are tried, in this order. The others look at screens, or need hundreds of matches."""

WAITING: Final = 10
"""How many times its seconds a trial may take that waits, or that others keep from the processor."""

NOTICED: Final = {pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED}
"""How pytest ends when a test fails, or when a module cannot even be imported."""


class Result(Enum):
    """How a trial ended."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMEOUT = "timeout"


class TrialError(Exception):
    """The tests could not be run at all. Its text is the end of what pytest said."""


def attempt(root: Path, mutant: Mutant | None, tests: Sequence[str], seconds: float, log: Path) -> Result:
    """Run the tests with a fault, or with none, until the first failure. Raises TrialError.

    `seconds` are those of the processor: a busy machine makes no fault endless. One that only waits is given ten times
    as long.
    """
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), resource.RLIM_INFINITY))
        _run(root, mutant, tests, log)
    ends = time.monotonic() + WAITING * seconds
    while time.monotonic() < ends:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return Result.TIMEOUT if code == -signal.SIGXCPU else _result(code, log)
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return Result.TIMEOUT


def _result(code: int, log: Path) -> Result:
    if code == pytest.ExitCode.OK:
        return Result.SURVIVED
    if code in NOTICED or code < 0:  # a fault may even crash the process, such as by endless recursion
        return Result.KILLED
    raise TrialError(log.read_text(encoding="utf-8", errors="replace")[-2000:])


def _run(root: Path, mutant: Mutant | None, tests: Sequence[str], log: Path) -> NoReturn:
    """In the forked process: put the fault in, run the tests, end."""
    code = 3
    try:
        with log.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        if mutant is not None:
            sys.meta_path.insert(0, _Finder(root, mutant))
        # Always the same matches, so that a result can be seen again.
        hypothesis.settings.register_profile("mutation", derandomize=True, database=None, print_blob=False)
        hypothesis.settings.load_profile("mutation")
        options = [
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-W",
            "ignore::pytest.PytestAssertRewriteWarning",
            "-m",
            "not slow and not real_time",
        ]
        code = int(pytest.main([*options, *tests], plugins=[_Frugal()]))
    except BaseException:
        with contextlib.suppress(BaseException):
            sys.excepthook(*sys.exc_info())
        raise
    finally:
        sys.stdout.flush()
        os._exit(code)


class _Frugal:
    """A plugin of pytest that tries a few laws on few matches, after the rulings, which are quicker."""

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        suite = sys.modules.get("laws.suite")
        if suite is None:
            return
        suite.GameLaws._share = lambda *_: MATCHES
        laws: list[list[pytest.Item]] = [[] for _ in LAWS]
        others, left_out = [], []
        for item in items:
            name = getattr(item, "originalname", item.name)
            if not issubclass(getattr(item, "cls", None) or object, suite.GameLaws):
                others.append(item)
            elif name in LAWS:
                laws[LAWS.index(name)].append(item)
            else:
                left_out.append(item)
        items[:] = [*others, *(item for law in laws for item in law)]
        config.hook.pytest_deselected(items=left_out)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the one module that has a fault."""

    def __init__(self, root: Path, mutant: Mutant) -> None:
        self._root = root
        self._mutant = mutant

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  the import system's
        target: ModuleType | None = None,  # noqa: ARG002  the same
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        file = self._root / self._mutant.file
        loader = _Loader(fullname, str(file), faulty(self._root, self._mutant))
        return importlib.util.spec_from_file_location(fullname, file, loader=loader)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from a tree in place of its file; writes no bytecode."""

    def __init__(self, fullname: str, path: str, tree: ast.Module) -> None:
        super().__init__(fullname, path)
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002  the import system's
        return compile(self._tree, self.path, "exec", dont_inherit=True)
