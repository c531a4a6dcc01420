"""What the README and the reference say: their bots and tests run as they are written there, and nothing is missing."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import re
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import discord_sandbox
from discord_sandbox import Sandbox
from discord_sandbox.__main__ import main
from discord_sandbox.run import bot_process

FOLDER = Path(__file__).parents[1]
README = (FOLDER / "README.md").read_text(encoding="utf-8")
REFERENCE = (FOLDER / "docs" / "reference.md").read_text(encoding="utf-8")
HIKARI = Path(sys.prefix) / "conformance" / "bin" / "python"
UP_WITHIN = 30.0


def program(name: str) -> str:
    """A program of the README, which begins with its file's name."""
    (found,) = [
        each for each in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if each.startswith(f"# {name}\n")
    ]
    return str(found)


@asynccontextmanager
async def running(folder: Path, name: str, python: Path) -> AsyncIterator[Sandbox]:
    """A sandbox with a bot of the README on it, as `--exec` starts it."""
    (folder / name).write_text(program(name))
    async with Sandbox.running() as sandbox:
        environ = bot_process.environment(os.environ, sandbox.api_base, sandbox.gateway_url, sandbox.token)
        process = await asyncio.create_subprocess_exec(python, name, cwd=folder, env=environ, stdout=PIPE, stderr=PIPE)
        try:
            await sandbox.wait_for(lambda: sandbox.commands() and sandbox.gateway.connected, UP_WITHIN)
            yield sandbox
        finally:
            process.kill()
            await process.communicate()


@pytest.mark.real_time
async def test_the_bot_of_discord_py_runs_as_it_is(tmp_path: Path) -> None:
    async with running(tmp_path, "ping.py", Path(sys.executable)) as sandbox:
        reply = await sandbox.user("Alice").slash(sandbox.channel("lobby"), "ping")
        assert (reply.visibility, reply.text) == ("ephemeral", "Hello, Alice!")


@pytest.mark.real_time
async def test_the_bot_of_hikari_runs_as_it_is(tmp_path: Path) -> None:
    async with running(tmp_path, "pong.py", HIKARI) as sandbox:
        reply = await sandbox.user("Alice").slash(sandbox.channel("lobby"), "pong")
        assert (reply.visibility, reply.text) == ("public", "ping")


def test_the_tests_pass_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "test_ping.py").write_text(program("test_ping.py"))
    command = [sys.executable, "-m", "pytest", "-q", "-o", "asyncio_mode=auto", "test_ping.py"]
    done = subprocess.run(command, cwd=tmp_path, text=True, capture_output=True, timeout=60, check=False)
    assert "2 passed" in done.stdout, done.stdout + done.stderr


def test_the_world_of_the_reference_can_be_built() -> None:
    (plan,) = re.findall(r"```json\n(.*?)```", REFERENCE, re.DOTALL)
    sandbox = Sandbox(json.loads(plan))
    assert [each.name for each in sandbox.people] == ["Alice", "Bob"]
    assert sandbox.channel("dealers").record.parent_id is not None


def test_every_option_of_the_program_is_in_the_reference(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    rows = "\n".join(re.findall(r"^\| `--.*$", REFERENCE, re.MULTILINE)) + REFERENCE.partition("```\n\nstarts")[0]
    assert {each for each in options if each not in rows} == set()


def test_every_public_module_is_in_the_reference_and_can_be_imported() -> None:
    named = set(re.findall(r"^\| `(discord_sandbox[\w.]*)` \|", REFERENCE, re.MULTILINE))
    inner = {"api", "bot_patch", "clients", "gateway", "model", "run", "service", "validation"}
    folder = Path(discord_sandbox.__file__).parent
    tops = {each.stem for each in folder.iterdir() if each.suffix == ".py" or (each / "__init__.py").is_file()}
    assert {each.split(".")[1] for each in named - {"discord_sandbox"}} == tops - inner - {"__init__", "__main__"}
    for each in named:
        assert importlib.import_module(each).__doc__


def test_every_public_name_says_what_it_is() -> None:
    for name in discord_sandbox.__all__:
        found = getattr(discord_sandbox, name)
        assert getattr(found, "__doc__", None) or name in {"Drop", "Entry", "JsonObject", "Scope"}, name
