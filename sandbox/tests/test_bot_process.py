"""A bot on the sandbox, its code unchanged: `--exec`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from discord_sandbox.run import bot_process

BOT = """
import os, sys
import discord
from discord import app_commands

client = discord.Client(intents=discord.Intents.default())
tree = app_commands.CommandTree(client)

@tree.command(description="Ping")
async def ping(interaction):
    await interaction.response.send_message("pong", ephemeral=True)

@client.event
async def on_ready():
    await tree.sync()
    print("ready on", len(client.guilds), "servers", flush=True)
    if "stay" not in sys.argv:
        await client.close()

client.run(os.environ["DISCORD_TOKEN"])
sys.exit(7)
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A script that knows nothing of any sandbox."""
    path = tmp_path / "other_bot.py"
    path.write_text(BOT)
    return path


@contextmanager
def started(*command: str, cwd: Path, **environ: str) -> Iterator[subprocess.Popen[str]]:
    """A process that is gone at the end."""
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=cwd,
        env={**os.environ, **environ},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_an_unchanged_bot_connects_and_its_exit_code_is_passed_on(bot: Path, tmp_path: Path) -> None:
    record = tmp_path / "traffic.txt"
    arguments = ["--port", "0", "--exec", f"{sys.executable} {bot}", "--transcript", str(record)]
    with started("-m", "discord_sandbox", *arguments, cwd=tmp_path, DISCORD_TOKEN="another") as process:
        said, _ = process.communicate(timeout=30)
    assert process.returncode == 7
    assert "ready on 2 servers" in said
    told = record.read_text()
    assert "PUT /api/v10/applications/" in told
    assert "gateway: READY for shard 0 of 1, 2 servers" in told


def test_ctrl_c_ends_the_bot_and_the_sandbox(bot: Path, tmp_path: Path) -> None:
    arguments = ("--port", "0", "--exec", f"{sys.executable} {bot} stay")
    with started("-m", "discord_sandbox", *arguments, cwd=tmp_path) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("ready"):
                break
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=10)
        assert process.returncode == 7  # discord.py ends quietly on Ctrl-C, and the script goes on
        assert time.monotonic() - begun < 5


def test_what_ends_by_a_signal_gives_128_and_its_number(tmp_path: Path) -> None:
    suicide = f"{sys.executable} -c 'import os; os.kill(os.getpid(), 15)'"
    with started("-m", "discord_sandbox", "--port", "0", "--exec", suicide, cwd=tmp_path) as process:
        process.communicate(timeout=20)
    assert process.returncode == 128 + 15


@pytest.mark.parametrize("command", ["", "no-such-program-anywhere", "'unclosed"])
def test_what_cannot_be_run_is_one_line(command: str, tmp_path: Path) -> None:
    with started("-m", "discord_sandbox", "--port", "0", "--exec", command, cwd=tmp_path) as process:
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 78
    assert errors.startswith("sandbox: --exec: ")
    assert errors.count("\n") == 1


def test_the_environment_is_the_bots_own_but_for_discord() -> None:
    given = {
        "HOME": "/home/x",
        "TOKEN": "real",
        "PYTHONPATH": os.pathsep.join([str(bot_process.PATCH.parents[1]), "/elsewhere"]),
    }
    found = bot_process.environment(given, "http://127.0.0.1:1/api/v10", "ws://127.0.0.1:1/gateway", "t")
    assert found["HOME"] == "/home/x"
    assert {found[name] for name in bot_process.TOKEN_NAMES} == {"t"}
    assert found["PYTHONPATH"].split(os.pathsep) == [str(bot_process.PATCH), "/elsewhere"]


def test_the_shim_imports_nothing_before_the_bot_does_and_runs_the_one_it_hides(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('theirs')")
    environ = bot_process.environment(
        {"PYTHONPATH": str(tmp_path)}, "http://127.0.0.1:1/api/v10", "ws://127.0.0.1:1/g", "t"
    )
    program = """
import sys
print(sorted({"discord", "yarl", "discord_sandbox"} & set(sys.modules)))
from discord.gateway import DiscordWebSocket
from discord.http import Route
print(Route("GET", "/users/@me").url, DiscordWebSocket.DEFAULT_GATEWAY, type(DiscordWebSocket.DEFAULT_GATEWAY).__name__)
"""
    command = [sys.executable, "-c", program]
    said = subprocess.run(command, env=environ, cwd=tmp_path, text=True, capture_output=True, timeout=20, check=True)
    assert said.stdout.splitlines() == [
        "theirs",
        "[]",
        "http://127.0.0.1:1/api/v10/users/@me ws://127.0.0.1:1/g URL",
    ]
