"""How gateway frames travel: as text, or in one compressed stream for each connection.

Source: Discord's developer documentation, "Transport Compression".
"""

from __future__ import annotations

import importlib
import zlib
from typing import Protocol


class Stream(Protocol):
    """Turns each JSON payload into the bytes of one binary frame, or leaves it to be a text frame."""

    def pack(self, payload: bytes) -> bytes | str: ...


class Plain:
    """No compression: text frames."""

    def pack(self, payload: bytes) -> bytes | str:
        return payload.decode()


class ZlibStream:
    """One zlib context for the connection; every frame ends with a sync flush."""

    def __init__(self) -> None:
        self._context = zlib.compressobj(level=1)  # loopback: time matters, size does not

    def pack(self, payload: bytes) -> bytes | str:
        return self._context.compress(payload) + self._context.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """One zstd frame for the connection, flushed at every payload. Needs Python 3.14's own zstd."""

    def __init__(self) -> None:
        self._module = importlib.import_module("compression.zstd")
        self._context = self._module.ZstdCompressor()

    def pack(self, payload: bytes) -> bytes | str:
        packed: bytes = self._context.compress(payload, self._context.FLUSH_BLOCK)
        return packed


def stream_for(asked: str | None) -> Stream | None:
    """The stream a client asks for in its address; None if this Python does not have it."""
    if asked is None:
        return Plain()
    if asked == "zlib-stream":
        return ZlibStream()
    if asked == "zstd-stream":
        try:
            return ZstdStream()
        except ImportError:
            return None
    return None
