"""`/metrics` and `/health` of a real bot, and each figure by what it counts."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import socket
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NoReturn, cast

import aiohttp
import pytest

from bot.cluster.ownership import Ownership
from bot.gateway import connectivity
from bot.logs import log_error
from bot.ops.metrics import WAITING_AT_MOST, Metrics, serving
from bot.play.quarantine import Quarantine
from bot.scheduler import LoopScheduler
from bot.settings import ConfigurationError
from bot.shard_range import read_ranges
from bot.store.errors import NotSaved
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from cogs.updates import shown_messages
from discord_sandbox import Sandbox
from tests.bot.ops.served import free_port, get
from tests.bot.store.memory_store import MemoryStore
from tests.bot.store.open_stores import closed_after
from tests.bot.store.rows import match
from tests.end_to_end.cardroom import cardroom, eventually
from tests.end_to_end.players import challenge, hand_of, move
from tests.faults.bot_process import forked
from tests.figures import now, read
from tests.fork_server import ForkServer

CALLBACK = "/interactions/*/*/callback"


async def figures(port: int) -> dict[str, float]:
    status, text = await get(port, "/metrics")
    assert status == 200
    return read(text)


async def told_of_boards(port: int) -> bool:
    found = await figures(port)
    return found["cardroom_board_lag_seconds_count"] >= 1


async def counted_store_failure(port: int) -> bool:
    found = await figures(port)
    return found["cardroom_store_failures_total"] >= 1


@pytest.mark.real_time
async def test_a_playing_bot_tells_its_figures_and_its_health(tmp_path: Path, fork_server: ForkServer) -> None:
    port = free_port()
    settings = {"CARDROOM_METRICS_PORT": str(port), "CARDROOM_LOG_LEVEL": "ERROR"}
    async with Sandbox.running() as sandbox, forked(fork_server, sandbox, tmp_path, **settings) as bot:
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

        assert found["cardroom_store_failures_total"] == 0
        with closing(sqlite3.connect(tmp_path / "cardroom.db", isolation_level=None)) as another_program:
            another_program.execute("BEGIN IMMEDIATE")
            await alice.slash(lobby, "haymaker open")
            await eventually(lambda: counted_store_failure(port))
            assert json.loads((await get(port, "/health"))[1])["store"] is False
        await bot.stop(signal.SIGKILL)
        assert "level=warning" not in bot.logged  # counted all the same


async def test_health_tells_what_fails(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500)
    connected = True
    port = free_port()
    async with serving(Metrics(), store, lambda: connected, lambda: 3, port):
        status, text = await get(port, "/health")
        assert (status, json.loads(text)["live_matches"]) == (200, 3)
        assert "shards" not in json.loads(text)
        await Ownership(store, read_ranges("0-15/64"), LoopScheduler()).claim()
        assert json.loads((await get(port, "/health"))[1])["shards"] == "0-15/64"
        assert (await figures(port))["cardroom_live_matches"] == 3
        connected = False
        status, text = await get(port, "/health")
        assert (status, json.loads(text)["connected"], json.loads(text)["store"]) == (503, False, True)
        connected = True
        await store.close()
        status, text = await get(port, "/health")
        assert (status, json.loads(text)["status"], json.loads(text)["store"]) == (503, "failing", False)
    with pytest.raises(aiohttp.ClientError):
        await get(port, "/health")


STRANGERS: tuple[Mapping[str, str], ...] = (
    {"Host": "evil.example"},
    {"Host": "evil.example:9090"},
    {"Host": "127.0.0.1.evil.example"},
    {"Host": "10.0.0.1"},
    {"Host": "[::1"},
    {"Host": ""},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
)
"""What a browser sends for another site's page, also if that site's name means this machine."""
AT_HOME: tuple[Mapping[str, str], ...] = (
    {},
    {"Host": "localhost"},
    {"Host": "localhost:9090"},
    {"Host": "[::1]:9090"},
    {"Sec-Fetch-Site": "none"},
)


@pytest.mark.parametrize("path", ["/metrics", "/health", "/nowhere"])
async def test_pages_of_other_sites_are_refused_and_programs_here_are_not(path: str) -> None:
    port = free_port()
    async with serving(Metrics(), MemoryStore(now=lambda: 1500), lambda: True, lambda: 3, port):
        for headers in STRANGERS:
            status, text = await get(port, path, headers)
            assert (status, "cardroom" in text, "live_matches" in text) == (403, False, False), headers
        for headers in (*AT_HOME, {"Origin": f"http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin"}):
            status, _ = await get(port, path, headers)
            assert status == (404 if path == "/nowhere" else 200), headers


async def test_a_port_that_is_taken_is_said_by_the_settings_name() -> None:
    nothing = cast("Store", None)  # it is not asked
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigurationError, match=rf"^CARDROOM_METRICS_PORT: port {port} cannot be used"):
            async with serving(Metrics(), nothing, lambda: True, lambda: 0, port):
                pass


@pytest.mark.usefixtures("silent")
async def test_faults_and_failures_of_the_store_are_counted_without_their_secrets(tmp_path: Path) -> None:
    metrics = Metrics()
    log_error(ValueError("a card"), "answering a press", metrics)
    log_error(ValueError("a card"), "a rule of haymaker", metrics, match_id="m1")  # whose id is no label
    Quarantine(cast("Store", None), metrics).add(match("m1"), ValueError("a card"), over=True)
    async with closed_after(SqliteStore.open(tmp_path / "cardroom.db", now=lambda: 1500, telemetry=metrics)) as store:
        assert not metrics.store_failed_within(60)
        await store.database.read(lambda db: db.execute("PRAGMA query_only = ON").fetchone())
        with pytest.raises(NotSaved):
            await store.record_heartbeat(1500)
        with pytest.raises(sqlite3.OperationalError):  # a fault of the program, not of the disk
            await store.database.read(lambda db: db.execute("SELECT nothing"))
    assert metrics.store_failed_within(60)
    found = now(metrics)
    assert found["cardroom_faults_total doing=answering a press"] == 1
    assert found["cardroom_faults_total doing=a rule of haymaker"] == 1
    assert found["cardroom_faults_total doing=replaying the log"] == 1
    assert found["cardroom_replay_mismatches_total of=log"] == 1
    assert found["cardroom_replay_mismatches_total of=deadlines"] == 0
    assert found["cardroom_store_failures_total"] == 1
    assert "a card" not in metrics.text(0).decode()
    assert "m1" not in metrics.text(0).decode()


async def test_faults_of_a_running_bot_are_counted_by_what_it_was_doing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise KeyError("a card")

    async with Sandbox.running() as sandbox, cardroom(sandbox, tmp_path) as room:
        alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
        board = await challenge(alice, bob, lobby)
        (match_played,) = room.app.matches.live()
        monkeypatch.setattr(shown_messages, "sheet", fail)
        room.app.updates.match_changed(match_played)
        await sandbox.wait_for(lambda: "painting" in caplog.text)
        monkeypatch.setattr(room.app.wording, "remember_names", fail)
        await alice.press(board, label="My cards")
        monkeypatch.setattr(room.app.matches, "of_player", fail)
        await alice.slash(lobby, "games")
        monkeypatch.setattr(room.client.venues, "joined", fail_later)
        await room.client.on_guild_join(room.client.guilds[0])
        found = {name: value for name, value in room.figures.items() if name.startswith("cardroom_faults_total")}
    assert found == {
        "cardroom_faults_total doing=painting": 1,
        "cardroom_faults_total doing=answering a press": 1,
        "cardroom_faults_total doing=carrying out a command": 1,
        "cardroom_faults_total doing=joining a server": 1,
    }
    assert "a card" not in caplog.text


async def fail_later(_: int) -> NoReturn:
    raise KeyError("a card")


async def test_a_blocked_loop_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = Metrics()
    monkeypatch.setattr(connectivity, "MEASURE_SECONDS", 0.01)
    watching = asyncio.create_task(connectivity.LoopLag(metrics).watch())
    await asyncio.sleep(0.005)
    time.sleep(0.3)  # noqa: ASYNC251  blocking the loop is the point
    await asyncio.sleep(0.02)
    watching.cancel()
    assert now(metrics)["cardroom_loop_lag_seconds_sum"] > 0.2


def test_who_is_never_answered_does_not_pile_up() -> None:
    metrics = Metrics()
    for number in range(WAITING_AT_MOST + 50):
        metrics.interaction_arrived(number)
    for number in range(50):
        metrics.first_response(number)
    assert now(metrics)["cardroom_first_response_seconds_count"] == 0, "the oldest are forgotten"
    for number in range(50, WAITING_AT_MOST + 50):
        metrics.first_response(number)
    assert now(metrics)["cardroom_first_response_seconds_count"] == WAITING_AT_MOST
