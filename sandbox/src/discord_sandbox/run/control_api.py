"""The control API: faults, acts, limits and the transcript over HTTP on loopback, for tests in any language.

An act is a command of `discord_sandbox.run.control_commands`.

    GET    /control                     what there is: faults, acts, limits, connections
    GET    /control/faults              the faults that are set, with their counts
    POST   /control/faults              set one: {"method", "path", …} as FaultsOnDemand.on takes them,
                                        or {"event", …} as on_event does; "before" and "after" are acts
    DELETE /control/faults[/{number}]   remove all of them, or one
    POST   /control/acts                run a command: {"act": "drop_gateway", "code": 4000}
    PATCH  /control/limits              change limits: {"first_response": 1.0}
    GET    /control/transcript          what went over the wire so far, as text, tokens masked
    DELETE /control/transcript          forget it

Each request has the bot's token, as in `Authorization: Bot TOKEN`; without it the answer is 401. Other faulty requests
are answered with 400 or 404 and {"error": words}.
"""

from __future__ import annotations

import hmac
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

from aiohttp import web

from discord_sandbox.model import snowflake, wire
from discord_sandbox.model.faults import Fault, FaultsOnDemand
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.run.control_commands import COMMANDS, ControlCommandError, prepare

if TYPE_CHECKING:
    from discord_sandbox.run.server import Sandbox

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_OF_REQUESTS = frozenset(inspect.signature(FaultsOnDemand.on).parameters) - {"self"}
_OF_EVENTS = frozenset(inspect.signature(FaultsOnDemand.on_event).parameters) - {"self"}


class ControlApi:
    """Serves the control API of one sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def add_routes(self, app: web.Application) -> None:
        """Add the routes of the control API to `app`."""
        for method, path, handler in (
            ("GET", "", self._overview),
            ("GET", "/faults", self._faults),
            ("POST", "/faults", self._set_fault),
            ("DELETE", "/faults", self._clear_faults),
            ("DELETE", "/faults/{number}", self._remove_fault),
            ("POST", "/acts", self._run_command),
            ("PATCH", "/limits", self._change_limits),
            ("GET", "/transcript", self._transcript),
            ("DELETE", "/transcript", self._forget_transcript),
        ):
            app.router.add_route(method, f"/control{path}", self._guarded(handler))

    def _guarded(self, handler: Handler) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            if not self._is_authorized(request):
                return _json({"error": "the request lacks the bot's token"}, status=401)
            try:
                return await handler(request)
            except LookupError as trouble:
                return _json({"error": str(trouble)}, status=404)
            except ValueError as trouble:
                return _json({"error": str(trouble)}, status=400)

        return handle

    def _is_authorized(self, request: web.Request) -> bool:
        given = request.headers.get("Authorization", "")
        return hmac.compare_digest(given.encode(), f"Bot {self._sandbox.token}".encode())

    async def _overview(self, _request: web.Request) -> web.StreamResponse:
        sandbox = self._sandbox
        return _json(
            {
                "now": sandbox.clock.now(),
                "faults": [each.describe() for each in sandbox.faults],
                "acts": list(COMMANDS),
                "limits": asdict(sandbox.limits),
                "rate_limits_enforced": sandbox.rate_limits.enforced,
                "invalid_requests": sandbox.rate_limits.invalid_requests,
                "connected": sandbox.gateway.connected,
                "sessions": [
                    {"shard": [each.shard, each.shards], "connected": each.outlet is not None}
                    for each in sandbox.gateway.sessions.values()
                ],
                "identifies_left": sandbox.gateway.identify_limits.left,
                "transcript_entries": len(sandbox.transcript),
            }
        )

    async def _faults(self, _request: web.Request) -> web.StreamResponse:
        return _json([each.describe() for each in self._sandbox.faults])

    async def _set_fault(self, request: web.Request) -> web.StreamResponse:
        body = await _object(request)
        try:
            fault = self._fault(body)
        except (TypeError, AttributeError) as trouble:
            raise ControlCommandError(str(trouble)) from None
        return _json(fault.describe(), status=201)

    def _fault(self, body: JsonObject) -> Fault:
        known = _OF_EVENTS if "event" in body else _OF_REQUESTS
        unknown = sorted(set(body) - known)
        if unknown:
            raise ControlCommandError(f"a fault has no {', '.join(unknown)}; it has {', '.join(sorted(known))}")
        commands = {key: prepare(self._sandbox, body[key]) for key in ("before", "after") if key in body}
        arguments: JsonObject = {**body, **{key: self._noting(command) for key, command in commands.items()}}
        faults = self._sandbox.faults
        return faults.on_event(**arguments) if "event" in body else faults.on(**arguments)

    def _noting(self, command: Callable[[], None]) -> Callable[[], None]:
        """A command that runs during a request. If it fails, the transcript says so and the request continues."""

        def perform() -> None:
            try:
                command()
            except ControlCommandError as trouble:
                self._sandbox.transcript.note(self._sandbox.clock.now(), f"control: {trouble}")

        return perform

    async def _clear_faults(self, _request: web.Request) -> web.StreamResponse:
        self._sandbox.faults.clear()
        return web.Response(status=204)

    async def _remove_fault(self, request: web.Request) -> web.StreamResponse:
        raw = request.match_info["number"]
        self._sandbox.faults.remove(snowflake.parsed(raw) or 0)
        return web.Response(status=204)

    async def _run_command(self, request: web.Request) -> web.StreamResponse:
        prepare(self._sandbox, await _object(request))()
        return web.Response(status=204)

    async def _change_limits(self, request: web.Request) -> web.StreamResponse:
        body, limits = await _object(request), self._sandbox.limits
        known = asdict(limits)
        for name, value in body.items():
            if name not in known or isinstance(value, bool) or not isinstance(value, int | float):
                raise ControlCommandError(f"{name!r} is no limit, or its value no number; there are {', '.join(known)}")
        for name, value in body.items():
            setattr(limits, name, type(known[name])(value))
        return _json(asdict(limits))

    async def _transcript(self, _request: web.Request) -> web.StreamResponse:
        return web.Response(text=self._sandbox.transcript.text())

    async def _forget_transcript(self, _request: web.Request) -> web.StreamResponse:
        self._sandbox.transcript.clear()
        return web.Response(status=204)


async def _object(request: web.Request) -> JsonObject:
    """The body as a JSON object; one that another site's form could send is refused."""
    if request.content_type != "application/json":
        raise ControlCommandError("the body is JSON, and says so")
    try:
        body = wire.read(await request.read())
    except ValueError:
        raise ControlCommandError("the body is no JSON") from None
    if not isinstance(body, dict):
        raise ControlCommandError("the body is an object")
    return body


def _json(body: object, status: int = 200) -> web.Response:
    return web.Response(status=status, body=wire.write(body), content_type="application/json")
