"""L7: the leaderboard of a database with a million finished matches and a hundred thousand players, read through
Discord. How long the store takes for each of its questions is measured by `tests.bench.operations`."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from bot.store.migrations import migrations
from bot.store.queries.leaderboards import Span, day_of
from bot.store.sqlite.schema import connect
from bot.store.sqlite.store import BUSY_TIMEOUT
from bot.ui.screen import Press
from cogs.leaderboards.commands import PAGE
from cogs.leaderboards.queries import PageRequest
from cogs.leaderboards.screens import SHOW, write
from cogs.screens import custom_ids
from discord_sandbox import MessageView, Person, Sandbox
from tests.bench import boards
from tests.bench.house import opened
from tests.bench.large_database import GAME, insert, invitation, match, result, seats
from tests.soak.report import Load, percentile, waited

MATCHES = 1_000_000
PLAYERS = 100_000
ROUNDS = 100
"""How often each page is asked for."""
MOST = 50.0
"""Milliseconds within which 99 of 100 pages must be there."""
NOW = 1_800_000_000_000
FIRST_USER = 2 * 10**17
"""Every third from here on: none of them shares a rating (`boards.fill`), so each has a place of their own."""


async def run(matches: int = MATCHES, players: int = PLAYERS) -> Load:
    """Make the database, read it, remove it."""
    load = Load("L7")
    async with opened() as house:
        begun = time.perf_counter()
        path = house.folder / "cardroom.db"
        alice = house.sandbox.user("Alice").id
        _fill(path, house.sandbox.server().id, matches, [alice, *range(FIRST_USER, FIRST_USER + 3 * (players - 1), 3)])
        load.figures.append(
            f"{matches} matches, {players} players, {path.stat().st_size / 2**20:.0f} MiB"
            f" made in {time.perf_counter() - begun:.0f} s"
        )
        await house.bot().start()
        await _through_discord(house.sandbox, players, load)
    return load


def _fill(path: Path, guild: int, matches: int, users: Sequence[int]) -> None:
    """All in one server and game, which is the hardest; among the players one who looks for her place."""
    rng = random.Random(1)
    with closing(connect(path, migrations(), BUSY_TIMEOUT)) as db:
        db.execute("PRAGMA synchronous = OFF")  # nobody needs it after a power cut
        db.execute("PRAGMA foreign_keys = OFF")  # every row is made to fit
        boards.fill(db, users, guild, day_of(NOW))
        db.execute("BEGIN")
        played = [(f"m{number}", rng.sample(users, 2)) for number in range(matches)]
        insert(db, "invitations", (invitation(each, guild, pair) for each, pair in played))
        insert(db, "matches", (match(each, guild, live=0) for each, _ in played))
        insert(db, "seats", (row for each, pair in played for row in seats(each, guild, pair, (1, 2))))
        insert(db, "results", (result(each, guild, ended_at=NOW) for each, _ in played))
        db.execute("COMMIT")


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
