"""Databases of all tables that there were, and of today's: a next migration brings them up to date, nothing is lost,
and a real bot plays their matches to the end."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from bot.durations import MOST_TURN
from bot.play.deals.proof import check, check_deal
from bot.play.live_match import LiveMatch
from bot.store import special_ids
from bot.store.migrations import LATEST, Migration, migrations
from bot.store.queries import counting_again
from bot.store.queries.matches import MatchRow, Record
from bot.store.sqlite import backup, dump
from bot.store.sqlite import store as sqlite_store
from bot.store.sqlite.backup import back_up, restore
from bot.store.sqlite.schema import version_of
from bot.store.sqlite.store import SqliteStore
from bot.ui.catalogue import translations
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.screens.renderer import sheet
from discord_sandbox import MessageView, Sandbox
from engines import GAMES
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import hand_of
from tests.upgrades.make import Players, database_file
from tests.upgrades.old import SCHEMAS, OfItsDay, Rows, lay, rows

say = translations("en")

MOST = 6000
"""More acts than any match has left."""
SOME = 60
"""Acts that a match goes on for whose other players resign then."""
WHOLE = 3
"""Of each version one match in so many ends by its rules; which, depends on the version."""


RELEASED = (5,)
"""The versions of the tables that releases have had (docs/changing-rules.md)."""


def test_a_database_of_every_release_is_kept() -> None:
    kept = [version for version in SCHEMAS if isinstance(version, OfItsDay)]
    missing = [version for version in RELEASED if version not in kept]
    assert not missing, (
        f"no database of tables {missing} is kept: check the release out, "
        "run `python -m tests.upgrades.make --release`, and commit the file (docs/changing-rules.md)"
    )


def games_of(found: Rows, *, live: int) -> set[str]:
    """The games of which a database has matches that are still played, or that are over."""
    return {row["game"] for row in found["matches"] if row["live"] == live}


def test_each_holds_matches_of_the_games_of_its_day(tmp_path: Path) -> None:
    """A database that was kept before there was a game has none of it; what a former one had, a later one has too."""
    known: set[str] = set()
    for number, version in enumerate(SCHEMAS):
        folder = tmp_path / str(number)
        folder.mkdir()
        games = games_of(rows(lay(folder, version)), live=1)
        assert known <= games <= set(GAMES)
        assert len(games) >= 5
        known = games


def alike(old: Rows, new: Rows) -> Rows:
    """The new rows, cut to the tables and columns that the old ones have."""
    return {
        table: [{name: row[name] for name in (found[0] if found else ())} for row in new[table]]
        for table, found in old.items()
    }


def kept(found: Rows) -> Rows:
    """The rows that stay as they are: of servers whose deletion is under way, none, because a start finishes it. And
    what each start counts on."""
    gone = {row["guild_id"] for row in found["deletions"]}
    stays = {table: [row for row in each if row.get("guild_id") not in gone] for table, each in found.items()}
    return {**stays, "progress": [{"database_id": row["database_id"]} for row in found["progress"]]}


def ordered(found: Rows) -> dict[str, list[str]]:
    return {table: sorted(map(repr, each)) for table, each in found.items()}


STEP: Final = """
ALTER TABLE matches ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
CREATE TABLE moods (match_id TEXT PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE, mood TEXT NOT NULL) STRICT;
INSERT INTO moods (match_id, mood) SELECT id, mood FROM matches;
"""
NEXT: Final = LATEST + 1
"""The version of the tables that a step makes which nobody has written yet."""


@pytest.fixture
def next_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program as it will be after one more migration."""
    steps = (*migrations(), Migration(NEXT, STEP))
    for module in (backup, dump, sqlite_store):
        monkeypatch.setattr(module, "migrations", lambda *_: steps)
    monkeypatch.setattr(dump, "LATEST", NEXT)


@pytest.fixture
def path(tmp_path: Path, version: int) -> Path:
    """The database of a version, before the test's time begins: another process makes that of today."""
    return lay(tmp_path, version)


@pytest.mark.usefixtures("next_step")
@pytest.mark.parametrize("version", SCHEMAS)
async def test_it_is_brought_up_to_date_with_a_backup_and_nothing_is_lost(path: Path, version: int) -> None:
    before = rows(path)
    assert games_of(before, live=0) == games_of(before, live=1)
    for table in ("standings", "names", "notices", "invitations", "timers"):
        assert before[table], table
    assert any(row["state"] == "open" for row in before["invitations"])
    await (await SqliteStore.open(path, now=lambda: 1500)).close()
    after = rows(path)
    assert ordered(alike(kept(before), after)) == ordered(kept(before))
    assert {row["match_id"]: row["mood"] for row in after["moods"]} == {row["id"]: "calm" for row in before["matches"]}
    assert rows(path.with_name(f"cardroom.db.v{version}.backup")) == before
    assert _version(path) == NEXT


async def test_servers_of_0_9_0_are_counted_again_as_a_season_counts_otherwise_now(tmp_path: Path) -> None:
    path = lay(tmp_path, SCHEMAS[0])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM deletions")  # a count waits for them
        counted = db.execute("SELECT DISTINCT guild_id FROM results WHERE counted = 1 ORDER BY guild_id").fetchall()
        former = db.execute("SELECT surplus FROM rating_changes ORDER BY match_id, seat").fetchall()
    store = await SqliteStore.open(path, now=lambda: 1500)
    try:
        queries = LeaderboardQueries(store)
        under_way = await queries.counts_under_way()
        assert [(guild_id,) for guild_id in under_way] == counted != []
        for guild_id in under_way:
            while not await queries.count_some(guild_id):
                pass
        assert await queries.counts_under_way() == []
    finally:
        await store.close()
    with closing(sqlite3.connect(path)) as db:
        found = counting_again.recount(db)
        assert db.execute("SELECT surplus FROM rating_changes ORDER BY match_id, seat").fetchall() != former
    assert found.results > 0
    assert (found.differing, found.differing_lines) == (0, 0)


@pytest.mark.usefixtures("next_step")
@pytest.mark.parametrize("version", SCHEMAS)
async def test_its_dump_and_its_backup_come_up_to_date_as_it_does(path: Path, tmp_path: Path) -> None:
    before = rows(path)
    loaded, restored = tmp_path / "loaded" / "cardroom.db", tmp_path / "restored" / "cardroom.db"
    for folder in (loaded.parent, restored.parent):
        folder.mkdir()
    dump.load_dump(dump.dump_lines(path), loaded)
    back_up(path, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", restored)
    await (await SqliteStore.open(restored, now=lambda: 1500)).close()
    for each in (loaded, restored):
        assert _version(each) == NEXT
        assert ordered(alike(kept(before), kept(rows(each)))) == ordered(kept(before))


@pytest.mark.usefixtures("next_step")
@pytest.mark.parametrize("version", SCHEMAS)
async def test_its_matches_go_on_and_are_played_to_the_end(
    path: Path, sandbox: Sandbox, tmp_path: Path, version: int, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE matches SET board_mark = NULL")  # what they marked was posted in another sandbox
    before = rows(path)
    people = {person.id: person for person in sandbox.people}
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_CHANNEL="1000") as room:
        live = {match.id: match for match in room.app.matches.live()}
        closed = {row["match_id"] for row in before.get("daily_attempts", ()) if row["day"] < room.app.days.today()}
        assert live.keys() == {row["id"] for row in before["matches"] if row["live"]} - closed
        for each in closed:  # a try at a deal of the day ends with its day
            assert await room.store.result(each) is not None
        assert "replaying" not in caplog.text
        assert "deadlines were missing" not in caplog.text
        for match in live.values():
            stored = max(row["seq"] for row in before["records"] if row["match_id"] == match.id)
            assert match.position.acts >= stored  # a computer may have acted since
            assert match.position.acts == stored or any(map(special_ids.is_computer, match.seats))
            assert bool(match.position.timers) == (match.suspended is None and match.has_board)
        for match in live.values():
            if match.suspended is not None:
                with room.press(match, 900_000) as press:
                    assert await room.app.lifecycle.resume(match, sandbox.channel("lobby").id, 0, press)
        await looked_at(room, before)
        for match in live.values():
            if not match.has_board:
                continue
            board = await posted(sandbox, match)
            assert board.text.startswith(f"### {match.game.info.title}")
            for user in special_ids.people(match.seats):
                hand = await hand_of(people[user], board)
                assert hand.text.startswith(f"### {match.game.info.title}: ")
        players = Players(room, random.Random(version), press=1_000_000)
        for number, match in enumerate(live.values()):
            if number % WHOLE != version % WHOLE:
                await players.play(match, SOME)
                await players.leave(match)
            await players.play(match, MOST)
            assert match.result is not None
            _proven(match.id, await room.store.match(match.id), await room.store.records(match.id))
        games = (await sandbox.user("Alice").slash(sandbox.channel("lobby"), "games")).text
        assert "error number" not in games
        assert "Bob" in games  # the challenge is open still
    with closing(sqlite3.connect(path)) as db:
        found = counting_again.recount(db)
    assert (found.differing, found.differing_lines) == (0, 0)
    after = rows(path)
    logs = {"records": before["records"]}
    kept_records = [row for row in after["records"] if row["seq"] <= _last(before, row["match_id"])]
    assert ordered(alike(logs, {"records": kept_records})) == ordered(logs)
    old = {row["id"] for row in before["matches"]}  # a tournament's next round may have begun
    assert not any(row["live"] for row in after["matches"] if row["id"] in old)


async def posted(sandbox: Sandbox, match: LiveMatch) -> MessageView:
    """The match's board, once it is posted anew: nobody has the messages of that time."""
    await sandbox.wait_for(lambda: match.board_id in _messages(sandbox), 60)
    return _messages(sandbox)[match.board_id]


async def looked_at(room: Cardroom, before: Rows) -> None:
    """Look at every finished match: its last board, and whether its log is what its seed and its acts make."""
    for row in before["matches"]:
        if row["live"]:
            continue
        match = await room.app.matches.find(row["id"])
        assert match is not None
        assert match.over
        await room.app.display_names.load(match.guild_id, match.seats)
        is_open = room.app.closed_deals.closing(match) is None
        shown = str(sheet(room.app.public_screens.board(match), match.id).to_components())
        assert ("More…" in shown) == is_open
        _proven(match.id, await room.store.match(match.id), await room.store.records(match.id))


def _proven(match_id: str, row: Any, records: Any) -> None:
    assert row is not None, match_id
    check_deal(row, records)
    if row.rules_version == GAMES[row.game].info.rules_version:
        check(row, _in_time(row, records))


def _messages(sandbox: Sandbox) -> dict[int | None, MessageView]:
    return {message.id: message for message in sandbox.channel("lobby").messages}


def _last(before: Rows, match_id: str) -> int:
    return max((row["seq"] for row in before["records"] if row["match_id"] == match_id), default=-1)


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return version_of(db)


def test_the_files_hold_no_path_of_the_machine_that_made_them() -> None:
    for version in SCHEMAS[:-1]:
        assert "/home/" not in database_file(version).read_text("utf-8")


def _in_time(row: MatchRow, records: Sequence[Record]) -> list[Record]:
    """The log as it would be if computers had made the acts of their seats, and no time had run out before its length:
    the players here act for everybody and wait for nothing."""
    at, found = row.opened_at, list[Record]()
    for record in records:
        at += 1000 * MOST_TURN if '"TimeUp"' in (record.action or "") else 1
        computers = record.actor is not None and special_ids.is_computer(row.seats[record.actor])
        mark = f"{special_ids.level_of(row.seats[record.actor or 0])} 1" if computers else record.computer
        found.append(replace(record, at=at, computer=mark))
    return found
