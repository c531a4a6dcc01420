"""The commands /mydata export and /mydata delete: what is stored about a person in this server, or outside of
servers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from discord import app_commands

from bot.gateway.command_texts import Describe
from bot.play.closed_deals import ClosedDeals
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.refusals import MaybeSaved, Refused, translate_errors
from bot.scheduler import ends_at
from bot.store.errors import Conflict
from bot.store.queries.matches import MatchRow
from bot.store.special_ids import is_chat, is_direct
from bot.store.store import Store
from bot.ui.display_names import DisplayNames
from bot.ui.screen import Button, Press, Screen, Text, Tone
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.file_queue import FileQueue
from cogs.interactions.responses import Interaction, edit_reply, reply_file, reply_private, translations_for
from cogs.interactions.venues import DIRECT_TOO, venue_id_of
from cogs.interactions.whose_rows import Whose, writes
from cogs.personal_data.export import everything_of
from cogs.personal_data.files import Packed, files_of
from cogs.rooms import Export
from cogs.updates.open_hands import StyledHands

SUBJECT = "mydata"
"""What the ids of these buttons name instead of a match."""


@dataclass(slots=True, eq=False)
class MyData(Capability):
    """The commands `/mydata`, and the buttons that ask before a deletion."""

    verbs = Verbs()

    store: Store
    closed_deals: ClosedDeals
    matches: MatchRegistry
    invitations: Invitations
    lifecycle: MatchLifecycle
    styled_hands: StyledHands
    display_names: DisplayNames
    exports: Sequence[Export]
    turns: FileQueue = field(default_factory=FileQueue, init=False)
    """One export is made at a time, and others' files don't wait for it: one of thousands of matches takes minutes."""

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        group = app_commands.Group(name="mydata", description=say("command.mydata"), **DIRECT_TOO)

        @writes(Whose.NOBODY)
        @group.command(name="export", description=say("command.mydata_export"))
        async def export(interaction: Interaction) -> None:
            closed = self.closed_deals.closing
            async with self.turns.turn(interaction):
                here, *chats = [
                    await everything_of(
                        self.store,
                        venue,
                        interaction.user.id,
                        lambda row: closed(row) is not None,
                        self.exports,
                        pack=Packed,
                    )
                    for venue in await self._venues(interaction)
                ]
                kept = {**here, "chats": chats} if chats else here
                (name, content), *more = await asyncio.to_thread(files_of, kept)  # every act of every match
            await reply_file(interaction, translations_for(interaction)("mydata.exported"), name, content, *more)

        @writes(Whose.NOBODY)
        @group.command(name="delete", description=say("command.mydata_delete"))
        async def delete(interaction: Interaction) -> None:
            venues = await self._venues(interaction)
            self._check_done(interaction.user.id, venues)
            for guild_id in venues:
                await check_day(self.store, guild_id, interaction.user.id, self.closed_deals.today())
            say = translations_for(interaction)
            asked = say("mydata.ask")
            if any(
                self.matches.quarantined(interaction.user.id, venue) for venue in venues
            ):  # not for a fault: that was checked
                asked = f"{asked}\n{say('mydata.ask_not_installed')}"
            buttons = (
                Button(say("button.delete"), Press("forget"), Tone.BAD),
                Button(say("button.keep"), Press("remain")),
            )
            screen = Screen(say("mydata.title"), (Text(asked),), (buttons,), tone=Tone.BAD)
            await reply_private(interaction, screen, SUBJECT)

        return (group,)

    @verbs("forget", writes=Whose.NOBODY)
    async def _forget(self, press: ComponentPress) -> None:
        """Delete what is stored about the person who pressed. It may take longer than an answer may.

        Raises Refused while they play in this venue.
        """
        venues = await self._venues(press.interaction)
        self._check_done(press.user_id, venues)
        say = press.words
        await press.reply(Screen(say("mydata.title"), (Text(say("mydata.deleting")),)), SUBJECT)
        try:
            for guild_id in venues:
                await self.lifecycle.call_off_without_game(guild_id, press.interaction.user.id)
                await forget(self.store, guild_id, press.interaction.user.id, self.closed_deals.today())
            text = say("mydata.deleted")
            await self.styled_hands.reload(press.interaction.user.id)
        except MaybeSaved as unsettled:
            text = unsettled.told(say)
            await self.styled_hands.reload(press.interaction.user.id)
        except Refused as refused:
            text = refused.told(say)
        for guild_id in venues:
            self.display_names.forget(guild_id, press.interaction.user.id)
        await edit_reply(press.interaction, Screen(say("mydata.title"), (Text(text),)), SUBJECT)

    @verbs("remain", writes=Whose.NOBODY)
    async def _remain(self, press: ComponentPress) -> None:
        """Leave everything as it is."""
        say = press.words
        screen = Screen(say("mydata.title"), (Text(say("mydata.kept")),))
        await press.reply(screen, SUBJECT)

    async def _venues(self, interaction: Interaction) -> tuple[int, ...]:
        """The venues that an interaction is about: a server, or else all that its person has outside of servers. Some
        of these may offer them no commands. Raises StoreError."""
        here = venue_id_of(interaction)
        return (here, *(await self.store.chats_of(interaction.user.id))) if is_direct(here) else (here,)

    def _check_done(self, user_id: int, venues: Iterable[int]) -> None:
        """Raise Refused while a person plays in one of these venues."""
        for guild_id in venues:
            playing = self.matches.of_player(user_id, guild_id) or self.invitations.of_player(user_id, guild_id)
            if playing or any(not each.lacks_game for each in self.matches.quarantined(user_id, guild_id)):
                raise Refused("mydata.playing")


async def check_day(store: Store, guild_id: int, user_id: int, today: int) -> None:
    """Raise Refused if somebody has played a match of the day `today` or later. If they could be forgotten before that
    day ends, they could play its deal twice."""
    _check_days(await store.matches_of(guild_id, user_id), today)


def _check_days(played: Iterable[MatchRow], today: int) -> None:
    days = [row.day for row in played if row.day is not None and row.day >= today]
    if days:
        raise Refused("mydata.daily", when=f"<t:{ends_at(max(days)) // 1000}:R>")


async def forget(store: Store, guild_id: int, user_id: int, today: int = 0) -> None:
    """Replace somebody by a random number in everything stored about a server, and delete what they prefer everywhere.

    Raises Refused while they have an open match or invitation, and if they have tried a deal of the day `today` or
    later. Raises Unsaved.
    """
    played = await translate_errors(store.matches_of(guild_id, user_id))
    _check_days(played, today)
    known = {row.id for row in played}
    marker = -1 - secrets.randbits(62)  # Discord's ids are positive, so this is nobody's
    try:
        await translate_errors(store.anonymise(guild_id, user_id, marker, known))
        if is_direct(guild_id) and not is_chat(
            guild_id
        ):  # it is stored under their own id, and nobody else played there
            await translate_errors(store.purge_guild(guild_id))
    except Conflict:
        raise Refused("mydata.playing") from None
