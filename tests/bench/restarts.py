"""A bot that is ended and comes back: ``python -m tests.bench.restarts [--brief]``.

A bot of 16 shards with a match in each of 64 servers is stopped and started again, and then killed and started again.
For each it prints the sessions that were begun (identifies), the seconds from the start of the process to the first
answered press, where somebody presses five times a second, and the processor's time until then. If PostgreSQL is
installed, a process is then killed beside its spare again and again, and it prints the seconds until somebody is
answered by that. The exit code is 1 if a restart began a session, or if an answer came later than the bounds.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Final

from discord_sandbox import MessageView, Person
from tests.bench.house import House, opened, server_on_disk, until
from tests.bench.processes import cpu_seconds
from tests.bench.sizes import sized
from tests.bench.world import plan
from tests.end_to_end.players import challenge
from tests.end_to_end.process import BotProcess
from tests.postgresql.fixtures import NOTICE
from tests.postgresql.server import Server
from tests.soak.people import MY_CARDS
from tests.soak.report import Load, measured, percentile

SHARDS: Final = sized(16, brief=2)
SERVERS: Final = sized(64, brief=4)
KILLS: Final = sized(10, brief=1)
"""After twenty in an hour the bot would spread its sessions over it."""
MOST_SECONDS: Final = 5.0
"""Until the first answer after a restart."""
MOST_BESIDE_SPARE: Final = 6.0
"""Until the first answer of a spare: its lease, a new session, and a match that it restores."""
WITHIN: Final = 180.0
"""Seconds after which a start has failed. The very first takes five for each shard, as Discord wants it."""
PRESSED_EVERY: Final = 0.2
SETTLES: Final = sized(2.0, brief=0.5)
"""Seconds that a bot has for itself before it is ended."""
WAITS: Final = "waiting"
"""What a spare logs."""


async def measure(load: Load) -> None:
    """Both parts."""
    async with opened(plan(SERVERS, 1), SERVERS) as house:
        await _started_again(house, load)
    with server_on_disk() as server:
        if server is None:
            load.figures.append(NOTICE.format(count="A SPARE"))
            return
        async with opened() as house:
            await _taken_over(house, server, load)


async def _started_again(house: House, load: Load) -> None:
    house.sandbox.limits.shards = house.sandbox.limits.max_concurrency = SHARDS
    bot = house.bot()
    await _started(house, bot, "first", load)
    await bot.stop()
    await _started(house, bot, "after a stop", load)
    await bot.kill()
    await _started(house, bot, "after a kill", load)


async def _started(house: House, bot: BotProcess, name: str, load: Load) -> None:
    sandbox, at = house.sandbox, house.laid[-1]
    began, left = time.monotonic(), sandbox.gateway.identify_limits.left
    await bot.spawn()
    await _answered(at.people[0], at.board)
    first, cpu = time.monotonic() - began, cpu_seconds(bot.pid)
    await sandbox.wait_for(lambda: sandbox.gateway.connected == SHARDS, WITHIN)
    await asyncio.sleep(SETTLES)
    begun = left - sandbox.gateway.identify_limits.left
    load.figures.append(f"{name}: {begun} identifies, first press after {first:.1f} s, {cpu:.1f} s of CPU")
    if name != "first":
        load.expect(begun == 0, f"{name} sessions were begun")
        load.most(first, MOST_SECONDS, f"seconds until the first press {name}")


async def _taken_over(house: House, server: Server, load: Load) -> None:
    sandbox, database = house.sandbox, server.url(server.new_database())

    async def begin(number: int) -> BotProcess:
        """Another process, with a folder of its own; all but the first wait as spares."""
        part = House(sandbox, house.folder / str(number), (), house.stack)
        part.folder.mkdir()
        bot = part.bot(beside_others=True, CARDROOM_DATABASE=database, CARDROOM_LOG_LEVEL="INFO")
        await bot.spawn()
        if number:
            await until(lambda: WAITS in part.log.read_text("utf-8"), WITHIN)
        return bot

    playing = await begin(0)
    await sandbox.wait_for_bot(WITHIN)
    host, guest, *_ = sandbox.people
    board = await challenge(host, guest, sandbox.channel("lobby"))
    gaps = []
    for number in range(KILLS):
        spare = await begin(number + 1)
        await asyncio.sleep(SETTLES)
        at = time.monotonic()
        await playing.kill()
        await _answered(host, board)
        gaps.append(time.monotonic() - at)
        playing = spare
    middle, late = (percentile(gaps, part) / 1000 for part in (50, 95))
    load.figures.append(
        f"killed beside a spare, {KILLS} times: an answer after {middle:.1f} s (p50), {late:.1f} (p95),"
        f" {max(gaps):.1f} (longest)"
    )
    load.most(late, MOST_BESIDE_SPARE, "seconds until the spare answered")


async def _answered(person: Person, board: MessageView) -> None:
    """Press until a press is answered, again before Discord has given up on the last one."""

    async def press() -> bool:
        return not (await person.press(board, label=MY_CARDS)).failed

    presses: list[asyncio.Task[bool]] = []
    async with asyncio.timeout(WITHIN):
        while not any(each.done() and each.result() for each in presses):
            presses.append(asyncio.create_task(press()))
            await asyncio.sleep(PRESSED_EVERY)
    for each in presses:
        each.cancel()


if __name__ == "__main__":
    sys.exit(measured("restarts", measure))
