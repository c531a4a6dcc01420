"""The HTTP API on its addresses: requests are read here and passed to the request pipeline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import Final

from aiohttp import web
from aiohttp.multipart import BodyPartReader

from discord_sandbox.api.call import Call
from discord_sandbox.api.middleware import RequestPipeline
from discord_sandbox.api.route_table import ADDRESSES, Endpoint
from discord_sandbox.model import errors, snowflake
from discord_sandbox.service.backend import Backend
from discord_sandbox.validation.attachments import MOST_BYTES, MOST_FILES, Upload

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_BACKEND: Final = web.AppKey("backend", Backend)


def add_routes(app: web.Application, backend: Backend, prefixes: tuple[str, ...]) -> None:
    """Add every route of the API under each prefix, and a JSON 404 for everything else there."""
    app[_BACKEND] = backend
    for resource in _resources(prefixes):
        app.router.register_resource(resource)


@cache
def _resources(prefixes: tuple[str, ...]) -> tuple[web.AbstractResource, ...]:
    """The addresses of all routes, which know no sandbox: many sandboxes in one process share them, because making
    them takes longer than all else at a start."""
    made = web.UrlDispatcher()
    for prefix in prefixes:
        for address in (*ADDRESSES, _ELSEWHERE):
            made.add_route(address.method, prefix + address.path, _handler(address, prefix))
    return tuple(made.resources())


def _nowhere(_call: Call) -> None:
    raise errors.no_such_route()


_ELSEWHERE = Endpoint("*", "/{rest:.*}", _nowhere, open=True)


def _handler(address: Endpoint, prefix: str) -> Handler:
    async def handle(request: web.Request) -> web.StreamResponse:
        raw, uploads = await _read(request)
        pipeline = RequestPipeline(request.app[_BACKEND], address, prefix)
        return await pipeline.pass_through(request, raw, uploads)

    return handle


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
        elif name.startswith("files[") and name.endswith("]") and snowflake.parsed(name[6:-1]) is not None:
            index = int(name[6:-1])
            uploads[index] = Upload(index, part.filename or "unknown", content)
    return raw, uploads


MOST_REQUEST_BYTES = MOST_FILES * MOST_BYTES + 2**20
