"""Packs the log of a finished match into one row, and unpacks it: the format of `packed_logs.log`, which is kept for
ever.

A packed log is one byte, the format's number (1); four bytes, the CRC-32 of all that follow (the first is the highest);
and a raw LZMA stream (LZMA1 without a header, with lc, lp and pb 0, a dictionary of 1 MiB, and the marker of its end).
What is in it is UTF-8 in lines, between which stands a line feed, of a log of n records::

    the actors: a seat's number for each record, joined by commas; nothing for the clock and the deal
    the times: ms since 1970, UTC, of the first record, then for each other one how much later it is, joined by commas
    the computers: the level and version of the computer player that made each act, joined by commas; nothing for others
    the action and the events of each record, 2n lines, as they were stored; an empty line for no action

What is left out follows: `seq` counts from 0, and the values of the chain (`bot.store.verification`) are worked out
again from the match's id. The last is in the match's result, so a changed log is found as before. Interactions are not
kept (`bot.play.log_packing`).

A stored text is JSON on one line, so no line feed in it can be taken for one between two values. What does not come
back as it was is not packed.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NamedTuple

FORMAT: Final = b"\x01"
_STREAM: Final = 5
"""Where the stream begins."""
_FILTERS: Final = (
    {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "lc": 0, "lp": 0, "pb": 0},
)
_HEADS: Final = 3
"""The lines before the first action."""


class DamagedLog(ValueError):  # noqa: N818  says what was found
    """A packed log can't be unpacked: it was altered, or a later program packed it."""


class Entry(NamedTuple):
    """What a log says of one record beside its place: all that its link in the chain is made of."""

    actor: int | None
    action: str | None
    events: str
    at: int
    computer: str | None


def pack(entries: Sequence[Entry]) -> bytes:
    """A log as one text of bytes. Raises ValueError for a log that could not be unpacked as it is."""
    times = [entry.at for entry in entries]
    heads = (
        ["" if entry.actor is None else str(entry.actor) for entry in entries],
        [str(at - before) for before, at in zip([0, *times], times, strict=False)],
        [entry.computer or "" for entry in entries],
    )
    lines = [",".join(head) for head in heads]
    for entry in entries:
        lines += (entry.action or "", entry.events)
    stream = lzma.compress("\n".join(lines).encode(), lzma.FORMAT_RAW, filters=_FILTERS)
    packed = FORMAT + _checksum(stream) + stream
    if unpack(packed) != list(entries):
        raise ValueError("a text of this log is on several lines")
    return packed


def unpack(packed: bytes) -> list[Entry]:
    """The entries of a packed log. Raises DamagedLog."""
    stream = packed[_STREAM:]
    if packed[:_STREAM] != FORMAT + _checksum(stream):
        raise DamagedLog
    try:
        return _entries(lzma.decompress(stream, lzma.FORMAT_RAW, filters=_FILTERS).decode().split("\n"))
    except (lzma.LZMAError, EOFError, ValueError):  # of a number, of the lengths, or of UTF-8
        raise DamagedLog from None


def _checksum(stream: bytes) -> bytes:
    return zlib.crc32(stream).to_bytes(4)


def _entries(lines: Sequence[str]) -> list[Entry]:
    actors, times, computers = (line.split(",") for line in lines[:_HEADS])
    columns = zip(
        [int(actor) if actor else None for actor in actors],
        [action or None for action in lines[_HEADS::2]],
        lines[_HEADS + 1 :: 2],
        accumulate(map(int, times)),
        [computer or None for computer in computers],
        strict=True,
    )
    return list(map(Entry._make, columns))
