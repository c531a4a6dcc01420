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
from tests.known import there

SHORTEST = Haymaker.info.shortest_counted


async def resigned(acts: int, *, seen: bool = False) -> LiveMatch:
    """A match of Haymaker in which one player resigns, as the last of so many acts. The other has made all before."""
    match = LiveMatch(rows.match(), AsyncMock(), lambda: 2000, NO_TELEMETRY)
    match.deal()
    rng = random.Random(acts)
    (first,) = match.awaited
    while match.position.acts < acts - 1 and match.awaited == {first}:
        await match.act(first, random_act(match.choices(first), rng), window=None, interaction_id=None)
    if seen:
        match.note_hand_seen(1 - first)
    await match.act(1 - first, Resign(), window=None, interaction_id=None)
    return match


@pytest.mark.parametrize("shortest", [1, 2, SHORTEST, 7])
def test_a_match_counts_from_its_games_least_length_on(shortest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody leaves who has neither acted nor looked at their hand."""
    monkeypatch.setattr(Haymaker, "info", replace(Haymaker.info, shortest_counted=shortest))
    for acts in (1, 2):
        match = asyncio.run(resigned(acts))
        assert there(match.result).counted is (match.position.acts >= shortest)
        assert not match.counts_though_short


@pytest.mark.parametrize("acts", [1, 2])
def test_c_10_who_leaves_after_seeing_a_hand_is_counted_from_the_first_act_on(acts: int) -> None:
    """C-10."""
    match = asyncio.run(resigned(acts, seen=True))
    assert match.position.acts == acts < SHORTEST
    assert there(match.result).counted
    assert match.counts_though_short


def test_c_10_an_act_says_as_much_as_a_look() -> None:
    """C-10. It is in the log, so a restart doesn't change it."""

    async def left() -> LiveMatch:
        match = LiveMatch(rows.match(), AsyncMock(), lambda: 2000, NO_TELEMETRY)
        match.deal()
        (first,) = match.awaited
        await match.act(first, random_act(match.choices(first), random.Random(1)), window=None, interaction_id=None)
        await match.act(first, Resign(), window=None, interaction_id=None)
        return match

    match = asyncio.run(left())
    assert (match.position.acts, there(match.result).counted) == (2, True)
