"""In a language that is written from right to left, names turn nothing round and digits stay in their order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import pytest

from bot.ui.isolation import END, ISOLATE
from cogs.replays.marked_text import read_lines
from engines import GAMES
from tests.gallery.scene import NAMES
from tests.languages.made_up import MIRRORED, made_up
from tests.languages.test_screens import in_gallery, of_gallery
from tests.names.bidi import drawn_order
from tests.names.test_names import texts_of

NAMED = re.compile("|".join(NAMES))
FIGURES = re.compile(r"\d+")


@lru_cache(maxsize=10_000)
def turned(line: str) -> str | None:
    """What is wrong with a line as it is drawn in a text from right to left; None if nothing is."""
    for name in NAMED.finditer(line):
        before = line[: name.start()]
        if before.count(ISOLATE) <= before.count(END) and name[0] != line:
            return f"{name[0]} stands in the text"
    order = drawn_order(line, 1)
    place = {each: at for at, each in enumerate(order)}
    for figures in FIGURES.finditer(line):
        drawn = [place[each] for each in range(*figures.span())]
        if drawn != [*range(drawn[0], drawn[0] + len(drawn))]:
            return f"{figures[0]} is turned round"
    return None


def faults_of(key: str) -> Iterator[tuple[str, str, str]]:
    """Where something is wrong in the gallery of a game."""
    for moment in of_gallery(key):
        for shown in in_gallery(key, moment, made_up(MIRRORED)):
            for text in texts_of(shown.message):
                for line in [each.plain for each in read_lines(text)]:
                    if (fault := turned(line)) is not None:
                        yield moment.title, fault, line


@pytest.mark.parametrize("key", GAMES)
def test_names_and_digits_stay_in_order_from_right_to_left(key: str) -> None:
    assert [*faults_of(key)] == []
