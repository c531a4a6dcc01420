"""How much memory asyncio takes for one read from a connection.

It takes 256 KiB (CPython 3.11 to 3.14), keeps what was received and gives the rest back. What is kept for a while, such
as an answer that is being worked on, then lies in the middle of a gap that the next read doesn't fit into. So the
process grew by a MiB a minute under load, although it kept nothing more. Discord's messages are a few KiB long; a
longer one takes several reads.
"""

from __future__ import annotations

from asyncio import selector_events, sslproto
from typing import Any, Final

READ_SIZE: Final = 16 * 1024
"""Bytes. TLS has no longer records."""

READERS: Final[tuple[Any, ...]] = (
    selector_events._SelectorSocketTransport,  # type: ignore[attr-defined]
    sslproto.SSLProtocol,
)
"""What asyncio reads with, plain and over TLS. The library offers no setting, but an attribute of each."""


def read_in_small_pieces() -> None:
    """Let every connection that asyncio opens in this process read this much at once."""
    for reader in READERS:
        reader.max_size = READ_SIZE
