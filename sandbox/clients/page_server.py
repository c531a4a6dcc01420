"""The web page's side: its static files, the list of people, and a socket for each open page.

The page is for people at this machine. A request that names another host or comes from another site's page is
refused.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

from sandbox.clients.page_payloads import person_payload
from sandbox.clients.page_socket import PageSocket
from sandbox.model import wire
from sandbox.model.wire import JsonObject
from sandbox.service.backend import Backend

STATIC = Path(__file__).parents[1] / "page"
_POLICY = (
    "default-src 'self'; img-src 'self' data:; connect-src 'self' ws:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}
_ASSET = re.compile(r"(?:[a-z-]+/)*[a-z-]+\.(?:css|html|js|svg)")
"""A path within the page's folder. Folder names have no dots, so no path can lead out of the folder."""

_LARGEST_FRAME = 15 * 1024 * 1024  # a file of 10 MiB in base64, and words around it
_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})


class PageServer:
    """Serves the page, and keeps a `PageSocket` for every page that is open."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._sockets: set[PageSocket] = set()

    def add_routes(self, app: web.Application) -> None:
        """Add the page's routes to `app`."""
        app.router.add_get("/", self._index)
        app.router.add_get("/static/{path:.+}", self._static)
        app.router.add_get("/world", self._world)
        app.router.add_get("/socket", self._socket)

    async def close(self) -> None:
        """Close every page socket."""
        await asyncio.gather(*(page_socket.close() for page_socket in tuple(self._sockets)))

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return _file(request, "index.html")

    async def _static(self, request: web.Request) -> web.StreamResponse:
        return _file(request, request.match_info["path"])

    async def _world(self, request: web.Request) -> web.StreamResponse:
        check_host(request)
        body = wire.write(self._describe())
        return web.Response(body=body, content_type="application/json", headers=_HEADERS)

    def _describe(self) -> JsonObject:
        """The people to choose from. What they see depends on the person, so the page socket sends it."""
        world = self._backend.world
        return {
            "people": [person_payload(each) for each in world.people],
            "application": {"id": str(world.application.id), "name": world.application.name},
        }

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        check_host(request)
        raw = request.query.get("person", "")
        user = self._backend.world.users.get(int(raw)) if raw.isdecimal() else None
        if user is None or user.bot:
            raise web.HTTPNotFound(text="there is no such person")
        socket = web.WebSocketResponse(heartbeat=30.0, compress=False, timeout=0.5, max_msg_size=_LARGEST_FRAME)
        await socket.prepare(request)
        page_socket = PageSocket(self._backend, user, socket)
        self._sockets.add(page_socket)
        try:
            await page_socket.run()
        finally:
            self._sockets.discard(page_socket)
        return socket


def check_host(request: web.Request) -> None:
    """Refuse a foreign host name, which would be DNS rebinding, and another site's page."""
    if urlsplit(f"//{request.host}").hostname not in _HOSTS:
        raise web.HTTPForbidden(text="this page is for its own machine")
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise web.HTTPForbidden(text="this page speaks to its own origin only")


def _file(request: web.Request, path: str) -> web.StreamResponse:
    check_host(request)
    if not _ASSET.fullmatch(path) or not (STATIC / path).is_file():
        raise web.HTTPNotFound(headers=_HEADERS, text="there is no such file")
    return web.FileResponse(STATIC / path, headers=_HEADERS)
