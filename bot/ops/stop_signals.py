"""What ends the process when it is asked to stop before the bot itself listens (`bot.__main__.run_until_stopped`).

It imports nothing large: it is called before the imports of `bot.__main__`, which take a second.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType
from typing import Final

ENDS_WITHIN: Final = 10.0
"""Seconds after the request to stop until the process ends, whatever still runs."""
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def end_on_signals() -> None:
    """From now on SIGINT and SIGTERM end the process with 0. What it has opened is closed.

    Must be called in the main thread. An event loop that adds its own handlers for these signals replaces this.
    """
    for number in STOP_SIGNALS:
        signal.signal(number, _end)


def _end(_number: int, _frame: FrameType | None) -> None:
    last_moment = threading.Timer(ENDS_WITHIN, os._exit, (0,))  # a thread may still be opening the database
    last_moment.daemon = True
    last_moment.start()
    sys.exit(0)
