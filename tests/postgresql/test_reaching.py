"""What is said of a server that can't be reached or lets nobody in: why, and nothing of the address."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from bot import heartbeat
from bot.cluster.reaching import reach, wait_for
from bot.ops import databases
from bot.settings import load_settings
from bot.store.errors import AccessRefused, StoreError, Unreachable
from bot.telemetry import NO_TELEMETRY
from tests.postgresql.fixtures import running_server
from tests.postgresql.server import PASSWORD, ROLE, Server

NAME = "PostgreSQL database cards on db"
QUOTED = quote(PASSWORD, safe="")


@pytest.fixture
def database(postgresql: Server, empty_database: str) -> str:
    """The name of an empty database."""
    return empty_database.partition("@/")[2].partition("?")[0]


def said(address: str, kind: type[StoreError]) -> str:
    """The one line about an address that can't be reached."""
    with pytest.raises(kind) as caught:
        reach(address, NAME)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    line = str(caught.value)
    assert NAME in line
    for secret in (PASSWORD, QUOTED, "wrong-word"):
        assert secret not in line
    assert "\n" not in line
    return line


def test_a_server_that_answers_is_reached(postgresql: Server, database: str) -> None:
    reach(postgresql.url(database), NAME)
    reach(postgresql.tcp_url(database), NAME)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (lambda address: address.replace(QUOTED, "wrong-word"), "the role or the password"),
        (lambda address: address.replace(f":{QUOTED}", ""), "wants a password"),
        (lambda address: address.replace(f"//{ROLE}:", "//nobody:"), "the role or the password"),
        (lambda address: f"{address}_gone", "no such database"),
        (lambda address: f"{address}?sslmode=require", "no SSL"),
        (lambda address: f"{address}?wrong-word=1", "can't be read"),
        (lambda address: address.replace(QUOTED, "caf%E9"), "can't be read"),
        (lambda address: address.replace("@127.0.0.1:", "@db..example:"), "can't be read"),
    ],
    ids=["password", "no password", "role", "database", "SSL", "parameter", "bytes", "host"],
)
def test_a_refusal_names_its_reason(
    postgresql: Server, database: str, changed: Callable[[str], str], reason: str
) -> None:
    assert reason in said(changed(postgresql.tcp_url(database)), AccessRefused)


def test_a_role_without_a_password_that_does_not_exist_is_refused(postgresql: Server, database: str) -> None:
    assert "no such role" in said(postgresql.url(database).replace(f"//{ROLE}@", "//nobody@"), AccessRefused)


def test_a_standby_is_waited_for(postgresql: Server, database: str) -> None:
    with postgresql.connect_as_admin() as connection:  # a standby says the same
        connection.execute(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    assert "standby" in said(postgresql.tcp_url(database), Unreachable)


def test_an_address_where_nobody_listens_is_unreachable(postgresql: Server, database: str) -> None:
    said(postgresql.tcp_url(database, port=1), Unreachable)
    said("postgresql://u:wrong-word@nowhere.invalid/cards", Unreachable)


@pytest.mark.real_time
async def test_a_start_waits_for_a_server_that_is_started_with_it(caplog: pytest.LogCaptureFixture) -> None:
    with running_server() as server:
        address = server.url(server.new_database())
        server.stop()
        with caplog.at_level(logging.WARNING):
            waiting = asyncio.create_task(wait_for(address, NAME))
            await asyncio.sleep(0.5)
            assert not waiting.done()
            await asyncio.to_thread(server.start)
            await asyncio.wait_for(waiting, 30)
    assert caplog.messages == [f"the {NAME} doesn't answer: waiting up to 60 s for it"]


@pytest.mark.real_time
async def test_a_bot_that_waits_for_its_server_has_a_heartbeat_and_says_that_it_makes_no_backups(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running_server() as server:
        address = server.url(server.new_database())
        server.stop()
        settings = load_settings(None, {"CARDROOM_DATA_DIR": str(tmp_path), "CARDROOM_DATABASE": address})
        opening = asyncio.create_task(databases.open_store(settings, now=lambda: 1500))
        for _ in range(600):
            if heartbeat.age(settings.heartbeat_file) is not None:
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError("there is no heartbeat")
        assert not opening.done()
        await asyncio.to_thread(server.start)
        store = await asyncio.wait_for(opening, 30)
        try:
            await store.set_metadata("a", "b")
            with caplog.at_level(logging.INFO):
                await databases.keep_backups(settings, store, NO_TELEMETRY)
        finally:
            await store.close()
    assert databases.NO_BACKUPS in caplog.messages
    assert not settings.database.exists()
    assert not settings.backups_dir.exists()


@pytest.mark.real_time
async def test_a_start_waits_no_longer_than_it_says_and_not_at_all_after_a_refusal(
    postgresql: Server, database: str
) -> None:
    with pytest.raises(Unreachable):
        await asyncio.wait_for(wait_for(postgresql.tcp_url(database, port=1), NAME, within=0.5), 30)
    with pytest.raises(AccessRefused):
        await asyncio.wait_for(wait_for(postgresql.tcp_url("gone"), NAME, within=600), 30)
