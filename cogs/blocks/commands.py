"""The command /block, and *Decline for good* on challenges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import discord
from discord import app_commands

from bot.budgets import MOST_BLOCKS
from bot.gateway.command_texts import Describe
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.store.queries.invitations import Invitation, InvitationKind
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Rows, Screen, Select, Text, Tone, noted
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.blocks.queries import Blocks
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import in_servers, server_of
from cogs.interactions.whose_rows import Whose, writes
from cogs.screens import custom_ids
from cogs.screens.pages import page_of, turning
from cogs.screens.renderer import LONGEST_OPTION
from cogs.screens.safe_names import unescaped
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Wording


@dataclass(slots=True, eq=False)
class BlockList(Capability):
    """The command `/block` and the controls of its list."""

    verbs = Verbs()

    blocks: Blocks
    wording: Wording
    now: Callable[[], int]

    async def block(self, user_id: int, other_id: int) -> None:
        """Have a person block another. Raises Refused if that could not be saved, or if they have blocked too many."""
        if not await translate_errors(self.blocks.add(user_id, other_id, self.now())):
            raise Refused("block.too_many", limit=MOST_BLOCKS)

    async def show(self, interaction: Interaction, page: int, note: str = "") -> None:
        """Answer with a page of those whom the person has blocked. The note comes first."""
        words = translations_for(interaction)
        people = [block.other_id for block in await self.blocks.blocked_by(interaction.user.id)]
        names = await self.wording.loaded(server_of(interaction), people, words)
        screen = blocks_screen([*zip(people, names, strict=True)], page, words, note)
        await reply_private(interaction, screen, SUBJECT)

    @verbs("blocks")
    async def _turn(self, press: ComponentPress) -> None:
        await self.show(press.interaction, custom_ids.read_page(press.arg))

    @verbs("unblock")
    async def _unblock(self, press: ComponentPress) -> None:
        await translate_errors(self.blocks.remove(press.user_id, custom_ids.read_user(press.arg)))
        await self.show(press.interaction, 0, press.words("block.undone"))

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @writes(Whose.KEPT_AWAY)
        @in_servers
        @app_commands.command(name="block", description=say("command.block"))
        @app_commands.describe(user=say("option.block_user"))
        async def block(interaction: Interaction, user: discord.User | None = None) -> None:
            if user is None:
                await self.show(interaction, 0)
                return
            if user.id == interaction.user.id or user.bot:
                raise Refused("block.not_them")
            await self.block(interaction.user.id, user.id)
            await self.show(interaction, 0, translations_for(interaction)("block.done"))

        return (block,)


@dataclass(slots=True, eq=False)
class DeclineForGood(Capability):
    """The button *Decline for good* of a challenge. It asks first, in private, because one press does much."""

    verbs = Verbs()

    listed: BlockList
    finder: Finder
    seating: Seating
    wording: Wording
    updates: ScreenUpdates

    @verbs("never")
    async def _ask(self, press: ComponentPress) -> None:
        invitation = await self._received(press)
        await self.wording.load_names(invitation)
        host = self.wording.name(invitation.guild_id, invitation.host_id, press.words)
        await press.reply(decline_screen(host, press.words), invitation.id)

    @verbs("nevermore", writes=Whose.KEPT_AWAY)
    async def _decline(self, press: ComponentPress) -> None:
        """Block the host, and decline. Everybody sees a challenge that was declined, as after *Decline*."""
        invitation = await self._received(press)
        await self.listed.block(press.user_id, invitation.host_id)
        await self._close(invitation, press.user_id)
        await self.listed.show(press.interaction, 0, press.words("block.done"))

    async def _close(self, invitation: Invitation, user_id: int) -> None:
        """Decline a challenge, unless it was closed meanwhile. Raises Unsaved."""
        try:
            closed = await self.seating.turn_down(invitation.id, user_id)
        except Unsaved:
            raise
        except Refused:
            return
        await self.wording.load_names(invitation)
        self.updates.invitation_closed(*closed)

    async def _received(self, press: ComponentPress) -> Invitation:
        """The challenge that was pressed. Raises Refused for anybody who was not challenged."""
        invitation, _ = await self.finder.invitation(press.interaction, press.target)
        if press.user_id not in invitation.invited:
            raise Refused("challenge.not_yours")
        return invitation


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
