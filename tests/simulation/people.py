"""People in the simulation: each acts alone, thinks before a press, presses twice or too late, goes away, comes back.

They are those of `tests/soak/people.py`, but they take it as it is when the bot does not answer.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import translations
from discord_sandbox import Event, MessageView, Person, Refused, Sandbox
from tests.end_to_end.players import press_where_it_is
from tests.simulation.salting import look_at_proof
from tests.simulation.weather_fields import Weather
from tests.soak.people import MY_CARDS, PrivateTable, Table, table_of

say = translations("en")
RESUME, CALL_OFF = say("button.resume"), say("button.call_off")

GIVE_UP_AFTER: Final = 12
"""Looks without any effect, after which a table is left and another match begun."""
LOOK_AGAIN: Final = 20.0
"""How many times the usual thinking passes until somebody looks again who has nothing to press and sees no change."""
COMMANDS: Final = 0.01
"""How many presses are preceded by a command that has nothing to do with the match."""
PROOFS: Final = 0.02
"""How many presses are preceded by a look at the proof of the deal, where salts are added."""

TROUBLE: Final = (Refused, LookupError, StopIteration, RuntimeError)
"""What a client says where something is gone meanwhile."""


class Changes:
    """Wakes who waits for a message to change."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._waiting: dict[int, list[asyncio.Future[None]]] = {}
        sandbox.listen(self._hear)

    async def wait(self, messages: Sequence[int], seconds: float) -> None:
        """Return once one of these messages was changed, or after so many seconds."""
        change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for message in messages:
            self._waiting.setdefault(message, []).append(change)
        await asyncio.wait([change], timeout=seconds)
        for message in messages:
            waiting = self._waiting.get(message, [])
            if change in waiting:
                waiting.remove(change)
            if not waiting:
                self._waiting.pop(message, None)

    def _hear(self, event: Event) -> None:
        if event.message is None:
            return
        for change in self._waiting.get(event.message.id, ()):
            if not change.done():
                change.set_result(None)


@dataclass
class SimulatedTable(Table):
    """A match, and the people at it, each in a task of their own."""

    thinking: float = 5.0
    changes: Changes | None = None
    weather: Weather = field(default_factory=Weather)
    others: Sequence[Person] = ()
    """Whom people look at."""
    _fruitless: int = 0

    async def sit(self) -> None:
        """Play until it is over, or nothing comes of it any more."""
        async with asyncio.TaskGroup() as seated:
            for seat, person in enumerate(self.people):
                seated.create_task(self._play(seat, person, random.Random(self.rng.random())))

    @property
    def left(self) -> bool:
        """Whether people gave it up."""
        return self._fruitless >= GIVE_UP_AFTER * len(self.people)

    async def _play(self, seat: int, person: Person, chance: random.Random) -> None:
        presses = 0
        while not self.over and not self.left:
            await self._think(chance)
            if seat == self.absent and presses >= self.stays:
                return
            presses += 1
            try:
                if chance.random() < COMMANDS:
                    await self._command(person, chance)
                elif chance.random() < self.weather.resigns:
                    self._note(await press_where_it_is(person, self._board(), CALL_OFF), "call off")
                if self.weather.salts and chance.random() < PROOFS:
                    await self._check_proof(chance.choice((person, self.onlooker)))
                if self.weather.looks and chance.random() < self.weather.looks:
                    await self._look_at(person, chance.choice(self.others), chance)
                acted = await self.step([person])
            except TROUBLE:
                acted = False
            if not acted and not self.over:
                await self._wait_for_a_change(person)

    async def _check_proof(self, person: Person) -> None:
        """A player or somebody else looks at the proof of the deal."""
        reply = await look_at_proof(person, self._board())
        if reply is not None:
            self._note(reply, "proof")

    async def _look_at(self, person: Person, other: Person, chance: random.Random) -> None:
        """Look at somebody in one of the ways that there are, without doing anything with them."""
        match chance.choice(("history", "profile", "menu", "panel")):
            case "history":
                reply = await person.slash(self.channel, "history", user=other)
            case "profile":
                reply = await person.slash(self.channel, "profile", player=other)
            case "menu":
                reply = await person.context_menu(self.channel, say("command.profile_menu"), other)
            case _:
                reply = await person.context_menu(self.channel, say("command.menu"), other)
        self._note(reply, "look")

    async def _command(self, person: Person, chance: random.Random) -> None:
        """A look at something else, or another wish how to be notified."""
        command = chance.choice(("games", "help", "leaderboard", "notify"))
        options = {"level": str(chance.choice(list(NoticeLevel)))} if command == "notify" else {}
        self._note(await person.slash(self.channel, command, **options), command)

    async def _think(self, chance: random.Random) -> None:
        seconds = chance.expovariate(1 / self.thinking) if self.thinking else 0.0
        if self.weather.pauses and chance.random() < self.weather.pauses:
            seconds += chance.uniform(0.0, self.weather.pause_seconds)
        await asyncio.sleep(seconds)

    async def _wait_for_a_change(self, person: Person) -> None:
        hand = self._hands.get(person)
        messages = [self.board.id] if hand is None else [self.board.id, hand.id]
        if self.changes is not None:
            await self.changes.wait(messages, LOOK_AGAIN * max(self.thinking, 1.0))

    async def _look(self, person: Person) -> None:
        board = self._board()
        resume = next((button.label for button in board.buttons if button.label == RESUME), None)
        reply = await person.press(board, label=resume or MY_CARDS)
        self._note(reply, "my cards")
        if reply.failed:
            self._fruitless += 1
            return
        self._fruitless = 0
        if reply.message_or_none is not None and reply.message.buttons:
            if reply.message.find_button(RESUME) is not None:
                self._note(await person.press(reply.message, label=RESUME), "resume")
            else:
                self._hands[person] = reply.message

    async def _look_on(self) -> None:
        self._note(await self.onlooker.press(self._board(), label=MY_CARDS), "onlooker")

    def _board(self) -> MessageView:
        """The newest board of the match, wherever it was posted again."""
        if self.board.deleted:
            mine = table_of(self.board)
            boards = [view for view in self.channel.messages if table_of(view) == mine and not view.content]
            self.board = boards[-1] if boards else self.board
            self._fruitless += self.board.deleted
        return self.board


@dataclass
class SimulatedPrivateTable(PrivateTable, SimulatedTable):
    """A match that one person of the simulation plays alone."""

    async def _look(self, person: Person) -> None:
        self._fruitless = 0 if await self._open(person) else self._fruitless + 1
