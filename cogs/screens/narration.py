"""The latest events of a match in words, as their reader may know them.

While somebody picks cards, and from one act to the next, a hand or a board tells mostly the same events. So the lines
of each reader's last log are remembered, each with its event. They are never another reader's: a reader is known by
everything that a line can depend on (who sees it, language, names, seat, form of cards), and an event by its identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from bot.play.live_match import LiveMatch
from bot.ui import text_lines
from bot.ui.screen import Log
from cogs.screens.presenter import ChangeableChoices, Presenter, Reader
from cogs.screens.renderer import utf16_units
from engines.game import Event, Seat, seen_by

MOMENTS = 3
"""How many moments of a match its result tells."""
READERS: Final = 1024
"""For how many readers the last lines are remembered."""


class _Told(NamedTuple):
    """An event of a log, what its reader sees of it, and the line for that, if there is one.

    It keeps the event, so that no other event has its `id` meanwhile.
    """

    event: Event
    seen: Event | None
    line: str | None


def recent_events(
    match: LiveMatch,
    viewer: Seat | None,
    presenter: Presenter,
    reader: Reader,
    *,
    most: int,
    room: int | None = None,
    before_question: bool = False,
) -> Log:
    """The latest events in at most `most` lines, oldest first, for a seat or (None) for everybody.

    If asked for, only as many as have `room` in this number of lines of a phone, but one at least; and only of the
    events `before_question`: what came before the open question. A match keeps what `BOARD_LINES` or `HAND_LINES` lines
    need (`bot.play.facts.last_facts`), so there are never more.
    """
    facts = match.last_facts(before_question=before_question)
    return lines_of(facts, viewer, presenter, reader, most=most, room=room)


def lines_of(
    facts: Sequence[Event],
    viewer: Seat | None,
    presenter: Presenter,
    reader: Reader,
    *,
    most: int,
    room: int | None = None,
) -> Log:
    """The last of these facts in at most `most` lines, oldest first; `room` is as for `recent_events`."""
    lines: list[str] = []
    changeable = presenter if isinstance(presenter, ChangeableChoices) else None
    following: Event | None = None
    remembered = last_told((presenter, viewer, reader))
    told: dict[int, _Told] = {}
    for event in reversed(facts):
        known = told[id(event)] = remembered.get(id(event)) or _tell(event, viewer, presenter, reader)
        _, seen, line = known
        if seen is None or not seen.narrated:
            continue
        is_again = changeable is not None and seen == following and changeable.is_shown_once(seen)
        following = seen
        if line and not is_again:
            if room is not None:
                room -= len(text_lines.wrapped(line))
                if room < 0 and lines:
                    break
            lines.append(line)
        if len(lines) == most or (room is not None and room <= 0 and lines):
            break
    remembered.clear()
    remembered.update(told)
    return Log(tuple(reversed(lines)))


@lru_cache(maxsize=READERS)
def last_told(whose: tuple[Presenter, Seat | None, Reader]) -> dict[int, _Told]:  # noqa: ARG001  it is the key
    """The events of a reader's last log, by their `id`."""
    return {}


def _tell(event: Event, viewer: Seat | None, presenter: Presenter, reader: Reader) -> _Told:
    """An event, what a reader sees of it, and its line."""
    seen = seen_by(event, viewer)
    return _Told(event, seen, None if seen is None else _line(seen, presenter, reader))


def moments(facts: Iterable[Event], presenter: Presenter, reader: Reader) -> Log:
    """The moments of a finished match that mattered most, in their order, from all its facts. The act that won it is
    the last, and says so.

    What only some may know is not among them.
    """
    events = [seen for fact in facts if (seen := seen_by(fact, None)) is not None]
    decisive = presenter.decisive(events) if events else None
    others = range(len(events) if decisive is None else decisive)
    weights = {index: presenter.weight(events, index) for index in others}
    room = MOMENTS if decisive is None else MOMENTS - 1
    heaviest = sorted((index for index in others if weights[index] > 0), key=lambda index: (weights[index], index))
    lines = [presenter.moment(events, index, reader) for index in sorted(heaviest[-room:])]
    if decisive is not None:
        lines.append(_decisive(events, decisive, presenter, reader))
    return Log(tuple(line for line in lines if line))


def decisive_moment(facts: Iterable[Event], presenter: Presenter, reader: Reader) -> str:
    """The act that won a finished match, in a line as among its `moments`; empty if there was none."""
    events = [seen for fact in facts if (seen := seen_by(fact, None)) is not None]
    decisive = presenter.decisive(events) if events else None
    return "" if decisive is None else _decisive(events, decisive, presenter, reader)


def _decisive(events: Sequence[Event], index: int, presenter: Presenter, reader: Reader) -> str:
    won = presenter.moment(events, index, reader)
    return reader.words("ending.decisive", told=won) if won else ""


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
    longest, shorter = reader.cards.longest_line, reader.cards.shorter
    line = presenter.narrate(event, reader)
    if line is None or longest is None or shorter is None or utf16_units(line) <= longest:
        return line
    return _line(event, presenter, replace(reader, cards=shorter))
