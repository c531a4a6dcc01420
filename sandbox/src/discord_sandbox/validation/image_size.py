"""The size of a picture, read from its first bytes: PNG, GIF and JPEG.

Source: the formats' own specifications (PNG 11.2.1 IHDR; GIF89a 18; JPEG, ITU-T T.81 B.2.2).
"""

from __future__ import annotations

_NO_FRAME = frozenset({0xC4, 0xC8, 0xCC})  # among JPEG's markers C0..CF those that begin no frame


def size(content: bytes) -> tuple[int, int] | None:
    """Width and height in pixels; None for another kind of file."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and content[12:16] == b"IHDR" and len(content) >= 24:
        return int.from_bytes(content[16:20], "big"), int.from_bytes(content[20:24], "big")
    if content.startswith((b"GIF87a", b"GIF89a")) and len(content) >= 10:
        return int.from_bytes(content[6:8], "little"), int.from_bytes(content[8:10], "little")
    if content.startswith(b"\xff\xd8"):
        return _jpeg(content)
    return None


def _jpeg(content: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        marker = content[place + 1]
        if 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            height, width = content[place + 5 : place + 7], content[place + 7 : place + 9]
            return int.from_bytes(width, "big"), int.from_bytes(height, "big")
        place += 2 + int.from_bytes(content[place + 2 : place + 4], "big")
    return None
