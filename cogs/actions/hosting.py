"""Who may host in a server what people sign up for, such as tournaments and leagues, and who of them is stronger."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bot.gateway.lean.servers import role_ids
from bot.play.refusals import Refused, translate_errors
from bot.play.server_settings import KnownServerSettings
from bot.store.store import Store
from cogs.interactions.responses import Interaction
from cogs.interactions.venues import server_of

MOST_NAMED: Final = 5
"""How many channels or roles a refusal names."""


@dataclass(frozen=True, slots=True)
class By:
    """Who asks for something, and whether they may look after what others host in the server."""

    user_id: int
    manages: bool = False

    def may_manage(self, host_id: int | None) -> bool:
        """Whether they may look after what somebody hosts."""
        return self.manages or self.user_id == host_id


def asking(server_settings: KnownServerSettings, interaction: Interaction) -> By:
    """The person of an interaction."""
    return By(interaction.user.id, may_host(server_settings, interaction))


async def by_strength(store: Store, guild_id: int, game: str, users: Iterable[int]) -> list[int]:
    """People by their ratings in a game and server, the strongest first; who has none, and equal ones, in the order in
    which they were given, that of joining. Raises Unsaved."""
    strength = {}
    for user in users:
        found = await translate_errors(store.standing(guild_id, game, user))
        strength[user] = 0.0 if found is None else found.rating.ordinal
    return sorted(strength, key=lambda user: -strength[user])


def check_may_host(server_settings: KnownServerSettings, interaction: Interaction) -> None:
    """Raise Refused for somebody who may not host in a server."""
    if may_host(server_settings, interaction):
        return
    hosts = server_settings.of(server_of(interaction)).hosts
    if not hosts:
        raise Refused("hosting.not_allowed")
    raise Refused("hosting.not_role", roles=" · ".join(f"<@&{each}>" for each in hosts[:MOST_NAMED]))


def may_host(server_settings: KnownServerSettings, interaction: Interaction) -> bool:
    """Whether somebody may host in a server, and look after what others host there: with one of the roles that the
    server names or, if it names none, with Manage Events. Manage Server is enough in any case: a role may be
    deleted."""
    granted, guild_id = interaction.permissions, server_of(interaction)
    if granted.manage_guild:
        return True
    hosts = server_settings.of(guild_id).hosts
    if not hosts:
        return granted.manage_events
    return any(each in hosts for each in role_ids(interaction.user, guild_id))
