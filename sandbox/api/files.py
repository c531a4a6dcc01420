"""Uploaded files, served back under the address their attachment names."""

from __future__ import annotations

from aiohttp import web

from sandbox.backend import Backend


def add_routes(app: web.Application, backend: Backend) -> None:
    """Serve every stored file."""

    async def serve(request: web.Request) -> web.StreamResponse:
        raw_id = request.match_info["attachment_id"]
        stored = backend.attachments.files.get(int(raw_id)) if raw_id.isdecimal() else None
        if stored is None:
            raise web.HTTPNotFound
        return web.Response(
            body=stored.content,
            content_type=stored.content_type,
            headers={"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox"},
        )

    app.router.add_get("/attachments/{attachment_id}/{filename}", serve)
