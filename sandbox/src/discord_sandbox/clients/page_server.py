"""The web page's side: its static files, the list of people, and a socket for each open page.

The page asks for its files at addresses that name their version, so a browser keeps them until they change. Anybody may
have these files. The list of people and the sockets are for pages that know the sandbox's page key, because another
user of this machine can reach its addresses, too.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import re
from pathlib import Path

from aiohttp import web

from discord_sandbox.clients.page_payloads import person_payload
from discord_sandbox.clients.page_socket import PageSocket
from discord_sandbox.model import snowflake, wire
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service.backend import Backend

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
_KEPT = {**_HEADERS, "Cache-Control": "max-age=31536000, immutable"}
"""Of what never changes under its address."""
_FILES = "/static/"
_VERSION = re.compile(r"[0-9a-f]{16}/")
_ASSET = re.compile(r"(?:[a-z-]+/)*[a-z-]+\.(?:css|html|js|svg)")
"""A path within the page's folder. Folder names have no dots, so no path can lead out of the folder."""

_LARGEST_FRAME = 15 * 1024 * 1024  # a file of 10 MiB in base64, and words around it
KEY_HEADER = "X-Page-Key"
"""Where the page's requests carry the key. A socket's address carries it, because a browser sends no headers there."""


class PageServer:
    """Serves the page, and keeps a `PageSocket` for every page that is open."""

    def __init__(self, backend: Backend, key: str) -> None:
        self._backend = backend
        self._key = key
        self._sockets: set[PageSocket] = set()

    def add_routes(self, app: web.Application) -> None:
        """Add the page's routes to `app`."""
        app.router.add_get("/", self._index)
        app.router.add_get(_FILES + "{path:.+}", self._static)
        app.router.add_get("/world", self._world)
        app.router.add_get("/socket", self._socket)

    async def close(self) -> None:
        """Close every page socket."""
        await asyncio.gather(*(page_socket.close() for page_socket in tuple(self._sockets)))

    def _check_key(self, given: str) -> None:
        if not hmac.compare_digest(given.encode(), self._key.encode()):
            raise web.HTTPForbidden(headers=_HEADERS, text="the key at the end of the address is missing or old")

    async def _index(self, _request: web.Request) -> web.StreamResponse:
        page = (STATIC / "index.html").read_text(encoding="utf-8").replace(_FILES, f"{_FILES}{version()}/")
        return web.Response(text=page, content_type="text/html", headers=_HEADERS)

    async def _static(self, request: web.Request) -> web.StreamResponse:
        path = request.match_info["path"]
        named = _VERSION.match(path)
        return _file(path[named.end() :], _KEPT) if named else _file(path, _HEADERS)

    async def _world(self, request: web.Request) -> web.StreamResponse:
        self._check_key(request.headers.get(KEY_HEADER, ""))
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
        self._check_key(request.query.get("key", ""))
        user = self._backend.world.users.get(snowflake.parsed(request.query.get("person", "")) or 0)
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


def version() -> str:
    """The version of the page's files. It changes with every file."""
    seen = hashlib.sha256()
    for file in sorted(STATIC.rglob("*.*")):
        about = file.stat()
        seen.update(f"{file} {about.st_mtime_ns} {about.st_size}\n".encode())
    return seen.hexdigest()[:16]


def _file(path: str, headers: dict[str, str]) -> web.StreamResponse:
    if not _ASSET.fullmatch(path) or not (STATIC / path).is_file():
        raise web.HTTPNotFound(headers=_HEADERS, text="there is no such file")
    return web.FileResponse(STATIC / path, headers=headers)
