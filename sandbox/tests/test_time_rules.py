"""One first response within 3 seconds, tokens of 15 minutes, and the codes for whoever breaks that."""

from __future__ import annotations

import asyncio
import time

import pytest

from discord_sandbox import Sandbox
from tests.conftest import Api
from tests.sample_bot import SampleBot


async def test_a_second_first_response_is_40060(sandbox: Sandbox, bot: SampleBot) -> None:
    await sandbox.user("Alice").slash(sandbox.channel("lobby"), "twice")
    await sandbox.wait_for(lambda: bot.codes)
    assert bot.codes == [40060]


async def test_a_late_first_response_is_10062(sandbox: Sandbox, bot: SampleBot) -> None:
    sandbox.limits.first_response = 0.1
    reply = await sandbox.user("Alice").slash(sandbox.channel("lobby"), "silent")
    assert (reply.kind, reply.failed, reply.reason) == ("failed", True, "The application did not respond")
    assert reply.elapsed == pytest.approx(0.1, abs=0.01)
    bot.wake.set()
    await sandbox.wait_for(lambda: bot.codes)
    assert bot.codes == [10062]
    assert sandbox.channel("lobby").seen_by(sandbox.user("Alice")) == []


async def test_three_seconds_may_pass_in_a_moment(sandbox: Sandbox, bot: SampleBot) -> None:
    begun = time.perf_counter()
    act = asyncio.create_task(sandbox.user("Alice").slash(sandbox.channel("lobby"), "silent"))
    await sandbox.wait_for(lambda: sandbox.transcript.events)
    sandbox.advance(3.01)
    assert (await act).failed
    assert time.perf_counter() - begun < 2


async def test_without_a_bot_an_act_fails(sandbox: Sandbox, api: Api) -> None:
    sandbox.limits.first_response = 0.05
    app = sandbox.world.application.id
    await api("POST", f"/applications/{app}/commands", {"name": "ping", "description": "Ping", "type": 1})
    reply = await sandbox.user("Alice").slash(sandbox.channel("lobby"), "ping")
    assert reply.failed
    assert reply.message_or_none is None


async def test_a_token_dies_after_fifteen_minutes(sandbox: Sandbox, bot: SampleBot) -> None:
    reply = await sandbox.user("Alice").slash(sandbox.channel("lobby"), "later")
    sandbox.advance(15 * 60 + 1)
    bot.wake.set()
    await sandbox.wait_for(lambda: bot.codes)
    assert bot.codes == [50027]
    assert reply.text == "now"


async def test_a_living_token_edits_its_message(sandbox: Sandbox, bot: SampleBot) -> None:
    reply = await sandbox.user("Alice").slash(sandbox.channel("lobby"), "later")
    sandbox.advance(14 * 60)
    bot.wake.set()
    await sandbox.wait_for(lambda: reply.text == "later")
    assert bot.codes == []


async def test_an_act_that_waits_fails_when_the_sandbox_stops(sandbox: Sandbox, bot: SampleBot) -> None:
    act = asyncio.create_task(sandbox.user("Alice").slash(sandbox.channel("lobby"), "silent"))
    await sandbox.wait_for(lambda: sandbox.transcript.events)
    await sandbox.stop()
    assert (await asyncio.wait_for(act, 1)).failed
