"""`cardroom rebuild-standings`: standings are what the results make of them, whatever was done to them."""

from __future__ import annotations

import asyncio
import random
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.queries.matches import Result
from bot.store.sqlite.store import SqliteStore
from discord_sandbox import Sandbox
from tests.bot.ops.databases import cardroom, fill, refused, rows
from tests.bot.store.open_stores import closed_after
from tests.bot.store.recounts import rebuild_standings, recount_standings
from tests.bot.store.rows import GUILD, opened, played, record
from tests.faults.bot_process import forked
from tests.fork_server import ForkServer

pytestmark = pytest.mark.slow  # counts all results of a database anew, many times

GAMES = ("bridge", "skat", "whist")
"""None of ours: these matches were never dealt, and `check` would notice."""

TAMPERINGS = {
    "a rating": ("UPDATE standings SET mu = mu + 0.001 WHERE user_id = 3", 6),
    "an ordinal alone": ("UPDATE standings SET ordinal = 99 WHERE user_id = 3", 6),
    "a win given": ("UPDATE standings SET wins = wins + 1, losses = losses - 1 WHERE user_id = 4 AND game = 'skat'", 2),
    "a standing lost": ("DELETE FROM standings WHERE user_id = 5 AND game = 'skat'", 2),
    "all lost": ("DELETE FROM standings", None),
    "one too many": (
        (
            "INSERT INTO standings SELECT guild_id, game, 77, 9, 1, 0, 1, 0, 0, 2, 0, 0, 9, 9, 9, 1, 1, 0"
            " FROM standings WHERE user_id = 3 LIMIT 2"
        ),
        2,
    ),
    "whom somebody has met": ("UPDATE standings SET opponents = opponents + 1 WHERE user_id = 3", 6),
    "an encounter": ("UPDATE encounters SET lead = 0.5 WHERE user_id = 3 AND opponent_id = 4 AND game = 'skat'", 2),
    "what a match did": ("UPDATE rating_changes SET repeated = 0.5 WHERE match_id = 'm1'", 3),
    "somebody else's": ("UPDATE standings SET user_id = 77 WHERE user_id = 3 AND game = 'skat'", 4),
}
"""What is done to the standings, and how many of them then differ; None: all."""


_PLAYED: dict[tuple[int, int], bytes] = {}
"""The databases of `history`: each is played once."""


async def history(path: Path, seed: int = 1, matches: int = 120) -> None:
    """A closed database in which six people have played by chance in two servers, some of whom are no more named."""
    if (seed, matches) not in _PLAYED:
        await _play(path, seed, matches)
        _PLAYED[seed, matches] = path.read_bytes()  # noqa: ASYNC240  it takes no time
    path.write_bytes(_PLAYED[seed, matches])  # noqa: ASYNC240  nor does this


async def _play(path: Path, seed: int, matches: int) -> None:
    rng = random.Random(seed)
    async with closed_after(SqliteStore.open(path, now=lambda: 1500)) as store:
        for number in range(matches):
            seats = tuple(rng.sample(range(1, 7), rng.randint(2, 5)))
            ranks = tuple([rng.randint(1, len(seats)) for _ in seats])
            if 1 not in ranks:
                ranks = (1, *ranks[1:])
            name, game = f"m{number}", rng.choice(GAMES)
            guild = GUILD + rng.randint(0, 1)
            if number % 7:
                await played(store, name, ranks, seats=seats, guild=guild, game=game)
            else:
                await opened(store, name, seats=seats, guild=guild, game=game)
                await store.append(record(1, name), (), Result(name, "resignation", ranks, 8000, counted=False))
            if number % 40 == 39:
                who = rng.choice((1, 2))
                known = {row.id for row in await store.matches_of(guild, who)}
                await store.anonymise(guild, who, -1 - rng.getrandbits(40), known)
        await opened(store, "live", seats=(1, 2), game=GAMES[0])


def change(path: Path, sql: str) -> int:
    """Do something to the database; how many rows were touched."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        return db.execute(sql).rowcount


@pytest.mark.nightly  # a hundred results each
@pytest.mark.parametrize("seed", range(4))
async def test_standings_are_exactly_what_the_results_make(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "cardroom.db"
    await history(path, seed)
    was = rows(path)
    assert any(str(user).startswith("-") for _, _, user, *_ in was["standings"])  # somebody was taken out
    change(path, "DELETE FROM standings")
    change(path, "DELETE FROM player_results WHERE user_id = 3")  # what is kept for profiles
    change(path, "UPDATE opponents SET wins = wins + 1")
    done = await asyncio.to_thread(cardroom, tmp_path, "rebuild-standings")
    assert (done.returncode, done.stderr) == (0, "")
    number = len(was["standings"])
    assert done.stdout.startswith(f"{number} standings from ")
    assert done.stdout.endswith(f"; {number} differed and were corrected\n")
    assert rows(path) == was  # to the last bit


async def test_nothing_differs_after_play_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "cardroom.db"
    await history(path)
    before = path.read_bytes()
    done = await asyncio.to_thread(cardroom, tmp_path, "rebuild-standings")
    assert done.stdout == "42 standings from 102 results; none differed\n"
    assert path.read_bytes() == before


@pytest.mark.parametrize("tampering", TAMPERINGS)
async def test_what_was_tampered_with_is_found_and_put_right(tmp_path: Path, tampering: str) -> None:
    path = tmp_path / "cardroom.db"
    await history(path)
    was = rows(path)
    sql, differ = TAMPERINGS[tampering]
    assert change(path, sql) > 0
    assert recount_standings(path).differing == (differ or len(was["standings"]))
    assert rebuild_standings(path).differing == (differ or len(was["standings"]))
    assert rows(path) == was


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE board_days SET points = points + 9999 WHERE user_id = 3",
        "UPDATE board_days SET in_week = 0 WHERE user_id = 3",
        "UPDATE board_entries SET score = score + 1 WHERE user_id = 4",
        "DELETE FROM board_entries WHERE user_id = 4 AND span = 1",
        "UPDATE board_entries SET section = 1 WHERE user_id = 4 AND span = 0",
        "UPDATE board_buckets SET players = players + 1 WHERE bits = 10",
        "DELETE FROM board_buckets",
    ],
)
async def test_a_leaderboard_that_was_tampered_with_is_found_and_put_right(tmp_path: Path, sql: str) -> None:
    path = tmp_path / "cardroom.db"
    await history(path)
    assert change(path, sql) > 0
    found = recount_standings(path)
    assert (found.differing, found.differing_lines > 0) == (0, True)
    assert rebuild_standings(path).differing_lines == found.differing_lines
    assert recount_standings(path).differing_lines == 0


@pytest.mark.parametrize(
    ("sql", "failed", "corrected"),
    [
        (
            "DELETE FROM standings WHERE user_id = 5 AND game = 'skat'",
            "FAIL standings: 2 differ from the results",
            "; 2 differed",
        ),
        (
            "UPDATE board_entries SET score = score + 1 WHERE user_id = 4",
            r"FAIL standings: \d+ rows of leaderboards differ from the results",
            r"none differed; \d+ rows of leaderboards differed and were corrected\n",
        ),
    ],
    ids=["standings", "a leaderboard"],
)
async def test_what_was_tampered_with_fails_the_check_until_it_is_rebuilt(
    tmp_path: Path, sql: str, failed: str, corrected: str
) -> None:
    path = tmp_path / "cardroom.db"
    await history(path)
    was = rows(path)
    change(path, sql)
    checked = await asyncio.to_thread(cardroom, tmp_path, "check")
    assert checked.returncode == 1
    assert re.search(failed, checked.stdout)
    done = await asyncio.to_thread(cardroom, tmp_path, "rebuild-standings")
    assert re.search(corrected, done.stdout)
    assert rows(path) == was
    checked = await asyncio.to_thread(cardroom, tmp_path, "check")
    assert checked.returncode == 0
    assert f"ok   standings: {len(was['standings'])}, which match the " in checked.stdout


@pytest.mark.real_time
async def test_it_is_refused_while_a_bot_runs(tmp_path: Path, fork_server: ForkServer) -> None:
    await fill(tmp_path / "cardroom.db", live=1)
    change(tmp_path / "cardroom.db", "DELETE FROM matches WHERE live = 1")
    async with Sandbox.running() as sandbox, forked(fork_server, sandbox, tmp_path):
        change(tmp_path / "cardroom.db", "UPDATE standings SET mu = 99")
        done = await asyncio.to_thread(cardroom, tmp_path, "rebuild-standings")
        assert "stop it first" in refused(done, 73)
    with closing(sqlite3.connect(tmp_path / "cardroom.db")) as db:
        assert db.execute("SELECT DISTINCT mu FROM standings").fetchall() == [(99.0,)]


async def test_results_that_are_not_whole_are_named_and_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "cardroom.db"
    await history(path)
    change(path, "UPDATE seats SET rank = NULL WHERE match_id = 'm1' AND seat = 0")
    change(path, "DELETE FROM standings WHERE user_id = 3")
    was = rows(path)
    done = await asyncio.to_thread(cardroom, tmp_path, "rebuild-standings")
    assert "result 2 doesn't have a rank for each seat" in refused(done, 73)
    assert rows(path) == was
    checked = await asyncio.to_thread(cardroom, tmp_path, "check")
    assert "FAIL standings: result 2 doesn't have a rank for each seat" in checked.stdout


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "cardroom.db"
    path.write_bytes(b"junk" * 5000)
    refused(cardroom(tmp_path, "rebuild-standings"), 73)
    assert path.read_bytes() == b"junk" * 5000
