"""Sends requests that carry an interaction's token, for less than aiohttp's session takes.

Such a request is a small text to one address, and needs no header of its own but for the text's kind. aiohttp's session
prepares again for each what never changes: the address, the headers, a timer and a task. That is most of what an answer
costs (decision 32). Here these lines are prepared once. Everything else is aiohttp's: its connector opens the
connection (names, TLS and its verification, keep-alive, the end of idle ones), and its parser reads the reply.

A request is sent once at most, and what follows from Discord's reply is up to the caller. Who gets no reply sends by
the library's session: what was redirected, and everything if aiohttp does not work as expected here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import aiohttp
from yarl import URL

from bot.gateway.requests import RequestWatch

if TYPE_CHECKING:  # where they are is aiohttp's own affair
    from aiohttp.client_proto import ResponseHandler
    from aiohttp.connector import Connection

_log = logging.getLogger(__name__)

_CONNECTING: Final = aiohttp.ClientTimeout(total=None, sock_connect=30.0)
"""The session's own time for a connection."""
_PATIENCE: Final = 300.0
"""The session's own time for a reply, in seconds. Nobody waits that long for an answer to a press."""
_OWN: Final = frozenset({"Content-Length", "Content-Type"})
"""The headers that each request has of its own."""
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


JSON: Final = "application/json"
"""The kind of nearly all texts."""


class LeanSession:
    """Sends texts over the connections of an `aiohttp.ClientSession`."""

    def __init__(self, session: aiohttp.ClientSession, base: str, user_agent: str, watch: RequestWatch | None) -> None:
        """`base` is the address that all paths are below. `watch` counts results, as the session's own trace does."""
        self.session = session
        self.base = base
        self._user_agent = user_agent
        self._watch = watch
        self._target: aiohttp.ClientRequest | None = None
        self._path = URL(base).raw_path.rstrip("/")
        self._headers = b""
        self._usable = True

    async def send(self, method: str, path: str, body: bytes, kind: str = JSON) -> Reply | None:
        """Send a text of a kind (HTTP's `Content-Type`) to a path, quoted already, and read the reply. Returns None if
        the request was surely not carried out and may be sent again, by the session.

        Raises aiohttp.ClientError and OSError.
        """
        if not self._usable:
            return None
        path = self._path + path
        try:
            reply = await self._exchange(method, path, body, kind)
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

    async def _exchange(self, method: str, path: str, body: bytes, kind: str) -> Reply | None:
        """One request over one connection. Returns None if nothing was sent because aiohttp is not as expected."""
        try:
            connection, protocol, transport = await self._connected()
        except (aiohttp.ClientError, OSError):
            raise
        except Exception as error:  # noqa: BLE001  nothing has left, so the session may send it whatever went wrong
            _log.warning("aiohttp does not work as expected: %s", type(error).__name__)
            return None
        patience = asyncio.get_running_loop().call_later(_PATIENCE, transport.abort)
        try:
            transport.write(
                b"%b %b HTTP/1.1\r\n%bContent-Type: %b\r\nContent-Length: %d\r\n\r\n%b"
                % (method.encode(), path.encode(), self._headers, kind.encode(), len(body), body)
            )
            reply = await _read(protocol)
        except BaseException:  # also if nobody waits any longer: the reply may still come, and belongs to no other
            connection.close()
            raise
        finally:
            patience.cancel()
        connection.release()
        return reply

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
            headers={"User-Agent": self._user_agent},
            loop=asyncio.get_running_loop(),
            session=self.session,
        )
        lines = [f"{name}: {value}\r\n" for name, value in target.headers.items() if name not in _OWN]
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
