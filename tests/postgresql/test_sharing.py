"""Several processes on one database, and versions of its tables."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest

from bot.cluster import tools
from bot.cluster.store import PostgresqlStore
from bot.store.errors import (
    AccessRefused,
    Busy,
    DuplicateInteraction,
    Fenced,
    NotSaved,
    OtherSchema,
    StoreError,
    TooNew,
)
from bot.store.migrations import TABLES
from bot.store.queries.database import Connection
from cogs.tournaments.queries import TournamentQueries
from cogs.weekly.queries import WeeklyQueries
from tests.bot.store.contract_tournaments import ENTRANTS, tournament
from tests.bot.store.gate import Gate
from tests.bot.store.rows import (
    ANN,
    GAME,
    GUILD,
    WEEK,
    deal,
    invitation,
    match,
    opened,
    record,
    result,
    weekly_deal,
    weekly_rows,
)
from tests.postgresql.server import PASSWORD, Server

pytestmark = pytest.mark.real_time

WITHIN = 30.0


@pytest.fixture
def url(migrated_database: str) -> str:
    return migrated_database


# ------------------------------------------------------------------------------------------- two writers


async def test_a_press_that_two_processes_have_at_once_is_applied_once(
    store: PostgresqlStore, other: PostgresqlStore
) -> None:
    """The first is held after its record, with its match's row; the other waits for that, and then sees the record."""
    await opened(store)
    for seq in range(1, 6):
        interaction = 70 + seq
        gate = Gate()
        first = asyncio.create_task(store.append(record(seq, interaction=interaction), ()))
        holding = asyncio.create_task(store.database.write(gate))
        await gate.reached()
        second = asyncio.create_task(other.append(record(seq, interaction=interaction), ()))
        await asyncio.sleep(0.1)
        assert not second.done()
        gate.open()
        await asyncio.gather(first, holding)
        with pytest.raises(DuplicateInteraction):
            await second
    assert [each.seq for each in await store.records("m1")] == list(range(6))


async def test_two_processes_that_open_one_match_or_end_it_do_so_once(
    store: PostgresqlStore, other: PostgresqlStore
) -> None:
    both = (store, other)
    for number in range(5):
        name = f"m{number}"
        await store.add_invitation(invitation(name))
        came = await asyncio.gather(
            *[each.open_match(match(name), deal(name), ()) for each in both], return_exceptions=True
        )
        assert sorted(type(each).__name__ for each in came) == ["InvitationClosed", "NoneType"]
        ended = await asyncio.gather(
            *[
                each.append(record(1, name, interaction=10 * number + index), (), result(name))
                for index, each in enumerate(both)
            ],
            return_exceptions=True,
        )
        assert sorted(type(each).__name__ for each in ended) == ["Conflict", "ResultEffects"]


async def test_two_processes_deal_one_deal_a_week_and_let_nobody_try_it_in_both(
    store: PostgresqlStore, other: PostgresqlStore
) -> None:
    """Each process seals a deal of its own at the same moment, in servers of its own."""
    both = (WeeklyQueries(store), WeeklyQueries(other))
    for nth in range(5):
        week = WEEK + 7 * nth
        made = [weekly_deal(week, seed=bytes([2 * nth + place] * 32)) for place in (0, 1)]
        sealed = await asyncio.gather(*[tables.seal(deal) for tables, deal in zip(both, made, strict=True)])
        assert sealed[0] == sealed[1]
        assert sealed[0] in made
        assert [await tables.deal(GAME, week) for tables in both] == sealed
        opening = [
            tables.open_attempt(*weekly_rows(name, day=week, guild=GUILD + place), deal(name), server_name="")
            for place, tables in enumerate(both)
            for name in [f"w{nth} {place}"]
        ]
        came = await asyncio.gather(*opening, return_exceptions=True)
        assert sorted(type(each).__name__ for each in came) == ["Conflict", "NoneType"]
    assert len(await store.live_matches()) == 5


async def test_two_processes_let_nobody_enter_two_evenings(store: PostgresqlStore, other: PostgresqlStore) -> None:
    """The first is held after its entry, with the rows of the server's tournaments; the other waits for that."""
    mine, theirs = TournamentQueries(store), TournamentQueries(other)
    for cup in ("cup1", "cup2"):
        await mine.create(tournament(cup))
    gate = Gate()
    first = asyncio.create_task(mine.enter(GUILD, "cup1", ENTRANTS[0]))
    holding = asyncio.create_task(store.database.write(gate))
    await gate.reached()
    second = asyncio.create_task(theirs.enter(GUILD, "cup2", ENTRANTS[0]))
    same_number = asyncio.create_task(theirs.enter(GUILD, "cup1", replace(ENTRANTS[1], number=ENTRANTS[0].number)))
    await asyncio.wait([second, same_number], timeout=1)
    assert not second.done()
    gate.open()
    await asyncio.gather(first, holding)
    entered = await asyncio.gather(second, same_number, return_exceptions=True)
    assert (first.result(), entered[0], type(entered[1])) == (True, False, Busy)
    assert [found for found, _ in await theirs.of_person(GUILD, ANN)] == ["cup1"]


async def test_a_guard_fails_every_write_of_its_transaction_and_no_read(
    store: PostgresqlStore, other: PostgresqlStore
) -> None:
    await opened(store)

    class FencedError(StoreError):
        """Another process has taken over."""

    def fence(_: Connection) -> None:
        raise FencedError("fenced")

    store.database.guard = fence
    came = await asyncio.gather(
        store.append(record(1), ()), store.set_metadata("a", "b"), store.records("m1"), return_exceptions=True
    )
    assert [type(each) for each in came] == [FencedError, FencedError, list]
    assert came[0] is not came[1]
    await other.append(record(1), ())
    assert await store.records("m1") == [deal(), record(1)]


# ---------------------------------------------------------------------------------------- group commit


async def test_writes_that_wait_share_a_transaction_and_keep_their_order(store: PostgresqlStore) -> None:
    await opened(store)
    gate = Gate()
    holding = asyncio.create_task(store.database.write(gate))
    await gate.reached()
    writing = [asyncio.create_task(store.append(record(seq), ())) for seq in range(1, 41)]
    transaction = store.database.write(lambda db: db.execute("SELECT txid_current()").fetchone()[0])
    asked = asyncio.create_task(transaction)
    again = asyncio.create_task(store.database.write(lambda db: db.execute("SELECT txid_current()").fetchone()[0]))
    await asyncio.sleep(0)
    gate.open()
    await asyncio.gather(holding, *writing)
    assert await asked == await again
    assert [each.seq for each in await store.records("m1")] == list(range(41))


async def test_a_read_sees_what_was_written_before_it_was_asked_for(store: PostgresqlStore) -> None:
    await opened(store)
    writing = asyncio.create_task(store.append(record(1), ()))
    await asyncio.sleep(0)
    reading = asyncio.create_task(store.records("m1"))
    writing.cancel()
    assert await reading == [deal(), record(1)]
    with pytest.raises(asyncio.CancelledError):
        await writing


async def test_a_commit_that_fails_fails_everybody_in_it(store: PostgresqlStore) -> None:
    await opened(store)

    def break_at_commit(db: Connection) -> None:
        db.execute("CREATE TEMPORARY TABLE judged_at_the_end (number int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        db.executemany("INSERT INTO judged_at_the_end VALUES (?)", [(1,), (1,)])

    gate = Gate()
    holding = asyncio.create_task(store.database.write(gate))
    await gate.reached()
    writing = [
        asyncio.create_task(each)
        for each in (
            store.append(record(1, interaction=71), ()),
            store.database.write(break_at_commit),
            store.set_metadata("a", "b"),
        )
    ]
    await asyncio.sleep(0)
    gate.open()
    await holding
    came = await asyncio.gather(*writing, return_exceptions=True)
    assert [type(each) for each in came] == [NotSaved] * 3
    assert len({id(each) for each in came}) == 3
    assert await store.records("m1") == [deal()]
    assert await store.metadata("a") is None
    await store.append(record(1, interaction=71), ())
    assert await store.match_of_interaction(71) == "m1"


async def test_a_fault_of_the_program_is_the_callers_alone(store: PostgresqlStore) -> None:
    def faulty(db: Connection) -> None:
        db.execute("INSERT INTO facts VALUES ('half', '1')")
        raise ZeroDivisionError

    def wrong(db: Connection) -> None:
        db.execute("SELECT nothing FROM nowhere")

    gate = Gate()
    holding = asyncio.create_task(store.database.write(gate))
    await gate.reached()
    writing = [
        asyncio.create_task(each)
        for each in (store.database.write(faulty), store.database.write(wrong), store.set_metadata("a", "b"))
    ]
    await asyncio.sleep(0)
    gate.open()
    await holding
    came = await asyncio.gather(*writing, return_exceptions=True)
    assert [type(each) for each in came] == [ZeroDivisionError, psycopg.errors.UndefinedTable, type(None)]
    assert await store.metadata("half") is None
    assert await store.metadata("a") == "b"


# ------------------------------------------------------------------------------------------------ values


async def test_texts_of_any_kind_and_length_come_back(store: PostgresqlStore) -> None:
    """But for NUL, which PostgreSQL doesn't take."""
    await opened(store)
    large = '["' + "🂡%s?:x " * 500_000 + '"]'
    await store.append(record(1, events=large), ())
    assert (await store.records("m1"))[1].events == large
    await store.set_metadata("nul\0", "\0 %s ?")
    assert await store.metadata("nul\ufffd") == "\ufffd %s ?"
    assert await store.metadata("nul\0") == "\ufffd %s ?"


async def test_games_are_in_the_order_of_their_bytes(store: PostgresqlStore) -> None:
    """The database itself sorts texts as people do."""
    for number, game in enumerate(("a", "B", "b", "A")):
        await opened(store, f"m{number}", game=game)
        await store.append(record(1, f"m{number}"), (), result(f"m{number}"))
    assert await store.games_played(match().guild_id) == ["A", "B", "a", "b"]


# ---------------------------------------------------------------------------------------------- versions


async def test_a_database_of_a_later_version_is_refused_untouched(url: str, tmp_path: Path) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE schema_version SET version = 99")
    with pytest.raises(TooNew, match="version 99"):
        await PostgresqlStore.open(url, now=lambda: 0, person_key=tmp_path / "key")
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM writers").fetchone() == (0,)


@pytest.mark.parametrize(
    "was_made_by_others",
    ["UPDATE schema_version SET digest = digest - 1", "ALTER TABLE schema_version DROP COLUMN digest"],
)
async def test_a_database_of_another_state_of_the_development_is_refused_untouched(
    empty_database: str, tmp_path: Path, was_made_by_others: LiteralString
) -> None:
    await (await PostgresqlStore.open(empty_database, now=lambda: 0, person_key=tmp_path / "key")).close()
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(was_made_by_others)
    with pytest.raises(OtherSchema, match="delete it or move it away") as caught:
        await PostgresqlStore.open(empty_database, now=lambda: 0, person_key=tmp_path / "key")
    assert "\n" not in str(caught.value)
    with pytest.raises(OtherSchema):
        tools.describe(empty_database)
    with psycopg.connect(empty_database) as connection:
        assert connection.execute("SELECT count(*) FROM writers").fetchone() == (0,)


async def test_a_process_writes_no_more_once_a_later_version_has_changed_the_tables(
    store: PostgresqlStore, url: str
) -> None:
    await opened(store)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("UPDATE schema_version SET version = 99")
    came = await asyncio.gather(store.append(record(1), ()), store.set_metadata("a", "b"), return_exceptions=True)
    assert [type(each) for each in came] == [TooNew, TooNew]
    assert await store.records("m1") == [deal()]


async def test_a_process_writes_nothing_in_a_session_that_a_pooler_shares(store: PostgresqlStore) -> None:
    """As when the settings of another connection are in force there: a commit might not wait for the disk."""
    await opened(store)
    await store.database.write(lambda db: db.execute("SET cardroom.session = 'cardroom of another'"))
    came = await asyncio.gather(store.append(record(1), ()), store.set_metadata("a", "b"), return_exceptions=True)
    assert [type(each) for each in came] == [AccessRefused, AccessRefused]
    assert "pool_mode = session" in str(came[0])
    assert await store.records("m1") == [deal()]
    assert await store.metadata("a") is None


async def test_a_process_writes_no_more_once_the_database_lacks_what_it_saved(
    store: PostgresqlStore, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """As when a standby that lagged behind has taken over: its matches are shorter than those in memory."""
    await opened(store)
    with psycopg.connect(url) as connection:
        former = connection.execute("SELECT last FROM writers").fetchone()
    await store.append(record(1), ())
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER TABLE records DISABLE TRIGGER records_are_kept")
        connection.execute("DELETE FROM records WHERE seq = 1")
        connection.execute("ALTER TABLE records ENABLE TRIGGER records_are_kept")
        connection.execute("UPDATE writers SET last = %s", former)
    came = await asyncio.gather(store.set_metadata("a", "b"), store.renew_shards(1000), return_exceptions=True)
    assert [type(each) for each in came] == [Fenced, Fenced]
    assert await store.metadata("a") is None
    assert "lacks writes that were saved" in caplog.text


async def test_a_process_whose_row_is_gone_adds_it_again(store: PostgresqlStore, url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DELETE FROM writers")
    await store.set_metadata("a", "b")
    assert await store.metadata("a") == "b"
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM writers").fetchone() == (1,)


async def test_processes_that_open_an_empty_database_at_once_migrate_it_once(
    empty_database: str, tmp_path: Path
) -> None:
    async with asyncio.timeout(WITHIN):
        stores = await asyncio.gather(
            *[PostgresqlStore.open(empty_database, now=lambda: 0, person_key=tmp_path / "key") for _ in range(4)]
        )
    await opened(stores[0])
    assert [await store.records("m1") for store in stores] == [[deal()]] * 4
    await asyncio.gather(*[store.close() for store in stores])
    with psycopg.connect(empty_database) as connection:
        assert connection.execute("SELECT count(*) FROM writers").fetchone() == (0,)


async def test_a_process_waits_while_another_one_migrates(empty_database: str, tmp_path: Path) -> None:
    with psycopg.connect(empty_database) as migrating:
        migrating.execute("SELECT pg_advisory_xact_lock(%s)", (0x43617264726F6F6D,))
        opening = asyncio.create_task(PostgresqlStore.open(empty_database, now=lambda: 0, person_key=tmp_path / "key"))
        done, _ = await asyncio.wait([opening], timeout=0.5)
        assert not done
    async with asyncio.timeout(WITHIN):
        await (await opening).close()


async def test_a_migration_that_fails_leaves_the_version_before_it(empty_database: str, tmp_path: Path) -> None:
    await opened_once(empty_database)
    folder = tmp_path / "migrations"
    shutil.copytree(TABLES, folder)
    number = len(list(folder.iterdir())) + 1
    step = folder / f"{number:04}_more.sql"
    step.write_text("CREATE TABLE more (a text); CREATE TABLE matches (a text);")
    with pytest.raises(StoreError):
        await PostgresqlStore.open(empty_database, now=lambda: 0, person_key=tmp_path / "key", migrations_folder=folder)
    with psycopg.connect(empty_database) as connection:
        assert connection.execute("SELECT version, to_regclass('more') FROM schema_version").fetchone() == (
            number - 1,
            None,
        )
    step.write_text("CREATE TABLE more (a text);")
    store = await PostgresqlStore.open(
        empty_database, now=lambda: 0, person_key=tmp_path / "key", migrations_folder=folder
    )
    await store.set_metadata("a", "b")
    await store.close()


async def test_tables_of_another_program_are_left_alone(empty_database: str, tmp_path: Path) -> None:
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("CREATE TABLE matches (theirs text)")
    with pytest.raises(StoreError, match="another program"):
        await PostgresqlStore.open(empty_database, now=lambda: 0, person_key=tmp_path / "key")
    with psycopg.connect(empty_database) as connection:
        assert connection.execute("SELECT theirs FROM matches").fetchall() == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda url: url.replace("/staple", "/staples").replace("%2Fstaple", "%2Fstaples"),
        lambda url: url + "?sslmode=nonsense",
        lambda url: "postgresql//" + url,
        lambda url: url + "x",
    ],
)
async def test_what_a_start_says_of_a_database_that_it_cannot_open_has_no_password(
    postgresql: Server, tmp_path: Path, spoil: object
) -> None:
    assert callable(spoil)
    with pytest.raises(StoreError) as refused:
        await PostgresqlStore.open(spoil(postgresql.tcp_url("nowhere")), now=lambda: 0, person_key=tmp_path / "key")
    assert "\n" not in str(refused.value)
    told: BaseException | None = refused.value
    while told is not None:  # a log would show all of them
        for word in (PASSWORD, "staple"):
            assert word not in str(told)
        told = told.__cause__ or (None if told.__suppress_context__ else told.__context__)


ADDED: dict[str, LiteralString] = {
    "trigger": "CREATE TRIGGER other BEFORE DELETE ON records FOR EACH ROW EXECUTE FUNCTION refuse_change()",
    "rule": "CREATE RULE other AS ON DELETE TO results DO INSTEAD NOTHING",
    "policy": "CREATE POLICY other ON matches FOR SELECT USING (false)",
    "index": "CREATE INDEX other ON matches (board_id)",
}
LOST: dict[str, LiteralString] = {
    "trigger records_are_never_changed": "DROP TRIGGER records_are_never_changed ON records",
    "index matches_by_series": "DROP INDEX matches_by_series",
}


async def opened_once(url: str) -> None:
    """Make the tables of a database, or open those that it has."""
    await (await PostgresqlStore.open(url, now=lambda: 0, person_key=Path("/nowhere"))).close()


@pytest.mark.parametrize("kind", ADDED)
async def test_a_start_is_refused_if_something_acts_on_the_tables_that_no_step_made(
    empty_database: str, kind: str
) -> None:
    await opened_once(empty_database)
    with psycopg.connect(empty_database) as connection:
        connection.execute(ADDED[kind])
    with pytest.raises(
        OtherSchema, match=f"the database has an? {kind} that this program doesn't make, 'other': "
    ) as told:
        await PostgresqlStore.open(empty_database, now=lambda: 0, person_key=Path("/nowhere"))
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("what", LOST)
async def test_a_start_is_refused_if_what_acts_on_the_tables_is_lost(empty_database: str, what: str) -> None:
    await opened_once(empty_database)
    with psycopg.connect(empty_database) as connection:
        connection.execute(LOST[what])
    with pytest.raises(OtherSchema, match=f"the database has lost the {what}: "):
        await PostgresqlStore.open(empty_database, now=lambda: 0, person_key=Path("/nowhere"))


async def test_what_lies_beside_the_tables_is_nobody_elses_concern(empty_database: str) -> None:
    await opened_once(empty_database)
    with psycopg.connect(empty_database) as connection:
        connection.execute("CREATE VIEW watched AS SELECT count(*) FROM matches")
        connection.execute("CREATE TABLE of_another_program (id bigint PRIMARY KEY)")
        connection.execute("ANALYZE")
    await opened_once(empty_database)
