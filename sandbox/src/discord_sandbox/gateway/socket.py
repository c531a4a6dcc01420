"""One client's connection to the gateway, from HELLO to its close code.

Source: Discord's developer documentation, "Gateway", "Gateway Opcodes" and "Close Event Codes".
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from enum import IntEnum

from aiohttp import WSCloseCode, WSMsgType, web

from discord_sandbox.gateway.compression import PackedPayloads, Plain, Stream, stream_for
from discord_sandbox.gateway.gateway import Gateway
from discord_sandbox.gateway.sessions import Outbox, Session
from discord_sandbox.model import wire
from discord_sandbox.model.state import PRIVILEGED
from discord_sandbox.model.wire import JsonObject


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
    RATE_LIMITED = 4008
    TIMED_OUT = 4009
    INVALID_SHARD = 4010
    SHARDING_REQUIRED = 4011
    INVALID_VERSION = 4012
    INVALID_INTENTS = 4013
    DISALLOWED_INTENTS = 4014


_KNOWN_INTENTS = (1 << 26) - 1
_ENDS_SESSION = frozenset({1000, 1001})  # after these closes the client does not resume
_STARTS_ANEW = frozenset({Close.INVALID_SEQUENCE, Close.TIMED_OUT})  # "reconnect and start a new session"
_LARGEST_FRAME = 4096  # bytes a client may send
_MINUTE = 60.0
_ACKNOWLEDGES_AFTER = 0.02
"""Real seconds from a heartbeat to its acknowledgement, as over a real network [practice].

discord.py (2.7) records when it sent a heartbeat only after sending it, on another thread. If the acknowledgement
arrives before that, it measures the time since the heartbeat before.
"""


class _Closed(Exception):  # noqa: N818  not an error: the connection ends with a code
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
        self._parting_code: int | None = None  # the code with which either side closed
        self._pending: set[asyncio.Future[object]] = set()
        self._silent = False
        self._beat_due = 0.0  # the loop's time by which a heartbeat must arrive
        self._minute, self._sent_in_minute = 0.0, 0
        self._url = f"ws://{request.host}{request.path}"

    # What can happen to the connection from outside.

    def cut(self, code: int | None) -> None:
        """Close from outside: with a code, or (None) by breaking the connection."""
        self._gateway.note(f"gateway: a line is cut{'' if code is None else f' with {code}'}")
        transport = self._request.transport
        if code is None:
            if transport is not None:
                transport.abort()
        else:
            if code in _STARTS_ANEW:
                self._parting_code = code
            self._later(self._socket.close(code=code))

    def ask_to_reconnect(self) -> None:
        """Send op 7; a client that stays anyway is cut off."""
        self._send(Op.RECONNECT, None)
        self._later(self._part_after_goodbye())

    def invalidate(self, *, resumable: bool) -> None:
        """Send op 9; unless `resumable`, the session is over."""
        session, self._session = self._session, None
        if session is not None:
            self._gateway.detached(session, resumable=resumable)
        self._send(Op.INVALID_SESSION, resumable)

    def ask_for_heartbeat(self) -> None:
        """Send op 1, which the client answers with a heartbeat at once."""
        self._send(Op.HEARTBEAT, None)

    def fall_silent(self) -> None:
        """Stop sending and receiving, without a close."""
        self._silent = True
        self._gateway.note("gateway: a line falls silent")

    async def close(self) -> None:
        """Close as a server that goes away does."""
        await self._socket.close(code=WSCloseCode.GOING_AWAY)

    def _later(self, work: Coroutine[None, None, object]) -> None:
        task: asyncio.Future[object] = asyncio.ensure_future(work)
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    async def _part_after_goodbye(self) -> None:
        await asyncio.sleep(self._gateway.limits.goodbye)
        await self._socket.close(code=Close.UNKNOWN_ERROR)

    # Its own life.

    async def run(self) -> None:
        """Serve the connection to its end."""
        writer = asyncio.create_task(self._write())
        self._gateway.connections[self] = None
        try:
            interval = self._gateway.limits.heartbeat_interval
            self._send(Op.HELLO, {"heartbeat_interval": int(interval * 1000), "_trace": []})
            self._expect_a_beat()
            await self._read()
        except _Closed as closed:
            self._parting_code = closed.code
            self._gateway.note(f"gateway: closed with {closed.code} {_name(closed.code)}")
            self._leave()
            await self._flush()
            await self._socket.close(code=closed.code)
        finally:
            self._gateway.connections.pop(self, None)
            for each in self._pending:
                each.cancel()
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
            self._leave()

    def _leave(self) -> None:
        session = self._session
        if session is not None and session.outlet is self._outbox:
            ended = self._parting_code in _ENDS_SESSION or self._parting_code in _STARTS_ANEW
            self._gateway.detached(session, resumable=not ended)

    async def _write(self) -> None:
        while True:
            payload = await self._outbox.take()
            if self._silent:
                continue  # lost on the way; a resumption replays it
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
        loop = asyncio.get_running_loop()
        while True:
            try:
                frame = await self._socket.receive(timeout=max(0.001, self._beat_due - loop.time()))
            except TimeoutError:
                if self._silent:
                    self._expect_a_beat()
                    continue
                raise _Closed(Close.TIMED_OUT) from None
            if frame.type == WSMsgType.CLOSE:
                self._parting_code = frame.data
            if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return
            if not self._silent:
                self._receive(frame.data)

    def _receive(self, raw: str | bytes) -> None:
        self._count_the_frame()
        if len(raw) > _LARGEST_FRAME:
            raise _Closed(Close.DECODE_ERROR)
        try:
            payload = wire.read(raw)
        except ValueError:
            raise _Closed(Close.DECODE_ERROR) from None
        if not isinstance(payload, dict):
            raise _Closed(Close.DECODE_ERROR)
        self._handle(payload.get("op"), payload.get("d"))

    def _count_the_frame(self) -> None:
        now = self._gateway.clock.now()
        if now - self._minute >= _MINUTE:
            self._minute, self._sent_in_minute = now, 0
        self._sent_in_minute += 1
        if self._sent_in_minute > self._gateway.limits.sends_a_minute:
            raise _Closed(Close.RATE_LIMITED)

    def _expect_a_beat(self) -> None:
        limits = self._gateway.limits
        patience = limits.heartbeat_interval * limits.heartbeat_patience
        self._beat_due = asyncio.get_running_loop().time() + patience

    def _handle(self, op: object, data: object) -> None:
        if op == Op.HEARTBEAT:
            self._expect_a_beat()
            self._later(self._acknowledge())
        elif op == Op.IDENTIFY:
            self._identify(data if isinstance(data, dict) else {})
        elif op == Op.RESUME:
            self._resume(data if isinstance(data, dict) else {})
        elif op in (Op.PRESENCE, Op.VOICE, Op.MEMBERS):
            self._serve(op, data)
        else:
            raise _Closed(Close.UNKNOWN_OPCODE)

    async def _acknowledge(self) -> None:
        await asyncio.sleep(_ACKNOWLEDGES_AFTER)
        self._send(Op.HEARTBEAT_ACK, None)

    def _serve(self, op: object, data: object) -> None:
        """Handle what only an identified client may send; there are no voice channels."""
        if self._session is None:
            raise _Closed(Close.NOT_AUTHENTICATED)
        if not isinstance(data, dict):
            raise _Closed(Close.DECODE_ERROR)
        if op == Op.MEMBERS:
            self._gateway.members_chunk(self._session, data)
        elif op == Op.PRESENCE:
            self._session.presence = data

    def _identify(self, data: JsonObject) -> None:
        if self._session is not None:
            raise _Closed(Close.ALREADY_AUTHENTICATED)
        gateway = self._gateway
        self._check_token(data)
        intents = data.get("intents")
        if isinstance(intents, bool) or not isinstance(intents, int) or not 0 <= intents <= _KNOWN_INTENTS:
            raise _Closed(Close.INVALID_INTENTS)
        if intents & PRIVILEGED & ~gateway.world.application.allowed_intents:
            raise _Closed(Close.DISALLOWED_INTENTS)
        shard, shards = _shard(data.get("shard"), gateway.limits.shards_multiple)
        if gateway.servers_of(shard, shards) > gateway.limits.servers_a_shard:
            raise _Closed(Close.SHARDING_REQUIRED)
        if gateway.rate_limits.enforced and gateway.identify_limits.too_soon(shard):
            gateway.note(f"gateway: shard {shard} identifies too soon; op 9")
            self._send(Op.INVALID_SESSION, False)
            return
        if not gateway.identify_limits.spend():
            gateway.reset_token()
            raise _Closed(Close.AUTHENTICATION_FAILED)
        if data.get("compress") is True and isinstance(self._stream, Plain):
            self._stream = PackedPayloads()
        self._session = gateway.start_session(intents, shard, shards)
        presence = data.get("presence")
        self._session.presence = presence if isinstance(presence, dict) else None
        self._session.outlet = self._outbox
        gateway.welcome(self._session, self._url)

    def _resume(self, data: JsonObject) -> None:
        if self._session is not None:
            raise _Closed(Close.ALREADY_AUTHENTICATED)
        self._check_token(data)
        sequence = data.get("seq")
        if isinstance(sequence, bool) or not isinstance(sequence, int):
            raise _Closed(Close.DECODE_ERROR)
        session = self._gateway.resumable(data.get("session_id"))
        missed = None if session is None else self._missed(session, sequence)
        if session is None or missed is None:
            self._gateway.note("gateway: nothing to resume; op 9")
            self._send(Op.INVALID_SESSION, False)
            return
        self._gateway.leave_to(session)
        self._session = session
        session.outlet, session.cut_at = self._outbox, None
        for payload in missed:
            self._outbox.push(payload)
        session.dispatch("RESUMED", {"_trace": ["sandbox"]})
        self._gateway.attached(session, len(missed))

    def _missed(self, session: Session, sequence: int) -> list[bytes] | None:
        try:
            missed = session.missed_since(sequence)
        except ValueError:
            self._gateway.forget(session)
            raise _Closed(Close.INVALID_SEQUENCE) from None
        if missed is None:  # the buffer has not kept them all
            self._gateway.forget(session)
        return missed

    @property
    def session(self) -> Session | None:
        """The session of this connection."""
        return self._session

    def _check_token(self, data: JsonObject) -> None:
        token = data.get("token")
        given = token.removeprefix("Bot ") if isinstance(token, str) else None
        if given != self._gateway.world.application.token:
            raise _Closed(Close.AUTHENTICATION_FAILED)


def _shard(raw: object, multiple: int) -> tuple[int, int]:
    """The shard and the number of shards that a client names; their number must be a multiple of `multiple`."""
    given = [0, 1] if raw is None else raw
    if isinstance(given, list) and len(given) == 2 and all(type(each) is int for each in given):
        shard, shards = given
        if 0 <= shard < shards and shards % multiple == 0:
            return shard, shards
    raise _Closed(Close.INVALID_SHARD)


def _name(code: int) -> str:
    return Close(code).name.lower().replace("_", " ")


async def serve(gateway: Gateway, request: web.Request) -> web.StreamResponse:
    """Handle GET on the gateway's address: a WebSocket, compressed as its query asks.

    It supports JSON only, not ETF. A fault set on "CONNECT /gateway" may delay, refuse or cut it.
    """
    if gateway.faults.watch_requests:
        fault = gateway.faults.strike("CONNECT", "/gateway")
        if fault is not None:
            gateway.note(f"fault {fault.number}: a connection to the gateway is struck")
            await gateway.clock.sleep(fault.delay)
            if fault.drop is not None and request.transport is not None:
                request.transport.abort()
            if fault.drop is not None or fault.status is not None:
                return web.Response(status=fault.status or 500)
    stream = stream_for(request.query.get("compress"))
    if stream is None or request.query.get("encoding", "json") != "json":
        raise web.HTTPBadRequest(text="this encoding or compression is not spoken here")
    socket = web.WebSocketResponse(max_msg_size=_LARGEST_FRAME * 16, compress=False, timeout=1.0)
    await socket.prepare(request)
    if request.query.get("v", "10") not in ("9", "10"):
        await socket.close(code=Close.INVALID_VERSION)
        return socket
    await GatewaySocket(gateway, request, socket, stream).run()
    return socket
