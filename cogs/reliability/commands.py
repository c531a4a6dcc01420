"""The presses that show how reliably people play: those of an invitation, and one's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.play.refusals import Refused
from bot.play.reliability import READ, Level, Reliability, clean_matches_needed, reliability, reliability_of
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.special_ids import people
from bot.store.store import Store
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Press, Screen, Text
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.screens.reliability_text import level_text
from cogs.wording import Wording


@dataclass(slots=True, eq=False)
class ReliabilityPresses(Capability):
    """What the buttons about reliability do."""

    verbs = Verbs()

    finder: Finder
    store: Store
    wording: Wording
    now: Callable[[], int]

    @verbs("reliability")
    async def _of_invitation(self, press: ComponentPress) -> None:
        """Show how reliably those play who are in an open invitation, to somebody who is asked to sit with them."""
        user = press.user_id
        invitation, state = await self.finder.invitation(press.interaction, press.target)
        if state is not InvitationState.OPEN:
            raise Refused("challenge.closed")
        if not is_asked(invitation, user):
            raise Refused("reliability.not_asked")
        await self.wording.load_names(invitation)
        words, now = press.words, self.now()
        name = self.wording.invitation_names(invitation, words)
        involved = dict.fromkeys(people((invitation.host_id, *invitation.seated, *invitation.invited)))
        others = [
            (name(each), await reliability_of(self.store, invitation.guild_id, each, now))
            for each in involved
            if each != user
        ]
        own = await reliability_of(self.store, invitation.guild_id, user, now)
        await press.reply(people_screen(others, own, words), press.target)

    @verbs("ownreliable")
    async def _own(self, press: ComponentPress) -> None:
        """Show somebody's own reliability in the server where they pressed."""
        guild_id, now = press.server_id, self.now()
        attended = await self.store.attendances(guild_id, press.user_id, READ)
        found, needed = reliability(attended, now), clean_matches_needed(attended, now)
        screen = own_screen(found, needed, press.words)
        await press.reply(screen, press.target)


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
