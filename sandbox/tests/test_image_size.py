"""Pictures bear their size, as attachments do on Discord."""

from __future__ import annotations

import pytest

from discord_sandbox.validation.image_size import size

PNG = bytes.fromhex("89504e470d0a1a0a0000000d494844520000012c000000c80806000000")
GIF = b"GIF89a" + bytes.fromhex("2c01c800f70000")
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0001108") + bytes.fromhex("00c8012c03012200")


@pytest.mark.parametrize("picture", [PNG, GIF, JPEG], ids=["png", "gif", "jpeg"])
def test_the_size_stands_in_the_first_bytes(picture: bytes) -> None:
    assert size(picture) == (300, 200)


@pytest.mark.parametrize("content", [b"", b"plain text", PNG[:20], GIF[:7], JPEG[:22], b"\xff\xd8\xff"])
def test_what_is_none_or_cut_off_has_no_size(content: bytes) -> None:
    assert size(content) is None
