"""Packs the log of a finished match into one row, and unpacks it: the format of `packed_logs.log`, which is kept for
ever.

A packed log is one byte, the format's number (1 or 2); four bytes, the CRC-32 of all that follow (the first is the
highest); and a raw LZMA stream (LZMA1 without a header, with lc, lp and pb 0, a dictionary of 1 MiB, and the marker of
its end). In format 2 the stream lacks its beginning, which is the first 4464 bytes of `log_beginning.lzma`; what they
make, 43004 bytes, is not part of the log. They are pieces of a log of each game, so that what logs have in common is
not written again in each.

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
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Final, NamedTuple

FORMAT: Final = b"\x02"
WHOLE: Final = b"\x01"
"""The former format, which is written only where the library makes another stream."""
_STREAM: Final = 5
"""Where the stream begins."""
_BEGINNING: Final = (Path(__file__).parent / "log_beginning.lzma").read_bytes()
_SHARED: Final = _BEGINNING[:4464]
"""With this begins the stream of whatever follows the text of the beginning."""
_FILTERS: Final = (
    {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 20, "lc": 0, "lp": 0, "pb": 0},
)
_HEADS: Final = 3
"""The lines before the first action."""


class DamagedLog(ValueError):  # noqa: N818  says what was found
    """A packed log can't be unpacked: it was altered, or a later program packed it."""


class Entry(NamedTuple):
    """What a log says of one record beside its number: all that its link in the chain is made of."""

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
    packed = _packed("\n".join(lines).encode())
    if unpack(packed) != list(entries):
        raise ValueError("a text of this log is on several lines")
    return packed


def unpack(packed: bytes) -> list[Entry]:
    """The entries of a packed log. Raises DamagedLog."""
    number, stream = packed[:1], packed[_STREAM:]
    if number not in {WHOLE, FORMAT} or packed[1:_STREAM] != _checksum(stream):
        raise DamagedLog
    try:
        if number == WHOLE:
            return _entries(_decompressed(stream))
        return _entries(_decompressed(_SHARED + stream)[len(_text_of_beginning()) :])
    except (lzma.LZMAError, EOFError, ValueError):  # of a number, of the lengths, or of UTF-8
        raise DamagedLog from None


def _packed(text: bytes) -> bytes:
    beginning = _text_of_beginning()
    stream = lzma.compress(beginning + text, lzma.FORMAT_RAW, filters=_FILTERS)
    if stream.startswith(_SHARED):
        number, stream = FORMAT, stream[len(_SHARED) :]
    else:
        number, stream = WHOLE, lzma.compress(text, lzma.FORMAT_RAW, filters=_FILTERS)
    return number + _checksum(stream) + stream


@cache
def _text_of_beginning() -> bytes:
    return _decompressed(_BEGINNING)


def _decompressed(stream: bytes) -> bytes:
    return lzma.decompress(stream, lzma.FORMAT_RAW, filters=_FILTERS)


def _checksum(stream: bytes) -> bytes:
    return zlib.crc32(stream).to_bytes(4)


def _entries(text: bytes) -> list[Entry]:
    lines = text.decode().split("\n")
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
