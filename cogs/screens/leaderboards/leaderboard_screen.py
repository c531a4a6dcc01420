"""A page of a leaderboard, with the reader's own rank, and what leads to the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.games import GAMES
from bot.ratings import SETTLED
from bot.store.queries import leaderboards
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Control, Option, Press, Rule, Screen, Select, Text, Tone, noted
from cogs.screens.leaderboards import leaderboard_ids
from cogs.screens.profiles import my_profile_button
from cogs.screens.renderer import MOST_OPTIONS

MARK: Final = "➤ "
"""Before the reader's own line. Names cannot contain it."""
LIST_WINDOW: Final = 0
_AFTER_SPANS: Final = 1 + len(leaderboards.Span)
"""Controls of a message have different ids, though they may show the same page: each has a number of its own."""


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """What a reader sees of a leaderboard. `names` has all people of the page, and `ends` is when the season ends, in
    seconds since 1970."""

    span: leaderboards.Span
    game: str
    page: leaderboards.LeaderboardPage
    names: Mapping[int, str]
    reader: int
    hidden: bool
    ends: int

    @property
    def subject(self) -> str:
        """What its controls act on, in place of a match."""
        return self.game or leaderboard_ids.SUBJECT


def leaderboard_screen(view: LeaderboardView, words: Translations, note: str = "") -> Screen:
    """A page of a leaderboard. The note comes first, if there is one."""
    title = words("ladder.title", game=GAMES[view.game].info.title if view.game else words("ladder.all_games"))
    listed = view.page.ranked + view.page.below
    about = Text(words.count("ladder.players", listed, span=_span(view, words)) if listed else _span(view, words))
    rows: tuple[tuple[Control, ...], ...] = ((_games(view, words),), _spans(view, words), _turning(view, words))
    if not view.page.entries:
        return Screen(title, (*noted(note), about, Text(_empty(view, words)), *_own_hidden(view, words)), rows)
    lines = Text("\n".join(_lines(view, words)))
    own = Text(_own(view, words))
    return Screen(title, (*noted(note), about, lines, Rule(), own), rows, "\n".join(_foot(view, words)))


def _span(view: LeaderboardView, words: Translations) -> str:
    name = view.span.name.lower()
    return words(f"ladder.span_{name}", days=leaderboards.LAST_DAYS, when=f"<t:{view.ends}:R>")


def _empty(view: LeaderboardView, words: Translations) -> str:
    if view.span is not leaderboards.Span.ALL_TIME:
        return words("ladder.empty_since")
    return words("ladder.empty", game=view.game) if view.game else words("ladder.empty_everywhere")


# ---------------------------------------------------------------------------------------------- lines


def _lines(view: LeaderboardView, words: Translations) -> Iterable[str]:
    """The lines of the page, and a heading before the first of those without a rank."""
    headed = False
    for entry in view.page.entries:
        if entry.place.section is leaderboards.Section.BELOW and not headed:
            headed = True
            key = "ladder.heading.inactive" if view.span is leaderboards.Span.ALL_TIME else "ladder.heading.few"
            yield words(key, days=leaderboards.ACTIVE_DAYS, least=leaderboards.LEAST_MATCHES[view.span])
        mark = MARK if entry.place.user_id == view.reader else ""
        yield f"{mark}{_line(view, entry, words)}"


def _line(view: LeaderboardView, entry: leaderboards.Entry, words: Translations) -> str:
    key = "ladder.line_unranked" if entry.rank is None else "ladder.line_shared" if entry.shared else "ladder.line"
    name, score = view.names[entry.place.user_id], _score(view, entry, words)
    return words(key, rank=entry.rank, name=name, score=score, record=_record(entry, words))


def _score(view: LeaderboardView, entry: leaderboards.Entry, words: Translations) -> str:
    """What the leaderboard ranks by: a rating, or points, which have a sign where they are a change."""
    if view.span is not leaderboards.Span.ALL_TIME:
        sign = "+" if entry.points > 0 else "−" if entry.points < 0 else "±"
        return words.count("ladder.points", abs(entry.points), points=f"{sign}{abs(entry.points)}")
    if entry.rating is None:
        return words.count("ladder.points", entry.points, points=entry.points)
    key = "ladder.rating_provisional" if _is_provisional(entry) else "ladder.rating"
    return words(key, rating=entry.rating.shown, uncertainty=entry.rating.uncertainty)


def _is_provisional(entry: leaderboards.Entry) -> bool:
    """Whether the rating says little yet."""
    return entry.rating is not None and entry.rating.provisional


def _record(entry: leaderboards.Entry, words: Translations) -> str:
    key = "ladder.record_draws" if entry.draws else "ladder.record"
    return words(key, wins=entry.wins, losses=entry.losses, draws=entry.draws)


# ---------------------------------------------------------------------------------------------- around the lines


def _own(view: LeaderboardView, words: Translations) -> str:
    """Where the reader is, or why they have no rank."""
    own, since = view.page.own, view.span is not leaderboards.Span.ALL_TIME
    if view.hidden:
        if own is None or own.rank is None:
            return words("ladder.hidden")
        return words("ladder.hidden_rank", rank=own.rank, of=view.page.ranked + 1)
    if own is None:
        return words("ladder.unranked_since" if since else "ladder.unranked")
    if own.rank is not None:
        return words("ladder.own", rank=own.rank, of=view.page.ranked)
    if since:
        return words.count("ladder.few", own.matches, least=leaderboards.LEAST_MATCHES[view.span])
    return words("ladder.below", days=leaderboards.ACTIVE_DAYS)


def _own_hidden(view: LeaderboardView, words: Translations) -> tuple[Text, ...]:
    """On an empty leaderboard, only that the reader is hidden."""
    return (Text(_own(view, words)),) if view.hidden else ()


def _foot(view: LeaderboardView, words: Translations) -> Iterable[str]:
    """How it is ranked, and what the short words on this page mean."""
    if view.span is not leaderboards.Span.ALL_TIME:
        yield words("ladder.how_since", least=leaderboards.LEAST_MATCHES[view.span])
    elif view.game == leaderboards.ALL_GAMES:
        yield words("ladder.how_everywhere")
    else:
        yield words("ladder.how", least=GAMES[view.game].info.shortest_counted)
        if any(_is_provisional(entry) for entry in view.page.entries):
            yield words("ladder.provisional_mark")
            yield words("ladder.provisional", most=SETTLED)
    yield words("ladder.record_words")


def _games(view: LeaderboardView, words: Translations) -> Select:
    """The list of games and of all of them together, with this one chosen."""
    keys = [*GAMES][: MOST_OPTIONS - 1]
    if view.game and view.game not in keys:
        keys[-1] = view.game
    titles = {leaderboards.ALL_GAMES: words("ladder.all_games"), **{key: GAMES[key].info.title for key in keys}}
    options = tuple(
        Option(title, leaderboard_ids.write(view.span, key), chosen=key == view.game) for key, title in titles.items()
    )
    return Select(Press(leaderboard_ids.SHOW, LIST_WINDOW), words("ladder.game"), options)


def _spans(view: LeaderboardView, words: Translations) -> tuple[Button, ...]:
    """A button for each time, and one for the reader's profile. The text above says which time is shown, as the
    button's colour does."""
    times = [
        Button(
            words(f"ladder.span.{span.name.lower()}", days=leaderboards.LAST_DAYS),
            Press(leaderboard_ids.SHOW, 1 + span, leaderboard_ids.write(span, view.game)),
            Tone.MAIN if span is view.span else Tone.PLAIN,
        )
        for span in leaderboards.Span
    ]
    return *times, my_profile_button(words)


def _turning(view: LeaderboardView, words: Translations) -> tuple[Button, ...]:
    """The buttons to other pages, where there are others, and the one with which the reader hides."""
    page = view.page
    choice = Button(
        words("button.list_me" if view.hidden else "button.hide_me"),
        Press(leaderboard_ids.HIDE, 0, leaderboard_ids.write_choice(view.span, view.game, hidden=not view.hidden)),
    )
    if not (page.has_previous or page.has_next):
        return (choice,)
    on_page = any(entry.place.user_id == view.reader for entry in page.entries)
    requests = (
        (
            "button.previous",
            leaderboards.PageRequest(leaderboards.PageOf.BEFORE, place=page.entries[0].place),
            page.has_previous,
        ),
        (
            "button.next",
            leaderboards.PageRequest(leaderboards.PageOf.AFTER, place=page.entries[-1].place),
            page.has_next,
        ),
        ("button.my_rank", leaderboards.PageRequest(leaderboards.PageOf.OWN), page.own is not None and not on_page),
    )
    turning = [
        Button(
            words(key),
            Press(leaderboard_ids.SHOW, _AFTER_SPANS + number, leaderboard_ids.write(view.span, view.game, request)),
            enabled=enabled,
        )
        for number, (key, request, enabled) in enumerate(requests)
    ]
    return (*turning, choice)
