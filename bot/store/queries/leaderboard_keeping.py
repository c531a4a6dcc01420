"""Keeps leaderboards right: when a result counts, as days pass, when somebody hides, and when somebody is deleted; and
counts them again from all results.

Their lines and how many there are in each interval of scores are written together, here alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from bot.store.person_key import PersonKey
from bot.store.queries import begun_deletions, ratings, recounts
from bot.store.queries.database import Connection, inserting, replacing
from bot.store.queries.leaderboards import (
    ALL_GAMES,
    COARSE,
    FINE,
    LeaderboardDates,
    Section,
    Span,
    Tally,
    day_of,
    score_of,
    section_of,
    tallies,
)
from bot.store.queries.matches import Result
from bot.store.scoring import RatingChange


class Key(NamedTuple):
    """Whose line it is, on which leaderboard."""

    guild_id: int
    user_id: int
    span: Span
    game: str


class Line(NamedTuple):
    """A line as it is kept."""

    section: Section
    score: int
    wins: int
    losses: int
    draws: int
    last_day: int = 0
    everywhere: int = 0

    @property
    def matches(self) -> int:
        """The number of counted matches."""
        return self.wins + self.losses + self.draws


CHUNK: Final = 8
"""How many rows one transaction moves as days pass, at most: some 1 to 2 ms of the database's thread."""
_Day: TypeAlias = tuple[int, str, int, int, int, int, int, int]
"""A user, a game, a day, whether a leaderboard contains it, and its tally."""
_FLAGS: Final = {Span.LAST_DAYS: "in_week", Span.SEASON: "in_season"}
_OTHER: Final = {"in_week": "in_season", "in_season": "in_week"}
_ENTER: Final = f"{{flag}} = 0 AND {{other}} IN (0, 1) AND day >= ? AND {begun_deletions.spares('board_days')}"
_LEAVE: Final = f"{{flag}} = 1 AND {{other}} IN (0, 1) AND day < ? AND {begun_deletions.spares('board_days')}"
"""The other flag may have any value: it is named because it is in the index `board_days_current`."""
_BY_FLAGS: Final = "board_days INDEXED BY board_days_current"
"""Without the hint, SQLite would read all days of the server."""
_ACTIVE_AGAIN: Final = f"section = 1 AND last_day >= ? AND {begun_deletions.spares('board_entries')}"
_INACTIVE: Final = f"section = 0 AND last_day < ? AND {begun_deletions.spares('board_entries')}"


def _of(where: str, flag: str) -> str:
    return where.format(flag=flag, other=_OTHER[flag])


_IS_CURRENT: Final = "SELECT NOT ({})".format(
    " OR ".join(
        f"EXISTS (SELECT 1 FROM {table} WHERE guild_id = ? AND {where})"
        for table, where in (
            *((_BY_FLAGS, _of(where, flag)) for flag in _FLAGS.values() for where in (_LEAVE, _ENTER)),
            *(("board_entries", f"span = 0 AND {where}") for where in (_INACTIVE, _ACTIVE_AGAIN)),
        )
    )
)


def apply(db: Connection, guild_id: int, game: str, result: Result, changes: Mapping[int, RatingChange]) -> None:
    """Count a result whose standings were brought up to date. `changes` has each user's, in the order of the seats."""
    day = day_of(result.ended_at)
    for user_id, tally in zip(changes, tallies(result.ranks, [*changes.values()]), strict=True):
        _keep_all_time(db, Key(guild_id, user_id, Span.ALL_TIME, game), day)
        flags = _add_to_day(db, (guild_id, user_id, game, day), tally)
        for span, flag in zip(_FLAGS, flags, strict=True):
            if flag:
                _add(db, Key(guild_id, user_id, span, game), tally)


def _keep_all_time(db: Connection, key: Key, last_day: int) -> None:
    """Keep the two lines of all time that the standing of somebody who just played makes: of its game, and over all."""
    guild_id, user_id, _, game = key
    former = _find(db, key)
    everywhere = ratings.grown_games(db, guild_id)[game] if former is None else former.everywhere
    section = Section.HIDDEN if is_hidden(db, guild_id, user_id) else Section.RANKED
    row = _standing(db, guild_id, game, user_id)
    if row is None:
        raise LookupError("no standing was written before")
    ordinal, wins, losses, draws = row
    _replace(db, key, former, Line(section, score_of(ordinal), wins, losses, draws, last_day, int(everywhere)))
    _put(db, key._replace(game=ALL_GAMES), _over_all_games(db, guild_id, user_id, section))


def _standing(db: Connection, guild_id: int, game: str, user_id: int) -> tuple[float, int, int, int] | None:
    """What a standing makes of a line of all time."""
    row: tuple[float, int, int, int] | None = db.execute(
        "SELECT ordinal, wins, losses, draws FROM standings WHERE guild_id = ? AND game = ? AND user_id = ?",
        (guild_id, game, user_id),
    ).fetchone()
    return row


def _over_all_games(db: Connection, guild_id: int, user_id: int, section: Section) -> Line | None:
    """The sum of a person's scores above zero, in games whose community is grown: nobody loses a place because they
    tried another game. None without such games."""
    sums = db.execute(
        "SELECT sum(CASE WHEN score > 0 THEN score ELSE 0 END), sum(wins), sum(losses), sum(draws), max(last_day)"
        " FROM board_entries WHERE guild_id = ? AND user_id = ? AND span = 0 AND everywhere = 1",
        (guild_id, user_id),
    ).fetchone()
    return None if sums[0] is None else Line(section, *sums)


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
    """Add to somebody's line of a season or of the last days, in a game, and over all games if those contain it."""
    _add_to_line(db, key, tally)
    of_all_time = _find(db, key._replace(span=Span.ALL_TIME))
    if of_all_time is not None and of_all_time.everywhere:
        _add_to_line(db, key._replace(game=ALL_GAMES), tally)


def _add_to_line(db: Connection, key: Key, tally: Tally) -> None:
    hidden = is_hidden(db, key.guild_id, key.user_id)
    former = _find(db, key)
    total = tally if former is None else tally.plus(Tally(*former[1:5]))
    section = section_of(key.span, total.matches, hidden=hidden)
    _replace(db, key, former, Line(section, *total) if total.matches else None)


# ---------------------------------------------------------------------------------------- as days pass


def is_current(db: Connection, guild_id: int, dates: LeaderboardDates) -> bool:
    """Whether nothing is left for `roll` to do."""
    firsts = (dates.week, dates.week, dates.season, dates.season, dates.active, dates.active)
    (current,) = db.execute(_IS_CURRENT, tuple(each for first in firsts for each in (guild_id, first))).fetchone()
    return bool(current) and not _misplaced(db, guild_id, 1)


def roll(db: Connection, guild_id: int, dates: LeaderboardDates) -> bool:
    """Move a few lines of a server whose days have left or entered a week or a season, whose game's community is grown
    now, or whose players are no longer active. Returns whether there were none."""
    room = CHUNK
    for span in _FLAGS:
        for day in _overdue(db, guild_id, dates, span, room):
            _move_day(db, guild_id, span, day)
            room -= 1
    for key, everywhere in _misplaced(db, guild_id, room):
        _take_everywhere(db, key, everywhere=everywhere)
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


def _take_everywhere(db: Connection, key: Key, *, everywhere: bool) -> None:
    """Put a game into somebody's lines over all games, or take it out."""
    line = _find(db, key)
    if line is None:
        return
    _replace(db, key, line, line._replace(everywhere=int(everywhere)))
    over_all = key._replace(game=ALL_GAMES)
    former = _find(db, over_all)
    section = line.section if former is None else former.section  # `_moved` finds out who is active
    _replace(db, over_all, former, _over_all_games(db, key.guild_id, key.user_id, section))
    for span in _FLAGS:
        found = _find(db, key._replace(span=span))
        if found is not None:
            tally = Tally(*found[1:5])
            _add_to_line(db, over_all._replace(span=span), tally if everywhere else Tally().minus(tally))


def _move_line(db: Connection, key: Key, *, active: bool) -> None:
    """List somebody after the others who is no longer active, or with them again."""
    line = _find(db, key)
    if line is not None:
        section = section_of(Span.ALL_TIME, line.matches, hidden=False, active=active)
        _replace(db, key, line, line._replace(section=section))


def _overdue(db: Connection, guild_id: int, dates: LeaderboardDates, span: Span, most: int) -> list[_Day]:
    """The days of people that a leaderboard should contain and doesn't, or the other way round."""
    flag, first = _FLAGS[span], dates.week if span is Span.LAST_DAYS else dates.season
    found: list[_Day] = []
    for where in (_LEAVE, _ENTER):
        found += db.execute(
            f"SELECT user_id, game, day, {flag}, points, wins, losses, draws FROM {_BY_FLAGS}"
            f" WHERE guild_id = ? AND {_of(where, flag)} LIMIT ?",
            (guild_id, first, most - len(found)),
        )
    return found


def _misplaced(db: Connection, guild_id: int, most: int) -> list[tuple[Key, bool]]:
    """The lines of games that people's lines over all games should contain and don't, or the other way round."""
    found: list[tuple[Key, bool]] = []
    for game, everywhere in ratings.grown_games(db, guild_id).items():
        rows = db.execute(
            "SELECT user_id FROM board_entries INDEXED BY board_entries_everywhere"
            " WHERE guild_id = ? AND game = ? AND span = 0 AND everywhere = ?"
            f" AND {begun_deletions.spares('board_entries')} LIMIT ?",
            (guild_id, game, 1 - everywhere, most - len(found)),
        )
        found += [(Key(guild_id, user_id, Span.ALL_TIME, game), everywhere) for (user_id,) in rows]
    return found


def _moved(db: Connection, guild_id: int, dates: LeaderboardDates, most: int) -> list[tuple[int, str, int]]:
    """The lines of people who are no longer active, or who are again."""
    found: list[tuple[int, str, int]] = []
    for where in (_INACTIVE, _ACTIVE_AGAIN):
        found += db.execute(
            f"SELECT user_id, game, last_day FROM board_entries WHERE guild_id = ? AND span = 0 AND {where} LIMIT ?",
            (guild_id, dates.active, most - len(found)),
        )
    return found


# ---------------------------------------------------------------------------------------------- people


_IS_HIDDEN = (
    "SELECT 1 FROM board_hidden WHERE guild_id = ? AND user_id = ?"
    " UNION ALL SELECT 1 FROM set_asides WHERE guild_id = ? AND user_id = ?"
)


def is_hidden(db: Connection, guild_id: int, user_id: int) -> bool:
    """Whether somebody is left out of a server's leaderboards, by their own choice or a moderator's, as are deleted
    people: they have negative ids."""
    if user_id < 0:
        return True
    row = db.execute(_IS_HIDDEN, (guild_id, user_id) * 2).fetchone()
    return row is not None


def set_hidden(db: Connection, guild_id: int, user_id: int, *, hidden: bool) -> None:
    """Leave somebody out of a server's leaderboards by their own choice, or no longer."""
    if hidden:
        db.execute(f"{inserting('board_hidden', 'guild_id', 'user_id')} ON CONFLICT DO NOTHING", (guild_id, user_id))
    else:
        db.execute("DELETE FROM board_hidden WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
    _list(db, guild_id, user_id)


def set_aside(db: Connection, key: PersonKey, guild_id: int, user_id: int) -> bool:
    """Leave somebody out of a server's leaderboards until a moderator takes it back, also if they delete their data
    meanwhile (`ratings.start`). Returns False without a key. Raises Busy while their data are being deleted."""
    begun_deletions.refuse(db, guild_id, (user_id,))
    person = key.digest(guild_id, user_id, create=True)
    if person is None:
        return False
    db.execute(replacing("set_asides", ("guild_id", "person"), "user_id"), (guild_id, person, user_id))
    _list(db, guild_id, user_id)
    return True


def take_back(db: Connection, key: PersonKey, guild_id: int, user_id: int) -> None:
    """Take back that somebody was set aside; harmless if they weren't. Who hides themselves stays hidden."""
    db.execute("DELETE FROM set_asides WHERE guild_id = ? AND person = ?", (guild_id, key.digest(guild_id, user_id)))
    _list(db, guild_id, user_id)


def is_set_aside(db: Connection, key: PersonKey, guild_id: int, user_id: int) -> bool:
    """Whether a moderator has set somebody aside."""
    given = guild_id, key.digest(guild_id, user_id)
    return db.execute("SELECT 1 FROM set_asides WHERE guild_id = ? AND person = ?", given).fetchone() is not None


def is_anybody_set_aside(db: Connection, key: PersonKey, guild_id: int, users: Collection[int]) -> bool:
    """Whether a moderator has set one of these people aside."""
    if db.execute("SELECT 1 FROM set_asides WHERE guild_id = ? LIMIT 1", (guild_id,)).fetchone() is None:
        return False
    return any(is_set_aside(db, key, guild_id, user_id) for user_id in users)


def _list(db: Connection, guild_id: int, user_id: int) -> None:
    """Have somebody's lines in their parts of the leaderboards. `roll` knows who of those listed again is active."""
    hidden = is_hidden(db, guild_id, user_id)
    for key, line in _lines_of(db, guild_id, user_id).items():
        _replace(db, key, line, line._replace(section=section_of(key.span, line.matches, hidden=hidden)))


def anonymise(db: Connection, guild_id: int, user_id: int, marker: int) -> None:
    """Put a marker in the place of somebody, who leaves the lists. Their days are the caller's."""
    for key, line in _lines_of(db, guild_id, user_id).items():
        _replace(db, key, line, None)
        _put(db, key._replace(user_id=marker), line._replace(section=Section.HIDDEN))
    for table in ("board_hidden", "season_firsts"):
        db.execute(f"DELETE FROM {table} WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))
    db.execute("UPDATE set_asides SET user_id = NULL WHERE guild_id = ? AND user_id = ?", (guild_id, user_id))


# ----------------------------------------------------------------------------------- lines and buckets

_KEYED = "WHERE guild_id = ? AND user_id = ? AND span = ? AND game = ?"
_BUCKET = "WHERE guild_id = ? AND game = ? AND span = ? AND section = ? AND bits = ? AND bucket = ?"


def _find(db: Connection, key: Key) -> Line | None:
    """A kept line."""
    row = db.execute(f"SELECT {', '.join(Line._fields)} FROM board_entries {_KEYED}", key).fetchone()
    return None if row is None else Line(Section(row[0]), *row[1:])


def _lines_of(db: Connection, guild_id: int, user_id: int) -> dict[Key, Line]:
    """All lines of a person in a server."""
    rows = db.execute(
        f"SELECT span, game, {', '.join(Line._fields)} FROM board_entries WHERE guild_id = ? AND user_id = ?",
        (guild_id, user_id),
    ).fetchall()
    return {Key(guild_id, user_id, Span(row[0]), row[1]): Line(Section(row[2]), *row[3:]) for row in rows}


def _put(db: Connection, key: Key, line: Line | None) -> None:
    """Keep a line, or none, in place of the former one, if there is one."""
    _replace(db, key, _find(db, key), line)


def _replace(db: Connection, key: Key, former: Line | None, line: Line | None) -> None:
    """Keep a line in place of the one that is kept now, or none, and count it where it belongs."""
    if former == line:
        return
    if line is None:
        db.execute(f"DELETE FROM board_entries {_KEYED}", key)
    else:
        db.execute(replacing("board_entries", Key._fields, *Line._fields), (*key, *line))
    for bits in (FINE, COARSE):
        old, new = _bucket(key, former, bits), _bucket(key, line, bits)
        if old != new:
            _leave(db, old)
            _join(db, new)


def _bucket(key: Key, line: Line | None, bits: int) -> tuple[object, ...] | None:
    return None if line is None else (key.guild_id, key.game, key.span, line.section, bits, line.score >> bits)


def _leave(db: Connection, bucket: tuple[object, ...] | None) -> None:
    if bucket is not None and not db.execute(f"DELETE FROM board_buckets {_BUCKET} AND players = 1", bucket).rowcount:
        db.execute(f"UPDATE board_buckets SET players = players - 1 {_BUCKET}", bucket)


def _join(db: Connection, bucket: tuple[object, ...] | None) -> None:
    if bucket is not None:
        db.execute(
            "INSERT INTO board_buckets (guild_id, game, span, section, bits, bucket, players)"
            " VALUES (?, ?, ?, ?, ?, ?, 1) ON CONFLICT (guild_id, game, span, section, bits, bucket)"
            " DO UPDATE SET players = board_buckets.players + 1",
            bucket,
        )


# --------------------------------------------------------------------------------------- counted again

_VALUES: Final = {
    "board_days": (*Tally._fields, *_FLAGS.values()),
    "board_entries": Line._fields,
    "board_buckets": ("players",),
}


class LeaderboardRecount:
    """Counts the leaderboards of a server again, person by person, and compares them with what is kept.

    What `roll` corrects (which days are in a week or a season, who is active, and which games count over all games) is
    taken as it is kept. What is not kept counts as part of both, as active, and over all games if it should. It holds
    the counts of the buckets in memory, and one person's lines. `correct` says whether what differs is replaced.
    """

    def __init__(self, db: Connection, guild_id: int, *, correct: bool) -> None:
        self.differences = 0
        """How many rows differed so far."""
        self._db = db
        self._guild_id = guild_id
        self._correct = correct
        self._grown = ratings.grown_games(db, guild_id)
        self._buckets: Counter[tuple[Any, ...]] = Counter()

    def count(self, user_id: int, days: Mapping[tuple[str, int], Tally]) -> None:
        """Count somebody's days and lines. `days` is what their results add up to, by game and day."""
        hidden = is_hidden(self._db, self._guild_id, user_id)
        kept_days = self._stored("board_days", user_id)
        flagged = {key: _day(tally, kept_days.get(key)) for key, tally in days.items()}
        lines = self._lines_of_all_time(user_id, flagged, hidden=hidden)
        lines.update(_lines_of_days(flagged, lines, hidden=hidden))
        self._compare("board_days", (user_id,), flagged)
        self._compare("board_entries", (user_id,), lines)
        for (span, game), line in lines.items():
            for bits in (FINE, COARSE):
                self._buckets[game, span, line.section, bits, line.score >> bits] += 1

    def count_buckets(self) -> None:
        """Compare how many lines there are in each interval, once everybody with any was counted."""
        self._compare("board_buckets", (), {key: (players,) for key, players in self._buckets.items()})

    def _stored(self, table: str, user_id: int) -> recounts.Rows:
        return recounts.stored(self._db, table, _VALUES[table], (self._guild_id, user_id))

    def _compare(self, table: str, of: tuple[int, ...], rows: recounts.Rows) -> None:
        key = (self._guild_id, *of)
        self.differences += recounts.differing(self._db, table, _VALUES[table], key, rows, correct=self._correct)

    def _lines_of_all_time(self, user_id: int, days: recounts.Rows, *, hidden: bool) -> dict[tuple[Span, str], Line]:
        stored = self._stored("board_entries", user_id)
        lines: dict[tuple[Span, str], Line] = {}
        counted: list[Line] = []
        for game, grown in self._grown.items():
            last_day = max((day for of, day in days if of == game), default=None)
            row = _standing(self._db, self._guild_id, game, user_id)
            if row is None or last_day is None:
                continue
            key = (Span.ALL_TIME, game)
            everywhere = stored[key][-1] if key in stored else int(grown)
            section = _kept_section(stored.get(key), hidden=hidden)
            lines[key] = Line(section, score_of(row[0]), *row[1:], last_day, everywhere)
            if everywhere:
                counted.append(lines[key])
        if counted:
            key = (Span.ALL_TIME, ALL_GAMES)
            total = Tally()
            for line in counted:
                total = total.plus(Tally(max(0, line.score), line.wins, line.losses, line.draws))
            section = _kept_section(stored.get(key), hidden=hidden)
            lines[key] = Line(section, *total, max(line.last_day for line in counted))
        return lines


def _day(tally: Tally, stored: tuple[int, ...] | None) -> tuple[int, ...]:
    """What a day adds up to, with its flags. Points that another machine rounded differently are as good."""
    if stored is None:
        return (*tally, 1, 1)
    points = stored[0] if abs(stored[0] - tally.points) <= tally.matches else tally.points
    return (points, *tally[1:], *stored[4:])


def _lines_of_days(
    days: recounts.Rows, of_all_time: Mapping[tuple[Span, str], Line], *, hidden: bool
) -> dict[tuple[Span, str], Line]:
    """The lines of seasons and of the last days. Those of all time say which games count over all games."""
    totals: dict[tuple[Span, str], Tally] = {}
    for (game, _), (*tally, in_week, in_season) in days.items():
        line = of_all_time.get((Span.ALL_TIME, game))
        games = (game, ALL_GAMES) if line is not None and line.everywhere else (game,)
        for span, contained in ((Span.LAST_DAYS, in_week), (Span.SEASON, in_season)):
            for of in games if contained else ():
                totals[span, of] = totals.get((span, of), Tally()).plus(Tally(*tally))
    return {
        (span, of): Line(section_of(span, total.matches, hidden=hidden), *total) for (span, of), total in totals.items()
    }


def _kept_section(kept: tuple[int, ...] | None, *, hidden: bool) -> Section:
    if hidden:
        return Section.HIDDEN
    return Section.BELOW if kept is not None and kept[0] == Section.BELOW else Section.RANKED
