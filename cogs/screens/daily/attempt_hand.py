"""What the hand of an attempt at a deal of the day has besides a hand: the table, because there is no board."""

from __future__ import annotations

from bot.play.live_match import LiveMatch
from bot.scheduler import ends_at
from bot.ui.screen import Button, Press, Screen, SeatLine, Seats, Section, Text, Tone
from cogs.screens.deals.deal_line import played_deal
from cogs.screens.deals.proof import proof_button
from cogs.screens.endings import outcome
from cogs.screens.presenter import OpenPiles, Presenter, Reader


def table_sections(match: LiveMatch, presenter: Presenter, reader: Reader) -> tuple[Section, ...]:
    """The table as everybody could see it on a board; nothing where there is a board."""
    if match.has_board:
        return ()
    public = match.public()
    lines = tuple(
        SeatLine(name, presenter.seat_facts(public, seat, reader), awaited=seat in match.awaited)
        for seat, name in enumerate(reader.names)
    )
    return Seats(lines), *presenter.table(public, reader)


def board_rows(match: LiveMatch, presenter: Presenter, reader: Reader) -> tuple[tuple[Button, ...], ...]:
    """The buttons that other matches have on their board; none where there is a board.

    They have one row of a phone, so *Proof* is not among them: until the end it says no more than the seal.
    """
    if match.has_board:
        return ()
    words = reader.words
    piles = (Button(words("button.piles"), Press("piles")),) if isinstance(presenter, OpenPiles) else ()
    rules = Button(words("button.rules"), Press("rules"))
    resign = Button(words("button.resign"), Press("resign"), Tone.BAD)
    return ((*piles, rules, resign),)


def attempt_footer(match: LiveMatch, reader: Reader) -> str:
    """The deal and, in an attempt at a deal of the day, when it ends."""
    deal = played_deal(match, reader.words)
    if match.day is None:
        return deal
    ends = reader.words("daily.hand_ends", when=f"<t:{ends_at(match.day) // 1000}:R>")
    return f"{ends}\n{deal}"


def last_hand(match: LiveMatch, day: int, title: str, reader: Reader, note: str) -> Screen:
    """The hand of an attempt that is over: how it ended, and no card. `day` is the day of its deal."""
    words = reader.words
    lines = [*([f"**{note}**"] if note else []), *outcome(match, reader)]
    sections = [Text("\n".join(lines))]
    if match.secret:
        sections.append(Text(words("daily.stays_closed", when=f"<t:{ends_at(day) // 1000}:R>")))
    row = (Button(words("button.daily_look"), Press("dailyend", 0, match.id), Tone.MAIN), proof_button(words))
    return Screen(title, tuple(sections), (row,), played_deal(match, words))
