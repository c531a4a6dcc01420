"""Seasons that have ended: what their days add up to, and who was first."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from typing import Final, NamedTuple

from bot.store.queries import begun_deletions, resets
from bot.store.queries.database import Connection, inserting, replacing
from bot.store.queries.leaderboard_keeping import is_hidden
from bot.store.queries.leaderboards import ALL_GAMES, DayKey, Tally


class SeasonFirst(NamedTuple):
    """A season of which somebody was first when it ended: in a game or over `ALL_GAMES`. `stop` is the day after its
    last one."""

    game: str
    stop: int


_KNOWN: Final = begun_deletions.spares("board_days")
_HAS_DAYS: Final = f"SELECT 1 FROM board_days WHERE guild_id = ? AND {_KNOWN} LIMIT 1"


class SeasonDay(NamedTuple):
    """What somebody's counted matches of a day in a game add up to, and whether that counts over all games."""

    key: DayKey
    tally: Tally
    everywhere: bool


_COLUMNS: Final = "day, user_id, game, points, wins, losses, draws"
_DAYS: Final = (
    f"SELECT {_COLUMNS}, (SELECT everywhere FROM board_entries AS line"
    " WHERE line.guild_id = :guild AND line.user_id = board_days.user_id AND line.span = 0"
    " AND line.game = board_days.game) AS everywhere FROM board_days INDEXED BY board_days_current"
    " WHERE guild_id = :guild AND in_season = {season} AND in_week = {week} AND day >= :first AND day < :stop"
    " AND (day, user_id, game) > (:day, :user, :game) AND user_id > 0"
    " AND NOT EXISTS (SELECT 1 FROM board_hidden AS h WHERE h.guild_id = :guild AND h.user_id = board_days.user_id)"
    " AND NOT EXISTS (SELECT 1 FROM set_asides AS s WHERE s.guild_id = :guild AND s.user_id = board_days.user_id)"
    f" AND {_KNOWN}"
)
_FLAGS: Final = tuple(itertools.product((0, 1), repeat=2))
"""Whether the season's leaderboard contains a day, and that of the last days. The index `board_days_current` has both
before the day, so it is looked into for each."""
_ALL: Final = " UNION ALL ".join(_DAYS.format(season=season, week=week) for season, week in _FLAGS)


def days(db: Connection, guild_id: int, between: range, after: DayKey | None, most: int) -> list[SeasonDay]:
    """At most `most` of what the counted matches of some `days` add up to, of everybody who isn't hidden or deleted:
    the next ones `after` a key, by day, user id and game."""
    first = between.start if after is None else max(between.start, after.day)
    named = {"guild": guild_id, "first": first, "stop": between.stop, "most": most}
    last = (
        {"day": -1, "user": 0, "game": ""}
        if after is None
        else {"day": after.day, "user": after.user_id, "game": after.game}
    )
    rows = db.execute(f"{_ALL} ORDER BY day, user_id, game LIMIT :most", {**named, **last})
    return [
        SeasonDay(DayKey(guild_id, game, user_id, day), Tally(*tally), bool(everywhere))
        for day, user_id, game, *tally, everywhere in rows
    ]


def judged_until(db: Connection, guild_id: int) -> int | None:
    """The day up to which a server's seasons were judged. Before the first, that of its first counted match, or None if
    there is none."""
    row = db.execute("SELECT until FROM judged_seasons WHERE guild_id = ?", (guild_id,)).fetchone()
    if row is not None:
        return int(row[0])
    begun = [
        db.execute(
            "SELECT min(day) FROM board_days WHERE guild_id = ? AND in_season = ? AND in_week = ?", (guild_id, *flags)
        ).fetchone()
        for flags in _FLAGS
    ]
    return min((day for (day,) in begun if day is not None), default=None)


def judge(db: Connection, guild_id: int, until: int, firsts: Collection[tuple[int, SeasonFirst]]) -> None:
    """Keep who was first of a season, by user id, and up to which day a server's seasons were judged. Nothing happens
    if that is known already, or while the server is being counted again. Who hides or has been deleted is left out."""
    if db.execute(_HAS_DAYS, (guild_id,)).fetchone() is None or resets.is_counting(db, guild_id):
        return
    row = db.execute("SELECT until FROM judged_seasons WHERE guild_id = ?", (guild_id,)).fetchone()
    if row is not None and row[0] >= until:
        return
    db.execute(replacing("judged_seasons", ("guild_id",), "until"), (guild_id, until))
    db.executemany(
        f"{inserting('season_firsts', 'guild_id', 'user_id', 'game', 'stop')} ON CONFLICT DO NOTHING",
        [
            (guild_id, user_id, *first)
            for user_id, first in firsts
            if not is_hidden(db, guild_id, user_id) and _has_played(db, guild_id, user_id, first.game)
        ],
    )


def _has_played(db: Connection, guild_id: int, user_id: int, game: str) -> bool:
    """Whether somebody is known: their deletion may have begun since the days were read."""
    asked = f"SELECT 1 FROM board_days WHERE guild_id = ? AND user_id = ? AND {_KNOWN}"
    found = (
        db.execute(f"{asked} LIMIT 1", (guild_id, user_id))
        if game == ALL_GAMES
        else db.execute(f"{asked} AND game = ? LIMIT 1", (guild_id, user_id, game))
    )
    return found.fetchone() is not None


def firsts(db: Connection, guild_id: int, user_id: int) -> list[SeasonFirst]:
    """The seasons of which somebody was first, the latest first."""
    rows = db.execute(
        "SELECT game, stop FROM season_firsts WHERE guild_id = ? AND user_id = ? ORDER BY stop DESC, game",
        (guild_id, user_id),
    )
    return [SeasonFirst(*row) for row in rows]
