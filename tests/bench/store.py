"""How fast the store is: ``python -m tests.bench.store``.

Appends of one act (a record of typical size, one timer) by 1, 16 and 50 matches at once, each waiting for its commit
before it goes on, beside the same statements on a bare sqlite3 connection of the same settings in one thread. Then
what a start and a leaderboard read, at the sizes the bot is meant for.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from bot.store.rows import Invitation, MatchRow, Record, TimerRow
from bot.store.sqlite.schema import MIGRATIONS, connect, migrations
from bot.store.sqlite.store import BUSY_TIMEOUT, SqliteStore

GUILD, GAME = 900000000000000001, "haymaker"
SECONDS = 3.0
EVENTS = '[{"type":"CardsPlayed","v":1,"seat":0,"cards":[' + ",".join(['{"rank":12,"suit":"S"}'] * 12) + "]}]"
ACTION = '{"type":"Play","v":1,"cards":[{"rank":12,"suit":"S"},{"rank":3,"suit":"S"}]}'

PLAYERS = 100_000
PAGE = 10
LIVE, RECORDS = 2_000, 20


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"SQLite {sqlite3.sqlite_version}, WAL, synchronous=FULL; {len(EVENTS) + len(ACTION)} bytes an act")
        baseline = bare(Path(folder) / "bare.db")
        report("bare sqlite3, one thread", baseline, rate(baseline))
        for tasks in (1, 16, 50):
            taken = asyncio.run(appends(Path(folder) / f"{tasks}.db", tasks))
            report(f"the store, {tasks} matches at once", taken, rate(baseline))
        asyncio.run(reads(Path(folder) / "reads.db"))


Timed = tuple[list[float], float]
"""How long each call took, and how long all took together, in seconds."""


def rate(timed: Timed) -> float:
    """Calls a second."""
    calls, whole = timed
    return len(calls) / whole


def percentile(calls: Sequence[float], percent: int) -> float:
    """The nearest-rank percentile, in milliseconds."""
    return sorted(calls)[min(len(calls) - 1, len(calls) * percent // 100)] * 1000


def report(what: str, timed: Timed, baseline: float) -> None:
    """One line of figures."""
    calls, _ = timed
    print(
        f"{what:<28} {rate(timed):>8.0f} appends/s  {rate(timed) / baseline:>5.2f} of bare"
        f"  p50 {percentile(calls, 50):>6.2f} ms  p99 {percentile(calls, 99):>6.2f} ms"
    )


def bare(path: Path) -> Timed:
    """The statements of an append and nothing else, a commit each, without a thread or a loop."""
    asyncio.run(only_match(path))
    db = connect(path, migrations(MIGRATIONS), BUSY_TIMEOUT)
    calls: list[float] = []
    begun = now = time.perf_counter()
    while now < begun + SECONDS:
        seq = len(calls) + 1
        db.execute("BEGIN IMMEDIATE")
        db.execute(
            "INSERT INTO records VALUES ('m', ?, 1, ?, 0, ?, ?, 0, ?, NULL)", (seq, seq, ACTION, EVENTS, bytes(32))
        )
        db.execute("DELETE FROM timers WHERE match_id = 'm'")
        db.execute("INSERT INTO timers VALUES ('m', 'turn', ?, 1, 0)", (str(seq),))
        db.execute("COMMIT")
        before, now = now, time.perf_counter()
        calls.append(now - before)
    db.close()
    return calls, now - begun


async def appends(path: Path, tasks: int) -> Timed:
    """So many matches, each appending as fast as its commits come back."""
    store = await SqliteStore.open(path, now=lambda: 0)
    calls: list[float] = []

    async def play(number: int) -> None:
        match_id = f"m{number}"
        now = begun
        seq = 0
        while now < begun + SECONDS:
            seq += 1
            press = (number << 32) + seq
            record = Record(match_id, seq, press, 0, ACTION, EVENTS, 0)
            await store.append(record, [TimerRow(match_id, "turn", str(seq), 0)])
            before, now = now, time.perf_counter()
            calls.append(now - before)

    for number in range(tasks):
        await open_match(store, f"m{number}")
    begun = time.perf_counter()
    await asyncio.gather(*[play(number) for number in range(tasks)])
    whole = time.perf_counter() - begun
    await store.close()
    return calls, whole


async def only_match(path: Path) -> None:
    """A database with one live match, made by the store itself: it knows every column its tables have by now."""
    store = await SqliteStore.open(path, now=lambda: 0)
    await open_match(store, "m")
    await store.close()


async def open_match(store: SqliteStore, match_id: str) -> None:
    """A live match with its deal."""
    seats = (1, 2)
    invitation = Invitation(match_id, GUILD, 1, None, GAME, "{}", "normal", 1, (2,), seats, b"", b"", 0, 0)
    match = MatchRow(match_id, GUILD, 1, None, None, GAME, 1, "{}", "normal", seats, b"", b"", 0)
    await store.add_invitation(invitation)
    await store.open_match(match, Record(match_id, 0, None, None, None, EVENTS, 0), ())


async def reads(path: Path) -> None:
    """A leaderboard of many, a start with many matches, and the check of the file at a start."""
    store = await SqliteStore.open(path, now=lambda: 0)
    await store.database.write(fill_standings)
    places = range(0, PLAYERS, PLAYERS // 200)
    await timed("a page of the leaderboard", [partial(store.leaderboard, GUILD, GAME, at, PAGE) for at in places])
    await timed("one player's standing", [partial(store.standing, GUILD, GAME, 1 + at) for at in places])
    await asyncio.gather(*[open_match(store, f"m{number}") for number in range(LIVE)])
    for seq in range(1, RECORDS):
        await asyncio.gather(*[store.append(Record(f"m{n}", seq, None, 0, ACTION, EVENTS, 0), ()) for n in range(LIVE)])
    await timed(f"{LIVE} live matches", [store.live_matches])
    await timed(f"their {LIVE * RECORDS} records", [partial(store.logs, [f"m{number}" for number in range(LIVE)])])
    await store.close()
    begun = time.perf_counter()
    await (await SqliteStore.open(path, now=lambda: 0)).close()
    taken = (time.perf_counter() - begun) * 1000
    print(f"{'opening and checking':<28} {taken:>8.0f} ms for {mebibytes(path):.0f} MiB")


def mebibytes(path: Path) -> float:
    """The size of a file."""
    return path.stat().st_size / 2**20


def fill_standings(db: sqlite3.Connection) -> None:
    """Many players with strengths all over the scale."""
    db.executemany(
        "INSERT INTO standings VALUES (?, ?, ?, ?, 2.0, ?, 1, 1, 0)",
        [(GUILD, GAME, 1 + n, n * 7919 % PLAYERS / 2000, n * 7919 % PLAYERS / 2000 - 6.0) for n in range(PLAYERS)],
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
