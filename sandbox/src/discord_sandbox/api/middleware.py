"""The pipeline of a request: token, rate limits, faults on demand, its route, and the transcript.

Interaction and webhook routes need no bot token: the one in the address is enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate
from http import HTTPStatus
from typing import NamedTuple

from aiohttp import web

from discord_sandbox.api.call import Call
from discord_sandbox.api.route_table import Endpoint
from discord_sandbox.model import errors, traffic_text, wire
from discord_sandbox.model.errors import ApiError
from discord_sandbox.model.faults import RequestFault
from discord_sandbox.model.rate_limits import TooManyRequestsError, of_discord
from discord_sandbox.model.transcript import Audience
from discord_sandbox.service.backend import Backend
from discord_sandbox.validation.attachments import Upload

_MAJOR = ("channel_id", "guild_id")
_NO_HEADERS: Mapping[str, str] = {}
_JSON = "application/json"
_NO_ANSWER = 0
"""The status in the transcript of a request whose connection was cut."""
_OF_THE_EDGE = frozenset({502, 504, 520, 521, 522, 523, 524})
"""What the network before Discord answers, as a page of HTML."""


class Answer(NamedTuple):
    """An answer: `body` is serialised, `audience` is for the transcript."""

    status: int
    body: bytes
    headers: Mapping[str, str] = _NO_HEADERS
    content_type: str = _JSON
    audience: Audience = None


class RequestPipeline:
    """The pipeline of requests to one route of the API, with `prefix` before its path."""

    def __init__(self, backend: Backend, address: Endpoint, prefix: str) -> None:
        self._backend = backend
        self._address = address
        self._prefix = len(prefix)
        self._bucket = f"{address.method} {address.path}"

    async def pass_through(self, request: web.Request, raw: bytes, uploads: Mapping[int, Upload]) -> web.StreamResponse:
        """Answer a request whose body has been read."""
        if self._backend.faults.watch_requests:
            path = request.path[self._prefix :]
            fault = self._backend.faults.strike(request.method, path)
            if fault is not None:
                return await self._struck(fault, request, raw, uploads)
            response = self._respond(request, raw, self.answer(request, raw, uploads))
            self._backend.faults.answered(request.method, path)
            return response
        return self._respond(request, raw, self.answer(request, raw, uploads))

    async def _struck(
        self, fault: RequestFault, request: web.Request, raw: bytes, uploads: Mapping[int, Upload]
    ) -> web.StreamResponse:
        clock = self._backend.clock
        words = f"fault {fault.number} strikes {request.method} {traffic_text.path(request.path)}"
        self._backend.transcript.note(clock.now(), words)
        overtaken = fault.hold() if fault.reorder else None
        if fault.delay:
            await clock.sleep(fault.delay)
        if overtaken is not None:
            await fault.wait(overtaken)
        if fault.before is not None:
            fault.before()
        answer: Answer | None = None
        if fault.drop != "before" and (fault.status is None or fault.effect):
            answer = self.answer(request, raw, uploads)
        if fault.after is not None:
            fault.after()
        if fault.answer_delay:
            await clock.sleep(fault.answer_delay)
        if fault.drop is not None:
            audience = None if answer is None else answer.audience
            self._write_down(request, raw, Answer(_NO_ANSWER, b"", audience=audience))
            return cut(request)
        if fault.status is not None:
            answer = self._error(fault, None if answer is None else answer.audience)
        if answer is None:
            raise AssertionError("unreachable: a fault cuts, refuses, or lets the request through")
        return self._respond(request, raw, answer)

    def _error(self, fault: RequestFault, audience: Audience) -> Answer:
        limits = self._backend.rate_limits
        status = fault.status or 500
        if status == 429:
            refusal = TooManyRequestsError(fault.retry_after, fault.scope)
            limits.note(429, fault.scope)
            return Answer(429, wire.write(refusal.body()), refusal.headers, audience=audience)
        limits.note(status)
        if status in _OF_THE_EDGE:
            page = f"<html><head><title>{_phrase(status)}</title></head><body>cloudflare</body></html>"
            return Answer(status, page.encode(), content_type="text/html", audience=audience)
        message = fault.message or (f"{status}: {_phrase(status)}" if not fault.code else _phrase(status))
        return Answer(status, wire.write({"message": message, "code": fault.code}), audience=audience)

    def answer(self, request: web.Request, raw: bytes, uploads: Mapping[int, Upload]) -> Answer:
        """Carry out the request, if it is allowed, and let those who watch see it."""
        watchers = self._backend.watchers
        watchers.asked(request.method, request.path, raw)
        answer = self._carry_out(request, raw, uploads)
        watchers.answered(answer.status)
        return answer

    def _carry_out(self, request: web.Request, raw: bytes, uploads: Mapping[int, Upload]) -> Answer:
        backend, address = self._backend, self._address
        limits = backend.rate_limits
        if limits.banned_for:
            return _banned(limits.banned_for)
        headers = _NO_HEADERS
        call = Call(
            backend,
            request.match_info,
            request.query,
            None,
            uploads,
            gateway_url=f"ws://{request.host}/gateway",
        )
        try:
            headers = self._admit(request, call)
            call.body = _parse(raw)
            answer = address.route(call)
        except TooManyRequestsError as refusal:
            limits.note(429, refusal.scope)
            return Answer(429, wire.write(refusal.body()), refusal.headers, audience=call.audience)
        except ApiError as refusal:
            limits.note(refusal.status)
            if refusal.status == 429:
                headers = {**headers, **of_discord(refusal)}
            return Answer(refusal.status, wire.write(refusal.body()), headers, audience=call.audience)
        if answer is None:
            return Answer(204, b"", headers, audience=call.audience)
        return Answer(call.status, wire.write(answer), headers, audience=call.audience)

    def _admit(self, request: web.Request, call: Call) -> Mapping[str, str]:
        """The headers of a request that may pass; raises ApiError for one that may not."""
        limits = self._backend.rate_limits
        if not self._address.open:
            if request.headers.get("Authorization") != f"Bot {self._backend.world.application.token}":
                raise errors.unauthorized()
            major = next((call.route[key] for key in _MAJOR if key in call.route), "")
            return limits.take(self._bucket, major)
        if limits.enforced and self._address.path.startswith("/webhooks/"):
            return limits.take(self._bucket, request.match_info["token"], globally=False)
        return _NO_HEADERS

    def _respond(self, request: web.Request, raw: bytes, answer: Answer) -> web.StreamResponse:
        self._write_down(request, raw, answer)
        headers = {"Date": formatdate(self._backend.clock.now(), usegmt=True), **answer.headers}
        if answer.status == 204:
            return web.Response(status=204, headers=headers)
        return web.Response(status=answer.status, body=answer.body, content_type=answer.content_type, headers=headers)

    def _write_down(self, request: web.Request, raw: bytes, answer: Answer) -> None:
        self._backend.transcript.request(
            at=self._backend.clock.now(),
            method=request.method,
            path=request.path,
            raw=raw,
            status=answer.status,
            raw_answer=answer.body if answer.content_type == _JSON else b"",
            audience=answer.audience,
            query=request.query_string,
        )
        self._backend.feed.wake_waiters()


def cut(request: web.Request) -> web.StreamResponse:
    """Break the request's connection; the result is not sent."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


def _banned(seconds: float) -> Answer:
    """The answer of the network in front of Discord to a banned address: no JSON, and no Via header."""
    page = b"<html><head><title>Access denied</title></head><body>error code: 1015</body></html>"
    return Answer(429, page, {"Retry-After": str(int(seconds) + 1)}, content_type="text/html")


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown Error"


def _parse(raw: bytes) -> object:
    if not raw:
        return None
    try:
        return wire.read(raw)
    except ValueError:
        raise errors.unreadable_body() from None
