"""The board once a match is over: the result, with everybody's cards open."""

from __future__ import annotations

from collections.abc import Sequence

from bot.play.live_match import LiveMatch
from bot.ui.screen import Log, Rule, Screen, SeatLine, Seats, Section, Text, Tone
from cogs.screens.additions import arranged
from cogs.screens.deal_lines import finished_deal
from cogs.screens.endings import head_to_head_line, outcome, rating_text, series_lines
from cogs.screens.narration import moments
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import is_whole
from cogs.screens.rules_pages import rules_button
from cogs.screens.tables import final_picture, table_button

HANDS = 1800
"""How many characters the hands of all players have in a result."""
RULES, TABLE = 30, 50
"""The places of the core's own buttons in the first row (`cogs.screens.additions`)."""
MOST_SINGLY = 25
"""Hands up to this size are written card by card. If one is larger, equal cards of all are written together."""


def result_screen(
    match: LiveMatch, title: str, table: tuple[Section, ...], presenter: Presenter, reader: Reader
) -> Screen:
    """The result, for matches that are not `secret` any more: who won, a picture of the table, and everybody's cards;
    then as many of the moments as there is room for in the shortest form of cards, the score and the ratings."""
    words, score = reader.words, _standings(match, reader)
    first = (_outcome(match, reader), *final_picture(match, presenter, reader))
    open_table = (*table, *_hands(match, presenter, reader))
    told = moments(match.events, presenter, reader)
    own = ((RULES, (rules_button(reader.words),)), (TABLE, table_button(presenter, reader)))
    rows = (
        arranged(own, reader.added.result, match, reader),
        arranged((), reader.added.result_more, match, reader),
    )
    while True:
        last = (*_length(match, told, reader), *score)
        screen = Screen(title, _parted(first, open_table, last), rows, finished_deal(match, words), Tone.GOOD)
        if not told.lines or reader.cards.shorter is not None or is_whole(screen):
            return screen
        told = Log(told.lines[1:])


def _parted(*groups: Sequence[Section]) -> tuple[Section, ...]:
    """The sections of these groups, with a rule between any two; empty groups are left out."""
    parted: list[Section] = []
    for group in filter(None, groups):
        parted += [Rule(), *group] if parted else group
    return tuple(parted)


def _outcome(match: LiveMatch, reader: Reader) -> Text:
    """Who won and why, how the series stands, and if there are more than two players the ranking, with how each rating
    changed."""
    lines = [*outcome(match, reader), *series_lines(match, reader)]
    if match.result is not None and len(match.seats) > 2:
        ranks, changed = match.result.ranks, _ratings(match, reader)
        for seat in sorted(range(len(ranks)), key=lambda seat: (ranks[seat], reader.names[seat])):
            key = "ending.place_shared" if ranks.count(ranks[seat]) > 1 else "ending.place"
            place = reader.words(key, rank=ranks[seat], player=reader.names[seat])
            lines.append(" · ".join((place, *changed[seat : seat + 1])))
    return Text("\n".join(lines))


def _ratings(match: LiveMatch, reader: Reader) -> list[str]:
    """How each seat's rating changed; empty if the match does not count."""
    changes = match.effects.ratings if match.effects is not None else ()
    return [rating_text(change, reader.words) for change in changes]


def _standings(match: LiveMatch, reader: Reader) -> tuple[Section, ...]:
    """The score between two players with this match, and how their ratings changed."""
    if match.effects is None or len(match.seats) > 2:
        return ()
    first, second = reader.names
    between = head_to_head_line(match.effects.head_to_head, first, second, reader.words)
    lines = [SeatLine(name, (change,)) for name, change in zip(reader.names, _ratings(match, reader), strict=True)]
    return *((Text(between),) if between else ()), Seats(tuple(lines))


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
