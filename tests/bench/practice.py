"""Matches against computers at once: ``python -m tests.bench.practice [MATCHES]``, 200 without a number.

The bot is a process of its own with its workers, its database on a disk; the sandbox and the people are in this one.
Every person plays one match, of all games and levels in turn. First only a few of them play, then all. People's waits
may grow to three times those of the first part at most: when questions wait, computers get less time to think.
"""

from __future__ import annotations

import asyncio
import gc
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import cycle, islice
from math import inf
from pathlib import Path

import aiohttp

from discord_sandbox import JsonObject, Reply, Sandbox
from engines.players.levels import LEVELS
from tests.bench.live import CALM
from tests.bench.processes import free_port
from tests.bench.sizes import sized, without_brief
from tests.end_to_end.process import ROOT, bot_process
from tests.figures import read
from tests.soak.people import MY_CARDS, Table
from tests.soak.report import Load, percentile, table, waited

MATCHES = sized(200, brief=12)
SERVERS = 10
BEGUN_A_SECOND = 10
FEW = sized(10, brief=4)
"""Matches that are played in the first part."""
THINKING = sized((2.0, 6.0), brief=(0.1, 0.5))
"""Seconds between two presses of a person."""
WARMING, FIRST, SECOND = sized((5.0, 60.0, 90.0), brief=(0.5, 1.0, 2.0))
"""Seconds before anything is measured, and of the two parts."""
SHOWN_WITHIN = 120.0
"""Seconds until a match's board must be shown."""
MOST_TIMES = sized(3.0, brief=inf)


def main(argv: list[str]) -> int:
    """Play, and print what was measured; 1 if people waited for too long."""
    load = Load("practice")
    asyncio.run(run(int(argv[0]) if argv else MATCHES, load))
    return 0 if table([load]) else 1


def world(matches: int) -> JsonObject:
    """Servers, and a person for each match."""
    members = [[f"P{number}" for number in range(server, matches, SERVERS)] for server in range(SERVERS)]
    return {
        "people": [{"name": f"P{number}"} for number in range(matches)],
        "servers": [
            {"name": f"Server {server}", "members": names, "channels": [{"name": f"channel-{server}"}]}
            for server, names in enumerate(members)
        ],
    }


async def run(matches: int, load: Load) -> None:
    """Begin the matches, play some and then all of them, and judge."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    port = free_port()
    settings = {"CARDROOM_METRICS_PORT": str(port), "CARDROOM_BACKUP_HOURS": "0", "CARDROOM_LOG_LEVEL": "ERROR"}
    with tempfile.TemporaryDirectory(dir=build) as folder:
        async with (
            Sandbox.running(world(matches), transcript_entries=0) as sandbox,
            bot_process(sandbox, Path(folder), **settings),
        ):
            gc.freeze()  # the sandbox's own pauses are not what is measured
            tables = await asyncio.gather(*(begun(sandbox, *each) for each in enumerate(choices(matches))))
            load.figures.append(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores before the parts")
            await part(tables[:FEW], WARMING, load)
            few = await part(tables[:FEW], FIRST, load)
            before = await counted(port)
            every = await part(tables, SECOND, load)
            after = await counted(port)
    load.figures += [
        f"{FEW} matches: {len(few) / FIRST:.0f} presses/s, first response {waited(few)}",
        f"{matches} matches: {len(every) / SECOND:.0f} presses/s, first response {waited(every)}",
        *thoughts(before, after),
        f"load {os.getloadavg()[0]:.1f} after them",
    ]
    load.expect(
        percentile(every, 99) <= MOST_TIMES * percentile(few, 99), f"p99 grew to more than {MOST_TIMES:g} times"
    )


def choices(matches: int) -> Sequence[tuple[str, str]]:
    """The game and the level of each match."""
    return list(islice(cycle([(game, level) for game, levels in LEVELS.items() for level in levels]), matches))


async def begun(sandbox: Sandbox, number: int, choice: tuple[str, str]) -> Table:
    """A person's match against a computer."""
    server = number % SERVERS
    await asyncio.sleep(number / BEGUN_A_SECOND)
    person, channel = sandbox.user(f"P{number}"), sandbox.channel(f"channel-{server}", f"Server {server}")
    board = (await person.slash(channel, f"{choice[0]} practice", level=choice[1])).message
    await sandbox.wait_for(lambda: board.find_button(MY_CARDS) is not None, SHOWN_WITHIN)
    return Table([person], channel, board, person, random.Random(number), lambda _reply, _kind: None, CALM)


async def part(tables: Sequence[Table], seconds: float, load: Load) -> list[float]:
    """Have these people play for so long; how long each waited for the first response to each press."""
    waits: list[float] = []
    failed = Counter[str]()
    end = asyncio.get_running_loop().time() + seconds

    def note(reply: Reply, kind: str) -> None:
        waits.append(reply.elapsed)
        failed[kind] += reply.failed

    async def play(each: Table) -> None:
        each.reply = note
        await asyncio.sleep(each.rng.uniform(0, THINKING[1]))
        while asyncio.get_running_loop().time() < end and not each.over:
            await each.step(each.people)
            await asyncio.sleep(each.rng.uniform(*THINKING))

    await asyncio.gather(*map(play, tables))
    for kind, count in failed.items():
        load.expect(not count, f"a press ({kind}) was not answered")
    return waits


async def counted(port: int) -> dict[str, float]:
    """What the bot has counted so far."""
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/metrics") as answer:
        return read(await answer.text())


def thoughts(before: dict[str, float], after: dict[str, float]) -> list[str]:
    """How computers answered meanwhile."""
    grown = {
        key.removeprefix("cardroom_computer_"): value - before.get(key, 0)
        for key, value in after.items()
        if key.startswith("cardroom_computer_") and "bucket" not in key and "created" not in key
    }
    return [f"{key} {value:.1f}" for key, value in grown.items() if value]


if __name__ == "__main__":
    sys.exit(main(without_brief(sys.argv[1:])))
