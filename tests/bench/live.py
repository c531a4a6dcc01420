"""Large houses: ``python -m tests.bench.live [l2] [l3] [l5] [hour] [--minutes N] [--database FILE]``, the first three
where none is named.

| load | house | asks |
|---|---|---|
| L2 | 1,000 live matches in 500 servers, 20 moves a second | how fast presses are answered |
| L3 | 5,000 live matches, 50 moves a second | that, how late boards are, how many requests, whether memory grows |
| L5 | a cold start with 20,000 live matches | its first answer, all taken up, play beside repairs, memory |
| hour | L2 for an hour, with computers at a fifth of the tables, and races | whether what the process takes is level |
| brief | 20 live matches, a few seconds; with ``--brief`` | only that this program runs |

The hour lasts so many minutes, if they are given. With a database that was filled before, it is played in a copy of
that (`tests.bench.filled`): a quarter of the moves, and beside them people look up what is there.

The bot is a process of its own, with its database on a disk; the sandbox and the people are in this one, so the two
share what cores there are. Matches are laid out beforehand (`tests.bench.world`). People sit down at one by chance,
make a few moves and leave; where a match has ended, they begin another. Beside it a bare discord.py bot is pressed now
and then: what slows the machine slows it too.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sqlite3
import sys
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Final

import aiohttp

from bot.play.computers.levels import levels_of
from discord_sandbox import DrivenChannel, Entry, Exchange, MessageView, Person, Refused, Reply
from tests.bench import filled
from tests.bench.consumption import Consumption
from tests.bench.house import House, opened, until
from tests.bench.processes import CpuMeter, free_port
from tests.bench.sizes import BRIEF, sized
from tests.bench.world import PACE, SEATS, SHARES, plan
from tests.end_to_end.players import challenge, sit_down
from tests.end_to_end.process import BotProcess
from tests.figures import read
from tests.soak.people import MY_CARDS, Manners, PrivateTable, Table, is_begun
from tests.soak.report import Load, percentile, table, waited

MOVES: Final = 6
"""Moves that people make at a table before they leave it."""
THINKING: Final = (0.2, 0.8)
"""Seconds between two presses at a table."""
PROBE_EVERY: Final = 0.1
"""Seconds between two presses of the bare bot."""
UP_WITHIN, SHOWN_WITHIN, OVERTIME = 300.0, 120.0, 300.0
"""Seconds: until the bot plays, until a match's board is shown, and for all who play at the end to get up."""
BEGUN_EVERY: Final = 0.2
"""Seconds between two matches against computers, at the start."""
MOST_BEHIND: Final = 5.0
"""Seconds. If people cannot sit down as fast as they should, those who come later than that stay away."""
MOST_DEFERRED: Final = 0.05
"""How many matches may not begin at once: on a busy machine the bot sometimes defers."""
STEADY: Final = 5
"""Seconds over which the requests of a second are averaged: they arrive in bunches when a process had to wait."""
GRANTED: Final = 50
"""Requests of a bot's token that Discord takes in a second."""
RACE: Final = "tivmiv"
OBSERVED: Final = "observed.json"
"""The file beside the database in which the bot counts."""
MOST_LOGGED: Final = 5_000
"""The characters of the log that are printed if the run is cut short."""
MOST_WARNINGS: Final = 8
"""How many kinds of warnings are told."""
NUMBER: Final = re.compile(r"\d[\d.]*")
LOGGED: Final = re.compile(r"level=(\w+) logger=(\S+) message=(\"[^\"]*\"|\S+)")
CALM: Final = Manners(twice=0, stale=0, cards=0, rules=0, onlooker=0, resign=0)


@dataclass(frozen=True, slots=True)
class Scale:
    """A house, what is done in it, and what must hold: milliseconds to the first response, and p99 as a multiple of the
    bare bot's; seconds of boards, requests of the bot's token a second, growth of its memory from half-time on and its
    size (MiB); seconds from the process's start to the first answer, and until it has all matches; that all it takes is
    level. None: nothing is asked."""

    name: str
    servers: int
    channels: int
    matches: int
    moves_a_second: float
    seconds: float
    warming: float = 0.0
    computers: int = 0
    """So many more matches, of a person against computers."""
    races: int = 0
    """At once, each of a person against a computer."""
    presses: int = 80
    """After so many people leave a table although they made fewer moves than they wanted."""
    p50: float | None = None
    p99: float | None = None
    times_bare: float | None = None
    board_lag: float | None = None
    requests: int | None = None
    growth: float | None = None
    memory: float | None = None
    first_answer: float | None = None
    all_up: float | None = None
    level: bool = False
    database: Path | None = None
    """The filled one whose copy it is."""


SCALES: Final = {
    "l2": Scale("L2", 500, 1, 1_000, 20, 90, 15, p50=60, p99=300, times_bare=3),
    "l3": Scale("L3", 500, 5, 5_000, 50, 120, 20, p99=500, board_lag=3, requests=45, growth=0.1),
    "l5": Scale(
        "L5", 1_000, 10, 20_000, 10, 60, 5, p99=500, board_lag=3, requests=45, memory=500, first_answer=5, all_up=45
    ),
    "hour": Scale("L2 for an hour", 500, 1, 800, 20, 3600, computers=200, races=3, level=True),
    "brief": Scale("brief", 10, 1, 20, 10, 3, 0.5, computers=4, races=1, presses=5),
}
FILLED: Final = Scale("L2 in a filled database", 1_000, 1, 270, 5, 3600, computers=30, races=1, presses=60, level=True)
DEFAULT: Final = sized(["l2", "l3", "l5"], brief=["brief"])


def main(argv: list[str]) -> int:
    """Run the loads that are named, or the first ones, and print what came of each."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.live", description="Large houses.")
    parser.add_argument("loads", nargs="*", metavar="LOAD", default=DEFAULT, help=f"of {', '.join(SCALES)}")
    parser.add_argument("--minutes", type=float, default=60, help="how long the hour lasts (60)")
    parser.add_argument("--database", type=Path, help="play the hour in a copy of this one, look up, delete and purge")
    parser.add_argument(BRIEF, action="store_true", help="a few seconds, only that it runs")
    given = parser.parse_args(argv)
    unknown = set(given.loads) - SCALES.keys()
    if unknown:
        parser.error(f"there is no load called {', '.join(sorted(unknown))}; there are {', '.join(SCALES)}")
    hour = replace(FILLED, database=given.database) if given.database else SCALES["hour"]
    scales = {**SCALES, "hour": replace(hour, seconds=60 * given.minutes)}
    return 0 if table([asyncio.run(run(scales[name])) for name in given.loads]) else 1


async def run(scale: Scale) -> Load:
    """Lay the house out, start the bot, let people play, and judge."""
    load = Load(scale.name)
    world, copied = plan(scale.servers, scale.channels), None
    if scale.database is not None:
        world, copied = filled.plan_of(scale.database, scale.servers), partial(filled.copied, scale.database)
    async with opened(world, scale.matches, copied=copied) as house, _told(house):
        guests = Guests(scale, load)
        port = free_port()
        observed = house.folder / OBSERVED
        bot = house.bot(
            "tests.bench.observed_bot",
            CARDROOM_METRICS_PORT=str(port),
            CARDROOM_BACKUP_HOURS="0" if scale.database is None else "0.25",
            OBSERVED_BOT_FILE=str(observed),
        )
        await _start(scale, bot, house, port, load)
        await until(observed.exists, UP_WITHIN)
        bare = await house.stack.enter_async_context(_probing(guests.bare))
        sites = [Site(at.channel, at.people, at.members, board=at.board) for at in house.laid]
        others = [Site(at.channel, at.people, at.members, against_computers=True) for at in house.laid]
        with_computers, races = others[: scale.computers], others[len(others) - scale.races :]
        await guests.begin_all(with_computers)
        await guests.play(sites, scale.warming)
        guests.forget_beginnings()
        before = await _samples(port)
        house.sandbox.transcript.listen(guests.hear)
        consumption = Consumption(bot.pid, house.folder / "cardroom.db", observed)
        meters = CpuMeter(bot.pid), CpuMeter(bare.pid)
        visitors = filled.Visitors(house.sandbox, load, guests.rng)
        async with consumption.watched(), asyncio.TaskGroup() as group:
            group.create_task(guests.play_all(sites + with_computers, races))
            if scale.database is not None:
                group.create_task(visitors.visit(scale.seconds))
        seconds = consumption.samples[-1].at
        guests.judge(seconds, *(meter.lap() for meter in meters))
        _judge_memory(scale, consumption, load)
        _judge_boards(scale, _board_lags(before), _board_lags(await _samples(port)), load)
        exit_code = await bot.stop()
        load.expect(exit_code == 0, f"the bot ended with {exit_code}")
        load.expect(_is_whole(house.folder / "cardroom.db"), "the database is damaged")
        if scale.database is not None:
            visitors.say()
            load.expect(filled.is_purged(house.folder / "cardroom.db", scale.database), "the server was not purged")
        judge_log(house.log.read_text(encoding="utf-8").splitlines(), load)
    return load


async def _start(scale: Scale, bot: BotProcess, house: House, port: int, load: Load) -> None:
    """Start the bot, and note when it first showed somebody their cards and when it had all matches."""
    begun, laid = time.monotonic(), house.laid
    await bot.start(UP_WITHIN)
    async with asyncio.timeout(UP_WITHIN):
        while not _shows_cards(await laid[0].people[0].press(laid[0].board, label=MY_CARDS)):  # noqa: ASYNC110  presses again
            await asyncio.sleep(PROBE_EVERY)
        answered = time.monotonic() - begun
        while (await _samples(port)).get("cardroom_live_matches", 0) < len(laid):  # noqa: ASYNC110  asks again
            await asyncio.sleep(PROBE_EVERY)
        up = time.monotonic() - begun
    load.figures.append(f"{len(laid)} live matches: first answer after {answered:.1f} s, all up after {up:.1f} s")
    load.most(answered, scale.first_answer, "seconds until the first answer")
    load.most(up, scale.all_up, "seconds until all are up")


def _shows_cards(reply: Reply) -> bool:
    """Whether a press was answered with more than a deferral."""
    return reply.visibility == "ephemeral" and bool(reply.message.text)


# ---------------------------------------------------------------------------------------------- people


@dataclass(eq=False)
class Site:
    """A table of a channel at which one match is played after the other; without a board, none is played now."""

    channel: DrivenChannel
    people: tuple[Person, ...]
    members: tuple[Person, ...]
    against_computers: bool = False
    board: MessageView | None = None
    taken: bool = False


@dataclass
class Guests:
    """Those who play, and what came over the wire meanwhile."""

    scale: Scale
    load: Load
    waits: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    requests: list[float] = field(default_factory=list)
    begun: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    made: list[int] = field(default_factory=list)
    """The moves of each sitting that is over."""
    stayed_away: int = 0
    deferred: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(1)

    def hear(self, entry: Entry) -> None:
        """Judge one entry of the transcript."""
        if not isinstance(entry, Exchange):
            return
        if "/interactions/" not in entry.path and "/webhooks/" not in entry.path:
            self.requests.append(entry.at)
        if entry.status >= 400:
            code = entry.answer.get("code") if isinstance(entry.answer, dict) else None
            self.refused[f"{entry.method} {code}"] += 1

    def forget_beginnings(self) -> None:
        """What was seen until now was setting up."""
        self.waits.clear()
        self.bare.clear()
        self.moves = 0

    # ------------------------------------------------------------------------------------ sitting

    async def play_all(self, sites: list[Site], races: Sequence[Site]) -> None:
        """People play at all sites, as long as the scale says."""
        seconds = self.scale.seconds
        try:
            async with asyncio.timeout(seconds + OVERTIME):
                await asyncio.gather(self.play(sites, seconds), self._race_all(races, seconds))
        except TimeoutError:
            self.load.faults["people were not up from their tables in time"] += 1

    async def play(self, sites: list[Site], seconds: float) -> None:
        """People sit down at free sites at the pace of the scale, and at the end get up."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        end, sittings = due + seconds, set[asyncio.Task[None]]()
        while (due := due + mean((MOVES, *self.made)) / self.scale.moves_a_second) < end:
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
        racing: Table | None = None
        while loop.time() < end:
            if racing is None or racing.over:
                racing = self._table(site, await self._begin_against_computers(site, RACE))
            await racing.step(racing.people)
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
        sitting = self._table(site, site.board)
        for _ in range(self.scale.presses):
            if sitting.over or sitting.acts >= MOVES:
                break
            before = sitting.acts
            await sitting.step(sitting.people)
            self.moves += sitting.acts - before
            await asyncio.sleep(self.rng.uniform(*THINKING))
        self.made.append(sitting.acts)
        site.board = None if sitting.over else sitting.board

    def _table(self, site: Site, board: MessageView) -> Table:
        people = site.people[:1] if site.against_computers else site.people
        kind = PrivateTable if board.ephemeral else Table
        return kind(people, site.channel, board, site.people[0], self.rng, self._note, CALM)

    def _note(self, reply: Reply, kind: str) -> None:
        self.waits.append(reply.elapsed)
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

    # ------------------------------------------------------------------------------------ judging

    def judge(self, seconds: float, worked: float, bare_worked: float) -> None:
        """Say how so many seconds went, in which the bot and the bare bot took so many seconds of a core."""
        scale, load = self.scale, self.load
        middle, late, bare = percentile(self.waits, 50), percentile(self.waits, 99), percentile(self.bare, 99)
        load.figures += [
            f"{self.moves / seconds:.0f} moves/s, {len(self.waits) / seconds:.0f} presses/s for {seconds:.0f} s",
            f"first response {waited(self.waits)} (bare bot beside it {waited(self.bare)})",
            f"p99 is {late / bare:.1f} times the bare bot's",
            f"the bot took {worked / seconds:.0%} of a core",
            f"{_cost(worked, self.waits)} a press, boards and all (bare bot {_cost(bare_worked, self.bare)})",
            f"{len(self.requests) / seconds:.1f} requests/s, {_fullest(self.requests, 1)} in the fullest second",
            f"begun: {', '.join(f'{count} {game}' for game, count in self.begun.most_common()) or 'none'}",
        ]
        load.most(middle, scale.p50, "p50 (ms)")
        load.most(late, scale.p99, "p99 (ms)")
        load.most(late / bare, scale.times_bare, "p99 beside the bare bot's")
        if scale.requests is not None:
            load.most(_fullest(self.requests, STEADY) / STEADY, scale.requests, f"requests a second for {STEADY} s")
            load.most(_fullest(self.requests, 1), GRANTED, "requests in a second")
        if self.refused:
            load.figures.append(f"refused: {', '.join(f'{count} x {what}' for what, count in self.refused.items())}")
        for code in ("10062", "40060"):
            load.expect(not any(code in refused for refused in self.refused), f"{code} was answered")
        if self.stayed_away:
            load.figures.append(f"{self.stayed_away} times nobody sat down, because the machine was too slow")
        few = self.deferred <= MOST_DEFERRED * self.begun.total()
        load.expect(few, f"{self.deferred} of {self.begun.total()} matches did not begin at once")


def _cost(cpu: float, presses: Sequence[float]) -> str:
    """CPU seconds for a number of presses, in ms a press."""
    return f"{1000 * cpu / len(presses):.2f} ms of CPU"


def _fullest(times: Sequence[float], seconds: float) -> int:
    """The most in any so many seconds."""
    ordered = sorted(times)
    return max((index - bisect_left(ordered, at - seconds) + 1 for index, at in enumerate(ordered)), default=0)


@asynccontextmanager
async def _probing(waits: list[float]) -> AsyncIterator[BotProcess]:
    """A bare bot on a sandbox of its own, pressed now and then until the block ends. Its waits are noted."""
    async with opened() as house:
        person, lobby = house.sandbox.people[0], house.sandbox.channel("lobby")
        bot = house.bot("tests.bench.bare_bot")
        await bot.start()
        await house.sandbox.wait_for(lambda: lobby.messages)

        async def probe() -> None:
            while True:
                waits.append((await person.press(lobby.last, label=MY_CARDS)).elapsed)
                await asyncio.sleep(PROBE_EVERY)

        task = asyncio.create_task(probe())
        try:
            yield bot
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


# ---------------------------------------------------------------------------------------------- the process


async def _samples(port: int) -> dict[str, float]:
    """All figures of the bot, by their names and labels; none while it does not listen yet."""
    try:
        async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/metrics") as answer:
            return read(await answer.text())
    except aiohttp.ClientConnectionError:
        return {}


def _board_lags(samples: dict[str, float]) -> dict[float, float]:
    """How many boards were shown within so many seconds of their change, as the bot counts them."""
    bucket = "cardroom_board_lag_seconds_bucket le="
    return {float(key.removeprefix(bucket)): value for key, value in samples.items() if key.startswith(bucket)}


def _judge_boards(scale: Scale, before: dict[float, float], after: dict[float, float], load: Load) -> None:
    """The smallest bucket that holds 99 of 100 boards that changed."""
    counts = {bound: count - before.get(bound, 0) for bound, count in sorted(after.items())}
    shown = max(counts.values(), default=0)
    if not shown:
        load.faults["no board was shown"] += 1
        return
    middle, late = (next(bound for bound, n in counts.items() if n >= share * shown) for share in (0.5, 0.99))
    load.figures.append(f"{shown:.0f} boards shown, half within {middle:g} s and 99 of 100 within {late:g} s")
    load.most(late, scale.board_lag, "seconds until boards are shown")


def _judge_memory(scale: Scale, consumption: Consumption, load: Load) -> None:
    """Its most, and what it grew by from half-time on: before that hands are opened for the first time, and caches
    fill."""
    if scale.level:
        consumption.judge(load, grows=scale.database is None)
    taken = [sample.resident for sample in consumption.samples]
    half = taken[len(taken) // 2 :]
    first, last = mean(half[:3]), mean(half[-3:])
    load.figures.append(f"memory {first:.0f} MiB at half-time, {last:.0f} at the end, at most {max(taken):.0f}")
    load.most(max(taken), scale.memory, "MiB")
    load.most(last / first - 1, scale.growth, "growth of memory")


@asynccontextmanager
async def _told(house: House) -> AsyncIterator[None]:
    """If the run is cut short, the end of the bot's log is printed: the file goes with the folder."""
    try:
        yield
    except BaseException:
        if house.log.exists():
            print(house.log.read_text(encoding="utf-8")[-MOST_LOGGED:])  # noqa: T201  a benchmark prints
        raise


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
