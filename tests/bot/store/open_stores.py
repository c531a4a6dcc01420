"""Stores that are closed again, whatever happens to who has them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import TypeVar

from bot.store.store import Store

S = TypeVar("S", bound=Store)


@asynccontextmanager
async def closed_after(opening: Awaitable[S]) -> AsyncIterator[S]:
    """The store that is being opened, closed at the end of the block."""
    store = await opening
    try:
        yield store
    finally:
        await store.close()
