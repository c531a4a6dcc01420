"""Telling who started the bot that it answers, as sd_notify(3) of systemd has it.

Whoever wants to know names a Unix datagram socket in NOTIFY_SOCKET and is sent `READY=1` there, once: `cardroom run`
does, and systemd with `Type=notify`. The heartbeat cannot tell that, since a bot that waits for its turn is well too.
"""

from __future__ import annotations

import logging
import os
import socket
from typing import Final

VARIABLE: Final = "NOTIFY_SOCKET"
READY: Final = b"READY=1"

_log = logging.getLogger(__name__)


def tell() -> None:
    """Say that presses and commands are answered from now on. Without a socket, or one that fails, nothing happens."""
    address = os.environ.get(VARIABLE)
    if not address:
        return
    if address.startswith("@"):  # Linux's abstract names begin with a zero byte, which no variable can hold
        address = f"\0{address[1:]}"
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)
            line.sendto(READY, address)
    except OSError as error:
        _log.warning("who started the bot could not be told that it is ready: %s", error.strerror)
