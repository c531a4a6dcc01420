"""The table of a match as a picture: at the end on the board, and on demand for one reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.art.layout import TableLayout
from bot.play.live_match import LiveMatch
from bot.ui.screen import Button, Picture, Press, Screen, Section, Text
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.tables import table_text
from cogs.screens.tables.pictured import Pictured
from engines.game import Seat


def table_button(presenter: Presenter, reader: Reader) -> tuple[Button, ...]:
    """The button that shows the table to the person who presses it; none in a game without pictures."""
    if not isinstance(presenter, Pictured):
        return ()
    return (Button(reader.words("button.table"), Press("table")),)


def final_picture(match: LiveMatch, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    """The table at the end of a match, when everything is open; none in a game without pictures."""
    if not isinstance(presenter, Pictured):
        return ()
    layout = table_layout(match, presenter, None)
    return (Picture(layout, table_text.description(layout, reader)),)


def table_screen(match: LiveMatch, presenter: Pictured, reader: Reader, *, pictured: bool = True) -> Screen:
    """The table as a reader may see it now: in words, and as a picture unless they want none."""
    layout = table_layout(match, presenter, reader.seat)
    picture = (Picture(layout, table_text.description(layout, reader)),) if pictured else ()
    title = reader.words("picture.title", game=match.game.info.title)
    return Screen(title, (*picture, Text(table_text.text(layout, reader))))


def table_layout(match: LiveMatch, presenter: Pictured, viewer: Seat | None) -> TableLayout:
    """Where everything lies, as a seat or (None) everybody may see it. When a match is over, everything is open (the
    rulings' Knowledge tables) unless it is still secret, and its winners are marked."""
    known = [match.private(seat) if not match.secret or seat == viewer else None for seat in range(len(match.seats))]
    layout = presenter.picture(match.public(), known)
    return with_winners(layout, match.result.ranks if match.result is not None else ())


def with_winners(layout: TableLayout, ranks: Sequence[int]) -> TableLayout:
    """A table on which those are marked who were ranked first. Nobody wins a draw, or a match that was called off."""
    if len(set(ranks)) < 2:
        return layout
    strips = [replace(strip, winner=rank == 1) for strip, rank in zip(layout.strips, ranks, strict=True)]
    return replace(layout, strips=tuple(strips))
