"""The board: the one public message of a match."""

from __future__ import annotations

from bot.match import LiveMatch
from bot.screen import Button, Press, Rule, Screen, SeatLine, Seats, Section, Text, Tone
from cogs.ending import counts, ending
from cogs.narration import told
from cogs.presenter import Presenter, Reader

LOG_LINES = 6
"""How many of the last events the board tells."""


def board_screen(match: LiveMatch, look: Presenter, reader: Reader) -> Screen:
    """The board: the table as everybody may see it, and what to press."""
    words = reader.words
    public = match.public()
    title = words("board.title", game=match.game.info.title, players=words("board.versus").join(reader.names))
    seats = Seats(
        tuple(
            SeatLine(name, look.facts(public, seat, reader), awaited=seat in match.awaited)
            for seat, name in enumerate(reader.names)
        )
    )
    sections: tuple[Section, ...] = (
        seats,
        Rule(),
        *look.table(public, reader),
        told(match, None, look, reader, LOG_LINES),
    )
    if match.over:
        result = "\n".join(line for line in (f"**{ending(match, reader)}**", counts(match, reader)) if line)
        footer = words("deal.revealed", commitment=match.commitment, seed=match.seed.hex(), match=match.id)
        return Screen(
            title, (*sections, Rule(), Text(result)), ((_rematch(reader), _rules(reader)),), footer, Tone.GOOD
        )
    asked = Text(_asked(match, look, reader))
    footer = "\n".join(
        (
            words("board.clock", clock=words(f"clock.{match.pace.key}")),
            words("deal.sealed", commitment=match.commitment),
        )
    )
    tone = Tone.BAD if match.paused is not None else Tone.MAIN
    return Screen(title, (*sections, Rule(), asked), (_controls(match, reader),), footer, tone)


def _asked(match: LiveMatch, look: Presenter, reader: Reader) -> str:
    words = reader.words
    if match.paused is not None:
        return words("match.paused", number=match.paused)
    lines = [look.question(match.public(), reader)]
    deadline = shown_deadline(match)
    if deadline is not None:
        lines[0] += f" ⏳ <t:{deadline // 1000}:R>"
    if match.callable_off:
        lines += [words("calloff.agreed", player=reader.names[seat]) for seat in sorted(match.agreed)]
    return "\n".join(lines)


def shown_deadline(match: LiveMatch) -> int | None:
    """The nearest deadline that players may know of (ms UTC), or None."""
    window = match.position.window
    shown = {(timer.name, timer.key) for timer in (window.timers if window else ()) if timer.shown}
    return min((row.deadline for row in match.position.timers if (row.name, row.key) in shown), default=None)


def _controls(match: LiveMatch, reader: Reader) -> tuple[Button, ...]:
    words = reader.words
    cards = Button(words("button.my_cards"), Press("cards"), Tone.MAIN)
    resign = Button(words("button.resign"), Press("resign"), Tone.BAD)
    call_off = Button(words("button.call_off"), Press("calloff"))
    return (cards, _rules(reader), *((call_off,) if match.callable_off else ()), resign)


def _rematch(reader: Reader) -> Button:
    return Button(reader.words("button.rematch"), Press("rematch"), Tone.GOOD)


def _rules(reader: Reader) -> Button:
    return Button(reader.words("button.rules"), Press("rules"))
