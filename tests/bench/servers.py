"""What a server takes of a bot: ``python -m tests.bench.servers [--brief]``.

The bot is started twice on a sandbox, with one small server and with as many of a middling size as one shard may have:
30 channels of 4 overwrites, 25 roles, 40 emojis, 4 stickers, 8 threads. What the second start takes more is divided by
their number: resident memory once all is quiet, and the processor's time until then. The exit code is 1 if a server
takes more than `MOST_KIB` or `MOST_MS`. A bare bot of discord.py takes 45 KiB and 0.84 ms (decision 59).
"""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from discord_sandbox import JsonObject
from tests.bench.house import opened
from tests.bench.processes import cpu_seconds, resident_mebibytes
from tests.bench.sizes import sized
from tests.soak.report import Load, measured

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


async def taken(servers: int) -> tuple[float, float]:
    """KiB of memory and ms of CPU that the bot has taken with so many servers once it does nothing any more."""
    async with opened(plan(servers)) as house, asyncio.timeout(WITHIN):
        sandbox = house.sandbox
        sandbox.limits.servers_a_shard = max(sandbox.limits.servers_a_shard, servers + 1)
        for place in [*sandbox.world.servers.values()][1:]:
            busy = sandbox.channel("channel-0", server=place.name)
            for number in range(8):
                busy.begin_thread(sandbox.user("Ada"), f"thread-{number}")
        bot = house.bot()
        await bot.start(WITHIN)
        before = -1.0
        while (now := cpu_seconds(bot.pid)) - before > QUIET * LITTLE:
            before = now
            await asyncio.sleep(QUIET)
        return 1024 * resident_mebibytes(bot.pid), 1000 * now


async def measure(load: Load) -> None:
    """What a server takes."""
    few, many = await taken(0), await taken(SERVERS)
    kib, milliseconds = ((more - less) / SERVERS for more, less in zip(many, few, strict=True))
    load.figures.append(f"{SERVERS} servers on one shard: {kib:.1f} KiB and {milliseconds:.2f} ms of CPU a server")
    load.most(kib, MOST_KIB, "KiB a server")
    load.most(milliseconds, MOST_MS, "ms a server")


if __name__ == "__main__":
    sys.exit(measured("servers", measure))
