"""What people were told about their presses is true."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from tests.simulation import reading
from tests.simulation.happenings import Delivered, Happening, MessageChange, Press, Violation
from tests.simulation.happenings import Failed as FailedHappening
from tests.simulation.history import History, Log, Pressed, Told
from tests.simulation.laws.foundation import BaseLaw, Troubles, slowest_way

FAILED_WITHIN: Final = 3.0
"""Seconds after which Discord says that an interaction failed."""
TOLERANCE: Final = 0.5
"""Seconds by which a press that Discord has failed may still come through."""
STUCK_AT_MOST: Final = 12.0
"""Seconds that a press which came in time may wait for the store: it waits five for a lock, in a queue."""


def _about(pressed: Pressed) -> str:
    return f"press {pressed.id} ({pressed.custom_id} at {pressed.at:.3f})"


class _LogLaw(BaseLaw):
    """A law on the log that the last disk image keeps."""

    def end(self) -> Iterable[Violation]:
        if not self.history.images:
            return
        yield from self.judge(self.history.log())

    def judge(self, log: Log) -> Iterator[Violation]:
        """What is wrong with the log."""
        raise NotImplementedError


class ConfirmedIsKept(_LogLaw):
    """What somebody was told is made is in the log."""

    name = "confirmed is kept"
    why = "P1: a move that you saw confirmed survives whatever happens to the process, on honest disks."

    def judge(self, log: Log) -> Iterator[Violation]:
        """Each press that was told made is there."""
        if self.simulation.weather.lying_syncs:
            return
        for pressed in self.history.presses.values():
            if pressed.told is Told.MADE and not log.keeps(pressed):
                yield self.violation(f"{_about(pressed)} was told made at {pressed.told_at:.3f} and is not in the log")


class RefusedIsNotKept(_LogLaw):
    """What somebody was told is refused is not in the log."""

    name = "refused is not kept"
    why = "F33: who reads that a move was not made decides anew, and the old one must not come back."

    def judge(self, log: Log) -> Iterator[Violation]:
        """No press that was told refused is there."""
        for pressed in self.history.presses.values():
            if pressed.told is Told.REFUSED and pressed.id in log.presses:
                yield self.violation(f"{_about(pressed)} was told refused ({pressed.key}) and is in the log")


class FailedIsNotApplied(_LogLaw):
    """What comes after Discord has said that it failed is dropped."""

    name = "failed is not applied"
    why = "F7, F32: after 'This interaction failed' people press again, so a replayed press would be a second move."

    def judge(self, log: Log) -> Iterator[Violation]:
        """Look at all that was written after it had failed."""
        for written in self.history.written:
            pressed = self.history.press_of(written)
            if pressed is None or pressed.failed_at is None or not log.keeps(pressed):
                continue
            came = min((at for at, _ in pressed.delivered if at <= written.at), default=written.at)
            late = max(came - TOLERANCE, written.at - STUCK_AT_MOST)
            if late > pressed.failed_at:
                yield self.violation(
                    f"{_about(pressed)} failed at {pressed.failed_at:.3f}, reached the bot at {came:.3f} "
                    f"and was applied at {written.at:.3f}"
                )


class AtMostOnce(BaseLaw):
    """A press is applied at most once, however often it arrives."""

    name = "at most once"
    why = "P2: Discord delivers presses twice, and people would move twice."

    def end(self) -> Iterable[Violation]:
        if not self.history.images:
            return
        log = self.history.log()
        times = Counter(record.interaction_id for records in log.records.values() for record in records)
        times.update(log.ended_by.keys())
        for press, applied in times.items():
            if press is not None and applied > 1:
                yield self.violation(f"press {press} is in the log {applied} times")


class RepeatedIsNotApplied(BaseLaw):
    """Who presses again after an answer that did not come makes no second move, and is told what was made."""

    name = "pressed again"
    why = "P3, F34: 'if Discord says that it failed, press again' is only good advice if nothing is made twice."

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._shown: dict[tuple[int, str], list[float]] = defaultdict(list)

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, MessageChange) and happening.reader is not None:
            table = reading.read(happening.data).table
            self._shown[happening.reader, table].append(happening.at)

    def end(self) -> Iterable[Violation]:
        if not self.history.images:
            return
        kept = self.history.log().presses
        at = {each.record.interaction_id: each.at for each in self.history.written}
        latest: dict[tuple[int, str], Pressed] = {}
        for pressed in sorted(self.history.presses.values(), key=lambda each: each.id):
            seat = pressed.person, pressed.match
            former = latest.get(seat)
            latest[seat] = pressed
            if former is None or former.id not in kept or not former.same_as(pressed):
                continue
            if former.told not in {Told.FAILED, Told.NOTHING} or pressed.at < former.at + FAILED_WITHIN:
                continue
            applied = at.get(former.id, former.at)
            if any(applied <= shown <= pressed.at for shown in self._shown[seat]):
                continue  # they saw a newer screen, so they meant to do it again
            if pressed.id in kept:
                yield self.violation(f"{_about(former)} got no answer, and {_about(pressed)} was applied too")
            elif pressed.told is Told.REFUSED and pressed.key == "press.stale":
                yield self.violation(f"{_about(former)} got no answer, and {_about(pressed)} was told stale")


class FreshIsAnswered(BaseLaw):
    """A press that reaches a bot which can work gets its answer, though one connection may be cut."""

    name = "fresh is answered"
    why = "X4, X5: a cut connection or one odd id must not cost people their answers."

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

    def end(self) -> Iterable[Violation]:
        if not self._applies():
            return
        for press, failed_at in self._failed.items():
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

    def _applies(self) -> bool:
        """Whether nothing can keep an answer away in this weather that is not recorded."""
        weather = self.simulation.weather
        return (
            not weather.rate429
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
