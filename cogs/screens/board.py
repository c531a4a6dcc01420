"""The board: the one public message of a match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from bot.play.live_match import LiveMatch
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import message_link
from bot.ui.screen import Button, Log, Picture, Press, Rows, Rule, Screen, SeatLine, Seats, Section, Text, Tone
from cogs.screens.additions import arranged
from cogs.screens.cards.fitting import board_has_room, fitting
from cogs.screens.deal_lines import finished_deal, played_deal
from cogs.screens.endings import head_to_head_line, outcome, rating_text, series_lines
from cogs.screens.narration import moments, recent_events
from cogs.screens.presenter import OpenPiles, Pictured, Presenter, Reader, seat_lines
from cogs.screens.renderer import is_whole
from cogs.screens.tables import description, final_picture, table_button, table_layout
from cogs.screens.time_control_text import time_control_label

LOG_LINES = 6
"""How many of the latest events a board in words lists."""
LAST_SENTENCES = 2
"""How many of them are told below a picture: an act, and what it was answered with."""
HANDS = 1800
"""How many characters the hands of all players have in a result."""
RULES, TABLE, BRING_DOWN = 30, 50, 60
"""The places of the core's own buttons in their rows (`cogs.screens.additions`)."""
MOST_SINGLY = 25
"""Hands up to this size are written card by card. If one is larger, equal cards of all are written together."""


def board_screen(match: LiveMatch, presenter: Presenter, reader: Reader, *, pictured: bool = False) -> Screen:
    """The board: the table as everybody may see it, and what to press. While a match is played, the table is in words
    or, if its game has pictures, `pictured`."""
    if pictured and not match.over and isinstance(presenter, Pictured):
        return _pictured(match, presenter, reader)
    fits = is_whole if match.over else board_has_room
    return fitting(reader, lambda reader: _board(match, presenter, reader), fits)


def _pictured(match: LiveMatch, presenter: Pictured, reader: Reader) -> Screen:
    """The table as a picture. Below it: whose discs these are, what happened last, and who is to act until when."""
    public, layout = match.public(), table_layout(match, presenter, None)
    sections = (
        Picture(layout, description(layout, reader)),
        _people(match, presenter, public, reader),
        *leader_line(presenter, public, reader),
        *[Text(f"-# {line}") for line in series_lines(match, reader)],
        _last_act(match, presenter, reader),
        Text(_asked(match, presenter, reader)),
    )
    in_words = partial(board_screen, match, presenter, reader)
    return Screen(match.game.info.title, sections, _rows(match, presenter, reader), tone=_tone(match), plain=in_words)


def _people(match: LiveMatch, presenter: Pictured, public: Any, reader: Reader) -> Seats:
    """Whose discs are in the picture, and what it doesn't show of them; in bold those whom the match waits for."""
    held = (reader.words("stand_in.plays_on"),)
    lines = tuple(
        SeatLine(
            name,
            (*(held if match.has_stand_in(seat) else ()), *presenter.unpictured_facts(public, seat, reader)),
            seat in match.awaited,
            reader.discs[seat],
        )
        for seat, name in enumerate(reader.names)
    )
    return Seats(lines, in_a_row=True)


def _last_act(match: LiveMatch, presenter: Presenter, reader: Reader) -> Log:
    """What happened last, in one line."""
    told = recent_events(match, None, presenter, reader, most=LAST_SENTENCES)
    return Log((" ".join(told.lines),)) if told.lines else told


def _board(match: LiveMatch, presenter: Presenter, reader: Reader) -> Screen:
    words = reader.words
    public = match.public()
    title = words("board.title", game=match.game.info.title, players=words("board.versus").join(reader.names))
    stand_ins = [seat for seat in range(len(match.seats)) if match.has_stand_in(seat)]
    table: tuple[Section, ...] = (
        seat_lines(presenter, public, reader, match.awaited, stand_ins),
        *(() if match.over else leader_line(presenter, public, reader)),
        *(() if match.over else [Text(f"-# {line}") for line in series_lines(match, reader)]),
        Rule(),
        *presenter.table(public, reader),
    )
    if match.over:
        return _result(match, title, table, presenter, reader)
    sections = (
        *table,
        recent_events(match, None, presenter, reader, most=LOG_LINES),
        Rule(),
        Text(_asked(match, presenter, reader)),
    )
    footer = played_deal(match, words)
    if match.game.info.turn_clock:
        clock = words("board.clock", clock=time_control_label(match.time_control, words))
        footer = f"{clock}\n{footer}"
    return Screen(title, sections, _rows(match, presenter, reader), footer, _tone(match))


def _tone(match: LiveMatch) -> Tone:
    return Tone.BAD if match.inactive else Tone.MAIN


def _rows(match: LiveMatch, presenter: Presenter, reader: Reader) -> Rows:
    """What can be pressed while a match is on."""
    own = ((TABLE, table_button(presenter, reader)), (BRING_DOWN, (_bring_down(reader),)))
    return _controls(match, presenter, reader), arranged(own, reader.added.board, match, reader)


def leader_line(presenter: Presenter, public: Any, reader: Reader) -> tuple[Section, ...]:
    """Who is ahead while a match is on, if the game can tell from what everybody sees."""
    said = presenter.leader(public, reader)
    return (Text(f"-# {said}"),) if said else ()


def piles_screen(match: LiveMatch, presenter: OpenPiles, reader: Reader) -> Screen:
    """The open piles of a match, card by card."""
    title, public = reader.words("piles.title", game=match.game.info.title), match.public()
    return fitting(reader, lambda reader: Screen(title, presenter.piles(public, reader)), is_whole)


def _result(match: LiveMatch, title: str, table: tuple[Section, ...], presenter: Presenter, reader: Reader) -> Screen:
    """The result, for matches that are not `secret` any more: who won, a picture of the table, and everybody's cards;
    then as many of the moments as there is room for in the shortest form of cards, the score and the ratings."""
    words, score = reader.words, _standings(match, reader)
    first = (_outcome(match, reader), *final_picture(match, presenter, reader))
    open_table = (*table, *_hands(match, presenter, reader))
    told = moments(match.events, presenter, reader)
    own = ((RULES, (_rules(reader),)), (TABLE, table_button(presenter, reader)))
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


def _asked(match: LiveMatch, presenter: Presenter, reader: Reader) -> str:
    words = reader.words
    if match.failed is not None:
        return words("match.paused", number=match.failed)
    if match.suspended is not None:
        return words(f"suspended.{match.suspended}")
    lines = [presenter.question(match.public(), reader)]
    deadline = shown_deadline(match)
    if deadline is not None:
        lines[0] += f" ⏳ <t:{deadline // 1000}:R>"
    if match.can_call_off:
        lines += [words("calloff.agreed", player=reader.names[seat]) for seat in match.agreed]
    return "\n".join(lines)


def shown_deadline(match: LiveMatch) -> int | None:
    """The nearest deadline that players may know of (ms UTC), or None."""
    window = match.position.window
    shown = {(timer.name, timer.key) for timer in (window.timers if window else ()) if timer.shown}
    return min((row.deadline for row in match.position.timers if (row.name, row.key) in shown), default=None)


def board_link(match: LiveMatch | MatchRow) -> str:
    """The address of a match's board; its channel's if it has none yet."""
    return message_link(match.guild_id, match.channel_id, match.board_id)


def _controls(match: LiveMatch, presenter: Presenter, reader: Reader) -> tuple[Button, ...]:
    words = reader.words
    cards = Button(words("button.my_cards"), Press("cards"), Tone.MAIN)
    resign = Button(words("button.resign"), Press("resign"), Tone.BAD)
    call_off = Button(words("button.call_off"), Press("calloff"))
    piles = (Button(words("button.piles"), Press("piles")),) if isinstance(presenter, OpenPiles) else ()
    return (cards, *piles, _rules(reader), *((call_off,) if match.can_call_off else ()), resign)


def _bring_down(reader: Reader) -> Button:
    return Button(reader.words("button.bring_down"), Press("bringdown"))


def _rules(reader: Reader) -> Button:
    return Button(reader.words("button.rules"), Press("rules"))
