"""Logs that a second process reads: they say the same, and its end costs nothing but time."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.play.match_state import MatchState
from bot.play.restoring import log_reader
from bot.play.restoring.log_packing import pack_found, unpack_found
from bot.play.restoring.log_reader import InLoop, LogReader, LogWorker
from bot.store.interning import interner
from bot.workers.process import KEPT_VARIABLES
from engines import GAMES
from tests.bot.play.restoring.contract import LogReaderContract
from tests.bot.play.restoring.logs import unfinished_logs

pytestmark = pytest.mark.real_time

WITHIN = 20.0
"""Seconds for a process to start or to end on a busy machine."""


async def started(worker: LogWorker) -> LogWorker:
    """The worker, once its process is ready."""
    worker.begin(1)
    async with asyncio.timeout(WITHIN):
        while not worker.ready:  # noqa: ASYNC110  a process's start is announced to nobody
            await asyncio.sleep(0.01)
    return worker


@pytest.fixture
async def worker(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[LogWorker]:
    monkeypatch.setattr(log_reader, "processors", lambda: 2)
    made = LogWorker(worthwhile=1)
    try:
        yield await started(made)
    finally:
        await made.close()


def small_values(value: Any) -> Iterator[Any]:
    """The values within another one that are interned."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if interner(type(value)) is not None:
            yield value
        value = [getattr(value, field.name) for field in dataclasses.fields(value)]
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | frozenset):
        for each in value:
            yield from small_values(each)


def has_ended(process: int) -> bool:
    return not Path(f"/proc/{process}").exists()


def pid_of(worker: LogWorker) -> int:
    assert worker.pid is not None
    return worker.pid


class TestLogWorker(LogReaderContract):
    @pytest.fixture
    async def reader(self, worker: LogWorker) -> LogReader:
        return worker


class TestInLoop(LogReaderContract):
    @pytest.fixture
    async def reader(self) -> LogReader:
        return InLoop()


@pytest.mark.parametrize("game", GAMES)
def test_what_comes_back_has_the_cards_that_the_bot_has(game: str) -> None:
    """Otherwise each of 20,000 matches would have cards of its own."""
    logs = [saved for saved in unfinished_logs() if saved[0].game == game]
    known: dict[object, object] = {}
    for _ in range(2):
        for log in unpack_found(pack_found([MatchState(row).read_log(records) for row, records in logs])):
            assert log is not None
            for value in small_values((log.state, log.last_facts.all)):
                assert known.setdefault((type(value), value), value) is value
    assert len(known) > 5


async def test_the_process_has_no_secrets(worker: LogWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    await worker.close()
    monkeypatch.setenv("DISCORD_TOKEN", "a-token-nobody-may-read")
    other = LogWorker(worthwhile=1)
    try:
        place = Path("/proc") / str(pid_of(await started(other)))
        keys = {pair.partition(b"=")[0].decode() for pair in (place / "environ").read_bytes().split(b"\0") if pair}
        assert keys <= {"PYTHONPATH", "PYTHONHASHSEED", *KEPT_VARIABLES}
        assert {str(each.readlink()).partition(":")[0] for each in (place / "fd").iterdir()} == {"pipe", "/dev/null"}
    finally:
        await other.close()


async def test_a_few_matches_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_reader, "processors", lambda: 2)
    worker = LogWorker(worthwhile=3)
    worker.begin(2)
    await worker.close()
    assert not worker.ready
    (saved, *_) = unfinished_logs()
    assert await worker.read([saved]) == [None]


async def test_on_one_processor_there_is_no_second_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_reader, "processors", lambda: 1)
    monkeypatch.setattr(sys, "executable", "/nowhere")
    worker = LogWorker(worthwhile=1)
    worker.begin(1_000_000)
    await asyncio.sleep(0.05)
    await worker.close()
    assert not worker.ready


async def test_logs_of_a_killed_process_are_left_to_the_bot(
    worker: LogWorker, caplog: pytest.LogCaptureFixture
) -> None:
    os.kill(pid_of(worker), signal.SIGKILL)
    logs = list(unfinished_logs())[:3]
    assert await worker.read(logs) == [None] * 3
    assert not worker.ready
    assert caplog.messages == ["the worker that reads logs failed (WorkerDied)"]
    worker.begin(1_000_000)
    assert await worker.read(logs) == [None] * 3, "it is not started again"


async def test_a_process_that_hangs_is_killed_and_its_logs_are_left_to_the_bot(
    worker: LogWorker, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(log_reader, "HANGS_AFTER", 0.1)
    process = pid_of(worker)
    os.kill(process, signal.SIGSTOP)
    assert await worker.read(list(unfinished_logs())[:3]) == [None] * 3
    assert has_ended(process)
    assert caplog.messages == ["the worker that reads logs failed (TimeoutError)"]


async def test_who_stops_waiting_ends_the_process(worker: LogWorker) -> None:
    """Its reply would be taken for that of the next request."""
    process = pid_of(worker)
    os.kill(process, signal.SIGSTOP)
    reading = asyncio.create_task(worker.read(list(unfinished_logs())[:3]))
    await asyncio.sleep(0.05)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    assert reading.cancelled()
    assert not worker.ready
    assert has_ended(process)


async def test_where_no_process_starts_the_bot_reads_all_logs(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(log_reader, "processors", lambda: 2)
    monkeypatch.setattr(sys, "executable", "/nowhere")
    worker = LogWorker(worthwhile=1)
    worker.begin(1)
    async with asyncio.timeout(WITHIN):
        while not caplog.messages:  # noqa: ASYNC110  a process that doesn't start is announced to nobody
            await asyncio.sleep(0.01)
    await worker.close()
    assert caplog.messages == ["no worker that reads logs starts (FileNotFoundError)"]
    assert not worker.ready


async def test_a_process_that_still_starts_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_reader, "processors", lambda: 2)
    before = _children()
    worker = LogWorker(worthwhile=1)
    worker.begin(1)
    await asyncio.sleep(0.05)
    await worker.close()
    assert not worker.ready
    assert _children() <= before


def _children() -> set[str]:
    """The processes of log workers that this process has started."""
    listed = (Path(each) for each in Path("/proc/self/task").glob("*/children"))
    pids = {pid for each in listed for pid in each.read_text().split()}
    return {pid for pid in pids if re.search(rb"log_worker", Path(f"/proc/{pid}/cmdline").read_bytes())}
