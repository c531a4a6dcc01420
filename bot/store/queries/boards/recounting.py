"""Counts leaderboards again from all results, compares them with the kept ones, and replaces what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from bot.store.boards import ALL_GAMES, DayKey, Section, Span, Tally, score_of, section_of
from bot.store.queries.boards.entries import COARSE, FINE, Key, Line
from bot.store.queries.connection import Connection

Rows: TypeAlias = dict[tuple[Any, ...], tuple[Any, ...]]
"""The rows of a table: the values by the key."""

_KEYS: Final = {
    "board_days": ("guild_id", "user_id", "game", "day"),
    "board_entries": ("guild_id", "user_id", "span", "game"),
    "board_buckets": ("guild_id", "game", "span", "section", "bits", "bucket"),
}
_VALUES: Final = {
    "board_days": ("points", "wins", "losses", "draws", "in_week", "in_season"),
    "board_entries": ("section", "score", "wins", "losses", "draws", "last_day"),
    "board_buckets": ("players",),
}


@dataclass(frozen=True, slots=True)
class BoardRecount:
    """The rows of leaderboards as they should be, by table, and the keys of those that differ or should not exist."""

    rows: Mapping[str, Rows]
    differing: Mapping[str, tuple[tuple[Any, ...], ...]]

    @property
    def differences(self) -> int:
        """How many rows differ."""
        return sum(map(len, self.differing.values()))


def recount(db: Connection, days: Mapping[DayKey, Tally]) -> BoardRecount:
    """Count all leaderboards again. `days` is what the results of each player, game and day add up to.

    What depends on the present day (which days are in a week or a season, and who is active) is taken as it is kept,
    because `roll` corrects it. What is not kept counts as part of both, and as active.
    """
    stored = {table: _stored(db, table) for table in _KEYS}
    kept_days = {
        (key.guild_id, key.user_id, key.game, key.day): _day(
            tally, stored["board_days"].get((key.guild_id, key.user_id, key.game, key.day))
        )
        for key, tally in days.items()
    }
    hidden = set(db.execute("SELECT guild_id, user_id FROM board_hidden").fetchall())
    lines = _lines_of_days(kept_days, hidden)
    lines.update(_lines_of_standings(db, kept_days, hidden, stored["board_entries"]))
    buckets = Counter(
        (key.guild_id, key.game, key.span, line.section, bits, line.score >> bits)
        for key, line in lines.items()
        for bits in (FINE, COARSE)
    )
    rows: dict[str, Rows] = {
        "board_days": {**kept_days},
        "board_entries": {tuple(key): tuple(line) for key, line in lines.items()},
        "board_buckets": {key: (players,) for key, players in buckets.items()},
    }
    differing = {
        table: tuple(key for key in {**rows[table], **stored[table]} if rows[table].get(key) != stored[table].get(key))
        for table in _KEYS
    }
    return BoardRecount(rows, differing)


def replace_differing(db: Connection, found: BoardRecount) -> None:
    """Replace the rows that differ by the counted ones."""
    for table, keys in found.differing.items():
        where = " AND ".join(f"{name} = ?" for name in _KEYS[table])
        db.executemany(f"DELETE FROM {table} WHERE {where}", keys)
        names = (*_KEYS[table], *_VALUES[table])
        marks = ", ".join("?" * len(names))
        db.executemany(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})",
            [(*key, *found.rows[table][key]) for key in keys if key in found.rows[table]],
        )


def _stored(db: Connection, table: str) -> Rows:
    names, keys = (*_KEYS[table], *_VALUES[table]), len(_KEYS[table])
    rows = db.execute(f"SELECT {', '.join(names)} FROM {table}")
    return {row[:keys]: row[keys:] for row in rows}


def _day(tally: Tally, stored: tuple[int, ...] | None) -> tuple[int, ...]:
    """What a day adds up to, with its flags. Points that another machine rounded differently are as good."""
    if stored is None:
        return (*tally, 1, 1)
    points = stored[0] if abs(stored[0] - tally.points) <= tally.matches else tally.points
    return (points, *tally[1:], *stored[4:])


def _lines_of_days(days: Rows, hidden: set[tuple[int, int]]) -> dict[Key, Line]:
    """The lines of seasons and of the last days."""
    totals: dict[Key, Tally] = {}
    for (guild_id, user_id, game, _), (*tally, in_week, in_season) in days.items():
        for span, contained in ((Span.LAST_DAYS, in_week), (Span.SEASON, in_season)):
            for of in (game, ALL_GAMES) if contained else ():
                key = Key(guild_id, user_id, span, of)
                totals[key] = totals.get(key, Tally()).plus(Tally(*tally))
    return {
        key: Line(section_of(key.span, total.matches, hidden=_is_hidden(key, hidden)), *total)
        for key, total in totals.items()
    }


def _lines_of_standings(db: Connection, days: Rows, hidden: set[tuple[int, int]], stored: Rows) -> dict[Key, Line]:
    """The lines of all time."""
    last: dict[tuple[int, int, str], int] = {}
    for guild_id, user_id, game, day in days:
        last[guild_id, user_id, game] = max(day, last.get((guild_id, user_id, game), day))
    lines: dict[Key, Line] = {}
    everywhere: dict[Key, Line] = {}
    for guild_id, user_id, game, ordinal, wins, losses, draws in db.execute(
        "SELECT guild_id, user_id, game, ordinal, wins, losses, draws FROM standings"
    ):
        last_day = last.get((guild_id, user_id, game))
        if last_day is None:
            continue
        key = Key(guild_id, user_id, Span.ALL_TIME, game)
        line = Line(_kept_section(key, hidden, stored), score_of(ordinal), wins, losses, draws, last_day)
        lines[key] = line
        key = key._replace(game=ALL_GAMES)
        former = everywhere.get(key, Line(_kept_section(key, hidden, stored), 0, 0, 0, 0))
        everywhere[key] = Line(
            former.section,
            former.score + max(0, line.score),
            former.wins + line.wins,
            former.losses + line.losses,
            former.draws + line.draws,
            max(former.last_day, last_day),
        )
    return {**lines, **everywhere}


def _kept_section(key: Key, hidden: set[tuple[int, int]], stored: Rows) -> Section:
    if _is_hidden(key, hidden):
        return Section.HIDDEN
    kept = stored.get(tuple(key))
    return Section.BELOW if kept is not None and kept[0] == Section.BELOW else Section.RANKED


def _is_hidden(key: Key, hidden: set[tuple[int, int]]) -> bool:
    return key.user_id < 0 or (key.guild_id, key.user_id) in hidden
