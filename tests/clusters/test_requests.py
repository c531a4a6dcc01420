"""The requests that Discord grants a bot, which its processes share."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from discord_sandbox import Exchange, Sandbox, Server
from tests.clusters.conftest import PATIENCE, MakePart
from tests.clusters.parts import TAKEN_OVER_WITHIN, Part, servers_of
from tests.clusters.play import Table
from tests.clusters.shared_data import SharedData

pytestmark = pytest.mark.real_time

GRANTED = 50
"""Requests a second of a bot (https://discord.com/developers/docs/topics/rate-limits#global-rate-limit)."""
OWN_SHARE = 20
"""Edits and posts a second of a process with half of the shards."""
BOARDS = 80
"""In each server, one in each channel."""
SECONDS = 2.5
"""For which requests are counted. Each process has boards to post for longer."""
CAUGHT_UP_WITHIN = 0.2
"""Seconds in which processes that stood still make up for some of their turns."""
PEOPLE = [(f"Host {number}", f"Guest {number}") for number in range(BOARDS)]
WORLD = {
    "people": [{"name": name} for names in PEOPLE for name in names],
    "servers": [
        {"name": f"Server {number}", "channels": [{"name": f"table-{index}"} for index in range(BOARDS)]}
        for number in range(2)
    ],
}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    """A server for each shard."""
    async with Sandbox.running(WORLD) as running:
        running.limits.shards = running.limits.max_concurrency = 2
        running.limits.first_response = PATIENCE
        assert running.limits.requests_a_second == GRANTED
        yield running


def counted(sandbox: Sandbox) -> list[Exchange]:
    """The requests that count against the bot's limit: all but those through the token of an interaction."""
    uncounted = ("/interactions/", "/webhooks/")
    return [each for each in sandbox.transcript.requests if not any(part in each.path for part in uncounted)]


def refused(requests: Sequence[Exchange]) -> list[Exchange]:
    """Those of them that were too many."""
    answers = [(each, each.answer) for each in requests if each.status == 429]
    return [each for each, answer in answers if isinstance(answer, dict) and answer["global"]]


def tables_in(sandbox: Sandbox, server: Server) -> list[Table]:
    """A table in each channel of a server."""
    return [Table(sandbox, server, channel=f"table-{index}", people=names) for index, names in enumerate(PEOPLE)]


async def first_shown(sandbox: Sandbox, part: Part, tables: Sequence[Table]) -> Table:
    """Stop a process (SIGSTOP) once it has posted a board. Returns the table of that board."""
    await sandbox.wait_for(lambda: any(table.channel.messages for table in tables), TAKEN_OVER_WITHIN)
    part.send(signal.SIGSTOP)
    return next(table for table in tables if table.channel.messages)


@pytest.mark.nightly  # what each may ask for is unit tested (tests/bot/gateway)
async def test_both_processes_together_keep_to_the_requests_of_one_bot(
    sandbox: Sandbox, data: SharedData, make_part: MakePart, tmp_path: Path
) -> None:
    """After an outage each has to post a board in every channel, and people play meanwhile."""
    tables = [tables_in(sandbox, servers_of(sandbox, shard, 2)[0]) for shard in (0, 1)]
    for here in tables:
        await data.begin_matches(here, tmp_path)
    parts = [make_part(name, **data.settings, LEASE="60") for name in ("first", "second")]
    for shard, part in enumerate(parts):
        await part.serve(f"{shard}/2", wait=False)
    shown = await asyncio.gather(*(first_shown(sandbox, *each) for each in zip(parts, tables, strict=True)))
    for part in parts:
        part.send(signal.SIGCONT)  # now both post at the same time
    await sandbox.clock.sleep(CAUGHT_UP_WITHIN)
    sandbox.rate_limits.enforced = True
    begun = sandbox.clock.now()
    playing = [asyncio.create_task(table.play()) for table in shown]
    await sandbox.clock.sleep(SECONDS)
    await sandbox.wait_for(lambda: all(table.confirmed for table in shown), TAKEN_OVER_WITHIN)  # people play meanwhile
    for each in playing:
        each.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    requests = [each for each in counted(sandbox) if begun <= each.at < begun + SECONDS]
    assert refused(requests) == []
    rate = len(requests) / SECONDS
    assert OWN_SHARE < rate < GRANTED, "less would be no proof, because then nobody had to wait"
