"""Maps events to intents, in servers and in direct messages.

Source: Discord's developer documentation, "List of Intents". Events about messages depend on more than an intent, so
the gateway handles them.
"""

from __future__ import annotations

from discord_sandbox.model.state import Intent

_OF_SERVERS = {
    Intent.GUILDS: (
        "GUILD_UPDATE",
        "GUILD_DELETE",
        "GUILD_ROLE_CREATE",
        "GUILD_ROLE_UPDATE",
        "GUILD_ROLE_DELETE",
        "CHANNEL_CREATE",
        "CHANNEL_UPDATE",
        "CHANNEL_DELETE",
        "CHANNEL_PINS_UPDATE",
        "THREAD_CREATE",
        "THREAD_UPDATE",
        "THREAD_DELETE",
        "THREAD_LIST_SYNC",
        "THREAD_MEMBER_UPDATE",
        "THREAD_MEMBERS_UPDATE",
        "APPLICATION_COMMAND_PERMISSIONS_UPDATE",
    ),
    Intent.GUILD_MEMBERS: ("GUILD_MEMBER_ADD", "GUILD_MEMBER_UPDATE", "GUILD_MEMBER_REMOVE"),
    Intent.GUILD_MESSAGES: ("MESSAGE_DELETE_BULK",),
    Intent.GUILD_MESSAGE_REACTIONS: (
        "MESSAGE_REACTION_ADD",
        "MESSAGE_REACTION_REMOVE",
        "MESSAGE_REACTION_REMOVE_ALL",
        "MESSAGE_REACTION_REMOVE_EMOJI",
    ),
    Intent.GUILD_MESSAGE_TYPING: ("TYPING_START",),
    Intent.GUILD_SCHEDULED_EVENTS: (
        "GUILD_SCHEDULED_EVENT_CREATE",
        "GUILD_SCHEDULED_EVENT_UPDATE",
        "GUILD_SCHEDULED_EVENT_DELETE",
    ),
}
_OF_DIRECT_MESSAGES = {
    Intent.DIRECT_MESSAGES: ("CHANNEL_PINS_UPDATE",),
    Intent.DIRECT_MESSAGE_REACTIONS: ("MESSAGE_REACTION_ADD", "MESSAGE_REACTION_REMOVE"),
    Intent.DIRECT_MESSAGE_TYPING: ("TYPING_START",),
}

INTENT_OF: dict[tuple[str, bool], Intent] = {
    (name, in_server): intent
    for in_server, intents in ((True, _OF_SERVERS), (False, _OF_DIRECT_MESSAGES))
    for intent, names in intents.items()
    for name in names
}
"""The intent by the event's name and whether it happened in a server."""
