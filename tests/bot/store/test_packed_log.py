"""The format of packed logs, which is kept for ever: what is written here must be read by every later program."""

from __future__ import annotations

import hashlib
import lzma
import random
import zlib
from itertools import pairwise
from pathlib import Path

import pytest

from bot.store import packed_log
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
    "010d17557f00160d2d2c6795aae39c07697ac0324fd8469e23b3c3a01d40775f511b9723676e94d9b043900d10dd877ef31d"
    "7fd88131004a03b786087df30164edb7ad2c1f1f37446a62840066b60b927d8ab71e9f6cbff96446e4f5a04c8ba03758908a"
    "29d3d3681ae348252bc3815b68454f65af8187ffcca0c000"
)
"""LOG as the first program that packed logs wrote it."""
KEPT_2 = bytes.fromhex(
    "024e36db7d25ac4ac097581c0bd779296d5e9ca5e5e0a3234f04b38376e11a5bf8207b2569c66f18a34e6a959eccd6c3ba27"
    "93db2683d8a96b2c876da1e58d1bb720a30e82863fac5d84a8f0d9543f669cffe611bf37"
)
"""LOG as the first program wrote it that left out what logs have in common."""
FILTERS = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 20, "lc": 0, "lp": 0, "pb": 0}]
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


@pytest.mark.parametrize("kept", [KEPT, KEPT_2])
def test_what_a_former_program_packed_is_read(kept: bytes) -> None:
    assert unpack(kept) == LOG


def test_the_format_is_what_its_page_says() -> None:
    packed = pack(LOG)
    assert packed[:1] == b"\x02"
    assert int.from_bytes(packed[1:5], "big") == zlib.crc32(packed[5:])
    beginning = Path(packed_log.__file__).with_name("log_beginning.lzma").read_bytes()
    text = lzma.decompress(beginning[:4464] + packed[5:], lzma.FORMAT_RAW, filters=FILTERS)
    assert text[43004:].decode() == TEXT


def test_the_beginning_of_packed_logs_never_changes() -> None:
    beginning = Path(packed_log.__file__).with_name("log_beginning.lzma").read_bytes()
    assert hashlib.sha256(beginning).hexdigest() == "f460a0ecc2b9b52f22d831fd282d4678ac9d5fe651944d47e79b981477c6dd9a"


def test_where_the_library_makes_another_stream_it_is_packed_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_log, "_SHARED", b"\xff" * 4464)
    packed = pack(LOG)
    assert packed[:1] == b"\x01"
    assert lzma.decompress(packed[5:], lzma.FORMAT_RAW, filters=FILTERS).decode() == TEXT
    assert unpack(packed) == LOG


def test_the_records_of_a_packed_log_are_chained_again() -> None:
    records = unpacked("G1", KEPT)
    assert [each.seq for each in records] == [0, 1, 2, 3]
    assert first_altered("G1", records) is None
    assert len({each.chain for each in records}) == 4
    assert all(former.chain != latter.chain for former, latter in pairwise(records))


@pytest.mark.parametrize("kept", [KEPT, KEPT_2])
def test_no_flipped_bit_and_no_cut_is_read(kept: bytes) -> None:
    rng = random.Random(1)
    for index in range(len(kept)):
        altered = bytearray(kept)
        altered[index] ^= 1 << rng.randrange(8)
        with pytest.raises(DamagedLog):
            unpack(bytes(altered))
        with pytest.raises(DamagedLog):
            unpack(kept[:index])
    assert unpacked("G1", KEPT[:-1]) == []


@pytest.mark.parametrize("text", ["", ",0\n1\n,\n\n[]", ",\n1,x\n,\n\n[]\n\n[]", "a\n1\n\n\n[]", "\n1\n\n"])
def test_a_text_that_is_no_log_is_refused_though_its_checksum_fits(text: str) -> None:
    stream = lzma.compress(text.encode(), lzma.FORMAT_RAW, filters=FILTERS)
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
