"""A server with very many players, and the screens of its leaderboards, asked for as the bot asks: whether the lists
are up to date, the page with the reader's own rank, whether they are hidden, and the names."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from typing import Final

from bot.store.queries import leaderboard_keeping, people
from bot.store.queries.leaderboards import ALL_GAMES, Leaderboard, LeaderboardDates, Span, Tally
from cogs.leaderboards import queries
from cogs.leaderboards.queries import PageOf, PageRequest
from tests.bot.store.counted_boards import replace_days

GUILD, GAME = 900000000000000001, "haymaker"
TODAY = 20_000
DATES: Final = LeaderboardDates.on(TODAY, TODAY - 10)
PAGE = 10
BY_NUMBER: Final = "page by number, old buttons"
"""It counts within a crowd that shares one score, so it has no goal."""


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
    people.names(db, GUILD, [entry.key.user_id for entry in page.entries])
    return page, leaderboard_keeping.is_hidden(db, GUILD, reader)


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
    replace_days(db, GUILD, days)
    db.execute("COMMIT")
