"""Databases of earlier tables: migrated with nothing lost, and their matches played to the end by a real bot."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.play.deals.proof import check, check_deal
from bot.play.live_match import LiveMatch
from bot.store import computer_ids
from bot.store.queries import standings
from bot.store.sqlite.backup import back_up, restore
from bot.store.sqlite.dump import dump_lines, load_dump
from bot.store.sqlite.recounts.standings import recount_standings
from bot.store.sqlite.schema import version_of
from bot.store.sqlite.store import SqliteStore
from bot.ui.catalogue import translations
from cogs.screens.renderer import sheet
from cogs.updates import old_edits
from engines import GAMES
from sandbox import Sandbox
from sandbox.clients.views import MessageView
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import hand_of
from tests.upgrades.make import Players, database_file
from tests.upgrades.old import LATEST, SCHEMAS, Rows, lay, rows

say = translations("en")

MOST = 6000
"""More acts than any match has left."""
SOME = 60
"""Acts that a match goes on for whose other players resign then."""
WHOLE = 3
"""Of each version one match in so many ends by its rules; which, depends on the version."""


def test_a_database_of_every_earlier_version_is_kept() -> None:
    missing = [version for version in range(1, LATEST) if version not in SCHEMAS]
    assert not missing, (
        f"no database of tables {missing} is kept: check the program out as it was before the migration after that, "
        "run `python -m tests.upgrades.make --database`, and commit the file (docs/changing-rules.md)"
    )


def games_of(found: Rows, *, live: int) -> set[str]:
    """The games of which a database has matches that are still played, or that are over."""
    return {row["game"] for row in found["matches"] if row["live"] == live}


def test_each_holds_matches_of_the_games_of_its_day(tmp_path: Path) -> None:
    """A database that was kept before there was a game has none of it; what a former one had, a later one has too."""
    known: set[str] = set()
    for version in SCHEMAS:
        folder = tmp_path / str(version)
        folder.mkdir()
        games = games_of(rows(lay(version, folder)), live=1)
        assert known <= games <= set(GAMES)
        assert len(games) >= 5
        known = games


def alike(old: Rows, new: Rows) -> Rows:
    """The new rows, cut to the tables and columns that the old ones have."""
    cut = {
        table: [{name: row[name] for name in (found[0] if found else ())} for row in new[table]]
        for table, found in old.items()
    }
    return {**cut, "opponents": _together(cut["opponents"])} if "opponents" in cut else cut


def _together(opponents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Opponents as they were before they were kept by game: one row for each."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in opponents:
        key = tuple(row.get(name) for name in ("guild_id", "user_id", "opponent_id", "game"))
        other = found.get(key, {**row, "matches": 0, "wins": 0, "losses": 0, "draws": 0})
        first = min(row["first_number"], other["first_number"])
        counts = {name: row[name] + other[name] for name in ("matches", "wins", "losses", "draws")}
        found[key] = {**row, "first_number": first, **counts}
    return list(found.values())


REWEIGHED = 11
"""The tables with which matches began to weigh differently, so that all ratings were worked out again."""
UNCOUNTED = 10
"""The last tables without leaderboards of seasons, which are counted at the upgrade."""


def kept(found: Rows) -> Rows:
    """The rows that an upgrade keeps as they are: of standings, the people and their counts; of servers whose deletion
    is under way, none, because a start finishes it."""
    counts = ("guild_id", "game", "user_id", "wins", "losses", "draws")
    gone = {row["guild_id"] for row in found.get("deletions", ())}
    stays = {table: [row for row in each if row.get("guild_id") not in gone] for table, each in found.items()}
    return {**stays, "standings": [{name: row[name] for name in counts} for row in stays["standings"]]}


def former_of(found: Rows) -> list[tuple[Any, ...]]:
    """The places, ratings and counts that standings have."""
    rows = found["standings"]
    return sorted(
        (
            *(row["guild_id"], row["game"], row["user_id"]),
            1 + sum(_board(other) == _board(row) and other["ordinal"] > row["ordinal"] for other in rows),
            *(row["mu"], row["sigma"], row["wins"], row["losses"], row["draws"]),
        )
        for row in rows
    )


def _board(row: dict[str, Any]) -> tuple[int, str]:
    return row["guild_id"], row["game"]


def former(found: Rows) -> list[tuple[Any, ...]]:
    """The places that were kept when matches began to weigh differently."""
    return sorted(tuple(row.values()) for row in found.get("former_standings", ()))


def ordered(found: Rows) -> dict[str, list[str]]:
    return {table: sorted(map(repr, each)) for table, each in found.items()}


@pytest.mark.parametrize("version", SCHEMAS)
async def test_it_is_brought_up_to_date_with_a_backup_and_nothing_is_lost(tmp_path: Path, version: int) -> None:
    path = lay(version, tmp_path)
    before = rows(path)
    assert games_of(before, live=0) == games_of(before, live=1)
    for table in ("standings", "names", "notices", "invitations", "timers"):
        assert before[table], table
    assert any(row["state"] == "open" for row in before["invitations"])
    await (await SqliteStore.open(path, now=lambda: 1500)).close()
    after = rows(path)
    assert after.keys() >= before.keys()
    assert ordered(alike(kept(before), after)) == ordered(kept(before))
    assert former(after) == (former_of(before) if version < REWEIGHED else former(before))
    backup = path.with_name(f"cardroom.db.v{version}.backup")
    assert backup.exists() == (version < LATEST)
    assert rows(backup if version < LATEST else path) == before
    assert _version(path) == LATEST


@pytest.mark.parametrize("version", SCHEMAS)
async def test_its_results_are_on_the_leaderboards(tmp_path: Path, version: int) -> None:
    path = lay(version, tmp_path)
    store = await SqliteStore.open(path, now=lambda: 1500)
    try:
        found = await store.database.read(standings.recount)
        assert found.boards.differences == 0
        assert {
            (row["guild_id"], row["user_id"], row["game"]) for row in rows(path)["board_entries"] if row["game"]
        } == {(guild, user, game) for guild, game, user in found.rows}
    finally:
        await store.close()


async def test_a_result_that_is_not_whole_keeps_nobody_from_starting(tmp_path: Path) -> None:
    path = lay(UNCOUNTED, tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        assert db.execute("UPDATE seats SET rank = NULL WHERE rank = 1").rowcount > 0
    await (await SqliteStore.open(path, now=lambda: 1500)).close()
    assert rows(path)["board_entries"] == []


@pytest.mark.parametrize("version", SCHEMAS)
async def test_its_dump_and_its_backup_come_up_to_date_as_it_does(tmp_path: Path, version: int) -> None:
    path = lay(version, tmp_path)
    before = rows(path)
    loaded, restored = tmp_path / "loaded" / "cardroom.db", tmp_path / "restored" / "cardroom.db"
    for folder in (loaded.parent, restored.parent):
        folder.mkdir()
    load_dump(dump_lines(path), loaded)
    back_up(path, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", restored)
    await (await SqliteStore.open(restored, now=lambda: 1500)).close()
    for each in (loaded, restored):
        assert _version(each) == LATEST
        assert ordered(alike(kept(before), kept(rows(each)))) == ordered(kept(before))


@pytest.mark.parametrize("version", SCHEMAS)
async def test_its_matches_go_on_and_are_played_to_the_end(
    sandbox: Sandbox, tmp_path: Path, version: int, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_edits, "SPACING_OF_OLD", 0.0)  # a dozen boards in one channel, all old
    path = lay(version, tmp_path)
    before = rows(path)
    people = {person.id: person for person in sandbox.people}
    async with cardroom(sandbox, tmp_path) as room:
        live = {match.id: match for match in room.app.matches.live()}
        closed = {row["match_id"] for row in before.get("daily_attempts", ()) if row["day"] < room.app.daily.today()}
        assert live.keys() == {row["id"] for row in before["matches"] if row["live"]} - closed
        for each in closed:  # a try at a deal of the day ends with its day
            assert await room.store.result(each) is not None
        assert "replaying" not in caplog.text
        assert "deadlines were missing" not in caplog.text
        for match in live.values():
            assert match.position.acts == max(row["seq"] for row in before["records"] if row["match_id"] == match.id)
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
            assert match.short_seal in board.text
            for user in computer_ids.people(match.seats):
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
    found = recount_standings(path)
    assert found.differing == ()
    after = rows(path)
    logs = {"records": before["records"]}
    kept_records = [row for row in after["records"] if row["seq"] <= _last(before, row["match_id"])]
    assert ordered(alike(logs, {"records": kept_records})) == ordered(logs)
    assert not any(row["live"] for row in after["matches"])


@pytest.mark.parametrize("version", SCHEMAS)
async def test_its_standings_are_what_its_results_make(tmp_path: Path, version: int) -> None:
    path = lay(version, tmp_path)
    await (await SqliteStore.open(path, now=lambda: 1500)).close()
    found = recount_standings(path)
    assert found.differing == ()
    assert found.results == sum(row["counted"] for row in rows(tmp_path / "cardroom.db")["results"]) > 0


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
        assert match.seed == row["seed"]
        assert match.short_seal in str(sheet(room.app.public_screens.board(match), match.id).to_components())
        _proven(
            match.id, await room.store.match(match.id), await room.store.records(match.id), await _kept(room, match)
        )


async def _kept(room: Cardroom, match: LiveMatch) -> dict[str, bytes]:
    return await room.store.chance_keys(match.id)


def _proven(match_id: str, row: Any, records: Any, kept: dict[str, bytes] | None = None) -> None:
    assert row is not None, match_id
    check_deal(row, records, kept or {})
    if row.rules_version == GAMES[row.game].info.rules_version:
        check(row, records, kept or {})


def _messages(sandbox: Sandbox) -> dict[int | None, MessageView]:
    return {message.id: message for message in sandbox.channel("lobby").messages}


def _last(before: Rows, match_id: str) -> int:
    return max((row["seq"] for row in before["records"] if row["match_id"] == match_id), default=-1)


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return version_of(db)


def test_the_files_hold_no_path_of_the_machine_that_made_them() -> None:
    for version in SCHEMAS:
        assert "/home/" not in database_file(version).read_text("utf-8")
