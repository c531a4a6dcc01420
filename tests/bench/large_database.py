"""A large database: a server with 100,000 finished matches and as many players, and 20,000 live matches elsewhere.

One person has played 11,000 of these matches: most of them with a few friends, some 500 with each, the others against
2,000 people. The rows are laid out by statements of their own, because playing them would take hours; their standings
are not worked out.
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.store.migrations import migrations
from bot.store.queries import leaderboard_keeping, profiles
from bot.store.queries.leaderboards import DAY_MS, Leaderboard, LeaderboardDates, Span, Tally
from bot.store.queries.profiles import CountedResult
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT
from tests.bot.store.counted_boards import replace_days

GUILD: Final = 900000000000000001
"""The server in which everything was played."""
LIVE_GUILD: Final = 900000000000000002
"""The server of the live matches and open invitations."""
GAME: Final = "haymaker"
PERSON: Final = 700000000000000007
TODAY: Final = 20_000
NOW: Final = TODAY * DAY_MS
DATES: Final = LeaderboardDates.on(TODAY, TODAY - 10)
BOARD: Final = Leaderboard(GUILD, GAME, Span.ALL_TIME)
DEAL: Final = "3f" * 16
EVENTS: Final = '[{"type":"CardsPlayed","v":1,"seat":0,"cards":[' + ",".join(['{"rank":12,"suit":"S"}'] * 12) + "]}]"
ACTION: Final = '{"type":"Play","v":1,"cards":[{"rank":12,"suit":"S"},{"rank":3,"suit":"S"}]}'
FRIENDS: Final = 14
"""With how many people `PERSON` has played two thirds of their matches: some 500 with each."""
YEARS: Final = 1_000
"""Over how many days the older of everybody's matches are spread."""
_CHUNK: Final = 5_000
_WEEKLY_SERVERS: Final = 5_000_000
"""The id of the first server that has tried the deal of the week."""
_LUCK: Final = random.Random(1)


@dataclass(frozen=True, slots=True)
class Size:
    """How large it is: finished matches (and players), live ones, records of each, and deals of the day tried."""

    results: int = 100_000
    live: int = 20_000
    records: int = 4
    attempts: int = 1_000

    @property
    def own(self) -> int:
        """How many matches `PERSON` has finished."""
        return (self.results + 8) // 9

    @property
    def opponents(self) -> int:
        """How many different people `PERSON` has met."""
        return min(2_000, self.own // 3)


def finished(number: int) -> str:
    """The id of a finished match."""
    return f"f{number:07}"


def live(number: int) -> str:
    """The id of a live match."""
    return f"l{number:07}"


def weekly(number: int) -> str:
    """The match of an attempt at the deal of the week."""
    return f"w{number:07}"


def lay_out(path: Path, size: Size) -> None:
    """Make the database. With the usual size it takes about a minute and 600 MiB."""
    with closing(connect(path, migrations(), BUSY_TIMEOUT)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        _finished(db, size)
        _live(db, size)
        _people(db, size)
        _attempts(db, size)
        _weekly(db, size)
        _rest(db, size)
        db.execute("UPDATE seats SET result_number = (SELECT number FROM results WHERE match_id = seats.match_id)")
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def insert(db: sqlite3.Connection, table: str, rows: Iterable[dict[str, Any]]) -> None:
    """Insert rows that all have the same columns."""
    waiting: list[dict[str, Any]] = []
    for row in rows:
        waiting.append(row)
        if len(waiting) == _CHUNK:
            _insert_all(db, table, waiting)
            waiting.clear()
    if waiting:
        _insert_all(db, table, waiting)


def _insert_all(db: sqlite3.Connection, table: str, rows: Sequence[dict[str, Any]]) -> None:
    columns = tuple(rows[0])
    sql = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(':' + name for name in columns)})"
    db.executemany(sql, rows)


def _seated(number: int, size: Size) -> tuple[int, int]:
    """Who sits in a finished match: every ninth is one of `PERSON`'s, and most of those are with their friends."""
    if number % 9 == 0:
        own = number // 9
        return PERSON, 1_000 + (own % FRIENDS if own % 3 else own // 3 % size.opponents)
    return 1_000 + number, 1_000 + (number * 7 + 1) % size.results


def invitation(match_id: str, guild: int, seats: Sequence[int], **changed: Any) -> dict[str, Any]:
    """The row of an invitation that was accepted."""
    return {
        "id": match_id,
        "guild_id": guild,
        "channel_id": 1,
        "game": GAME,
        "options": "{}",
        "clock": "normal",
        "host_id": seats[0],
        "invited": json.dumps(seats[1:]),
        "seated": json.dumps(seats),
        "seed": bytes(32),
        "created_at": NOW - DAY_MS,
        "expires_at": NOW,
        "deal_version": 3,
        "kind": "challenge",
        "private": 0,
        "places": "[]",
        "state": "accepted",
        "closed_at": NOW,
        **changed,
    }


def match(match_id: str, guild: int, **changed: Any) -> dict[str, Any]:
    """The row of a live match."""
    return {
        "id": match_id,
        "guild_id": guild,
        "channel_id": 1,
        "game": GAME,
        "rules_version": 1,
        "options": "{}",
        "clock": "normal",
        "seed": bytes(32),
        "opened_at": NOW - DAY_MS,
        "live": 1,
        "deal_version": 3,
        "deal_id": match_id,
        "day": None,
        "alone": 0,
        "on_board": 0,
        **changed,
    }


def result(match_id: str, guild: int, **changed: Any) -> dict[str, Any]:
    """The row of its result."""
    return {
        "match_id": match_id,
        "guild_id": guild,
        "game": GAME,
        "kind": "knockout",
        "ended_at": NOW,
        "counted": 1,
        "chain": bytes(32),
        **changed,
    }


def seats(match_id: str, guild: int, users: Sequence[int], ranks: Sequence[int | None]) -> list[dict[str, Any]]:
    """The rows of its seats."""
    return [
        {"match_id": match_id, "seat": seat, "guild_id": guild, "user_id": user, "rank": ranks[seat]}
        for seat, user in enumerate(users)
    ]


def _records(db: sqlite3.Connection, matches: Iterable[tuple[str, int]], size: Size) -> None:
    insert(
        db,
        "records",
        (
            {
                "match_id": match_id,
                "seq": seq,
                "guild_id": guild,
                "interaction_id": _LUCK.getrandbits(62),  # not in the order of the matches, as it would come
                "actor": seq % 2,
                "action": ACTION,
                "events": EVENTS,
                "at": NOW - DAY_MS,
                "chain": bytes(32),
            }
            for match_id, guild in matches
            for seq in range(size.records)
        ),
    )


def _finished(db: sqlite3.Connection, size: Size) -> None:
    """The finished matches, with all that their ends wrote except standings and lines of leaderboards."""
    numbers = range(size.results)
    seated = {number: _seated(number, size) for number in numbers}
    insert(db, "invitations", (invitation(finished(each), GUILD, seated[each]) for each in numbers))
    insert(
        db,
        "matches",
        (
            match(
                finished(each), GUILD, live=0, opened_at=NOW - (size.results - each) * 1000, deal_id=DEAL[: each % 33]
            )
            for each in numbers
        ),
    )
    insert(db, "seats", (seat for each in numbers for seat in seats(finished(each), GUILD, seated[each], (1, 2))))
    _records(db, ((finished(each), GUILD) for each in numbers), size)
    insert(
        db,
        "results",
        (
            result(finished(each), GUILD, number=each + 1, ended_at=NOW - (size.results - each) * 1000)
            for each in numbers
        ),
    )
    insert(
        db,
        "attendances",
        (
            {
                "guild_id": GUILD,
                "user_id": user,
                "ended_at": NOW - (size.results - each) * 1000,
                "match_id": finished(each),
                "seat": seat,
                "began_at": NOW - DAY_MS,
                "stay": "finished",
                "asked": 9,
                "in_time": 9,
            }
            for each in numbers
            for seat, user in enumerate(seated[each])
        ),
    )
    db.execute(
        "INSERT INTO rating_changes SELECT match_id, seat, guild_id, 25, 8, 25, 8, 1, 1, 1, 0 FROM seats"
        " WHERE guild_id = ?",
        (GUILD,),
    )
    for each in numbers:
        profiles.add(db, CountedResult(GUILD, each + 1, GAME, dict(zip(seated[each], (1, 2), strict=True))))


def _live(db: sqlite3.Connection, size: Size) -> None:
    """Live matches with their timers, and what their messages need."""
    numbers = range(size.live)
    insert(db, "invitations", (invitation(live(each), LIVE_GUILD, (2 * each, 2 * each + 1)) for each in numbers))
    insert(
        db,
        "invitations",
        (
            invitation(f"o{each:07}", LIVE_GUILD, (2 * each, 2 * each + 1), state="open", closed_at=None)
            for each in range(size.live // 10)
        ),
    )
    insert(db, "matches", (match(live(each), LIVE_GUILD) for each in numbers))
    insert(
        db,
        "seats",
        (seat for each in numbers for seat in seats(live(each), LIVE_GUILD, (2 * each, 2 * each + 1), (None, None))),
    )
    _records(db, ((live(each), LIVE_GUILD) for each in numbers), size)
    insert(
        db,
        "timers",
        (
            {"match_id": live(each), "name": "turn", "key": "1", "guild_id": LIVE_GUILD, "deadline": NOW + each}
            for each in numbers
        ),
    )
    insert(
        db,
        "notices",
        (
            {
                "match_id": live(each),
                "seat": 0,
                "guild_id": LIVE_GUILD,
                "user_id": 2 * each,
                "channel_id": 1,
                "message_id": 1,
            }
            for each in numbers
        ),
    )
    for table, own in (("postings", {"at": NOW}), ("open_hands", _HAND)):
        insert(
            db,
            table,
            (
                {"match_id": live(each), "seat": 0, "guild_id": LIVE_GUILD, **own}
                | ({"channel_id": 1} if table == "postings" else {})
                for each in numbers
            ),
        )


_HAND: Final = {
    "message": 1,
    "application_id": 1,
    "token": "t" * 100,
    "locale": "en",
    "window": 1,
    "selection": "",
    "shown": bytes(16),
    "expires_at": NOW,
}


def _people(db: sqlite3.Connection, size: Size) -> None:
    """A standing, a name and lines of leaderboards for each player of the server."""
    players = [PERSON, *range(1_000, 1_000 + size.results)]
    strengths = {user: (_LUCK.gauss(25, 6), _LUCK.uniform(1, 8)) for user in players}
    insert(
        db,
        "standings",
        (
            {
                "guild_id": GUILD,
                "game": GAME,
                "user_id": user,
                "mu": mu,
                "sigma": sigma,
                "ordinal": mu - 3 * sigma,
                "wins": 3,
                "losses": 2,
                "draws": 1,
            }
            for user, (mu, sigma) in strengths.items()
        ),
    )
    insert(db, "names", ({"guild_id": GUILD, "user_id": user, "name": f"Player {user}"} for user in players))
    insert(db, "preferences", ({"user_id": user, "name": "cards", "value": "text"} for user in players))
    insert(db, "digest_servers", ({"guild_id": GUILD, "user_id": user} for user in players))
    insert(db, "turn_digests", ({"user_id": user, "hour": 7, "due": NOW + user, "message_id": 1} for user in players))
    insert(db, "last_pings", ({"user_id": user, "at": NOW, "match_id": "m", "question": 1} for user in players))
    insert(db, "table_notices", ({"user_id": user, "at": NOW} for user in players))
    insert(db, "table_subscriptions", ({"guild_id": GUILD, "game": GAME, "user_id": user} for user in players))
    db.execute("INSERT INTO encounters SELECT guild_id, ?, user_id, opponent_id, 1, 1, 0, 0 FROM opponents", (GAME,))
    days = {
        user: {
            (GAME, TODAY - 1 - user % 8): Tally(round(1000 * (40 * mu - 1000)), 3, 2, 1),
            (GAME, TODAY - 12 - user % YEARS): Tally(500, 1),
        }
        for user, (mu, _) in strengths.items()
    }
    days[PERSON] |= {(GAME, TODAY - each): Tally(1, 1) for each in range(20, 20 + size.attempts)}
    _roll(db, days)
    insert(
        db,
        "season_firsts",
        (
            {"guild_id": GUILD, "user_id": PERSON, "game": GAME, "stop": stop}
            for stop in range(TODAY - YEARS, TODAY, 30)
        ),
    )


def _roll(db: sqlite3.Connection, days: Mapping[int, Mapping[tuple[str, int], Tally]]) -> None:
    """Lay out leaderboards that contain of these days what they should at present, as they nearly always do: to find
    that nothing moves takes longest."""
    replace_days(db, GUILD, days)
    db.execute("UPDATE board_days SET in_season = day >= ?, in_week = day >= ?", (DATES.season, DATES.week))
    replace_days(db, GUILD, days)
    while not leaderboard_keeping.roll(db, GUILD, DATES):
        pass


def _attempts(db: sqlite3.Connection, size: Size) -> None:
    """Deals of the day: this many by `PERSON`, one a day, and this many by others on one day."""
    own = [(f"p{each:06}", PERSON, TODAY - 1 - each) for each in range(size.attempts)]
    others = [(f"q{each:06}", 1_000 + each, TODAY) for each in range(size.attempts)]
    tried = [*own, *others]
    insert(db, "invitations", (invitation(each, GUILD, (user,)) for each, user, _ in tried))
    insert(db, "matches", (match(each, GUILD, live=0, day=day, alone=1) for each, _, day in tried))
    insert(db, "seats", (seat for each, user, _ in tried for seat in seats(each, GUILD, (user, -(2**62) - 1), (1, 2))))
    _records(db, ((each, GUILD) for each, _, _ in tried), size)
    insert(
        db,
        "daily_attempts",
        ({"match_id": each, "guild_id": GUILD, "game": GAME, "day": day, "user_id": user} for each, user, day in tried),
    )
    insert(db, "results", (result(each, GUILD, counted=0) for each, _, _ in tried))


def _weekly(db: sqlite3.Connection, size: Size) -> None:
    """One deal of the week: ten times as many attempts, five in each server, all servers in the table. Of a tenth,
    whose matches are there with all that they had, the points are not written yet."""
    numbers = range(10 * size.attempts)
    servers = range(_WEEKLY_SERVERS, _WEEKLY_SERVERS + 2 * size.attempts)
    tried = [(weekly(each), servers[each % len(servers)], 50_000 + each) for each in numbers]
    over = tried[: size.attempts]
    insert(db, "invitations", (invitation(each, guild, (user,)) for each, guild, user in tried))
    insert(db, "matches", (match(each, guild, live=0, day=TODAY, shared=1, alone=1) for each, guild, _ in tried))
    insert(db, "seats", (row for each, guild, user in over for row in seats(each, guild, (user, -(2**62) - 1), (1, 2))))
    _records(db, ((each, guild) for each, guild, _ in over), size)
    insert(db, "results", (result(each, guild, counted=0) for each, guild, _ in over))
    insert(
        db,
        "weekly_attempts",
        (
            {
                "match_id": weekly(each),
                "guild_id": servers[each % len(servers)],
                "game": GAME,
                "day": TODAY,
                "user_id": 50_000 + each,
                "counts": 1,
                "points": None if each < size.attempts else each % 100 * 10,
            }
            for each in numbers
        ),
    )
    scores = ({"guild_id": each, "game": GAME, "day": TODAY, "score": each % 500} for each in servers)
    insert(db, "weekly_scores", scores)
    insert(db, "weekly_servers", ({"guild_id": each, "name": f"The server called {each}"} for each in servers))
    insert(db, "server_settings", ({"guild_id": each, "name": "weekly", "value": "shown"} for each in servers))


def _rest(db: sqlite3.Connection, size: Size) -> None:
    """Ratings that are held of deleted people, settings of many servers, and servers that the bot has left."""
    held = {"game": GAME, "mu": 25, "sigma": 8, "peak": 20, "wins": 1, "losses": 1, "draws": 1, "until": NOW}
    insert(
        db,
        "held_ratings",
        ({"guild_id": GUILD, "person": each.to_bytes(32, "big"), **held} for each in range(size.results)),
    )
    servers = range(size.live)
    insert(db, "server_settings", ({"guild_id": 10 + each, "name": "hints", "value": "off"} for each in servers))
    insert(db, "greetings", ({"guild_id": 10 + each, "at": NOW} for each in servers))
    insert(db, "departures", ({"guild_id": 10 + each, "at": NOW} for each in range(size.live // 20)))
