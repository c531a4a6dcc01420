"""The sample output on the operators' pages is what the commands really print, but for figures, dates and paths."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from bot.ops.maintenance import COMMANDS
from discord_sandbox import Sandbox
from tests.bot.ops.databases import cardroom, environment
from tests.bot.ops.samples import assert_excerpt, masked, samples
from tests.bot.ops.served import free_port, get
from tests.end_to_end.cardroom import eventually
from tests.end_to_end.players import challenge, hand_of, move
from tests.faults.bot_process import forked
from tests.fork_server import ForkServer

STARTED_WITHIN = 60.0


NAMED = {"backups/cardroom-20261122T053530Z.db": "backup", "cardroom.jsonl": "dump"}
"""The files of the samples, by what they are."""


async def connected(port: int) -> bool:
    """Whether the bot says that it is connected. discord.py says so two seconds after the last server was named."""
    health = json.loads((await get(port, "/health"))[1])
    return health["connected"] is True


async def while_a_bot_runs(fork_server: ForkServer, folder: Path, printed: dict[str, list[str]]) -> Path:
    """Play a few moves, and run what may be run beside the bot; the backup that was made."""
    port = free_port()
    plan = {"application": {"name": "Cardroom"}}
    settings = {"CARDROOM_METRICS_PORT": str(port)}
    async with Sandbox.running(plan) as sandbox, forked(fork_server, sandbox, folder, **settings):
        alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
        board = await challenge(alice, bob, sandbox.channel("lobby"))
        for person in (alice, bob):
            await move(person, await hand_of(person, board), random.Random(1))
        connection = {"DISCORD_TOKEN": sandbox.token, "DISCORD_API_BASE": sandbox.api_base}

        async def run(command: str, *arguments: object, **settings: str) -> None:
            done = await asyncio.to_thread(cardroom, folder, command, *arguments, **settings)
            as_typed = " ".join([command, *(sample_name(argument) for argument in arguments)])
            printed[f"cardroom {as_typed}"].append(done.stdout or done.stderr)

        await run("check", **connection)
        await run("backup")
        (backup,) = (folder / "backups").glob("cardroom-*")
        await run("check-backup", backup.relative_to(folder))
        await run("dump", "cardroom.jsonl")
        await run("restore", backup.relative_to(folder))
        await eventually(lambda: connected(port))
        for path in ("health", "metrics"):
            printed[f"curl http://127.0.0.1:9090/{path}"].append((await get(port, f"/{path}"))[1])
    return backup.relative_to(folder)


def sample_name(argument: object) -> str:
    """How the page calls a file that a command is given."""
    kind = "dump" if str(argument).endswith(".jsonl") else "backup"
    (name,) = (name for name, each in NAMED.items() if each == kind)
    return name


def once_it_has_stopped(folder: Path, backup: Path, printed: dict[str, list[str]]) -> None:
    """Run what needs the bot to be stopped."""

    def run(command: str, *arguments: object, **settings: str) -> None:
        done = cardroom(folder, command, *arguments, **settings)
        set_before = "".join(f"{key}={value} " for key, value in settings.items())
        as_typed = " ".join([command, *(sample_name(argument) for argument in arguments)])
        printed[f"{set_before}cardroom {as_typed}"].append(done.stdout or done.stderr)

    run("restore", backup)
    run("rebuild-standings")
    (folder / "cardroom.db").unlink()
    run("load", "cardroom.jsonl")
    run("check", CARDROOM_PURGE_DAYS="0")
    beat = subprocess.run(
        [sys.executable, "-m", "bot.heartbeat"],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    printed["python -m bot.heartbeat"].append(beat.stdout)


def first_lines_of_a_run(folder: Path) -> str:
    """The two lines of `cardroom run` on the sandbox."""
    started = subprocess.Popen(
        [sys.executable, "-m", "bot.launcher", "run"],
        cwd=folder,
        env=environment(folder, CARDROOM_PORT="0", SANDBOX_PAGE_KEY="sample-key"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert started.stdout is not None
        return started.stdout.readline() + started.stdout.readline()
    finally:
        started.terminate()
        started.communicate(timeout=STARTED_WITHIN)


@pytest.mark.nightly  # a process for each command
@pytest.mark.real_time
async def test_every_sample_is_what_the_command_prints(
    tmp_path_factory: pytest.TempPathFactory, fork_server: ForkServer
) -> None:
    printed: dict[str, list[str]] = defaultdict(list)
    folder = tmp_path_factory.mktemp("data")
    backup = await while_a_bot_runs(fork_server, folder, printed)
    await asyncio.to_thread(once_it_has_stopped, folder, backup, printed)
    printed["cardroom run"].append(await asyncio.to_thread(first_lines_of_a_run, tmp_path_factory.mktemp("sandbox")))

    # What `tools.prove` prints takes minutes, so its test runs in virtual time: tests/end_to_end/test_prove.py.
    # `cardroom verify` and `cardroom replay` need a match that is over: tests/bot/ops/test_verify.py,
    # tests/cogs/replays/test_terminal.py.
    elsewhere = ("python -m tools.prove", "cardroom replay", "cardroom verify")
    shown = {command: outputs for command, outputs in samples().items() if not command.startswith(elsewhere)}
    assert shown.keys() == printed.keys()
    for command, outputs in shown.items():
        for sample, real in zip(outputs, printed[command], strict=True):
            assert_shown(masked(sample), masked(real, str(folder)))


def assert_shown(sample: list[str], real: list[str]) -> None:
    """The sample is the whole output, or an excerpt with ellipses."""
    if "…" in sample:
        assert_excerpt(sample, real)
    else:
        assert sample == real


def test_every_command_has_a_sample() -> None:
    shown = {command.split()[1] for command in samples() if command.startswith("cardroom ")}
    assert {*COMMANDS, "check", "replay", "run", "verify"} <= shown
