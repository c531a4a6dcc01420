"""One client's connection to the gateway, from HELLO to its close code.

Source: Discord's developer documentation, "Gateway", "Gateway Opcodes" and "Close Event Codes".
"""

from __future__ import annotations

import asyncio
import contextlib
from enum import IntEnum

from aiohttp import WSCloseCode, WSMsgType, web

from sandbox import wire
from sandbox.gateway import Gateway
from sandbox.sessions import Outbox, Session
from sandbox.state import PRIVILEGED
from sandbox.streams import Stream, stream_for
from sandbox.wire import JsonObject


class Op(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    VOICE = 4
    RESUME = 6
    RECONNECT = 7
    MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Close(IntEnum):
    """Close codes of the gateway."""

    UNKNOWN_ERROR = 4000
    UNKNOWN_OPCODE = 4001
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SEQUENCE = 4007
    TIMED_OUT = 4009
    INVALID_SHARD = 4010
    INVALID_VERSION = 4012
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


_KNOWN_INTENTS = (1 << 26) - 1
_ENDS_SESSION = frozenset({1000, 1001})  # where the client closes so, it will not resume
_MISSED_BEATS = 1.5  # heartbeat intervals without a heartbeat until the connection counts as dead


class _Closed(Exception):  # noqa: N818  it is no error: the connection ends with a code
    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class GatewaySocket:
    """Speaks the gateway's protocol over one WebSocket."""

    def __init__(self, gateway: Gateway, request: web.Request, socket: web.WebSocketResponse, stream: Stream) -> None:
        self._gateway = gateway
        self._request = request
        self._socket = socket
        self._stream = stream
        self._outbox = Outbox()
        self._session: Session | None = None
        self._parting_code: int | None = None  # with which the client itself closed
        self._closing: asyncio.Future[bool] | None = None
        self._url = f"ws://{request.host}{request.path}"

    def cut(self, code: int | None) -> None:
        """Close from outside: with a code, or (None) by breaking the line."""
        transport = self._request.transport
        if code is None:
            if transport is not None:
                transport.abort()
        else:
            self._closing = asyncio.ensure_future(self._socket.close(code=code))

    async def close(self) -> None:
        """Close as a server that goes away does."""
        await self._socket.close(code=WSCloseCode.GOING_AWAY)

    async def run(self) -> None:
        """Serve the connection to its end."""
        writer = asyncio.create_task(self._write())
        self._gateway.sockets.add(self)
        try:
            self._send(
                Op.HELLO, {"heartbeat_interval": int(self._gateway.limits.heartbeat_interval * 1000), "_trace": []}
            )
            await self._read()
        except _Closed as closed:
            await self._flush()
            await self._socket.close(code=closed.code)
        finally:
            self._gateway.sockets.discard(self)
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
            self._leave()

    def _leave(self) -> None:
        session = self._session
        if session is not None and session.outlet is self._outbox:
            self._gateway.detached(session, resumable=self._parting_code not in _ENDS_SESSION)

    async def _write(self) -> None:
        while True:
            payload = await self._outbox.take()
            packed = self._stream.pack(payload)
            try:
                if isinstance(packed, bytes):
                    await self._socket.send_bytes(packed)
                else:
                    await self._socket.send_str(packed)
            except (ConnectionError, RuntimeError):
                return  # the socket is closing; what was not sent is replayed at RESUME

    async def _flush(self) -> None:
        """Let what is waiting go out before a close."""
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    def _send(self, op: Op, data: object) -> None:
        self._outbox.push(wire.write({"op": int(op), "d": data, "s": None, "t": None}))

    async def _read(self) -> None:
        patience = self._gateway.limits.heartbeat_interval * _MISSED_BEATS
        while True:
            try:
                frame = await self._socket.receive(timeout=patience)
            except TimeoutError:
                raise _Closed(Close.TIMED_OUT) from None
            if frame.type == WSMsgType.CLOSE:
                self._parting_code = frame.data
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
            try:
                payload = wire.read(frame.data)
            except ValueError:
                raise _Closed(Close.DECODE_ERROR) from None
            if not isinstance(payload, dict):
                raise _Closed(Close.DECODE_ERROR)
            self._handle(payload.get("op"), payload.get("d"))

    def _handle(self, op: object, data: object) -> None:
        if op == Op.HEARTBEAT:
            self._send(Op.HEARTBEAT_ACK, None)
        elif op == Op.IDENTIFY:
            self._identify(data if isinstance(data, dict) else {})
        elif op == Op.RESUME:
            self._resume(data if isinstance(data, dict) else {})
        elif op in (Op.PRESENCE, Op.VOICE, Op.MEMBERS):
            if self._session is None:
                raise _Closed(Close.NOT_AUTHENTICATED)
            if op == Op.MEMBERS and isinstance(data, dict):
                self._gateway.members_chunk(self._session, data)
        else:
            raise _Closed(Close.UNKNOWN_OPCODE)

    def _identify(self, data: JsonObject) -> None:
        if self._session is not None:
            raise _Closed(Close.ALREADY_AUTHENTICATED)
        self._check_token(data)
        intents = data.get("intents")
        if isinstance(intents, bool) or not isinstance(intents, int) or not 0 <= intents <= _KNOWN_INTENTS:
            raise _Closed(Close.INVALID_INTENTS)
        if intents & PRIVILEGED & ~self._gateway.world.application.allowed_intents:
            raise _Closed(Close.DISALLOWED_INTENTS)
        shard, shards = _shard(data.get("shard"))
        self._session = self._gateway.start_session(intents, shard, shards)
        self._session.outlet = self._outbox
        self._gateway.welcome(self._session, self._url)

    def _resume(self, data: JsonObject) -> None:
        if self._session is not None:
            raise _Closed(Close.ALREADY_AUTHENTICATED)
        self._check_token(data)
        session = self._gateway.resumable(data.get("session_id"))
        sequence = data.get("seq")
        missed = None if session is None or not isinstance(sequence, int) else session.missed_since(sequence)
        if session is None or missed is None:
            self._send(Op.INVALID_SESSION, False)
            return
        self._session = session
        session.outlet, session.cut_at = self._outbox, None
        for payload in missed:
            self._outbox.push(payload)
        session.dispatch("RESUMED", {"_trace": ["sandbox"]})
        self._gateway.attached()

    def _check_token(self, data: JsonObject) -> None:
        token = data.get("token")
        given = token.removeprefix("Bot ") if isinstance(token, str) else None
        if given != self._gateway.world.application.token:
            raise _Closed(Close.AUTHENTICATION_FAILED)


def _shard(raw: object) -> tuple[int, int]:
    if raw is None:
        return 0, 1
    if isinstance(raw, list) and len(raw) == 2 and all(type(each) is int for each in raw):
        shard, shards = raw
        if 0 <= shard < shards:
            return shard, shards
    raise _Closed(Close.INVALID_SHARD)


async def serve(gateway: Gateway, request: web.Request) -> web.WebSocketResponse:
    """Handle GET on the gateway's address: a WebSocket, compressed as its query asks."""
    stream = stream_for(request.query.get("compress"))
    if stream is None or request.query.get("encoding", "json") != "json":
        raise web.HTTPBadRequest(text="this encoding or compression is not spoken here")
    socket = web.WebSocketResponse(max_msg_size=4096 * 4, compress=False, timeout=1.0)
    await socket.prepare(request)
    if request.query.get("v", "10") not in ("9", "10"):
        await socket.close(code=Close.INVALID_VERSION)
        return socket
    await GatewaySocket(gateway, request, socket, stream).run()
    return socket
