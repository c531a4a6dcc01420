"""How much of the database's thread a leaderboard takes: ``python -m tests.bench.boards``.

A server with 100,000 players. The whole screen is asked for as the bot asks: whether the lists are up to date, the page
with the reader's own rank, whether they are hidden, and the names. The baseline is what earlier versions asked for: a
page by its number, the reader's rank, and how many there are, all counted.
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
from typing import Final

from bot.ratings import Rating
from bot.store.migrations import migrations
from bot.store.queries import leaderboard_keeping, people
from bot.store.queries.leaderboards import ALL_GAMES, DAY_MS, Leaderboard, LeaderboardDates, Span, Tally
from bot.store.queries.matches import Result
from bot.store.scoring import RatingChange
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT
from cogs.leaderboards import queries
from cogs.leaderboards.queries import PageOf, PageRequest
from tests.bench.sizes import sized

GUILD, GAME = 900000000000000001, "haymaker"
TODAY = 20_000
DATES: Final = LeaderboardDates.on(TODAY, TODAY - 10)
PLAYERS = sized(100_000, brief=1_000)
PAGE = 10
ROUNDS = sized(200, brief=5)
GOAL_MS: Final = 0.5
BY_NUMBER: Final = "page by number, old buttons"
"""It counts within a crowd that shares one score, so it has no goal."""

_COUNTED_PAGE = """
    SELECT user_id, mu, sigma, wins, losses, draws, standings.ordinal
    FROM (SELECT guild_id, game, user_id FROM standings WHERE guild_id = ? AND game = ?
          ORDER BY ordinal DESC, user_id LIMIT ? OFFSET ?)
    JOIN standings USING (guild_id, game, user_id)
    ORDER BY standings.ordinal DESC, user_id
"""
_COUNTED_RANK = "SELECT count(*) FROM standings WHERE guild_id = ? AND game = ? AND ordinal > ?"
_COUNTED = "SELECT count(*) FROM standings WHERE guild_id = ? AND game = ?"


def main() -> None:
    """Print the figures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(connect(Path(folder) / "boards.db", migrations(), BUSY_TIMEOUT)) as db,
    ):
        fill(db, PLAYERS)
        print(f"SQLite {sqlite3.sqlite_version}; {PLAYERS} players of one server, CPU of the database's thread")
        chance = random.Random(1)
        readers = [chance.randint(1, PLAYERS) for _ in range(ROUNDS)]
        baseline = timed("counted, as before", lambda reader: counted_screen(db, reader), readers)
        for what, ask in screens(db):
            taken = timed(what, ask, readers)
            goal = "" if what == BY_NUMBER else f"; goal {GOAL_MS} ms {'met' if taken <= GOAL_MS else 'MISSED'}"
            print(f"{'':<30} {taken / baseline:.3f} of counted{goal}")
        timed("counting a result of two", lambda reader: play(db, reader), readers)


def screens(db: sqlite3.Connection) -> list[tuple[str, Callable[[int], object]]]:
    """The screens that readers ask for, by what they are called."""

    def shown(game: str, span: Span, of: Callable[[int], PageRequest]) -> Callable[[int], object]:
        return lambda reader: screen(db, Leaderboard(GUILD, game, span), reader, of(reader))

    return [
        ("first page", shown(GAME, Span.ALL_TIME, lambda _: PageRequest())),
        ("own page", shown(GAME, Span.ALL_TIME, lambda _: PageRequest(PageOf.OWN))),
        (BY_NUMBER, shown(GAME, Span.ALL_TIME, lambda reader: PageRequest(position=reader))),
        ("own page, last 7 days", shown(GAME, Span.LAST_DAYS, lambda _: PageRequest(PageOf.OWN))),
        ("own page, season, all games", shown(ALL_GAMES, Span.SEASON, lambda _: PageRequest(PageOf.OWN))),
    ]


def screen(db: sqlite3.Connection, board: Leaderboard, reader: int, request: PageRequest) -> object:
    """All that a screen asks the store."""
    assert leaderboard_keeping.is_current(db, GUILD, DATES)
    page = queries.page(db, board, reader, request, PAGE)
    people.names(db, GUILD, [entry.place.user_id for entry in page.entries])
    return page, leaderboard_keeping.is_hidden(db, GUILD, reader)


def counted_screen(db: sqlite3.Connection, reader: int) -> None:
    """The same by counting."""
    (count,) = db.execute(_COUNTED, (GUILD, GAME)).fetchone()
    (ordinal,) = db.execute(
        "SELECT ordinal FROM standings WHERE guild_id = ? AND game = ? AND user_id = ?", (GUILD, GAME, reader)
    ).fetchone()
    (above,) = db.execute(_COUNTED_RANK, (GUILD, GAME, ordinal)).fetchone()
    rows = db.execute(_COUNTED_PAGE, (GUILD, GAME, PAGE, min(above, count - PAGE))).fetchall()
    db.execute(_COUNTED_RANK, (GUILD, GAME, rows[0][-1])).fetchone()
    people.names(db, GUILD, [row[0] for row in rows])


def play(db: sqlite3.Connection, reader: int) -> None:
    """Count a result of two players on the leaderboards, without the standings and the commit."""
    change = RatingChange(Rating(25.0, 3.0), Rating(25.3, 3.0), 10)
    result = Result("m", "knockout", (1, 2), TODAY * DAY_MS, counted=True)
    db.execute("BEGIN")
    leaderboard_keeping.apply(db, GUILD, GAME, result, {reader: change, 1 + reader % PLAYERS: change})
    db.execute("ROLLBACK")


def timed(what: str, ask: Callable[[int], object], readers: list[int]) -> float:
    """Ask for each reader; print and return the median in milliseconds."""
    taken = []
    for reader in readers:
        begun = time.thread_time()
        ask(reader)
        taken.append((time.thread_time() - begun) * 1000)
    taken.sort()
    median, slow = taken[len(taken) // 2], taken[len(taken) * 99 // 100]
    print(f"{what:<30} p50 {median:>7.3f} ms  p99 {slow:>7.3f} ms")
    return median


def fill(db: sqlite3.Connection, players: int) -> None:
    """Players with strengths all over the scale. A third of them lost their only match, and so they share a rating."""
    chance = random.Random(1)
    strengths = [
        (user, *((22.4, 8.1) if user % 3 == 0 else (chance.gauss(25, 6), chance.uniform(1, 8))))
        for user in range(1, players + 1)
    ]
    db.execute("BEGIN")
    db.executemany(
        "INSERT INTO standings (guild_id, game, user_id, mu, sigma, ordinal, wins, losses, draws)"
        " VALUES (?, ?, ?, ?, ?, ?, 3, 2, 1)",
        [(GUILD, GAME, user, mu, sigma, mu - 3 * sigma) for user, mu, sigma in strengths],
    )
    db.executemany("INSERT INTO names VALUES (?, ?, ?)", [(GUILD, user, f"Player {user}") for user, _, _ in strengths])
    days = {user: {(GAME, TODAY): Tally(round(1000 * (40 * mu - 1000)), 3, 2, 1)} for user, mu, _ in strengths}
    leaderboard_keeping.replace_days(db, GUILD, days)
    db.execute("COMMIT")


if __name__ == "__main__":
    main()
