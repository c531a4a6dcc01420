"""A server as a world file describes it: built from its plan, and described by one again.

    {"name": "Home", "id": "…", "owner": "Alice", "locale": "en-US", "without_bot": false,
     "system_channel": "lobby", "emojis": ["ace"], "stickers": ["dealer"],
     "everyone": ["view_channel", "send_messages"],
     "bot": ["view_channel", "manage_threads"], "bot_role": "…",
     "roles": [{"name": "Dealers", "id": "…", "permissions": ["manage_messages"], "color": 255,
                "hoist": true, "mentionable": true}],
     "members": ["Alice", {"name": "Bob", "roles": ["Dealers"], "nick": "Bobby"}],
     "channels": [{"name": "Games", "type": "category"},
                  {"name": "lobby", "id": "…", "type": "text", "category": "Games", "topic": "…",
                   "slow_mode": 5, "nsfw": false,
                   "overwrites": [{"role": "Dealers", "allow": ["manage_threads"], "deny": []},
                                  {"member": "Bob", "deny": ["send_messages"]}, {"bot": true, "deny": []}]}]}

Roles are listed from the lowest to the highest, below the bot's own, and a category before its channels. Permissions
are Discord's names in small letters, or one number with all their bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from discord_sandbox.model import permissions
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.snowflake import made_at
from discord_sandbox.model.state import FORUMS, Channel, ChannelType, Member, Overwrite, Role, Server, User
from discord_sandbox.model.wire import JsonObject

_TYPES = {each.name.lower(): each for each in ChannelType if each != ChannelType.DIRECT and "THREAD" not in each.name}


class PlanError(ValueError):
    """A plan cannot be followed; the text says why in one line."""


@dataclass(frozen=True, slots=True)
class PlanContext:
    """What all servers of a world share: its people by name, the bot, and default ids for channels and roles."""

    by_name: Mapping[str, User]
    bot: User
    channels: Iterator[int]
    roles: Iterator[int]

    def person(self, name: str) -> User:
        """Somebody by name; raises PlanError."""
        if name not in self.by_name:
            raise PlanError(f"there is no person called {name!r}")
        return self.by_name[name]


def build(plan: JsonObject, default_id: int, context: PlanContext) -> Server:
    """Build the server a plan describes. Raises PlanError, KeyError, TypeError, ValueError."""
    owner = context.person(plan.get("owner", next(iter(context.by_name))))
    server = Server(int(plan.get("id", default_id)), plan["name"], owner.id, plan.get("locale", "en-US"))
    server.emojis, server.stickers = tuple(plan.get("emojis", ())), tuple(plan.get("stickers", ()))
    bits = _bits(plan["everyone"]) if "everyone" in plan else permissions.EVERYONE_MAY
    server.roles[server.id] = Role(server.id, "@everyone", bits)
    for position, each in enumerate(plan.get("roles", ()), start=1):
        _add_role(server, each, position, context)
    for each in plan.get("members", list(context.by_name)):
        _add_member(server, {"name": each} if isinstance(each, str) else each, context)
    if owner.id not in server.members:
        server.members[owner.id] = Member(owner, made_at(server.id))
    if not plan.get("without_bot", False):
        bits = _bits(plan["bot"]) if "bot" in plan else permissions.EVERYONE_MAY
        add_bot(server, context.bot, int(plan.get("bot_role") or next(context.roles)), bits)
    for position, each in enumerate(plan.get("channels", [{"name": "general"}])):
        _add_channel(server, each, position, context)
    if plan.get("system_channel") is not None:
        server.system_channel_id = _system_channel(server, str(plan["system_channel"]))
    return server


def _system_channel(server: Server, name: str) -> int:
    found = next((each.id for each in server.channels.values() if each.name == name), None)
    if found is None:
        raise PlanError(f"there is no channel {name!r} for the server's own messages")
    return found


def add_bot(server: Server, bot: User, role_id: int, bits: int = permissions.EVERYONE_MAY) -> None:
    """Let the bot be in `server`, with its own managed role above all others."""
    server.roles[role_id] = Role(role_id, bot.username, bits, len(server.roles), managed_by=bot.id)
    server.members[bot.id] = Member(bot, made_at(server.id), role_ids=[role_id])


def describe(server: Server, bot: User) -> JsonObject:
    """The plan that builds this server, without its threads and messages."""
    own = next((each for each in server.roles.values() if each.managed_by == bot.id), None)
    plan: JsonObject = {
        "name": server.name,
        "id": str(server.id),
        "owner": server.members[server.owner_id].user.shown_name,
        "locale": server.locale,
        "without_bot": own is None,
        "everyone": _names(server.everyone.permissions),
        "roles": [_describe_role(each) for each in _ordered(server)],
        "members": [_describe_member(server, each) for each in server.members.values() if each.user.id != bot.id],
        "channels": [_describe_channel(server, each, bot) for each in _with_categories_first(server)],
    }
    plan |= {name: [*names] for name, names in (("emojis", server.emojis), ("stickers", server.stickers)) if names}
    if server.system_channel_id in server.channels:
        plan["system_channel"] = server.channels[server.system_channel_id].name
    if own is not None:
        plan["bot"], plan["bot_role"] = _names(own.permissions), str(own.id)
    return plan


def _add_role(server: Server, plan: JsonObject, position: int, context: PlanContext) -> None:
    role_id = int(plan.get("id") or next(context.roles))
    server.roles[role_id] = Role(
        role_id,
        plan["name"],
        _bits(plan.get("permissions", ())),
        position,
        color=int(plan.get("color", 0)),
        hoist=bool(plan.get("hoist", False)),
        mentionable=bool(plan.get("mentionable", False)),
    )


def _add_member(server: Server, plan: JsonObject, context: PlanContext) -> None:
    person = context.person(plan["name"])
    role_ids = [_role(server, each) for each in plan.get("roles", ())]
    server.members[person.id] = Member(person, made_at(server.id), role_ids=role_ids, nick=plan.get("nick"))


def _add_channel(server: Server, plan: JsonObject, position: int, context: PlanContext) -> None:
    kind_name = plan.get("type", "text")
    if kind_name not in _TYPES:
        raise PlanError(f"there is no channel of type {kind_name!r}; there are {', '.join(_TYPES)}")
    kind = _TYPES[kind_name]
    channel = Channel(
        id=int(plan.get("id") or next(context.channels)),
        name=plan["name"],
        kind=kind,
        server=server,
        position=position,
        topic=plan.get("topic"),
        parent_id=_category(server, plan.get("category")),
        nsfw=bool(plan.get("nsfw", False)),
        slow_mode=int(plan.get("slow_mode", 0)),
    )
    if kind in FORUMS:
        channel.settings["available_tags"] = []
    for each in plan.get("overwrites", ()):
        overwrite = _overwrite(server, each, context)
        channel.overwrites[overwrite.id] = overwrite
    server.channels[channel.id] = channel


def _overwrite(server: Server, plan: JsonObject, context: PlanContext) -> Overwrite:
    if "role" in plan:
        target, kind = _role(server, plan["role"]), 0
    else:
        target, kind = (context.bot if plan.get("bot") else context.person(plan["member"])).id, 1
    return Overwrite(target, kind, _bits(plan.get("allow", ())), _bits(plan.get("deny", ())))


def _category(server: Server, name: str | None) -> int | None:
    if name is None:
        return None
    for channel in server.channels.values():
        if channel.kind == ChannelType.CATEGORY and channel.name == name:
            return channel.id
    raise PlanError(f"there is no category {name!r} before its channels")


def _role(server: Server, name: str) -> int:
    for role in server.roles.values():
        if role.name == name:
            return role.id
    raise PlanError(f"there is no role called {name!r} in {server.name!r}")


def _bits(named: object) -> int:
    """Permissions by name, or as a number."""
    if isinstance(named, int):
        return named
    bits = 0
    for each in named if isinstance(named, list | tuple) else ():
        if str(each).upper() not in Permission.__members__:
            raise PlanError(f"there is no permission {each!r}")
        bits |= Permission[str(each).upper()]
    return bits


def _names(bits: int) -> list[str] | int:
    """The names of permissions; the number itself where some have none here."""
    if bits & ~sum(Permission):
        return bits
    return [each.name.lower() for each in Permission if bits & each]


def _ordered(server: Server) -> list[Role]:
    """The roles people made, from the lowest."""
    made = [each for each in server.roles.values() if each.id != server.id and each.managed_by is None]
    return sorted(made, key=lambda each: each.position)


def _describe_role(role: Role) -> JsonObject:
    return {
        "name": role.name,
        "id": str(role.id),
        "permissions": _names(role.permissions),
        "color": role.color,
        "hoist": role.hoist,
        "mentionable": role.mentionable,
    }


def _describe_member(server: Server, member: Member) -> JsonObject:
    roles = [server.roles[each].name for each in member.role_ids if each in server.roles]
    plan: JsonObject = {"name": member.user.shown_name, "roles": roles}
    if member.nick is not None:
        plan["nick"] = member.nick
    return plan


def _with_categories_first(server: Server) -> list[Channel]:
    return sorted(server.channels.values(), key=lambda each: (each.kind != ChannelType.CATEGORY, each.position))


def _describe_channel(server: Server, channel: Channel, bot: User) -> JsonObject:
    plan: JsonObject = {"name": channel.name, "id": str(channel.id), "type": channel.kind.name.lower()}
    if channel.topic is not None:
        plan["topic"] = channel.topic
    if channel.parent_id is not None:
        plan["category"] = server.channels[channel.parent_id].name
    if channel.slow_mode:
        plan["slow_mode"] = channel.slow_mode
    if channel.nsfw:
        plan["nsfw"] = True
    known = {*server.roles, *server.members}
    if channel.overwrites:
        plan["overwrites"] = [
            _describe_overwrite(server, each, bot) for each in channel.overwrites.values() if each.id in known
        ]
    return plan


def _describe_overwrite(server: Server, overwrite: Overwrite, bot: User) -> JsonObject:
    bits = {"allow": _names(overwrite.allow), "deny": _names(overwrite.deny)}
    if overwrite.kind == 0:
        return {"role": server.roles[overwrite.id].name, **bits}
    if overwrite.id == bot.id:
        return {"bot": True, **bits}
    return {"member": server.members[overwrite.id].user.shown_name, **bits}
