"""The bot starts, ends and keeps its backups as its documentation says."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.ops import backups
from tests.simulation.happenings import Disturbance, Happening, Life, LogLine, Violation
from tests.simulation.history import History
from tests.simulation.laws.foundation import BaseLaw, Troubles, slowness

ENDS_WITHIN: Final = 10.0
READY_WITHIN: Final = 120.0
STARTS_AN_HOUR: Final = 5
"""How many starts in an hour the bot's own rationing of sessions lets through without a wait."""
PURGED_AFTER: Final = 30 * 24 * 3600.0
_BACKED_UP: Final = re.compile(r"backed up to (\S+) in ")


class ToldEnds(BaseLaw):
    """A process that is told to end does so within ten seconds."""

    name = "told ends"
    why = "A1, F27: a process that does not end holds the lock, and the next start is refused."
    every = 2.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._told: dict[int, float] = {}
        self._troubles = Troubles()

    def hear(self, happening: Happening) -> None:
        self._troubles.hear(happening)
        if isinstance(happening, Life):
            if happening.step == "told":
                self._told.setdefault(happening.life, happening.at)
            elif happening.step in {"ended", "killed"}:
                self._told.pop(happening.life, None)

    def look(self) -> Iterable[Violation]:
        for life, told in list(self._told.items()):
            since = max(told, self._troubles.last("standstill"))
            if self.simulation.now - since > ENDS_WITHIN + slowness(self.simulation.weather):
                del self._told[life]
                yield self.violation(f"life {life} was told to end at {told:.1f} and has not")


class StartedIsReady(BaseLaw):
    """A process that can reach Discord is ready two minutes after its start."""

    name = "started is ready"
    why = "F22, F40: after an outage play goes on without anybody's help."
    every = 5.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._started: dict[int, float] = {}
        self._starts: list[float] = []
        self._troubles = Troubles()

    def hear(self, happening: Happening) -> None:
        self._troubles.hear(happening)
        if isinstance(happening, Life):
            if happening.step == "started":
                self._started[happening.life] = happening.at
                self._starts.append(happening.at)
            elif happening.step in {"ready", "told", "ended", "killed"}:
                self._started.pop(happening.life, None)

    def look(self) -> Iterable[Violation]:
        now, weather = self.simulation.now, self.simulation.weather
        if weather.processes > 1:
            return  # a spare waits for as long as the others live
        if self.simulation.weather.connection_refusals or weather.rate429 or weather.rate5xx or weather.lost_answers:
            return
        recent = [start for start in self._starts if start > now - 3600.0]
        if len(recent) > STARTS_AN_HOUR:
            return  # the bot rations its sessions
        disturbed = max((max(each.at, each.until) for each in self._troubles.all[-20:]), default=0.0)
        for life, started in list(self._started.items()):
            if now - max(started, disturbed) > READY_WITHIN + slowness(weather):
                del self._started[life]
                yield self.violation(f"life {life} started at {started:.1f} and is not ready")


class BackupsExist(BaseLaw):
    """A backup that was logged is there until newer ones take its place, and no more are made than are due."""

    name = "backups exist"
    why = "A5, F30: a clock that was ahead once must not make backups delete themselves."
    every = 300.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._logged: list[tuple[str, float]] = []
        self._starts = 0
        self._steps = 0
        self._said = False

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, Life) and happening.step == "started":
            self._starts += 1
        elif isinstance(happening, Disturbance) and happening.kind == "clock step":
            self._steps += 1
        elif isinstance(happening, LogLine):
            found = _BACKED_UP.search(happening.message)
            if found:
                self._logged.append((found[1], happening.at))

    def look(self) -> Iterable[Violation]:
        for bot in self.simulation.bots[:1]:
            yield from self._missing(bot.folder)
        yield from self._too_many()

    def end(self) -> Iterable[Violation]:
        if self.history.images:
            yield from self._missing(self.history.images[-1].path)
        yield from self._too_many()

    def _missing(self, folder: Path) -> Iterable[Violation]:
        logged = dict.fromkeys(name for name, at in self._logged if at < self.simulation.now - 5.0)
        newest = list(logged)[-backups.LAST_KEPT :]
        missing = [name for name in newest if not (folder / "backups" / name).exists()]
        if missing and not self._said:
            self._said = True
            yield self.violation(f"{len(missing)} of the last {len(newest)} backups that were logged do not exist")

    def _too_many(self) -> Iterable[Violation]:
        every = min((bot.app.settings.backup_hours for bot in self.simulation.bots if bot.app is not None), default=0.0)
        hours = self.simulation.now / 3600.0
        if every and len(self._logged) > 2 + self._starts + 2 * self._steps + hours / every and not self._said:
            self._said = True
            yield self.violation(f"{len(self._logged)} backups in {self.simulation.now / 3600.0:.1f} h")


class ThirtyDaysAreThirty(BaseLaw):
    """What is kept of a server that removed the bot is there for thirty days."""

    name = "thirty days are thirty"
    why = "A4, F30: a machine that believed in another year must not delete what people come back to."
    every = 60.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._gone: dict[int, float] = {}
        self._rows: dict[int, int] = {}

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, Disturbance) and happening.kind == "server gone":
            self._gone[happening.subject] = happening.at
        elif isinstance(happening, Disturbance) and happening.kind == "server back":
            self._gone.pop(happening.subject, None)

    def look(self) -> Iterable[Violation]:
        for bot in self.simulation.bots[:1]:
            if self._gone and bot.ready:
                yield from self._compare(bot.folder / "cardroom.db")

    def _compare(self, path: Path) -> Iterable[Violation]:
        for guild, gone in self._gone.items():
            rows = _matches_of(path, guild)
            before = self._rows.get(guild, 0)
            if rows is not None:
                self._rows[guild] = rows
            if rows == 0 and before and self.simulation.now - gone < PURGED_AFTER:
                yield self.violation(
                    f"server {guild} was purged {(self.simulation.now - gone) / 3600.0:.1f} h after it was left"
                )


def _matches_of(path: Path, guild: int) -> int | None:
    """How many matches of a server a database keeps; None if it cannot be read now."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro&vfs=unix", uri=True)) as db:
            (found,) = db.execute("SELECT count(*) FROM matches WHERE guild_id = ?", (guild,)).fetchone()
    except sqlite3.Error:
        return None
    return int(found)


class NoFaultsOfOurs(BaseLaw):
    """Nothing is logged as an error of the program."""

    name = "no errors of the program"
    why = "An error number means that something raised which nobody thought of."

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._lines: list[LogLine] = []

    every = 5.0

    def hear(self, happening: Happening) -> None:
        if isinstance(happening, LogLine) and happening.level >= logging.ERROR and _is_ours(happening):
            self._lines.append(happening)

    def look(self) -> Iterable[Violation]:
        lines, self._lines = self._lines, []
        for line in lines:
            yield Violation(self.name, line.at, f"{line.logger}: {line.message}")

    def end(self) -> Iterable[Violation]:
        return self.look()


def _is_ours(line: LogLine) -> bool:
    """Whether an error in the log is one of the program.

    A backup may fail because the disk does. discord.py logs each reconnection as an error, but it also logs what our
    own handlers raise.
    """
    if line.logger == "bot.ops.backups":
        return " error=" in line.message
    if line.logger.startswith("discord"):
        return "Ignoring exception in" in line.message
    return line.logger.startswith(("bot.logs", "asyncio"))
