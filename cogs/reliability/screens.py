"""What people read of how reliably somebody plays: of those with whom they are asked to sit, and of themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.play.reliability import Level, Reliability
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.screens.reliability_text import level_text

MOST_PEOPLE: Final = 25
"""How many people are listed: names are short enough for that."""


def reliability_button(invitation: Invitation, words: Translations, user_id: int) -> tuple[Button, ...]:
    """Shows, on an invitation, to those whom it asks, how reliably those play who are in it. Where who plays is settled
    there is none."""
    return (
        ()
        if invitation.origin is not None or not is_asked(invitation, user_id)
        else (Button(words("button.reliability"), Press("reliability")),)
    )


def is_asked(invitation: Invitation, user_id: int) -> bool:
    """Whether an invitation asks somebody, or anybody."""
    for_anybody = invitation.kind is InvitationKind.TABLE and not invitation.private
    return for_anybody or user_id in (invitation.host_id, *invitation.seated, *invitation.invited)


def own_reliability_button(words: Translations) -> tuple[Button, ...]:
    """Shows its reader's own reliability."""
    return (Button(words("button.own_reliability"), Press("ownreliable")),)


def people_screen(others: Sequence[tuple[str, Reliability]], own: Reliability, words: Translations) -> Screen:
    """How reliably others play, by their names, and what they read of the reader. Names are safe to show."""
    lines = [_line(name, found, words) for name, found in others[:MOST_PEOPLE]]
    listed = "\n".join(lines) or words("reliability.nobody")
    return Screen(
        words("reliability.title"),
        (Text(listed), Text(words("reliability.of_you", level=level_text(own, words)))),
        footer=words("reliability.how"),
    )


def own_screen(found: Reliability, needed: int, words: Translations) -> Screen:
    """The reader's own reliability, why it is so, and how to improve it: by `needed` clean matches in a row."""
    told = [words("reliability.of_you", level=level_text(found, words)), numbers_text(found, words)]
    if found.absences < found.out_of_time:
        told.append(words("reliability.absences", n=found.absences))
    if found.level is Level.NEW:
        told.append(words("reliability.new"))
    sections = [Text("\n".join(each for each in told if each))]
    if needed:
        sections.append(Text(words.count("reliability.improve", needed)))
    sections.append(Text(words("reliability.what_counts")))
    back = Button(words("button.previous"), Press("matches", 0, "0"))  # to the list where its button is
    return Screen(words("reliability.own_title"), tuple(sections), ((back,),), footer=words("reliability.how"))


def _line(name: str, found: Reliability, words: Translations) -> str:
    said = words("reliability.line", name=name, level=level_text(found, words))
    numbers = numbers_text(found, words)
    return f"{said}\n-# {numbers}" if numbers else said


def numbers_text(found: Reliability, words: Translations) -> str:
    """The numbers behind what is said of them; empty before somebody has played."""
    if not found.matches:
        return ""
    parts = [words.count("reliability.finished", found.matches, finished=found.finished)]
    if found.left:
        parts.append(words("reliability.left", n=found.left))
    if found.out_of_time:
        parts.append(words("reliability.out_of_time", n=found.out_of_time))
    if found.asked:
        parts.append(words("reliability.in_time", in_time=found.in_time, asked=found.asked))
    return " · ".join(parts)
