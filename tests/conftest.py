"""Virtual time for all tests but those that wait for another process, their files in memory, a garbage collector that
leaves what all of them share alone, the same deals in each run, laws that play other matches for each commit, and for
those that ask: a sandbox, the bot on it, a PostgreSQL server, and a server that forks bots."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import os
import secrets
import shutil
import subprocess
import threading
import warnings
from collections.abc import AsyncIterator, Generator, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from discord.gateway import KeepAliveHandler
from hypothesis import HealthCheck, settings

from bot.play import first_matches
from discord_sandbox import Sandbox, virtual_time
from engines import GAMES
from tests import database_time, made_once
from tests.end_to_end.deals import fixed_deals
from tests.fork_server import ForkServer
from tests.nightly import left_to_the_night
from tests.postgresql import fixtures
from tests.postgresql.fixtures import empty_database, postgresql

if TYPE_CHECKING:
    from tests.end_to_end.cardroom import Cardroom

__all__ = ["empty_database", "postgresql"]

MEMORY = Path("/dev/shm")
"""A file system in memory, where there is one."""
ROOM = 2**30
"""Bytes that must be free there: ten times what the tests leave."""

FAST = ("tests/bot/", "tests/cogs/", "tests/engines/", "tests/games/", "tests/languages/", "tests/laws/")
"""Where `make test-fast` looks for tests."""
NOT_FAST = ("page", "real_time", "slow")
"""The marks of those that it leaves out."""
LONGEST = ("tests/project/test_new_game.py", "tests/faults/test_load.py", "tests/simulation/")
"""Where tests take ten seconds and more."""

COUNTING = tuple(f"tests.bot.store.contract_{each}" for each in ("boards", "ratings", "resets", "weekly"))
"""The parts of the contract of a store that count results: long, and the same program in each store."""

ROOT = Path(__file__).parents[1]
LAWS_SEED = "LAWS_SEED"
"""What chooses the laws' matches (`laws.suite`)."""

database_time.install()
gc.disable()  # until all tests are collected, nothing becomes garbage


def pytest_configure(config: pytest.Config) -> None:
    """Let generated examples take as long as they take: machines are shared, and no test is timed. Keep the tests' own
    folders in memory, unless somebody has named another place.

    On a disk, tests with a database wait for its flushes half of their time. No test is about a disk: power cuts are
    simulated. Some systems start no program from there, and some containers give it 64 MB.

    Choose the laws' matches by the commit, unless somebody has chosen: all workers inherit that.
    """
    os.environ.setdefault(LAWS_SEED, commit() or secrets.token_hex(4))
    made_once.share(config)
    settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("untimed")
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK):
        programs_start = not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
        if programs_start and shutil.disk_usage(MEMORY).free >= ROOM:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Have each worker begin with other files. In a fresh clone all would compile the same file at the same time
    otherwise, one after the other, which takes each of them longer than loading what another one compiled."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    files = sorted(file for name in session.config.args if "::" not in name for file in Path(name).glob("**/test_*.py"))
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in files[first:] + files[:first]:
        with warnings.catch_warnings(), contextlib.suppress(Exception, pytest.skip.Exception):  # collection tells them
            warnings.simplefilter("error")
            importlib.import_module(".".join(file.resolve().relative_to(ROOT).with_suffix("").parts))


@pytest.fixture(autouse=True)
def played_before(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The people of tests have played before, so that their time is the clock's (C-13), but in those with the mark
    `newcomers`."""
    if request.node.get_closest_marker("newcomers") is None:
        monkeypatch.setattr(first_matches, "FIRST_MATCHES", 0)


def commit(root: Path = ROOT) -> str:
    """The commit that is checked out there, or an empty word: a copy without git has none."""
    try:
        asked = subprocess.run(
            ["git", "rev-parse", "--short=8", "HEAD"], cwd=root, capture_output=True, text=True, check=False
        )
    except OSError:  # there is no such program, or no folder where one is looked for
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""


def share() -> float:
    """What `laws.suite.SHARE` is: that module reads `LAWS_SEED` too, so it may not be imported yet."""
    return float(os.environ.get("LAWS_SHARE", "1"))


def pytest_report_header() -> str:
    """Say how to play the same matches again."""
    return f"laws: LAWS_SHARE={share():g} LAWS_SEED={os.environ[LAWS_SEED]}"


def pytest_itemcollected(item: pytest.Item) -> None:
    """On PostgreSQL, count results in one commit of three."""
    counts = isinstance(item, pytest.Function) and item.function.__module__ in COUNTING
    if counts and item.nodeid.startswith("tests/postgresql/"):
        item.add_marker(pytest.mark.nightly(rare=True))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, object, object]:
    """Mark what `make test-fast` runs. Of what -m and -k let through, leave most cases of long tests to the night.
    Begin with the longest tests: with one of them as the last, the other workers would wait for it."""
    for item in items:
        if item.nodeid.startswith(FAST) and not any(map(item.get_closest_marker, NOT_FAST)):
            item.add_marker(pytest.mark.fast)
    chosen = yield
    if share() < 1:
        left = left_to_the_night(items, os.environ[LAWS_SEED])
        config.hook.pytest_deselected(items=[*left])
        items[:] = [item for item in items if item not in left]
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    return chosen


def pytest_collection_finish() -> None:
    """Exempt the modules and the ten thousand tests from each collection: that saves a tenth of all tests' time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 30, 30)
    gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, object, object]:
    """Say loudly, below everything else, which part did not run."""
    finished = yield
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if isinstance(terminal, pytest.TerminalReporter) and not hasattr(session.config, "workerinput"):
        skipped = [str(report.longrepr) for report in terminal.stats.get("skipped", [])]
        if notice := fixtures.notice(skipped):
            terminal.write_line(f"\n{notice}", red=True, bold=True)
    return finished


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running() as running:
        yield running


@pytest.fixture
async def room(sandbox: Sandbox, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Cardroom]:
    """The bot; a test may give settings by indirect parameters."""
    from tests.end_to_end.cardroom import cardroom  # noqa: PLC0415  unit tests need no bot

    async with cardroom(sandbox, tmp_path, **getattr(request, "param", {})) as running:
        yield running


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    """All bots of this process's tests that are processes of their own, and quickly started, come from one."""
    games = (f"cogs.games.{key}" for key in GAMES)
    server = ForkServer("tests.clusters.quick_bot", *games, "tests.loaded_once")
    try:
        yield server
    finally:
        server.close()


@pytest.fixture(autouse=True)
def _deals_are_the_same_in_each_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the ids and seeds of a test's deals from its name. So every run meets a rare deal, or none does."""
    fixed_deals(monkeypatch, request.node.nodeid)


@pytest.fixture(autouse=True)
def _heartbeats_end() -> Iterator[None]:
    """Stop the library's heartbeats after each test.

    If a client is closed while it opens a connection, the library leaves that one's thread behind. After 41 seconds of
    real time it would call a closed loop, and the test that runs by then would fail.
    """
    yield
    for thread in threading.enumerate():
        if isinstance(thread, KeepAliveHandler):
            thread.stop()


def pytest_asyncio_loop_factories(item: pytest.Function) -> Mapping[str, type[asyncio.SelectorEventLoop]]:
    """The loop an asynchronous test runs on: an ordinary one if it is marked so, forks bots, or needs the browser."""
    if item.get_closest_marker("real_time") or item.path.parent.name == "page" or "forked_bot" in item.fixturenames:
        return {"real": asyncio.SelectorEventLoop}
    return virtual_time.loop_factories()
