"""What each request to the HTTP API passes through before its route, and its answer after.

Interaction and webhook routes need no bot token: the one in the address suffices.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web
from aiohttp.multipart import BodyPartReader

from sandbox import errors, wire
from sandbox.api.addresses import ADDRESSES, Address
from sandbox.api.call import Call
from sandbox.attachments import MOST_BYTES, MOST_FILES, Upload
from sandbox.backend import Backend
from sandbox.errors import ApiError
from sandbox.ratelimit import TooManyRequestsError

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_MAJOR = ("channel_id", "guild_id", "application_id")
_NO_HEADERS: Mapping[str, str] = {}


def add_routes(app: web.Application, backend: Backend, prefixes: tuple[str, ...]) -> None:
    """Put every address under each prefix, and a JSON 404 under everything else there."""
    for prefix in prefixes:
        for address in ADDRESSES:
            app.router.add_route(address.method, prefix + address.path, _handler(backend, address))
        app.router.add_route("*", prefix + "/{rest:.*}", _unknown)


async def _unknown(_request: web.Request) -> web.StreamResponse:
    return _json(404, errors.no_such_route().body())


def _handler(backend: Backend, address: Address) -> Handler:
    bucket = f"{address.method} {address.path}"

    async def handle(request: web.Request) -> web.StreamResponse:
        raw, uploads = await _read(request)
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
            if not address.open:
                if request.headers.get("Authorization") != f"Bot {backend.world.application.token}":
                    raise errors.unauthorized()
                major = next((call.route[key] for key in _MAJOR if key in call.route), "")
                headers = backend.rate_limits.take(bucket, major)
            call.body = _parse(raw)
            answer = address.route(call)
            status = 204 if answer is None else call.status
            packed = b"" if answer is None else wire.write(answer)
        except ApiError as refusal:
            if isinstance(refusal, TooManyRequestsError):
                headers = refusal.headers
            status, packed = refusal.status, wire.write(refusal.body())
        backend.transcript.request(
            at=backend.clock.now(),
            method=request.method,
            path=request.path,
            raw=raw,
            status=status,
            raw_answer=packed,
            audience=call.audience,
        )
        backend.feed.stir()
        if status == 204:
            return web.Response(status=204, headers=headers)
        return web.Response(status=status, body=packed, content_type="application/json", headers=headers)

    return handle


def _json(status: int, body: object) -> web.Response:
    return web.Response(status=status, body=wire.write(body), content_type="application/json")


def _parse(raw: bytes) -> object:
    if not raw:
        return None
    try:
        return wire.read(raw)
    except ValueError:
        raise errors.unreadable_body() from None


async def _read(request: web.Request) -> tuple[bytes, Mapping[int, Upload]]:
    """The JSON of a request, and the files that came with it."""
    if not request.content_type.startswith("multipart/"):
        return await request.read(), {}
    raw = b""
    uploads: dict[int, Upload] = {}
    reader = await request.multipart()
    async for part in reader:
        if not isinstance(part, BodyPartReader):
            continue
        name = part.name or ""
        content = bytes(await part.read(decode=True))
        if name == "payload_json":
            raw = content
        elif name.startswith("files[") and name.endswith("]") and name[6:-1].isdecimal():
            index = int(name[6:-1])
            uploads[index] = Upload(index, part.filename or "unknown", content)
    return raw, uploads


MOST_REQUEST_BYTES = MOST_FILES * MOST_BYTES + 2**20
