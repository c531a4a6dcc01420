"""Draws messages by the sandbox page's own code, in a real browser, as elements and styles that need no page.

The styles are taken as they apply at one width and in one theme: rules of media queries that hold there are kept, and
the others left out. So they can be put on one page beside those of another width and theme.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from discord_sandbox.browser import Tab, Theme

HEIGHT: Final = 1040
LOOKS: Final[dict[str, tuple[int, Theme]]] = {
    "phone dark": (390, "dark"),
    "phone light": (390, "light"),
    "desktop dark": (1280, "dark"),
    "desktop light": (1280, "light"),
}
"""The widths of a window in pixels, and themes."""

WIDTHS: Final = tuple(sorted({width for width, _ in LOOKS.values()}))

_SOURCE = re.compile(r'<img [^>]*src="(/[^"]+)"')
_STYLE = """() => {
    const found = [];
    const selector = text => text.replaceAll(":root", ":host").replace(/(^|[\\s,])(html|body)(?![\\w-])/g, "$1:host");
    const walk = rules => {
        for (const rule of rules) {
            if (rule instanceof CSSMediaRule) {
                if (matchMedia(rule.conditionText).matches) walk(rule.cssRules);
            } else if (rule instanceof CSSStyleRule && rule.cssRules.length === 0) {
                found.push(`${selector(rule.selectorText)} { ${rule.style.cssText} }`);
            } else {
                found.push(rule.cssText);
            }
        }
    };
    for (const sheet of document.styleSheets) walk(sheet.cssRules);
    return { css: found.join("\\n"), width: document.querySelector("ol.messages").clientWidth };
}"""
_PICTURES = """async addresses => Object.fromEntries(await Promise.all(addresses.map(async address => {
    const blob = await (await fetch(address)).blob();
    const read = new FileReader();
    const done = new Promise(resolve => read.addEventListener("load", resolve));
    read.readAsDataURL(blob);
    await done;
    return [address, read.result];
})))"""


@dataclass(frozen=True, slots=True)
class Look:
    """The styles of messages at one width and in one theme.

    `width` is that of the column of messages, and `pane` that of the window, in pixels.
    """

    name: str
    width: int
    pane: int
    css: str


async def looks(tab: Tab) -> list[Look]:
    """The styles of the tab's page in each look."""
    found = []
    for name, (width, theme) in LOOKS.items():
        await tab.page.set_viewport_size({"width": width, "height": HEIGHT})
        await tab.page.emulate_media(color_scheme=theme)
        style = await tab.page.evaluate(_STYLE)
        found.append(Look(name, style["width"], width, style["css"]))
    return found


async def pictures(tab: Tab, drawn: Sequence[str]) -> dict[str, str]:
    """The pictures that the drawn messages show, by their addresses, each as a `data:` address."""
    addresses = sorted({address for html in drawn for address in _SOURCE.findall(html)})
    found: dict[str, str] = await tab.page.evaluate(_PICTURES, addresses)
    return found
