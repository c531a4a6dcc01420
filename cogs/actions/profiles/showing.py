"""The command /profile, the same in a member's menu, and the button by which somebody shows theirs to everybody."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import discord
from discord import app_commands

from bot.languages import DEFAULT_LANGUAGE
from bot.play.refusals import Refused
from bot.play.server_settings import KnownServerSettings
from bot.ui.catalogue import translations
from cogs.actions.challenging import User, check_place
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.profiles.reading import Asked, ProfileReader
from cogs.interactions import responses
from cogs.interactions.places import IN_SERVERS
from cogs.interactions.recent_posts import RecentPosts
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.custom_ids import UnknownCustomId, read_user
from cogs.screens.profiles import SUBJECT, Shown, profile_screen
from cogs.wording import Wording

COMMAND: Final = "profile"
LARGEST_ID: Final = 2**63 - 1
"""No id of Discord's is larger, nor any number in the database."""
PAUSE: Final = 60
"""Seconds before somebody may show their profile in a channel again: it is a long message."""


class Profiles(Capability):
    """The command `/profile` and its buttons."""

    verbs = Verbs()

    def __init__(
        self,
        profile_reader: ProfileReader,
        wording: Wording,
        server_settings: KnownServerSettings,
    ) -> None:
        self._profile_reader = profile_reader
        self._wording = wording
        self._server_settings = server_settings
        self._posts = RecentPosts()

    @verbs("profile")
    async def _show(self, press: ComponentPress) -> None:
        """Show the profile that the argument names with the rating in a game; without one the presser's own.

        Raises UnknownCustomId for an argument that no profile offers.
        """
        user_id, _, game = press.arg.partition(".")
        await self._reply(press.interaction, _read_person(user_id) if press.arg else press.user_id, game)

    @verbs("showprofile")
    async def _show_to_everybody(self, press: ComponentPress) -> None:
        """Show the profile of the person who pressed to everybody in the channel, in the server's language.

        Raises Refused where the bot can't post, and if they did the same a moment ago.
        """
        user_id = press.user_id
        guild_id, channel_id = await check_place(self._server_settings, press.interaction)
        post = (channel_id, user_id)
        before = self._posts.begin(post, press.interaction.created_at.timestamp(), PAUSE)
        if before is not None:
            raise Refused("profile.just_shown", when=f"<t:{round(before) + PAUSE}:R>")
        posted = None
        try:
            words = self._wording.of_server(guild_id)
            profile = await self._profile_reader.read(Asked(guild_id, user_id, user_id, press.arg), words)
            posted = await responses.post(press.interaction, profile_screen(profile, Shown.PUBLIC, words), SUBJECT, ())
        finally:
            if posted is None:
                self._posts.withdraw(post)

    def _commands(self) -> Iterable[Command]:
        say = translations(DEFAULT_LANGUAGE)

        @app_commands.command(name=COMMAND, description=say("command.profile"))
        @app_commands.describe(player=say("option.player"))
        async def profile(interaction: Interaction, player: discord.User | None = None) -> None:
            await self.show(interaction, player or interaction.user)

        async def of_member(interaction: Interaction, member: discord.User) -> None:
            await self.show(interaction, member)

        profile.allowed_contexts = IN_SERVERS["allowed_contexts"]
        profile.allowed_installs = IN_SERVERS["allowed_installs"]
        menu = app_commands.ContextMenu(name=say("command.profile_menu"), callback=of_member, **IN_SERVERS)
        return (profile, menu)

    async def show(self, interaction: Interaction, player: User) -> None:
        """Show a profile to the person who asked for it. Raises Refused outside servers and for bots."""
        _server(interaction)
        if player.bot:
            raise Refused("profile.bot")
        present = (player,) if isinstance(player, discord.Member) else ()  # else the name known here is the better one
        await self._wording.remember_names(interaction, *present)
        await self._reply(interaction, player.id)

    async def _reply(self, interaction: Interaction, user_id: int, game: str = "") -> None:
        reader, words = interaction.user.id, translations_for(interaction)
        profile = await self._profile_reader.read(Asked(_server(interaction), user_id, reader, game), words)
        screen = profile_screen(profile, Shown.OWN if user_id == reader else Shown.OTHER, words)
        await responses.reply_private(interaction, screen, SUBJECT)


def _read_person(text: str) -> int:
    """The person whom an argument names. Raises UnknownCustomId."""
    user_id = read_user(text)
    if user_id > LARGEST_ID:
        raise UnknownCustomId("no id of Discord's")
    return user_id


def _server(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise Refused("profile.not_a_server")
    return interaction.guild_id
