"""A bot that waits in one phase of its life: `python -m tests.faults.held_bot`, with the phase in `HOLD_IN`.

It writes `held in PHASE` to standard error once it is there, and gets a second to end instead of ten. With `FILE_SIZE`
the disk takes no file of more bytes than that.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import resource
import socket
import sys
import time
from typing import Any

from bot import __main__ as the_bot
from bot.play.match_registry import MatchRegistry
from bot.play.restoring import MatchRestorer
from bot.store.sqlite import schema
from bot.store.sqlite.store import SqliteStore
from cogs.startup import Startup
from tests.faults import waits

PHASES = ("opening the store", "taking up matches", "closing the matches", "closing the store")
"""What a bot does that no answer of Discord's can hold."""
NAMING = "asking for a name"
"""The name server says nothing."""
RESTORING = "restoring the second match"
"""One match is in play again, and presses on it are answered, while the others still wait."""
LONG = 60.0


def _note(phase: str) -> bool:
    """Whether this is the phase to wait in; it is said then."""
    if os.environ.get("HOLD_IN") != phase:
        return False
    sys.stderr.write(f"held in {phase}\n")
    sys.stderr.flush()
    return True


def hold() -> None:
    """Patch each phase so that it waits if it is the one named. Every patched method does what the original does."""
    connect, begin, look_up = schema.connect, MatchRestorer.begin, socket.getaddrinfo
    close_app, close_store, restore = Startup.close, SqliteStore.close, MatchRegistry.restore
    begun = itertools.count(1)

    def connect_slowly(*given: Any, **named: Any) -> Any:
        if _note("opening the store"):
            time.sleep(LONG)  # in the database's own thread, which nothing can cancel
        return connect(*given, **named)

    def look_up_slowly(*given: Any, **named: Any) -> Any:
        if _note(NAMING):
            time.sleep(LONG)
        return look_up(*given, **named)

    async def begin_slowly(restorer: MatchRestorer) -> Any:
        if _note("taking up matches"):
            await asyncio.sleep(LONG)
        return await begin(restorer)

    async def restore_slowly(registry: MatchRegistry, *given: Any, **named: Any) -> Any:
        if next(begun) == 2 and _note(RESTORING):
            await asyncio.sleep(LONG)
        return await restore(registry, *given, **named)

    async def close_app_slowly(app: Startup) -> None:
        if _note("closing the matches"):
            await asyncio.sleep(LONG)
        await close_app(app)

    async def close_store_slowly(store: SqliteStore) -> None:
        if _note("closing the store"):
            await asyncio.sleep(LONG)
        await close_store(store)

    patched: tuple[tuple[Any, str, Any], ...] = (
        (schema, "connect", connect_slowly),
        (socket, "getaddrinfo", look_up_slowly),
        (MatchRestorer, "begin", begin_slowly),
        (MatchRegistry, "restore", restore_slowly),
        (Startup, "close", close_app_slowly),
        (SqliteStore, "close", close_store_slowly),
    )
    for owner, name, method in patched:
        setattr(owner, name, method)


if __name__ == "__main__":
    os.environ["ENDS_WITHIN"] = "1"
    waits.shorten()
    hold()
    if most := os.environ.get("FILE_SIZE"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(most), int(most)))
    sys.exit(the_bot.main())
