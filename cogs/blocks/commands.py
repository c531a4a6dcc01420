"""The command /block, and *Decline for good* on challenges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import discord
from discord import app_commands

from bot.budgets import MOST_BLOCKS
from bot.gateway.command_texts import Describe
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.store.queries.invitations import Invitation
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.blocks.queries import Blocks
from cogs.blocks.screens import SUBJECT, blocks_screen, decline_screen
from cogs.interactions.places import in_servers, server_of
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.whose_rows import Whose, writes
from cogs.screens import custom_ids
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
