"""`cardroom bot --supervised` for real: the bot answers again once what kept it from starting is gone."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import FAST

ROOT = Path(__file__).parents[2]
UP_WITHIN = 60.0

pytestmark = [pytest.mark.real_time, pytest.mark.slow]  # two starts of a real bot


@contextmanager
def supervised(sandbox: Sandbox, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The command with its data in a folder; ended as `docker stop` does."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("DISCORD_", "CARDROOM_"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.launcher", "bot", "--supervised"],
        cwd=ROOT,
        env={
            **inherited,
            "DISCORD_TOKEN": sandbox.token,
            "DISCORD_API_BASE": sandbox.api_base,
            "CARDROOM_DATA_DIR": str(folder),
            "CARDROOM_PRESSES_PER_SECOND": FAST,
            "CARDROOM_CARD_EMOJIS": "off",
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)
    assert process.returncode == 0


def read_until(process: subprocess.Popen[str], text: str) -> None:
    """Read its standard error up to the line that holds a text."""
    assert process.stderr is not None
    assert any(text in line for line in process.stderr), f"the output ended without {text!r}"


async def test_it_comes_back_from_a_kill_and_ends_when_told(tmp_path: Path) -> None:
    async with Sandbox.running() as sandbox:
        alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
        with supervised(sandbox, tmp_path) as process:
            await sandbox.wait_for_bot(UP_WITHIN)
            assert not (await alice.slash(lobby, "games")).failed
            os.kill(int((tmp_path / "cardroom.db.lock").read_text()), signal.SIGKILL)
            await asyncio.to_thread(read_until, process, "the bot ended by itself (signal SIGKILL)")
            await sandbox.wait_until_bot_left(UP_WITHIN)
            await sandbox.wait_for_bot(UP_WITHIN)
            assert not (await alice.slash(lobby, "games")).failed
