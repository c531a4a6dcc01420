"""L2 for an hour: 1,000 live matches in 500 servers, 20 moves a second, computers at a fifth of the tables, and races.

The bot is a process of its own, with its database on a disk; the sandbox and the people are in this one. Matches are
laid out at uniform stages (`tests.bench.world`). People sit down at one of them, make a few moves and leave; where a
match has ended, they begin another. What the bot's process takes is sampled all the time (`tests.soak.consumption`).
"""

from __future__ import annotations

import asyncio
import gc
import random
import re
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.play.computers.levels import levels_of
from discord_sandbox import DrivenChannel, MessageView, Person, Refused, Reply, Sandbox
from tests.bench.live import CALM, MOVES, THINKING, Seen, cost, probing
from tests.bench.processes import CpuMeter
from tests.bench.world import PACE, SEATS, SHARES, lay, plan
from tests.end_to_end.players import challenge, sit_down
from tests.end_to_end.process import ROOT, BotProcess
from tests.soak import filled
from tests.soak.consumption import Consumption
from tests.soak.observed_bot import FILE
from tests.soak.people import PrivateTable, Table, is_begun
from tests.soak.report import Load, waited

UP_WITHIN, SHOWN_WITHIN, OVERTIME = 180.0, 120.0, 300.0
"""Seconds: until the bot plays, until a match's board is shown, and for all who play at the end to get up."""
BEGUN_EVERY: Final = 0.2
"""Seconds between two matches against computers, at the start."""
MOST_BEHIND: Final = 5.0
"""Seconds. If people cannot sit down as fast as they should, those who come later than that stay away."""
RACE: Final = "tivmiv"
OBSERVED, LOG = "observed.json", "bot.log"
"""Files beside the database."""
MOST_DEFERRED: Final = 0.05
"""How many matches may not begin at once: on a busy machine the bot sometimes defers."""
MOST_LOGGED: Final = 5_000
"""The characters of the log that are printed if the run is cut short."""
MOST_WARNINGS: Final = 8
"""How many kinds of warnings are told."""
NUMBER: Final = re.compile(r"\d[\d.]*")
LOGGED: Final = re.compile(r"level=(\w+) logger=(\S+) message=(\"[^\"]*\"|\S+)")


@dataclass(frozen=True, slots=True)
class Plan:
    """A house: servers with a channel each, live matches, how many of them against computers, races at once, people's
    moves a second, and how long (s)."""

    seconds: float
    seed: int = 1
    servers: int = 500
    matches: int = 1_000
    computers: int = 200
    races: int = 3
    moves_a_second: float = 20.0
    database: Path | None = None
    """One that was filled before; without it, there is nothing but the live matches."""
    presses: int = 60
    """After so many people leave a table although they made fewer moves than they wanted."""


def brief(seed: int) -> Plan:
    """Only that it runs."""
    return Plan(5.0, seed, servers=10, matches=20, computers=4, races=1, moves_a_second=10.0, presses=5)


def of_a_filled_one(seconds: float, seed: int, database: Path) -> Plan:
    """A quarter of the moves, and beside them people who look up what is there (`tests.soak.filled`)."""
    return Plan(seconds, seed, servers=1_000, matches=300, computers=30, races=1, moves_a_second=5.0, database=database)


@dataclass(eq=False)
class Site:
    """A table of a channel at which one match is played after the other; without a board, none is played yet."""

    channel: DrivenChannel
    people: tuple[Person, ...]
    members: tuple[Person, ...]
    against_computers: bool = False
    board: MessageView | None = None
    taken: bool = False


@dataclass
class House:
    """All sites, and what was seen at them."""

    plan: Plan
    load: Load
    seen: Seen = field(default_factory=Seen)
    begun: Counter[str] = field(default_factory=Counter)
    stayed_away: int = 0
    deferred: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.plan.seed)

    def forget_beginnings(self) -> None:
        """What was seen until now was setting up."""
        for measured in (self.seen.waits, self.seen.bare):
            measured.clear()

    def say(self, seconds: float, worked: float, bare_worked: float) -> None:
        """Note the figures of so many seconds, in which the bot and the bare bot took so many seconds of a core."""
        seen, load = self.seen, self.load
        load.figures += [
            f"{seconds / 60:.0f} min, {seen.moves / seconds:.1f} moves/s by people",
            f"{len(seen.waits) / seconds:.0f} presses/s",
            f"first response {waited(seen.waits)} (bare bot beside it {waited(seen.bare)})",
            f"{cost(worked, seen.waits)} of CPU a press (bare bot {cost(bare_worked, seen.bare)})",
            f"{len(seen.requests) / seconds:.1f} requests/s",
            f"begun: {', '.join(f'{count} {game}' for game, count in self.begun.most_common())}",
        ]
        if self.stayed_away:
            load.figures.append(f"{self.stayed_away} times nobody sat down, because the machine was too slow")
        if self.deferred:
            load.figures.append(f"{self.deferred} matches that did not begin at once")
        few = self.deferred <= MOST_DEFERRED * self.begun.total()
        load.expect(few, f"{self.deferred} of {self.begun.total()} matches did not begin at once")
        if seen.refused:
            load.figures.append(f"refused: {', '.join(f'{count} x {what}' for what, count in seen.refused.items())}")
        for code in ("10062", "40060"):
            load.expect(not any(code in refused for refused in seen.refused), f"{code} was answered")

    # ------------------------------------------------------------------------------------ sitting

    async def play_all(self, sites: list[Site], races: Sequence[Site]) -> None:
        """People play at all sites, as long as the plan says."""
        seconds = self.plan.seconds
        try:
            async with asyncio.timeout(seconds + OVERTIME):
                await asyncio.gather(self._play(sites, seconds), self._race_all(races, seconds))
        except TimeoutError:
            self.load.faults["people were not up from their tables in time"] += 1

    async def _play(self, sites: list[Site], seconds: float) -> None:
        """People sit down at free sites at the pace of the plan, and at the end get up."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        end, sittings = due + seconds, set[asyncio.Task[None]]()
        while (due := due + self.seen.moves_a_sitting / self.plan.moves_a_second) < end:
            await asyncio.sleep(max(0.0, due - loop.time()))
            site = self._free(sites)
            if site is None or loop.time() > due + MOST_BEHIND:
                self.stayed_away += 1
                continue
            site.taken = True
            sitting = asyncio.create_task(self._keeping(site, self._sit))
            sittings.add(sitting)
            sitting.add_done_callback(sittings.discard)
        await asyncio.gather(*sittings)

    async def _race_all(self, sites: Sequence[Site], seconds: float) -> None:
        """At each of these sites a person races a computer, match after match."""
        end = asyncio.get_running_loop().time() + seconds
        await asyncio.gather(*(self._keeping(site, lambda at: self._race(at, end)) for site in sites))

    async def _race(self, site: Site, end: float) -> None:
        loop = asyncio.get_running_loop()
        table: Table | None = None
        while loop.time() < end:
            if table is None or table.over:
                table = self._table(site, await self._begin_against_computers(site, RACE))
            await table.step(table.people)
            await asyncio.sleep(self.rng.uniform(*THINKING))

    def _free(self, sites: list[Site]) -> Site | None:
        """A site where nobody sits, by chance; None if there is hardly any."""
        for _ in range(len(sites)):
            site = self.rng.choice(sites)
            if not site.taken:
                return site
        return None

    async def _keeping(self, site: Site, work: Callable[[Site], Awaitable[None]]) -> None:
        """What goes wrong at a site is noted, and others play on."""
        try:
            await work(site)
        except Exception as error:  # noqa: BLE001  whatever it is, it is told
            self.load.faults[f"a table stopped: {type(error).__name__}: {error}"] += 1
            site.board = None
        finally:
            site.taken = False

    async def _sit(self, site: Site) -> None:
        if site.board is None:
            await self._begin(site)
        if site.board is None:
            return
        table = self._table(site, site.board)
        for _ in range(self.plan.presses):
            if table.over or table.acts >= MOVES:
                break
            before = table.acts
            await table.step(table.people)
            self.seen.moves += table.acts - before
            await asyncio.sleep(self.rng.uniform(*THINKING))
        self.seen.made.append(table.acts)
        site.board = None if table.over else table.board

    def _table(self, site: Site, board: MessageView) -> Table:
        people = site.people[:1] if site.against_computers else site.people
        table = PrivateTable if board.ephemeral else Table
        return table(people, site.channel, board, site.people[0], self.rng, self._note, CALM)

    def _note(self, reply: Reply, kind: str) -> None:
        self.seen.waits.append(reply.elapsed)
        self.load.expect(not reply.failed, f"a press ({kind}) was not answered")

    # ------------------------------------------------------------------------------------ beginning

    async def _begin(self, site: Site) -> None:
        """Another match at a site. If the bot defers, its answer is another message, and people come back later."""
        game = self.rng.choice(SHARES)
        try:
            if site.against_computers:
                site.board = await self._begin_against_computers(site, game)
            else:
                site.board = await self._begin_among_people(site, game)
        except (Refused, TimeoutError):
            self.deferred += 1

    async def _begin_among_people(self, site: Site, game: str) -> MessageView:
        host, *guests = site.people = tuple(self.rng.sample(site.members, SEATS[game]))
        self.begun[game] += 1
        if len(guests) == 1:
            return await challenge(host, guests[0], site.channel, game, clock=PACE)
        return await sit_down([host, *guests], site.channel, game, clock=PACE)

    async def begin_all(self, sites: Sequence[Site]) -> None:
        """The first match at each of these sites, one after the other."""
        for site in sites:
            await self._keeping(site, self._begin)
            await asyncio.sleep(BEGUN_EVERY)

    async def _begin_against_computers(self, site: Site, game: str) -> MessageView:
        """A person's match against computers of any level; the board, once it is shown."""
        level = self.rng.choice(levels_of(game))
        self.begun[f"{game} against computers"] += 1
        board = (await site.people[0].slash(site.channel, f"{game} practice", level=level)).message
        async with asyncio.timeout(SHOWN_WITHIN):
            while not is_begun(board):  # noqa: ASYNC110  a message announces nothing
                await asyncio.sleep(BEGUN_EVERY)
        return board


async def run(given: Plan) -> Load:
    """Play, and judge."""
    load = Load("L2 for long")
    house = House(given, load)
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        # Not in the system's folder for temporary files: that may be memory, and commits would cost nothing.
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=build)))
        world = plan(given.servers, 1)
        if given.database is not None:
            filled.copied(given.database, folder / "cardroom.db")
            world = filled.plan_of(given.database, given.servers)
        sandbox = await stack.enter_async_context(Sandbox.running(world, transcript_entries=0))
        laid = lay(sandbox, folder / "cardroom.db", given.matches - given.computers, given.seed)
        gc.collect()
        gc.freeze()  # the sandbox's own pauses are not what is measured
        sites = [Site(at.channel, at.people, at.members, board=at.board) for at in laid]
        others = [Site(at.channel, at.people, at.members, against_computers=True) for at in laid]
        with_computers, races = others[: given.computers], others[-given.races :]
        bot = await stack.enter_async_context(_bot(sandbox, folder, given))
        bare = await stack.enter_async_context(probing(house.seen.bare))
        await house.begin_all(with_computers)
        house.forget_beginnings()
        stack.callback(sandbox.transcript.listen(house.seen.hear))
        consumption = Consumption(bot.pid, folder / "cardroom.db", folder / OBSERVED)
        meters = CpuMeter(bot.pid), CpuMeter(bare.pid)
        visitors = filled.Visitors(sandbox, load, house.rng)
        async with consumption.watched(), asyncio.TaskGroup() as group:
            group.create_task(house.play_all(sites + with_computers, races))
            if given.database is not None:
                group.create_task(visitors.visit(given.seconds))
        house.say(consumption.samples[-1].at, *(meter.lap() for meter in meters))
        consumption.judge(load, grows=given.database is None)
        exit_code = await bot.stop()
        load.expect(exit_code == 0, f"the bot ended with {exit_code}")
        load.expect(_is_whole(folder / "cardroom.db"), "the database is damaged")
        if given.database is not None:
            visitors.say()
            load.expect(filled.is_purged(folder / "cardroom.db", given.database), "the server was not purged")
        judge_log((folder / LOG).read_text(encoding="utf-8").splitlines(), load)
    return load


@asynccontextmanager
async def _bot(sandbox: Sandbox, folder: Path, given: Plan) -> AsyncIterator[BotProcess]:
    """The bot, observed, until the block ends; how the block ends doesn't matter."""
    settings = {FILE: str(folder / OBSERVED), "CARDROOM_LOG_LEVEL": "WARNING", "CARDROOM_COMPUTER_WORKERS": "1"}
    if given.database is not None:
        settings["CARDROOM_BACKUP_HOURS"] = "0.25"
    bot = BotProcess(sandbox, folder, module="tests.soak.observed_bot", log=str(folder / LOG), **settings)
    try:
        await bot.start(UP_WITHIN)
        await sandbox.wait_for((folder / OBSERVED).exists, UP_WITHIN)
        yield bot
    except BaseException:
        print((folder / LOG).read_text(encoding="utf-8")[-MOST_LOGGED:])  # noqa: T201  the file goes with the folder
        raise
    finally:
        if bot.running:
            await bot.kill()


def _is_whole(database: Path) -> bool:
    with closing(sqlite3.connect(database)) as db:
        return db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def judge_log(lines: Sequence[str], load: Load) -> None:
    """What the bot logged: errors are faults, as are lines that aren't of its form. Warnings are counted: on a busy
    machine some are true."""
    warnings = Counter[str]()
    for line in lines:
        match LOGGED.search(line):
            case None:
                load.faults[f"written to standard error: {line}"] += 1
            case found if found[1] == "warning":
                warnings[NUMBER.sub("#", f"{found[2]}: {found[3]}")] += 1
            case found:
                load.faults[f"logged {found[1]} by {found[2]}: {found[3]}"] += 1
    for what, times in warnings.most_common(MOST_WARNINGS):
        load.figures.append(f"{times} warnings by {what}")
