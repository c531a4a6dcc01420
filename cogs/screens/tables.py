"""The table of a match as a picture and in words: at the end on the board, and on demand for one reader.

Pictures are drawn outside the event loop. A screen with a picture is complete without it: the texts say all that it
shows. So an error in drawing costs the picture alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from bot import logs
from bot.art.chart_picture import Chart, draw_chart
from bot.art.curve_picture import Curve, StoryPicture, draw_curve, draw_story
from bot.art.layout import Card, Pile, TableLayout
from bot.art.rating_picture import RatingCurve, draw_rating
from bot.art.table import draw
from bot.play.facts.last_facts import BOARD_LINES
from bot.play.live_match import LiveMatch
from bot.telemetry import Telemetry
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Picture, Press, Screen, Section, Text
from cogs.screens.cards.fitting import fitting
from cogs.screens.presenter import Pictured, Presenter, Reader
from cogs.screens.renderer import utf16_units
from cogs.screens.safe_names import unescaped
from engines.game import Seat, seen_by

LONGEST_DESCRIPTION: Final = 1024
"""Discord's limit (https://discord.com/developers/docs/components/reference#media-gallery). We count UTF-16 units, the
longest of all counts."""
LONGEST_TEXT: Final = 3700
"""The same for a message's text, beside its title."""
_CUTS: Final = (1000, 60, 40, 30, 25, 20, 15, 10, 7, 5, 3, 2, 1, 0)
"""How many cards of each hand or pile are listed: as many of all of them as fit."""
REMEMBERED: Final = 128
"""How many pictures of tables are kept, for tables that are shown again: about a megabyte."""
_PAINTER: Final = ThreadPoolExecutor(1, "pictures")
"""One thread, because one picture after the other is drawn soonest: they share the interpreter with the event loop. It
is not asyncio's own pool, where a hundred matches that end at once would keep the look-up of addresses waiting."""


def table_button(presenter: Presenter, reader: Reader) -> tuple[Button, ...]:
    """The button that shows the table to the person who presses it; none in a game without pictures."""
    if not isinstance(presenter, Pictured):
        return ()
    return (Button(reader.words("button.table"), Press("table")),)


def final_picture(
    match: LiveMatch, presenter: Presenter, reader: Reader, *, instead: tuple[Section, ...]
) -> tuple[Section, ...]:
    """The table at the end of a match, when everything is open, with what is shown `instead` if it can't be drawn; none
    in a game without pictures."""
    if not isinstance(presenter, Pictured):
        return ()
    layout = table_layout(match, presenter, None)
    return (Picture(layout, description(layout, reader), instead=instead),)


def table_screen(match: LiveMatch, presenter: Pictured, reader: Reader, *, pictured: bool = True) -> Screen:
    """The table as a reader may see it now: in words, and as a picture unless they want none."""
    layout = table_layout(match, presenter, reader.seat)
    picture = (Picture(layout, description(layout, reader)),) if pictured else ()
    title = reader.words("picture.title", game=match.game.info.title)
    return Screen(title, (*picture, Text(text(layout, reader))))


def table_layout(match: LiveMatch, presenter: Pictured, viewer: Seat | None) -> TableLayout:
    """Where everything lies, as a seat or (None) everybody may see it. When a match is over, everything is open (the
    rulings' Knowledge tables) unless it is still secret, and its winners are marked."""
    known = [match.private(seat) if not match.secret or seat == viewer else None for seat in range(len(match.seats))]
    layout = presenter.picture(match.public(), known)
    return with_winners(layout, match.result.ranks if match.result is not None else ())


def board_layout(match: LiveMatch, presenter: Pictured) -> TableLayout:
    """The same for everybody while a match is on: with those whom it waits for, and what was laid last."""
    layout = table_layout(match, presenter, None)
    seen = [event for fact in match.last_facts() if (event := seen_by(fact, None)) is not None and event.narrated]
    return replace(with_awaited(layout, match.awaited), last=presenter.last_laid(match.public(), seen[-BOARD_LINES:]))


def with_awaited(layout: TableLayout, awaited: Collection[Seat]) -> TableLayout:
    """A table on which those seats are marked for whom the match waits."""
    strips = tuple(replace(strip, awaited=seat in awaited) for seat, strip in enumerate(layout.strips))
    return replace(layout, strips=strips)


def with_winners(layout: TableLayout, ranks: Sequence[int]) -> TableLayout:
    """A table on which those are marked who were ranked first. Nobody wins a draw, or a match that was called off."""
    if len(set(ranks)) < 2:
        return layout
    strips = [replace(strip, winner=rank == 1) for strip, rank in zip(layout.strips, ranks, strict=True)]
    return replace(layout, strips=tuple(strips))


def description(layout: TableLayout, reader: Reader, longest: int = LONGEST_DESCRIPTION) -> str:
    """The table without Markdown, for people who cannot see the picture. Long lists of cards are cut."""
    names = tuple(unescaped(name) for name in reader.names)
    writer = _Writer(reader.words, names, reader.cards.label, reader.cards.joined)
    return _written(writer, layout, longest)


def text(layout: TableLayout, reader: Reader) -> str:
    """The table in the text of a message. Lists of cards are cut only if no form of cards has room for them."""
    names = tuple(f"**{name}**" for name in reader.names)

    def made(reader: Reader) -> str:
        longest = None if reader.cards.shorter is not None else LONGEST_TEXT
        return _written(_Writer(reader.words, names, reader.cards.text, reader.cards.joined), layout, longest)

    return fitting(reader, made, lambda text: utf16_units(text) <= LONGEST_TEXT)


@dataclass(frozen=True, slots=True)
class _Writer:
    """In which language, under which names, how a card is written, and how cards are joined."""

    words: Translations
    names: Sequence[str]
    card: Callable[[Card], str]
    joined: Callable[[Sequence[str]], str]

    def lines(self, layout: TableLayout, most: int) -> list[str]:
        """A line for each seat and for each pile in the middle, with at most this many cards of each.

        A draw pile that is used up has a line; discards that nobody made have none.
        """
        words = self.words
        found: list[str] = []
        for seat, strip in enumerate(layout.strips):
            held = [self._pile(strip.hand, most, first=True), *[self._pile(pile, most) for pile in strip.piles]]
            key = "picture.winner" if strip.winner else "picture.seat"
            found.append(words(key, seat=seat + 1, player=self.names[seat], what=words("picture.and").join(held)))
        for pile in layout.last:
            what = self._pile(pile, most)
            if pile.seat is None:
                found.append(words("picture.last", what=what))
            else:
                found.append(words("picture.last_by", player=self.names[pile.seat], what=what))
        for pile in [pile for pile in layout.middle if pile.count or pile in layout.stacks]:
            what = self._pile(pile, most)
            if pile.seat is None:
                found.append(words("picture.middle", what=what))
            else:
                found.append(words("picture.seat", seat=pile.seat + 1, player=self.names[pile.seat], what=what))
        return found

    def _pile(self, pile: Pile, most: int, *, first: bool = False) -> str:
        """What a pile is, how many cards it has, and those that lie open: the first of them, or the top ones."""
        what = self.words.count(pile.says, pile.count)
        cards = pile.open_cards
        if not cards or not most:
            return what
        listed = [self.card(card) for card in (cards[:most] if first else cards[-most:])]
        if len(cards) > most:
            rest = f"+{len(cards) - most}"
            listed = [*listed, rest] if first else [rest, *listed]
        return self.words("picture.open", what=what, cards=self.joined(listed))


def _written(writer: _Writer, layout: TableLayout, longest: int | None) -> str:
    """The lines with as many cards as fit; with all of them if there is no limit."""
    for most in _CUTS:
        written = "\n".join(writer.lines(layout, most))
        if longest is None or utf16_units(written) <= longest:
            return written
    return "\n".join(writer.lines(layout, 0))


async def drawn(screen: Screen, telemetry: Telemetry) -> Screen:
    """A screen with its pictures drawn; without those that could not be drawn."""
    if not any(isinstance(section, Picture) for section in screen.sections):
        return screen
    try:
        return await _drawn_elsewhere(screen)
    except Exception as error:  # noqa: BLE001  whatever is wrong with a picture, the texts are shown
        logs.log_error(error, "drawing a table", telemetry)
        return screen


async def _drawn_elsewhere(screen: Screen) -> Screen:
    return await asyncio.get_running_loop().run_in_executor(_PAINTER, with_pictures, screen)


def with_pictures(screen: Screen) -> Screen:
    """The same, drawn in the calling thread. Raises NoPictureError, and what Pillow raises."""
    sections = [
        replace(section, png=_drawn(section)) if isinstance(section, Picture) else section
        for section in screen.sections
    ]
    return replace(screen, sections=tuple(sections))


@lru_cache(maxsize=REMEMBERED)
def _drawn_table(layout: TableLayout) -> bytes:
    """One picture for each table, however often it is shown."""
    return draw(layout)


def _drawn(picture: Picture) -> bytes:
    match picture.layout:
        case TableLayout() as layout:
            return _drawn_table(layout)
        case RatingCurve() as curve:
            return draw_rating(curve)
        case Curve() as curve:
            return draw_curve(curve)
        case Chart() as chart:
            return draw_chart(chart)
        case StoryPicture() as story:
            return draw_story(story)
