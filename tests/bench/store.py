"""How fast the store is: ``python -m tests.bench.store``.

Appends of one act (a record of typical size, one timer) by 1, 16 and 50 matches at once, each waiting for its commit
before it goes on. Two baselines run the same statements with the same settings: a bare sqlite3 connection in one
thread, and for as many matches at once aiosqlite with a lock, which is how a bot usually has its own transactions on
one connection. Then what a start reads, at the sizes the bot is meant for.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import aiosqlite

from bot.store.migrations import migrations
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow, Record, Result, TimerRow
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT, SqliteStore
from bot.store.store import Store
from tests.bench.sizes import sized
from tests.end_to_end.process import ROOT

GUILD, GAME = 900000000000000001, "haymaker"
SECONDS = sized(3.0, brief=0.1)
AT_ONCE = (1, 16, 50)
EVENTS = '[{"type":"CardsPlayed","v":1,"seat":0,"cards":[' + ",".join(['{"rank":12,"suit":"S"}'] * 12) + "]}]"
ACTION = '{"type":"Play","v":1,"cards":[{"rank":12,"suit":"S"},{"rank":3,"suit":"S"}]}'

LIVE, RECORDS = sized((2_000, 20), brief=(20, 3))
ENDED, OPPONENTS = sized((300, 5_000), brief=(3, 100))
"""Matches that end, and people whom their players have met."""


def main() -> None:
    """Print the figures."""
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    # Not in the system's folder for temporary files: that may be memory, and commits would cost nothing.
    with tempfile.TemporaryDirectory(dir=build) as name:
        folder = Path(name)
        print(f"SQLite {sqlite3.sqlite_version}, WAL, synchronous=FULL; {len(EVENTS) + len(ACTION)} bytes an act")
        report("bare sqlite3, one thread", bare(folder / "bare.db"))
        for tasks in AT_ONCE:
            baseline = asyncio.run(locked(folder / f"locked-{tasks}.db", tasks))
            report(f"aiosqlite with a lock, {tasks} at once", baseline)
            taken = asyncio.run(appends(folder / f"{tasks}.db", tasks))
            report(f"the store, {tasks} at once", taken, baseline)
        asyncio.run(reads(folder / "reads.db"))


Timed = tuple[list[float], float]
"""How long each call took, and how long all took together, in seconds."""


def rate(timed: Timed) -> float:
    """Calls a second."""
    calls, whole = timed
    return len(calls) / whole


def percentile(calls: Sequence[float], percent: int) -> float:
    """The nearest-rank percentile, in milliseconds."""
    return sorted(calls)[min(len(calls) - 1, len(calls) * percent // 100)] * 1000


def report(what: str, timed: Timed, baseline: Timed | None = None) -> None:
    """One line of figures, and beside a baseline what they are of it."""
    calls, _ = timed
    of_it = ""
    if baseline is not None:
        faster, late = rate(timed) / rate(baseline), percentile(calls, 99) / percentile(baseline[0], 99)
        of_it = f"  {faster:.2f} times its rate, p99 {late:.2f} of its"
    print(
        f"{what:<34} {rate(timed):>8.0f} appends/s"
        f"  p50 {percentile(calls, 50):>6.2f} ms  p99 {percentile(calls, 99):>6.2f} ms{of_it}"
    )


def statements(match_id: str, seq: int, press: int) -> Iterator[tuple[str, tuple[object, ...]]]:
    """What an append is in SQL, and nothing else."""
    yield "BEGIN IMMEDIATE", ()
    record = (match_id, seq, press, ACTION, EVENTS, bytes(32))
    yield "INSERT INTO records VALUES (?, ?, 1, ?, 0, ?, ?, 0, ?, NULL)", record
    yield "DELETE FROM timers WHERE match_id = ?", (match_id,)
    yield "INSERT INTO timers VALUES (?, 'turn', ?, 1, 0)", (match_id, str(seq))
    yield "COMMIT", ()


async def locked(path: Path, tasks: int) -> Timed:
    """This many matches, each appending through aiosqlite, one transaction at a time: a lock keeps the others out."""
    await only_matches(path, tasks)
    lock = asyncio.Lock()
    async with aiosqlite.connect(path, isolation_level=None) as db:
        await db.execute("PRAGMA journal_mode = WAL")
        await db.execute("PRAGMA synchronous = FULL")

        async def append(match_id: str, seq: int, press: int) -> None:
            async with lock:
                for statement, values in statements(match_id, seq, press):
                    await db.execute(statement, values)

        return await played(tasks, append)


async def played(tasks: int, append: Callable[[str, int, int], Awaitable[None]]) -> Timed:
    """This many matches at once, each appending one act after the other as fast as its commits come back."""
    calls: list[float] = []

    async def play(number: int) -> None:
        now, seq = begun, 0
        while now < begun + SECONDS:
            seq += 1
            await append(f"m{number}", seq, (number << 32) + seq)
            before, now = now, time.perf_counter()
            calls.append(now - before)

    begun = time.perf_counter()
    await asyncio.gather(*[play(number) for number in range(tasks)])
    return calls, time.perf_counter() - begun


def bare(path: Path) -> Timed:
    """The statements of an append and nothing else, a commit each, without a thread or a loop."""
    asyncio.run(only_matches(path, 1))
    db = connect(path, migrations(), BUSY_TIMEOUT)
    calls: list[float] = []
    begun = now = time.perf_counter()
    while now < begun + SECONDS:
        for statement, values in statements("m0", len(calls) + 1, len(calls) + 1):
            db.execute(statement, values)
        before, now = now, time.perf_counter()
        calls.append(now - before)
    db.close()
    return calls, now - begun


async def appends(path: Path, tasks: int) -> Timed:
    """This many matches, each appending to the store."""
    await only_matches(path, tasks)
    store = await SqliteStore.open(path, now=lambda: 0)

    async def append(match_id: str, seq: int, press: int) -> None:
        record = Record(match_id, seq, press, 0, ACTION, EVENTS, 0)
        await store.append(record, [TimerRow(match_id, "turn", str(seq), 0)])

    taken = await played(tasks, append)
    await store.close()
    return taken


async def only_matches(path: Path, count: int) -> None:
    """A database with live matches, made by the store itself: it knows every column its tables have by now."""
    store = await SqliteStore.open(path, now=lambda: 0)
    for number in range(count):
        await open_match(store, f"m{number}")
    await store.close()


async def open_match(store: Store, match_id: str) -> None:
    """A live match with its deal."""
    seats = (1, 2)
    invitation = Invitation(match_id, GUILD, 1, None, GAME, "{}", "normal", 1, (2,), seats, b"", b"", 0, 0)
    match = MatchRow(match_id, GUILD, 1, None, None, GAME, 1, "{}", "normal", seats, b"", b"", 0)
    await store.add_invitation(invitation)
    await store.open_match(match, Record(match_id, 0, None, None, None, EVENTS, 0), ())


async def reads(path: Path) -> None:
    """A start with many matches, and the check of the file at a start."""
    store = await SqliteStore.open(path, now=lambda: 0)
    await asyncio.gather(*[open_match(store, f"m{number}") for number in range(LIVE)])
    for seq in range(1, RECORDS):
        await asyncio.gather(*[store.append(Record(f"m{n}", seq, None, 0, ACTION, EVENTS, 0), ()) for n in range(LIVE)])
    await store.database.write(fill_encounters)
    await timed("a result that counts, of two", [partial(end_match, store, f"m{number}") for number in range(ENDED)])
    await timed(f"{LIVE} live matches", [store.live_matches])
    await timed(
        f"their {LIVE * RECORDS} records", [partial(store.saved_matches, [f"m{number}" for number in range(LIVE)])]
    )
    await store.close()
    begun = time.perf_counter()
    await (await SqliteStore.open(path, now=lambda: 0)).close()
    taken = (time.perf_counter() - begun) * 1000
    print(f"{'opening and checking':<28} {taken:>8.0f} ms for {mebibytes(path):.0f} MiB")


def mebibytes(path: Path) -> float:
    """The size of a file."""
    return path.stat().st_size / 2**20


async def end_match(store: SqliteStore, match_id: str) -> None:
    """End a match between the same two again, by an act that wins it."""
    record = Record(match_id, RECORDS, None, 0, ACTION, EVENTS, 0)
    await store.append(record, (), Result(match_id, "knockout", (1, 2), 0, counted=True))


def fill_encounters(db: sqlite3.Connection) -> None:
    """The two who play have met many before."""
    db.executemany(
        "INSERT INTO encounters VALUES (?, ?, ?, ?, 1.0, 1, 0, 0)",
        [(GUILD, GAME, user, 10 + other) for user in (1, 2) for other in range(OPPONENTS)],
    )


async def timed(what: str, calls: Sequence[Callable[[], Awaitable[object]]]) -> None:
    """Call one after the other and print how long a call takes."""
    taken: list[float] = []
    for call in calls:
        begun = time.perf_counter()
        await call()
        taken.append(time.perf_counter() - begun)
    print(f"{what:<28} p50 {percentile(taken, 50):>6.2f} ms  p99 {percentile(taken, 99):>6.2f} ms")


if __name__ == "__main__":
    main()
