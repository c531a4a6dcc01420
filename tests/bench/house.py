"""A house of many servers with finished matches, laid out by statements: what counts results again, rolls leaderboards
and deletes people is measured on it.

Servers are of very different sizes. In each, people meet as people do: a few play most of the matches, and most of
theirs with a few friends. There are no logs, and nothing of what follows from the results: `rebuild-standings` makes
that.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.store.migrations import migrations
from bot.store.queries.leaderboards import DAY_MS
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT
from tests.bench.large_database import NOW, insert, invitation, match, seats

FIRST_SERVER: Final = 910000000000000000
FIRST_PERSON: Final = 10**9
"""In the largest server, who plays most there. In each server people have ids of their own."""
GAMES: Final = ("haymaker", "unbreakable", "ciq", "champions", "tivmiv")
_SHARES: Final = (5, 2, 1, 3, 2)
"""How often each game is played."""
_FRIENDS: Final = 3
_AMONG_FRIENDS: Final = 0.6
_MATCHES_A_PERSON: Final = 10
_CHUNK: Final = 20_000


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match of two, the first of whom won."""

    number: int
    guild_id: int
    game: str
    users: tuple[int, int]
    ended_at: int

    @property
    def id(self) -> str:
        """The match's id."""
        return f"h{self.number:08}"


def lay_out(path: Path, matches: int, servers: int, days: int = 365) -> None:
    """Make the database: matches of the last `days`. A million take some minutes and a GiB."""
    with closing(connect(path, migrations(), BUSY_TIMEOUT)) as db:
        for setting in ("foreign_keys = OFF", "synchronous = OFF"):
            db.execute(f"PRAGMA {setting}")
        db.execute("BEGIN")
        waiting: list[Played] = []
        for each in played(matches, servers, days):
            waiting.append(each)
            if len(waiting) == _CHUNK:
                _insert(db, waiting)
                waiting.clear()
        _insert(db, waiting)
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def played(matches: int, servers: int, days: int) -> Iterator[Played]:
    """The matches in their order, the same each time."""
    luck = random.Random(1)
    weights = [(each + 1) ** -0.7 for each in range(servers)]
    shares = [weight / sum(weights) for weight in weights]
    people = [max(4, int(matches * share / _MATCHES_A_PERSON)) for share in shares]
    for number, server in enumerate(luck.choices(range(servers), shares, k=matches), 1):
        first = FIRST_PERSON + server * 1_000_000
        one = int(people[server] * luck.random() ** 3)
        other = one + luck.randint(1, _FRIENDS) if luck.random() < _AMONG_FRIENDS else luck.randrange(people[server])
        users = [first + one, first + (other % people[server] if other % people[server] != one else one + 1)]
        luck.shuffle(users)
        game = luck.choices(GAMES, _SHARES)[0]
        ended_at = NOW - (matches - number) * days * DAY_MS // matches
        yield Played(
            number,
            FIRST_SERVER + server,
            game,
            (users[0], users[1]),
            ended_at,
        )


def _insert(db: sqlite3.Connection, found: list[Played]) -> None:
    insert(db, "invitations", (invitation(each.id, each.guild_id, each.users, game=each.game) for each in found))
    insert(db, "matches", (match(each.id, each.guild_id, game=each.game, live=0) for each in found))
    insert(
        db,
        "seats",
        (
            {**seat, "result_number": each.number}
            for each in found
            for seat in seats(each.id, each.guild_id, each.users, (1, 2))
        ),
    )
    insert(
        db,
        "results",
        (
            {
                "number": each.number,
                "match_id": each.id,
                "guild_id": each.guild_id,
                "game": each.game,
                "kind": "knockout",
                "ended_at": each.ended_at,
                "counted": 1,
                "chain": bytes(32),
            }
            for each in found
        ),
    )
