"""How gateway frames travel: as text, or compressed as the client asks.

Transport compression is one stream per connection, requested in the gateway's address. Payload compression packs large
payloads one by one; it is requested in IDENTIFY if there is no transport compression. Source: Discord's developer
documentation, "Transport Compression" and "Payload Compression".
"""

from __future__ import annotations

import zlib
from typing import Protocol


class Stream(Protocol):
    """Turns each JSON payload into the bytes of one binary frame, or leaves it as a text frame."""

    def pack(self, payload: bytes) -> bytes | str: ...


class Plain:
    """No compression: text frames."""

    def pack(self, payload: bytes) -> str:
        return payload.decode()


class PackedPayloads:
    """Each large payload is a zlib stream of its own; small ones are text."""

    LARGE = 1024
    """Bytes; Discord packs "some" payloads and does not say which."""

    def pack(self, payload: bytes) -> bytes | str:
        return payload.decode() if len(payload) < self.LARGE else zlib.compress(payload, level=1)


class ZlibStream:
    """One zlib context for the connection; every frame ends with a sync flush."""

    def __init__(self) -> None:
        self._context = zlib.compressobj(level=1)  # loopback: time matters, size does not

    def pack(self, payload: bytes) -> bytes:
        return self._context.compress(payload) + self._context.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """One zstd frame for the connection, of raw blocks: valid zstd, but without compression.

    So it needs no zstd module, which Python has only since 3.14. Source: RFC 8878, section 3.1.1.
    """

    _MAGIC = b"\x28\xb5\x2f\xfd"
    _DESCRIPTOR = b"\x00"  # no checksum, no dictionary, no content size; a window descriptor follows
    _WINDOW = b"\x38"  # 128 KiB: exponent 7, mantissa 0
    _LARGEST_BLOCK = 128 * 1024

    def __init__(self) -> None:
        self._begun = False

    def pack(self, payload: bytes) -> bytes:
        blocks = [b"" if self._begun else self._MAGIC + self._DESCRIPTOR + self._WINDOW]
        self._begun = True
        for start in range(0, len(payload), self._LARGEST_BLOCK):
            block = payload[start : start + self._LARGEST_BLOCK]
            blocks += (len(block) << 3).to_bytes(3, "little"), block  # raw (type 0), and never the last
        return b"".join(blocks)


def stream_for(asked: str | None) -> Stream | None:
    """The stream that a client requests in its address; None for an unknown one."""
    if asked is None:
        return Plain()
    if asked == "zlib-stream":
        return ZlibStream()
    if asked == "zstd-stream":
        return ZstdStream()
    return None
