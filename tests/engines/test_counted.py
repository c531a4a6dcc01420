"""How long a match must have been to count in the standings: the game says it, the live match goes by it."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from unittest.mock import AsyncMock

import pytest

from bot.play.live_match import LiveMatch
from bot.telemetry import NO_TELEMETRY
from engines.game import Resign
from engines.haymaker import Haymaker
from laws.play import random_act
from tests.bot.store import rows

SHORTEST = Haymaker.info.shortest_counted


async def resigned(acts: int) -> LiveMatch:
    """A match of Haymaker that is over by resignation, the last of so many acts."""
    match = LiveMatch(rows.match(), AsyncMock(), lambda: 2000, NO_TELEMETRY)
    match.deal()
    rng = random.Random(acts)
    while match.position.acts < acts - 1:
        (seat,) = match.awaited
        await match.act(seat, random_act(match.choices(seat), rng), window=None, interaction_id=None)
    await match.act(0, Resign(), window=None, interaction_id=None)
    return match


def counted(acts: int) -> bool:
    match = asyncio.run(resigned(acts))
    assert match.result is not None
    assert match.position.acts == acts
    return match.result.counted


@pytest.mark.parametrize("shortest", [1, SHORTEST, 7])
def test_a_match_counts_from_its_games_least_length_on(shortest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Haymaker, "info", replace(Haymaker.info, shortest_counted=shortest))
    assert [counted(acts) for acts in range(1, 9)] == [acts >= shortest for acts in range(1, 9)]
