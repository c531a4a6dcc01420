"""A process and its spare on one PostgreSQL: ``python -m tests.bench.handover [--kills N] [--brief]``.

The process that plays is killed (``kill -9``) while people move and look at their cards. The figure is how long it
takes from then until one of them is answered by the spare, which has waited; then another spare is started. In the end
each move that was confirmed must be in the database once.

Then it only stands still for three seconds, or waits as long for a commit, again and again: nobody may take its shards.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from discord_sandbox import JsonObject, Refused, Sandbox
from tests.bench.clusters import PartProcess, end, server_on_disk
from tests.bench.sizes import BRIEF, sized
from tests.clusters.play import Table
from tests.clusters.shared_data import SharedData
from tests.end_to_end.process import ROOT
from tests.postgresql import server as postgresql
from tests.postgresql.fixtures import NOTICE
from tests.soak.report import percentile

KILLS: Final = sized(20, brief=1)
STANDSTILLS: Final = sized(5, brief=1)
"""Of each kind."""
STANDS: Final = 3.0
"""Seconds that a process stands still, or a commit takes."""
BETWEEN: Final = 0.5
"""Seconds of play before each of them, and up to one more."""
ASKED_EVERY: Final = 0.1
UP_WITHIN: Final = 120.0
SILENT: Final = "nobody is answered"
SERVES: Final = "this process serves"
PROGRAM: Final = "tests.bench.standing_bot"
SETTINGS: Final = {"CARDROOM_BACKUP_HOURS": "0", "CARDROOM_COMPUTER_WORKERS": "1", "STANDS": str(STANDS)}
WORLD: Final[JsonObject] = {
    "people": [{"name": name} for name in ("Alice", "Bob", "Cat", "Dan")],
    "servers": [
        {"name": "Moving", "members": ["Alice", "Bob"], "owner": "Alice", "channels": [{"name": "lobby"}]},
        {"name": "Looking", "members": ["Cat", "Dan"], "owner": "Cat", "channels": [{"name": "lobby"}]},
    ],
}


class Part(PartProcess):
    """A process whose log can be read while it runs."""

    def __init__(self, sandbox: Sandbox, folder: Path, **settings: str) -> None:
        folder.mkdir()
        self._said = folder / "log"
        super().__init__(sandbox, folder, module=PROGRAM, log=str(self._said), **settings)

    @property
    def log(self) -> str:
        """What it has logged."""
        return self._said.read_text("utf-8") if self._said.exists() else ""

    def says(self, words: str) -> int:
        """How often a line with these words is in its log."""
        return self.log.count(words)

    async def said(self, words: str) -> None:
        """Wait for such a line."""
        async with asyncio.timeout(UP_WITHIN):
            while not self.says(words):  # noqa: ASYNC110  another process's
                await asyncio.sleep(0.05)

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)


@dataclass
class Looks:
    """Presses of *My cards*, one after the other whether or not they are answered."""

    sandbox: Sandbox
    table: Table
    answered: list[tuple[float, float]] = field(default_factory=list)
    """When those that were answered were made, and when they were answered."""
    _under_way: set[asyncio.Task[None]] = field(default_factory=set)

    async def run(self) -> None:
        """Press until cancelled."""
        while True:
            press = asyncio.create_task(self._press())
            self._under_way.add(press)
            press.add_done_callback(self._under_way.discard)
            await asyncio.sleep(ASKED_EVERY)

    async def _press(self) -> None:
        made = time.perf_counter()
        reply = await self.table.people[0].press(self.table.board, label="My cards", force=True)
        if not reply.failed and reply.text:
            self.answered.append((made, time.perf_counter()))

    async def after(self, moment: float) -> float:
        """When the first answer came to a press that was made after this moment."""
        async with asyncio.timeout(UP_WITHIN):
            while not self.answered or self.answered[-1][0] <= moment:  # noqa: ASYNC110  other tasks'
                await asyncio.sleep(0.01)
        return min(answered for made, answered in self.answered if made > moment)

    def longest(self, since: float) -> float:
        """The longest time without an answer since then."""
        moments = [since, *sorted(answered for _, answered in self.answered if answered > since)]
        return max((late - early for early, late in itertools.pairwise(moments)), default=0.0)


class House:
    """A process that plays, and one that waits."""

    def __init__(self, stack: AsyncExitStack, sandbox: Sandbox, folder: Path, data: SharedData) -> None:
        self.sandbox = sandbox
        self.data = data
        self._stack, self._folder = stack, folder
        self._started = 0
        self.moving = Table(sandbox, sandbox.server("Moving"), people=("Alice", "Bob"))
        self.looking = Table(sandbox, sandbox.server("Looking"), people=("Cat", "Dan"))
        self.looks = Looks(sandbox, self.looking)

    async def begin(self) -> Part:
        """Start another process."""
        self._started += 1
        part = Part(self.sandbox, self._folder / str(self._started), **SETTINGS, **self.data.settings)
        self._stack.push_async_callback(end, part)
        await part.spawn()
        return part

    async def open(self) -> None:
        """Start both, and seat all."""
        self.playing = await self.begin()
        await self.sandbox.wait_for_bot(UP_WITHIN)
        self.spare = await self.begin()
        await self.spare.said("waiting")
        for table in (self.moving, self.looking):
            await table.sit_down()

    async def move(self) -> None:
        """Move until cancelled, in one match after the other."""
        while True:
            try:
                await self.moving.move()
            except (AssertionError, Refused):  # nobody can: the match has ended
                await self._sit_down_again()

    async def _sit_down_again(self) -> None:
        while True:
            try:
                await self.moving.sit_down()
            except (AssertionError, LookupError, Refused, TimeoutError):
                continue
            return

    async def killed(self) -> float:
        """Kill the process that plays. Returns the seconds until somebody is answered by the other one."""
        await pause()
        at = time.perf_counter()
        await self.playing.kill()
        try:
            answered = await self.looks.after(at)
        except TimeoutError:
            print(self.spare.log)
            raise
        await self.spare.said(SERVES)
        self.playing, self.spare = self.spare, await self.begin()
        await self.spare.said("waiting")
        return answered - at


async def pause() -> None:
    """Some play before the next happening."""
    await asyncio.sleep(BETWEEN + random.random())


@dataclass
class Stood:
    """What came of standing still, again and again."""

    replaced: int = 0
    silent: int = 0
    longest: float = 0.0


async def stand(house: House, how: Callable[[House], Awaitable[None]]) -> Stood:
    """Have the process stand still a few times."""
    stood = Stood()
    for _ in range(STANDSTILLS):
        await pause()
        silent, begun = house.playing.says(SILENT), time.perf_counter()
        await how(house)
        await house.looks.after(time.perf_counter())
        await pause()
        stood.longest = max(stood.longest, house.looks.longest(begun))
        stood.silent += house.playing.says(SILENT) - silent
        if house.spare.says(SERVES):
            stood.replaced += 1
            house.playing, house.spare = house.spare, await house.begin()
            await house.spare.said("waiting")
    return stood


async def stop_the_loop(house: House) -> None:
    """Its event loop stands still."""
    house.playing.send(signal.SIGUSR1)
    await asyncio.sleep(STANDS)


async def freeze(house: House) -> None:
    """The whole process stands still."""
    house.playing.send(signal.SIGSTOP)
    await asyncio.sleep(STANDS)
    house.playing.send(signal.SIGCONT)


async def slow_commits(house: House) -> None:
    """Each commit that is to be on the disk takes that long: the server waits for a standby that does not exist."""
    for value in ("'nobody'", "''"):
        with house.data.server.connect_as_admin() as admin:
            admin.execute(f"ALTER SYSTEM SET synchronous_standby_names = {value}")
            admin.execute("SELECT pg_reload_conf()")
        await asyncio.sleep(STANDS if value == "'nobody'" else 0.0)


KINDS: Final = {
    "its event loop stands still for 3 s": stop_the_loop,
    "all of it stands still for 3 s (SIGSTOP)": freeze,
    "commits take 3 s": slow_commits,
}


def main() -> int:
    """Print the figures; 1 if a move was lost or made twice."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.handover")
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument(BRIEF, action="store_true")
    with server_on_disk() as server:
        if server is None:
            print(NOTICE.format(count="ALL"))
            return 0
        return asyncio.run(run(server, parser.parse_args().kills))


async def run(server: postgresql.Server, kills: int) -> int:
    """Both parts."""
    async with AsyncExitStack() as stack:
        build = ROOT / "build"
        build.mkdir(exist_ok=True)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=build)))
        sandbox = await stack.enter_async_context(Sandbox.running(WORLD, transcript_entries=0))
        house = House(stack, sandbox, folder, SharedData(server))
        await house.open()
        people = [asyncio.create_task(work) for work in (house.move(), house.looks.run())]
        print(f"load {os.getloadavg()[0]:.1f}\n")
        gaps = []
        for _ in range(kills):
            gaps.append(await house.killed())
            print(f"{gaps[-1]:.1f} s", end=" ", flush=True)
        median, late = (percentile(gaps, each) / 1000 for each in (50, 95))
        print("\n\n| killed | until somebody is answered: p50 | p95 | longest |\n|---|---|---|---|")
        print(f"| {kills} | {median:.1f} s | {late:.1f} s | {max(gaps, default=0):.1f} s |\n", flush=True)
        print("| what happens | times | replaced | fell silent | longest without an answer |\n|---|---|---|---|---|")
        for name, how in KINDS.items():
            stood = await stand(house, how)
            print(f"| {name} | {STANDSTILLS} | {stood.replaced} | {stood.silent} | {stood.longest:.1f} s |", flush=True)
        await asyncio.sleep(1.0)
        for person in people:
            person.cancel()
        await asyncio.gather(*people, return_exceptions=True)
        saved = await house.data.moves(house.moving.server.id)
        print(f"\n{house.moving.confirmed} moves confirmed, {len(saved)} saved; the last may have been cut off")
        wrong = len(saved) - house.moving.confirmed
        return 0 if wrong in {0, 1} else 1


if __name__ == "__main__":
    sys.exit(main())
