"""L7: the leaderboard of a database with a million finished matches and a hundred thousand players, read through the
store and through Discord."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from pathlib import Path

from bot.play.match_state import codec
from bot.store.migrations import migrations
from bot.store.queries.leaderboards import Leaderboard, Span, Tally, day_of
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT, SqliteStore
from bot.ui.screen import Press
from cogs.leaderboards.commands import PAGE
from cogs.leaderboards.queries import LeaderboardQueries, PageOf, PageRequest
from cogs.leaderboards.screens import SHOW, write
from cogs.screens import custom_ids
from discord_sandbox import MessageView, Person, Sandbox
from engines import GAMES
from tests.bot.store.counted_boards import replace_days
from tests.end_to_end.process import ROOT, bot_process
from tests.soak.report import Load, percentile, waited

MATCHES = 1_000_000
PLAYERS = 100_000
CHUNK = 50_000
GAME = "haymaker"
ROUNDS = 100
"""How often each page is asked for."""
MOST = 50.0
"""Milliseconds within which 99 of 100 pages must be there."""
NOW = 1_800_000_000_000
TERMS = (GAME, "normal")
CLOSED = ("challenge", 0, "[]", "accepted", NOW)
FIRST_USER = 2 * 10**17


async def run(matches: int = MATCHES, players: int = PLAYERS) -> Load:
    """Make the database, read it, remove it."""
    load = Load("L7")
    build = ROOT / "build"
    build.mkdir(exist_ok=True)
    # Not in the system's folder for temporary files: that may be memory.
    with tempfile.TemporaryDirectory(dir=build) as folder:
        async with Sandbox.running(transcript_entries=0) as sandbox:
            begun = time.perf_counter()
            path = Path(folder) / "cardroom.db"
            _fill(path, sandbox.server().id, matches, players, sandbox.user("Alice").id)
            load.figures.append(
                f"{matches} matches, {players} players, {path.stat().st_size / 2**20:.0f} MiB"
                f" made in {time.perf_counter() - begun:.0f} s"
            )
            await _through_the_store(path, sandbox.server().id, sandbox.user("Alice").id, players, load)
            async with bot_process(sandbox, Path(folder), CARDROOM_BACKUP_HOURS="0"):
                await _through_discord(sandbox, players, load)
    return load


# ---------------------------------------------------------------------------------------------- the database


def _fill(path: Path, guild: int, matches: int, players: int, alice: int) -> None:
    """All in one server and game, which is the hardest; among the players one who looks for her place."""
    users = [alice, *range(FIRST_USER, FIRST_USER + players - 1)]
    with closing(connect(path, migrations(), BUSY_TIMEOUT)) as db:
        db.execute("PRAGMA synchronous = OFF")  # nobody needs it after a power cut
        db.execute("PRAGMA foreign_keys = OFF")  # every row is made to fit
        past = _Past(db, guild, users)
        for start in range(0, matches, CHUNK):
            db.execute("BEGIN")
            past.play(range(start, min(start + CHUNK, matches)))
            db.execute("COMMIT")
        db.execute("BEGIN")
        past.rank()
        db.execute("COMMIT")


class _Past:
    """What happened in a server before: rows by the many."""

    def __init__(self, db: sqlite3.Connection, guild: int, users: Sequence[int]) -> None:
        self._db = db
        self._guild = guild
        self._users = users
        self._rng = random.Random(1)
        self._options = codec(GAME).encode(GAMES[GAME].info.options())

    def play(self, numbers: range) -> None:
        """Finished matches of two, each with its deal, a record of its end, and its result."""
        guild, options, seed = self._guild, self._options, bytes(32)
        rows = [(number, f"m{number}", self._rng.sample(self._users, 2)) for number in numbers]
        self._insert(
            "invitations",
            "id, guild_id, channel_id, game, clock, options, host_id, invited, seated, seed, created_at, expires_at,"
            " kind, private, places, state, closed_at",
            [
                (key, guild, 1, *TERMS, options, host, f"[{guest}]", f"[{host},{guest}]", seed, NOW, NOW, *CLOSED)
                for _, key, (host, guest) in rows
            ],
        )
        self._insert(
            "matches",
            "id, guild_id, channel_id, game, rules_version, options, clock, seed, opened_at, live",
            [(key, guild, 1, GAME, 1, options, "normal", seed, NOW, 0) for _, key, _ in rows],
        )
        self._insert(
            "seats",
            "match_id, seat, guild_id, user_id, rank",
            [(key, seat, guild, user, seat + 1) for _, key, pair in rows for seat, user in enumerate(pair)],
        )
        self._insert(
            "records",
            "match_id, seq, guild_id, interaction_id, events, at",
            [(key, 0, guild, None, "[]", NOW) for _, key, _ in rows]
            + [(key, 1, guild, number + 1, "[]", NOW) for number, key, _ in rows],
        )
        self._insert(
            "results",
            "match_id, guild_id, game, kind, ended_at, counted",
            [(key, guild, GAME, "knockout", NOW, 1) for _, key, _ in rows],
        )

    def rank(self) -> None:
        """Everybody's standing, of strengths all over the scale, and their names."""
        strengths = [(user, self._rng.gauss(25, 6), self._rng.uniform(1, 8)) for user in self._users]
        self._insert(
            "standings",
            "guild_id, game, user_id, mu, sigma, ordinal, wins, losses, draws",
            [(self._guild, GAME, user, mu, sigma, mu - 3 * sigma, 12, 8, 0) for user, mu, sigma in strengths],
        )
        days = {user: {(GAME, day_of(NOW)): Tally(0, 12, 8, 0)} for user in self._users}
        replace_days(self._db, self._guild, days)
        named = [(self._guild, user, f"Player {number}") for number, user in enumerate(self._users)]
        self._insert("names", "guild_id, user_id, name", named)

    def _insert(self, table: str, columns: str, rows: Sequence[tuple[object, ...]]) -> None:
        places = ", ".join("?" * len(rows[0]))
        self._db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)


# ---------------------------------------------------------------------------------------------- reading


async def _through_the_store(path: Path, guild: int, user: int, players: int, load: Load) -> None:
    last = (players - 1) // PAGE * PAGE
    board = Leaderboard(guild, GAME, Span.ALL_TIME)
    store = await SqliteStore.open(path, now=lambda: NOW)
    try:
        asked: dict[str, Callable[[], Awaitable[object]]] = {
            "first page": lambda: LeaderboardQueries(store).page(board, user, PageRequest(), PAGE),
            "middle": lambda: LeaderboardQueries(store).page(board, user, PageRequest(position=last // 2), PAGE),
            "last": lambda: LeaderboardQueries(store).page(board, user, PageRequest(position=last), PAGE),
            "own place": lambda: LeaderboardQueries(store).page(board, user, PageRequest(PageOf.OWN), PAGE),
            "how many": lambda: store.count_ranked(guild, GAME),
        }
        for what, ask in asked.items():
            waits = []
            for _ in range(ROUNDS):
                begun = time.perf_counter()
                load.expect(await ask(), f"the store has nothing: {what}")
                waits.append(time.perf_counter() - begun)
            _judge(f"store, {what}", waits, load)
    finally:
        await store.close()


async def _through_discord(sandbox: Sandbox, players: int, load: Load) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    waits = []
    shown: MessageView | None = None
    for _ in range(ROUNDS):
        reply = await alice.slash(lobby, f"{GAME} leaderboard")
        load.expect(not reply.failed, "the leaderboard was not shown")
        waits.append(reply.elapsed)
        shown = reply.message
    _judge("/leaderboard", waits, load)
    if shown is None:
        raise LookupError("there is a leaderboard")
    pages = (players - 1) // PAGE + 1
    for what, page in (("first page", 0), ("middle", pages // 2), ("last", pages - 1)):
        request = PageRequest(position=page * PAGE)
        turned = custom_ids.write(GAME, Press(SHOW, 1, write(Span.ALL_TIME, GAME, request)))
        waits = [await _page(alice, shown, turned, f"{page * PAGE + 1}\\.", load) for _ in range(ROUNDS)]
        _judge(f"turned to the {what}", waits, load)


async def _page(person: Person, shown: MessageView, custom_id: str, number: str, load: Load) -> float:
    await asyncio.sleep(0)
    reply = await person.press(shown, custom_id=custom_id, force=True)
    load.expect(not reply.failed and number in reply.text, f"the page that begins with {number} was not shown")
    return reply.elapsed


def _judge(what: str, waits: Sequence[float], load: Load) -> None:
    load.figures.append(f"{what} {waited(waits)}")
    late = percentile(waits, 99)
    load.expect(late < MOST, f"{what}: p99 {late:.0f} ms, more than {MOST:.0f}")
