"""F-38: two bots with one token on two data folders, which no lock can notice."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.gateway import shards
from bot.gateway.sessions import AGAIN, ENOUGH, WINDOW, ForeignAnswers
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import cardroom

SAID = "another process uses this token"


def said(caplog: pytest.LogCaptureFixture) -> int:
    """How often it was said."""
    return sum(SAID in line for line in caplog.messages)


async def test_F_38_the_session_of_another_process_is_noticed(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "WATCH_SECONDS", 10.0)
    (tmp_path / "other").mkdir()
    async with cardroom(sandbox, tmp_path) as first, cardroom(sandbox, tmp_path / "other"):
        await asyncio.sleep(11)
        assert first.client.foreign_answers.noticed
        assert said(caplog) == 1


async def test_F_38_presses_on_messages_of_another_process_are_noticed(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path):
        table = (await alice.slash(lobby, "haymaker open")).message
    (tmp_path / "other").mkdir()
    async with cardroom(sandbox, tmp_path / "other") as other:
        for _ in range(ENOUGH):
            assert not other.client.foreign_answers.noticed
            await bob.press(table, label="Join")
        assert other.client.foreign_answers.noticed
        assert said(caplog) == 1


async def test_F_38_it_is_said_once_an_hour_and_not_for_a_single_sign(caplog: pytest.LogCaptureFixture) -> None:
    signs = ForeignAnswers()
    for _ in range(20):
        signs.answered_by_another()
        await asyncio.sleep(WINDOW)
    assert said(caplog) == 0
    for _ in range(ENOUGH):
        signs.answered_by_another()
    assert said(caplog) == 1
    for _ in range(6):
        await asyncio.sleep(AGAIN / 6)
        for _ in range(ENOUGH):
            signs.answered_by_another()
    assert said(caplog) == 2
