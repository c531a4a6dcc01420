"""The board once a match is over: the result, with everybody's cards open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.play.live_match import LiveMatch
from bot.ui.screen import Log, Rows, Screen, Section, Text, Tone
from cogs.screens.additions import arranged
from cogs.screens.endings import head_to_head_line, outcome, rating_text, series_lines
from cogs.screens.more import LAST, more_button, more_screen
from cogs.screens.narration import moments
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import is_whole
from cogs.screens.rules_pages import rules_button
from cogs.screens.tables import final_picture, table_button
from engines.game import Seat

HANDS = 1800
"""How many characters the hands of all players have in a result."""
RULES, TABLE = 30, 50
"""The order of the core's own buttons behind *More…* (`cogs.screens.additions`)."""
MOST_SINGLY = 25
"""Hands up to this size are written card by card. If one is larger, equal cards of all are written together."""


def result_screen(
    match: LiveMatch, title: str, table: tuple[Section, ...], presenter: Presenter, reader: Reader
) -> Screen:
    """The result, for matches that are not `secret` any more: who won and why, everybody's cards, and the ratings.

    The cards are shown once: in a picture, or in words where there is none and for a reader who hears the screen.
    """
    in_words = (*table, *_hands(match, presenter, reader))
    picture = () if reader.cards.is_spoken else final_picture(match, presenter, reader, instead=in_words)
    lines = Text("\n".join([*outcome(match, reader), *series_lines(match, reader)]))
    standings = Text("\n".join(_standings(match, reader, pictured=bool(picture))))
    row = arranged(((LAST, (more_button(reader.words),)),), reader.added.result, match, reader)
    return Screen(title, (lines, *(picture or in_words), standings), (row,), tone=Tone.GOOD)


def more_about(
    match: LiveMatch, presenter: Presenter, reader: Reader, seat: Seat | None, *, may_look: bool, below: Rows = ()
) -> Screen:
    """What is behind *More…* on a result, for a reader with or without a seat: what mattered most in the match, told to
    all alike, and what few people do after it; other rows are `below`.

    There are as many moments as there is room for. A reader who may not look at the match sees the buttons alone, and
    each of these says for itself what they may have of it.
    """
    own = ((RULES, (rules_button(reader.words),)), (TABLE, table_button(presenter, reader)))
    buttons = arranged(own, reader.added.result_more, match, replace(reader, seat=seat))
    title = match.game.info.title
    told = moments(match.events, presenter, reader) if may_look else Log(())
    while True:
        sections = _length(match, told, reader) if may_look else ()
        screen = more_screen(title, buttons, reader.words, sections=sections, below=below)
        if not told.lines or is_whole(screen):
            return screen
        told = Log(told.lines[1:])


def _standings(match: LiveMatch, reader: Reader, *, pictured: bool) -> Sequence[str]:
    """The players, with their places if there are more than two, and how their ratings changed; and the score between
    two. Beside a picture each has their disc on it."""
    ranks = match.result.ranks if match.result is not None and len(match.seats) > 2 else ()
    changes = match.effects.ratings if match.effects is not None else ()
    lines: list[str] = []
    for seat in sorted(range(len(match.seats)), key=lambda seat: ranks[seat] if ranks else seat):
        name = f"{reader.discs[seat]} **{reader.names[seat]}**" if pictured else f"**{reader.names[seat]}**"
        told = [_place(ranks, seat, reader)] if ranks else []
        told += [rating_text(change, reader.words) for change in changes[seat : seat + 1]]
        lines.append(" · ".join((name, *told)))
    if match.effects is not None and len(match.seats) == 2:
        first, second = reader.names
        lines.append(head_to_head_line(match.effects.head_to_head, first, second, reader.words))
    return [line for line in lines if line]


def _place(ranks: Sequence[int], seat: int, reader: Reader) -> str:
    key = "ending.place_shared" if ranks.count(ranks[seat]) > 1 else "ending.place"
    return reader.words(key, rank=ranks[seat])


def _length(match: LiveMatch, told: Log, reader: Reader) -> tuple[Section, ...]:
    """How long it was, and what mattered most."""
    if not match.moves:
        return ()
    key = "ending.moments" if told.lines else "ending.moves"
    return Text(reader.words.count(key, match.moves)), told


def _hands(match: LiveMatch, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    """What each seat held at the end. When a match is over, everything is open (the rulings' Knowledge tables)."""
    room = HANDS // len(match.seats)
    held = [presenter.held(match.private(seat)) for seat in range(len(match.seats))]
    grouped = any(len(cards) > MOST_SINGLY for cards in held)
    return tuple(
        reader.cards.listed(reader.words("ending.hand", player=name), cards, together=grouped, room=room)
        for name, cards in zip(reader.names, held, strict=True)
        if cards
    )
