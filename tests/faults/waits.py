"""The waits of a bot that is a process of its own, shortened where nothing is shown by their length: they are real.

The environment can name others: `SERVERS_WITHIN` for the seconds after the last server until the library says that it
has heard of all, `IDLE_AFTER` for the seconds after the last write until the database counts as idle, `ENDS_WITHIN` for
those in which it must end once it is told to.
"""

from __future__ import annotations

import os
from typing import Any, Final

from discord.state import AutoShardedConnectionState

from bot.ops import process
from bot.store.sqlite import upkeep
from cogs.tournaments import rounds

SERVERS_WITHIN: Final = 0.2
"""The library's own is 2. The sandbox tells of all servers at once."""

BREAK: Final = 300
"""Milliseconds between two rounds of a tournament."""


def shorten() -> None:
    """Patch what waits. To be called before the client and the store are made."""
    begin = AutoShardedConnectionState.__init__
    servers_within = float(os.environ.get("SERVERS_WITHIN", SERVERS_WITHIN))

    def begin_quickly(state: AutoShardedConnectionState[Any], **options: Any) -> None:
        begin(state, **{**options, "guild_ready_timeout": servers_within})

    setattr(AutoShardedConnectionState, "__init__", begin_quickly)  # noqa: B010  mypy allows no assignment to a method
    vars(rounds)["BREAK"] = BREAK
    vars(upkeep)["QUIET"] = float(os.environ.get("IDLE_AFTER", upkeep.QUIET))
    vars(process)["ENDS_WITHIN"] = float(os.environ.get("ENDS_WITHIN", process.ENDS_WITHIN))
