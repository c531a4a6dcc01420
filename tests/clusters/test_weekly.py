"""Two processes of one bot on one PostgreSQL database deal one deal a week, and let nobody try it in the servers of
both."""

from __future__ import annotations

import asyncio

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Person, Sandbox
from tests.clusters.conftest import MakePart
from tests.clusters.parts import TAKEN_OVER_WITHIN, servers_of
from tests.clusters.play import GAME
from tests.clusters.shared_data import SharedData

pytestmark = pytest.mark.real_time

ELSEWHERE = translations("en")("weekly.elsewhere")
CHOSEN_WITHIN = 180
"""Seconds in which a busy machine has tried deals out."""


async def weekly(person: Person, channel: DrivenChannel) -> str:
    """What somebody reads who tries the deal, or comes back to it."""
    reply = await person.slash(channel, "weekly", game=GAME)
    assert reply.visibility == "ephemeral"
    return reply.text


async def test_two_processes_have_one_deal_which_nobody_tries_in_the_servers_of_both(
    sandbox: Sandbox, data: SharedData, make_part: MakePart
) -> None:
    parts = make_part("first", **data.settings), make_part("second", **data.settings)
    for shard, part in enumerate(parts):
        await part.serve(f"{shard}/2", wait=False)
    for part in parts:
        await part.settle()
    await sandbox.wait_for_shards(timeout=TAKEN_OVER_WITHIN)
    here, there = [sandbox.channel("lobby", server=servers_of(sandbox, shard, 2)[0].name) for shard in (0, 1)]
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    await asyncio.gather(weekly(alice, here), weekly(bob, there))
    tried: list[tuple[int, str]] = []
    for _ in range(CHOSEN_WITHIN):
        tried = await data.tries_of_the_week()
        if len(tried) == 2:
            break
        await asyncio.sleep(1)
    assert {guild_id for guild_id, _ in tried} == {here.server_id, there.server_id}
    assert len({deal_id for _, deal_id in tried}) == 1
    assert ELSEWHERE in await weekly(alice, there)
    assert len(await data.tries_of_the_week()) == 2
    for part in parts:
        assert await part.stop() == 0
