"""A database that was filled before, such as the million matches of `python -m tests.bench.packed --keep FILE`, as the
house of a long run: its largest servers with those who play most, and who look up, export and delete what is there.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, JsonObject, Person, Reply, Sandbox
from engines import GAMES
from tests.bench.world import PEOPLE
from tests.soak.report import Load, percentile

say = translations("en")

DEPARTED: Final = 9
"""The place of the server, by size, that the bot had left: it is purged."""
QUIET: Final = 1
"""The place of the server in which nobody plays: there those who played most are deleted."""
DELETED: Final = 3
"""How many people of it are deleted in the course of the run."""
LOOKING: Final = (1.0, 3.0)
"""Seconds between two presses of somebody who looks things up."""
SHOWN_WITHIN, DELETION_WITHIN = 60.0, 900.0
"""Seconds until an answer that was deferred is there, and for all slices of somebody's deletion."""
YEAR: Final = 365 * 24 * 3_600_000
"""For how long (ms) the bot has seen that it isn't in that server any more."""
LARGEST: Final = 10
"""Half of the visits are to so many servers."""
TURNED: Final = 3
"""Pages of a list that somebody turns."""
_NEXT: Final = {"leaderboard": say("button.next"), "history": say("history.older")}
_STEP: Final = say("button.next")


def copied(database: Path, to: Path) -> None:
    """Copy a closed database. In the copy the bot has left a server so long ago that its rows are to be purged."""
    shutil.copyfile(database, to)
    with closing(sqlite3.connect(to)) as db, db:
        departed = _by_size(db)[DEPARTED]
        db.execute("DELETE FROM looks")
        db.execute("INSERT INTO looks VALUES (1, ?, strftime('%s', 'now') * 1000)", (YEAR,))
        db.execute("INSERT INTO departures (guild_id, at, observed) VALUES (?, 0, 0)", (departed,))


def is_purged(database: Path, source: Path) -> bool:
    """Whether nothing is left of the server that the bot had left."""
    with closing(sqlite3.connect(source)) as db:
        departed = _by_size(db)[DEPARTED]
    with closing(sqlite3.connect(database)) as db:
        return db.execute("SELECT 1 FROM matches WHERE guild_id = ? LIMIT 1", (departed,)).fetchone() is None


def plan_of(database: Path, servers: int) -> JsonObject:
    """The world of its largest servers, with those in each who have played most; the quiet one is last."""
    with closing(sqlite3.connect(database)) as db:
        largest = _by_size(db)[: servers + 2]
        people = defaultdict[int, list[int]](list)
        for guild, user, _ in db.execute(
            "SELECT guild_id, user_id, count(*) AS played FROM seats GROUP BY guild_id, user_id ORDER BY played DESC"
        ):
            if len(people[guild]) < PEOPLE:
                people[guild].append(user)
    quiet, departed = largest[QUIET], largest[DEPARTED]
    there = [*(guild for guild in largest if guild not in {quiet, departed}), quiet]
    return {
        "people": [
            {"name": f"P{user}", "id": user}
            for user in dict.fromkeys(user for guild in there for user in people[guild])
        ],
        "servers": [
            {
                "name": f"Server {number}",
                "id": guild,
                "members": [f"P{user}" for user in people[guild]],
                "owner": f"P{people[guild][0]}",
                "channels": [{"name": "channel"}],
            }
            for number, guild in enumerate(there)
        ],
    }


def _by_size(db: sqlite3.Connection) -> list[int]:
    rows = db.execute("SELECT guild_id FROM matches GROUP BY guild_id ORDER BY count(*) DESC, guild_id")
    return [guild for (guild,) in rows]


@dataclass
class Visitors:
    """People who look things up in all servers, and some who are deleted; how long they waited, by what they did."""

    sandbox: Sandbox
    load: Load
    rng: random.Random
    waits: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.users = {person.id: person for person in self.sandbox.people}

    async def visit(self, seconds: float) -> None:
        """Look things up for so long; in equal parts of it somebody who has played much is deleted."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        async with asyncio.TaskGroup() as group:
            group.create_task(self._delete_some(seconds / (DELETED + 1)))
            while loop.time() < end:
                await self._once(self.rng.choice(self._looks()))
                await asyncio.sleep(self.rng.uniform(*LOOKING))

    def say(self) -> None:
        """Note how long each kind of press waited."""
        every = [wait for waits in self.waits.values() for wait in waits]
        for what, waits in [("all", every), *sorted(self.waits.items())]:
            figures = " ".join(f"p{part} {percentile(waits, part):.0f}" for part in (50, 95, 99))
            self.load.figures.append(
                f"{what}: {len(waits)} times, {figures}, longest {max(waits, default=0) * 1000:.0f} ms"
            )

    def _looks(self) -> Sequence[Callable[[Person, DrivenChannel], Awaitable[None]]]:
        return (self._pages, self._pages, self._of_somebody, self._replay, self._export, self._command, self._command)

    async def _once(self, look: Callable[[Person, DrivenChannel], Awaitable[None]]) -> None:
        *channels, _ = self.sandbox.channels()
        channel = self.rng.choice(channels[:LARGEST] if self.rng.random() < 0.5 else channels)
        try:
            await look(self.rng.choice(self._members(channel)), channel)
        except Exception as error:  # noqa: BLE001  whatever it is, it is told
            self.load.faults[f"a visit stopped: {type(error).__name__}: {error}"] += 1

    def _members(self, channel: DrivenChannel) -> list[Person]:
        server = channel.record.server
        return [] if server is None else [self.users[user] for user in server.members if user in self.users]

    def _note(self, what: str, reply: Reply) -> Reply:
        self.waits[what].append(reply.elapsed)
        self.load.expect(not reply.failed, f"{what} was not answered")
        return reply

    async def _pages(self, person: Person, channel: DrivenChannel) -> None:
        game = self.rng.choice([*GAMES])
        what, options = self.rng.choice([("leaderboard", {"game": game}), ("history", {}), ("history", {"game": game})])
        shown = self._note(what, await person.slash(channel, what, **options)).message
        for _ in range(TURNED):
            following = shown.find_button(_NEXT[what])
            if following is None or following.disabled:
                return
            self._note(f"{what}, next page", await person.press(shown, label=following.label))

    async def _of_somebody(self, person: Person, channel: DrivenChannel) -> None:
        other = self.rng.choice(self._members(channel))
        self._note("profile of somebody", await person.slash(channel, "profile", player=other))
        self._note("history with somebody", await person.slash(channel, "history", user=other))

    async def _replay(self, person: Person, channel: DrivenChannel) -> None:
        listed = self._note("history", await person.slash(channel, "history")).message
        replays = [option.value for select in listed.selects for option in select.options]
        if not replays:
            return
        (select,) = listed.selects
        shown = await person.select(listed, custom_id=select.custom_id, values=[self.rng.choice(replays)])
        self._note("replay", shown)
        following = shown.message.find_button(_STEP)
        if following is not None and not following.disabled:
            self._note("replay, next step", await person.press(shown.message, label=_STEP))

    async def _export(self, person: Person, channel: DrivenChannel) -> None:
        if self.rng.random() < 0.1:
            self._note("mydata export", await person.slash(channel, "mydata export"))

    async def _command(self, person: Person, channel: DrivenChannel) -> None:
        what = self.rng.choice(("profile", "games", "play", "help", "preferences", "notify", "daily", "weekly", "away"))
        self._note(what, await person.slash(channel, what))

    async def _delete_some(self, pause: float) -> None:
        for person in self._members(self.sandbox.channels()[-1])[:DELETED]:
            await asyncio.sleep(pause)
            try:
                await self._delete(person, self.sandbox.channels()[-1])
            except Exception as error:  # noqa: BLE001  whatever it is, it is told
                self.load.faults[f"a deletion stopped: {type(error).__name__}: {error}"] += 1

    async def _delete(self, person: Person, channel: DrivenChannel) -> None:
        loop, button = asyncio.get_running_loop(), say("button.delete")
        asked = self._note("mydata delete", await person.slash(channel, "mydata delete")).message
        await self.sandbox.wait_for(lambda: asked.find_button(button) is not None, SHOWN_WITHIN)
        begun = loop.time()
        done = self._note("deletion", await person.press(asked, label=button)).message
        await self.sandbox.wait_for(lambda: say("mydata.deleted") in done.text, DELETION_WITHIN)
        self.load.figures.append(f"{person.name} was deleted within {loop.time() - begun:.0f} s")
