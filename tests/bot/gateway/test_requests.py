"""Requests to Discord: limited, answered without an echo, and read in small pieces."""

from __future__ import annotations

import asyncio
import socket
from typing import Any, cast

import pytest
from discord.http import MultipartParameters

from bot.gateway.requests import (
    EDITS_PER_SECOND,
    LEAST,
    REQUESTS_PER_SECOND,
    NoEcho,
    RateLimiter,
)
from bot.gateway.shards import READ_SIZE, READERS, read_in_small_pieces
from discord_sandbox.virtual_time import VirtualTimeLoop

COUNTED = "/api/v10/channels/1"
FREE = ("/api/v10/interactions/1/token/callback", "/api/v10/webhooks/1/token/messages/@original")
DISCORDS = 50

EPHEMERAL = 1 << 6


def sent(limiter: RateLimiter, paths: list[str]) -> list[float]:
    """When each of these requests, all made at once, was sent; in virtual seconds."""

    async def one(path: str) -> float:
        await limiter.wait(path)
        return asyncio.get_running_loop().time()

    async def together() -> list[float]:
        begun = asyncio.get_running_loop().time()
        return [at - begun for at in await asyncio.gather(*map(one, paths))]

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(together())


def test_no_second_has_more_requests_than_discord_takes() -> None:
    times = sent(RateLimiter(), [COUNTED] * 200)
    assert times == sorted(times), "what came first goes first"
    for begun in times:
        assert sum(begun <= at < begun + 1 for at in times) <= REQUESTS_PER_SECOND < DISCORDS
    assert times[-1] <= 200 / REQUESTS_PER_SECOND, "none waits longer than it must"


def test_what_carries_an_interactions_token_never_waits_and_counts_for_nothing() -> None:
    counted: list[None] = []
    limiter = RateLimiter()
    limiter.count_with(lambda: counted.append(None))
    assert set(sent(limiter, list(FREE) * 100 + [COUNTED])) == {0.0}
    assert len(counted) == 1


def test_each_process_has_its_share_and_people_always_get_answers() -> None:
    assert RateLimiter(0.5).edits_per_second == EDITS_PER_SECOND / 2
    half, little = sent(RateLimiter(0.5), [COUNTED] * 60), sent(RateLimiter(1 / 64), [COUNTED] * LEAST)
    assert sum(at < 1 for at in half) == REQUESTS_PER_SECOND // 2
    assert set(little) == {0.0}


class Received(asyncio.Protocol):
    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.closed = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.pieces.append(data)

    def connection_lost(self, _: Exception | None) -> None:
        self.closed.set()


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for reader in READERS:
        monkeypatch.setattr(reader, "max_size", reader.max_size)


async def received(message: bytes) -> list[bytes]:
    here, there = socket.socketpair()
    loop = asyncio.get_running_loop()
    here.setblocking(False)
    protocol: Any
    _, protocol = await loop.connect_accepted_socket(Received, sock=here)
    with there:
        there.setblocking(False)
        async with asyncio.timeout(10):
            await loop.sock_sendall(there, message)
    async with asyncio.timeout(10):
        await protocol.closed.wait()
    return protocol.pieces  # type: ignore[no-any-return]


async def test_a_long_message_arrives_whole_in_pieces_of_the_read_size() -> None:
    message = bytes(range(256)) * 400
    assert max(map(len, await received(message))) > READ_SIZE  # as it is without
    read_in_small_pieces()
    pieces = await received(message)
    assert b"".join(pieces) == message
    assert max(map(len, pieces)) <= READ_SIZE


class Recording(NoEcho):
    """An adapter that sends nothing and keeps what it would have sent."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library's constructor has no types
        self.sent: list[tuple[Any, dict[str, Any]]] = []

    async def request(self, route: Any, session: Any, **more: Any) -> Any:  # noqa: ARG002  the library's
        self.sent.append((route, more))
        return {"interaction": {"id": 7, "response_message_id": 8}}


async def respond(payload: dict[str, Any]) -> tuple[bool, Any]:
    """Give this first response; whether its echo was asked for, and what came back."""
    adapter = Recording()
    params = MultipartParameters(payload=payload, multipart=None, files=None)
    answer = await adapter.create_interaction_response(7, "token", session=cast("Any", None), params=params)
    ((route, more),) = adapter.sent
    assert route.url.partition("?")[0].endswith("/interactions/7/token/callback")
    assert more["payload"] == payload
    return (more.get("params") or {}).get("with_response") == "1", answer


@pytest.mark.parametrize(
    ("payload", "echoed"),
    [
        ({"type": 4, "data": {"content": "everybody"}}, True),
        ({"type": 4, "data": {"content": "one", "flags": EPHEMERAL}}, False),
        ({"type": 7, "data": {"content": "changed"}}, False),
    ],
    ids=["public", "private", "changed"],
)
async def test_only_a_new_public_message_is_echoed(payload: dict[str, Any], echoed: bool) -> None:
    asked, answer = await respond(payload)
    assert asked == echoed
    assert answer["interaction"]["id"] == 7
    assert ("response_message_id" in answer["interaction"]) == echoed
