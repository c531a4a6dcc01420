"""A leaderboard as files: who is listed, by name, and nothing that a spreadsheet would work out."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.ratings import Rating
from bot.store.queries.leaderboards import THOUSANDTHS, Entry, Leaderboard, LineKey, Section, Span
from bot.ui.screen import Press
from cogs.leaderboards import managing, screens
from cogs.leaderboards.managing import COLUMNS, ManagedLeaderboards, csv_of, json_of
from cogs.leaderboards.queries import LeaderboardPage, LeaderboardQueries, PageRequest
from cogs.screens import custom_ids
from tests.bot.play.exported import exported
from tests.bot.play.parts import ANN, BOB, CAT, GUILD
from tests.cogs.actions.offline_bot import OfflineBot
from tests.cogs.replays.stored import stored

FIRST = Entry(LineKey(Section.RANKED, 7 * THOUSANDTHS, 1), 3, 2, 1, Rating(25.0, 4.0), 1)
SECOND = replace(FIRST, key=LineKey(Section.BELOW, -2 * THOUSANDTHS, 2), rank=None)


def rows_of(span: Span) -> list[list[str]]:
    content = csv_of(span, (FIRST, SECOND), ("=SUM(A1)", r"B\*b")).decode("utf-8-sig")
    return list(csv.reader(content.splitlines()))


def test_a_season_has_points_and_all_time_ratings_with_their_uncertainty() -> None:
    heading, first, second = rows_of(Span.SEASON)
    assert heading == [*COLUMNS]
    assert first == ["1", "'=SUM(A1)", "7", "", "3", "2", "1"]
    assert second == ["", "B*b", "-2", "", "3", "2", "1"]
    _, first, _ = rows_of(Span.ALL_TIME)
    rating = Rating(25.0, 4.0)
    assert first[2:4] == [str(rating.shown), str(rating.uncertainty)]


def test_the_json_has_the_same_lines_with_null_where_there_is_no_number() -> None:
    names = ("=SUM(A1)", r"B\*b")
    told = json.loads(json_of(Leaderboard(9, "ciq", Span.SEASON), (FIRST, SECOND), names))
    assert (told["game"], told["time"]) == ("ciq", "season")
    first, second = told["players"]
    assert first == {
        "rank": 1,
        "name": "=SUM(A1)",
        "score": 7,
        "uncertainty": None,
        "wins": 3,
        "losses": 2,
        "draws": 1,
    }
    assert (second["rank"], second["name"], second["score"]) == (None, "B*b", -2)
    every = json.loads(json_of(Leaderboard(9, "", Span.ALL_TIME), (FIRST,), names[:1]))
    rating = Rating(25.0, 4.0)
    assert (every["game"], every["time"]) == (None, "all_time")
    assert [every["players"][0][each] for each in ("score", "uncertainty")] == [rating.shown, rating.uncertainty]


async def test_somebody_who_hides_while_it_is_saved_makes_nobody_stand_in_it_twice(
    bot: OfflineBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = bot.app.find(ManagedLeaderboards).leaderboards.queries
    for seed, users in enumerate(((ANN, BOB), (ANN, CAT), (BOB, CAT)), 1):
        await stored(bot, exported("haymaker", seed=seed), users=users)
    whole, read = await queries.page(Leaderboard(GUILD, "haymaker", Span.ALL_TIME), 0, PageRequest(), 10), queries.page
    assert len(whole.entries) == 3

    async def page(*asked: Any) -> LeaderboardPage:
        found = await read(*asked)
        await queries.set_hidden(GUILD, whole.entries[-1].key.user_id, hidden=True)
        return found

    saved: list[int] = []

    def note(_: Span, entries: Sequence[Entry], __: Sequence[str]) -> bytes:
        saved.extend([entry.key.user_id for entry in entries])
        return b""

    monkeypatch.setattr(managing, "SAVED_AT_ONCE", 2)
    monkeypatch.setattr(LeaderboardQueries, "page", staticmethod(page))
    monkeypatch.setattr(managing, "csv_of", note)
    custom_id = custom_ids.write("haymaker", Press(screens.SAVE, 0, screens.write(Span.ALL_TIME, "haymaker")))
    asked: Any = bot.interaction(custom_id, ANN)
    asked.permissions = SimpleNamespace(manage_guild=True)
    await bot.send(asked)
    assert saved == [entry.key.user_id for entry in whole.entries[:2]]
