"""The disk: the real store on it, and what a killed process leaves."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.store.errors import NotSaved
from bot.store.sqlite.store import SqliteStore
from tests.simulation import vfs
from tests.simulation.disk import Disk
from tests.simulation.happenings import DiskImage, Record
from tests.simulation.history import History
from tests.simulation.kernel import Kernel, SimulatedLoop
from tests.simulation.patches import Patches
from tests.simulation.weather_fields import CALM, Weather


class Machine:
    """A process with a disk, in a weather."""

    def __init__(self, weather: Weather) -> None:
        self.kernel = Kernel(1)
        self.disk = Disk(self.kernel, weather)
        self.loop: SimulatedLoop = self.kernel.loop("bot")

    def do(self, work: Callable[[], Awaitable[object]]) -> None:
        """Run a coroutine of the process to its end."""

        async def run() -> None:
            await work()

        task = self.loop.create_task(run())
        self.kernel.run(self.kernel.now + 60.0)
        assert task.done()
        task.result()


@pytest.fixture
def machine(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """One whose weather is the parameter, or calm."""
    made, patches = Machine(getattr(request, "param", CALM)), Patches()
    with made.disk.put_under(patches):
        yield made
        made.disk.close(made.loop)
    patches.put_back()


async def opened(folder: Path) -> SqliteStore:
    return await SqliteStore.open(folder / "cardroom.db", now=lambda: 0)


def kept(folder: Path) -> list[str]:
    """The facts in a database."""
    with closing(sqlite3.connect(folder / "cardroom.db")) as db:
        return [value for (value,) in db.execute("SELECT value FROM facts WHERE key LIKE 'test%' ORDER BY key")]


@pytest.mark.parametrize("machine", [replace(CALM, store_spells=1.0, store_spell_share=1.0)], indirect=True)
def test_a_spell_refuses_writes_and_then_is_over(machine: Machine, tmp_path: Path) -> None:
    async def work() -> None:
        store = await opened(tmp_path)
        machine.disk.failing_until = machine.kernel.now + 30.0
        with pytest.raises(NotSaved):
            await store.set_metadata("test", "lost")
        machine.disk.failing_until = 0.0
        await store.set_metadata("test", "kept")
        await store.close()

    machine.do(work)
    assert kept(tmp_path) == ["kept"]


@pytest.mark.parametrize("machine", [replace(CALM, power_cuts=1.0)], indirect=True)
def test_a_process_is_killed_within_a_commit(machine: Machine, tmp_path: Path) -> None:
    """Of two writes, the image that was taken within the second one has the first."""
    if (why := vfs.unavailable()) is not None:
        assert why.endswith("no disk can be put under it")  # some interpreters have SQLite built in
        return
    here, image = tmp_path / "here", tmp_path / "image"
    here.mkdir()

    async def work() -> None:
        store = await opened(here)
        await store.set_metadata("test1", "first")
        machine.disk.at_call(machine.loop, 1, lambda: machine.disk.leave_behind(here, image, power_cut=False))
        await store.set_metadata("test2", "second")
        await store.close()

    machine.do(work)
    assert kept(image) in (["first"], ["first", "second"])
    assert kept(here) == ["first", "second"]


def test_only_a_lying_disk_may_leave_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "cardroom.db").write_bytes(b"SQLite format 3\0" + bytes(4080))
    image = DiskImage(life=1, at=0.0, path=tmp_path, cause="power cut")
    for lies in (False, True):
        weather = replace(CALM, lying_syncs=lies)
        history = History()
        history.begin(cast("Any", SimpleNamespace(weather=weather, record=Record(), now=0.0)))
        if lies:
            assert history.log_of(image).rows == {}
        else:
            with pytest.raises(sqlite3.DatabaseError):
                history.log_of(image)
