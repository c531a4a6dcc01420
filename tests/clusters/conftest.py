"""A sandbox with servers of two shards, and as many processes of the bot as a test asks for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from discord_sandbox import Sandbox
from tests.clusters.parts import Part
from tests.fork_server import ForkServer
from tests.postgresql.fixtures import running_server

if TYPE_CHECKING:
    from tests.clusters.shared_data import SharedData
    from tests.postgresql.server import Server

WORLD = {"servers": [{"name": f"Server {number}", "channels": [{"name": "lobby"}]} for number in range(4)]}

PATIENCE = 5.0
"""Seconds instead of 3 in which presses must be answered, because a busy machine is slow. People press again."""

MakePart: TypeAlias = Callable[..., Part]


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox.running(WORLD) as running:
        running.limits.shards = running.limits.max_concurrency = 2
        running.limits.first_response = PATIENCE
        yield running


@pytest.fixture
async def make_part(fork_server: ForkServer, sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[MakePart]:
    """Makes a process by its name and settings. Whatever still runs at the end is killed."""
    made: list[Part] = []

    def make(name: str, **settings: str) -> Part:
        made.append(Part(fork_server, sandbox, tmp_path / name, **settings))
        return made[-1]

    yield make
    for part in made:
        if part.alive:
            await part.crash()


@pytest.fixture(scope="module")
def database_server() -> Iterator[Server]:
    """A server that a test may kill, if it starts it again."""
    with running_server(tcp=True) as server:
        yield server


@pytest.fixture
def data(database_server: Server) -> Iterator[SharedData]:
    """A new database for all processes of a test."""
    from tests.clusters.shared_data import SharedData  # noqa: PLC0415  only these tests need the driver

    shared = SharedData(database_server)
    yield shared
    database_server.start()  # a test that failed may have left it dead
    shared.drop()
