"""`/metrics` and `/health` of a real bot, and each figure by what it counts."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import logging
import random
import socket
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot import error_numbers
from bot.ops import loop_lag, metrics
from bot.ops.metrics import Metrics
from bot.ops.metrics_server import serving
from bot.play.quarantine import Quarantine
from bot.settings import ConfigurationError
from bot.store.errors import NotSaved
from bot.store.protocols.store import Store
from bot.store.sqlite.store import SqliteStore
from sandbox import Sandbox
from tests.end_to_end.cardroom import eventually
from tests.end_to_end.players import challenge, hand_of, move
from tests.end_to_end.process import bot_process
from tests.store.rows import match

CALLBACK = "/interactions/*/*/callback"
SERVED_WITHIN = 10.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def read(text: str) -> dict[str, float]:
    """Every sample of a page, by its name and labels."""
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {
        sample.name + ",".join(f" {key}={value}" for key, value in sample.labels.items()): sample.value
        for sample in samples
    }


async def get(port: int, path: str) -> tuple[int, str]:
    within = aiohttp.ClientTimeout(total=SERVED_WITHIN)
    async with (
        aiohttp.ClientSession(timeout=within) as session,
        session.get(f"http://127.0.0.1:{port}{path}") as answer,
    ):
        return answer.status, await answer.text()


async def figures(port: int) -> dict[str, float]:
    status, text = await get(port, "/metrics")
    assert status == 200
    return read(text)


async def told_of_boards(port: int) -> bool:
    found = await figures(port)
    return found["cardroom_board_lag_seconds_count"] >= 1


@pytest.fixture
def counted() -> Iterator[Metrics]:
    """Figures that hear the log."""
    made = Metrics(lambda: 3)
    made.listen()
    yield made
    made.hear_no_more()
    for name in set(metrics.COUNTED.values()):
        logging.getLogger(name).setLevel(logging.NOTSET)


def now(made: Metrics) -> dict[str, float]:
    return read(made.text().decode())


async def test_a_playing_bot_tells_its_figures_and_its_health(tmp_path: Path) -> None:
    port = free_port()
    settings = {"CARDROOM_METRICS_PORT": str(port), "CARDROOM_LOG_LEVEL": "ERROR"}
    async with Sandbox.running() as sandbox, bot_process(sandbox, tmp_path, **settings) as bot:
        alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
        board = await challenge(alice, bob, lobby)
        found = await figures(port)
        answered = found["cardroom_first_response_seconds_count"]
        assert answered >= 2  # the challenge and its acceptance
        assert found["cardroom_first_response_seconds_bucket le=3.0"] == answered
        assert found["cardroom_live_matches"] == 1
        assert found["cardroom_identifies_total"] == 1
        assert found["cardroom_answers_refused_total code=10062"] == 0
        assert found["cardroom_rate_limited_total scope=shared"] == 0

        sandbox.faults.on("POST", CALLBACK, status=404, code=10062)
        await alice.slash(lobby, "games")
        sandbox.faults.on("POST", CALLBACK, status=400, code=40060)
        await alice.slash(lobby, "games")
        sandbox.faults.on("POST", CALLBACK, status=429, scope="shared", retry_after=0.01)
        await alice.slash(lobby, "games")
        sandbox.faults.on("POST", CALLBACK, drop="before")
        await alice.slash(lobby, "games")
        found = await figures(port)
        assert found["cardroom_answers_refused_total code=10062"] == 1
        assert found["cardroom_answers_refused_total code=40060"] == 1
        assert found["cardroom_rate_limited_total scope=shared"] == 1
        assert "cardroom_invalid_requests_total status=429" not in found  # a shared limit is not counted against us
        assert found["cardroom_failed_requests_total"] >= 1
        assert found["cardroom_first_response_seconds_count"] > answered

        shown = board.text
        assert [each for each in (alice, bob) if await move(each, await hand_of(each, board), random.Random(1))]
        await sandbox.wait_for(lambda: board.text != shown)
        await eventually(lambda: told_of_boards(port))

        status, text = await get(port, "/health")
        state = json.loads(text)
        assert status == 200
        assert 0 <= state.pop("loop_lag_seconds") < 5
        assert state == {"status": "ok", "connected": True, "store": True, "live_matches": 1}
        logged = await bot.kill()
        assert "level=warning" not in logged  # counted all the same


async def test_health_tells_what_fails(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    connected = True
    port = free_port()
    async with serving(Metrics(lambda: 0), store, lambda: connected, port):
        assert (await get(port, "/health"))[0] == 200
        connected = False
        status, text = await get(port, "/health")
        assert (status, json.loads(text)["connected"], json.loads(text)["store"]) == (503, False, True)
        connected = True
        await store.close()
        status, text = await get(port, "/health")
        assert (status, json.loads(text)["status"], json.loads(text)["store"]) == (503, "failing", False)
    with pytest.raises(aiohttp.ClientError):
        await get(port, "/health")


async def test_a_port_that_is_taken_is_said_by_the_settings_name() -> None:
    nothing = cast("Store", None)  # it is not asked
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=rf"^CARDROOM_METRICS_PORT: port {port} cannot be used"):
            async with serving(Metrics(lambda: 0), nothing, lambda: True, port):
                pass


@pytest.mark.parametrize(("line", "module"), metrics.COUNTED.items())
def test_every_line_that_is_counted_is_still_written(line: str, module: str) -> None:
    assert f'"{line}"' in inspect.getsource(importlib.import_module(module))


def test_lines_of_the_log_are_counted(counted: Metrics) -> None:
    logging.getLogger("cogs.actions.router").info(metrics.PRESS_LATE, 4.0)
    logging.getLogger("cogs.actions.dispatcher").info(metrics.COMMAND_LATE, 4.0)
    logging.getLogger("cogs.interactions.responses").warning(metrics.TOO_SLOW, 2.8, 7)
    logging.getLogger("bot.ops.backups").error(metrics.BACKUP_FAILED, "the disk is full")
    logging.getLogger("bot.ops.backups").info(metrics.PRESS_LATE, 4.0)  # not its line
    logging.getLogger("cogs.actions.router").info("something else")
    found = now(counted)
    assert found["cardroom_late_interactions_total kind=press"] == 1
    assert found["cardroom_late_interactions_total kind=command"] == 1
    assert found["cardroom_answers_too_slow_total"] == 1
    assert found["cardroom_backup_failures_total"] == 1
    assert found["cardroom_live_matches"] == 3


async def test_faults_and_failures_of_the_store_are_counted(counted: Metrics, tmp_path: Path) -> None:
    error_numbers.log_error(ValueError("a card"), "answering a press")
    error_numbers.log_error(ValueError("a card"), "a rule of haymaker in match m1")  # whose id is no label
    Quarantine(cast("Store", None)).add(match("m1"), ValueError("a card"), over=True)
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    try:
        await store._database.read(lambda db: db.execute("PRAGMA query_only = ON").fetchone())
        with pytest.raises(NotSaved):
            await store.record_heartbeat(1500)
        with pytest.raises(sqlite3.OperationalError):  # a fault of the program, not of the disk
            await store._database.read(lambda db: db.execute("SELECT nothing"))
    finally:
        await store.close()
    found = now(counted)
    assert found["cardroom_faults_total doing=answering a press"] == 1
    assert found["cardroom_faults_total doing=a rule of haymaker"] == 1
    assert found["cardroom_faults_total doing=replaying the log"] == 1
    assert found["cardroom_replay_mismatches_total of=log"] == 1
    assert found["cardroom_replay_mismatches_total of=deadlines"] == 0
    assert found["cardroom_store_failures_total"] == 1
    assert "a card" not in counted.text().decode()


async def test_a_blocked_loop_is_seen(counted: Metrics, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_lag, "EVERY", 0.01)
    watching = asyncio.create_task(loop_lag.watch(counted.loop_lag))
    await asyncio.sleep(0.005)
    time.sleep(0.3)  # noqa: ASYNC251  blocking the loop is the point
    await asyncio.sleep(0.02)
    watching.cancel()
    found = now(counted)
    assert found["cardroom_loop_lag_seconds_sum"] > 0.2


def test_who_is_never_answered_does_not_pile_up(counted: Metrics) -> None:
    for number in range(metrics.WAITING_AT_MOST + 50):
        counted.interaction(number)
    assert len(counted._came) == metrics.WAITING_AT_MOST
    assert min(counted._came) == 50
