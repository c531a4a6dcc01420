"""What people were told about their presses is true."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from tests.simulation import reading
from tests.simulation.happenings import Delivered, Happening, MessageChange, Press, Simulation, Violation
from tests.simulation.happenings import Failed as FailedHappening
from tests.simulation.history import OPENING, History, Log, Moved, Pressed, Told, Written
from tests.simulation.laws.foundation import BaseLaw, Troubles, slowest_way

FAILED_WITHIN: Final = 3.0
"""Seconds after which Discord says that an interaction failed."""
TOLERANCE: Final = 0.5
"""Seconds by which a press that Discord has failed may still come through."""
STUCK_AT_MOST: Final = 12.0
"""Seconds that a press which came in time may wait for the store: it waits five for a lock, in a queue. While the
process stands still it waits for that too."""


def _about(pressed: Pressed) -> str:
    return f"press {pressed.id} ({pressed.custom_id} at {pressed.at:.3f})"


class _LogLaw(BaseLaw, ABC):
    """A law on the log that the disk's images keep: each is judged soon after it was taken, and the last at the end."""

    every = 10.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._judged = 0

    def look(self) -> Iterable[Violation]:
        images = self.history.images[self._judged :]
        self._judged += len(images)
        for image in images:
            if not image.path.exists():
                continue  # the next life went on in it and was killed too: its image has all that this one has
            yield from self.judge(self.history.log_of(image), image.at)

    def end(self) -> Iterable[Violation]:
        return self.look()

    @abstractmethod
    def judge(self, log: Log, at: float) -> Iterator[Violation]:
        """What is wrong with the log that an image of this moment keeps."""


class ConfirmedIsKept(_LogLaw):
    """What somebody was told is made is in the log."""

    name = "confirmed is kept"
    why = "P1: a move that you saw confirmed survives whatever happens to the process, on honest disks."

    def judge(self, log: Log, at: float) -> Iterator[Violation]:
        """Each press that was told made is there."""
        if self.simulation.weather.lying_syncs:
            return
        for pressed in self.history.presses.values():
            if pressed.told is Told.MADE and pressed.told_at < at and not log.keeps(pressed):
                yield self.violation(f"{_about(pressed)} was told made at {pressed.told_at:.3f} and is not in the log")


class RefusedIsNotKept(_LogLaw):
    """What somebody was told is refused is not in the log."""

    name = "refused is not kept"
    why = "F33: who reads that a move was not made decides anew, and the old one must not come back."

    def judge(self, log: Log, at: float) -> Iterator[Violation]:
        """No press that was told refused is there."""
        for pressed in self.history.presses.values():
            if pressed.told is Told.REFUSED and pressed.told_at < at and pressed.id in log.presses:
                yield self.violation(f"{_about(pressed)} was told refused ({pressed.key}) and is in the log")


class AtMostOnce(_LogLaw):
    """A press is applied at most once, however often it arrives."""

    name = "at most once"
    why = "P2: Discord delivers presses twice, and people would move twice."

    def judge(self, log: Log, at: float) -> Iterator[Violation]:
        """No press is there twice."""
        for press, applied in log.times_applied.items():
            if applied > 1:
                yield self.violation(f"press {press} is in the log of {at:.1f} {applied} times")


class FailedIsNotApplied(BaseLaw):
    """What comes after Discord has said that it failed is dropped."""

    name = "failed is not applied"
    why = "F7, F32: after 'This interaction failed' people press again, so a replayed press would be a second move."
    every = 10.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._written: list[Written] = []
        self._troubles = Troubles()

    def begin(self, simulation: Simulation) -> None:
        super().begin(simulation)
        self.history.listen(self._hear_written)

    def hear(self, happening: Happening) -> None:
        self._troubles.hear(happening)

    def _hear_written(self, written: Written | Moved) -> None:
        if isinstance(written, Written):
            self._written.append(written)

    def look(self) -> Iterable[Violation]:
        fresh, self._written = self._written, []
        for written in fresh:
            pressed = self.history.press_of(written)
            if pressed is None or pressed.failed_at is None:
                continue
            came = min((at for at, _ in pressed.delivered if at <= written.at), default=written.at)
            stood = self._troubles.between(came, written.at, "standstill")
            stuck = STUCK_AT_MOST + sum(min(each.until, written.at) - max(each.at, came) for each in stood)
            late = max(came - TOLERANCE, written.at - stuck)
            if late > pressed.failed_at and self.history.is_kept(pressed):
                yield self.violation(
                    f"{_about(pressed)} failed at {pressed.failed_at:.3f}, reached the bot at {came:.3f} "
                    f"and was applied at {written.at:.3f}"
                )

    def end(self) -> Iterable[Violation]:
        return self.look()


class RepeatedIsNotApplied(BaseLaw):
    """Who presses again after an answer that did not come makes no second move, and is told what was made."""

    name = "pressed again"
    why = "P3, F34: 'if Discord says that it failed, press again' is only good advice if nothing is made twice."
    every = 20.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._shown: dict[tuple[int, str], list[float]] = defaultdict(list)
        self._latest: dict[tuple[int, str], Pressed] = {}
        self._pairs: list[tuple[Pressed, Pressed]] = []

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, MessageChange) and happening.reader is not None:
            pressed = self.history.presses.get(happening.press)
            subject = reading.read(happening.data).subject or (pressed.match if pressed is not None else "")
            self._shown[happening.reader, subject].append(happening.at)
        elif isinstance(happening, Press) and happening.id in self.history.presses:
            pressed = self.history.presses[happening.id]
            seat = pressed.person, pressed.match
            former = self._latest.get(seat)
            self._latest[seat] = pressed
            if former is not None and former.same_as(pressed):
                self._pairs.append((former, pressed))

    def look(self) -> Iterable[Violation]:
        ripe = [pair for pair in self._pairs if self.simulation.now - pair[1].at > STUCK_AT_MOST]
        self._pairs = [pair for pair in self._pairs if pair not in ripe]
        for former, again in ripe:
            yield from self._judge(former, again)

    def _judge(self, former: Pressed, again: Pressed) -> Iterable[Violation]:
        """Judge a press, and the next one of that seat, which asks for the same."""
        if former.told not in {Told.FAILED, Told.NOTHING} or again.at < former.at + FAILED_WITHIN:
            return
        if former.verb in OPENING or not self.history.is_kept(former):
            return
        applied = self.history.applied_at(former)
        if any(applied <= shown <= again.at for shown in self._shown[former.person, former.match]):
            return  # they saw a newer screen, so they meant to do it again
        if self.history.is_kept(again):
            yield self.violation(f"{_about(former)} got no answer, and {_about(again)} was applied too")
        elif again.told is Told.REFUSED and again.key == "press.stale":
            yield self.violation(f"{_about(former)} got no answer, and {_about(again)} was told stale")


class FreshIsAnswered(BaseLaw):
    """A press that reaches a bot which can work gets its answer, though one connection may be cut."""

    name = "fresh is answered"
    why = "X4, X5: a cut connection or one odd id must not cost people their answers."
    every = 10.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._troubles = Troubles()
        self._delivered: dict[int, Delivered] = {}
        self._pressed: dict[int, Press] = {}
        self._failed: dict[int, float] = {}

    def hear(self, happening: Happening) -> None:
        self._troubles.hear(happening)
        if isinstance(happening, Press):
            self._pressed[happening.id] = happening
        elif isinstance(happening, Delivered):
            self._delivered.setdefault(happening.press, happening)
        elif isinstance(happening, FailedHappening):
            self._failed[happening.press] = happening.at

    def look(self) -> Iterable[Violation]:
        failed, self._failed = self._failed, {}
        if not self._applies():
            return
        for press, failed_at in failed.items():
            pressed, delivered = self._pressed.get(press), self._delivered.get(press)
            if pressed is None or delivered is None or delivered.at > pressed.at + 1.0:
                continue
            begin, end = pressed.at - 1.0, failed_at
            lives = [life for life in self._troubles.lives if begin - 30.0 <= life.at <= end]
            disturbances = self._troubles.between(begin, end)
            if lives or len(disturbances) > 1 or any(each.kind != "cut" for each in disturbances):
                continue
            yield Violation(
                self.name,
                failed_at,
                f"press {press} ({pressed.custom_id or pressed.command}) of {pressed.at:.3f} reached the bot at "
                f"{delivered.at:.3f} and got no answer",
            )

    def end(self) -> Iterable[Violation]:
        return self.look()

    def _applies(self) -> bool:
        """Whether nothing can keep an answer away in this weather that is not recorded."""
        weather = self.simulation.weather
        return (
            weather.processes == 1
            and not weather.rate429
            and not weather.rate5xx
            and not weather.lost_answers
            and not weather.connection_refusals
            and not weather.rate_limits
            and not weather.one_way_losses
            and not weather.event_delays
            and not weather.second_bots
            and not weather.step_cost
            and not weather.store_spells
            and not weather.failed_syncs
            and weather.disk_latency <= 0.05
            and slowest_way(weather) <= 0.25
        )
