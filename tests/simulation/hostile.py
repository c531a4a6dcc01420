"""Hostile people who use every command and press as fast as they may, and honest ones beside them.

The honest ones come to the same channel for what the bot is there for: a match, its file, a notice of a table. What
they were given, and how long it took, is recorded for the laws (`tests.simulation.laws.society`).
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import discord

from bot.games import GAMES
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Reply, Role, Sandbox
from tests.end_to_end.players import press_where_it_is
from tests.simulation import world
from tests.simulation.happenings import Record, Served, Service
from tests.simulation.kernel import Kernel
from tests.simulation.people import TROUBLE
from tests.simulation.weather_fields import Weather

say = translations("en")
ACCEPT, TAKE_BACK, RESIGN, MY_CARDS, MORE = (
    say(f"button.{key}") for key in ("accept", "take_back_asked", "resign", "my_cards", "more")
)
REPLAY = say("button.replay")

SHOUT: Final = "SHOUTED"
"""What hostile people type wherever something can be typed."""
BURSTS: Final = 0.02
"""How many of their acts are the first of a burst."""
BURST: Final = 40
"""Acts in a burst, ten a second: as fast as the bot takes them."""
GAMES_PLAYED: Final = ("haymaker", "ciq", "champions")
COMMANDS: Final = (
    *("play", "games", "history", "replay", "verify", "profile", "leaderboard", "daily", "weekly", "away", "block"),
    *("notify", "preferences", "help", "learn", "mydata export", "mydata delete", "settings", "calloff", "moderate"),
    *("tournament new", "tournament me", "league new", "league me"),
    *(f"{game} challenge" for game, rules in GAMES.items() if 2 in rules.info.seats),
    *(f"{game} {what}" for game in GAMES for what in ("open", "practice", "rules", "leaderboard")),
)
"""All that there are."""
ABOUT_SOMEBODY: Final = {"history": "user", "profile": "player", "block": "user", "moderate": "user"}
"""The commands that may name somebody, and by which option."""
ABOUT_A_GAME: Final = frozenset({"learn", "tournament new", "league new"})
MANAGE_EVENTS: Final = 1 << 33
"""The permission to host (https://discord.com/developers/docs/topics/permissions)."""
HOSTS: Final = 78
"""The role of one of them, who has it."""
PAIR_COMES: Final = 15 * 60.0
"""Seconds between two visits of the honest pair."""
HOST_COMES: Final = 20 * 60.0
"""Seconds between two visits of the honest host, who opens a table if that is news for somebody."""
PATIENCE: Final = 60.0
"""Seconds that honest people try."""
TRIES_AGAIN: Final = 5.0
_LINKED: Final = re.compile(r"/channels/\d+/\d+/(\d+)")


@dataclass
class Society:
    """Everybody in a channel whom the weather's hostile accounts are hostile to, and these."""

    kernel: Kernel
    sandbox: Sandbox
    weather: Weather
    record: Record
    channel: DrivenChannel = field(init=False)

    def come(self) -> list[asyncio.Task[None]]:
        """Let them all begin, if there are any; the tasks never end."""
        if not self.weather.hostiles:
            return []
        self.channel = self.sandbox.channel(world.channel_name(0, 0), world.server_name(0))
        hostile = [self.sandbox.user(name) for name in world.hostile_names(self.weather)]
        first, second, host, reader = honest = [self.sandbox.user(name) for name in world.HONEST]
        self._make_host(hostile[0])
        works = [self._visits(first, second), self._tables(host, reader)]
        for number, each in enumerate(hostile):
            chance = self.kernel.chance(f"hostile {number}")
            works.append(Hostile(each, [*hostile, *honest], self.channel, chance, self.weather).act())
        return [asyncio.get_running_loop().create_task(work) for work in works]

    def _make_host(self, person: Person) -> None:
        """Let somebody host tournaments and leagues, which they will do as they do everything."""
        server = self.sandbox.server(world.server_name(0))
        server.roles[HOSTS] = Role(HOSTS, "Hosts", MANAGE_EVENTS, 1)
        server.members[person.id].role_ids.append(HOSTS)

    # ------------------------------------------------------------------------------------ an honest pair

    async def _visits(self, first: Person, second: Person) -> None:
        while True:
            await asyncio.sleep(PAIR_COMES)
            board = await self._served("match", partial(self._begun, first, second))
            if board is None:
                continue
            with contextlib.suppress(*TROUBLE):
                asked = await press_where_it_is(first, board, RESIGN)
                await first.press(asked.message, label=RESIGN)
                await asyncio.sleep(TRIES_AGAIN)
                await self._served("file", partial(self._file, second, board))

    async def _begun(self, first: Person, second: Person) -> MessageView | None:
        asked = await first.slash(self.channel, "haymaker challenge", opponent=second)
        if asked.visibility != "public":
            return None
        await second.press(asked.message, label=ACCEPT)
        return asked.message if asked.message.find_button(MY_CARDS) is not None else None

    async def _file(self, person: Person, board: MessageView) -> MessageView | None:
        opened = (await person.press((await person.press(board, label=REPLAY)).message, label=MORE)).message
        (files,) = [each for each in opened.selects if {"page", "json"} <= {option.value for option in each.options}]
        made = await person.select(opened, custom_id=files.custom_id, values=["page"])
        return made.message if made.message_or_none is not None and made.message.raw["attachments"] else None

    async def _served(self, what: Service, serve: Callable[[], Awaitable[MessageView | None]]) -> MessageView | None:
        """Try until it is there, and record how long that took; None if it never was."""
        loop, found = asyncio.get_running_loop(), None
        came = loop.time()
        while found is None and loop.time() - came < PATIENCE:
            with contextlib.suppress(*TROUBLE):
                found = await serve()
            if found is None:
                await asyncio.sleep(TRIES_AGAIN)
        self.record.add(Served(what, self.kernel.now, None if found is None else loop.time() - came))
        return found

    # ------------------------------------------------------------------------------------ an honest table

    async def _tables(self, host: Person, reader: Person) -> None:
        await asyncio.sleep(PATIENCE)  # until the bot is there
        with contextlib.suppress(*TROUBLE):
            asked = (await reader.slash(self.channel, "notify")).message
            listed = (await reader.press(asked, label=say("button.tables"))).message
            await reader.press(listed, label=say("notify.other", level=GAMES["haymaker"].info.title))
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(HOST_COMES)
            if self._heard_lately(reader, 3600.0, lasting=True) or self._heard_lately(reader, 3 * PATIENCE):
                continue  # a table that closes soon gives the hour back a little later
            heard, begun, taken = len(reader.direct_messages.messages), loop.time(), False
            with contextlib.suppress(*TROUBLE):
                opened = await host.slash(self.channel, "haymaker open")
                if opened.visibility != "public":
                    continue
                for _ in range(int(2 * PATIENCE)):
                    await asyncio.sleep(1.0)
                    taken = taken or world.HOSTILE in opened.message.text
                    if len(reader.direct_messages.messages) > heard:
                        break
            told = len(reader.direct_messages.messages) > heard
            if told or not taken:  # a table that somebody has filled is no news
                self.record.add(Served("notice", self.kernel.now, loop.time() - begun if told else None))

    def _heard_lately(self, reader: Person, seconds: float, *, lasting: bool = False) -> bool:
        """Whether somebody was told of a table within so many seconds; of a `lasting` one, that was not closed soon."""
        there, now = {message.id for message in self.channel.messages}, time.time()
        told = [
            message
            for message in reader.direct_messages.messages
            if not lasting or {int(found) for found in _LINKED.findall(message.text)} & there
        ]
        return any(now - discord.utils.snowflake_time(message.id).timestamp() < seconds for message in told)


@dataclass
class Hostile:
    """One account that does whatever it can, over and over."""

    person: Person
    everybody: Sequence[Person]
    channel: DrivenChannel
    chance: random.Random
    weather: Weather
    _own: list[MessageView] = field(default_factory=list)
    """The messages that it was answered with last."""
    _typing: asyncio.Future[None] | None = None

    async def act(self) -> None:
        """Act for ever, at a person's pace and in bursts."""
        while True:
            acts = BURST if self.chance.random() < BURSTS else 1
            for _ in range(acts):
                with contextlib.suppress(*TROUBLE, KeyError, IndexError, ValueError):
                    self._note(await self._one())
                await asyncio.sleep(0.1 if acts > 1 else 0)
            await asyncio.sleep(self.chance.expovariate(1 / self.weather.hostile_pace))

    async def _one(self) -> Reply | None:
        what = self.chance.random()
        if what < 0.2:
            return await self._open()
        if what < 0.4:
            options = {"clock": "7d"} if self.chance.random() < 0.5 else {}
            game = self.chance.choice(GAMES_PLAYED)
            return await self.person.slash(self.channel, f"{game} practice", **options)
        if what < 0.5:
            opponent = self.chance.choice(self.everybody)
            return await self.person.slash(self.channel, "haymaker challenge", opponent=opponent, clock="7d")
        if what < 0.65:
            return await self._type_a_command(self.chance.choice(COMMANDS))
        return await self._press()

    async def _type_a_command(self, command: str) -> Reply:
        options: dict[str, object] = {}
        if command.endswith("challenge"):
            options["opponent"] = self.chance.choice(self.everybody)
        elif command in ABOUT_SOMEBODY and self.chance.random() < 0.5:
            options[ABOUT_SOMEBODY[command]] = self.chance.choice(self.everybody)
        elif command in ABOUT_A_GAME:
            options["game"] = self.chance.choice(GAMES_PLAYED)
        return await self.person.slash(self.channel, command, **options)

    async def _open(self) -> Reply:
        """Open a table, and perhaps close it again."""
        opened = await self.person.slash(self.channel, f"{self.chance.choice(GAMES_PLAYED)} open")
        if opened.visibility == "public" and self.chance.random() < 0.7:
            await asyncio.sleep(self.chance.uniform(0.0, 60.0))
            more = await self.person.press(opened.message, label=MORE)
            return await self.person.press(more.message, label=TAKE_BACK)
        return opened

    async def _press(self) -> Reply | None:
        """Press anything in a message that it sees."""
        there = [*self._own, *self.channel.messages[-20:]]
        message = self.chance.choice(there)
        selects = [each for each in message.selects if each.options]
        if selects and self.chance.random() < 0.4:
            found = self.chance.choice(selects)
            value = self.chance.choice(found.options).value
            return await self.person.select(message, custom_id=found.custom_id, values=[value])
        buttons = [each for each in message.buttons if each.custom_id and not each.disabled]
        return await self.person.press(message, custom_id=self.chance.choice(buttons).custom_id)

    def _note(self, reply: Reply | None) -> None:
        if reply is None:
            return
        if reply.modal_or_none is not None:
            self._typing = asyncio.ensure_future(self._type(reply))
        elif reply.message_or_none is not None and reply.visibility == "ephemeral":
            self._own = [*self._own[-3:], reply.message]

    async def _type(self, reply: Reply) -> None:
        with contextlib.suppress(*TROUBLE):
            await self.person.submit(reply.modal, dict.fromkeys(reply.modal.labels, f"{SHOUT} {self.person.name}"))
