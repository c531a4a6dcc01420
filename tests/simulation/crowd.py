"""All people of a simulation: groups who play one match after the other, in games, settings and channels of chance."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.play.computers.levels import levels_of
from bot.ui.catalogue import translations
from cogs.actions.computer_matches import is_played_alone
from discord_sandbox import DrivenChannel, MessageView, Person, Reply, Sandbox
from engines import GAMES
from tests.games.cases import case_of, typed
from tests.simulation import world
from tests.simulation.kernel import Kernel
from tests.simulation.people import TROUBLE, Changes, SimulatedPrivateTable, SimulatedTable
from tests.simulation.salting import add_salt
from tests.simulation.weather_fields import Weather
from tests.soak.people import MY_CARDS, Manners, is_begun

say = translations("en")
ACCEPT, JOIN, START, REMATCH = (say(f"button.{key}") for key in ("accept", "join", "start", "rematch"))
READY, NEXT_MATCH = say("button.ready"), say("button.next_match")
DELETE = say("button.delete")

PATIENCE: Final = 60.0
"""Seconds that people wait for the board of a match that they began."""
INSISTS: Final = 3
"""How often somebody presses again who got no answer."""
WAVERS: Final = 0.5
AGAIN: Final = 0.3
"""How many matches are followed by a rematch, or by the next match of their series."""
SERIES: Final = 0.2
"""How many challenges are to a series."""
RESTS: Final = (60.0, 900.0)
"""Seconds, least and most, that a table rests after somebody there has deleted their data."""
MOST_STAYS: Final = 60
"""Presses before which an absent one leaves."""


class Crowd:
    """All groups, and how they fare."""

    def __init__(self, kernel: Kernel, sandbox: Sandbox, weather: Weather) -> None:
        self.kernel = kernel
        self.sandbox = sandbox
        self.weather = weather
        self.changes = Changes(sandbox)
        self.manners = Manners(twice=weather.twice, stale=weather.stale, resign=weather.resigns, wavers=WAVERS)
        self.matches = 0
        """How many were begun."""
        self.replies = 0
        self.failed = 0

    def come(self) -> list[asyncio.Task[None]]:
        """Let them all begin; the tasks never end."""
        return [
            asyncio.get_running_loop().create_task(Group(self, server, number).play_on())
            for server in range(self.weather.servers)
            for number in range(self.weather.tables)
        ]

    def judge(self, reply: Reply, _kind: str) -> None:
        """Count a reply."""
        self.replies += 1
        self.failed += reply.failed


@dataclass(frozen=True, slots=True)
class _Terms:
    """What is played: where, and by how many."""

    game: str
    seats: int
    options: dict[str, object]
    channel: DrivenChannel
    computers: int = 0
    """How many of the seats computers take."""

    @property
    def people(self) -> int:
        """How many people play."""
        return self.seats - self.computers


class Group:
    """The people of one table."""

    def __init__(self, crowd: Crowd, server: int, number: int) -> None:
        self._crowd = crowd
        self._weather = crowd.weather
        self._server = world.server_name(server)
        self._server_number = server
        self._chance = crowd.kernel.chance(f"table {server}-{number}")
        self._salting = crowd.kernel.chance(f"salts {server}-{number}")
        self._practising = crowd.kernel.chance(f"computers {server}-{number}")
        self._choosing = crowd.kernel.chance(f"series {server}-{number}")
        self._people = [crowd.sandbox.user(world.seat_name(server, number, seat)) for seat in range(world.SEATS)]
        self._onlooker = crowd.sandbox.user(world.onlooker_name(server))
        self._leaving = crowd.kernel.chance(f"deletions {server}-{number}")
        self._settings = {game: _settings(game, self._chance) for game in self._weather.games}
        self._turn = number

    async def play_on(self) -> None:
        """One match after the other, without end."""
        last: tuple[_Terms, MessageView] | None = None
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / max(1.0, self._weather.thinking)))
            try:
                last = await self._next_match(last)
            except TROUBLE:
                last = None
            if last is not None:
                terms, board = last
                table = self._table(terms, board)
                await table.sit()
                last = terms, table.board
                if self._leaving.random() < self._weather.deletions:
                    await self._delete(self._leaving.choice(table.people), terms.channel)

    async def _delete(self, person: Person, channel: DrivenChannel) -> None:
        """Have somebody delete all their data, if they may, and rest for a while."""
        with contextlib.suppress(*TROUBLE):
            asked = await person.slash(channel, "mydata delete")
            await person.press(asked.message, label=DELETE)
        await asyncio.sleep(self._leaving.uniform(*RESTS))

    async def _next_match(self, last: tuple[_Terms, MessageView] | None) -> tuple[_Terms, MessageView] | None:
        """Begin a match, perhaps as a rematch; what is played, and the board. None if none came."""
        if last is not None and self._chance.random() < AGAIN:
            terms, board = last[0], await self._begin_again(*last)
            return None if board is None else (terms, board)
        terms_now = self._terms()
        begun = None if terms_now is None else await self._begin(terms_now)
        return None if terms_now is None or begun is None else (terms_now, begun)

    def _terms(self) -> _Terms | None:
        """The next game in turn, in a setting and a channel of chance; None where no channel is left."""
        chance, games = self._chance, self._weather.games
        game = games[self._turn % len(games)]
        self._turn += 1
        setting, seats = next(self._settings[game])
        place = self._crowd.sandbox.server(self._server)
        names = [channel.name for channel in place.channels.values() if channel.name.startswith(world.CHANNEL)]
        if not names:
            return None
        options = typed(case_of(game), setting)
        clock = chance.choice(self._weather.clocks)
        if getattr(GAMES[game].info, "turn_clock", True):
            options = {**options, "clock": clock}
        terms = _Terms(game, seats, options, self._crowd.sandbox.channel(chance.choice(names), place.name))
        alone = bool(levels_of(game)) and self._practising.random() < self._weather.computers
        if not alone:
            return terms
        if is_played_alone(game):
            del options["clock"]
        return replace(terms, computers=seats - 1, options=options)

    def _table(self, terms: _Terms, board: MessageView) -> SimulatedTable:
        chance, weather = self._chance, self._weather
        self._crowd.matches += 1
        return (SimulatedPrivateTable if board.ephemeral else SimulatedTable)(
            self._people[: terms.people],
            terms.channel,
            board,
            self._onlooker,
            random.Random(chance.random()),
            self._crowd.judge,
            self._crowd.manners,
            chance.randrange(terms.seats) % terms.people if chance.random() < weather.absent else None,
            stays=chance.randrange(MOST_STAYS),
            thinking=weather.thinking,
            changes=self._crowd.changes,
            weather=weather,
            others=[*map(self._crowd.sandbox.user, world.people_of(self._server_number, weather))],
        )

    # ------------------------------------------------------------------------------------ how a match begins

    async def _begin(self, terms: _Terms) -> MessageView | None:
        """Challenge somebody, open a table, or play against computers."""
        host, *others = self._people[: terms.people]
        if terms.computers:
            number = {"computers": terms.computers} if GAMES[terms.game].info.seats[-1] > 2 else {}
            level = self._practising.choice(levels_of(terms.game))
            asked = await host.slash(terms.channel, f"{terms.game} practice", level=level, **number, **terms.options)
            if asked.message_or_none is None:
                return None
            alone = asked.message.ephemeral and is_begun(asked.message)
            return asked.message if alone else await self._shown([asked.message])
        challenges = len(others) == 1 and self._chance.random() < 0.5
        if challenges:
            command = f"{terms.game} challenge"
            series = {"series": self._choosing.choice(("3", "5"))} if self._choosing.random() < SERIES else {}
            asked = await host.slash(terms.channel, command, opponent=others[0], **terms.options, **series)
        else:
            asked = await host.slash(terms.channel, f"{terms.game} open", **terms.options)
        return await self._seated(host, others, asked)

    async def _begin_again(self, terms: _Terms, board: MessageView) -> MessageView | None:
        """Ask for a rematch, or for the next match of a series."""
        host, *others = self._people[: terms.people]
        label = REMATCH if board.find_button(NEXT_MATCH) is None else NEXT_MATCH
        return await self._seated(host, others, await host.press(board, label=label))

    async def _seated(self, host: Person, others: Sequence[Person], asked: Reply) -> MessageView | None:
        """Accept, or take seats and start; the board, or None if none came."""
        if asked.message_or_none is None:
            return None
        invitation, last = asked.message, asked
        await self._perhaps_salt(host, invitation)
        for person in others:
            await asyncio.sleep(self._chance.uniform(0.0, self._weather.thinking))
            accepts = next((label for label in (ACCEPT, READY) if invitation.find_button(label) is not None), None)
            if accepts is not None:  # at a table one sits down first
                await self._perhaps_salt(person, invitation)
            last = await self._insist(person, invitation, accepts or JOIN)
            if accepts is None:
                await self._perhaps_salt(person, invitation)
        if invitation.find_button(START) is not None:
            await self._all_seated(invitation)
            last = await self._insist(host, invitation, START)
            for person in others:  # who was quiet for a while is asked
                if invitation.find_button(READY) is not None:
                    last = await self._insist(person, invitation, READY)
        return await self._shown([invitation] if last.message_or_none is None else [last.message, invitation])

    async def _all_seated(self, table: MessageView) -> None:
        """Return once *Start* can be pressed at a table: it shows who sits there later than they are told so."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while (start := table.find_button(START)) is not None and start.disabled and loop.time() < until:
            await self._crowd.changes.wait([table.id], until - loop.time())

    async def _perhaps_salt(self, person: Person, invitation: MessageView) -> None:
        """Add a salt, or don't. What can't be pressed at the moment is left."""
        if self._salting.random() < self._weather.salts:
            with contextlib.suppress(*TROUBLE):
                await add_salt(person, invitation, self._salting)

    async def _insist(self, person: Person, message: MessageView, label: str) -> Reply:
        """Press until it is answered, or not there any more."""
        reply = await person.press(message, label=label)
        for _ in range(INSISTS - 1):
            if not reply.failed or message.find_button(label) is None:
                break
            reply = await person.press(message, label=label)
        return reply

    async def _shown(self, candidates: Sequence[MessageView]) -> MessageView | None:
        """Which of these messages shows the board, or soon does: its press may have got no answer."""
        loop = asyncio.get_running_loop()
        until = loop.time() + PATIENCE
        while True:
            for view in candidates:
                if view.find_button(MY_CARDS) is not None:
                    return view
            if loop.time() >= until:
                return None
            await self._crowd.changes.wait([view.id for view in candidates], until - loop.time())


def _settings(game: str, chance: random.Random) -> Iterator[tuple[str, int]]:
    """Settings and numbers of seats of a game, in an order of chance, without end."""
    found = [setup for setup in case_of(game).setups if setup[1] <= world.SEATS]
    while True:
        yield from chance.sample(found, len(found))
