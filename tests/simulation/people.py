"""People in the simulation: each acts alone, thinks before a press, presses twice or too late, goes away, comes back.

They are those of `tests/soak/people.py`, but they take it as it is when the bot does not answer.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.ui.catalogue import translations
from engines import GAMES
from sandbox import Sandbox
from sandbox.clients.driver import DrivenChannel, Person
from sandbox.clients.reply import Reply
from sandbox.clients.resolved_data import Refused
from sandbox.clients.views import MessageView
from sandbox.model.feed import Event
from tests.games.cases import case_of, typed
from tests.simulation import world
from tests.simulation.kernel import Kernel
from tests.simulation.weather_fields import Weather
from tests.soak.people import MY_CARDS, Manners, Table, table_of

say = translations("en")
RESUME: Final = say("button.resume")

PATIENCE: Final = 60.0
"""Seconds that people wait for the board of a match that they began."""
GIVE_UP_AFTER: Final = 12
"""Looks without any effect, after which a table is left and another match begun."""
LOOK_AGAIN: Final = 20.0
"""How many times the usual thinking passes until somebody looks again who has nothing to press and sees no change."""
WAVERS: Final = 0.5

_TROUBLE: Final = (Refused, LookupError, StopIteration, RuntimeError)
"""What a client says where something is gone meanwhile."""


class Changes:
    """Wakes who waits for a message to change."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._waiting: dict[int, list[asyncio.Future[None]]] = {}
        sandbox.backend.feed.listen(self._hear)

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
                acted = await self.step([person])
            except _TROUBLE:
                acted = False
            if not acted and not self.over:
                await self._wait_for_a_change(person)

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
        """The newest board of the match, wherever it was posted anew."""
        if self.board.deleted:
            mine = table_of(self.board)
            self.board = next((view for view in reversed(self.channel.messages) if table_of(view) == mine), self.board)
            self._fruitless += self.board.deleted
        return self.board


class Crowd:
    """All people of a server's tables; a match that is over is followed by another."""

    def __init__(self, kernel: Kernel, sandbox: Sandbox, weather: Weather) -> None:
        self.matches = 0
        """How many were begun."""
        self.replies = 0
        self.failed = 0
        self._kernel = kernel
        self._sandbox = sandbox
        self._weather = weather
        self._changes = Changes(sandbox)
        self._manners = Manners(twice=weather.twice, stale=weather.stale, resign=weather.resigns, wavers=WAVERS)

    def come(self) -> list[asyncio.Task[None]]:
        """Let them all begin; the tasks never end."""
        return [
            asyncio.get_running_loop().create_task(self._meet(server, table))
            for server in range(self._weather.servers)
            for table in range(self._weather.tables)
        ]

    async def _meet(self, server: int, number: int) -> None:
        """The people of a table, one match after the other."""
        weather, chance = self._weather, self._kernel.chance(f"table {server}-{number}")
        people = [self._sandbox.user(world.seat_name(server, number, seat)) for seat in range(world.SEATS)]
        onlooker = self._sandbox.user(world.onlooker_name(server))
        games = {game: _settings(game, chance) for game in weather.games}
        turn = number
        while True:
            await asyncio.sleep(chance.expovariate(1 / max(1.0, weather.thinking)))
            game = weather.games[turn % len(weather.games)]
            turn += 1
            setting, seats = next(games[game])
            channel = self._channel(server, chance)
            if channel is None:
                continue
            options = {**typed(case_of(game), setting), "clock": chance.choice(weather.clocks)}
            try:
                board = await self._begin(people[:seats], channel, game, options, chance)
            except _TROUBLE:
                board = None
            if board is None:
                continue
            self.matches += 1
            table = SimulatedTable(
                people[:seats],
                channel,
                board,
                onlooker,
                random.Random(chance.random()),
                self._judge,
                self._manners,
                chance.randrange(seats) if chance.random() < weather.absent else None,
                stays=chance.randrange(60),
                thinking=weather.thinking,
                changes=self._changes,
                weather=weather,
            )
            await table.sit()

    def _channel(self, server: int, chance: random.Random) -> DrivenChannel | None:
        """One of the server's channels; None where none is left."""
        place = self._sandbox.server(world.server_name(server))
        names = [channel.name for channel in place.channels.values() if channel.name.startswith("channel-")]
        return self._sandbox.channel(chance.choice(names), place.name) if names else None

    async def _begin(
        self,
        people: Sequence[Person],
        channel: DrivenChannel,
        game: str,
        options: dict[str, object],
        chance: random.Random,
    ) -> MessageView | None:
        """Challenge somebody, or open a table; the board, or None if none came."""
        host, *others = people
        if len(people) == 2 and chance.random() < 0.5:
            asked = await host.slash(channel, f"{game} challenge", opponent=others[0], **options)
            if asked.message_or_none is None:
                return None
            await self._think(chance)
            last = await others[0].press(asked.message, label="Accept")
        else:
            asked = await host.slash(channel, f"{game} open", **options)
            if asked.message_or_none is None:
                return None
            for person in others:
                await self._think(chance)
                await self._insist(person, asked.message, "Join")
            last = await host.press(asked.message, label="Start")
        return await self._shown(asked.message, last)

    async def _insist(self, person: Person, message: MessageView, label: str) -> None:
        """Press until it is answered, three times at most."""
        for _ in range(3):
            if not (await person.press(message, label=label)).failed:
                return

    async def _shown(self, asked: MessageView, last: Reply) -> MessageView | None:
        """The board that a press brought, or that comes in the challenge's place if the press was not answered."""
        candidates = [asked] if last.message_or_none is None else [last.message, asked]
        for view in candidates:
            if view.find_button(MY_CARDS) is not None:
                return view
        await self._changes.wait([view.id for view in candidates], PATIENCE)
        return next((view for view in candidates if view.find_button(MY_CARDS) is not None), None)

    async def _think(self, chance: random.Random) -> None:
        await asyncio.sleep(chance.uniform(0.0, self._weather.thinking))

    def _judge(self, reply: Reply, _kind: str) -> None:
        self.replies += 1
        self.failed += reply.failed


def _settings(game: str, chance: random.Random) -> Iterator[tuple[str, int]]:
    """Settings and numbers of seats of a game, in an order of chance, without end."""
    found = [table for table in case_of(game).tables if table[1] <= world.SEATS]
    while True:
        yield from chance.sample(found, len(found))


def all_games() -> tuple[str, ...]:
    """The games that can be played."""
    return tuple(GAMES)
