"""Decides when to warn a player who must answer that their time is running out: once per question.

Players who pressed something lately are warned too, because their clock still runs. Nobody is while it stands, and who
was before is warned again when it resumes. A restart warns nobody twice:
deadlines are moved by the time away, so a warning that is due at that moment was due before the restart.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.play.clocks.deadlines import Deadlines
from bot.play.clocks.match_clock import MatchClock
from bot.play.live_match import LiveMatch
from bot.scheduler import Scheduler
from bot.store.queries.matches import TimerRow
from bot.time_controls import warning_lead
from cogs.updates.match_notices import MatchNotices
from engines.game import Seat, Seconds

AGAIN = 5_000
"""Milliseconds after which a warning that came due while all clocks were paused is checked again."""


class TimeWarnings:
    """Warns players in time, but not while all clocks are paused."""

    def __init__(self, scheduler: Scheduler, clock: MatchClock, notices: MatchNotices) -> None:
        self._now = scheduler.now
        self._clock = clock
        self.notices = notices
        self._alarms = Deadlines(scheduler)

    def restore(self, match: LiveMatch, timers: Iterable[TimerRow]) -> None:
        """Restore a match of an earlier process. Warnings that were due before it ended count as given.

        `timers` are the deadlines as the store has them, which the clock has credited with the time away.
        """
        for seat in match.awaited:
            due = _due(match, seat, timers)
            if due is not None and due <= self._clock.credited_at:
                self.notices.was_due(match, seat)

    @property
    def idle(self) -> bool:
        """Whether no player waits for a warning."""
        return self._alarms.idle

    def match_changed(self, match: LiveMatch) -> None:
        """Set the warnings of the players whom the match waits for, and drop those of the others."""
        for seat in range(len(match.seats)):
            stands = max(match.away.get(seat, 0), match.rests_until or 0)
            if stands and self.notices.is_warned(match, seat):
                self.notices.forget_warning(match, seat)
            waits = seat in match.awaited and not match.has_computer(seat) and not self.notices.is_warned(match, seat)
            due = _due(match, seat, match.position.timers) if waits else None
            if due is None:
                self._alarms.clear(_owner(match, seat))
            else:
                self._set(match, seat, match.window_number, max(due, stands))

    def close(self) -> None:
        """Drop all warnings."""
        self._alarms.close()

    def _set(self, match: LiveMatch, seat: Seat, window: int, due: int) -> None:
        call = TimerRow(match.id, "warning", str(seat), due)
        self._alarms.set(_owner(match, seat), (call,), lambda _: self._ring(match, seat, window))

    def _ring(self, match: LiveMatch, seat: Seat, window: int) -> None:
        if window != match.window_number:
            return
        if self._clock.paused:
            self._set(match, seat, window, self._now() + AGAIN)
            return
        self._alarms.clear(_owner(match, seat))
        self.notices.warn(match, seat)


def _owner(match: LiveMatch, seat: Seat) -> str:
    return f"{match.id}.{seat}"


def _due(match: LiveMatch, seat: Seat, timers: Iterable[TimerRow]) -> int | None:
    """When to warn a seat of the nearest of these deadlines (ms UTC), or that its bank is soon empty; None if there is
    no warning.

    This considers only lengths from the time control, and only timers that players may know of.
    """
    window, banks, own = match.position.window, match.banks, match.due_for(seat)
    if banks is not None and own is not None:
        ahead = warning_lead(banks.of(seat) // 1000)
        return None if ahead is None else own - 1000 * ahead
    lengths = {
        (timer.name, timer.key): warning_lead(match.time_control.length(timer.length))
        for timer in (window.timers if window else ())
        if timer.shown and not isinstance(timer.length, Seconds)
    }
    found = [(row.deadline, lengths.get((row.name, row.key))) for row in timers]
    nearest = min(((deadline, deadline - 1000 * ahead) for deadline, ahead in found if ahead is not None), default=None)
    return None if nearest is None else nearest[1]
