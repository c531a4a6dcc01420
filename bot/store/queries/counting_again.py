"""Counts again what is kept beside the results: standings game by game, and what leaderboards and profiles keep person
by person. So it holds no more in memory than the scores of one game in one server.

A server whose standings were reset, or taken back, is counted again while matches end (`count_some`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from bot.store.errors import Busy, StoreError
from bot.store.person_key import PersonKey
from bot.store.queries import deleting, leaderboards, play, profiles, ratings, resets, servers, standings
from bot.store.queries.database import FOR_UPDATE, LEAST, Connection, delete_some
from bot.store.queries.leaderboard_keeping import LeaderboardRecount
from bot.store.queries.leaderboards import Tally
from bot.store.queries.matches import Result

_WITH_GAMES: Final = ("results", "standings", "encounters")
_WITH_PEOPLE: Final = ("board_days", "board_entries", "player_results", "opponents")
_AT_ONCE: Final = 500
"""How many results of a person are read at once."""


@dataclass(frozen=True, slots=True)
class Recount:
    """How many counted results and standings there are, of how many players a standing, an encounter or what a match
    did to the rating differs or should not exist, and how many rows of leaderboards differ."""

    results: int = 0
    standings: int = 0
    differing: int = 0
    differing_lines: int = 0

    def plus(self, other: Recount) -> Recount:
        """Both together."""
        return Recount(
            self.results + other.results,
            self.standings + other.standings,
            self.differing + other.differing,
            self.differing_lines + other.differing_lines,
        )


@dataclass(frozen=True, slots=True)
class CountedPerson:
    """What somebody's counted results in a server are, in their order, and add up to by game and day."""

    results: list[profiles.CountedResult]
    days: Mapping[tuple[str, int], Tally]


def recount(db: Connection) -> Recount:
    """Compare the standings and leaderboards with what the results make of them.

    Raises StoreError when a counted match lacks a rank for one of its seats.
    """
    return _count(db, correct=False)


def rebuild(db: Connection) -> Recount:
    """Replace what differs, and what is kept for profiles, after what was begun to be deleted is finished. Raises what
    `recount` raises."""
    deleting.finish(db)
    return _count(db, correct=True)


def _count(db: Connection, *, correct: bool) -> Recount:
    total = Recount()
    for guild_id in sorted({each for table in (*_WITH_GAMES, *_WITH_PEOPLE) for each in _servers(db, table)}):
        total = total.plus(count_server(db, guild_id, correct=correct))
    return total


def _servers(db: Connection, table: str) -> Iterator[int]:
    after: int | None = LEAST
    while after is not None:
        found, after = servers.known_in(table, db, after)
        yield from found


def count_server(db: Connection, guild_id: int, *, correct: bool) -> Recount:
    """Count a server again, and replace what differs if that is wanted: then nothing is left of a count under way."""
    if correct:
        db.execute("DELETE FROM recounts WHERE guild_id = ?", (guild_id,))
    total = Recount()
    if resets.counted(db, guild_id) is None:  # what was kept is being deleted
        return total
    people: set[int] = set()
    for game in sorted({each for table in _WITH_GAMES for each in ratings.games_played(db, guild_id, table)}):
        found = standings.recount(db, guild_id, game, correct=correct)
        people.update(user_id for _, _, user_id in found.scores)
        total = total.plus(Recount(found.results, len(found.scores), len(found.differing)))
    for table in _WITH_PEOPLE:
        people.update(_people(db, table, guild_id))
    lines = LeaderboardRecount(db, guild_id, correct=correct)
    for user_id in sorted(people):
        person = count_person(db, guild_id, user_id)
        lines.count(user_id, person.days)
        if correct:
            profiles.correct(db, guild_id, user_id, person.results)
    lines.count_buckets()
    return total.plus(Recount(differing_lines=lines.differences))


def _people(db: Connection, table: str, guild_id: int) -> Iterator[int]:
    """Everybody in a server of whom a table keeps something. It steps from one to the next along the key."""
    after: int | None = LEAST
    while after is not None:
        (after,) = db.execute(
            f"SELECT min(user_id) FROM {table} WHERE guild_id = ? AND user_id > ?", (guild_id, after)
        ).fetchone()
        if after is not None:
            yield after


# ---------------------------------------------------------------------------------------------- people

_RESULTS: Final = (
    "SELECT number, game, ended_at, surplus, seats.user_id, seats.rank FROM"
    " (SELECT match_id, seat, result_number FROM seats WHERE user_id = ? AND guild_id = ? AND result_number > ?"
    " ORDER BY result_number LIMIT ?) AS mine"
    " CROSS JOIN results CROSS JOIN seats LEFT JOIN rating_changes"
    " ON rating_changes.match_id = mine.match_id AND rating_changes.seat = mine.seat"
    " WHERE results.number = mine.result_number AND counted = 1 AND seats.match_id = mine.match_id"
    " ORDER BY number, seats.seat"
)
_LAST: Final = (
    "SELECT max(result_number) FROM (SELECT result_number FROM seats WHERE user_id = ? AND guild_id = ?"
    " AND result_number > ? ORDER BY result_number LIMIT ?) AS mine"
)


def count_person(db: Connection, guild_id: int, user_id: int) -> CountedPerson:
    """Somebody's counted results in a server, and what those since a reset add up to. What a match did to the ratings
    is taken as it is kept."""
    results: list[profiles.CountedResult] = []
    days: dict[tuple[str, int], Tally] = {}
    counted = resets.counted(db, guild_id) or resets.Numbers()
    for seated in _results(db, guild_id, user_id):
        number, game, ended_at, surplus, _, _ = seated[0]
        result = profiles.CountedResult(guild_id, number, game, {user: rank for *_, user, rank in seated})
        results.append(result)
        if not counted.contain(number):
            continue
        outcome = profiles.outcomes(result)[user_id]
        key = (game, leaderboards.day_of(ended_at))
        tally = Tally(leaderboards.points(surplus or 0.0), int(outcome > 0), int(outcome < 0), int(outcome == 0))
        days[key] = days.get(key, Tally()).plus(tally)
    return CountedPerson(results, days)


def _results(db: Connection, guild_id: int, user_id: int) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of each of somebody's counted results, one for each seat."""
    after: int | None = LEAST
    while after is not None:
        which = (user_id, guild_id, after, _AT_ONCE)
        for _, seated in groupby(db.execute(_RESULTS, which).fetchall(), key=itemgetter(0)):
            yield list(seated)
        (after,) = db.execute(_LAST, which).fetchone()


# ------------------------------------------------------------------------------------- while matches end

_KEPT: Final = ("standings", "encounters", "board_days", "board_entries", "board_buckets")
_DELETED: Final = 100
_LOOKED_AT: Final = 20
"""How many rows one slice deletes at most, and how many results of a game it looks at. It counts one: that takes some
2 ms of the database's thread in a large server."""
_NEXT: Final = (
    "SELECT number, match_id, game, ended_at, counted FROM results WHERE guild_id = ? AND game = ? AND number > ?"
    " ORDER BY number LIMIT ?"
)


def count_some(db: Connection, key: PersonKey, guild_id: int) -> bool:
    """Do a slice of a server's count under way (`resets`): delete some of what is kept of its standings, and then have
    its next results count, in their order, as if they had just ended. Returns whether nothing is left of it. Raises
    Busy while data are being deleted there, and StoreError when a counted match lacks a rank for one of its seats.
    """
    row = db.execute(f"SELECT reached FROM recounts WHERE guild_id = ? {FOR_UPDATE}", (guild_id,)).fetchone()
    if row is None:
        return True
    if db.execute("SELECT 1 FROM deletions WHERE guild_id = ? LIMIT 1", (guild_id,)).fetchone() is not None:
        raise Busy("data are being deleted")
    reached = row[0]
    if reached is None:
        for table in _KEPT:
            if delete_some(db, table, servers.TABLES[table], "guild_id = ?", guild_id, most=_DELETED):
                return False
        reset = resets.latest(db, guild_id)
        reached = 0 if reset is None else reset.after
    games = ratings.games_played(db, guild_id, "results")
    rows = [each for game in games for each in db.execute(_NEXT, (guild_id, game, reached, _LOOKED_AT)).fetchall()]
    for number, match_id, game, ended_at, counted in sorted(rows)[:_LOOKED_AT]:
        reached = number
        if counted:
            _count_result(db, key, guild_id, number, match_id, game, ended_at)
            break
    if rows:
        db.execute("UPDATE recounts SET reached = ? WHERE guild_id = ?", (reached, guild_id))
    else:
        db.execute("DELETE FROM recounts WHERE guild_id = ?", (guild_id,))
    return not rows


def _count_result(  # noqa: PLR0917  a row of a result
    db: Connection, key: PersonKey, guild_id: int, number: int, match_id: str, game: str, ended_at: int
) -> None:
    seats = db.execute("SELECT user_id, rank FROM seats WHERE match_id = ? ORDER BY seat", (match_id,)).fetchall()
    users, ranks = zip(*seats, strict=True)
    if None in ranks:
        raise StoreError(f"result {number} doesn't have a rank for each seat, so nothing can be counted again")
    play.count(db, key, guild_id, game, number, Result(match_id, "", ranks, ended_at, counted=True), users)
