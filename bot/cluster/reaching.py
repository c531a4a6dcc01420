"""Whether the server can be reached, and why not, in words that contain nothing of the address.

The driver's messages are not shown: they quote what it could not read, which may be a password. libpq gives no codes
for connections that fail, so the reason is found in the server's own words. A server that speaks another language than
English is taken for one that does not answer.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from bot.cluster.link import WRITABLE
from bot.store.errors import AccessRefused, StoreError, Unreachable

WAITS: Final = 60.0
"""Seconds that a start waits for a server that does not answer: both may have been started together."""
ATTEMPT: Final = 5
"""Seconds for one attempt."""
PAUSE: Final = 1.0
"""Seconds between two attempts."""

_REFUSALS: Final = {
    "password authentication failed": "it doesn't accept the role or the password",
    "authentication failed": "it doesn't accept the role",
    "no password supplied": "it wants a password",
    "no pg_hba.conf entry": "its pg_hba.conf lets nobody in from here with this role",
    "role": "it has no such role",
    "database": "it has no such database",
    "SSL was required": "it has no SSL, and the address wants it",
    "certificate": "its certificate can't be verified",
}
"""What a refusal's message contains, and what that means. The first that fits counts."""
_NAMED: Final = ("role", "database")
"""Those of these words are about something that the message names, and that does not exist."""
_READ_ONLY: Final = "session is read-only"
"""What is said of a standby. It may be about to take over."""

_log = logging.getLogger(__name__)


def reach(address: str, name: str) -> None:
    """Connect once and close the connection. `name` is what messages call the database.

    Raises Unreachable or AccessRefused.
    """
    try:
        settings: dict[str, Any] = {"connect_timeout": ATTEMPT, **WRITABLE, **conninfo_to_dict(address)}
        psycopg.connect(**settings).close()
    except (psycopg.ProgrammingError, UnicodeError):  # the second for bytes and names of hosts that no text has
        raise AccessRefused(f"the address of the {name} can't be read") from None
    except psycopg.Error as error:
        raise _explained(str(error), name) from None


async def wait_for(address: str, name: str, within: float = WAITS) -> None:
    """Wait until the server can be reached, for at most `within` seconds. Raises Unreachable or AccessRefused."""
    until = time.monotonic() + within
    waits = False
    while True:
        try:
            await asyncio.to_thread(reach, address, name)
        except Unreachable:
            if time.monotonic() >= until:
                raise
        else:
            return
        if not waits:
            _log.warning("the %s doesn't answer: waiting up to %.0f s for it", name, within)
            waits = True
        await asyncio.sleep(PAUSE)


def _explained(message: str, name: str) -> StoreError:
    for words, reason in _REFUSALS.items():
        if words in message and (words not in _NAMED or (f'{words} "' in message and "does not exist" in message)):
            return AccessRefused(f"the {name} can't be used: {reason}")
    if _READ_ONLY in message:
        return Unreachable(f"the {name} can't be written: the server that answers is a standby")
    return Unreachable(f"the {name} can't be reached")
