"""Nobody is stored but those who use the bot and those who are invited, and nobody comes back after a deletion."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.ui.catalogue import translations
from cogs.interactions.whose_rows import Whose
from cogs.screens import custom_ids
from tests.people_in_database import Search
from tests.simulation.happenings import Answer, Bot, Delivered, Happening, LogLine, Press, Simulation, Violation
from tests.simulation.history import History
from tests.simulation.laws.foundation import BaseLaw
from tests.simulation.reading import read
from tests.whose_rows import table_of

DELETED: Final = translations("en")("mydata.deleted")


class StoredAreAllowed(BaseLaw):
    """Each person in the database did something, or was invited, that the table of the commands and presses allows to
    store them: since they deleted everything, if they did. The log names nobody."""

    name = "stored are allowed"
    why = "N2: who is looked at must not be stored, and nobody brings back who has deleted everything."
    every = 900.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._presses: dict[int, Press] = {}
        self._table: dict[str, Whose] = {}
        self._used: dict[int, float] = {}
        """When somebody last did something, or was invited, by which they may be stored."""
        self._gone: dict[int, float] = {}
        """When the press reached the bot by which somebody deleted everything."""
        self._delivered: dict[int, float] = {}
        self._said: set[int] = set()
        self._found: list[Violation] = []
        self._names: dict[int, str] = {}
        self._search: Search

    def begin(self, simulation: Simulation) -> None:
        self._names = {user.id: user.shown_name for user in simulation.sandbox.world.users.values() if not user.bot}
        self._search = Search(self._names)
        super().begin(simulation)

    def hear(self, happening: Happening) -> None:
        """Note who does what."""
        match happening:
            case Press():
                self._presses[happening.id] = happening
            case Delivered(press=press, at=at) if press in self._presses:
                self._delivered.setdefault(press, at)
                self._note(self._presses[press], at, happening.life)
            case Answer(press=press) if press in self._delivered and happening.taken:
                if DELETED in "\n".join(read(happening.payload).lines):
                    self._gone[self._presses[press].person] = self._delivered[press]
            case LogLine() if self._search.in_text(happening.message):
                self._found.append(self.violation("a line of the log names somebody"))

    def _note(self, press: Press, at: float, life: int) -> None:
        bot = next((each for each in self.simulation.bots if each.number == life), None)
        whose = self._whose(press, bot)
        if whose is not Whose.NOBODY:
            self._used[press.person] = at
        if whose is Whose.INVITED:
            self._used |= dict.fromkeys((*press.named, *_players(press, bot)), at)

    def _whose(self, press: Press, bot: Bot | None) -> Whose:
        if not self._table and bot is not None and bot.app is not None:
            self._table = table_of(bot.app)
        name = f"/{press.command}" if press.command else _read(press.custom_id)[1]
        return self._table.get(name, Whose.ACTOR)

    def look(self) -> Iterable[Violation]:
        yield from self._found
        self._found.clear()
        for bot in self.simulation.bots[:1]:
            yield from self._compare(bot.folder)

    def end(self) -> Iterable[Violation]:
        yield from self._found
        if self.history.images:
            yield from self._compare(self.history.images[-1].path)

    def _compare(self, folder: Path) -> Iterable[Violation]:
        if self.simulation.weather.lying_syncs:
            return  # a power cut may bring back what was deleted
        try:
            found = self._search.in_file(folder / "cardroom.db")
        except sqlite3.Error:
            return
        for person, columns in found.items():
            allowed = self._used.get(person, float("-inf")) > self._gone.get(person, float("-inf"))
            if not allowed and person not in self._said:
                self._said.add(person)
                gone = "has deleted everything and" if person in self._gone else "has done nothing and"
                yield self.violation(f"{self._names[person]} {gone} is in {', '.join(sorted(columns))}")


def _read(custom_id: str) -> tuple[str, str]:
    """The match and the verb of a press; empty for what is none of ours."""
    try:
        match_id, read_press = custom_ids.read(custom_id)
    except custom_ids.UnknownCustomId:
        return "", ""
    return match_id, read_press.verb


def _players(press: Press, bot: Bot | None) -> Iterable[int]:
    """Who played the match whose players a press invites again."""
    match_id, _ = _read(press.custom_id)
    if not match_id or bot is None:
        return ()
    try:
        with closing(sqlite3.connect(f"file:{bot.folder / 'cardroom.db'}?mode=ro&vfs=unix", uri=True)) as db:
            return [user for (user,) in db.execute("SELECT user_id FROM seats WHERE match_id = ?", (match_id,))]
    except sqlite3.Error:
        return ()
