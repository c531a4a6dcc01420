"""What is wrong with a message in one language that is not wrong with the same message in English."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from bot.ui.isolation import END, ISOLATE
from bot.ui.text_lines import PHONE, button_width
from cogs.screens import custom_ids
from cogs.screens.renderer import LONGEST_LABEL, LONGEST_OPTION, LONGEST_TEXT, utf16_units
from laws.bodies import LONGEST_NAME
from tests.gallery.scene import NAMES
from tests.names.bidi import drawn_order

Component: TypeAlias = Mapping[str, Any]

_BUTTON, _TEXT = 2, 10
CUT: Final = "…"
"""What ends where it was cut."""
_NAMED: Final = re.compile("|".join(NAMES))
_FIGURES: Final = re.compile(r"\d+")


def cuts(message: Sequence[Component]) -> Iterator[str]:
    """What is as long as Discord takes it, so that it was cut, or would be with a letter more."""
    texts = list(_texts(message))
    if sum(map(utf16_units, texts)) >= LONGEST_TEXT:
        yield "its texts are cut"
    for key, said in _said(message).items():
        most = LONGEST_LABEL if key == _BUTTONS else LONGEST_OPTION
        yield from (f"cut at {most}: {each!r}" for each in said.values() if len(each) >= most)


def twice(message: Sequence[Component]) -> list[str]:
    """The words that more than one button of a message has with the same emoji, but for cards that look alike."""
    buttons = [each for each in _all(message) if each["type"] == _BUTTON and "custom_id" in each]
    others = [each for each in buttons if custom_ids.read(each["custom_id"])[1].verb != "p"]
    faces = Counter((each.get("label", ""), each.get("emoji", {}).get("id")) for each in others)
    return [label for (label, _), count in faces.items() if count > 1 and any(map(str.isalpha, label))]


def faults(message: Sequence[Component], english: Sequence[Component], *, on_a_phone: bool = False) -> Iterator[str]:
    """What is wrong with a message's components, each in a few words: texts that are cut, labels that stand twice;
    with `on_a_phone` also labels that are wider than a phone, where no long name is in them."""
    yield from cuts(message)
    if len(cut := _cut(_texts(message))) > len(_cut(_texts(english))):
        yield f"a line is cut: {cut[0]!r}"
    mine, theirs = _said(message), _said(english)
    if mine.keys() != theirs.keys():
        yield f"it has other controls: {sorted(mine.keys() ^ theirs.keys())}"
        return
    for key, said in mine.items():
        if not key.endswith(_DESCRIBED):
            yield from _same(said, theirs[key])
    if on_a_phone:
        labels = mine.get(_BUTTONS, {}).values()
        yield from (f"wider than a phone: {each!r}" for each in labels if button_width(each) > PHONE)


@lru_cache(maxsize=10_000)
def turned(line: str) -> str | None:
    """What is wrong with a line as it is drawn in a text from right to left: a name that turns something round, or
    digits in another order. None if nothing is."""
    for name in _NAMED.finditer(line):
        before = line[: name.start()]
        if before.count(ISOLATE) <= before.count(END) and name[0] != line:
            return f"{name[0]} stands in the text"
    order = drawn_order(line, 1)
    place = {each: at for at, each in enumerate(order)}
    for figures in _FIGURES.finditer(line):
        drawn = [place[each] for each in range(*figures.span())]
        if drawn != [*range(drawn[0], drawn[0] + len(drawn))]:
            return f"{figures[0]} is turned round"
    return None


_BUTTONS: Final = "buttons"
_DESCRIBED: Final = ": what describes its lines"


def _said(components: Sequence[Component]) -> dict[str, dict[str, str]]:
    """The labels of all buttons by their ids, and of each list the lines by their values, and what describes them."""
    found: dict[str, dict[str, str]] = {}
    for each in _all(components):
        if each["type"] == _BUTTON and "custom_id" in each:
            found.setdefault(_BUTTONS, {})[each["custom_id"]] = each.get("label", "")
        for option in each.get("options", ()):
            found.setdefault(each["custom_id"], {})[option["value"]] = option["label"]
            found.setdefault(each["custom_id"] + _DESCRIBED, {})[option["value"]] = option.get("description", "")
    return found


def _same(said: Mapping[str, str], english: Mapping[str, str]) -> Iterator[str]:
    """Labels that are the same, but not in English."""
    first: dict[str, str] = {}
    for key, label in said.items():
        other = first.setdefault(label, key)
        if label and english[other] != english[key]:
            yield f"{label!r} stands for {english[other]!r} and {english[key]!r}"


def _texts(components: Sequence[Component]) -> Iterator[str]:
    return (each["content"] for each in _all(components) if each["type"] == _TEXT)


def _all(components: Iterable[Component]) -> Iterator[Component]:
    for each in components:
        yield each
        yield from _all(each.get("components", ()))


def _cut(texts: Iterable[str]) -> list[str]:
    """The lines that end where they were cut, but for texts that tell of players with the longest of names."""
    lines = [line for text in texts if LONGEST_NAME[:9] not in text for line in text.splitlines()]
    return [line for line in lines if line.rstrip("*`)").endswith(CUT)]
