"""What was acknowledged is there, whatever becomes of the server and the line to it, and play goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path

import psycopg
import pytest

from bot.cluster import groups, link
from bot.cluster.database import Database
from bot.cluster.store import PostgresqlStore
from bot.ops.metrics import Metrics
from bot.store.errors import Conflict, DuplicateInteraction, Fenced, NotSaved, StoreError, Unsettled
from bot.store.queries.database import Connection
from tests.bot.store.rows import deal, opened, record
from tests.figures import now
from tests.postgresql.fixtures import running_server
from tests.postgresql.line import Line, line_to
from tests.postgresql.server import SOON, Server
from tests.postgresql.stores import new_database, opened_store

pytestmark = pytest.mark.real_time

WITHIN = 30.0


@pytest.fixture
def name(postgresql: Server) -> Iterator[str]:
    name = new_database(postgresql)
    yield name
    postgresql.drop_database(name)


@pytest.fixture
async def store(postgresql: Server, name: str, tmp_path: Path) -> AsyncIterator[PostgresqlStore]:
    async with opened_store(postgresql.url(name), tmp_path) as store:
        await opened(store)
        yield store


@pytest.fixture
async def line(postgresql: Server) -> AsyncIterator[Line]:
    async with line_to(postgresql.port) as line:
        yield line


@pytest.fixture
async def distant(postgresql: Server, name: str, line: Line, tmp_path: Path) -> AsyncIterator[PostgresqlStore]:
    """A store at the other end of the line."""
    async with opened_store(f"{postgresql.tcp_url(name, line.port)}?{SOON}", tmp_path) as store:
        await opened(store)
        yield store


async def test_a_connection_that_was_cut_between_two_presses_is_made_again(
    store: PostgresqlStore, postgresql: Server, name: str
) -> None:
    assert await store.records("m1") == [deal()]
    assert await asyncio.to_thread(postgresql.disconnect_all, name) == 2
    await store.append(record(1, interaction=71), ())
    await asyncio.to_thread(postgresql.disconnect_all, name)
    assert await store.records("m1") == [deal(), record(1, interaction=71)]


async def test_a_connection_that_is_cut_in_a_transaction_is_made_again_and_nothing_is_applied_twice(
    store: PostgresqlStore, postgresql: Server, name: str
) -> None:
    cuts = 0

    def cut_once(_: Connection) -> None:
        nonlocal cuts
        cuts += 1
        if cuts == 1:
            postgresql.disconnect_all(name)

    store.database.guard = cut_once
    await asyncio.gather(store.append(record(1, interaction=71), ()), store.set_metadata("a", "b"))
    assert cuts == 2
    assert await store.records("m1") == [deal(), record(1, interaction=71)]
    assert await store.metadata("a") == "b"


async def written(store: PostgresqlStore) -> object:
    """Try the move again until it is saved."""
    while True:
        try:
            return await store.append(record(1, interaction=71), ())
        except NotSaved:
            await asyncio.sleep(0.1)


async def test_writes_fail_while_the_server_is_away_and_play_goes_on_when_it_is_back(tmp_path: Path) -> None:
    with running_server() as server:
        metrics = Metrics()
        url = server.url(new_database(server))
        store = await PostgresqlStore.open(url, now=lambda: 0, person_key=tmp_path / "key", telemetry=metrics)
        await opened(store)
        await asyncio.to_thread(server.stop)
        for _ in range(2):
            with pytest.raises(NotSaved, match="database server"):
                await store.append(record(1, interaction=71), ())
        with pytest.raises(NotSaved, match="database server"):
            await store.records("m1")
        assert now(metrics)["cardroom_store_failures_total"] == 3
        await asyncio.to_thread(server.start)
        async with asyncio.timeout(WITHIN):
            await written(store)
        assert await store.records("m1") == [deal(), record(1, interaction=71)]
        await store.close()


async def more(acknowledged: Mapping[int, int]) -> None:
    """Wait until each match has been written ten times more on average."""
    wanted = sum(acknowledged.values()) + 10 * len(acknowledged)
    while sum(acknowledged.values()) < wanted:  # noqa: ASYNC110  a count, and no event of its own
        await asyncio.sleep(0.01)


async def test_a_server_that_is_killed_again_and_again_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """With fsync, so that what a commit promises is on the disk. Sixteen matches are written meanwhile."""
    matches, kills = 16, 3
    with running_server(fsync=True) as server:
        url = server.url(new_database(server))
        store = await PostgresqlStore.open(url, now=lambda: 0, person_key=tmp_path / "key")
        for number in range(matches):
            await opened(store, f"m{number}")
        acknowledged = dict.fromkeys(range(matches), 0)
        refused = 0
        playing = True

        async def play(number: int) -> None:
            nonlocal refused
            while playing:
                seq = acknowledged[number] + 1
                try:
                    await store.append(record(seq, f"m{number}", interaction=number * 100_000 + seq), ())
                except DuplicateInteraction:  # an answer that said "not saved" of what was would be one of these
                    raise AssertionError("what was refused had been saved") from None
                except (NotSaved, StoreError):
                    refused += 1
                    await asyncio.sleep(0.02)
                else:
                    acknowledged[number] = seq

        async with asyncio.timeout(WITHIN * 2), asyncio.TaskGroup() as group:
            for number in range(matches):
                group.create_task(play(number))
            for _ in range(kills):
                await more(acknowledged)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
            await more(acknowledged)
            playing = False
        assert refused
        for number in range(matches):
            log = await store.records(f"m{number}")
            assert [each.seq for each in log] == list(range(acknowledged[number] + 1))
        await store.close()


# ------------------------------------------------------------------------------------ the answer to a commit


def swallow_a_commit(line: Line, *, answers_only: bool, then: Callable[[], None], after: float) -> None:
    """Swallow all that is said from the next commit on, with `answers_only` only what is answered, and do something
    else some seconds later."""

    def heard(data: bytes) -> None:
        if b"COMMIT" in data:
            line.heard = lambda _: None
            line.swallow(answers_only=answers_only)
            asyncio.get_running_loop().call_later(after, then)

    line.heard = heard


@pytest.mark.parametrize("arrives", [True, False], ids=["the commit arrives", "it does not"])
async def test_a_commit_whose_answer_is_lost_is_looked_up(distant: PostgresqlStore, line: Line, arrives: bool) -> None:
    """The line is cut as the commit is sent: either behind it, or before it."""
    swallow_a_commit(line, answers_only=arrives, then=line.pass_on, after=0.3)
    async with asyncio.timeout(WITHIN):
        came = await asyncio.gather(
            distant.append(record(1, interaction=71), ()), distant.set_metadata("a", "b"), return_exceptions=True
        )
    assert list(came) == [None, None]  # what didn't arrive is made again
    assert await distant.records("m1") == [deal(), record(1, interaction=71)]
    assert await distant.metadata("a") == "b"
    await distant.append(record(2), ())


async def is_unsettled(writing: Awaitable[object], line: Line, *, arrives: bool) -> None:
    """Write while the line is cut at the commit, which arrives or doesn't, for longer than its fate is asked for. The
    line is there again afterwards."""
    swallow_a_commit(line, answers_only=arrives, then=line.cut, after=0.1)
    async with asyncio.timeout(WITHIN):
        with pytest.raises(Unsettled):
            await writing
    line.pass_on()


async def test_a_process_that_cannot_know_what_it_saved_writes_no_more(
    distant: PostgresqlStore, line: Line, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(groups, "SETTLED_WITHIN", 1.0)
    await is_unsettled(distant.append(record(1, interaction=71), ()), line, arrives=True)
    for _ in range(2):  # it doesn't know what was made, and every record would be the wrong one
        async with asyncio.timeout(WITHIN):
            with pytest.raises(Fenced):
                await written(distant)
            with pytest.raises(Fenced):
                await distant.renew_shards(1000)
    assert "has to start again" in caplog.text
    assert await distant.records("m1") == [deal(), record(1, interaction=71)]


async def test_after_a_commit_that_was_not_made_play_goes_on(
    distant: PostgresqlStore, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "SETTLED_WITHIN", 1.0)
    await is_unsettled(distant.append(record(1, interaction=71), ()), line, arrives=False)
    async with asyncio.timeout(WITHIN):
        await written(distant)
    assert await distant.records("m1") == [deal(), record(1, interaction=71)]


async def test_a_heartbeat_that_nobody_can_say_anything_about_ends_nothing(
    distant: PostgresqlStore, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "SETTLED_WITHIN", 1.0)
    await is_unsettled(distant.record_heartbeat(7), line, arrives=True)
    async with asyncio.timeout(WITHIN):
        await written(distant)
    assert await distant.last_heartbeat() == 7


async def test_a_line_in_which_all_is_lost_is_given_up(
    postgresql: Server, name: str, line: Line, tmp_path: Path
) -> None:
    """The other end takes what is sent, and nothing comes back: only time tells."""
    async with opened_store(postgresql.tcp_url(name, line.port), tmp_path) as store:
        await opened(store)
        await store.records("m1")
        store.database.limit = 1.0
        line.swallow()
        asyncio.get_running_loop().call_later(2.0, line.pass_on)
        async with asyncio.timeout(WITHIN):
            came = await asyncio.gather(
                store.append(record(1, interaction=71), ()), store.records("m1"), return_exceptions=True
            )
            assert isinstance(came[0], NotSaved)  # the read may have come when the line was back
            await written(store)
        assert await store.records("m1") == [deal(), record(1, interaction=71)]


# -------------------------------------------------------------------------------------------------- others


async def test_a_process_that_stands_still_in_a_transaction_keeps_nothing_from_others(
    postgresql: Server, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends the transaction. When the process wakes, it makes it again, and sees what others did."""
    assert f"idle_in_transaction_session_timeout = {link.IDLE_TIMEOUT}" in link.WRITING
    monkeypatch.setattr(groups, "WRITING", link.WRITING.replace(str(link.IDLE_TIMEOUT), "300"))
    stood = threading.Event()
    stills = 0

    def stand_still(db: Connection) -> None:
        nonlocal stills
        stills += 1
        if stills == 1:
            db.execute("SELECT 1 FROM matches WHERE id = 'm1' FOR UPDATE")
            assert stood.wait(WITHIN)

    async with opened_store(postgresql.url(name), tmp_path) as store:
        await opened(store)
        store.database.guard = stand_still
        writing = asyncio.create_task(store.append(record(1, interaction=71), ()))
        async with opened_store(postgresql.url(name), tmp_path) as other, asyncio.timeout(WITHIN):
            while not stills:  # noqa: ASYNC110  a thread's
                await asyncio.sleep(0.01)
            await other.append(record(1, interaction=72), ())
        stood.set()
        with pytest.raises(Conflict):
            await writing
        assert stills == 2
        assert await store.records("m1") == [deal(), record(1, interaction=72)]


async def test_a_database_that_commits_without_waiting_for_its_disk_is_told_to_wait(
    postgresql: Server, name: str, tmp_path: Path
) -> None:
    with psycopg.connect(postgresql.url(name), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    async with opened_store(postgresql.url(name), tmp_path) as store:
        assert isinstance(store.database, Database)
        shown = await store.database.write(
            lambda db: db.execute("SELECT current_setting('synchronous_commit')").fetchone()
        )
    assert shown == ("on",)
