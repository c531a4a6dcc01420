"""The store in SQLite and in PostgreSQL beside each other: ``python -m tests.bench.stores``.

Appends of one act (a record of typical size, one timer) by 1, 16 and 50 matches at once. The two take turns, and the
figures of each are those of its turns together. Both wait for the same disk. PostgreSQL's server is on this machine and
answers on a socket; over a network an append takes two trips to the server and back, and each group of them three more.
Beside the rate stands what an append costs of the processor: in the bot's process, and in the server's.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from bot.cluster.store import PostgresqlStore
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow, Record, TimerRow
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from tests.bench.house import folder_on_disk, server_on_disk
from tests.bench.processes import cpu_seconds
from tests.bench.sizes import sized
from tests.postgresql.fixtures import NOTICE
from tests.postgresql.server import Server
from tests.soak.report import percentile

GUILD, GAME = 900000000000000001, "haymaker"
AT_ONCE = (1, 16, 50)
EVENTS = '[{"type":"CardsPlayed","v":1,"seat":0,"cards":[' + ",".join(['{"rank":12,"suit":"S"}'] * 12) + "]}]"
ACTION = '{"type":"Play","v":1,"cards":[{"rank":12,"suit":"S"},{"rank":3,"suit":"S"}]}'
SECONDS: Final = sized(2.0, brief=0.1)
"""How long a turn is."""
TURNS: Final = sized(3, brief=1)


@dataclass
class Taken:
    """What the turns of a store took."""

    calls: list[float] = field(default_factory=list)
    whole: float = 0.0
    cpu: float = 0.0
    server_cpu: float = 0.0

    def line(self, what: str) -> str:
        """The figures."""
        appends = len(self.calls)
        return (
            f"{what:<24} {appends / self.whole:>7.0f} appends/s  p50 {percentile(self.calls, 50):>6.2f} ms"
            f"  p99 {percentile(self.calls, 99):>6.2f} ms  CPU {1000 * self.cpu / appends:>5.2f} ms here"
            f"  {1000 * self.server_cpu / appends:>5.2f} ms in the server"
        )


def main() -> int:
    """Print the figures. Returns the exit code."""
    with server_on_disk() as server, folder_on_disk() as folder:
        if server is None:
            print(NOTICE.format(count="STORES"))
        else:
            asyncio.run(measure(folder, server))
    return 0


def server_seconds(server: Server) -> float:
    """What the server's processes have taken of the processor, in seconds."""
    with server.connect_as_admin() as connection:
        pids = connection.execute("SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()").fetchall()
    return sum(cpu_seconds(pid) for (pid,) in pids)


async def measure(folder: Path, server: Server) -> None:
    """The turns of both stores, for each number of matches."""
    url = server.url(server.new_database())
    sqlite = await SqliteStore.open(folder / "cardroom.db", now=lambda: 0)
    postgresql = await PostgresqlStore.open(url, now=lambda: 0, person_key=folder / "person.key")
    stores: dict[str, Store] = {"SQLite": sqlite, "PostgreSQL": postgresql}
    seqs = dict.fromkeys(stores, 0)
    for at_once in AT_ONCE:
        taken = {what: Taken() for what in stores}
        for _ in range(TURNS):
            for what, store in stores.items():
                served = server_seconds(server)
                seqs[what] = await turn(store, at_once, taken[what], seqs[what])
                taken[what].server_cpu += server_seconds(server) - served
        for what, each in taken.items():
            print(each.line(f"{what}, {at_once} at once"))
    for store in stores.values():
        await store.close()


async def turn(store: Store, at_once: int, taken: Taken, former: int) -> int:
    """One turn: this many matches of its own, each appending one act after the other as fast as its commits come back.

    `former` is how many matches the store has had. Returns how many it has now.
    """
    await asyncio.gather(*[open_match(store, f"m{former + number}") for number in range(at_once)])

    async def play(number: int) -> None:
        now, seq = time.perf_counter(), 0
        while now < until:
            seq += 1
            await append(store, f"m{number}", seq, (number << 32) + seq)
            before, now = now, time.perf_counter()
            taken.calls.append(now - before)

    used = time.process_time()
    begun = time.perf_counter()
    until = begun + SECONDS
    await asyncio.gather(*[play(number) for number in range(former, former + at_once)])
    taken.whole += time.perf_counter() - begun
    taken.cpu += time.process_time() - used
    return former + at_once


async def open_match(store: Store, match_id: str) -> None:
    """A live match with its deal."""
    seats = (1, 2)
    invitation = Invitation(match_id, GUILD, 1, None, GAME, "{}", "normal", 1, (2,), seats, b"", b"", 0, 0)
    match = MatchRow(match_id, GUILD, 1, None, None, GAME, 1, "{}", "normal", seats, b"", b"", 0)
    await store.add_invitation(invitation)
    await store.open_match(match, Record(match_id, 0, None, None, None, EVENTS, 0), ())


def append(store: Store, match_id: str, seq: int, press: int) -> Awaitable[object]:
    """An act and its timer."""
    record = Record(match_id, seq, press, 0, ACTION, EVENTS, 0)
    return store.append(record, [TimerRow(match_id, "turn", str(seq), 0)])


if __name__ == "__main__":
    sys.exit(main())
