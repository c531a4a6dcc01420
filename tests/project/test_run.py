"""`cardroom run` for real: sandbox and bot come up, end cleanly, and come up again where they were."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.fork_server import ForkServer

ROOT = Path(__file__).parents[2]
SANDBOX_TOKEN = "a-token-for-this-test"


@contextmanager
def cardroom(folder: Path) -> Iterator[str]:
    """`cardroom run` with its data in a folder, and the sandbox's address; ended as by Ctrl-C, within 5 seconds."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "CARDROOM_"))}
    log = folder / "log"
    with log.open("a") as errors:
        launcher = subprocess.Popen(
            [sys.executable, "-X", "dev", "-W", "error", "-m", "bot.launcher", "run"],
            cwd=folder,
            env={**inherited, "PYTHONPATH": str(ROOT), "CARDROOM_PORT": "0", "SANDBOX_TOKEN": SANDBOX_TOKEN},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        try:
            assert launcher.stdout is not None
            said = launcher.stdout.readline()
            ready = re.fullmatch(r"Cardroom is ready: (http://127\.0\.0\.1:\d+)/\?person=Alice#key=\S{32}\n", said)
            assert ready is not None, f"{said}\n{log.read_text()}"
            yield ready[1]
            asked = time.monotonic()
            launcher.send_signal(signal.SIGINT)
            rest, _ = launcher.communicate(timeout=60)
            assert time.monotonic() - asked < 5
            assert rest.endswith("Cardroom has stopped.\n")
            assert launcher.returncode == 0
            assert "level=error" not in log.read_text()
        finally:
            if launcher.poll() is None:
                launcher.terminate()
                launcher.communicate(timeout=60)


def discord(address: str, path: str, body: object = None) -> Any:
    """What the sandbox's API answers to the bot's token."""
    request = urllib.request.Request(
        f"{address}/api/v10{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bot {SANDBOX_TOKEN}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def page(address: str) -> str:
    """The page a browser is given."""
    with urllib.request.urlopen(f"{address}/?person=Alice", timeout=60) as answer:
        text: str = answer.read().decode()
        return text


@pytest.mark.nightly  # four processes, with Python's own checks
def test_run_comes_up_ends_and_comes_up_again(tmp_path: Path) -> None:
    with cardroom(tmp_path) as address:
        assert "<html" in page(address)
        application = discord(address, "/oauth2/applications/@me")["id"]
        commands = {each["name"] for each in discord(address, f"/applications/{application}/commands")}
        assert commands >= {"haymaker", "games", "leaderboard", "help"}
        (server, *_) = discord(address, "/users/@me/guilds")
        (channel, *_) = discord(address, f"/guilds/{server['id']}/channels")
        discord(address, f"/channels/{channel['id']}/messages", {"content": "until later"})

    with cardroom(tmp_path) as address:
        assert {each["name"] for each in discord(address, f"/applications/{application}/commands")} == commands
        (kept, *_) = discord(address, f"/channels/{channel['id']}/messages")
        assert kept["content"] == "until later"
    assert {entry.name for entry in (tmp_path / "data").iterdir()} >= {"heartbeat", "sandbox.json"}


SECRET = "MTIzNDU2Nzg5.Gabcde.not-to-be-shown-to-anybody"


@pytest.mark.parametrize(
    ("key", "environ", "env_file"),
    [
        ("DISCORD_TOKEN", {}, ""),
        ("DISCORD_TOKEN", {"DISCORD_TOKEN": f"Bot {SECRET}"}, ""),
        ("CARDROOM_DATA_DIR", {"CARDROOM_DATA_DIR": "log/data"}, ""),
        ("CARDROOM_DATA_DIR", {"CARDROOM_DATA_DIR": "/proc/self/fdinfo"}, ""),
        ("CARDROOM_TOKEN", {"CARDROOM_TOKEN": SECRET}, ""),
        ("DISCORD_TOKENS", {}, f"DISCORD_TOKENS={SECRET}\n"),
        ("CARDROOM_MAX_MATCHES_PER_SERVER", {"CARDROOM_MAX_MATCHES_PER_SERVER": SECRET}, ""),
        ("CARDROOM_PORT", {}, f"CARDROOM_PORT={SECRET}\n"),
        (".env", {}, f"{SECRET}\n"),
    ],
    ids=[
        "no token",
        "no token alone",
        "bad path",
        "unwritable",
        "unknown",
        "unknown in file",
        "type",
        "type in file",
        "line",
    ],
)
def test_a_bad_configuration_ends_the_bot_with_one_line_that_names_the_key(
    tmp_path: Path, fork_server: ForkServer, key: str, environ: dict[str, str], env_file: str
) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("DISCORD_", "CARDROOM_"))}
    (tmp_path / "log").touch()
    (tmp_path / ".env").write_text(env_file)
    ended = fork_server.run("bot", environ={**inherited, **environ}, folder=tmp_path)
    assert (ended.returncode, ended.stdout) == (78, "")
    assert ended.stderr.startswith(f"cardroom: {key}: ")
    assert ended.stderr.count("\n") == 1
    assert SECRET not in ended.stderr
