"""A process that was replaced ends at once, and says nothing to Discord before."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.__main__ import EXIT_REPLACED, run_until_stopped
from bot.gateway.connectivity import Silenced, close_while
from bot.ops import databases
from bot.store.errors import Fenced
from tests.bot.cluster.test_ownership import FIRST, Process
from tests.bot.store.memory_store import Data

OTHER_DATA = "the database lacks writes that were saved"


class Client:
    """A client that runs until it is closed."""

    def __init__(self) -> None:
        self.closed = asyncio.Event()

    async def start(self, _token: str) -> None:
        await self.closed.wait()

    async def close(self) -> None:
        self.closed.set()


class LastMoment:
    """The timer that ends a process whatever still runs."""

    args: tuple[int, ...] = ()
    started = False

    def start(self) -> None:
        self.started = True


async def run(client: Client, last_moment: LastMoment, process: Process) -> int:
    """Run the client in a process whose file is sound."""
    checking = asyncio.create_task(databases.check_file(process.store))
    which: Any = client
    timer: Any = last_moment
    return await run_until_stopped(which, "token", timer, ownership=process.ownership, checking=checking)


async def test_a_process_ends_with_75_and_a_line_once_another_has_its_shards(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = Data()
    frozen, other = Process(data, FIRST), Process(data, FIRST)
    await frozen.ownership.claim()
    client, last_moment = Client(), LastMoment()
    frozen.store.out_of_reach = True
    running = asyncio.create_task(run(client, last_moment, frozen))
    await other.start()
    await asyncio.sleep(60)
    assert not running.done()  # it can't know, and says nothing
    assert not frozen.ownership.is_current()
    frozen.store.out_of_reach = False
    assert await running == EXIT_REPLACED == 75
    assert client.closed.is_set()
    assert (last_moment.started, list(last_moment.args)) == (True, [75])
    assert capsys.readouterr().err == "cardroom: another process has taken shards of this one\n"


async def test_a_process_whose_database_is_another_one_says_so(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    process = Process(Data(), FIRST)
    await process.ownership.claim()
    process.store.renew_shards = _other_data  # type: ignore[method-assign,assignment]  # what is there is not what was saved
    client, last_moment = Client(), LastMoment()
    assert await run(client, last_moment, process) == EXIT_REPLACED
    assert capsys.readouterr().err == f"cardroom: {OTHER_DATA}\n"
    assert f"stopping, because {OTHER_DATA}" in caplog.text
    assert "another process" not in caplog.text


async def _other_data(_lease: int) -> None:
    raise Fenced(OTHER_DATA)


def test_a_start_that_may_not_write_is_worth_another_try() -> None:
    assert databases.exit_code(Fenced(OTHER_DATA)) == EXIT_REPLACED


async def test_no_request_is_sent_while_the_gate_is_closed() -> None:
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.Response(text="there")

    app = web.Application()
    app.router.add_get("/{name}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    silent = False
    connector = aiohttp.TCPConnector()
    close_while(connector, lambda: silent)
    async with aiohttp.ClientSession(connector=connector) as session:
        async with session.get(f"{address}/before") as response:
            assert await response.text() == "there"
        silent = True
        with pytest.raises(Silenced):
            await session.get(f"{address}/meanwhile")  # a kept connection is not used either
        silent = False
        async with session.get(f"{address}/after") as response:
            assert await response.text() == "there"
    await runner.cleanup()
    assert asked == ["/before", "/after"]
