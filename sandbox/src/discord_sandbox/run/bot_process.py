"""Runs another bot, unchanged, on the sandbox: its environment, its start, its end.

The folder `bot_patch` is put on the bot's PYTHONPATH. It points the bot's library at the sandbox; the token
comes in the environment. A Python that ignores PYTHONPATH (-I, -E) or the site module (-S) is not reached.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Mapping
from pathlib import Path

PATCH = Path(__file__).resolve().parents[1] / "bot_patch"
TOKEN_NAMES = ("DISCORD_TOKEN", "DISCORD_BOT_TOKEN", "BOT_TOKEN", "TOKEN")
"""Where bots look for their token."""
NOT_FOR_BOTS = frozenset({"SANDBOX_TOKEN", "SANDBOX_PAGE_KEY"})
"""Variables that are meant for the sandbox itself."""
ENDS_WITHIN = 3.0
"""Seconds a bot has to end after SIGINT, then SIGTERM, before it is killed."""
_BY_SIGNAL = 128


class BotProcessError(Exception):
    """Raised for a command that cannot be run."""


def environment(inherited: Mapping[str, str], api_base: str, gateway: str, token: str) -> dict[str, str]:
    """The environment `inherited`, changed so that a bot finds the sandbox instead of Discord."""
    root = str(
        PATCH.parents[1]
    )  # a launcher may have put the sandbox's own folder on the path, which the bot does not need
    folders = [each for each in inherited.get("PYTHONPATH", "").split(os.pathsep) if each and each != root]
    return {
        **{name: value for name, value in inherited.items() if name not in NOT_FOR_BOTS},
        **dict.fromkeys(TOKEN_NAMES, token),
        "PYTHONPATH": os.pathsep.join([str(PATCH), *folders]),
        "SANDBOX_API_BASE": api_base,
        "SANDBOX_GATEWAY": gateway,
        "DISCORD_API_BASE": api_base,
    }


def words(command: str) -> list[str]:
    """A command line in words, with the program's whole path; raises BotProcessError."""
    try:
        found = shlex.split(command)
    except ValueError as trouble:
        raise BotProcessError(f"--exec: {trouble}") from None
    if not found:
        raise BotProcessError("--exec: there is no command")
    program = shutil.which(found[0])
    if program is None and found[0] in ("python", "python3"):
        program = sys.executable
    if program is None:
        raise BotProcessError(f"--exec: there is no program {found[0]!r}")
    return [program, *found[1:]]


async def run(command: list[str], environ: Mapping[str, str], stop: asyncio.Event) -> int:
    """Run a bot until it ends or `stop` is set. Returns its exit code (128 + n for signal n)."""
    # A process group of its own: its child processes end with it, and Ctrl-C reaches it only through the sandbox.
    process = await asyncio.create_subprocess_exec(
        *command, env=environ, stdin=asyncio.subprocess.DEVNULL, process_group=0
    )
    ended, stopped = asyncio.create_task(process.wait()), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({ended, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            await _end(process)
        code = await ended
    finally:
        stopped.cancel()
        for task in (ended, stopped):
            task.cancel()
        _signal_group(process, signal.SIGKILL)  # any child process that is left
    return code if code >= 0 else _BY_SIGNAL - code


async def _end(process: Process) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        _signal_group(process, number)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(process.wait()), ENDS_WITHIN / 2)
            return


def _signal_group(process: Process, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)
