"""Ranked lines as Discord shows them: its markdown makes a list of lines like "2. …" and counts on by itself."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace
from typing import Any

import pytest

from bot.games import GAMES
from bot.ratings import SETTLED, Rating
from bot.store.rows import Standing
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Button, Screen, Select
from cogs.actions.leaderboard import PAGE, leaderboard_screen
from cogs.screens.board import board_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from laws.bodies import match_of
from tests.games.cases import case_of

LIST_ITEM = re.compile(r"^\d+[.)] ", re.MULTILINE)
"""What Discord's markdown makes an item of a numbered list of."""


def asked_by(user: int) -> Any:
    """An interaction of somebody in a server."""
    return SimpleNamespace(guild_id=1, user=SimpleNamespace(id=user))


class LeaderboardApp:
    """An app with nothing but a leaderboard, of players with these ranks; a player's id is their place on it."""

    def __init__(self, ranks: tuple[int, ...]) -> None:
        rating = Rating(25.0, 8.0)
        self.listed = [Standing(rank, user, rating, 1, 1, 0) for user, rank in enumerate(ranks)]
        self.store = self.display_names = self

    async def count_ranked(self, *_: object) -> int:
        return len(self.listed)

    async def leaderboard(self, _guild: int, _game: str, offset: int, limit: int) -> list[Standing]:
        assert offset >= 0
        return self.listed[offset : offset + limit]

    async def standing(self, _guild: int, _game: str, user: int) -> Standing | None:
        return self.listed[user] if user < len(self.listed) else None

    async def count_listed_above(self, _guild: int, _game: str, user: int) -> int | None:
        return user if user < len(self.listed) else None

    async def load(self, *_: object) -> None:
        return None

    def translations_for(self, _: object) -> object:
        return translations("en")

    def names(self, _guild: int, users: list[int], _words: Translations) -> tuple[str, ...]:
        return tuple(f"P{user}" for user in users)


def content(screen: Any) -> str:
    return "\n".join(part["content"] for part in render(screen, "m")[0]["components"] if "content" in part)


def test_places_of_a_result_are_no_list_and_equal_ones_say_so() -> None:
    case = case_of("ciq")
    deal = case.deal("default", 4, random.Random(1))
    match = match_of(deal, deal.open()[1], 0, ranks=(2, 2, 1, 4))
    text = content(board_screen(match, case.presenter, Reader(translations("en"), ("Alice", "Bob", "Carol", "Dave"))))
    assert not LIST_ITEM.search(text)
    places = [line.partition(" · ")[0] for line in text.splitlines()]
    assert r"1\. **Carol**" in places
    assert [place for place in places if "(shared)" in place] == [
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
    text = content(await leaderboard_screen(app, asked_by(99), "haymaker", page))
    lines = [line for line in text.splitlines() if line[:1].isdecimal()]
    assert not LIST_ITEM.search(text)
    assert len(lines) == (PAGE, PAGE, 1)[page]
    assert [re.findall(r"P\d+", line)[0] for line in lines if "(shared)" in line] == shared


async def shown(user: int, page: int = 0, *, of: int = 3 * PAGE, own_page: bool = False) -> Screen:
    app: Any = LeaderboardApp(tuple(range(1, of + 1)))
    return await leaderboard_screen(app, asked_by(user), "haymaker", page, own_page=own_page)


def mine(screen: Screen) -> Button | None:
    """The button that goes to the reader's own row."""
    buttons = [control for row in screen.rows for control in row if isinstance(control, Button)]
    return next((button for button in buttons if button.press.verb == "ownrank"), None)


async def test_a_button_goes_to_the_page_with_ones_own_row_which_is_marked() -> None:
    user = PAGE + 4
    first = await shown(user)
    assert "➤" not in content(first)
    button = mine(first)
    assert button is not None
    assert button.enabled
    own = await shown(user, own_page=True)
    assert [line for line in content(own).splitlines() if line.startswith("➤ ")] == [
        line for line in content(own).splitlines() if f"**P{user}**" in line
    ]
    there = mine(own)
    assert there is not None
    assert not there.enabled
    assert translations("en")("ladder.page", page=2, pages=3) in content(own)


async def test_without_a_rank_there_is_no_own_row_to_go_to() -> None:
    for own_page in (False, True):
        unranked = await shown(99, own_page=own_page)
        button = mine(unranked)
        assert button is not None
        assert not button.enabled
        assert translations("en")("ladder.page", page=1, pages=3) in content(unranked)


async def test_a_leaderboard_of_one_page_has_no_buttons_but_the_list_of_games() -> None:
    ((games,),) = (await shown(1, of=PAGE)).rows
    assert isinstance(games, Select)
    assert [option.value for option in games.options] == [*GAMES]
    assert [option.value for option in games.options if option.chosen] == ["haymaker"]


async def test_the_list_of_games_has_at_most_25_and_always_the_present_one(monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"g{number}": GAMES["ciq"] for number in range(30)} | {"haymaker": GAMES["haymaker"]}
    monkeypatch.setattr("cogs.actions.leaderboard.GAMES", many)
    ((games,),) = (await shown(1, of=1)).rows
    assert isinstance(games, Select)
    assert len(games.options) == 25
    assert [option.value for option in games.options if option.chosen] == ["haymaker"]


@pytest.mark.parametrize(("wins", "provisional"), [(1, True), (SETTLED - 1, True), (SETTLED, False)])
async def test_a_rating_is_provisional_until_ten_matches_count(wins: int, provisional: bool) -> None:
    app: Any = LeaderboardApp(())
    app.listed = [Standing(1, 7, Rating(25.0, 8.0), wins, 0, 0)]
    text = content(await leaderboard_screen(app, asked_by(1), "haymaker", 0))
    assert ("(provisional)" in text) is provisional
    assert (translations("en")("ladder.provisional", least=SETTLED) in text) is provisional
