"""Sends requests that carry an interaction's token, for less than aiohttp's session takes.

Such a request is a small JSON text to one address, and needs no header of its own. aiohttp's session prepares again for
each what never changes: the address, the headers, a timer and a task. That is most of what an answer costs (decision
32). Here these lines are prepared once. Everything else is aiohttp's: its connector opens the connection (names, TLS
and its verification, keep-alive, the end of idle ones), and its parser reads the reply.

The library sends through this in place of its session. So it treats 429, 4xx and 5xx, and sends again or not, as ever.
A request is sent once at most. The session itself sends only what has not left: files, requests through a proxy, what
was redirected, and everything if aiohttp does not work as expected here.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import aiohttp
from yarl import URL

from bot.gateway.requests.trace import RequestWatch

if TYPE_CHECKING:  # where they are is aiohttp's own affair
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.connector import Connection

_log = logging.getLogger(__name__)

_CONNECTING: Final = aiohttp.ClientTimeout(total=None, sock_connect=30.0)
"""The session's own time for a connection."""
_PATIENCE: Final = 300.0
"""The session's own time for a reply, in seconds. Nobody waits that long for an answer to a press."""
_PATH: Final = re.compile(r"/[!-~]*")
"""A path that can be written into a request as it is."""
_INFORMATION: Final = range(100, 200)
_REDIRECTION: Final = range(300, 400)
"""Statuses (RFC 9110, section 15). What was redirected has not been carried out."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Discord's reply: what the library reads of `aiohttp.ClientResponse`."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes

    async def text(self, encoding: str = "utf-8") -> str:
        """The body as a text."""
        return self.body.decode(encoding)


class LeanSession:
    """What the library needs of `aiohttp.ClientSession` to answer an interaction, and to edit the answer."""

    def __init__(self, session: aiohttp.ClientSession, base: str, user_agent: str, watch: RequestWatch | None) -> None:
        """Requests to addresses below `base` are sent over the session's connector. `watch` counts their results; the
        session has a trace of its own for what it sends itself."""
        self.session = session
        self.base = base
        self._user_agent = user_agent
        self._watch = watch
        self._target: aiohttp.ClientRequest | None = None
        self._path = URL(base).raw_path.rstrip("/")
        self._headers = b""
        self._usable = True
        self._waiting: dict[asyncio.Transport, float] = {}
        """Until when a reply is awaited on each connection, the soonest first, in seconds of the loop's time."""
        self._is_watched = False

    @asynccontextmanager
    async def request(
        self,
        method: str,
        url: str,
        *,
        data: object = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, Any] | None = None,
        proxy: str | None = None,
        proxy_auth: aiohttp.BasicAuth | None = None,
    ) -> AsyncIterator[Reply | aiohttp.ClientResponse]:
        """Send one request, as `aiohttp.ClientSession.request` does. Raises aiohttp.ClientError and OSError."""
        reply: Reply | None = None
        if self._usable and proxy is None and isinstance(data, str):
            path = self._path_of(url, params)
            if path:
                reply = await self._sent(method, path, data.encode())
        if reply is not None:
            yield reply
            return
        async with self.session.request(
            method, url, data=data, headers=headers, params=params, proxy=proxy, proxy_auth=proxy_auth
        ) as response:
            yield response

    def _path_of(self, url: str, params: Mapping[str, Any] | None) -> str:
        """The path and the query of a request, or an empty text if it must not be sent from here."""
        if not url.startswith(self.base):
            return ""
        path = self._path + url[len(self.base) :]
        if params:
            path = f"{path}?{urlencode(params)}"
        return path if _PATH.fullmatch(path) else ""

    async def send(self, method: str, path: str, body: bytes) -> Reply | None:
        """Send JSON to a path below `base`, quoted already. Returns None if nothing was sent: then the session has to.

        Raises aiohttp.ClientError and OSError.
        """
        return await self._sent(method, self._path + path, body) if self._usable else None

    async def _sent(self, method: str, path: str, body: bytes) -> Reply | None:
        """Send a request and read its reply. Returns None if it was surely not carried out and may be sent again."""
        try:
            reply = await self.exchange(method, path, body)
        except BaseException:
            if self._watch is not None:
                self._watch.failed()
            raise
        if reply is None or reply.status in _REDIRECTION:
            self._usable = False
            _log.warning("answers are sent by the library's session from now on")
            return None
        if self._watch is not None:
            self._watch.ended(path.partition("?")[0], reply.status, reply.headers)
        return reply

    async def exchange(self, method: str, path: str, body: bytes) -> Reply | None:
        """One request over one connection. Returns None if nothing was sent because aiohttp is not as expected."""
        try:
            connection, protocol, transport = await self._connected()
        except (aiohttp.ClientError, OSError):
            raise
        except Exception as error:  # noqa: BLE001  nothing has left, so the session may send it whatever went wrong
            _log.warning("aiohttp does not work as expected: %s", type(error).__name__)
            return None
        self._wait_for(transport)
        try:
            transport.write(
                b"%b %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b"
                % (method.encode(), path.encode(), self._headers, len(body), body)
            )
            reply = await _read(protocol)
        except BaseException:  # also if nobody waits any longer: the reply may still come, and belongs to no other
            connection.close()
            raise
        finally:
            del self._waiting[transport]
        connection.release()
        return reply

    def _wait_for(self, transport: asyncio.Transport) -> None:
        """Note that a reply is awaited from now on. One timer looks after all: a timer of its own for each request
        would take longer than to write it."""
        loop = asyncio.get_running_loop()
        self._waiting[transport] = loop.time() + _PATIENCE
        if not self._is_watched:
            self._is_watched = True
            loop.call_later(_PATIENCE, self._abort_overdue)

    def _abort_overdue(self) -> None:
        """Cut the connections on which a reply was awaited for too long, and look again when the next one will be."""
        loop = asyncio.get_running_loop()
        self._is_watched = bool(self._waiting)
        for transport, until in [*self._waiting.items()]:
            if until > loop.time():
                loop.call_at(until, self._abort_overdue)
                return
            transport.abort()
        self._is_watched = False

    async def _connected(self) -> tuple[Connection, ResponseHandler, asyncio.Transport]:
        """A connection to Discord that reads one reply next: aiohttp's, its protocol and its transport."""
        if self._target is None:
            self._target = self._prepared()
        connector = self.session.connector
        if connector is None:
            raise aiohttp.ClientConnectionError("the session is closed")
        connection = await connector.connect(self._target, [], _CONNECTING)
        protocol, transport = connection.protocol, connection.transport
        if protocol is None or transport is None:
            connection.close()
            raise aiohttp.ServerDisconnectedError
        try:
            protocol.set_response_params(read_until_eof=True)
        except BaseException:
            connection.close()
            raise
        return connection, protocol, transport

    def _prepared(self) -> aiohttp.ClientRequest:
        """A request that stands for all: it names the server, and has the headers that all have."""
        target = aiohttp.ClientRequest(
            "POST",
            URL(self.base),
            headers={"User-Agent": self._user_agent, "Content-Type": "application/json"},
            loop=asyncio.get_running_loop(),
            session=self.session,
        )
        lines = [f"{name}: {value}\r\n" for name, value in target.headers.items() if name != "Content-Length"]
        self._headers = "".join(lines).encode("ascii")
        return target


async def _read(protocol: ResponseHandler) -> Reply:
    """The reply to the request that was just written. Raises aiohttp.ClientError and OSError."""
    try:
        message, payload = await protocol.read()
        while message.code in _INFORMATION:
            message, payload = await protocol.read()
        return Reply(message.code, message.reason, message.headers, await payload.read())
    except (aiohttp.ClientError, OSError):
        raise
    except Exception as error:
        # Discord may have taken the request, so this is no different from a connection that was cut.
        raise aiohttp.ClientPayloadError("the reply cannot be read") from error
