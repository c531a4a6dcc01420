"""How this process reports that it is ready, and what ends it before the bot itself listens for signals.

It imports nothing large: `end_on_signals` is called before the imports of `bot.__main__`, which take a second.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
from types import FrameType
from typing import Final

ENDS_WITHIN: Final = 10.0
"""Seconds after the request to stop until the process ends, whatever still runs."""
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)

VARIABLE: Final = "NOTIFY_SOCKET"
READY: Final = b"READY=1"

_log = logging.getLogger(__name__)


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


def report_ready() -> None:
    """Report that the bot answers presses and commands from now on, by the protocol of systemd's sd_notify(3).

    The process that started the bot names a Unix datagram socket in NOTIFY_SOCKET and receives `READY=1` there, once.
    `cardroom run` does so, and systemd with `Type=notify`. The heartbeat cannot report this, because a bot that waits
    to identify has a fresh heartbeat too. Does nothing without a socket; a failure is logged.
    """
    address = os.environ.get(VARIABLE)
    if not address:
        return
    if address.startswith("@"):  # Linux's abstract names begin with a zero byte, which a variable cannot contain
        address = f"\0{address[1:]}"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.sendto(READY, address)
    except OSError as error:
        _log.warning("could not report to the process that started the bot: %s", error.strerror)
