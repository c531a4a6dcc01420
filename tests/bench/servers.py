"""What a server takes of a bot, beside a bare bot of discord.py: ``python -m tests.bench.servers [--brief]``.

Both have the one intent `guilds`, and each is started twice on a sandbox, with one small server and with as many of a
middling size as one shard may have: 30 channels of 4 overwrites, 25 roles, 40 emojis, 4 stickers, 8 threads. What the
second start takes more is divided by their number: resident memory once all is quiet, and the processor's time until
then. The exit code is 1 if a server takes more of ours than `MOST_KIB` or `MOST_MS`.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import gc
import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord.http import Route

from discord_sandbox import JsonObject, Sandbox
from tests.bench.processes import cpu_seconds, resident_mebibytes
from tests.bench.sizes import BRIEF, sized
from tests.end_to_end.process import ROOT

SERVERS: Final = sized(2_500, brief=10)
"""Of a middling size, on one shard: the most that Discord allows."""
MOST_KIB: Final = 2.0
MOST_MS: Final = 0.4
WITHIN: Final = 300.0
"""Seconds after which a start has failed."""
QUIET: Final = sized(5.0, brief=0.4)
"""Seconds in which a bot does next to nothing: then it has read everything."""
LITTLE: Final = 0.02
"""The part of a processor that next to nothing is."""
BARE: Final = "--bare"


@dataclass(frozen=True, slots=True)
class Taken:
    """What a bot has taken once it was quiet: MiB of memory and seconds of CPU."""

    memory: float
    cpu: float


def server(number: int) -> JsonObject:
    """A server of a middling size."""
    roles = [f"Role {each}" for each in range(25)]
    overwrites = [{"role": name, "deny": ["send_messages"]} for name in roles[:4]]
    channels = [
        {"name": f"channel-{each}", "topic": "What this channel is for", "overwrites": overwrites} for each in range(30)
    ]
    return {
        "name": f"Server {number}",
        "roles": [{"name": name, "permissions": ["view_channel", "send_messages"]} for name in roles],
        "channels": channels,
        "emojis": [f"emoji_{each}" for each in range(40)],
        "stickers": [f"sticker_{each}" for each in range(4)],
    }


def plan(servers: int) -> JsonObject:
    """A small server, and so many of a middling size."""
    small = {"name": "Small", "channels": [{"name": "lobby"}]}
    return {"people": [{"name": "Ada"}], "servers": [small, *map(server, range(servers))]}


async def measure(servers: int) -> dict[str, Taken]:
    """What each bot has taken with so many servers."""
    async with Sandbox.running(plan(servers), transcript_entries=0) as sandbox:
        sandbox.limits.servers_a_shard = max(sandbox.limits.servers_a_shard, servers + 1)
        for place in [*sandbox.world.servers.values()][1:]:
            busy = sandbox.channel("channel-0", server=place.name)
            for number in range(8):
                busy.begin_thread(sandbox.user("Ada"), f"thread-{number}")
        gc.collect()
        gc.freeze()
        return {
            "Cardroom": await _taken(sandbox, ["bot"]),
            "bare discord.py": await _taken(sandbox, ["tests.bench.servers", BARE]),
        }


async def _taken(sandbox: Sandbox, module: list[str]) -> Taken:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        environ: Mapping[str, str] = {
            **os.environ,
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_BASE": sandbox.api_base,
            "CARDROOM_DATA_DIR": folder,
            "CARDROOM_CARD_EMOJIS": "off",
            "CARDROOM_BACKUP_HOURS": "0",
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *module, cwd=ROOT, env=environ, stderr=asyncio.subprocess.DEVNULL
        )
        stack.push_async_callback(process.wait)
        stack.callback(process.kill)
        await sandbox.wait_for_bot(WITHIN)
        async with asyncio.timeout(WITHIN):
            return await _once_quiet(process.pid)


async def _once_quiet(pid: int) -> Taken:
    """Wait until a process does nothing any more."""
    before = -1.0
    while (now := cpu_seconds(pid)) - before > QUIET * LITTLE:
        before = now
        await asyncio.sleep(QUIET)
    return Taken(resident_mebibytes(pid), now)


def main() -> int:
    """Print the figures. Returns the exit code."""
    few, many = asyncio.run(measure(0)), asyncio.run(measure(SERVERS))
    print(f"{SERVERS} servers on one shard{'':<10}{'KiB a server':>14}{'CPU ms a server':>18}")
    figures: dict[str, tuple[float, float]] = {}
    for bot, taken in many.items():
        kib = 1024 * (taken.memory - few[bot].memory) / SERVERS
        milliseconds = 1000 * (taken.cpu - few[bot].cpu) / SERVERS
        figures[bot] = kib, milliseconds
        print(f"{bot:<32}{kib:>14.1f}{milliseconds:>18.2f}")
    kib, milliseconds = figures["Cardroom"]
    too_much = kib > MOST_KIB or milliseconds > MOST_MS
    return int(too_much and BRIEF not in sys.argv)  # with few servers both are mostly noise


def bare() -> None:
    """Run the library as it comes."""
    Route.BASE = os.environ["DISCORD_API_BASE"]
    options: dict[str, Any] = {"intents": discord.Intents(guilds=True)}
    discord.AutoShardedClient(**options).run(os.environ["DISCORD_TOKEN"], log_handler=None)


if __name__ == "__main__":
    if BARE in sys.argv:
        bare()
    else:
        sys.exit(main())
