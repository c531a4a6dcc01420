"""People who play tournaments: a host in each server who opens, pauses, corrects and calls off, and players who join,
come late, leave, come back, play a little and resign, or walk away.

They press what they see on the message of a tournament, at any time, whatever state it is in by then.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.store.queries import deleting
from bot.ui.catalogue import translations
from cogs.screens import custom_ids
from cogs.tournaments import queries
from cogs.tournaments.rows import Whole
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.players import move, press_where_it_is
from tests.simulation import world
from tests.simulation.kernel import Kernel
from tests.simulation.people import TROUBLE
from tests.simulation.weather_fields import Weather

say = translations("en")
MINE, MY_CARDS, RESIGN = say("hosted.my_match"), say("button.my_cards"), say("button.resign")
JOINS: Final = frozenset({"tourjoin", "tourhere"})
LOOKED_AT: Final = 40
"""Messages of a channel among which people look for a tournament."""
OPEN: Final = 2
"""Tournaments of a server at which its host opens no other."""
HOST_COMES: Final = 90.0
"""Seconds between two acts of a host, on average."""
LEAVES: Final = 0.01
DELETES: Final = 0.002
"""How likely a player does that instead of what is next."""
RESIGNS: Final = 0.25
MOVES: Final = 3
"""Moves that somebody makes at most before they look up."""
FORMATS: Final = ("swiss", "swiss", "round_robin", "single", "double")
TABLES: Final = ("ciq", "swiss")
"""What is played at tables of three to five."""
UNREADABLE: Final = (*TROUBLE, AssertionError, IndexError, ValueError)
"""What happens to somebody who presses while all else changes."""


@dataclass
class Tournaments:
    """Everybody who plays tournaments."""

    kernel: Kernel
    sandbox: Sandbox
    weather: Weather

    def come(self) -> list[asyncio.Task[None]]:
        """Let them all begin, if there are any; the tasks never end."""
        works = []
        for server in range(self.weather.servers if self.weather.cups else 0):
            host, *players = world.cup_names(server, self.weather)
            works.append(_Host(self, server, host).act())
            works += [_Player(self, server, name).act() for name in players]
        return [asyncio.get_running_loop().create_task(work) for work in works]


class _Person:
    """Somebody who presses what is on the messages of tournaments."""

    def __init__(self, everybody: Tournaments, server: int, name: str) -> None:
        self.sandbox = everybody.sandbox
        self.person: Person = self.sandbox.user(name)
        self.server = world.server_name(server)
        self.chance: random.Random = everybody.kernel.chance(f"tournaments {name}")
        self.weather = everybody.weather

    @property
    def channels(self) -> list[DrivenChannel]:
        """The channels that are there."""
        place = self.sandbox.server(self.server)
        names = [channel.name for channel in place.channels.values() if channel.name.startswith(world.CHANNEL)]
        return [self.sandbox.channel(name, place.name) for name in names]

    def shown(self) -> list[tuple[MessageView, str]]:
        """The messages of tournaments, each with the id of its tournament."""
        found = []
        for channel in self.channels:
            for message in channel.messages[-LOOKED_AT:]:
                for button in message.buttons:
                    with contextlib.suppress(custom_ids.UnknownCustomId):
                        target, press = custom_ids.read(button.custom_id or "")
                        if press.verb == "tourmore":
                            found.append((message, target))
        return found

    async def forged(self, message: MessageView, verb: str, target: str) -> None:
        """Press what may have been on a screen of theirs a while ago."""
        await self.person.press(message, custom_id=f"g1:{target}:0:{verb}", force=True)


class _Host(_Person):
    async def act(self) -> None:
        """Act for ever."""
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / HOST_COMES))
            with contextlib.suppress(*UNREADABLE):
                await self._one()

    async def _one(self) -> None:
        shown = self.shown()
        going_on = [each for each in shown if any(b.label in {MINE, say("button.join")} for b in each[0].buttons)]
        if len(going_on) < OPEN and self.chance.random() < 0.5:
            await self._open()
        elif shown:
            message, tournament = self.chance.choice(going_on or shown)
            what = self.chance.random()
            if what < 0.3:
                await self.forged(message, "tourclose", tournament)
            elif what < 0.4:
                await self.forged(message, "tourpause", tournament)
                await asyncio.sleep(self.chance.uniform(0.0, 120.0))
                await self.forged(message, "tourgoon", tournament)
            elif what < 0.5:
                await self.forged(message, "tourgoon", tournament)
            elif what < 0.7:
                order = self.chance.choice(("0", "", "1", "n"))
                which = f"{self.chance.randint(1, 3)}.{self.chance.randint(1, 3)}"
                await self.forged(message, f"tourresult:{which}.{order}", tournament)
            elif what < 0.73:
                await self.forged(message, "tourendnow", tournament)

    async def _open(self) -> None:
        chance = self.chance
        options = {"same_deal": chance.random() < 0.5, "rated": chance.random() < 0.7, "minutes": chance.randint(1, 5)}
        channel, game = chance.choice(self.channels), chance.choice(("haymaker", "ciq"))
        players, form = chance.randint(4, 8), chance.choice(FORMATS)
        panel = await self.person.slash(
            channel, "tournament new", game=game, clock="blitz", players=players, format=form, **options
        )
        shown = panel.message
        if (game, form) == TABLES:
            label = say("tournament.format.tables", seats=3 + players % 3)
            lists = shown.selects[0]
            (value,) = [option.value for option in lists.options if option.label == label]
            shown = (await self.person.select(shown, custom_id=lists.custom_id, values=[value])).message
        await self.person.press(shown, label=say("tournament.open"))


class _Player(_Person):
    async def act(self) -> None:
        """Act for ever."""
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / min(30.0, max(3.0, self.weather.thinking))))
            with contextlib.suppress(*UNREADABLE):
                await self._one()

    async def _one(self) -> None:
        shown, chance = self.shown(), self.chance
        if not shown:
            return
        message, tournament = chance.choice(shown[-3:])
        what = chance.random()
        if what < LEAVES:
            await self.forged(message, "tourleave", tournament)
        elif what < 2 * LEAVES:
            await self.forged(message, "tourback", tournament)
        elif what < 2 * LEAVES + DELETES:
            asked = await self.person.slash(chance.choice(self.channels), "mydata delete")
            await self.person.press(asked.message, label=say("button.delete"))
        elif (mine := message.find_button(MINE)) is not None:
            own = (await self.person.press(message, custom_id=mine.custom_id)).message
            if own.find_button(MY_CARDS) is not None and chance.random() >= self.weather.absent:
                await self._play((await self.person.press(own, label=MY_CARDS)).message)
            elif any(self._joins(each.custom_id) for each in message.buttons):
                await self._join(message)
        else:
            await self._join(message)

    async def _play(self, hand: MessageView) -> None:
        if self.chance.random() < RESIGNS:
            asked = await press_where_it_is(self.person, hand, RESIGN)
            await press_where_it_is(self.person, asked.message, RESIGN)
            return
        for _ in range(MOVES):
            if await move(self.person, hand, self.chance) is None:
                return
            await asyncio.sleep(self.chance.uniform(0.0, self.weather.thinking))

    def _joins(self, custom_id: str | None) -> bool:
        try:
            return custom_ids.read(custom_id or "")[1].verb in JOINS
        except custom_ids.UnknownCustomId:
            return False

    async def _join(self, message: MessageView) -> None:
        """Join, or say that they are here."""
        for button in message.buttons:
            if self._joins(button.custom_id):
                await self.person.press(message, custom_id=button.custom_id)
                return


def tournaments_of(image: Path) -> list[Whole]:
    """The tournaments that a disk's image keeps."""
    with tempfile.TemporaryDirectory() as folder:
        for file in image.glob("cardroom.db*"):
            if not file.name.endswith((".lock", "-shm")):
                shutil.copy2(file, folder)
        path = Path(folder) / "cardroom.db"
        if not path.exists():
            return []
        with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True)) as db:
            if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'tournaments'").fetchone() is None:
                return []
            deleting.finish(db)
            found = db.execute("SELECT guild_id, id FROM tournaments ORDER BY guild_id, id").fetchall()
            wholes = [queries.whole(db, *each) for each in found]
            return [each for each in wholes if each is not None]
