"""Ranked lines as Discord shows them: its markdown makes a list of lines like "2. …" and counts on by itself."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from bot.ratings import Rating
from bot.store.rows import Standing
from bot.ui.catalogue import translations
from cogs.actions.leaderboard import PAGE, leaderboard_screen
from cogs.screens.board import board_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from laws.bodies import match_of
from tests.games.cases import case_of

LIST_ITEM = re.compile(r"^\d+[.)] ", re.MULTILINE)
"""What Discord's markdown makes an item of a numbered list of."""
HERE: Any = type("There", (), {"guild_id": 1, "user": type("Somebody", (), {"id": 1})})()


class LeaderboardApp:
    """An app with nothing but a leaderboard, of players with these ranks; a player's id is their place on it."""

    def __init__(self, ranks: tuple[int, ...]) -> None:
        rating = Rating(25.0, 8.0)
        self._standings = [Standing(rank, user, rating, 1, 1, 0) for user, rank in enumerate(ranks)]
        self.store = self.display_names = self

    async def count_ranked(self, *_: object) -> int:
        return len(self._standings)

    async def leaderboard(self, _guild: int, _game: str, offset: int, limit: int) -> list[Standing]:
        assert offset >= 0
        return self._standings[offset : offset + limit]

    async def standing(self, *_: object) -> None:
        return None

    async def load(self, *_: object) -> None:
        return None

    def translations_for(self, _: object) -> object:
        return translations("en")

    def names(self, _guild: int, users: list[int]) -> tuple[str, ...]:
        return tuple(f"P{user}" for user in users)


def content(screen: Any) -> str:
    return "\n".join(part["content"] for part in render(screen, "m")[0]["components"] if "content" in part)


def test_places_of_a_result_are_no_list_and_equal_ones_say_so() -> None:
    case = case_of("ciq")
    deal = case.deal("default", 4, random.Random(1))
    match = match_of(deal, deal.open()[1], 0, ranks=(2, 2, 1, 4))
    text = content(board_screen(match, case.presenter, Reader(translations("en"), ("Alice", "Bob", "Carol", "Dave"))))
    assert not LIST_ITEM.search(text)
    assert r"1\. **Carol**" in text.splitlines()
    assert [line for line in text.splitlines() if "(shared)" in line] == [
        r"2\. **Alice** (shared)",
        r"2\. **Bob** (shared)",
    ]


@pytest.mark.parametrize(
    ("page", "shared"), [(0, ["P1", "P2", f"P{PAGE - 1}"]), (1, [f"P{PAGE}"]), (2, [])], ids=["first", "second", "last"]
)
async def test_a_leaderboard_is_no_list_and_equal_ranks_say_so_across_pages(page: int, shared: list[str]) -> None:
    ranks = [*range(1, 2 * PAGE + 2)]
    ranks[2], ranks[PAGE] = ranks[1], ranks[PAGE - 1]
    app: Any = LeaderboardApp(tuple(ranks))
    text = content(await leaderboard_screen(app, HERE, "haymaker", page))
    lines = [line for line in text.splitlines() if line[:1].isdecimal()]
    assert not LIST_ITEM.search(text)
    assert len(lines) == (PAGE, PAGE, 1)[page]
    assert [re.findall(r"P\d+", line)[0] for line in lines if "(shared)" in line] == shared
