"""The format of packed logs, which is kept for ever: what is written here must be read by every later program."""

from __future__ import annotations

import random
import zlib
from itertools import pairwise

import pytest

from bot.store.packed_log import DamagedLog, Entry, pack, unpack
from bot.store.queries.matches import unpacked
from bot.store.verification import first_altered

LOG = [
    Entry(None, None, '[{"type":"Dealt","v":1}]', 1_764_435_600_000, None),
    Entry(0, '{"type":"Pass","v":1}', "[]", 1_764_435_601_250, None),
    Entry(12, '{"type":"Pass","v":1}', '["ä 🃏","\\n"]', 1_764_435_601_250, "hard 3"),
    Entry(None, '{"key":"1","type":"TimeUp","v":1}', "[1,2]", 1_764_435_601_249, None),
]
KEPT = bytes.fromhex(
    "01aaa471aed331d03134d2e13234373331313635330001a088a9818e818eae21978e4e4662518a82b10e175774b552496541"
    "aa9295924b6a624e89928e52999295616d2c175c3c20b1b81826cc158d5342e9f012850ff39bfb812231794a2065d9a99540"
    "55864001a88690ccdcd4d0028416431da35800"
)
"""LOG as the first program that packed logs wrote it."""
TEXT = (
    ",0,12,\n"
    "1764435600000,1250,0,-1\n"
    ",,hard 3,\n"
    "\n"
    '[{"type":"Dealt","v":1}]\n'
    '{"type":"Pass","v":1}\n'
    "[]\n"
    '{"type":"Pass","v":1}\n'
    '["ä 🃏","\\n"]\n'
    '{"key":"1","type":"TimeUp","v":1}\n'
    "[1,2]"
)
"""What is in it, as the format says."""


def test_a_log_comes_back_as_it_was() -> None:
    assert unpack(pack(LOG)) == LOG
    assert unpack(pack(LOG[:1])) == LOG[:1]


def test_what_a_former_program_packed_is_read() -> None:
    assert unpack(KEPT) == LOG


def test_the_format_is_what_its_page_says() -> None:
    packed = pack(LOG)
    assert packed[:1] == b"\x01"
    assert int.from_bytes(packed[1:5], "big") == zlib.crc32(packed[5:])
    assert zlib.decompress(packed[5:], -15).decode() == TEXT


def test_the_records_of_a_packed_log_are_chained_again() -> None:
    records = unpacked("G1", KEPT)
    assert [each.seq for each in records] == [0, 1, 2, 3]
    assert first_altered("G1", records) is None
    assert len({each.chain for each in records}) == 4
    assert all(former.chain != latter.chain for former, latter in pairwise(records))


def test_no_flipped_bit_and_no_cut_is_read() -> None:
    rng = random.Random(1)
    for place in range(len(KEPT)):
        altered = bytearray(KEPT)
        altered[place] ^= 1 << rng.randrange(8)
        with pytest.raises(DamagedLog):
            unpack(bytes(altered))
        with pytest.raises(DamagedLog):
            unpack(KEPT[:place])
    assert unpacked("G1", KEPT[:-1]) == []


@pytest.mark.parametrize("text", ["", ",0\n1\n,\n\n[]", ",\n1,x\n,\n\n[]\n\n[]", "a\n1\n\n\n[]", "\n1\n\n"])
def test_a_text_that_is_no_log_is_refused_though_its_checksum_fits(text: str) -> None:
    stream = zlib.compress(text.encode(), 9, -15)
    with pytest.raises(DamagedLog):
        unpack(b"\x01" + zlib.crc32(stream).to_bytes(4, "big") + stream)


def test_a_log_that_would_not_come_back_as_it_was_is_not_packed() -> None:
    for altered in (
        Entry(0, "on two\nlines", "[]", 1, None),
        Entry(0, "", "[]", 1, None),
        Entry(0, "{}", "[]", 1, "hard,3"),
        Entry(0, "{}", "\ud800", 1, None),
    ):
        with pytest.raises(ValueError):  # noqa: PT011  whichever it is
            pack([*LOG, altered])
