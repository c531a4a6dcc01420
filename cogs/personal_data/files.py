"""The files of an export: JSON, zipped if it is long, and in several files if somebody has played thousands of matches.
These are never all in memory at once."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from cogs.personal_data.export import Json

NAME: Final = "cardroom-mydata"
LONGEST: Final = 8 * 2**20
"""The bytes of a file that isn't zipped. Discord takes 10 MiB of each."""
MOST: Final = 5_000
"""Matches of a file: zipped, each takes some 1,000 bytes."""


class Packed:
    """A part of an export until it is written. A match of 46 acts takes 56 KB in Python's objects, and 1 KB packed."""

    __slots__ = ("_packed",)

    def __init__(self, part: Json) -> None:
        self._packed = zlib.compress(json.dumps(part, ensure_ascii=False).encode(), level=1)

    def text(self) -> str:
        """It as JSON."""
        return zlib.decompress(self._packed).decode()


def files_of(kept: Json) -> list[tuple[str, bytes]]:
    """The names and contents of an export's files, whose parts may be `Packed`. If there are several, each other one
    has nothing but more matches."""
    first, *more = [kept["matches"][start : start + MOST] for start in range(0, len(kept["matches"]), MOST)] or [[]]
    whose = {name: kept[name] for name in ("form", "server", "user")}
    documents = [{**kept, "matches": first}, *({**whose, "matches": matches} for matches in more)]
    names = [NAME, *(f"{NAME}-{number}" for number in range(2, len(documents) + 1))]
    return [_file(name, document) for name, document in zip(names, documents, strict=True)]


def _file(name: str, document: Json) -> tuple[str, bytes]:
    zipped, length = BytesIO(), 0
    with ZipFile(zipped, "w", ZIP_DEFLATED, compresslevel=9) as archive, archive.open(f"{name}.json", "w") as file:
        for piece in _pieces(document):
            length += file.write(piece.encode())
    if length > LONGEST:
        return f"{name}.zip", zipped.getvalue()
    return f"{name}.json", "".join(_pieces(document)).encode()


def _pieces(part: Any) -> Iterator[str]:
    """A part as JSON, a piece at a time, with a line for each element of a list and each name."""
    if isinstance(part, Packed):
        yield part.text()
    elif isinstance(part, dict):
        yield from _between("{}", ((f"{json.dumps(str(name))}: ", each) for name, each in part.items()))
    elif isinstance(part, list | tuple):
        yield from _between("[]", (("", each) for each in part))
    else:
        yield json.dumps(part, ensure_ascii=False)


def _between(brackets: str, parts: Iterable[tuple[str, Any]]) -> Iterator[str]:
    before = brackets[0]
    for heading, part in parts:
        yield f"{before}\n{heading}"
        yield from _pieces(part)
        before = ","
    yield brackets if before == brackets[0] else f"\n{brackets[1]}"
