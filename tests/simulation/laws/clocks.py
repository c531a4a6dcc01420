"""Clocks ring when they are due and not before, and show the right time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.gateway.connectivity import AWAY_SECONDS, BEAT_SECONDS
from bot.play.clocks.deadlines import GRACE, UNSEEN
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.time_controls import resume_grace
from cogs.screens.board import shown_deadline
from cogs.updates.shown_records import LITTLE, SOON
from engines.game import TimeUp
from tests.simulation import reading
from tests.simulation.happenings import Bot, Delete, Happening, MessageChange, Simulation, Violation
from tests.simulation.history import History, Moved, Written
from tests.simulation.kernel import EPOCH
from tests.simulation.laws.foundation import Attendance, BaseLaw, Troubles, requests_fail, slowness

Key = tuple[str, str, str]
"""Match, name and key of a timer."""

RINGS_WITHIN: Final = 90.0
"""Seconds beyond its grace after which a due clock must have rung."""
CREDITED_FROM: Final = 16.0
"""A standstill of so many seconds is noticed by the bot and given back: the bound, and one beat of its heart."""
CLOCK_ERROR: Final = 3.0
"""Seconds by which what the simulator saw and what the bot saw may differ: its looks are seconds apart."""
RIGHT_WITHIN: Final = 90.0
"""Seconds after which a time that is shown follows a clock that was put right."""
SHOWN_ERROR: Final = 5
"""Seconds by which a shown time may be wrong: it is shown in whole seconds."""
RESUMED_ERROR: Final = 1.0
"""Seconds by which the grace of a resumed clock may be rounded."""


class DueClocksRing(BaseLaw):
    """While the bot is connected, no deadline is overdue for long."""

    name = "due clocks ring"
    why = "E2, F42: a clock that was forgotten leaves a match waiting for ever."
    every = 5.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._attendance = Attendance()
        self._troubles = Troubles()
        self._overdue: dict[Key, float] = {}

    def hear(self, happening: Happening) -> None:
        self._troubles.hear(happening)

    def look(self) -> Iterable[Violation]:
        bot = self._attendance.look(self.simulation)
        if bot is None or bot.app is None:
            self._overdue.clear()
            return
        now, clock = self.simulation.now, bot.app.clock
        disturbed = self._troubles.last("store error", "standstill", "silence", "cut")
        overdue: dict[Key, float] = {}
        for match in bot.app.matches.live():
            for timer in () if match.inactive else match.position.timers:
                if clock.now() - timer.deadline > GRACE + UNSEEN:
                    running = timer.match_id, timer.name, timer.key
                    overdue[running] = max(self._overdue.get(running, now), disturbed, self._attendance.since)
        self._overdue = overdue
        for (match_id, name, key), since in list(overdue.items()):
            if now - since > RINGS_WITHIN + slowness(self.simulation.weather):
                self._overdue[match_id, name, key] = now  # say it once
                yield self.violation(f"match {match_id}: the clock {name} {key} is due since {since:.0f}")


@dataclass(slots=True)
class _Question:
    """A deadline that runs: since when, how many seconds it gives, and for how many of them nobody could play.

    `length` is how many it gave when it was set.
    """

    since: float
    seconds: float
    length: float
    away: float = 0.0
    life: int = 0
    """Who had the match when that was last looked at."""
    is_away: bool = False
    """Whether nobody could play it then."""
    unnoticed: float = 0.0
    """For how many further seconds that may have been so: the bot gives back an outage from its last heartbeat on, and
    is seen to be away `AWAY_SECONDS` later."""


class ClocksAreFair(BaseLaw):
    """No clock rings before the time was there to be used, and none gives more than that."""

    name = "clocks are fair"
    why = "F21, F22, P4: nobody loses by time that they could not use, because the bot or Discord was away."
    every = 2.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._troubles = Troubles()
        self._questions: dict[Key, _Question] = {}
        self._suspended: set[str] = set()
        self._looked = 0.0
        self._found: list[Violation] = []
        self._games: dict[str, str] = {}
        self._before: dict[Key, float] = {}

    def begin(self, simulation: Simulation) -> None:
        super().begin(simulation)
        self.history.listen(self._written)

    def hear(self, happening: Happening) -> None:
        self._troubles.hear(happening)

    def look(self) -> Iterable[Violation]:
        before, now = self._looked, self.simulation.now
        bots = [bot for bot in self.simulation.bots if bot.ready and bot.connected]
        for (match_id, _, _), question in self._questions.items():
            playing = self._who_plays(match_id, bots)
            question.life = question.life if playing is None else playing.number
            if playing is None and not question.is_away:
                question.unnoticed += AWAY_SECONDS + BEAT_SECONDS
            question.is_away = playing is None
            if playing is None or match_id in self._suspended:
                question.away += now - before
            else:
                question.away += self._stood(question, now)
        self._looked = now
        found, self._found = self._found, []
        yield from found

    def _stood(self, question: _Question, until: float) -> float:
        """For how many seconds since the last look the process that has a question's match stood still."""
        since = max(self._looked, question.since)
        return sum(
            min(each.until, until) - max(each.at, since)
            for each in self._troubles.between(since, until, "standstill")
            if each.until - each.at > CREDITED_FROM and each.life == question.life
        )

    def _who_plays(self, match_id: str, bots: Sequence[Bot]) -> Bot | None:
        """The bot with which a match can be played: of several processes the one that has it."""
        if self.simulation.weather.processes == 1:
            return bots[0] if bots else None
        return next((bot for bot in bots if bot.app is not None and bot.app.matches.playing(match_id)), None)

    def end(self) -> Iterable[Violation]:
        yield from self._found

    def _written(self, written: Written | Moved) -> None:
        if isinstance(written, Moved):
            self._moved(written)
            return
        record = written.record
        if record.seq > 0:
            self._check(written)
        running = {(record.match_id, timer.name, timer.key) for timer in written.timers}
        for key in [key for key in self._questions if key[0] == record.match_id and key not in running]:
            del self._questions[key]
        for timer in written.timers:
            key = record.match_id, timer.name, timer.key
            seconds = (timer.deadline - record.at) / 1000
            self._questions.setdefault(key, _Question(written.at, seconds, seconds))

    def _check(self, written: Written) -> None:
        """Whether a clock that has rung was due."""
        record = written.record
        game = self._game(record.match_id)
        action = (
            None
            if record.actor is not None or record.action is None or game is None
            else codec(game).decode(record.action)
        )
        if not isinstance(action, TimeUp):
            return
        question = self._questions.get((record.match_id, action.timer, action.key))
        if question is None:
            return
        usable = written.at - question.since - question.away - self._stood(question, written.at)
        if usable < question.seconds - CLOCK_ERROR:
            self._found.append(
                Violation(
                    self.name,
                    written.at,
                    f"match {record.match_id}: the clock {action.timer} {action.key} of {question.seconds:.0f} s rang "
                    f"after {usable:.1f} s that could be used",
                )
            )

    def _game(self, match_id: str) -> str | None:
        if match_id not in self._games:
            for bot in self.simulation.bots:
                match = bot.app.matches.playing(match_id) if bot.app is not None else None
                if match is not None:
                    self._games[match_id] = match.game.info.key
        return self._games.get(match_id)

    def _moved(self, moved: Moved) -> None:
        if not moved.resumed:
            self._suspended.add(moved.match)
            for key, question in self._questions.items():
                if key[0] == moved.match:
                    left = question.seconds - (moved.at - question.since - question.away)
                    self._before[key] = min(question.seconds, left + question.unnoticed)
            return
        self._suspended.discard(moved.match)
        for timer in moved.timers:
            key = moved.match, timer.name, timer.key
            self._resumed(moved, key)

    def _resumed(self, moved: Moved, key: Key) -> None:
        """A clock goes on after its match was resumed."""
        before = self._before.pop(key, None)
        question = self._questions.get(key)
        if before is None or question is None:
            return
        deadline = next(timer.deadline for timer in moved.timers if (timer.name, timer.key) == key[1:])
        clocks = [bot.app.clock.now() for bot in self.simulation.bots if bot.app is not None]
        if len(clocks) != 1:
            return
        left = (deadline - clocks[0]) / 1000
        unseen = min(UNSEEN / 1000, slowness(self.simulation.weather))  # its time began when the board showed it
        if left > max(before, 0.0) + unseen + resume_grace(round(question.length)) + RESUMED_ERROR:
            self._found.append(
                Violation(
                    self.name,
                    moved.at,
                    f"match {moved.match}: the clock {key[1]} {key[2]} had {before:.0f} s left when its match was put "
                    f"on hold, and {left:.0f} s when it was resumed",
                )
            )
        self._questions[key] = _Question(moved.at, left, question.length)


class ShownTimesAreRight(BaseLaw):
    """What a board says about the time that is left agrees with Discord's clock, by which people read it."""

    name = "shown times are right"
    why = "A10, F31: a machine whose clock is wrong, or was put right, would show every deadline wrong."
    every = 20.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._attendance = Attendance()
        self._boards: dict[int, reading.Reading] = {}
        self._wrong: dict[str, float] = {}

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, Delete):
            self._boards.pop(happening.message, None)
        elif isinstance(happening, MessageChange) and happening.reader is None:
            self._boards[happening.message] = reading.read(happening.data)

    def look(self) -> Iterable[Violation]:
        bot = self._attendance.look(self.simulation)
        patience = RIGHT_WITHIN + slowness(self.simulation.weather)
        if requests_fail(self.simulation.weather):
            patience += 150.0
        wrong: dict[str, float] = {}
        for match in bot.app.matches.live() if bot is not None and bot.app is not None else ():
            error = self._error(bot, match) if bot is not None else None
            if error is None or abs(error) <= max(SHOWN_ERROR, _shown_later(bot, match)):
                continue
            since = max(self._wrong.get(match.id, self.simulation.now), self._attendance.since)
            wrong[match.id] = since
            if self.simulation.now - since > patience:
                wrong[match.id] = self.simulation.now  # say it once
                yield self.violation(f"match {match.id}: its board shows a time that is {error:.0f} s off")
        self._wrong = wrong

    def _error(self, bot: Bot, match: LiveMatch) -> float | None:
        """By how many seconds the board is wrong; None without a time on it."""
        board = self._boards.get(match.board_id or 0)
        deadline = shown_deadline(match)
        if board is None or deadline is None or match.inactive or bot.app is None:
            return None
        times = board.times()
        if not times:
            return None
        right = EPOCH + self.simulation.now + (deadline - bot.app.clock.now()) / 1000
        return min((shown - right for shown in times), key=abs)


def _shown_later(bot: Bot | None, match: LiveMatch) -> float:
    """How many seconds a far deadline may have moved without being shown yet (decision 34)."""
    deadline = shown_deadline(match)
    if bot is None or bot.app is None or deadline is None:
        return 0.0
    left = (deadline - bot.app.clock.now()) / 1000
    return left / LITTLE if left > SOON else 0.0
