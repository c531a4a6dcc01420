"""The page of a replay: what is in the file, before a browser has seen it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from functools import cache
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from bot.ui.catalogue import Translations, translations
from cogs.replays.replay import Replay
from cogs.replays.replay_page import replay_page
from cogs.screens.presenter import Reader
from cogs.screens.safe_names import safe_name
from engines import GAMES
from tests.bot.play.exported import exported
from tests.games.cases import case_of

pytestmark = pytest.mark.slow  # writes the pages of whole matches

EVER = 2**62
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=a(1)>",
    "\ue000\ue002`**x**`",
    "{title} %s",
    "Eve",
    "Fay",
)
"""Names, some of which would do something in a page that didn't escape them."""


@cache
def page_of(
    key: str,
    setting: str = "",
    seats: int = 0,
    *,
    names: tuple[str, ...] = HOSTILE,
    seed: int = 1,
    language: str = "en",
) -> str:
    """The page of a match. All languages but English are made up."""
    match = exported(key, setting, seats, seed=seed)
    safe = tuple([safe_name(name, 1) for name in names[: len(match.row.seats)]])
    replay = Replay(match.row, match.records, match.result, EVER)
    words = translations("en") if language == "en" else Translations(language, Catalog(locale=language))
    return replay_page(replay, case_of(key).presenter, Reader(words, safe)).decode()


def data_of(page: str) -> dict[str, Any]:
    """The match in the page, as its script unpacks it."""
    (packed,) = re.findall(r'<script type="text/plain" id="match">([A-Za-z0-9+/=]+)</script>', page)
    found: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(packed)))
    return found


class Elements(HTMLParser):
    """The elements of a page, with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize(
    ("language", "opening"),
    [
        ("en", '<html lang="en" dir="ltr">'),
        ("pt_BR", '<html lang="pt-BR" dir="ltr">'),
        ("zh_TW", '<html lang="zh-TW" dir="ltr">'),
        ("ar", '<html lang="ar" dir="rtl">'),
    ],
)
def test_it_says_its_language_and_the_direction_of_its_text(language: str, opening: str) -> None:
    assert opening in page_of("haymaker", language=language)


def test_its_policy_allows_its_own_style_and_script_and_nothing_else() -> None:
    page = page_of("haymaker")
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert unescape(policy).split("; ") == [
        "default-src 'none'",
        f"style-src {hash_of(style)}",
        f"script-src {hash_of(script)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert page.index("Content-Security-Policy") < page.index("<title>") < page.index("<style>")


def test_it_names_no_address_and_has_no_inline_code() -> None:
    page = page_of("ciq", "quick", 6)
    assert "://" not in page
    assert "url(" not in page
    assert "@import" not in page
    for tag, attributes in Elements(page).found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form", "a")
        assert not any(name in ("style", "src", "href") or name.startswith("on") for name in attributes)


def test_names_are_text_wherever_they_stand() -> None:
    plain, hostile = page_of("ciq", "quick", 6, names=tuple("ABCDEF")), page_of("ciq", "quick", 6)
    assert [tag for tag, _ in Elements(hostile).found] == [tag for tag, _ in Elements(plain).found]
    assert "&lt;img src=x onerror=a(1)&gt;" in hostile
    texts = data_of(hostile)["texts"]
    assert any("<img src=x onerror=a(1)>" in text for text in texts)
    assert not any("\ue000\ue002" in text and "**x**" in text for text in texts)  # a name can't be marked up


def test_nothing_of_the_match_can_be_read_without_asking() -> None:
    """The file's beginning is what Discord shows of it, and what a search finds."""
    page = page_of("haymaker", names=("Ann", "Bob"))
    readable = page.partition('<script type="text/plain"')[0]
    for told in ("wins", "knockout", "10♥", "attacks first", "31"):
        assert told not in readable.partition("</style>")[2]
    assert '<section id="ending" hidden>' in page
    assert '<option value="b">the board alone</option><option value="0">' in page  # the first is chosen


@pytest.mark.parametrize("key", GAMES)
def test_each_players_hand_is_apart_from_what_everybody_saw(key: str) -> None:
    table = ("one_phase", 4) if key == "tivmiv" else ("", 0)
    match = exported(key, *table)
    data = data_of(page_of(key, *table))
    replay = Replay(match.row, match.records, match.result, EVER)
    assert len(data["steps"]) == len(data["words"]["step"]) == len(match.records)
    assert all(len(step) == 2 + len(match.row.seats) for step in data["steps"])
    assert len(data["blocks"][data["ending"]]) == 2
    presenter = case_of(key).presenter

    def texts(block: int) -> str:
        return " ".join([data["texts"][text] for text in data["blocks"][block]])

    for number in (0, len(match.records) // 2):
        news, board, *hands = data["steps"][number]
        for seat, hand in enumerate(hands):
            state = replay.game.observe(replay.state(number), seat)
            cards = [card.name for card in presenter.held(state)]
            assert all(f"\ue002{name}\ue002" in texts(hand) or not name for name in cards)
        if key == "haymaker" and number == 0:
            assert "\ue002" not in texts(news) + texts(board)


def test_a_long_match_is_a_small_file() -> None:
    seed = next(seed for seed in range(1, 30) if len(exported("ciq", "default", 4, seed=seed).records) > 350)
    assert len(page_of("ciq", "default", 4, seed=seed).encode()) < 100 * 1024
