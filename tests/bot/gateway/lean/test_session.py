"""Requests by an interaction's token: what is on the wire, what is read from it, and that nothing is sent twice."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from gzip import compress
from pathlib import Path
from typing import TypeAlias

import aiohttp
import pytest

from bot.gateway.lean.session import LeanSession
from bot.gateway.requests import RequestWatch, request_trace
from bot.telemetry import Telemetry
from tests.known import there

CERTIFICATE = Path(__file__).with_name("loopback.pem")
"""Of "localhost", signed by itself, with its key. It guards nothing."""
AGENT = "DiscordBot (https://example.org, 1)"
TOKEN = "aW50ZXJhY3Rpb246c2VjcmV0"
CALLBACK = f"/interactions/7/{TOKEN}/callback"
NO_CONTENT = b"HTTP/1.1 204 No Content\r\n\r\n"
BODY = b'{"id": "8", "content": "\xc3\xa9"}'
JSON = b"Content-Type: application/json\r\n"

Way: TypeAlias = LeanSession | aiohttp.ClientSession


class Counts(Telemetry):
    """What was reported, in its order."""

    def __init__(self) -> None:
        self.heard: list[object] = []

    def first_response(self, interaction_id: int) -> None:
        self.heard.append(interaction_id)

    def rate_limited(self, scope: str) -> None:
        self.heard.append(scope)

    def invalid_request(self, status: int) -> None:
        self.heard.append(status)

    def request_failed(self) -> None:
        self.heard.append("failed")


@dataclass
class Server:
    """Answers each request with the next reply, and keeps what it got. An empty reply closes the connection."""

    replies: list[bytes | Callable[[], Awaitable[bytes]]]
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    connections: int = 0
    address: str = ""
    in_pieces: bool = False
    close_after: bool = False

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
                headers = dict(line.split(": ", 1) for line in head[1:] if line)
                body = await reader.readexactly(int(headers.get("Content-Length", 0)))
                self.requests.append((head[0], headers, body))
                given = self.replies.pop(0)
                reply = given if isinstance(given, bytes) else await given()
                await self._write(writer, reply)
                if self.close_after or not reply:
                    break
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    async def _write(self, writer: asyncio.StreamWriter, reply: bytes) -> None:
        for piece in [reply[index : index + 1] for index in range(len(reply))] if self.in_pieces else [reply]:
            writer.write(piece)
            await asyncio.sleep(0)


@asynccontextmanager
async def serving(server: Server, context: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    running = await asyncio.start_server(server.answer, "127.0.0.1", 0, ssl=context)
    scheme = "http" if context is None else "https"
    server.address = f"{scheme}://localhost:{running.sockets[0].getsockname()[1]}/api/v10"
    try:
        yield server
    finally:
        running.close()


@asynccontextmanager
async def session_to(
    server: Server, connector: aiohttp.BaseConnector | None = None, counts: Counts | None = None
) -> AsyncIterator[tuple[LeanSession, aiohttp.ClientSession]]:
    watch = None if counts is None else RequestWatch(counts)
    traces = [] if watch is None else [request_trace(watch)]
    async with aiohttp.ClientSession(connector=connector, trace_configs=traces) as session:
        yield LeanSession(session, server.address, AGENT, watch), session


async def post(way: Way, server: Server, path: str = CALLBACK) -> tuple[int, Mapping[str, str], str]:
    """Send a request, over the session as the library does."""
    if isinstance(way, LeanSession):
        sent = there(await way.send("POST", path, b'{"type": 6}'))
        return sent.status, dict(sent.headers), await sent.text(encoding="utf-8")
    headers = {"Content-Type": "application/json"}
    async with way.request("POST", server.address + path, data='{"type": 6}', headers=headers) as reply:
        return reply.status, dict(reply.headers), await reply.text(encoding="utf-8")


async def test_a_request_is_on_the_wire_what_the_librarys_session_sends() -> None:
    async with serving(Server([NO_CONTENT] * 2)) as server, session_to(server) as (lean, session):
        for way in (lean, session):
            await post(way, server, f"{CALLBACK}?with_response=1")
    (line, headers, body), (their_line, their_headers, their_body) = server.requests
    assert (line, body) == (their_line, their_body) == (f"POST /api/v10{CALLBACK}?with_response=1 HTTP/1.1", body)
    assert headers.pop("User-Agent") == AGENT
    their_headers.pop("User-Agent")
    assert headers == their_headers


@pytest.mark.parametrize("in_pieces", [False, True])
@pytest.mark.parametrize(
    "reply",
    [
        NO_CONTENT,
        b"HTTP/1.1 200 OK\r\n%bContent-Length: %d\r\n\r\n%b" % (JSON, len(BODY), BODY),
        b"HTTP/1.1 200 OK\r\n%bTransfer-Encoding: chunked\r\n\r\n9\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n"
        % (JSON, BODY[:9], len(BODY) - 9, BODY[9:]),
        b"HTTP/1.1 200 OK\r\n%bContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%b"
        % (JSON, len(compress(BODY, mtime=0)), compress(BODY, mtime=0)),
        b"HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n" + NO_CONTENT,
        b"HTTP/1.1 429 Too Many Requests\r\n%bX-RateLimit-Scope: shared\r\nContent-Length: 2\r\n\r\n{}" % JSON,
        b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
    ],
    ids=["no content", "length", "chunks", "gzip", "early hints", "limited", "no json"],
)
async def test_a_reply_is_read_as_the_librarys_session_reads_it(reply: bytes, in_pieces: bool) -> None:
    async with serving(Server([reply] * 3, in_pieces=in_pieces)) as server, session_to(server) as (lean, session):
        read = [await post(way, server) for way in (lean, lean, session)]
    assert read[0] == read[1] == read[2]
    assert (len(server.requests), server.connections) == (3, 1)


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"HTTP/1.1 200",
        b"HTTP/1.1 200 OK\r\n%bContent-Length: 90\r\n\r\n{" % JSON,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
        b"what?\r\n\r\n",
    ],
    ids=["nothing", "part of a head", "part of a body", "part of a chunk", "no HTTP"],
)
async def test_F_10_a_request_without_a_whole_reply_is_not_sent_again(  # noqa: N802  the number of its fault
    reply: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    counts = Counts()
    async with (
        serving(Server([reply, NO_CONTENT, NO_CONTENT], close_after=True)) as server,
        session_to(server, counts=counts) as (lean, _),
    ):
        with pytest.raises((aiohttp.ClientError, OSError)) as raised:
            await post(lean, server)
        assert len(server.requests) == 1
        assert (await post(lean, server))[0] == 204
    assert TOKEN not in str(raised.value) + repr(raised.value) + caplog.text
    assert counts.heard == ["failed", 7]


async def test_a_connection_that_was_closed_while_idle_is_not_used() -> None:
    async with serving(Server([NO_CONTENT] * 2, close_after=True)) as server, session_to(server) as (lean, _):
        await post(lean, server)
        await asyncio.sleep(1)
        assert (await post(lean, server))[0] == 204
    assert server.connections == 2


async def test_the_reply_to_a_request_that_nobody_waits_for_answers_no_other() -> None:
    async def late() -> bytes:
        await asyncio.sleep(5)
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

    async with serving(Server([late, NO_CONTENT])) as server, session_to(server) as (lean, _):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2.8):
                await post(lean, server)
        assert (await post(lean, server))[0] == 204
        await asyncio.sleep(10)
    assert len(server.requests) == 2


async def test_a_silent_discord_is_given_up_after_five_minutes() -> None:
    async def never() -> bytes:
        await asyncio.sleep(1000)
        return NO_CONTENT

    async with serving(Server([never])) as server, session_to(server) as (lean, _):
        asked = asyncio.get_running_loop().time()
        with pytest.raises((aiohttp.ClientError, OSError)):
            await post(lean, server)
        assert asyncio.get_running_loop().time() - asked == pytest.approx(300, abs=1)


async def test_what_is_redirected_is_left_to_the_session_from_then_on() -> None:
    elsewhere = b"HTTP/1.1 307 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
    async with serving(Server([elsewhere])) as server, session_to(server) as (lean, _):
        for _ in range(2):
            assert await lean.send("POST", CALLBACK, b"{}") is None
    assert len(server.requests) == 1


async def test_nothing_is_sent_if_aiohttp_is_not_as_expected(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(Server([])) as server, session_to(server) as (lean, _):
        monkeypatch.setattr(lean, "_prepared", lambda: aiohttp.ClientRequest(of_another="version"))  # type: ignore[call-arg]  # that is the point
        for _ in range(2):
            assert await lean.send("POST", CALLBACK, b"{}") is None
    assert not server.requests
    assert caplog.text.count("from now on") == 1


@pytest.mark.parametrize("lean", [True, False])
async def test_either_way_the_same_is_counted(lean: bool) -> None:
    limited = b"HTTP/1.1 429 No\r\n%bX-RateLimit-Scope: %b\r\nContent-Length: 2\r\n\r\n{}"
    replies = [
        NO_CONTENT,
        limited % (JSON, b"shared"),
        limited % (JSON, b"user"),
        b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n",
        b"",
    ]
    counts = Counts()
    async with serving(Server([*replies])) as server, session_to(server, counts=counts) as ways:
        for _ in replies[:-1]:
            await post(ways[not lean], server, f"{CALLBACK}?with_response=1")
        with pytest.raises(aiohttp.ClientError):
            await post(ways[not lean], server)
    assert counts.heard == [7, "shared", "user", 429, 403, "failed"]


async def test_a_certificate_that_nobody_vouches_for_is_refused_before_a_byte_is_sent() -> None:
    async with serving(Server([NO_CONTENT]), _certified()) as server, session_to(server) as (lean, _):
        with pytest.raises(aiohttp.ClientConnectorCertificateError):
            await post(lean, server)
    assert not server.requests


async def test_over_tls_connections_are_kept_too() -> None:
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    async with (
        serving(Server([NO_CONTENT] * 2), _certified()) as server,
        session_to(server, aiohttp.TCPConnector(ssl=trusting)) as (lean, _),
    ):
        for _ in range(2):
            assert (await post(lean, server))[0] == 204
    assert (len(server.requests), server.connections) == (2, 1)


def _certified() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context
