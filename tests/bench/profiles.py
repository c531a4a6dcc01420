"""What a profile costs the database: ``python -m tests.bench.profiles``.

One person has 10,000 of the 200,000 counted matches of a server, with about 2,000 opponents. What is kept for profiles
is counted from all results and read as a profile reads it, beside the same questions asked of results and seats.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from bot.store.migrations import migrations
from bot.store.queries import profiles
from bot.store.queries.profiles import CountedResult
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT
from cogs.profiles import queries
from cogs.profiles.screens import MANY_OPPONENTS, MOST_OPPONENTS, MOST_RATINGS
from tests.bench.sizes import sized

GUILD, GAME, PERSON = 900000000000000001, "haymaker", 7
RESULTS, OWN = sized((200_000, 10_000), brief=(2_000, 100))
OPPONENTS, OTHERS = range(100, 2_100), range(100, 20_000)
TIMES: Final = sized(200, brief=2)

_RESULTS: Final = """
    SELECT number, rank FROM seats JOIN results USING (match_id)
    WHERE user_id = ? AND seats.guild_id = ? AND counted = 1 ORDER BY number
"""
_OPPONENTS: Final = """
    SELECT theirs.user_id, count(*)
    FROM seats AS mine JOIN seats AS theirs USING (match_id) JOIN results USING (match_id)
    WHERE mine.user_id = ? AND mine.guild_id = ? AND theirs.seat <> mine.seat AND counted = 1
    GROUP BY theirs.user_id ORDER BY count(*) DESC LIMIT 3
"""


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profiles.db"
        with closing(connect(path, migrations(), BUSY_TIMEOUT)) as db:
            fill(db)
            before = size(db, path)
            begun = time.perf_counter()
            db.execute("BEGIN")
            profiles.rebuild(db)
            db.execute("COMMIT")
            print(f"{'counted from all results':<42}{time.perf_counter() - begun:>8.1f} s")
            print(f"{'bytes a match':<42}{(size(db, path) - before) / RESULTS:>8.0f}")
            read(db)


def fill(db: sqlite3.Connection) -> None:
    """The results, without matches."""
    luck = random.Random(1)
    own = set(luck.sample(range(RESULTS), OWN))
    results: list[tuple[Any, ...]] = []
    seats: list[tuple[Any, ...]] = []
    for number in range(RESULTS):
        match_id = f"{luck.getrandbits(60):015x}"
        users = (PERSON, luck.choice(OPPONENTS)) if number in own else luck.sample(OTHERS, 2)
        ranks = luck.choice(((1, 2), (2, 1)))
        results.append((match_id, GUILD, GAME, "knockout", number, 1, bytes(32)))
        seats += [(match_id, seat, GUILD, users[seat], ranks[seat]) for seat in range(2)]
    db.execute("PRAGMA foreign_keys = OFF")
    db.execute("BEGIN")
    db.executemany(
        "INSERT INTO results (match_id, guild_id, game, kind, ended_at, counted, chain) VALUES (?, ?, ?, ?, ?, ?, ?)",
        results,
    )
    db.executemany("INSERT INTO seats (match_id, seat, guild_id, user_id, rank) VALUES (?, ?, ?, ?, ?)", seats)
    db.executemany(
        "INSERT INTO rating_changes VALUES (?, ?, ?, 25, 8, 25, 8, 1, 1, 1, 1, 0)",
        [(match_id, seat, guild_id) for match_id, seat, guild_id, *_ in seats],
    )
    db.execute("COMMIT")


def size(db: sqlite3.Connection, path: Path) -> int:
    """The bytes of the database's file."""
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size


def read(db: sqlite3.Connection) -> None:
    """What a profile asks for, and what a result costs."""
    timed("matches and streaks", lambda: profiles.record_of(db, GUILD, PERSON))
    timed("  the same from results and seats", lambda: db.execute(_RESULTS, (PERSON, GUILD)).fetchall(), 20)
    timed("usual opponents", lambda: queries.most_met(db, GUILD, PERSON, MOST_OPPONENTS))
    timed("  the same from results and seats", lambda: db.execute(_OPPONENTS, (PERSON, GUILD)).fetchall(), 20)
    timed("when the tenth opponent was met", lambda: queries.met_at(db, GUILD, PERSON, MANY_OPPONENTS))
    timed("a rating's curve", lambda: queries.rating_history(db, GUILD, PERSON, GAME, MOST_RATINGS))
    timed("  in a game without results", lambda: queries.rating_history(db, GUILD, PERSON, "ciq", MOST_RATINGS))
    timed("wins to search for a comeback", lambda: queries.wins_after(db, GUILD, PERSON, RESULTS // 2, 10))
    numbers = iter(range(RESULTS + 1, 2 * RESULTS))
    db.execute("BEGIN")
    ranks = {PERSON: 1, OPPONENTS[0]: 2}
    timed("a result that is added", lambda: profiles.add(db, CountedResult(GUILD, next(numbers), GAME, ranks)))
    db.execute("ROLLBACK")


def timed(what: str, call: Callable[[], object], times: int = TIMES) -> None:
    """Print how long a call takes."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        taken.append(time.perf_counter() - begun)
    taken.sort()
    print(f"{what:<42} p50 {1000 * taken[times // 2]:>7.3f} ms  p99 {1000 * taken[times * 99 // 100]:>7.3f} ms")


if __name__ == "__main__":
    main()
