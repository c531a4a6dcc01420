"""F-38: two bots with one token on two data folders, which no lock can notice."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.gateway.foreign_answers import AGAIN, ENOUGH, WINDOW, ForeignAnswers
from bot.gateway.shards import WATCH_SECONDS
from sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom

SAID = "another process uses this token"


def said(caplog: pytest.LogCaptureFixture) -> int:
    """How often it was said."""
    return sum(SAID in line for line in caplog.messages)


async def test_F_38_both_processes_say_so(
    sandbox: Sandbox, room: Cardroom, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    (tmp_path / "other").mkdir()
    async with cardroom(sandbox, tmp_path / "other") as other:
        for _ in range(ENOUGH + 1):
            asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
            if "Decline" in asked.message.labels:  # the two spoil each other's answers
                await bob.press(asked.message, label="Decline")
        await asyncio.sleep(WATCH_SECONDS + 1)
        assert said(caplog) == 2
        assert {room.client.foreign_answers.noticed, other.client.foreign_answers.noticed} == {True}


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
