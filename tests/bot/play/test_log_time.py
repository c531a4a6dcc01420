"""The times of a log when the machine's clock is set back: they never run backwards, and nobody's time is short."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.play.deals.match_export import ExportedMatch
from bot.play.deals.proof import judge
from bot.play.live_match import LiveMatch
from bot.telemetry import NO_TELEMETRY
from laws.play import random_act
from tests.bot.play.exported import SEALED_AT, row_of
from tests.bot.play.held_matches import Playing
from tests.known import there

HOUR = 3_600_000


async def some_acts(playing: Playing, most: int = 3) -> None:
    for number in range(most):
        playing.now += 1000
        match = playing.match
        (seat,) = match.awaited
        await match.act(seat, random_act(match.choices(seat), random.Random(number)))


def fits(playing: Playing) -> bool:
    """Whether the log as it was written fits, with its result."""
    row, result = playing.row, there(playing.log.ended)
    match = ExportedMatch(row, tuple(playing.log.kept), result, SEALED_AT)
    return judge(match.row, match.records, match.result, match.sealed_at).fits


@pytest.mark.parametrize("restarted", [False, True])
async def test_after_the_clock_was_set_back_no_time_runs_out_too_early_in_the_log(*, restarted: bool) -> None:
    playing = Playing(row_of("haymaker", "default", 2))
    await playing.begin()
    await some_acts(playing)
    playing.now += 5000
    playing.now -= HOUR
    playing.match.shift_time(-HOUR)
    if restarted:
        playing.now += 7000
        again = LiveMatch(playing.row, playing.store, lambda: playing.now, NO_TELEMETRY)
        again.replay(playing.log.kept, playing.match.position.timers)
        playing.match = again
    await playing.run_out()
    assert fits(playing)
    last, before = playing.log.kept[-1], playing.log.kept[-2]
    assert last.at - before.at >= 120_000


async def test_a_match_that_begins_before_it_was_sealed_by_the_clock_begins_when_it_was_sealed() -> None:
    row = row_of("haymaker", "default", 2)
    playing = Playing(replace(row, opened_at=row.opened_at + HOUR))
    await playing.begin()
    await some_acts(playing)
    await playing.run_out()
    assert fits(playing)
    assert playing.log.kept[0].at >= playing.row.opened_at
