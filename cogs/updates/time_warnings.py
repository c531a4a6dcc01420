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
        nearest = _nearest(match, timers)
        if nearest is not None and nearest[1] <= self._clock.credited_at:
            for seat in match.awaited:
                self.notices.was_due(match, seat)

    @property
    def idle(self) -> bool:
        """Whether no player waits for a warning."""
        return self._alarms.idle

    def match_changed(self, match: LiveMatch) -> None:
        """Set the warnings of the players whom the match waits for, and drop those of the others."""
        nearest = _nearest(match, match.position.timers)
        for seat in range(len(match.seats)):
            stands = max(match.away.get(seat, 0), match.rests_until or 0)
            if stands and self.notices.is_warned(match, seat):
                self.notices.forget_warning(match, seat)
            waits = seat in match.awaited and not match.has_computer(seat) and not self.notices.is_warned(match, seat)
            if nearest is None or not waits:
                self._alarms.clear(_owner(match, seat))
            else:
                self._set(match, seat, match.window_number, max(nearest[1], stands))

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


def _nearest(match: LiveMatch, timers: Iterable[TimerRow]) -> tuple[int, int] | None:
    """The nearest of these deadlines and when to warn of it (both ms UTC); None if there is no warning.

    This considers only lengths from the time control, and only timers that players may know of.
    """
    window = match.position.window
    lengths = {
        (timer.name, timer.key): warning_lead(match.time_control.length(timer.length))
        for timer in (window.timers if window else ())
        if timer.shown and not isinstance(timer.length, Seconds)
    }
    found = [(row.deadline, lengths.get((row.name, row.key))) for row in timers]
    return min(((deadline, deadline - 1000 * ahead) for deadline, ahead in found if ahead is not None), default=None)
