"""The bot as a process of its own that may be killed."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.ops import backups
from discord_sandbox import Sandbox
from tests.faults.bot_process import PATIENCE, ForkedBot
from tests.fork_server import ForkServer


@pytest.fixture(autouse=True)
def _released_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine that runs the tests may have any clock."""
    monkeypatch.setattr(backups, "RELEASED", datetime(1970, 1, 1, tzinfo=UTC))


@pytest.fixture
async def forked_bot(fork_server: ForkServer, sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[ForkedBot]:
    sandbox.limits.first_response = PATIENCE
    bot = ForkedBot(fork_server, sandbox, tmp_path)
    try:
        yield bot
    finally:
        if bot.alive:
            await bot.stop(signal.SIGKILL)
