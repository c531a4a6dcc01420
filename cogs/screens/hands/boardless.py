"""The hand of a match without a board (`bot.play.days`): it has the table and its buttons. When a deal of the day is
over, its hand says how it ended, without a card."""

from __future__ import annotations

from bot.play.live_match import LiveMatch
from bot.scheduler import ends_at
from bot.store.special_ids import is_direct
from bot.ui.screen import Button, Press, Rows, Screen, Section, Text, Tone, noted
from cogs.screens.additions import arranged
from cogs.screens.deal_lines import practice_line
from cogs.screens.endings import outcome
from cogs.screens.more import more_button, more_screen
from cogs.screens.presenter import OpenPiles, Presenter, Reader, seat_lines


def table_sections(match: LiveMatch, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    """The table as everybody could see it on a board; nothing where there is a board that shows it."""
    if match.has_board and not reader.closed:
        return ()
    public = match.public()
    return seat_lines(presenter, public, reader, match.awaited), *presenter.table(public, reader)


def rows_below(match: LiveMatch, reader: Reader) -> Rows:
    """The rows below a question: what rooms add and, where there is no board, *More…*."""
    added = arranged((), reader.added.hand, match, reader)
    if match.has_board:
        return added
    *others, last = added or ((),)
    return (*others, (*last, more_button(reader.words)))


def more_on_hand(match: LiveMatch, presenter: Presenter, reader: Reader) -> Screen:
    """What is behind *More…* on a hand without a board: what other matches have on theirs."""
    words = reader.words
    piles = (Button(words("button.piles"), Press("piles")),) if isinstance(presenter, OpenPiles) else ()
    rules = Button(words("button.rules"), Press("rules"))
    own_place = match.day is not None or is_direct(match.guild_id)
    show = () if own_place else (Button(words("button.show_here"), Press("showhere")),)
    resign = Button(words("button.resign"), Press("resign"), Tone.BAD)
    return more_screen(match.game.info.title, (*piles, rules, *show, resign), words)


def boardless_footer(match: LiveMatch, reader: Reader) -> str:
    """What a board would say: when the match ends, or that it waits and proves nothing. Empty where there is one."""
    if match.has_board:
        return ""
    if match.day is not None:
        return reader.words("daily.hand_ends", when=f"<t:{ends_at(match.day) // 1000}:R>")
    return "\n".join(filter(None, (reader.words("practice.hand_ends"), practice_line(match, reader.words))))


def last_hand(match: LiveMatch, day: int, title: str, reader: Reader, note: str) -> Screen:
    """The hand when the match is over: how it ended, and no card. `day` is the day of its deal."""
    words = reader.words
    sections = [*noted(note), Text("\n".join(outcome(match, reader)))]
    if match.secret:
        sections.append(Text(words("daily.closed", when=f"<t:{ends_at(day) // 1000}:R>")))
    added = reader.added
    row = arranged((), (*added.last_hand, *added.deal), match, reader)
    return Screen(title, tuple(sections), (row,))
