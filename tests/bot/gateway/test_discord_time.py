"""Discord's time of day, learned from ids and replies."""

from __future__ import annotations

import asyncio
import time
from email.utils import formatdate

import pytest

from bot.gateway.discord_time import DiscordTime

_EPOCH = 1_420_070_400_000


def note(learned: DiscordTime, ahead: float, delay: float = 0.0) -> None:
    """Let an id come that Discord, whose clock is so many seconds `ahead`, made `delay` seconds ago."""
    learned.note_id((round((time.time() + ahead - delay) * 1000) - _EPOCH) << 22)


async def test_as_long_as_nothing_came_the_machine_is_believed() -> None:
    assert DiscordTime().ahead == 0


async def test_an_id_tells_the_time_to_a_millisecond() -> None:
    learned = DiscordTime()
    note(learned, 3600)
    assert abs(learned.ahead - 3_600_000) <= 2


async def test_what_was_slow_on_its_way_makes_nothing_late() -> None:
    learned = DiscordTime()
    for delay in (4.0, 0.1, 30.0, 0.2, 9.0):
        note(learned, -3600, delay)
        await asyncio.sleep(6)
    assert -3_600_250 <= learned.ahead <= -3_600_000


async def test_one_wrong_id_is_not_believed() -> None:
    learned = DiscordTime()
    for ahead in (60.0, 7200.0, 60.0):
        note(learned, ahead)
        await asyncio.sleep(6)
    assert abs(learned.ahead - 60_000) <= 2


async def test_a_jump_of_the_machines_clock_is_known_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    learned = DiscordTime()
    note(learned, 0)
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + 3_600_000_000_000)
    assert abs(learned.ahead + 3_600_000) <= 2


async def test_what_was_learned_stays_for_days() -> None:
    learned = DiscordTime()
    note(learned, 3600)
    await asyncio.sleep(5 * 86_400)
    assert abs(learned.ahead - 3_600_000) <= 2


async def test_the_date_of_a_reply_tells_it_to_a_second() -> None:
    learned = DiscordTime()
    learned.note_reply({"Date": formatdate(time.time() + 3600, usegmt=True)})
    assert abs(learned.ahead - 3_600_000) <= 501


@pytest.mark.parametrize("date", ["", "today", "Mon, 99 Foo 2026 00:00:00 GMT"])
async def test_a_date_that_is_none_says_nothing(date: str) -> None:
    learned = DiscordTime()
    learned.note_reply({"Date": date})
    learned.note_reply({})
    assert learned.ahead == 0
