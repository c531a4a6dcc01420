"""What people see of their preferences: how cards are written, and which notices they get."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

from bot.store.queries.digests import Digest
from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import Translations
from bot.ui.preferences import CardStyle
from bot.ui.screen import Button, Control, Option, Press, Screen, Section, Select, Text, Tone, noted
from cogs.screens.cards.forms import CardForms
from cogs.updates.quiet_hours import Hours, QuietHours
from engines.cards import Card, Suit

SUBJECT: Final = "preferences"
NOTIFY_SUBJECT: Final = "notify"
"""What the buttons of these screens act on, in place of a match."""
NO_HOURS: Final = "none"
"""What the list of quiet hours has for none."""
OFFERED_HOURS: Final = tuple(
    Hours(start, end) for start, end in (*product((20, 21, 22, 23, 0), (6, 7, 8, 9)), (8, 16), (9, 17), (9, 18))
)
EXAMPLE_GAME: Final = "haymaker"
EXAMPLE: Final = (Card(7, Suit.SPADES), Card(12, Suit.HEARTS), Card(10, Suit.DIAMONDS))
"""Cards that show what a style looks like."""


def preferences_screen(present: CardStyle, forms: CardForms, say: Translations, note: str = "") -> Screen:
    """What somebody prefers, after a note if there is one, and what there is to choose from.

    No button has a mark, because screen readers read it out: the sentence at the top says which style applies.
    """
    sections: list[Section] = [
        *noted(" ".join(filter(None, (note, say(f"preferences.present.{present.value}"))))),
        Text(say("preferences.cards")),
    ]
    for style in CardStyle:
        label = say(f"preferences.about.{style.value}")
        sections.append(forms.of(EXAMPLE_GAME, style, say).listed(label, EXAMPLE))
    buttons = tuple(
        Button(
            say(f"preferences.button.{style.value}"),
            Press("cardstyle", 0, style.value),
            Tone.MAIN if style is present else Tone.PLAIN,
        )
        for style in CardStyle
    )
    return Screen(say("preferences.title"), tuple(sections), (buttons,))


@dataclass(frozen=True, slots=True)
class Notified:
    """How somebody is notified in a server: at which level, in which hours not, and when their next digest is due, if
    they have one."""

    level: NoticeLevel
    quiet: QuietHours
    digest: Digest | None


def notify_screen(
    present: Notified, now: int, say: Translations, note: str = "", added: tuple[Button, ...] = ()
) -> Screen:
    """Which level applies, after a note if there is one, a list of the levels, and the buttons that rooms have `added`;
    below it the quiet hours, and at the level of one notice a day when that comes. `now` is in ms UTC."""
    told = say(f"notify.level.{present.level}")
    if present.level is NoticeLevel.DIGEST and present.digest is not None:
        told += "\n" + say("notify.digest_at", when=f"<t:{present.digest.next(now) // 1000}:t>")
    levels = tuple(
        Option(say(f"notify.button.{level}"), str(level), chosen=level is present.level) for level in NoticeLevel
    )
    chosen = Select(Press("notify"), say("command.notify"), levels)
    rows: tuple[tuple[Control, ...], ...] = ((chosen,), *((added,) if added else ()), *_lists(present, now, say))
    sections = (*noted(note), Text(told), Text(_told_hours(present.quiet, now, say)))
    return Screen(say("notify.title"), sections, rows)


def _told_hours(quiet: QuietHours, now: int, say: Translations) -> str:
    """The quiet hours as timestamps, which everybody reads in their own time."""
    when = quiet.next(now)
    if when is None:
        return say("notify.no_hours" if quiet.ahead is not None else "notify.needs_time")
    start, end = (f"<t:{moment // 1000}:t>" for moment in when)
    return say("notify.quiet_from", start=start, end=end)


def _lists(present: Notified, now: int, say: Translations) -> tuple[tuple[Control, ...], ...]:
    """What time it is for the reader; their quiet hours and the hour of their digest, which can be chosen once that is
    known."""
    quiet, ahead = present.quiet, present.quiet.ahead
    here = quiet.hour(now)
    times = tuple(Option(say("notify.hour", hour=hour), str(hour), chosen=hour == here) for hour in range(24))
    none = Option(say("notify.no_hours"), NO_HOURS, chosen=quiet.hours is None and here is not None)
    hours = tuple(
        Option(say("notify.hours", start=each.start, end=each.end), each.write(), chosen=each == quiet.hours)
        for each in OFFERED_HOURS
    )
    lists: tuple[tuple[Control, ...], ...] = (
        (Select(Press("owntime"), say("notify.your_time"), times),),
        (Select(Press("quiet"), say("notify.quiet_hours"), (none, *hours), enabled=here is not None),),
    )
    if present.level is not NoticeLevel.DIGEST or present.digest is None:
        return lists
    sent = None if ahead is None else (present.digest.hour + ahead) % 24
    offered = tuple(Option(say("notify.at_hour", hour=hour), str(hour), chosen=hour == sent) for hour in range(24))
    return (*lists, (Select(Press("digest"), say("notify.digest_hour"), offered, enabled=ahead is not None),))
