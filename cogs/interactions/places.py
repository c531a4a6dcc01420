"""Where an interaction comes from: a server, or somebody's direct messages with the bot."""

from __future__ import annotations

from bot.store.direct_places import direct_place
from cogs.interactions.responses import Interaction


def place_id_of(interaction: Interaction) -> int:
    """The server of an interaction, or the place of its person's direct messages."""
    return direct_place(interaction.user.id) if interaction.guild_id is None else interaction.guild_id
