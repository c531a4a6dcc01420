"""Checks a built documentation site: `python -m tests.project.site build/site`, which `make docs` runs.

A page must load nothing from another host: no font, script, style, picture or tracker. So the site works offline and
nobody learns who reads it. Links that a reader may follow are allowed.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

LOADED = {"src", "srcset", "data", "poster", "background"}
"""Attributes whose address a browser loads by itself."""

FOLLOWED = {"alternate", "author", "canonical", "help", "index", "license", "next", "prev", "search", "up"}
"""What a `link` element may only point to; every other relation loads its address."""

_IN_STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")
_IN_SCRIPT = re.compile(r"(?:fetch|import|importScripts|open|sendBeacon)\(\s*['\"`]((?:https?:)?//[^'\"`]+)")


def is_elsewhere(address: str) -> bool:
    """Whether an address is on another host: it has a scheme other than `data:`, or begins with two slashes."""
    address = address.strip()
    return address.startswith("//") or bool(re.match(r"(?!data:)[a-z][a-z0-9+.-]*:", address, re.IGNORECASE))


class _Page(HTMLParser):
    """Collects the addresses that a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        given = {name: value or "" for name, value in attrs}
        for name in LOADED & given.keys():
            self.loaded += [each.split()[0] for each in given[name].split(", ") if each.strip()]
        if tag in ("link", "image", "use") and not FOLLOWED.intersection(given.get("rel", "").split()):
            self.loaded += [given[name] for name in ("href", "xlink:href") if name in given]
        self.loaded += in_style(given.get("style", ""))

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            self.loaded += in_style(data)
        elif self._inside == "script":
            self.loaded += in_script(data)


def in_style(text: str) -> list[str]:
    """The addresses that a style sheet loads."""
    return [first or second for first, second in _IN_STYLE.findall(text)]


def in_script(text: str) -> list[str]:
    """The addresses of other hosts that a script asks for by a literal."""
    return list(_IN_SCRIPT.findall(text))


def loads(name: str, text: str) -> list[str]:
    """The addresses that a file loads, by the ending of its name; none for files that load nothing."""
    if name.endswith((".html", ".svg")):
        page = _Page()
        page.feed(text)
        return page.loaded
    if name.endswith(".css"):
        return in_style(text)
    return in_script(text) if name.endswith(".js") else []


def problems(site: Path) -> list[str]:
    """One line for each address on another host that a file of the site loads."""
    found = []
    for file in sorted(site.rglob("*")):
        if file.suffix in {".html", ".svg", ".css", ".js"}:
            elsewhere = filter(is_elsewhere, loads(file.name, file.read_text(encoding="utf-8")))
            found += [f"{file.relative_to(site)} loads {address}" for address in elsewhere]
    return found


def main(site: Path) -> str | None:
    """What is wrong with a site, for `sys.exit`; None if nothing is."""
    if not (site / "index.html").is_file():
        return f"{site} holds no site"
    return "\n".join(problems(site)) or None


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
