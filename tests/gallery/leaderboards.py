"""Leaderboards that a gallery's commands don't come to: long ones, of all times, and of hidden readers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.ratings import Rating
from bot.store.queries.leaderboards import ALL_GAMES, Entry, LineKey, Section, Span
from bot.ui.catalogue import Translations
from cogs.leaderboards.queries import LeaderboardPage
from cogs.leaderboards.screens import LeaderboardView, how_screen, leaderboard_screen
from cogs.profiles.screens import my_profile_button
from tests.gallery.scene import EVERYWHERE, Scene, Shown, of_screen

READER: Final = 4
NAMES: Final = (
    *("Alexandra", "Bo", "Carol of the Thousand Cards", "Dmitri", "Eve", "F", "Gülşen", "Hieronymus", "Ines", "Jo"),
    "Kim",
)
TITLE: Final = "Leaderboards of all times"


def scenes(words: Translations, names: Sequence[str] = NAMES) -> Iterator[Scene]:
    """One scene of everything, with people of these names."""
    yield Scene(EVERYWHERE, TITLE, "text", tuple(_shown(words, names)))


def _shown(words: Translations, names: Sequence[str]) -> Iterator[Shown]:
    for caption, view in (
        ("All time, a page in the middle", _view(Span.ALL_TIME, more=True)),
        ("All games", _view(Span.ALL_TIME, ALL_GAMES)),
        ("This season", _view(Span.SEASON, more=True)),
        ("The last days, with few who have a rank", _view(Span.LAST_DAYS, ranked=2)),
        ("All time, with some who have not played for long", _view(Span.ALL_TIME, ranked=3)),
        ("Hidden", _view(Span.ALL_TIME, hidden=True, more=True)),
        ("Nobody in the last days", _view(Span.LAST_DAYS, people=0)),
    ):
        yield of_screen(caption, leaderboard_screen(_whole(view, words, names), words), view.subject, private=True)
    listed = _whole(_view(Span.ALL_TIME, more=True), words, names)
    yield of_screen("What its numbers mean", how_screen(listed, words), listed.subject, private=True)


def _whole(view: LeaderboardView, words: Translations, names: Sequence[str]) -> LeaderboardView:
    return replace(view, names=dict(enumerate(names)), added=my_profile_button(words))


def _view(
    span: Span,
    game: str = "haymaker",
    *,
    people: int = 10,
    ranked: int = 10,
    hidden: bool = False,
    more: bool = False,
) -> LeaderboardView:
    entries = tuple(_entry(user, span, game, ranked, first=41 if more else 1) for user in range(people))
    own = next((entry for entry in entries if entry.key.user_id == READER), None)
    if hidden:
        entries = tuple(entry for entry in entries if entry is not own)
    counted = sum(entry.rank is not None for entry in entries)
    page = LeaderboardPage(entries, 1234 if more else counted, people - counted, own, has_previous=more, has_next=more)
    return LeaderboardView(span, game, page, dict(enumerate(NAMES)), READER, hidden, 1_801_440_000)


def _entry(user: int, span: Span, game: str, ranked: int, *, first: int) -> Entry:
    score = 140 - 30 * user if span is not Span.ALL_TIME else 1400 - 100 * user
    key = LineKey(Section.RANKED if user < ranked else Section.BELOW, score * 1000, user)
    rating = Rating(33 - user, 2.5 + user / 2) if game else None
    shared = user in {1, 2}
    rank = (first + (1 if shared else user)) if user < ranked else None
    few = user >= ranked and span is not Span.ALL_TIME
    wins, losses, draws = (1, user % 2, 0) if few else (21 - 2 * user, user, user % 3)
    return Entry(key, wins, losses, draws, rating, rank, shared and user < ranked)
