"""A bot of another library, unmodified and in a process of its own, on the sandbox."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from discord_sandbox import Sandbox
from discord_sandbox.run import bot_process

pytestmark = pytest.mark.real_time

PROGRAM = Path(__file__).parent / "bots" / "hikari_bot.py"
PYTHON = Path(sys.prefix) / "conformance" / "bin" / "python"
UP_WITHIN = 30.0


@pytest.fixture
async def process(sandbox: Sandbox) -> AsyncIterator[Process]:
    """The program, connected to the gateway; at the end it is gone."""
    assert PYTHON.exists(), "`make test` and `make conformance` set up the Python with the other library"
    environ = bot_process.environment(os.environ, sandbox.api_base, sandbox.gateway_url, sandbox.token)
    program = await asyncio.create_subprocess_exec(
        PYTHON, "-X", "dev", "-W", "error", PROGRAM, env=environ, stdout=PIPE, stderr=PIPE
    )
    try:
        await sandbox.wait_for(lambda: sandbox.backend.gateway.connected or program.returncode is not None, UP_WITHIN)
        assert program.returncode is None, (await program.communicate())[1].decode()
        yield program
    finally:
        if program.returncode is None:
            program.kill()
            await program.communicate()


async def test_it_connects_syncs_and_answers_a_command_a_button_and_a_modal(sandbox: Sandbox, process: Process) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    assert {each["name"] for each in alice.commands(lobby)} == {"offer", "ask"}
    deferred = await alice.slash(lobby, "offer", opponent=bob)
    assert (deferred.kind, deferred.visibility) == ("deferred", "public")
    await sandbox.wait_for(lambda: deferred.message.labels == ["Take"], UP_WITHIN)
    assert deferred.text == f"{bob.mention}: a game?"
    taken = await bob.press(deferred.message, label="Take")
    assert (taken.kind, taken.text, taken.message.buttons) == ("update", "Bob took the offer", [])
    await sandbox.wait_for(lambda: lobby.for_only(bob), UP_WITHIN)
    assert lobby.for_only(bob)[0].text == "Good luck!"
    opened = (await alice.slash(lobby, "ask")).modal
    assert opened.title == "A name"
    reply = await alice.submit(opened, {"Your name": "Al"})
    assert (reply.visibility, reply.text) == ("ephemeral", "Hello, Al!")


async def test_it_resumes_after_a_cut_and_leaves_when_told(sandbox: Sandbox, process: Process) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    sandbox.drop_gateway()
    await sandbox.wait_for(lambda: not sandbox.backend.gateway.connected, UP_WITHIN)
    act = asyncio.create_task(alice.slash(lobby, "ask"))
    assert (await act).kind == "modal"
    process.send_signal(signal.SIGTERM)
    _, errors = await asyncio.wait_for(process.communicate(), 10)
    assert process.returncode == 0, errors.decode()
