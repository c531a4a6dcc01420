"""The board: the one public message of a match."""

from __future__ import annotations

from typing import Any

from bot.play.live_match import LiveMatch
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import is_computer, message_link
from bot.ui.screen import Button, Press, Rule, Screen, Section, Text, Tone
from cogs.screens.additions import arranged
from cogs.screens.cards.fitting import board_has_room, fitting
from cogs.screens.deal_lines import practice_line
from cogs.screens.endings import series_lines
from cogs.screens.narration import recent_events
from cogs.screens.presenter import OpenPiles, Presenter, Reader, seat_lines
from cogs.screens.renderer import is_whole
from cogs.screens.result import result_screen
from cogs.screens.rules_pages import rules_button
from cogs.screens.tables import table_button
from cogs.screens.time_control_text import time_control_label

LOG_LINES = 6
"""How many of the latest events the board lists."""
TABLE, BRING_DOWN = 50, 60
"""The places of the core's own buttons in their rows (`cogs.screens.additions`)."""


def board_screen(match: LiveMatch, presenter: Presenter, reader: Reader) -> Screen:
    """The board: the table as everybody may see it, and what to press."""
    fits = is_whole if match.over else board_has_room
    return fitting(reader, lambda reader: _board(match, presenter, reader), fits)


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
        return result_screen(match, title, table, presenter, reader)
    sections = (
        *table,
        recent_events(match, None, presenter, reader, most=LOG_LINES),
        Rule(),
        Text(_asked(match, presenter, reader)),
    )
    footer = practice_line(match, words)
    above = ""
    if not match.has_clock:
        (person,) = [name for name, user in zip(reader.names, match.seats, strict=True) if not is_computer(user)]
        above = words("practice.board_ends", player=person)
    elif match.game.info.turn_clock:
        above = words("board.clock", clock=time_control_label(match.time_control, words))
    footer = "\n".join(filter(None, (above, footer)))
    tone = Tone.BAD if match.inactive else Tone.MAIN
    own = ((TABLE, table_button(presenter, reader)), (BRING_DOWN, (_bring_down(reader),)))
    below = arranged(own, reader.added.board, match, reader)
    rows = (_controls(match, presenter, reader), below)
    return Screen(title, sections, rows, footer, tone)


def leader_line(presenter: Presenter, public: Any, reader: Reader) -> tuple[Section, ...]:
    """Who is ahead while a match is on, if the game can tell from what everybody sees."""
    said = presenter.leader(public, reader)
    return (Text(f"-# {said}"),) if said else ()


def piles_screen(match: LiveMatch, presenter: OpenPiles, reader: Reader) -> Screen:
    """The open piles of a match, card by card."""
    title, public = reader.words("piles.title", game=match.game.info.title), match.public()
    return fitting(reader, lambda reader: Screen(title, presenter.piles(public, reader)), is_whole)


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
    if match.has_clock:
        new = match.first_turns(match.position.window)
        lines += [f"-# {words('board.first_turn', player=reader.names[seat])}" for seat in new]
        for seat, until in match.reading.items():
            lines.append(f"-# {words('board.reads', player=reader.names[seat], when=f'<t:{until // 1000}:R>')}")
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
    return (cards, *piles, rules_button(reader.words), *((call_off,) if match.can_call_off else ()), resign)


def _bring_down(reader: Reader) -> Button:
    return Button(reader.words("button.bring_down"), Press("bringdown"))
