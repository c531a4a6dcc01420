"""What finished matches take: ``python -m tests.bench.packed [--matches N] [--keep FILE] [--brief]``.

Matches of all games are played at people's lengths (`tests.bench.lengths`), in equal parts of each game and of each row
of its table. Then 20,000 matches, whose logs are these under new ids, are laid out as they are an hour after their end,
in servers with a thousand matches on average, of which a few are large, by people of whom a few play most. All else
about them is written by the product's queries, as when they are played. That tells the bytes of a match by table, and
what a million of them would take. At last they are loaded into a PostgreSQL from a dump, if it is installed.
``--matches 1000000 --keep FILE`` lays out a million in about an hour, keeps them, and loads none.

The exit code is 1 if a million would take 6 GB, or reading a log takes more than 3 ms in one of twenty: a match without
a limit of turns may have thousands of records. With a record an act, and no log packed, a match took 70 to 100 KB
(decision 61).
"""

from __future__ import annotations

import argparse
import gc
import itertools
import random
import sqlite3
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import psycopg

from bot.cluster import dump
from bot.play.clocks.match_lengths import LENGTHS
from bot.play.deals import sealing
from bot.play.match_lifecycle import row_of
from bot.play.match_state import codec
from bot.play.reliability import attendances
from bot.store import verification
from bot.store.dump_format import DumpReader
from bot.store.migrations import LATEST, migrations
from bot.store.person_key import PersonKey
from bot.store.queries import invitations, matches, packing, people, play
from bot.store.queries.attendances import Attendance
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow, Record, Result
from bot.store.queries.packing import PackedLog, UnpackedLog
from bot.store.sqlite.dump import dump_lines
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT
from engines import GAMES
from laws.play import Clock, Deal
from tests.bench.house import folder_on_disk, server_on_disk
from tests.bench.lengths import moves_of
from tests.bench.sizes import BRIEF, sized
from tests.postgresql.fixtures import NOTICE
from tests.soak.report import Load, table

LIMIT_GIGABYTES: Final = 6.0
LIMIT_MS: Final = 3.0
MILLION: Final = 1_000_000
MATCHES: Final = sized(20_000, brief=40)
LOGS: Final = sized(2_000, brief=4)
"""How many different logs a game has."""
FEWER: Final = {"ciq": 10}
"""What that number is divided by: their matches take longest to play."""
READ: Final = sized(500, brief=20)
"""Matches whose logs are read."""
A_SERVER: Final = 1_000
"""Matches of a server, on average: so what is kept of people is as dense in a small house as in a large one."""
FIRST_USER: Final = 300_000_000_000_000_000
"""Ids are as long as Discord's."""
LEAST_PEOPLE: Final = 10
MATCHES_A_PERSON: Final = 50
"""A server has one more of its people for so many matches. The n-th plays one n-th as much as the first."""
CLOCK: Final = "normal"
YEAR: Final = 365 * 24 * 3_600_000
BEGUN: Final = 1_764_000_000_000
"""When the first match was opened (ms UTC)."""
_SECONDS: Final = (8.3, 0.8)
"""Of the logarithm of the ms between two acts: most come after 2 to 10 s."""


@dataclass(frozen=True, slots=True)
class Log:
    """A match that was played: its deal, its log, and how it ended. Its times are its own wherever it is laid out: so a
    log is packed once."""

    asked: Invitation
    kind: str
    ranks: tuple[int, ...]
    attendances: tuple[Attendance, ...]
    packed: PackedLog


def played(game: str, rng: random.Random) -> Log:
    """A match at people's length, of a row of the game's table."""
    info, coded = GAMES[game].info, codec(game)
    row = rng.choice(LENGTHS[game])
    options, seats = info.options(**row.options), rng.choice([*row.minutes])
    sealed = sealing.seal(game, options, coded, rng, clock=CLOCK)
    asked = Invitation(
        "G1",
        1,
        910_000_000_000_000_001,
        920_000_000_000_000_001,
        game,
        coded.encode(options),
        CLOCK,
        1,
        tuple(range(2, seats + 1)),
        tuple(range(1, seats + 1)),
        sealed.seed,
        sealed.commitment,
        BEGUN,
        BEGUN + 1,
        deal_version=sealed.deal_version,
        deal_id=sealed.deal_id,
        rules_version=sealed.rules_version,
        sealed_options=sealed.sealed_options,
    )
    match = row_of(asked, BEGUN)
    deal = Deal(GAMES[game], options, seats, sealed.seed, sealed=sealing.deal_of(match))
    *acts, outcome = _acts(deal, rng)
    chained, chain = list[Record](), verification.first_link("G1")
    for record in acts:
        chain = verification.link_of(chain, record)
        chained.append(replace(record, chain=chain))
    made = packing.packed(UnpackedLog("G1", chained[-1].at, tuple(chained), chained[-1].chain))
    if made is None:
        raise RuntimeError(f"a log of {game} can't be packed")
    ranks = () if outcome.void else outcome.ranks
    ended = Result("G1", outcome.kind, ranks, chained[-1].at, counted=bool(ranks))
    return Log(asked, outcome.kind, ranks, tuple(attendances(match, chained, ended)), made)


def _acts(deal: Deal, rng: random.Random) -> Iterator[Any]:
    """The records of a match, and behind them its outcome."""
    game, coded, clock, at = deal.game, codec(deal.game.info.key), Clock(), BEGUN
    state, opening = deal.open()
    chance = deal.chances()
    yield Record("G1", 0, None, None, None, coded.encode_all(opening), at)
    for number in itertools.count(1):
        window = game.window(state)
        if window is None:
            yield game.outcome(state)
            return
        clock.look(window)
        actor, action = next(moves_of(game, state, window.may_act, rng), None) or (None, clock.ring())
        facts = game.decide(state, actor, action, chance(number))
        state, at = facts.state, at + int(rng.lognormvariate(*_SECONDS))
        yield Record("G1", number, None, actor, coded.encode(action), coded.encode_all(tuple(facts)), at)


class House:
    """Servers and their people, and a database in which they have played."""

    def __init__(self, db: sqlite3.Connection, rng: random.Random, key: PersonKey, matches: int) -> None:
        self._db, self._rng, self._key = db, rng, key
        self._numbers = itertools.count(1)
        self._presses = itertools.count(1_400_000_000_000_000_000, 7)
        self._every = YEAR // max(1, matches)
        weights = [1 / rank for rank in range(1, max(1, matches // A_SERVER) + 1)]
        self._servers = [900_000_000_000_000_000 + (server << 22) for server in range(len(weights))]
        self._weights = [*itertools.accumulate(weights)]
        shares = [matches * weight / self._weights[-1] for weight in weights]
        self._people = [LEAST_PEOPLE + int(share / MATCHES_A_PERSON) for share in shares]
        self._active = [*itertools.accumulate([1 / index for index in range(1, max(self._people) + 1)])]
        self._known: set[tuple[int, int]] = set()

    def lay(self, log: Log) -> str:
        """A finished match with this log, packed. Returns its id."""
        number = next(self._numbers)
        match_id, moved = sealing.random_id(self._rng), number * self._every
        asked, row = self._seated(log, match_id, moved)
        chained = matches.unpacked(match_id, log.packed.log)
        at = chained[-1].at + moved
        attended = [replace(each, match_id=match_id, ended_at=at) for each in log.attendances]
        ended = Result(match_id, log.kind, log.ranks, at, bool(log.ranks), attendances=tuple(attended))
        invitations.add(self._db, asked)
        play.open_match(self._db, row.opened_at, row, replace(chained[0], interaction_id=next(self._presses)), ())
        play.append(self._db, self._key, chained[1], (), ended)  # all that the end writes is written
        self._db.execute("UPDATE results SET chain = ? WHERE match_id = ?", (chained[-1].chain, match_id))
        packing.put(self._db, replace(log.packed, match_id=match_id, records=2))
        return match_id

    def _seated(self, log: Log, match_id: str, moved: int) -> tuple[Invitation, MatchRow]:
        (index,) = self._rng.choices(range(len(self._servers)), cum_weights=self._weights)
        guild, those = self._servers[index], self._people[index]
        seated = dict[int, None]()
        while len(seated) < len(log.asked.seated):
            seated.update(dict.fromkeys(self._rng.choices(range(those), cum_weights=self._active[:those])))
        users = tuple([FIRST_USER + 1_000_000 * (index + 1) + each for each in seated])
        for user in users:
            if (guild, user) not in self._known:
                self._known.add((guild, user))
                people.set_name(self._db, guild, user, f"Somebody {user}")
        asked = replace(
            log.asked,
            id=match_id,
            guild_id=guild,
            host_id=users[0],
            invited=users[1:],
            seated=users,
            created_at=BEGUN + moved,
            expires_at=BEGUN + moved + 1,
        )
        return asked, row_of(asked, BEGUN + moved)


def bytes_by_table(db: sqlite3.Connection) -> dict[str, int]:
    """The bytes of each table's pages, with those of its indexes."""
    found: dict[str, int] = defaultdict(int)
    tables = dict(db.execute("SELECT name, tbl_name FROM sqlite_schema").fetchall())
    for name, size in db.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
        found[tables.get(name, name)] += size
    return found


def measure(logs: dict[str, list[Log]], path: Path, count: int, load: Load) -> float:
    """Lay so many matches out, and say what they take and how long it takes to read their logs. Returns the bytes of a
    match."""
    rng, games = random.Random(3), [*logs]
    with closing(connect(path, migrations(), BUSY_TIMEOUT)) as db:
        db.execute("PRAGMA synchronous = OFF")  # nobody needs it after a power cut
        house, ids = House(db, rng, PersonKey(path.with_suffix(".key")), count), list[str]()
        for first in range(0, count, 1000):
            db.execute("BEGIN")
            for number in range(first, min(count, first + 1000)):
                ids.append(house.lay(rng.choice(logs[games[number % len(games)]])))
            db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        sizes = bytes_by_table(db)
        took = sorted(reading(db, match_id) for match_id in rng.sample(ids, READ))
    whole = sum(sizes.values()) / count
    gigabytes = whole * MILLION / 10**9
    by_size = sorted(sizes.items(), key=lambda each: -each[1])
    load.figures.append(f"a match takes {whole:.0f} bytes with indexes, a million {gigabytes:.2f} GB")
    load.figures += [f"{name:<24}{size / count:>10.1f}" for name, size in by_size if size >= count]
    half, late = took[READ // 2], took[(READ - 1) * 95 // 100]
    load.figures.append(f"reading a log: {half:.2f} ms, one in twenty {late:.2f}, the longest {took[-1]:.2f}")
    load.most(gigabytes, LIMIT_GIGABYTES, "GB of a million matches")
    load.most(late, LIMIT_MS, "ms to read one log in twenty")
    return whole


def load_on_postgresql(path: Path, count: int, in_sqlite: float, load: Load) -> None:
    """Load these matches into a PostgreSQL from a dump, and say what they take there."""
    with server_on_disk() as server:
        if server is None:
            load.figures.append(NOTICE.format(count="PACKED MATCHES"))
            return
        address = server.url(server.new_database())
        dump.load_dump(DumpReader(dump_lines(path), LATEST), address)
        with psycopg.connect(address) as connection:
            ((whole,),) = connection.execute(
                "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
                " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
            ).fetchall()
    a_match = float(whole) / count
    load.figures.append(f"on PostgreSQL a match takes {a_match:.0f} bytes, {a_match / in_sqlite:.2f} times as many")


def reading(db: sqlite3.Connection, match_id: str) -> float:
    """Milliseconds of CPU to read a log."""
    begun = time.process_time()
    matches.records(db, match_id)
    return (time.process_time() - begun) * 1000


def main() -> int:
    """Measure, print and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.packed", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"how many are laid out ({MATCHES:,})")
    parser.add_argument("--keep", type=Path, help="the new file in which they are laid out, and which stays")
    parser.add_argument(BRIEF, action="store_true", help="a few matches, only that it runs")
    given = parser.parse_args()
    load = Load("packed")
    logs = {game: [*_logs(game, max(1, LOGS // FEWER.get(game, 1)), load)] for game in LENGTHS}
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)  # as the bot does
    with folder_on_disk() as folder:
        path = given.keep or folder / "packed.db"
        a_match = measure(logs, path, given.matches, load)
        if given.keep is None:
            load_on_postgresql(path, given.matches, a_match, load)
    return 0 if table([load]) else 1


def _logs(game: str, count: int, load: Load) -> Iterator[Log]:
    rng, records, sizes = random.Random(f"{game} 1"), list[int](), list[int]()
    for _ in range(count):
        log = played(game, rng)
        records.append(log.packed.records)
        sizes.append(len(log.packed.log))
        yield log
    mean = statistics.fmean(records), statistics.fmean(sizes)
    load.figures.append(f"{game}: {count} logs of {mean[0]:.0f} records on average, packed {mean[1]:.0f} bytes")


if __name__ == "__main__":
    sys.exit(main())
