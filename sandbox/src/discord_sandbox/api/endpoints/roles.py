"""A server's roles: made, changed, removed, given and taken.

Source: Discord's developer documentation, "Create Guild Role" and the next, "Permission Hierarchy".
"""

from __future__ import annotations

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors, payloads, permissions, snowflake
from discord_sandbox.model.errors import Faults
from discord_sandbox.model.feed import Event
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Role, Server
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.forms import Form

MOST_ROLES = 250


def listed(call: Call) -> list[JsonObject]:
    return [payloads.role(each) for each in call.server().roles.values()]


def role(call: Call) -> JsonObject:
    return payloads.role(_role(call, call.server()))


def create(call: Call) -> JsonObject:
    """A new role is at the bottom, above only @everyone."""
    server = call.server(Permission.MANAGE_ROLES)
    form = call.form()
    if len(server.roles) >= MOST_ROLES:
        raise errors.too_many_roles(MOST_ROLES)
    made = Role(call.backend.world.snowflakes.next(), "new role", server.everyone.permissions, 1)
    _read(call, server, made, form)
    for each in server.roles.values():
        each.position += each.position >= 1
    server.roles[made.id] = made
    _tell(call, "GUILD_ROLE_CREATE", server, made)
    return payloads.role(made)


def change(call: Call) -> JsonObject:
    server = call.server(Permission.MANAGE_ROLES)
    found = _below(call, server)
    _read(call, server, found, call.form())
    _tell(call, "GUILD_ROLE_UPDATE", server, found)
    return payloads.role(found)


def move(call: Call) -> list[JsonObject]:
    """New positions of several roles; all of them below the bot's own."""
    server = call.server(Permission.MANAGE_ROLES)
    top = permissions.rank(server, server.members[call.bot.id])
    for each in call.body if isinstance(call.body, list) else []:
        form = Form(each if isinstance(each, dict) else {}, Faults())
        raw_id = str(form.value.get("id", ""))
        found = server.roles.get(snowflake.parsed(raw_id) or 0)
        position = form.integer("position", 1, 2**31 - 1)
        form.faults.check()
        if found is None:
            raise errors.unknown_role()
        if found.position >= top or (position or 0) >= top:
            raise errors.missing_permissions()
        found.position = found.position if position is None else position
        _tell(call, "GUILD_ROLE_UPDATE", server, found)
    return listed(call)


def delete(call: Call) -> None:
    """Delete a role and its overwrites; @everyone and managed roles cannot be deleted."""
    server = call.server(Permission.MANAGE_ROLES)
    found = _below(call, server)
    if found.id == server.id or found.managed_by is not None:
        raise errors.invalid_role()
    del server.roles[found.id]
    for member in server.members.values():
        if found.id in member.role_ids:
            member.role_ids.remove(found.id)
    for channel in server.channels.values():
        channel.overwrites.pop(found.id, None)
    data: JsonObject = {"guild_id": str(server.id), "role_id": str(found.id)}
    call.backend.feed.publish(Event("GUILD_ROLE_DELETE", data, server.id))


def give(call: Call) -> None:
    server = call.server(Permission.MANAGE_ROLES)
    member, found = call.member(server), _assignable(call, server)
    if found.id not in member.role_ids:
        member.role_ids.append(found.id)
        call.member_changed(server, member)


def take(call: Call) -> None:
    server = call.server(Permission.MANAGE_ROLES)
    member, found = call.member(server), _assignable(call, server)
    if found.id in member.role_ids:
        member.role_ids.remove(found.id)
        call.member_changed(server, member)


def _role(call: Call, server: Server) -> Role:
    found = server.roles.get(call.number("role_id"))
    if found is None:
        raise errors.unknown_role()
    return found


def _below(call: Call, server: Server) -> Role:
    """The role in the address; raises ApiError 50013 unless it is below the bot's highest."""
    found = _role(call, server)
    if found.position >= permissions.rank(server, server.members[call.bot.id]):
        raise errors.missing_permissions()
    return found


def _assignable(call: Call, server: Server) -> Role:
    found = _below(call, server)
    if found.id == server.id or found.managed_by is not None:
        raise errors.invalid_role()
    return found


def _read(call: Call, server: Server, role: Role, form: Form) -> None:
    """Change the given fields; nobody can grant permissions that they do not have."""
    name = form.text("name", 1, 100)
    colors = form.form("colors")
    color = form.integer("color", 0, 0xFFFFFF) if colors is None else colors.integer("primary_color", 0, 0xFFFFFF)
    hoist, mentionable = form.truth("hoist"), form.truth("mentionable")
    raw = form.value.get("permissions")
    if raw is not None and snowflake.parsed(str(raw)) is None:
        form.fault("permissions", "NUMBER_TYPE_COERCE", f"Value {raw!r} is not int.")
    form.faults.check()
    if raw is not None:
        own = permissions.in_server(server, server.members[call.bot.id])
        if int(raw) & ~role.permissions & ~own:
            raise errors.missing_permissions()
        role.permissions = int(raw)
    role.name = name or role.name
    role.color = role.color if color is None else color
    role.hoist = role.hoist if hoist is None else hoist
    role.mentionable = role.mentionable if mentionable is None else mentionable


def _tell(call: Call, name: str, server: Server, role: Role) -> None:
    data: JsonObject = {"guild_id": str(server.id), "role": payloads.role(role)}
    call.backend.feed.publish(Event(name, data, server.id))
