"""Determines whom a message's text pings, given what the sender allows.

Source: Discord's developer documentation, "Allowed Mentions Object".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from discord_sandbox.model import payloads, snowflake
from discord_sandbox.model.state import Server, World
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.validation.forms import Form

_USER = re.compile(r"<@!?(\d{15,20})>")
_ROLE = re.compile(r"<@&(\d{15,20})>")
_EVERYONE = re.compile(r"@(?:everyone|here)\b")
_KINDS = frozenset({"users", "roles", "everyone"})
MOST_NAMED = 100


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which mentions in a text take effect: whole kinds, and single users and roles."""

    kinds: frozenset[str]
    users: frozenset[int] = frozenset()
    roles: frozenset[int] = frozenset()
    replied_user: bool = True  # whether a reply pings whom it answers


BY_DEFAULT = Allowed(_KINDS)
"""The default for a bot's ordinary messages: everything pings."""

BY_DEFAULT_IN_ANSWERS = Allowed(frozenset({"users"}))
"""The default for answers to interactions: users only."""


def read_allowed(form: Form, default: Allowed) -> Allowed:
    """Read `allowed_mentions` of a message's form."""
    inner = form.form("allowed_mentions")
    if inner is None:
        return default
    kinds: set[str] = set()
    for index, kind in enumerate(inner.items("parse", 0, 3) or ()):
        if kind in _KINDS:
            kinds.add(kind)
        else:
            inner.faults.add(
                (*inner.path, "parse", index),
                "BASE_TYPE_CHOICES",
                "Value must be one of ('users', 'roles', 'everyone').",
            )
    users, roles = _named(inner, "users", kinds), _named(inner, "roles", kinds)
    return Allowed(frozenset(kinds), users, roles, bool(inner.truth("replied_user")))


def _named(form: Form, key: str, kinds: set[str]) -> frozenset[int]:
    raw = form.items(key, 0, MOST_NAMED) or []
    if raw and key in kinds:
        form.own_fault(
            "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
            f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.',
        )
    named: set[int] = set()
    for index, each in enumerate(raw):
        if snowflake.parsed(str(each)) is not None:
            named.add(int(each))
        else:
            form.faults.add((*form.path, key, index), "NUMBER_TYPE_COERCE", f"Value {each!r} is not snowflake.")
    return frozenset(named)


def pinged(text: str, allowed: Allowed, world: World, server: Server | None, may_ping_all: bool) -> JsonObject:
    """The message fields `mentions`, `mention_roles` and `mention_everyone` for `text`.

    `may_ping_all` is whether the author has Mention Everyone, which roles that are not mentionable need too.
    """
    if "@" not in text:
        return {"mentions": [], "mention_roles": [], "mention_everyone": False}
    users: dict[int, JsonObject] = {}
    for raw in _USER.findall(text):
        user = world.users.get(int(raw))
        if user is not None and ("users" in allowed.kinds or user.id in allowed.users):
            users[user.id] = payloads.user(user)
    roles: dict[str, None] = {}
    for raw in _ROLE.findall(text):
        role = None if server is None else server.roles.get(int(raw))
        may = role is not None and (role.mentionable or may_ping_all)
        if may and ("roles" in allowed.kinds or int(raw) in allowed.roles):
            roles[raw] = None
    everyone = may_ping_all and "everyone" in allowed.kinds and _EVERYONE.search(text) is not None
    return {"mentions": list(users.values()), "mention_roles": list(roles), "mention_everyone": everyone}
