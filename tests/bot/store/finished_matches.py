"""Finished matches in several servers, laid out by statements: counting results again is tested on them.

Servers are of very different sizes, and in each a few people play most of the matches. There are no logs, and nothing
of what follows from the results: `rebuild-standings` makes that.
"""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.store.migrations import migrations
from bot.store.queries.leaderboards import DAY_MS
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT
from tests.bench.large_database import NOW, insert, invitation, match, result, seats

FIRST_SERVER: Final = 910000000000000000
GAMES: Final = ("haymaker", "unbreakable", "ciq", "champions", "tivmiv")
_SHARES: Final = (5, 2, 1, 3, 2)
"""How often each game is played."""
_MATCHES_A_PERSON: Final = 10
_DAYS: Final = 365


def lay_out(path: Path, matches: int, servers: int) -> None:
    """Make the database: matches of two in the last year."""
    luck = random.Random(1)
    weights = [(each + 1) ** -0.7 for each in range(servers)]
    people = [max(4, int(matches * weight / sum(weights) / _MATCHES_A_PERSON)) for weight in weights]
    with closing(connect(path, migrations(), BUSY_TIMEOUT)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("BEGIN")
        for number, server in enumerate(luck.choices(range(servers), weights, k=matches), 1):
            one = int(people[server] * luck.random() ** 3)
            other = (one + luck.randint(1, people[server] - 1)) % people[server]
            users = [server * 1_000_000 + 1 + each for each in luck.sample((one, other), 2)]
            guild, match_id, (game,) = FIRST_SERVER + server, f"h{number:08}", luck.choices(GAMES, _SHARES)
            ended_at = NOW - (matches - number) * _DAYS * DAY_MS // matches
            insert(db, "invitations", [invitation(match_id, guild, users, game=game)])
            insert(db, "matches", [match(match_id, guild, game=game, live=0)])
            rows = seats(match_id, guild, users, (1, 2))
            insert(db, "seats", [{**row, "result_number": number} for row in rows])
            insert(db, "results", [result(match_id, guild, number=number, game=game, ended_at=ended_at)])
        db.execute("COMMIT")
