"""The latest events of a match in words, as their reader may know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bot.play.live_match import LiveMatch
from bot.ui.screen import Log
from cogs.screens.presenter import ChangeableChoices, Presenter, Reader
from engines.game import Event, Seat, seen_by


def recent_events(
    match: LiveMatch, viewer: Seat | None, presenter: Presenter, reader: Reader, *, most: int, first: int | None = None
) -> Log:
    """The latest events in at most `most` lines, oldest first, for a seat or (None) for everybody.

    With `first`, only that number of events is considered, from the beginning of the match.
    """
    return _last(match.events[:first], viewer, presenter, reader, most=most, wanted=lambda _: True)


def summary(match: LiveMatch, presenter: Presenter, reader: Reader, *, most: int) -> Log:
    """The latest highlights of a match in at most `most` lines, oldest first, for everybody."""
    return _last(match.events, None, presenter, reader, most=most, wanted=presenter.is_highlight)


def first_sentence(events: Iterable[Event], viewer: Seat, presenter: Presenter, reader: Reader) -> str:
    """The first of these events that is narrated, as a seat may know it; empty if none is."""
    for event in events:
        seen = seen_by(event, viewer)
        line = presenter.narrate(seen, reader) if seen is not None else None
        if line:
            return line
    return ""


def _last(
    events: Sequence[Event],
    viewer: Seat | None,
    presenter: Presenter,
    reader: Reader,
    *,
    most: int,
    wanted: Callable[[Event], bool],
) -> Log:
    lines: list[str] = []
    following: Event | None = None
    for event in reversed(events):
        seen = seen_by(event, viewer)
        if seen is not None:
            repeated = seen == following and isinstance(presenter, ChangeableChoices) and presenter.is_shown_once(seen)
            following = seen
            if repeated:
                continue
        line = presenter.narrate(seen, reader) if seen is not None and wanted(seen) else None
        if line:
            lines.append(line)
        if len(lines) == most:
            break
    return Log(tuple(reversed(lines)))
