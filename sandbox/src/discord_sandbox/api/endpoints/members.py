"""A server's members: read, searched, changed, timed out, removed.

Source: Discord's developer documentation, "Get Guild Member" and the next.
"""

from __future__ import annotations

from datetime import datetime

from discord_sandbox.api.call import Call
from discord_sandbox.model import errors, payloads, permissions, snowflake
from discord_sandbox.model.permissions import Permission
from discord_sandbox.model.state import Intent, Member, Server
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service import guild_events
from discord_sandbox.validation.forms import Form

_LONGEST_TIMEOUT = 28 * 24 * 3600.0


def member(call: Call) -> JsonObject:
    return payloads.member(call.member(call.server()))


def own(call: Call) -> JsonObject:
    """The bot's own membership."""
    return payloads.member(call.server().members[call.bot.id])


def listed(call: Call) -> list[JsonObject]:
    """By id; only for applications with the members intent."""
    server = call.server()
    limit, after = call.count("limit", 1, 1000, 1), call.bound("after") or 0
    if not call.backend.world.application.allowed_intents & Intent.GUILD_MEMBERS:
        raise errors.missing_access()
    found = sorted(server.members.values(), key=lambda each: each.user.id)
    return [payloads.member(each) for each in found if each.user.id > after][:limit]


def search(call: Call) -> list[JsonObject]:
    """Members whose user name or nick begins with the query."""
    server = call.server()
    limit, form = call.count("limit", 1, 1000, 1), Form(dict(call.query), call.form().faults)
    query = (form.text("query", 1, 100, required=True) or "").lower()
    form.faults.check()
    return [payloads.member(each) for each in server.members.values() if _is_called(each, query)][:limit]


def change(call: Call) -> JsonObject:
    """Nick, roles and timeout, each with its permission, of members below the bot."""
    server = call.server()
    found, form = call.member(server), call.form()
    if "nick" in form.value:
        _check(call, server, found, Permission.MANAGE_NICKNAMES)
    if "roles" in form.value:
        _check(call, server, found, Permission.MANAGE_ROLES)
    if "communication_disabled_until" in form.value:
        _check(call, server, found, Permission.MODERATE_MEMBERS)
    nick = form.text("nick", 0, 32)
    roles = _roles(call, server, found, form)
    until = _timeout(call, server, found, form)
    form.faults.check()
    found.nick = (nick or None) if "nick" in form.value else found.nick
    found.role_ids = found.role_ids if roles is None else roles
    found.timed_out_until = found.timed_out_until if until is None else until
    call.member_changed(server, found)
    return payloads.member(found)


def change_own(call: Call) -> JsonObject:
    """The bot's own nick."""
    server = call.server(Permission.CHANGE_NICKNAME)
    found, form = server.members[call.bot.id], call.form()
    nick = form.text("nick", 0, 32)
    form.faults.check()
    found.nick = nick or None
    call.member_changed(server, found)
    return payloads.member(found)


def remove(call: Call) -> None:
    server = call.server(Permission.KICK_MEMBERS)
    found = call.member(server)
    _check_below(call, server, found)
    guild_events.remove_member(call.backend, server, found.user)


def _check(call: Call, server: Server, found: Member, needed: Permission) -> None:
    call.server(needed)
    if found.user.id != call.bot.id and needed != Permission.MANAGE_ROLES:
        _check_below(call, server, found)


def _check_below(call: Call, server: Server, found: Member) -> None:
    if permissions.rank(server, found) >= permissions.rank(server, server.members[call.bot.id]):
        raise errors.missing_permissions()


def _roles(call: Call, server: Server, found: Member, form: Form) -> list[int] | None:
    if "roles" not in form.value:
        return None
    wanted = [int(each) for each in form.items("roles", 0, 250) or () if snowflake.parsed(str(each)) is not None]
    if any(each not in server.roles for each in wanted):
        raise errors.unknown_role()
    top = permissions.rank(server, server.members[call.bot.id])
    touched = {*wanted} ^ {*found.role_ids}
    if any(each in server.roles and server.roles[each].position >= top for each in touched):
        raise errors.missing_permissions()
    return wanted


def _timeout(call: Call, server: Server, found: Member, form: Form) -> float | None:
    """Seconds since 1970, 0 for none; None if the form has none."""
    key = "communication_disabled_until"
    if key not in form.value:
        return None
    raw = form.value[key]
    if raw is None:
        return 0.0
    try:
        until = datetime.fromisoformat(str(raw)).timestamp()
    except ValueError:
        form.fault(key, "DATE_TIME_TYPE_PARSE", f"Could not parse {raw}. Should be ISO8601.")
        return None
    if permissions.in_server(server, found) & Permission.ADMINISTRATOR:
        raise errors.missing_permissions()
    if until > call.backend.clock.now() + _LONGEST_TIMEOUT:
        form.fault(key, "BASE_TYPE_MAX_VALUE", "A timeout lasts 28 days at most.")
    return until


def _is_called(found: Member, query: str) -> bool:
    names = (found.user.username, found.user.global_name or "", found.nick or "")
    return any(each.lower().startswith(query) for each in names)
