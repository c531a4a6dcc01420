"""Names of the whole world as Chromium draws them: numbers stay in their order, and a line is no wider than a phone."""

from __future__ import annotations

from typing import Final

from bot.ui.text_lines import PHONE
from cogs.screens.safe_names import safe_name
from discord_sandbox import Sandbox
from discord_sandbox.browser import Tab, Tabs
from tests.gallery.scene import complete, of_components
from tests.names.hostile import ARABIC, GIANTS, HEBREW, WIDE, hostile_names

SAMPLE: Final = (HEBREW, ARABIC, f"{HEBREW} 1", f"1 {ARABIC}", *hostile_names()[-40:])
LINE: Final = "11 {} · 22 · 33 44"
_DRAW: Final = """async texts => texts.map(html => {
    const drawn = document.createElement("div");
    drawn.innerHTML = html.replaceAll(/ style="[^"]*"/g, "");
    document.body.append(drawn);
    const found = [];
    const walk = document.createTreeWalker(drawn, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        for (const mark of ["11 ", "22", "33", "44"]) {
            const at = mark === "11 " ? node.data.indexOf(mark) : node.data.lastIndexOf(mark);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 2);
            found.push([mark.trim(), range.getBoundingClientRect().left]);
        }
    }
    drawn.remove();
    return found.sort((one, other) => one[1] - other[1]).map(each => each[0]);
})"""
_MEASURE: Final = """async names => names.map(name => {
    const drawn = document.createElement("span");
    drawn.style.position = "absolute";
    drawn.style.whiteSpace = "nowrap";
    drawn.style.fontSize = "16px";
    drawn.textContent = name;
    document.body.append(drawn);
    const width = drawn.getBoundingClientRect().width;
    drawn.remove();
    return width;
})"""


async def _orders(tab: Tab, lines: list[str]) -> list[list[str]]:
    """The numbers of each line from left to right, as the page draws it."""
    author = {"id": "1", "username": "bot", "global_name": "Bot", "discriminator": "0000", "avatar": None}
    shown = [of_components("", [{"type": 10, "content": line}]) for line in lines]
    drawn = await tab.draw([complete(each.message, author) for each in shown])
    found: list[list[str]] = await tab.page.evaluate(_DRAW, drawn)
    return found


async def test_numbers_are_drawn_in_their_order_whatever_a_name_is_written_in(sandbox: Sandbox, tabs: Tabs) -> None:
    tab = await tabs.open(sandbox.people[0].name)
    in_order = ["11", "22", "33", "44"]
    lines = [LINE.format(safe_name(name, 1)) for name in SAMPLE]
    assert await _orders(tab, lines) == [in_order] * len(lines)
    (turned,) = await _orders(tab, [LINE.format(HEBREW)])
    assert turned != in_order, "without isolates a browser turns them round"


async def test_a_name_is_no_wider_than_a_line_of_a_phone(sandbox: Sandbox, tabs: Tabs) -> None:
    tab = await tabs.open(sandbox.people[0].name)
    names = [safe_name(name, 1).replace("\\", "") for name in (*(each * 32 for each in (*GIANTS, *WIDE)), *SAMPLE)]
    widths: list[float] = await tab.page.evaluate(_MEASURE, names)
    assert max(widths) < PHONE * 1.5
    assert max(await tab.page.evaluate(_MEASURE, ["W" * 32])) > PHONE * 1.5
