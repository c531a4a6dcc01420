"""Several processes of one bot on one PostgreSQL database: what happens when one of them, the database or the line
between them fails."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from discord_sandbox import Sandbox
from tests.clusters.conftest import MakePart
from tests.clusters.parts import TAKEN_OVER_WITHIN, Part, commands_announced, servers_of
from tests.clusters.play import Table
from tests.clusters.shared_data import SharedData
from tests.faults.bot_process import LATE, UP_WITHIN
from tests.postgresql.line import Line, line_to

pytestmark = pytest.mark.real_time

REPLACED = 75
"""The exit code of a process whose shards another one has."""
BEAT = 5.0
"""Seconds between two heartbeats in the store: so much more than its time away a match may be credited."""
SLACK = 5.0
AWAY = 5.0
"""Seconds for which the database is out of reach, beyond the time until nobody is answered."""
ALREADY_ANSWERED = 40060


class House:
    """Two processes with a shard each and a spare for either, and a match in a server of each shard."""

    def __init__(self, sandbox: Sandbox, data: SharedData, parts: tuple[Part, Part], spare: Part) -> None:
        self.sandbox = sandbox
        self.data = data
        self.first, self.second = parts
        self.spare = spare
        self.tables = [Table(sandbox, servers_of(sandbox, shard, 2)[0]) for shard in (0, 1)]

    async def open(self) -> None:
        """Start all three, and begin the matches."""
        for shard, part in enumerate((self.first, self.second)):
            await part.serve(f"{shard}/2", wait=False)
        for part in (self.first, self.second):
            await part.settle()
        await self.sandbox.wait_for_shards(timeout=UP_WITHIN)
        await self.spare.serve("0,1/2", wait=False)
        await self.spare.has_logged("waiting")
        assert self.sandbox.gateway.connected == 2
        for table in self.tables:
            await table.sit_down()
            await table.move()

    async def taken_over(self) -> None:
        """Wait until the spare has the second shard, and plays."""
        await self.spare.has_logged("this process serves the shards 1-1/2")
        await self.spare.settle()

    async def check(self) -> None:
        """Every move was applied once, and none that nobody confirmed."""
        for table in self.tables:
            assert len(await self.data.moves(table.server.id)) == table.confirmed


@pytest.fixture
async def house(sandbox: Sandbox, data: SharedData, make_part: MakePart) -> House:
    parts = make_part("first", **data.settings), make_part("second", **data.settings)
    opened = House(sandbox, data, parts, make_part("spare", **data.settings))
    await opened.open()
    return opened


async def test_F_45_a_spare_takes_the_shards_of_a_killed_process_and_nothing_is_lost_or_done_twice(
    sandbox: Sandbox, data: SharedData, make_part: MakePart
) -> None:
    """Long before its lease is over."""
    first, second, spare = (make_part(name, **data.settings, LEASE="60") for name in ("first", "second", "spare"))
    house = House(sandbox, data, (first, second), spare)
    await house.open()
    here, there = house.tables
    assert commands_announced(house.sandbox) == 1
    act = await there.next_act()
    house.second.kill_at("written")
    pressing = asyncio.create_task(act.press())
    assert await house.second.ended() == -signal.SIGKILL
    killed = time.monotonic()
    house.sandbox.advance(LATE)
    assert (await pressing).failed
    assert len(await house.data.moves(there.server.id)) == there.confirmed + 1
    deadline = await house.data.deadline(there.server.id)
    await here.move()

    await house.taken_over()
    await house.sandbox.wait_for_shards(timeout=TAKEN_OVER_WITHIN)
    away = time.monotonic() - killed
    assert away < TAKEN_OVER_WITHIN
    credited = (await house.data.deadline(there.server.id) - deadline) / 1000
    passed = away + LATE  # as far as Discord's time went
    assert passed - 1 < credited < passed + BEAT + SLACK
    await act.press_until_confirmed()  # it is told what was made
    there.confirmed += 1
    house.sandbox.faults.on_event("INTERACTION_CREATE", twice=True, times=None)
    for table in (here, there, here, there):
        await table.move()
    await house.check()
    assert house.spare.alive


async def test_F_46_what_a_frozen_process_still_writes_is_refused_and_it_ends(house: House) -> None:
    _, there = house.tables
    beside = Table(house.sandbox, servers_of(house.sandbox, 1, 2)[1])
    house.tables.append(beside)
    await beside.sit_down()
    act = await there.next_act()
    house.second.freeze_at("judged")
    pressing = asyncio.create_task(act.press())
    await house.second.frozen()
    house.sandbox.advance(LATE)
    assert (await pressing).failed
    await house.taken_over()
    await beside.move()  # it reaches the frozen process too, which will read it when it wakes
    house.sandbox.transcript.clear()

    house.second.send(signal.SIGCONT)  # now it writes what nobody else has written
    assert await house.second.ended() == REPLACED
    assert "another process" in house.second.logged
    await house.check()
    await act.press_until_confirmed()
    there.confirmed += 1
    for table in house.tables:
        await table.move()
    await house.check()
    answers = [each.answer for each in house.sandbox.transcript.requests]
    assert not [each for each in answers if isinstance(each, dict) and each.get("code") == ALREADY_ANSWERED]


async def test_F_47_the_database_is_killed_or_stopped_while_people_press_and_comes_back(house: House) -> None:
    server = house.data.server
    for end, (racing, late) in ((server.kill, house.tables), (server.stop, house.tables[::-1])):
        pressed, another = await racing.next_act(), await late.next_act()
        pressing = asyncio.create_task(pressed.press_until_confirmed())
        await asyncio.to_thread(end)
        assert not await another.is_confirmed()
        await asyncio.to_thread(server.start)
        await asyncio.gather(pressing, another.press_until_confirmed())
        for table in (racing, late):
            table.confirmed += 1
            await table.move()
    await house.check()
    assert all(part.alive for part in (house.first, house.second, house.spare))
    assert len(await house.data.owners()) == 2


async def test_F_47_clocks_get_back_the_time_that_the_database_was_away(house: House) -> None:
    """Nobody is answered meanwhile. Without a spare nobody takes the shards."""
    await house.spare.stop()
    deadlines = [await house.data.deadline(table.server.id) for table in house.tables]
    await asyncio.to_thread(house.data.server.stop)
    stopped = time.monotonic()
    for part in (house.first, house.second):
        await part.has_logged("nobody is answered")
    await asyncio.sleep(AWAY)
    await asyncio.to_thread(house.data.server.start)
    away = time.monotonic() - stopped
    for part in (house.first, house.second):
        await part.has_logged("play continues")
    for table, deadline in zip(house.tables, deadlines, strict=True):
        async with asyncio.timeout(UP_WITHIN):
            while await house.data.deadline(table.server.id) == deadline:  # noqa: ASYNC110  a row's
                await asyncio.sleep(0.05)
        credited = (await house.data.deadline(table.server.id) - deadline) / 1000
        assert away - 1 < credited < away + BEAT + SLACK
        await table.move()
    await house.check()


@asynccontextmanager
async def behind_a_line(sandbox: Sandbox, data: SharedData, make_part: MakePart) -> AsyncIterator[tuple[House, Line]]:
    """A house whose second process reaches the database through a line."""
    async with line_to(data.server.port) as line:
        parts = make_part("first", **data.settings), make_part("second", **data.settings_through(line.port))
        house = House(sandbox, data, parts, make_part("spare", **data.settings))
        await house.open()
        yield house, line


async def test_F_47_a_process_that_cannot_find_out_what_it_saved_ends_and_starts_again(
    sandbox: Sandbox, data: SharedData, make_part: MakePart
) -> None:
    """The database is away for ten seconds as it commits a move, and nobody takes the shard meanwhile."""
    async with behind_a_line(sandbox, data, make_part) as (house, line):
        await house.spare.stop()
        here, there = house.tables
        act = await there.next_act()
        lose_the_answer(line, b"INTO records")
        pressing = asyncio.create_task(act.is_confirmed())
        await house.second.has_logged("which may have been saved")
        line.pass_on()
        assert await house.second.ended() == REPLACED
        assert "stopping, because a commit that nobody could say anything about was made" in house.second.logged
        assert "another process" not in house.second.logged
        assert not await pressing
        assert len(await data.moves(there.server.id)) == there.confirmed + 1

        await house.second.serve("1/2")
        await act.press_until_confirmed()  # it is told what was made
        there.confirmed += 1
        for table in (here, there):
            await table.move()
        await house.check()


def lose_the_answer(line: Line, written: bytes) -> None:
    """Let the commit of the next transaction that writes this arrive, and then nothing more in either direction."""
    heard = False

    def listen(data: bytes) -> None:
        nonlocal heard
        heard = heard or written in data
        if heard and b"COMMIT" in data:
            line.heard = lambda _: None
            line.swallow(answers_only=True)
            asyncio.get_running_loop().call_later(0.1, line.cut)

    line.heard = listen


async def test_F_48_a_process_without_its_database_says_nothing_until_another_has_its_shards(
    sandbox: Sandbox, data: SharedData, make_part: MakePart
) -> None:
    async with behind_a_line(sandbox, data, make_part) as (house, line):
        here, there = house.tables
        line.cut()  # a connection that breaks is made anew
        await there.move()

        act = await there.next_act()
        line.hold()
        pressing = asyncio.create_task(act.is_confirmed())
        await here.move()
        await house.second.has_logged("nobody is answered")
        looking = asyncio.create_task(there.people[0].press(there.board, label="My cards"))  # this needs no database
        await house.taken_over()
        assert not await pressing
        assert (await looking).failed, "the spare could have answered this too"
        await act.press_until_confirmed()
        there.confirmed += 1
        line.release()
        assert await house.second.ended() == REPLACED
        for table in (here, there):
            await table.move()
        await house.check()


async def test_F_49_only_one_of_two_processes_with_the_same_shards_plays(house: House, make_part: MakePart) -> None:
    twin = make_part("twin", **house.data.settings)
    await twin.serve("1/2", wait=False)
    await twin.has_logged("waiting")
    await house.spare.stop()
    owners = await house.data.owners()
    await house.tables[1].move()
    assert house.sandbox.gateway.connected == 2
    assert await house.second.stop() == 0
    given_back = await house.data.owners()
    assert owners[1] not in given_back, "nobody waits for its lease to run out"
    await twin.settle()
    await house.sandbox.wait_for_shards(timeout=TAKEN_OVER_WITHIN)
    now = await house.data.owners()
    assert (now[0], now[1] != owners[1]) == (owners[0], True)
    for table in house.tables:
        await table.move()
    await house.check()


@pytest.mark.nightly  # six seconds; turns are unit tested (tests/bot/gateway)
async def test_sessions_of_all_processes_begin_in_turns(
    sandbox: Sandbox, data: SharedData, make_part: MakePart
) -> None:
    sandbox.rate_limits.enforced = True
    sandbox.limits.max_concurrency = 1
    sandbox.limits.identify_pause = 1.0
    parts = [make_part(name, **data.settings, TURNS="1200") for name in ("first", "second")]
    for shard, part in enumerate(parts):
        await part.serve(f"{shard}/2", wait=False)
    for part in parts:
        await part.settle()
    assert "identifies too soon" not in sandbox.transcript.text()
