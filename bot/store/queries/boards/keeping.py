"""Keeps leaderboards right: when a result counts, as days pass, when somebody hides, and when somebody is deleted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from bot.store.boards import (
    ALL_GAMES,
    BoardDates,
    Section,
    Span,
    Tally,
    day_of,
    score_of,
    section_of,
    tallies,
)
from bot.store.queries import deletions
from bot.store.queries.boards import entries
from bot.store.queries.boards.entries import Key, Line
from bot.store.queries.connection import Connection
from bot.store.rows.matches import Result
from bot.store.rows.standings import RatingChange

CHUNK: Final = 8
"""How many rows one transaction moves as days pass, at most: some 1 to 2 ms of the database's thread."""

_Day: TypeAlias = tuple[int, str, int, int, int, int, int, int]
"""A user, a game, a day, whether a leaderboard contains it, and its tally."""

_FLAGS: Final = {Span.LAST_DAYS: "in_week", Span.SEASON: "in_season"}
_ENTER: Final = f"{{flag}} = 0 AND day >= ? AND {deletions.spares('board_days')}"
_LEAVE: Final = f"{{flag}} = 1 AND day < ? AND {deletions.spares('board_days')}"
_ACTIVE_AGAIN: Final = f"section = 1 AND last_day >= ? AND {deletions.spares('board_entries')}"
_INACTIVE: Final = f"section = 0 AND last_day < ? AND {deletions.spares('board_entries')}"

_IS_CURRENT: Final = "SELECT NOT ({})".format(
    " OR ".join(
        f"EXISTS (SELECT 1 FROM {table} WHERE guild_id = ? AND {where})"
        for table, where in (
            *(("board_days", where.format(flag=flag)) for flag in _FLAGS.values() for where in (_LEAVE, _ENTER)),
            *(("board_entries", f"span = 0 AND {where}") for where in (_INACTIVE, _ACTIVE_AGAIN)),
        )
    )
)


def apply(db: Connection, guild_id: int, game: str, result: Result, changes: Mapping[int, RatingChange]) -> None:
    """Count a result whose standings were brought up to date. `changes` has each user's, in the order of the seats."""
    day = day_of(result.ended_at)
    for user_id, tally in zip(changes, tallies(result.ranks, [*changes.values()]), strict=True):
        flags = _add_to_day(db, (guild_id, user_id, game, day), tally)
        for span, flag in zip(_FLAGS, flags, strict=True):
            if flag:
                _add(db, Key(guild_id, user_id, span, game), tally)
        _keep_all_time(db, Key(guild_id, user_id, Span.ALL_TIME, game), day)


def _keep_all_time(db: Connection, key: Key, last_day: int) -> None:
    """Keep the two lines of all time that the standing of somebody who just played makes: of its game, and over all."""
    guild_id, user_id, _, game = key
    section = Section.HIDDEN if entries.is_hidden(db, guild_id, user_id) else Section.RANKED
    ordinal, wins, losses, draws = db.execute(
        "SELECT ordinal, wins, losses, draws FROM standings WHERE guild_id = ? AND game = ? AND user_id = ?",
        (guild_id, game, user_id),
    ).fetchone()
    entries.put(db, key, Line(section, score_of(ordinal), wins, losses, draws, last_day))
    entries.put(db, key._replace(game=ALL_GAMES), _over_all_games(db, guild_id, user_id, section))


def _over_all_games(db: Connection, guild_id: int, user_id: int, section: Section) -> Line:
    """The sum of a person's scores above zero: nobody loses a place because they tried another game."""
    sums = db.execute(
        "SELECT sum(CASE WHEN score > 0 THEN score ELSE 0 END), sum(wins), sum(losses), sum(draws), max(last_day)"
        " FROM board_entries WHERE guild_id = ? AND user_id = ? AND span = 0 AND game <> ''",
        (guild_id, user_id),
    ).fetchone()
    return Line(section, *sums)


def _add_to_day(db: Connection, key: tuple[int, int, str, int], tally: Tally) -> tuple[int, int]:
    """Add to what a day adds up to. Returns whether the week and the season contain the day: they do if it is new."""
    flags: tuple[int, int] = db.execute(
        "INSERT INTO board_days (guild_id, user_id, game, day, points, wins, losses, draws, in_week, in_season)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 1)"
        " ON CONFLICT (guild_id, user_id, game, day) DO UPDATE SET points = board_days.points + excluded.points,"
        " wins = board_days.wins + excluded.wins, losses = board_days.losses + excluded.losses,"
        " draws = board_days.draws + excluded.draws RETURNING in_week, in_season",
        (*key, *tally),
    ).fetchone()
    return flags


def _add(db: Connection, key: Key, tally: Tally) -> None:
    """Add to somebody's line of a season or of the last days, in a game and over all games."""
    hidden = entries.is_hidden(db, key.guild_id, key.user_id)
    for each in (key, key._replace(game=ALL_GAMES)):
        former = entries.find(db, each)
        total = tally if former is None else tally.plus(Tally(*former[1:5]))
        section = section_of(key.span, total.matches, hidden=hidden)
        entries.replace(db, each, former, Line(section, *total) if total.matches else None)


# ---------------------------------------------------------------------------------------------- as days pass


def is_current(db: Connection, guild_id: int, dates: BoardDates) -> bool:
    """Whether nothing is left for `roll` to do."""
    firsts = (dates.week, dates.week, dates.season, dates.season, dates.active, dates.active)
    (current,) = db.execute(_IS_CURRENT, tuple(each for first in firsts for each in (guild_id, first))).fetchone()
    return bool(current)


def roll(db: Connection, guild_id: int, dates: BoardDates) -> bool:
    """Move a few lines of a server whose days have left or entered a week or a season, or whose players are no longer
    active. Returns whether there were none."""
    room = CHUNK
    for span in _FLAGS:
        for day in _overdue(db, guild_id, dates, span, room):
            _move_day(db, guild_id, span, day)
            room -= 1
    for user_id, game, last_day in _moved(db, guild_id, dates, room):
        _move_line(db, Key(guild_id, user_id, Span.ALL_TIME, game), active=last_day >= dates.active)
        room -= 1
    return room == CHUNK


def _move_day(db: Connection, guild_id: int, span: Span, day: _Day) -> None:
    """Take a day out of somebody's line of a season or of the last days, or put it in."""
    user_id, game, number, contained, *found = day
    tally = Tally(*found)
    _add(db, Key(guild_id, user_id, span, game), Tally().minus(tally) if contained else tally)
    db.execute(
        f"UPDATE board_days SET {_FLAGS[span]} = ? WHERE guild_id = ? AND user_id = ? AND game = ? AND day = ?",
        (1 - contained, guild_id, user_id, game, number),
    )


def _move_line(db: Connection, key: Key, *, active: bool) -> None:
    """List somebody after the others who is no longer active, or with them again."""
    line = entries.find(db, key)
    if line is not None:
        section = section_of(Span.ALL_TIME, line.matches, hidden=False, active=active)
        entries.replace(db, key, line, line._replace(section=section))


def _overdue(db: Connection, guild_id: int, dates: BoardDates, span: Span, most: int) -> list[_Day]:
    """The days of people that a leaderboard should contain and doesn't, or the other way round."""
    flag, first = _FLAGS[span], dates.week if span is Span.LAST_DAYS else dates.season
    found: list[_Day] = []
    for where in (_LEAVE, _ENTER):
        found += db.execute(
            f"SELECT user_id, game, day, {flag}, points, wins, losses, draws FROM board_days"
            f" WHERE guild_id = ? AND {where.format(flag=flag)} LIMIT ?",
            (guild_id, first, most - len(found)),
        )
    return found


def _moved(db: Connection, guild_id: int, dates: BoardDates, most: int) -> list[tuple[int, str, int]]:
    """The lines of people who are no longer active, or who are again."""
    found: list[tuple[int, str, int]] = []
    for where in (_INACTIVE, _ACTIVE_AGAIN):
        found += db.execute(
            f"SELECT user_id, game, last_day FROM board_entries WHERE guild_id = ? AND span = 0 AND {where} LIMIT ?",
            (guild_id, dates.active, most - len(found)),
        )
    return found


# ---------------------------------------------------------------------------------------------- people


def set_hidden(db: Connection, guild_id: int, user_id: int, *, hidden: bool) -> None:
    """Leave somebody out of a server's leaderboards, or list them again. `roll` then knows whether they are
    active."""
    if hidden:
        db.execute(
            "INSERT INTO board_hidden (guild_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING", (guild_id, user_id)
        )
    else:
        db.execute("DELETE FROM board_hidden WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
    for key, line in entries.of_user(db, guild_id, user_id).items():
        section = section_of(key.span, line.matches, hidden=hidden)  # `roll` knows who of those listed again is active
        entries.replace(db, key, line, line._replace(section=section))


def anonymise(db: Connection, guild_id: int, user_id: int, marker: int) -> None:
    """Put a marker in the place of somebody, who leaves the lists. Their days are the caller's."""
    for key, line in entries.of_user(db, guild_id, user_id).items():
        entries.replace(db, key, line, None)
        entries.put(db, key._replace(user_id=marker), line._replace(section=Section.HIDDEN))
    for table in ("board_hidden", "season_firsts"):
        db.execute(f"DELETE FROM {table} WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
