"""The house's front: everything that shows matches in Discord, put together.

`bot.client` opens it by name; each game's cog registers its looks and its commands here.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Iterable

import discord
from discord import app_commands

from bot.match import LiveMatch
from bot.matches import Matches
from bot.people import People
from bot.screen import Screen
from bot.settings import Settings
from bot.store.base import Invitation, Store
from bot.words import Words, words
from cogs import answer
from cogs.answer import Interaction
from cogs.easel import Easel
from cogs.hands import Hands
from cogs.names import safe_name
from cogs.notices import Notices
from cogs.painter import Painter
from cogs.presenter import Presenter, Reader
from engines import GAMES
from engines.game import Seat

SPACING = 1.0
"""Seconds between two edits in a channel, and between two edits of one hand."""


class House:
    """What the cogs share."""

    def __init__(
        self,
        client: discord.Client,
        tree: app_commands.CommandTree[discord.Client],
        store: Store,
        matches: Matches,
        settings: Settings,
    ) -> None:
        self.client = client
        self.tree = tree
        self.store = store
        self.matches = matches
        self.settings = settings
        self.people = People(store)
        self.looks: dict[str, Presenter] = {}
        self.easel = Easel(SPACING)
        self.painter = Painter(
            client,
            store,
            self.easel,
            looks=self.looks,
            reader=self.reader_of_all,
            invitation_reader=self.reader_of_invitation,
            now=matches.now,
        )
        self.hands = Hands(self.easel, self.looks)
        self.notices = Notices(client, store, self.easel, self.reader_of_all, settings.notice_after_seconds)
        matches.match_changed += [self.hands.match_changed, self.painter.match_changed, self.notices.match_changed]
        matches.invitation_changed += [self.painter.invitation_changed]

    def load(self) -> None:
        """Let every cog register: the games', and the commands that belong to none."""
        for name in (*GAMES, "general"):
            importlib.import_module(f"cogs.{name}").setup(self)

    async def resume(self) -> None:
        """Take up what was open; boards are repainted in the background."""
        ended = await self.matches.resume()
        live = {match.id: match for match in self.matches.live()}
        for match in (*live.values(), *ended):
            await self.people.load(match.guild_id, match.seats)
        await self.notices.resume(live)
        for match in (*live.values(), *ended):
            self.matches.tell(match)

    async def close(self) -> None:
        """Stop the clocks, give the last boards a moment, and let go."""
        await self.matches.close()
        self.notices.close()
        await self.easel.close(2.0)

    # ------------------------------------------------------------------------------------ words and names

    def words_of(self, interaction: Interaction) -> Words:
        """The words of the one who pressed."""
        return words(str(interaction.locale))

    def words_of_guild(self, guild_id: int) -> Words:
        """The words of a server, as far as it is known."""
        guild = self.client.get_guild(guild_id)
        return words(str(guild.preferred_locale) if guild else self.settings.language)

    def name(self, guild_id: int, user_id: int) -> str:
        """What somebody is called, safe to show."""
        return safe_name(self.people.name(guild_id, user_id), user_id)

    def names(self, guild_id: int, user_ids: Iterable[int]) -> tuple[str, ...]:
        """What several people are called, safe to show."""
        return tuple(self.name(guild_id, user) for user in user_ids)

    def reader_of_all(self, match: LiveMatch) -> Reader:
        """Everybody in the match's server."""
        return Reader(self.words_of_guild(match.guild_id), self.names(match.guild_id, match.seats))

    def reader_of_invitation(self, invitation: Invitation) -> Reader:
        """Everybody in the invitation's server; the names are the host's and the guests'."""
        people = (invitation.host_id, *invitation.invited)
        return Reader(self.words_of_guild(invitation.guild_id), self.names(invitation.guild_id, people))

    async def reader_on(self, interaction: Interaction, match: LiveMatch, seat: Seat | None) -> Reader:
        """The one who pressed, on their seat."""
        await self.people.load(match.guild_id, match.seats)
        return Reader(self.words_of(interaction), self.names(match.guild_id, match.seats), seat)

    async def meet(self, interaction: Interaction, *others: discord.abc.User) -> None:
        """Remember what those who take part in an interaction are called."""
        if interaction.guild_id is not None:
            await asyncio.gather(
                *(
                    self.people.remember(interaction.guild_id, user.id, user.display_name)
                    for user in (interaction.user, *others)
                )
            )

    async def show(self, interaction: Interaction, screen: Screen, table: str) -> None:
        """Show a screen to the one who pressed."""
        await answer.privately(interaction, screen, table)
