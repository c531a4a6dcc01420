"""Faults in clocks and times, in backups and purges."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bot.ops import backups
from bot.play.clocks.match_clock import MatchClock
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused, Unsaved
from bot.scheduler import LoopScheduler
from bot.store.rows import Record
from engines.game import IllegalAction, TimeUp
from tests.simulation import disk
from tests.simulation.planted.fault import Fault, replaced
from tests.simulation.weather_fields import Weather

_CLOCKS: Final = frozenset({"due clocks ring"})
_io_error = disk.io_error


def _any_error() -> Exception:
    error = _io_error()
    error.sqlite_errorcode = 11  # SQLITE_CORRUPT: the file cannot be read just now
    error.sqlite_errorname = "SQLITE_CORRUPT"
    return error


async def _time_up(self: Any, match: LiveMatch, timer: Any) -> None:
    """As it was before any error of the store was caught."""
    if not self._is_running(match, timer):
        return
    if self.now() < self._due(match, timer):
        self.follow(match)
        return
    try:
        await match.act(None, TimeUp(timer.name, timer.key))
    except IllegalAction:
        return
    except Unsaved:
        soonest = self.now() + 30_000
        await match.postpone(lambda _: soonest)
    except Refused:
        return
    self.settle(match)
    self._observers.match_changed(match)


async def _make_with_timers_first(self: Any, actor: Any, action: Any, interaction_id: int | None) -> None:
    """As `LiveMatch._make`, but the new deadlines run before the move is saved."""
    events, state = await self._decide(actor, action)
    now = self._now()
    position = self._position_of(state, self._position.acts + 1, now, self._position.timers)
    encoded = self._codec.encode(action), self._codec.encode_all(events)
    record = Record(self.id, position.acts, interaction_id, actor, *encoded, now)
    result = self._result_of(position, now)
    self._position = replace(self._position, timers=position.timers)
    await self._write(self._store.append(record, position.timers, result))
    asked = self.window_number
    self._position = position
    if self.window_number != asked:
        self._asked_at = now
    self._moved = self._moved or actor is not None
    self._events.extend(events)
    self._set_result(result)


def _by_name(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{backups.PREFIX}*.db"), key=lambda file: file.name.split("-")[-1])


def _retain(folder: Path, kept: int, *_: Any, **__: Any) -> None:
    for old in _by_name(folder)[:-kept]:
        old.unlink(missing_ok=True)


CLOCKS: Final = (
    Fault(
        "A5",
        "backups go by the times in their names",
        frozenset({"backups exist"}),
        Weather(
            games=("haymaker",),
            tables=1,
            thinking=300.0,
            clocks=("daily",),
            clock_steps=3.0,
            clock_step_seconds=172_800.0,
        ),
        (1, 2, 3),
        3.0,
        (replaced(backups, "made", _by_name), replaced(backups, "retain", _retain)),
        {"CARDROOM_BACKUP_HOURS": "0.1", "CARDROOM_BACKUPS_KEPT": "2"},
    ),
    Fault(
        "A10",
        "the machine's clock is read once, at the start",
        frozenset({"shown times are right"}),
        Weather(games=("haymaker",), tables=1, thinking=30.0, clocks=("relaxed",), clock_steps=4.0),
        (1, 2),
        0.7,
        (replaced(LoopScheduler, "drift", lambda _self: 0),),
    ),
    Fault(
        "E2",
        "an error of the store that nobody thought of ends the clock",
        _CLOCKS,
        Weather(
            games=("haymaker",),
            tables=3,
            thinking=5.0,
            clocks=("blitz",),
            absent=1.0,
            store_spells=10.0,
            store_spell_seconds=60.0,
            store_spell_share=0.9,
        ),
        (1, 2, 3),
        0.6,
        (replaced(MatchClock, "_time_up", _time_up), replaced(disk, "io_error", _any_error)),
    ),
    Fault(
        "clock not held",
        "clocks run on while Discord is out of reach",
        frozenset({"clocks are fair"}),
        Weather(
            games=("haymaker",),
            tables=4,
            thinking=5.0,
            clocks=("blitz",),
            absent=0.5,
            outages=20.0,
            outage_seconds=60.0,
        ),
        (1, 2, 3),
        0.6,
        (replaced(MatchClock, "pause", lambda _self: None),),
    ),
    Fault(
        "timers first",
        "the deadlines of a move run before it is saved",
        frozenset({"due clocks ring", "clocks are fair", "boards are true"}),
        Weather(
            games=("haymaker",),
            tables=3,
            thinking=3.0,
            clocks=("blitz",),
            absent=0.5,
            store_spells=40.0,
            store_spell_seconds=40.0,
            store_spell_share=0.6,
        ),
        (1, 2, 3),
        0.6,
        (replaced(LiveMatch, "_make", _make_with_timers_first),),
    ),
)
