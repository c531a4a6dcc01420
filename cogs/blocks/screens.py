"""What people see of their blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.store.queries.invitations import Invitation, InvitationKind
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Rows, Screen, Select, Text, Tone, noted
from cogs.screens.pages import page_of, turning
from cogs.screens.renderer import LONGEST_OPTION
from cogs.screens.safe_names import unescaped

SUBJECT: Final = "blocks"
"""What the controls of the list act on, in place of a match."""
PAGE: Final = 20
"""People on a page."""


def blocks_screen(people: Sequence[tuple[int, str]], page: int, words: Translations, note: str = "") -> Screen:
    """A page of the people whom the reader has blocked, by id and safe name, counted from 0. The note comes first."""
    about = Text(words("block.about"))
    if not people:
        return Screen(words("block.title"), (*noted(note), Text(words("block.nobody")), about))
    shown, page, last = page_of(people, page, PAGE)
    listed = Text("\n".join(f"- <@{user}>" for user, _ in shown))
    options = tuple(Option(unescaped(name)[:LONGEST_OPTION], str(user)) for user, name in shown)
    rows: Rows = ((Select(Press("unblock"), words("block.unblock"), options),),)
    if last:
        rows += (turning("blocks", page, last, words),)
    return Screen(words("block.title"), (*noted(note), listed, about), rows)


def decline_button(invitation: Invitation, words: Translations, user_id: int) -> tuple[Button, ...]:
    """Declines a challenge, and all later ones of its host, for somebody whom it asks."""
    if invitation.kind is not InvitationKind.CHALLENGE or user_id not in invitation.invited:
        return ()
    return (Button(words("block.decline"), Press("never")),)


def decline_screen(host: str, words: Translations) -> Screen:
    """The question before somebody declines all challenges of a host, who has this safe name."""
    row = (Button(words("block.decline"), Press("nevermore"), Tone.BAD),)
    return Screen(words("block.decline_title"), (Text(words("block.ask", host=host)),), (row,), tone=Tone.BAD)
