"""Keeps a process from speaking to Discord while another may have taken its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import aiohttp


class Silenced(aiohttp.ClientConnectionError):
    """No request is sent, because this process may have been replaced."""


def close_while(connector: aiohttp.BaseConnector, silent: Callable[[], bool]) -> None:
    """Refuse every new request of a connector while `silent()`. Requests under way are not cut."""
    connect = connector.connect

    async def guarded(*args: Any, **kwargs: Any) -> Any:
        if silent():
            raise Silenced("another process may serve these shards")
        return await connect(*args, **kwargs)

    connector.connect = guarded  # type: ignore[method-assign]  # whatever sends requests asks the connector
