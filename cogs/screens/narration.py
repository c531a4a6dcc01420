"""The latest events of a match in words, as their reader may know them."""

from __future__ import annotations

from collections.abc import Iterable

from bot.play.live_match import LiveMatch
from bot.ui.screen import Log
from cogs.screens.cards.fitting import fitting
from cogs.screens.presenter import ChangeableChoices, Presenter, Reader
from cogs.screens.renderer import utf16_units
from engines.game import Event, Seat, seen_by

MOMENTS = 3
"""How many moments of a match its result tells."""


def recent_events(
    match: LiveMatch, viewer: Seat | None, presenter: Presenter, reader: Reader, *, most: int, first: int | None = None
) -> Log:
    """The latest events in at most `most` lines, oldest first, for a seat or (None) for everybody.

    With `first`, only that number of events is considered, from the beginning of the match.
    """
    lines: list[str] = []
    following: Event | None = None
    for event in reversed(match.events[:first]):
        seen = seen_by(event, viewer)
        if seen is None:
            continue
        repeated = seen == following and isinstance(presenter, ChangeableChoices) and presenter.is_shown_once(seen)
        following = seen
        line = None if repeated else _line(seen, presenter, reader)
        if line:
            lines.append(line)
        if len(lines) == most:
            break
    return Log(tuple(reversed(lines)))


def moments(facts: Iterable[Event], presenter: Presenter, reader: Reader) -> Log:
    """The moments of a finished match that mattered most, in their order, from all its facts. The act that won it is
    the last, and says so.

    What only some may know is not among them.
    """
    events = [seen for fact in facts if (seen := seen_by(fact, None)) is not None]
    decisive = presenter.decisive(events)
    others = range(len(events) if decisive is None else decisive)
    weights = {place: presenter.weight(events, place) for place in others}
    room = MOMENTS if decisive is None else MOMENTS - 1
    heaviest = sorted((place for place in others if weights[place] > 0), key=lambda place: (weights[place], place))
    lines = [presenter.moment(events, place, reader) for place in sorted(heaviest[-room:])]
    if decisive is not None:
        won = presenter.moment(events, decisive, reader)
        lines.append(reader.words("ending.decisive", told=won) if won else None)
    return Log(tuple(line for line in lines if line))


def first_sentence(events: Iterable[Event], viewer: Seat, presenter: Presenter, reader: Reader) -> str:
    """The first of these events that is narrated, as a seat may know it; empty if none is."""
    for event in events:
        seen = seen_by(event, viewer)
        line = presenter.narrate(seen, reader) if seen is not None else None
        if line:
            return line
    return ""


def _line(event: Event, presenter: Presenter, reader: Reader) -> str | None:
    """An event in a sentence; in a shorter form of cards, if in the reader's own it would be too long."""
    longest = reader.cards.longest_line

    def fits(line: str | None) -> bool:
        return line is None or longest is None or utf16_units(line) <= longest

    return fitting(reader, lambda reader: presenter.narrate(event, reader), fits)
