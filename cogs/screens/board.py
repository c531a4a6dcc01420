"""The board: the one public message of a match."""

from __future__ import annotations

from functools import partial
from typing import Any

from bot.play.clocks.stoppable_match import REST
from bot.play.live_match import LiveMatch
from bot.scheduler import DAY
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import is_chat, is_computer, message_link
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Log, Picture, Press, Rows, Rule, Screen, SeatLine, Seats, Section, Text, Tone
from cogs.screens.additions import arranged
from cogs.screens.cards.fitting import board_has_room, fitting
from cogs.screens.deal_lines import practice_line
from cogs.screens.endings import series_lines
from cogs.screens.more import more_button, more_screen
from cogs.screens.narration import recent_events
from cogs.screens.presenter import OpenPiles, Pictured, Presenter, Reader, seat_discs, seat_lines
from cogs.screens.renderer import is_whole
from cogs.screens.result import result_screen
from cogs.screens.rules_pages import rules_button
from cogs.screens.tables import board_layout, description, table_button
from cogs.screens.time_control_text import clock_line, times_left
from engines.game import Seat

LAST_SENTENCES = 2
"""How many of the latest events a board tells, if each has room in a line: an act, and what it was answered with."""
TABLE, BRING_DOWN, CALL_OFF, RESIGN = 10, 20, 25, 30
"""The order of the core's own buttons behind *More…* (`cogs.screens.additions`)."""


def board_screen(match: LiveMatch, presenter: Presenter, reader: Reader, *, pictured: bool = False) -> Screen:
    """The board: the table as everybody may see it, and what to press. While a match is played, the table is in words
    or, if its game has pictures, `pictured`. While its deal is closed nothing of the table is shown."""
    if reader.closed:
        return _closed(match, presenter, reader)
    if pictured and not match.over and isinstance(presenter, Pictured):
        return _pictured(match, presenter, reader)
    fits = is_whole if match.over else board_has_room
    return fitting(reader, lambda reader: _board(match, presenter, reader), fits)


def _closed(match: LiveMatch, presenter: Presenter, reader: Reader) -> Screen:
    """The board while the deal is closed: who plays, and who is to act until when. Nothing here is given what
    lies on the table, so no board can show a card or an act."""
    words = reader.words
    if match.over:
        return Screen(_title(match, reader), (Text(words("shared.over")),), tone=Tone.GOOD)
    played_on, times = (words("stand_in.plays_on"),), times_left(match, words)
    sections = (
        Seats(
            tuple(
                SeatLine(
                    name,
                    (*(played_on if seat in _stand_ins(match) else ()), *([times[seat]] if seat in times else ())),
                    awaited=seat in match.awaited,
                )
                for seat, name in enumerate(reader.names)
            )
        ),
        Text(f"-# {words('shared.board')}"),
        Rule(),
        Text(_state(match, reader) or _waits(match, _whose_turn(match, reader), reader)),
    )
    return Screen(_title(match, reader), sections, _rows(presenter, reader), "", _tone(match))


def _whose_turn(match: LiveMatch, reader: Reader) -> str:
    """Whom the match waits for, without what for."""
    awaited = [f"**{reader.names[seat]}**" for seat in sorted(match.awaited)]
    return reader.words("shared.turn", players=reader.words.all_of(awaited)) if awaited else reader.words("shared.race")


def _title(match: LiveMatch, reader: Reader) -> str:
    words = reader.words
    return words("board.title", game=match.game.info.title, players=words("board.versus").join(reader.names))


def _pictured(match: LiveMatch, presenter: Pictured, reader: Reader) -> Screen:
    """The table as a picture. Below it: whose discs these are, what happened last, and who is to act until when."""
    public, layout = match.public(), board_layout(match, presenter)
    sections: tuple[Section, ...] = (
        Picture(layout, description(layout, reader)),
        seat_discs(presenter, public, reader, match.awaited, _stand_ins(match), times=times_left(match, reader.words)),
        *[Text(f"-# {line}") for line in series_lines(match, reader)],
        _last_act(match, presenter, reader),
        Text(_asked(match, presenter, reader)),
    )
    title, rows, footer = match.game.info.title, _rows(presenter, reader), _footer(match, reader)
    in_words = partial(board_screen, match, presenter, reader)
    return Screen(title, sections, rows, footer, _tone(match), in_words)


def _last_act(match: LiveMatch, presenter: Presenter, reader: Reader) -> Log:
    """What happened last, in one line."""
    told = recent_events(match, None, presenter, reader, most=LAST_SENTENCES, room=LAST_SENTENCES)
    return Log((" ".join(told.lines),)) if told.lines else told


def _board(match: LiveMatch, presenter: Presenter, reader: Reader) -> Screen:
    public, times = match.public(), times_left(match, reader.words)
    seats = seat_lines(presenter, public, reader, match.awaited, _stand_ins(match), times=times)
    if match.over:
        table = (seats, Rule(), *presenter.table(public, reader))
        return result_screen(match, _title(match, reader), table, presenter, reader)
    sections = (
        seats,
        *[Text(f"-# {line}") for line in series_lines(match, reader)],
        Rule(),
        *presenter.table_in_brief(public, reader),
        _last_act(match, presenter, reader),
        Text(_asked(match, presenter, reader)),
    )
    return Screen(match.game.info.title, sections, _rows(presenter, reader), _footer(match, reader), _tone(match))


def _stand_ins(match: LiveMatch) -> list[int]:
    return [seat for seat in range(len(match.seats)) if match.has_stand_in(seat)]


def _footer(match: LiveMatch, reader: Reader) -> str:
    """What is said of practice alone, and of a match that counts for nobody although people play it."""
    ends = "" if match.rated or is_chat(match.guild_id) else reader.words("challenge.unrated")
    if not match.has_clock:
        (person,) = [name for name, user in zip(reader.names, match.seats, strict=True) if not is_computer(user)]
        ends = reader.words("practice.board_ends", player=person)
    return "\n".join(filter(None, (ends, practice_line(match, reader.words))))


def _tone(match: LiveMatch) -> Tone:
    return Tone.BAD if match.inactive else Tone.MAIN


def _rows(presenter: Presenter, reader: Reader) -> Rows:
    """What most people press while a match is on."""
    words = reader.words
    cards = Button(words("button.my_cards"), Press("cards"), Tone.MAIN)
    piles = () if reader.closed else _piles(presenter, words)
    return ((cards, *piles, rules_button(words), more_button(words)),)


def _piles(presenter: Presenter, words: Translations) -> tuple[Button, ...]:
    return (Button(words("button.piles"), Press("piles")),) if isinstance(presenter, OpenPiles) else ()


def more_on_board(match: LiveMatch, presenter: Presenter, reader: Reader) -> Screen:
    """What is behind *More…* while a match is on: the table in words, the clock, and what few people press."""
    words = reader.words
    call_off = (Button(words("button.call_off"), Press("calloff")),) if match.can_call_off else ()
    bring_down = () if is_chat(match.guild_id) else (Button(words("button.bring_down"), Press("bringdown")),)
    own = (
        (TABLE, (*(_piles(presenter, words) if reader.closed else ()), *table_button(presenter, reader))),
        (BRING_DOWN, bring_down),
        (CALL_OFF, call_off),
        (RESIGN, (Button(words("button.resign"), Press("resign"), Tone.BAD),)),
    )
    buttons = arranged(own, reader.added.board_more, match, reader)
    clock = clock_line(match.time_control, words)
    timed = match.has_clock and match.game.info.turn_clock
    public = match.public()
    ahead = leader_line(presenter, public, reader)
    told = (*presenter.table(public, reader), *ahead, *((Text(clock),) if timed else ()))
    return more_screen(match.game.info.title, buttons, words, sections=told)


def leader_line(presenter: Presenter, public: Any, reader: Reader) -> tuple[Section, ...]:
    """Who is ahead while a match is on, if the game can tell from what everybody sees."""
    said = presenter.leader(public, reader)
    return (Text(f"-# {said}"),) if said else ()


def piles_screen(match: LiveMatch, presenter: OpenPiles, reader: Reader) -> Screen:
    """The open piles of a match, card by card."""
    title, public = reader.words("piles.title", game=match.game.info.title), match.public()
    return fitting(reader, lambda reader: Screen(title, presenter.piles(public, reader)), is_whole)


def _asked(match: LiveMatch, presenter: Presenter, reader: Reader) -> str:
    return _state(match, reader) or _waits(match, presenter.question(match.public(), reader), reader)


def _state(match: LiveMatch, reader: Reader) -> str:
    """Why the match doesn't go on now; empty if it does."""
    if match.failed is not None:
        return reader.words("match.paused", number=match.failed)
    return "" if match.suspended is None else reader.words(f"suspended.{match.suspended}")


def _waits(match: LiveMatch, question: str, reader: Reader) -> str:
    """What the match waits for, until when, and what everybody should know of the players' time."""
    words = reader.words
    lines = [question]
    deadline = shown_deadline(match)
    if deadline is not None:
        lines[0] += f" ⏳ <t:{deadline // 1000}:R>"
    if match.has_clock:
        new = match.first_turns(match.position.window)
        lines += [f"-# {words('board.first_turn', player=reader.names[seat])}" for seat in new]
        lines += [f"-# {words('board.reads', player=reader.names[seat])}" for seat in match.reading]
        lines += [f"-# {line}" for line in _stands(match, reader)]
    if match.can_call_off:
        lines += [words("calloff.agreed", player=reader.names[seat]) for seat in match.agreed]
    return "\n".join(lines)


def _stands(match: LiveMatch, reader: Reader) -> list[str]:
    """Until when the clock stands and for whom, and who would like it to."""
    words, until = reader.words, match.rests_until
    lines = [] if until is None else [words("board.rests", when=f"<t:{until // 1000}:f>")]
    for seat, back in match.away.items():
        lines.append(words("board.away", player=reader.names[seat], when=f"<t:{back // 1000}:f>"))
    rest = words.count("clock.days", REST // DAY)
    return lines + [words("board.wants_rest", player=reader.names[seat], time=rest) for seat in sorted(match.want_rest)]


def shown_deadline(match: LiveMatch, seat: Seat | None = None) -> int | None:
    """The nearest deadline that players may know of (ms UTC), or None. For a seat that has a bank of its own, when that
    is empty."""
    own = None if seat is None else match.due_for(seat)
    if own is not None:
        return own
    window = match.position.window
    shown = {(timer.name, timer.key) for timer in (window.timers if window else ()) if timer.shown}
    return min((row.deadline for row in match.position.timers if (row.name, row.key) in shown), default=None)


def board_link(match: LiveMatch | MatchRow) -> str:
    """The address of a match's board; its channel's if it has none yet."""
    return message_link(match.guild_id, match.channel_id, match.board_id)
