"""A page of a leaderboard, with the reader's own rank, and what leads to the others.

The arguments of its buttons and lists say which leaderboard, and which page of it:
``<span>.<game>`` is the first page, ``<span>.<game>.p.<number>`` the one that begins with the line of that number,
``<span>.<game>.o`` the reader's own, and ``<span>.<game>.a.<section>.<score>.<user>`` the one after (``b``: before) a
key. ``-`` in place of a game is all games. Keys say where to read on, so a page doesn't depend on who has moved
meanwhile. They name only people who are on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.games import GAMES
from bot.play.live_match import LiveMatch
from bot.play.seasons import Ranked
from bot.ratings import SCALE, SETTLED, Rating, chances
from bot.scheduler import begins_at
from bot.store.match_weights import KNOWN, MatchWeight
from bot.store.queries import leaderboards
from bot.store.queries.leaderboards import LineKey, Section, Span
from bot.store.queries.resets import TAKEN_BACK_WITHIN, Reset
from bot.store.scoring import UNMET, RatingChange
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Rows, Rule, Screen, Select, Text, Tone, noted
from cogs.leaderboards.queries import LeaderboardPage, PageOf, PageRequest
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.endings import signed
from cogs.screens.presenter import Reader
from cogs.screens.renderer import MOST_OPTIONS
from engines.game import Seat

SHOW: Final = "board"
HOW: Final = "ladderhow"
HIDE: Final = "boardhide"
POST: Final = "boardpost"
SAVE: Final = "boardfile"
RESET: Final = "boardreset"
START_OVER: Final = "boardover"
TAKE_BACK: Final = "boardback"
"""The verbs: show a page, explain it, leave the reader out of the lists or put them back; and for who manages the
server, post the first page and save all of it, ask before the standings start over, do it, and take it back."""

SUBJECT: Final = "boards"
"""What the controls of a leaderboard over all games act on, in place of a game."""

EVERY: Final = "-"
_SPANS: Final = {Span.ALL_TIME: "t", Span.SEASON: "s", Span.LAST_DAYS: "w"}
_BY_LETTER: Final = {letter: span for span, letter in _SPANS.items()}
_ARGUMENT: Final = re.compile(r"([tsw])\.(-|[a-z0-9_]{1,24})(?:\.(.+))?")
_POSITION: Final = re.compile(r"p\.([0-9]{1,6})")
_KEY: Final = re.compile(r"([ab])\.([012])\.(-?[0-9]{1,12})\.([0-9]{1,20})")
_LAST_ID: Final = 2**63 - 1
"""The highest that the store can look for."""


def write(span: Span, game: str, request: PageRequest | None = None) -> str:
    """The argument for a page; by default the first one."""
    leaderboard = f"{_SPANS[span]}.{game or EVERY}"
    match request:
        case None:
            return leaderboard
        case PageRequest(PageOf.AFTER | PageOf.BEFORE as of, _, LineKey(section, score, user_id)):
            return f"{leaderboard}.{of}.{section:d}.{score}.{user_id}"
        case PageRequest(PageOf.OWN):
            return f"{leaderboard}.{PageOf.OWN}"
        case PageRequest(_, position):
            return f"{leaderboard}.{PageOf.POSITION}.{position}"


def read(arg: str) -> tuple[Span, str, PageRequest]:
    """The span, the game and the page that an argument names. The game may be unknown. Raises UnknownCustomId."""
    found = _ARGUMENT.fullmatch(arg)
    if found is None:
        raise UnknownCustomId("no leaderboard")
    letter, game, page = found.groups()
    return _BY_LETTER[letter], leaderboards.ALL_GAMES if game == EVERY else game, _read_page(page)


def write_choice(span: Span, game: str, *, hidden: bool) -> str:
    """The argument of the button with which the reader hides, or is listed again."""
    return f"{write(span, game)}.{int(hidden)}"


def read_choice(arg: str) -> tuple[Span, str, bool]:
    """The span and the game of the leaderboard to show, and whether the reader wants to be hidden.

    Raises UnknownCustomId.
    """
    leaderboard, _, chosen = arg.rpartition(".")
    if chosen not in {"0", "1"}:
        raise UnknownCustomId("no such choice")
    span, game, _ = read(leaderboard)
    return span, game, chosen == "1"


def _read_page(text: str | None) -> PageRequest:
    if text is None:
        return PageRequest()
    if text == PageOf.OWN:
        return PageRequest(PageOf.OWN)
    if found := _POSITION.fullmatch(text):
        return PageRequest(position=int(found[1]))
    found = _KEY.fullmatch(text)
    if found is None or int(found[4]) > _LAST_ID:
        raise UnknownCustomId("no page of a leaderboard")
    return PageRequest(
        PageOf(found[1]),
        key=LineKey(Section(int(found[2])), int(found[3]), int(found[4])),
    )


# ---------------------------------------------------------------------------------------------- the page

SHOWN_FROM: Final = 5
"""From which match on somebody has a number: before, it says next to nothing."""
MARK: Final = "➤ "
"""Before the reader's own line. Names cannot contain it."""
_GAMES, _TIMES, _BEFORE, _AFTER, _OWN = range(5)
"""Controls of a message have different ids, though they may show the same page: each has a number of its own."""


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """What a reader sees of a leaderboard. `names` has all people of the page, and `ends` is when the season ends, in
    seconds since 1970. `added` are the buttons that other rooms have added behind *?*, and `empty` those for an empty
    one. `aside` says that moderators have set the reader's results aside. `since` is when the server's standings
    started over, in seconds since 1970, if that limits the leaderboard, and `counting` says that they are being counted
    again.
    """

    span: Span
    game: str
    page: LeaderboardPage
    names: Mapping[int, str]
    reader: int
    hidden: bool
    ends: int
    added: Sequence[Button] = ()
    empty: Sequence[Button] = ()
    aside: bool = False
    since: int | None = None
    counting: bool = False

    @property
    def subject(self) -> str:
        """What its controls act on, in place of a match."""
        return self.game or SUBJECT


def leaderboard_screen(view: LeaderboardView, words: Translations, note: str = "") -> Screen:
    """A page of a leaderboard. The note comes first, if there is one."""
    title = _title(view, words)
    listed = view.page.ranked + view.page.below
    span = _span(view, words)
    about = Text(_since(view, words.count("ladder.players", listed, span=span) if listed else span, words))
    rows: Rows = ((_games(view, words),), (_times(view, words),), (*_turning(view, words), _more(view, words)))
    if not view.page.entries:
        sections = (*noted(note), about, Text(_empty(view, words)), *_own_hidden(view, words))
        return Screen(title, sections, (*rows, tuple(view.empty)))
    lines = Text("\n".join(_lines(view, words)))
    own = Text(_own(view, words))
    return Screen(title, (*noted(note), about, lines, Rule(), own), rows, _foot(view, words))


def how_screen(view: LeaderboardView, words: Translations, *, manages: bool = False) -> Screen:
    """How a leaderboard ranks, what the short words on its lines mean, and what a reader rarely presses; who `manages`
    the server can post and save it."""
    game, all_time = view.game, view.span is Span.ALL_TIME
    counted = (words("ladder.how_counted", least=GAMES[game].info.shortest_counted),) if game in GAMES else ()
    lines = (
        _foot(view, words),
        *(counted if all_time else (words("ladder.how_since"),)),
        words("ladder.how_new", least=SHOWN_FROM),
        words("ladder.provisional", most=SETTLED),
        words("ladder.record_words"),
    )
    back = Button(words("button.previous"), Press(SHOW, _BEFORE, write(view.span, game)))
    own = () if view.page.own is None else (_turn("button.my_rank", _OWN, PageRequest(PageOf.OWN), view, words),)
    row = (back, *own, *view.added, *_hiding(view, words))
    leaderboard = write(view.span, game)
    managing = (
        Button(words("ladder.post"), Press(POST, 0, leaderboard)),
        Button(words("ladder.save"), Press(SAVE, 0, leaderboard)),
    )
    reset = (Button(words("ladder.reset"), Press(RESET, 0, leaderboard)),)
    rows: Rows = (row,)
    if manages and (view.page.entries or view.since):
        rows = (row, (*(managing if view.page.entries else ()), *reset))
    return Screen(words("ladder.how_title"), (Text("\n".join(lines)),), rows)


def public_screen(view: LeaderboardView, words: Translations) -> Screen:
    """The first page of a leaderboard, for a whole channel."""
    page = view.page
    about = words.count("ladder.players", page.ranked + page.below, span=_span(view, words))
    button = Button(words("button.leaderboard"), Press(SHOW, 0, write(view.span, view.game)))
    lines = Text("\n".join(_lines(view, words)))
    return Screen(_title(view, words), (Text(_since(view, about, words)), lines), ((button,),), _foot(view, words))


def reset_screen(leaderboard: str, reset: Reset | None, now: int, words: Translations, note: str = "") -> Screen:
    """What a reset of all standings of a server does, and the button for it; or until when the latest one can be taken
    back. `leaderboard` is that from which somebody came, and `now` in ms UTC."""
    back = Button(words("button.previous"), Press(HOW, 0, leaderboard))
    title = words("ladder.reset_title")
    if reset is not None and now < reset.final_at:
        told = words("ladder.reset_made", when=f"<t:{reset.at // 1000}:f>", until=f"<t:{reset.final_at // 1000}:f>")
        undo = Button(words("ladder.reset_undo"), Press(TAKE_BACK, 0, leaderboard))
        return Screen(title, (*noted(note), Text(told)), ((back, undo),))
    do = Button(words("ladder.reset_do"), Press(START_OVER, 0, leaderboard), Tone.BAD)
    told = words("ladder.reset_ask", days=TAKEN_BACK_WITHIN // leaderboards.DAY_MS)
    return Screen(title, (*noted(note), Text(told)), ((back, do),), tone=Tone.BAD)


def _title(view: LeaderboardView, words: Translations) -> str:
    return words("ladder.title", game=GAMES[view.game].info.title if view.game else words("ladder.all_games"))


def _span(view: LeaderboardView, words: Translations) -> str:
    name = view.span.name.lower()
    return words(f"ladder.span_{name}", days=leaderboards.LAST_DAYS, when=f"<t:{view.ends}:R>")


def _since(view: LeaderboardView, about: str, words: Translations) -> str:
    """What a leaderboard is about, and that it counts only from a moment on."""
    return about if view.since is None else "\n".join((about, words("ladder.since", when=f"<t:{view.since}:D>")))


def _empty(view: LeaderboardView, words: Translations) -> str:
    if not view.game:
        return words("ladder.empty_everywhere")
    return words("ladder.empty" if view.span is Span.ALL_TIME else "ladder.empty_since")


# ---------------------------------------------------------------------------------------------- lines


def _lines(view: LeaderboardView, words: Translations) -> Iterable[str]:
    """The lines of the page, and a heading before the first of those without a rank."""
    headed = False
    for entry in view.page.entries:
        if entry.key.section is Section.BELOW and not headed:
            headed = True
            key = "ladder.heading.inactive" if view.span is Span.ALL_TIME else "ladder.heading.few"
            yield words(key, days=leaderboards.ACTIVE_DAYS, least=leaderboards.LEAST_MATCHES[view.span])
        mark = MARK if entry.key.user_id == view.reader else ""
        yield f"{mark}{_line(view, entry, words)}"


def _line(view: LeaderboardView, entry: leaderboards.Entry, words: Translations) -> str:
    key = "ladder.line_unranked" if entry.rank is None else "ladder.line_shared" if entry.shared else "ladder.line"
    name, score = view.names[entry.key.user_id], _score(view, entry, words)
    return words(key, rank=entry.rank, name=name, score=score, record=_record(entry, words))


def _score(view: LeaderboardView, entry: leaderboards.Entry, words: Translations) -> str:
    """What the leaderboard ranks by: a rating, or points, which have a sign where they are a change."""
    if view.span is not Span.ALL_TIME:
        return words.count("ladder.points", abs(entry.points), points=signed(entry.points))
    if entry.matches < SHOWN_FROM:
        return words("ladder.new")
    if entry.rating is None:
        return words.count("ladder.points", entry.points, points=entry.points)
    return words("ladder.rating", rating=entry.rating.shown, uncertainty=entry.rating.uncertainty)


def _record(entry: leaderboards.Entry, words: Translations) -> str:
    key = "ladder.record_draws" if entry.draws else "ladder.record"
    return words(key, wins=entry.wins, losses=entry.losses, draws=entry.draws)


# ---------------------------------------------------------------------------------------------- around the lines


def _own(view: LeaderboardView, words: Translations) -> str:
    """Where the reader is, or why they have no rank."""
    own, since = view.page.own, view.span is not Span.ALL_TIME
    if view.aside:
        return words("ladder.set_aside")
    if view.hidden:
        rank = None if own is None else own.rank
        of = view.page.ranked + 1
        return words("ladder.hidden") if rank is None else words("ladder.hidden_rank", rank=rank, of=of)
    if own is None:
        return words("ladder.unranked_since" if since else "ladder.unranked")
    if own.rank is not None:
        return words("ladder.own", rank=own.rank, of=view.page.ranked)
    if since:
        return words.count("ladder.few", own.matches, least=leaderboards.LEAST_MATCHES[view.span])
    return words("ladder.below", days=leaderboards.ACTIVE_DAYS)


def _own_hidden(view: LeaderboardView, words: Translations) -> tuple[Text, ...]:
    """On an empty leaderboard, only that the reader is hidden or set aside."""
    return (Text(_own(view, words)),) if view.hidden or view.aside else ()


def _foot(view: LeaderboardView, words: Translations) -> str:
    """How it is ranked, in a line."""
    if view.span is not Span.ALL_TIME:
        return words("ladder.how_points", least=leaderboards.LEAST_MATCHES[view.span])
    if view.game:
        return words("ladder.how", most=round(SCALE * UNMET), known=KNOWN)
    return words("ladder.how_everywhere")


def _games(view: LeaderboardView, words: Translations) -> Select:
    """The list of games and of all of them together, with this one chosen."""
    keys = [*GAMES][: MOST_OPTIONS - 1]
    if view.game and view.game not in keys:
        keys[-1] = view.game
    titles = {leaderboards.ALL_GAMES: words("ladder.all_games"), **{key: GAMES[key].info.title for key in keys}}
    options = tuple(Option(title, write(view.span, key), chosen=key == view.game) for key, title in titles.items())
    return Select(Press(SHOW, _GAMES), words("ladder.game"), options)


def _times(view: LeaderboardView, words: Translations) -> Select:
    """The list of times, with this one chosen. The text above says which it is too."""
    options = tuple(
        Option(
            words(f"ladder.span.{span.name.lower()}", days=leaderboards.LAST_DAYS),
            write(span, view.game),
            chosen=span is view.span,
        )
        for span in Span
    )
    return Select(Press(SHOW, _TIMES), words("ladder.time"), options)


def _turning(view: LeaderboardView, words: Translations) -> tuple[Button, ...]:
    """The buttons to other pages, where there are others."""
    page = view.page
    if not (page.has_previous or page.has_next):
        return ()
    first, last = page.entries[0].key, page.entries[-1].key
    before, after = PageRequest(PageOf.BEFORE, key=first), PageRequest(PageOf.AFTER, key=last)
    return (
        _turn("button.previous", _BEFORE, before, view, words, enabled=page.has_previous),
        _turn("button.next", _AFTER, after, view, words, enabled=page.has_next),
    )


def _turn(
    label: str, number: int, to: PageRequest, view: LeaderboardView, words: Translations, *, enabled: bool = True
) -> Button:
    return Button(words(label), Press(SHOW, number, write(view.span, view.game, to)), enabled=enabled)


def _more(view: LeaderboardView, words: Translations) -> Button:
    """What explains the numbers, and leads to what a reader rarely presses."""
    return Button(words("button.how"), Press(HOW, 0, write(view.span, view.game)))


def _hiding(view: LeaderboardView, words: Translations) -> tuple[Button, ...]:
    """The button with which the reader hides, if they are listed, with a rank or below those who have one; or comes
    back. Nobody comes back whom moderators have set aside."""
    if view.aside or (not view.hidden and view.page.own is None):
        return ()
    label = words("button.list_me" if view.hidden else "button.hide_me")
    return (Button(label, Press(HIDE, 0, write_choice(view.span, view.game, hidden=not view.hidden))),)


def season_screen(
    season: range, shown: Sequence[Ranked], ranked: int, names: Mapping[int, str], words: Translations
) -> Screen:
    """The final standings of a season over all games, for a whole server: the first of all who had a rank."""
    ranks = [each.rank for each in shown]
    lines = []
    for rank, user_id, tally in shown:
        points = round(tally.points / leaderboards.THOUSANDTHS)
        score = words.count("ladder.points", abs(points), points=signed(points))
        key = "ladder.record_draws" if tally.draws else "ladder.record"
        record = words(key, wins=tally.wins, losses=tally.losses, draws=tally.draws)
        line = "ladder.line_shared" if ranks.count(rank) > 1 else "ladder.line"
        lines.append(words(line, rank=rank, name=names[user_id], score=score, record=record))
    days = words(
        "ladder.season_days", first=words.date(begins_at(season.start)), last=words.date(begins_at(season[-1]))
    )
    button = Button(words("button.leaderboard"), Press(SHOW, 0, write(Span.SEASON, leaderboards.ALL_GAMES)))
    about = Text("\n".join((days, words.count("ladder.season_ranked", ranked))))
    foot = words("ladder.how_points", least=leaderboards.LEAST_MATCHES[Span.SEASON])
    return Screen(words("ladder.season_over"), (about, Text("\n".join(lines))), ((button,),), foot, tone=Tone.GOOD)


def leaderboard_button(game: str, words: Translations) -> tuple[Button, ...]:
    """Shows the leaderboard of a game, if it is installed."""
    return (Button(words("button.leaderboard"), Press("standings", 0, game)),) if game in GAMES else ()


RATING: Final = "rating"
"""The verb that asks why a rating changed."""


def rating_button(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    """The button for a player of a match that counted."""
    counted = match.result is not None and match.result.counted
    return (Button(reader.words("button.rating"), Press(RATING)),) if counted and reader.seat is not None else ()


def rating_screen(changes: Sequence[RatingChange], seat: Seat, words: Translations) -> Screen:
    """What a match did to the rating of the player on a seat, from the changes of all seats."""
    change = changes[seat]
    chance = words.percent(percent(chances([each.before for each in changes])[seat]))
    moved = words(
        "rating.changed",
        before=_rating(change.before, words),
        after=_rating(change.after, words),
        change=signed(change.after.shown - change.before.shown),
    )
    expected = words("rating.expected" if len(changes) == 2 else "rating.expected_first", share=chance)
    reasons = tuple(_reasons(change.weight, words))
    weight = words(
        "rating.weight" if reasons else "rating.weight_full", share=words.percent(percent(change.weight.whole))
    )
    provisional = (words("rating.provisional"),) if change.provisional else ()
    lines = (moved, expected, weight, *reasons, *provisional)
    return Screen(words("rating.title"), (Text("\n".join(lines)),), (), words("rating.how"))


def percent(share: float) -> int:
    """A share in whole percents. What is more than nothing and less than all never reads 0 or 100."""
    if 0 < share < 1:
        return min(99, max(1, round(100 * share)))
    return round(100 * share)


def _rating(rating: Rating, words: Translations) -> str:
    return words("ladder.rating", rating=rating.shown, uncertainty=rating.uncertainty)


def _reasons(weight: MatchWeight, words: Translations) -> Iterator[str]:
    """Why a match weighs less than the whole, a line for each factor."""
    if weight.repeated < 1:
        yield words("rating.repeated", share=words.percent(percent(weight.repeated)))
    if weight.newcomers < 1:
        yield words("rating.newcomers", share=words.percent(percent(weight.newcomers)))
