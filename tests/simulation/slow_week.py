"""A week of slow matches: 40 people in three servers who play by the day, each notified as they wish.

Something happens in it: Discord can't be reached for hours, the bot is killed and comes back later, clocks are put
forward, one is away, two pause, some plan ahead, some walk away for good. What must hold is in `laws.slow_week`.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import random
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from bot import heartbeat
from bot.gateway import connectivity
from bot.ops import backups
from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import translations
from cogs.away import keeper
from cogs.updates.quiet_hours import Hours
from discord_sandbox import DrivenChannel, JsonObject, MessageView, Person, Reply
from tests.end_to_end.players import chooser, move, press_where_it_is
from tests.simulation import patches
from tests.simulation.happenings import Violation
from tests.simulation.history import History
from tests.simulation.incarnations import Incarnations
from tests.simulation.kernel import EPOCH
from tests.simulation.laws.slow_week import DAY, HOUR, LAWS, MINUTE, Figures, Wish
from tests.simulation.life import SELDOM
from tests.simulation.people import TROUBLE
from tests.simulation.run import MEMORY, Run
from tests.simulation.weather_fields import Weather
from tests.soak.people import MY_CARDS, RESIGN, table_of

say = translations("en")
PUT_FORWARD: Final = datetime(2027, 3, 28, 1, tzinfo=UTC).timestamp()
"""When clocks are put forward in `ZONE`."""
ZONE: Final = "Europe/Berlin"
ELSEWHERE: Final = -5
"""Hours by which the clocks of the others are ahead of UTC, all year."""
CUT_AT: Final = 0.2
FORWARD_AT: Final = 0.4
KILLED_AT: Final = 0.7
"""When what happens, as a share of the whole time."""
SERVERS: Final = ("North", "East", "South")
LOOKS: Final = (2 * HOUR, 8 * HOUR)
"""Seconds between two looks of somebody at their matches, at least and at most: nobody forgets them for a day."""
WALKERS: Final = {7: 0.17, 22: 0.17, 33: 0.66, 38: 0.66}
"""Who walks away for good, and when, as a share of the whole time: before the outage, and before the kill."""
AWAKE: Final = range(7, 23)
"""The hours of people's clocks at which they are awake."""
WEATHER: Final = Weather(servers=len(SERVERS), rate_limits=True, restart_pause=3 * HOUR)
UNREADABLE: Final = (*TROUBLE, AssertionError, IndexError, ValueError)
"""What happens to somebody who presses while the bot is away, or something else changes."""


@dataclass
class Table:
    """A slow match, and who plays it."""

    people: Sequence[Person]
    channel: DrivenChannel
    board: MessageView

    @property
    def id(self) -> str:
        """The match's id."""
        return table_of(self.board)

    def find(self) -> MessageView | None:
        """Its board, wherever it was posted again; None once it is over."""
        mine = self.id
        if self.board.deleted:
            found = [view for view in self.channel.messages if table_of(view) == mine and not view.content]
            self.board = found[-1] if found else self.board
        return None if self.board.deleted or MY_CARDS not in self.board.labels else self.board


@dataclass
class Townspeople:
    """Everybody, what they chose, and when they weren't there."""

    days: float
    figures: Figures = field(default_factory=Figures)
    wishes: dict[int, Wish] = field(default_factory=dict)
    week_channels: set[int] = field(default_factory=set)
    tables: list[Table] = field(default_factory=list)
    matches: int = 0
    absences: list[tuple[int, float, float]] = field(default_factory=list)
    pauses: list[tuple[str, float, float]] = field(default_factory=list)
    direct: dict[int, int] = field(default_factory=dict)
    """Whose direct messages a channel has."""
    failed: int = 0
    """Presses that nothing came of."""

    @property
    def begins(self) -> float:
        """The time of day at its beginning, in seconds since 1970."""
        return PUT_FORWARD - FORWARD_AT * self.days * DAY

    def time_of_day(self, now: float) -> float:
        """The time of day at a moment of the simulation."""
        return self.begins + now

    def away(self, user: int, now: float) -> bool:
        """Whether somebody has days off."""
        return any(each == user and since <= now < until for each, since, until in self.absences)

    def paused(self, match_id: str, now: float) -> bool:
        """Whether the players of a match pause."""
        return any(each == match_id and since <= now < until for each, since, until in self.pauses)

    def of_direct(self, channel: int) -> int | None:
        """Whose direct messages a channel has; None if it is a server's."""
        return self.direct.get(channel)


class SlowWeek(Run):
    """The run of it."""

    def __init__(self, seed: int, people: Townspeople, number: int, history: History, folder: Path) -> None:
        names = [f"P{each:02}" for each in range(number)]
        servers: list[JsonObject] = [
            {
                "name": server,
                "owner": names[at],
                "members": [name for nth, name in enumerate(names) if nth % 3 == at or nth % 5 == at],
                "channels": [{"name": "hall"}, {"name": "club"}, {"name": "week"}],
            }
            for at, server in enumerate(SERVERS)
        ]
        plan: JsonObject = {"people": [{"name": name} for name in names], "servers": servers}
        super().__init__(seed, WEATHER, [law(history, people) for law in LAWS], folder, plan=plan)
        history.begin(self)
        self.people = people
        self._discord.loop.skew = people.begins - EPOCH

    def begin(self, patched: patches.Patches) -> None:
        """As always, with fewer of the steps of which a week has many."""
        patched.set(connectivity, "BEAT_SECONDS", SELDOM)
        patched.set(keeper, "EVERY", SELDOM)
        patched.set(heartbeat, "touch", lambda _file: None)
        patched.set(backups, "LOOKS_EVERY", HOUR)
        super().begin(patched)

    async def _people_come(self) -> None:
        bots = self._bots = self._make_bots()
        assert isinstance(bots, Incarnations)
        bots.skew = self._discord.loop.skew
        bots.begin()
        self._kept += [asyncio.get_running_loop().create_task(work) for work in (self._town(), self._weather_of_it())]

    async def _weather_of_it(self) -> None:
        """Cut all lines for some hours, and kill the bot."""
        whole = self.people.days * DAY
        await asyncio.sleep(CUT_AT * whole)
        self._network.refuse(min(3 * HOUR, whole / 20))
        await asyncio.sleep((KILLED_AT - CUT_AT) * whole)
        assert self._bots is not None
        self._bots.kill()

    async def _town(self) -> None:
        """Let everybody choose, begin their matches, and play on."""
        await asyncio.sleep(2 * MINUTE)
        members = [Member(self, nth, person) for nth, person in enumerate(self.sandbox.people)]
        for member in members:
            await member.choose()
        for server in SERVERS:
            await self._name_channel(server)
        for nth, first in enumerate(members):
            second = next(
                each for each in (*members[nth + 1 :], *members) if each is not first and first.server in each.servers
            )
            await first.challenge(second, "ciq" if nth % 8 == 7 else "haymaker")
        self._kept += [asyncio.get_running_loop().create_task(member.live()) for member in members]
        self._kept += [
            asyncio.get_running_loop().create_task(work) for work in (self._one_is_away(), self._two_pause())
        ]

    async def _name_channel(self, server: str) -> None:
        """Have a server's owner name the channel of its week and of its greeting, and open a tournament."""
        owner_id, channel = self.sandbox.server(server).owner_id, self.sandbox.channel("week", server)
        (owner,) = (person for person in self.sandbox.people if person.id == owner_id)
        self.people.week_channels.add(channel.id)
        shown = (await owner.slash(self.sandbox.channel("hall", server), "settings")).message
        await owner.select(shown, custom_id=chooser(shown, "week").custom_id, values=[str(channel.id)])
        page = (await owner.press(shown, label=say("settings.greeting"))).message
        await owner.select(page, custom_id=chooser(page, "greetat").custom_id, values=[str(channel.id)])
        hall = self.sandbox.channel("hall", server)
        panel = await owner.slash(hall, "tournament new", game="haymaker", clock="daily", players=4)
        await owner.press(panel.message, label=say("tournament.open"))

    async def _one_is_away(self) -> None:
        """Somebody whom a match waits for goes away for two days, or for one of a short week."""
        await asyncio.sleep(0.25 * self.people.days * DAY)
        person, days = self.sandbox.people[4], 2 if self.people.days > 4 else 1
        await person.slash(self.sandbox.channel("hall", SERVERS[1]), "away", days=days)
        self.people.absences.append((person.id, self.now, self.now + days * DAY))

    async def _two_pause(self) -> None:
        """The players of a match agree to pause, and one lets it go on after a third of the time."""
        await asyncio.sleep(0.3 * self.people.days * DAY)
        for table in self.people.tables:
            board = table.find()
            if board is None or any(self.people.away(person.id, self.now) for person in table.people):
                continue
            since, until = self.now, self.now + min(2.0, self.people.days / 3) * DAY
            self.people.pauses.append((table.id, since, until))
            for person in table.people:
                await press_where_it_is(person, board, say("button.rest"))
            await asyncio.sleep(until - since)
            board = table.find()
            if board is not None:
                await press_where_it_is(table.people[0], board, say("button.go_on"))
            return


class Member:
    """Somebody who plays by the day."""

    def __init__(self, week: SlowWeek, number: int, person: Person) -> None:
        self.week, self.number, self.person = week, number, person
        self.people = week.people
        self.chance: random.Random = week.kernel.chance(f"member {number}")
        self.zone = ZoneInfo(ZONE) if number % 2 else None
        self.servers = [name for at, name in enumerate(SERVERS) if number % 3 == at or number % 5 == at]
        self.tables: list[Table] = []
        self.people.direct[person.direct_messages.id] = person.id
        self.people.wishes[person.id] = Wish()

    @property
    def server(self) -> str:
        """The server in which they begin matches."""
        return self.servers[0]

    @property
    def channel(self) -> DrivenChannel:
        """The channel in which they begin matches."""
        return self.week.sandbox.channel(("hall", "club")[self.number % 2], self.server)

    @property
    def wish(self) -> Wish:
        """How they want to be notified."""
        return self.people.wishes[self.person.id]

    def ahead(self) -> int:
        """How many hours their clock is ahead of UTC now."""
        if self.zone is None:
            return ELSEWHERE
        offset = datetime.fromtimestamp(time.time(), self.zone).utcoffset()
        assert offset is not None
        return int(offset.total_seconds() // HOUR)

    async def choose(self) -> None:
        """Choose how to be notified: two of five as it comes, the others otherwise; half of all have quiet hours."""
        levels = (NoticeLevel.PING, NoticeLevel.DIGEST, NoticeLevel.DIRECT, NoticeLevel.PING, NoticeLevel.QUIET)
        level = NoticeLevel.NONE if self.number == 39 else levels[self.number % 5]
        for server in self.servers if level is not NoticeLevel.PING else ():
            await self.person.slash(self.week.sandbox.channel("hall", server), "notify", level=level.value)
        self.wish.level = level
        if self.number % 4 in (1, 2):
            await self.say_hours()

    async def say_hours(self) -> None:
        """Say what time it is, and when to be left alone."""
        channel, hours = self.week.sandbox.channel("hall", self.server), Hours(23, 8)
        shown = (await self.person.slash(channel, "notify")).message
        hour = int(time.time() // HOUR + self.ahead()) % 24
        await self.person.select(shown, custom_id=chooser(shown, "owntime").custom_id, values=[str(hour)])
        self.wish.ahead = self.ahead()
        await self.person.select(shown, custom_id=chooser(shown, "quiet").custom_id, values=[hours.write()])
        self.wish.hours = hours

    async def challenge(self, other: Member, game: str) -> None:
        """Begin a match with somebody."""
        asked = await self.person.slash(self.channel, f"{game} challenge", opponent=other.person, clock="daily")
        begun = await other.person.press(asked.message, label=say("button.accept"))
        table = Table((self.person, other.person), self.channel, begun.message)
        self.people.tables.append(table)
        self.people.matches += 1
        self.tables.append(table)
        other.tables.append(table)

    async def live(self) -> None:
        """Look at one's matches a few times a day, while awake."""
        await asyncio.sleep(self.chance.uniform(0.0, HOUR))
        whole, said = self.people.days * DAY, self.ahead()
        while True:
            walked = self.week.now > WALKERS.get(self.number, 1.0) * whole
            awake = int(time.time() // HOUR + self.ahead()) % 24 in AWAKE
            if awake and not walked and not self.people.away(self.person.id, self.week.now):
                with contextlib.suppress(*UNREADABLE):
                    if self.wish.hours is not None and self.ahead() != said and self.number % 3:
                        await self.say_hours()  # others forget that
                    said = self.ahead()
                    if self.number < len(SERVERS):
                        await self.try_daily()
                for table in self.tables:
                    if not self.people.paused(table.id, self.week.now):
                        with contextlib.suppress(*UNREADABLE):
                            await self.play(table)
                            await self.begin_another(table)
            await asyncio.sleep(self.chance.uniform(*LOOKS))

    async def play(self, table: Table) -> None:
        """Answer what one is asked, and plan ahead."""
        board = table.find()
        if board is None:
            return
        opened = self.judged(await self.person.press(board, label=MY_CARDS))
        if opened.failed or opened.message_or_none is None:
            return
        await move(self.person, opened.message, self.chance)
        if self.number % 4 == 0 and opened.message.find_button(say("button.plan")) is not None:
            planning = (await self.person.press(opened.message, label=say("button.plan"))).message
            occasion = chooser(planning, "plancards").options[0].value
            screen = (await self.person.select(planning, values=[occasion])).message
            if screen.find_button(say("haymaker.act.hit")) is not None:
                await self.person.press(screen, label=say("haymaker.act.hit"))

    async def begin_another(self, table: Table) -> None:
        """Begin another match with who is on the other seat, once this one is over."""
        first, second = table.people
        if first is self.person and not table.board.deleted and say("button.rematch") in table.board.labels:
            asked = await first.press(table.board, label=say("button.rematch"))
            begun = await second.press(asked.message, label=say("button.accept"))
            table.board = begun.message
            self.people.matches += 1

    async def try_daily(self) -> None:
        """Try the deal of the day, and give up: that is a result as well."""
        opened = await self.person.slash(self.channel, "daily", game="haymaker")
        if opened.message_or_none is not None and opened.message.find_button(RESIGN) is not None:
            asked = await self.person.press(opened.message, label=RESIGN)
            await self.person.press(asked.message, label=RESIGN)

    def judged(self, reply: Reply) -> Reply:
        """Count a reply that failed."""
        self.people.failed += reply.failed
        return reply


@dataclass
class Outcome:
    """What came of a week."""

    people: Townspeople
    violations: list[Violation]
    steps: int
    trace_hash: str
    cpu: float
    """Seconds of a processor."""


def live_through(seed: int, days: float, number: int) -> Outcome:
    """Live through so many days with a number of people. To be called once in a process, as `run.simulate`."""
    os.environ["TZ"] = ZONE  # the machine's clock is put forward, too
    time.tzset()
    gc.collect()
    gc.freeze()
    gc.disable()
    began = time.process_time()
    people, history = Townspeople(days), History()
    with (
        tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None, prefix="cardroom-week-") as folder,
        history.tapping(),
    ):
        week = SlowWeek(seed, people, number, history, Path(folder))
        _KEPT.append(week)
        week.run(days * DAY)
    return Outcome(people, week.violations, week.kernel.steps, week.kernel.trace_hash, time.process_time() - began)


_KEPT: list[SlowWeek] = []
"""What was killed must never be collected."""


def lines(outcome: Outcome) -> Iterable[str]:
    """What is printed of it."""
    people, figures = outcome.people, outcome.people.figures
    yield (
        f"{len(people.wishes)} people in {len(SERVERS)} servers, {people.matches} matches, {people.days:g} days: "
        f"{figures.acts} acts, {figures.planned} of them planned ahead; {people.failed} presses failed"
    )
    own = f", after {min(figures.rang) / HOUR:.2f} hours of their own or more" if figures.rang else ""
    yield f"{len(figures.rang)} lost by the clock{own}; {figures.held} shown deadlines were held against the kept ones"
    for level in NoticeLevel:
        those = [user for user, wish in people.wishes.items() if wish.level is level]
        if those:
            pings, warnings, silent = (
                sum(found[user] for user in those) / len(those) / people.days for found in _counted(figures)
            )
            yield (
                f"  {level:<7}{len(those):>3} people: a day and person {pings:.2f} pings, {warnings:.2f} warnings, "
                f"{silent:.2f} silent notices; at most {max(figures.pings[user] for user in those)} pings in all"
            )
    yield f"{figures.week_posts} messages of servers' weeks, edited {figures.week_edits} times"
    yield f"{outcome.steps} steps, {outcome.cpu:.0f} s of a processor; hash {outcome.trace_hash}"
    for each in outcome.violations:
        yield f"FAIL {each.law}, after {each.at / HOUR:.2f} hours: {each.what}"


def _counted(figures: Figures) -> tuple[dict[int, int], ...]:
    return figures.pings, figures.warnings, figures.silent
