"""A worker that reads logs of unfinished matches (`bot.workers`). `python -m bot.play.restoring.log_worker` runs it.

What it cannot read, whatever the reason, it leaves to the bot, which then finds the same and says so.
"""

from __future__ import annotations

import gc
from typing import Final

from bot.play.facts.replayed_log import ReplayedLog
from bot.play.match_state import MatchState
from bot.play.restoring.log_packing import SavedLog, pack_found, unpack_logs
from bot.store.verification import verify
from bot.workers.serving import serve

MODULE: Final = "bot.play.restoring.log_worker"
"""What Python runs: this module."""


def replied(request: bytes) -> bytes:
    """What the worker replies to a request."""
    return pack_found([read(saved) for saved in unpack_logs(request)])


def read(saved: SavedLog) -> ReplayedLog | None:
    """What a log says that was not altered; None if it cannot be read."""
    row, records = saved
    try:
        verify(row, records, None)
        return MatchState(row).read_log(records)
    except Exception:  # noqa: BLE001  the bot reads it too, and finds out what is wrong
        return None


if __name__ == "__main__":
    gc.disable()  # a quarter faster: what it makes has no cycles, and it lives for a minute
    serve(replied)
