"""Salts are secret until the end, and take part in the deal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import orjson

from cogs.screens import custom_ids
from tests.simulation.happenings import Answer, Happening, LogLine, MessageChange, Press, Violation
from tests.simulation.history import History
from tests.simulation.laws.foundation import BaseLaw
from tests.simulation.reading import key_of, read
from tests.simulation.salting import MARK, SALT, salts_in

ADDED: Final = "salt.added"
_MARK: Final = MARK.encode()


class SaltsAreHidden(BaseLaw):
    """Nobody but its owner reads a salt before its match is over, and no log has it."""

    name = "salts are hidden"
    why = "A player who reads another's salt before the start could answer it with their own."
    every = 60.0

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._people: dict[int, int] = {}
        self._found: list[Violation] = []

    def hear(self, happening: Happening) -> None:
        """Read what everybody gets."""
        match happening:
            case Press():
                self._people[happening.id] = happening.person
            case Answer(press=press) if press in self._people:
                self._read(orjson.dumps(happening.payload), self._people[press], "an answer")
            case MessageChange():
                self._read(orjson.dumps(happening.data), happening.reader, "a message")
            case LogLine():
                self._read(happening.message.encode(), None, "a line of the log")

    def look(self) -> Iterable[Violation]:
        """What was found since the last look."""
        found, self._found = self._found, []
        return found

    def end(self) -> Iterable[Violation]:
        return self.look()

    def _read(self, body: bytes, reader: int | None, where: str) -> None:
        if _MARK not in body:
            return
        for _, owner, match_id in salts_in(body.decode()):
            if owner != reader and (where == "a line of the log" or match_id not in self.history.over):
                self._found.append(self.violation(f"{where} has a salt of {owner} in {match_id}, which isn't over"))


class SaltsTakePart(BaseLaw):
    """The match has each salt that its player was told is part of the deal, and no other of theirs."""

    name = "salts take part"
    why = "Who was told that a salt is in the deal checks it with that salt."

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self._people: dict[int, tuple[int, str]] = {}
        self._told: dict[tuple[str, int], float] = {}

    def hear(self, happening: Happening) -> None:
        """Remember who was told that their salt was added."""
        match happening:
            case Press():
                match_id = _salted(happening.custom_id)
                if match_id:
                    self._people[happening.id] = happening.person, match_id
            case Answer() if happening.taken and happening.press in self._people:
                if ADDED in {key_of(line.strip("*")) for line in read(happening.payload).lines}:
                    person, match_id = self._people[happening.press]
                    self._told.setdefault((match_id, person), happening.at)

    def end(self) -> Iterable[Violation]:
        if not self.history.images or self.simulation.weather.lying_syncs:
            return
        for match_id, row in self.history.log().rows.items():
            for user, salt in zip(row.seats, row.salts, strict=True):
                told = (match_id, user) in self._told
                if salt.text == "" and told:
                    yield self.violation(f"{match_id} lacks the salt that {user} was told is added")
                elif salt.text and [(user, match_id)] != [found[1:] for found in salts_in(salt.text)]:
                    yield self.violation(f"{match_id} has a salt on the seat of {user} that is not theirs")


def _salted(custom_id: str) -> str:
    """The invitation whose form with a salt is sent; empty for any other press."""
    try:
        match_id, press = custom_ids.read(custom_id)
    except custom_ids.UnknownCustomId:
        return ""
    return match_id if press.verb == SALT else ""
