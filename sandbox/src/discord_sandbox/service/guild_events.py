"""Things that happen to a server from outside the bot: channels go, members come and leave.

Source for the events' payloads: Discord's developer documentation, "Gateway Events".
"""

from __future__ import annotations

from discord_sandbox.model import payloads
from discord_sandbox.model.feed import Event
from discord_sandbox.model.state import Member, Server, User
from discord_sandbox.service import guild_plan
from discord_sandbox.service.backend import Backend


def remove_member(backend: Backend, server: Server, user: User) -> None:
    """Let a person leave; raises LookupError if they are not there."""
    if server.members.pop(user.id, None) is None:
        raise LookupError(f"{user.shown_name} is not in {server.name}")
    data = {"guild_id": str(server.id), "user": payloads.user(user)}
    backend.feed.publish(Event("GUILD_MEMBER_REMOVE", data, server.id))


def add_member(backend: Backend, server: Server, user: User) -> None:
    """Let a person join; once in, nothing more happens."""
    if user.id in server.members:
        return
    member = server.members[user.id] = Member(user, backend.clock.now())
    data = {**payloads.member(member), "guild_id": str(server.id)}
    backend.feed.publish(Event("GUILD_MEMBER_ADD", data, server.id))


def remove_bot(backend: Backend, server: Server) -> None:
    """Remove the bot; raises LookupError if it is not there."""
    bot = backend.world.application.bot
    if server.members.pop(bot.id, None) is None:
        raise LookupError(f"the bot is not in {server.name}")
    for role in list(server.roles.values()):
        if role.managed_by == bot.id:
            del server.roles[role.id]
    backend.gateway.dispatch("GUILD_DELETE", {"id": str(server.id)}, server.id)
    backend.feed.wake_waiters()


def add_bot(backend: Backend, server: Server) -> None:
    """Let the bot be added again; once in, nothing more happens."""
    bot = backend.world.application.bot
    if bot.id in server.members:
        return
    guild_plan.add_bot(server, bot, backend.world.snowflakes.next())
    backend.gateway.server_joined(server)
    backend.feed.wake_waiters()
