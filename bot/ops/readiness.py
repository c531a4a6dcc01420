"""Tells the process that started the bot when the bot is ready, by the protocol of systemd's sd_notify(3).

That process names a Unix datagram socket in NOTIFY_SOCKET and receives `READY=1` there, once. `cardroom run` does so,
and systemd with `Type=notify`. The heartbeat cannot report this, because a bot that waits to identify has a fresh
heartbeat too.
"""

from __future__ import annotations

import logging
import os
import socket
from typing import Final

VARIABLE: Final = "NOTIFY_SOCKET"
READY: Final = b"READY=1"

_log = logging.getLogger(__name__)


def report_ready() -> None:
    """Report that the bot answers presses and commands from now on. Does nothing without a socket; a failure is
    logged."""
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
