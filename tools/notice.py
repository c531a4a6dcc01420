"""Write NOTICE: the licence of every package that the bot needs at run time, as its own metadata states it. Those
of the extra `postgresql` are among them, because the image has them.

`make notice` runs it. A package that is locked for another Python than this one is not installed here, so its line is
kept as it is; a new one of that kind must be added by hand.
"""

from __future__ import annotations

import importlib.metadata
import re
import sys
from email.message import Message
from pathlib import Path
from typing import Final, cast

ROOT: Final = Path(__file__).parents[1]

EXPRESSIONS: Final = {
    "Apache 2.0": "Apache-2.0",
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Python Software Foundation License": "PSF-2.0",
}
"""What older metadata says, as SPDX licence expressions (https://spdx.org/licenses/)."""

SPDX: Final = re.compile(r"[A-Za-z0-9.()+-]+( (AND|OR|WITH) [A-Za-z0-9.()+-]+)*")

HEADING: Final = """\
Cardroom is published under the MIT licence: see LICENSE.

When it runs it uses the packages below. Each has its own licence, named here as an SPDX licence expression. Cardroom's
source contains none of them. An installation and the container image do: there each package brings the text of its
licence, and its own notice if it has one, in its folder `*.dist-info`.

The table of characters that look alike, `bot/ui/unicode/look_alikes.txt`, is made from data of Unicode, Inc. Its
licence, Unicode-3.0, is in the file and in `LICENSE.txt` beside it.

Made by `make notice`.

"""


class LicenceError(Exception):
    """A package's metadata names no licence that this program can read. Its text names the package."""


def locked(lock: str) -> list[str]:
    """The names of a lock's packages, in its order."""
    return re.findall(r"^([a-z0-9-]+)(?:\[[a-z,]+\])?==", lock, re.MULTILINE)


def licences(notice: str) -> dict[str, str]:
    """The packages of a NOTICE with their licences."""
    return dict(re.findall(r"^- ([a-z0-9-]+): (.+)$", notice, re.MULTILINE))


def stated(metadata: Message) -> str | None:
    """The licence that a package's metadata states, as an SPDX expression; None if it states none that can be read."""
    classifiers = cast("list[str]", metadata.get_all("Classifier") or [])
    candidates = [metadata.get("License-Expression"), metadata.get("License"), *classifiers]
    for candidate in candidates:
        expression = EXPRESSIONS.get(candidate or "", candidate or "")
        if SPDX.fullmatch(expression) and expression != "UNKNOWN":
            return expression
    return None


def licence(package: str, known: dict[str, str]) -> str:
    """A package's licence: from its metadata, else what is `known`. Raises LicenceError."""
    try:
        found = stated(cast("Message", importlib.metadata.metadata(package)))
    except importlib.metadata.PackageNotFoundError:
        found = known.get(package)
    if found is None:
        raise LicenceError(package)
    return found


def compose(lock: str, notice: str) -> str:
    """The whole of NOTICE, for a lock and the present NOTICE. Raises LicenceError."""
    known = licences(notice)
    return HEADING + "".join(f"- {package}: {licence(package, known)}\n" for package in locked(lock))


def main() -> int:
    """Write the file. Returns the exit code: 1 if a licence is unknown, and then nothing is written."""
    file = ROOT / "NOTICE"
    lock = (ROOT / "requirements" / "postgresql.lock").read_text(encoding="utf-8")
    try:
        text = compose(lock, file.read_text(encoding="utf-8") if file.exists() else "")
    except LicenceError as package:
        print(f"notice: the licence of {package} is unknown; add its line to NOTICE by hand", file=sys.stderr)
        return 1
    file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
