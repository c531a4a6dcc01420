"""What a port of this machine serves."""

from __future__ import annotations

import socket
from collections.abc import Mapping

import aiohttp

SERVED_WITHIN = 60.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def get(port: int, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
    within = aiohttp.ClientTimeout(total=SERVED_WITHIN)
    async with (
        aiohttp.ClientSession(timeout=within, headers=headers) as session,
        session.get(f"http://127.0.0.1:{port}{path}") as answer,
    ):
        return answer.status, await answer.text()
