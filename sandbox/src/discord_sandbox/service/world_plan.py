"""The world a sandbox starts with: the default one, or one read from a JSON file.

A world file is an object; every key may be left out:

    {"token": "…",
     "application": {"id": "…", "name": "…", "owner": "Alice", "intents": ["members", "message_content"],
                     "user_install": true, "emojis": [{"id": "…", "name": "…"}], "examples": {"Say hello": "/hello"}},
     "people": [{"name": "Alice", "id": "…", "username": "alice", "locale": "en-US", "color": "#…",
                 "takes_direct_messages": true, "has_installed": false}],
     "servers": [{"name": "Home", "members": ["Alice"], "channels": [{"name": "lobby"}]}],
     "chats": [{"name": "The four of us", "members": ["Alice", "Bob", "Carol", "Dave"]}]}

Chats are between people, without the bot: a group with a name, or two people's direct messages without one.

`discord_sandbox.service.guild_plan` says what a server may have.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from discord_sandbox.model import payloads, wire
from discord_sandbox.model.clock import Clock
from discord_sandbox.model.state import Application, Channel, ChannelType, Intent, User, World
from discord_sandbox.model.wire import JsonObject
from discord_sandbox.service import guild_plan
from discord_sandbox.service.guild_plan import PlanContext, PlanError

_FIRST_PERSON = 100_000_000_000_000_001
_FIRST_SERVER = 200_000_000_000_000_000
_FIRST_CHANNEL = 300_000_000_000_000_001
_FIRST_ROLE = 400_000_000_000_000_001
_TWO = 2
_FIRST_CHAT = 350_000_000_000_000_001
_FIRST_EMOJI = 500_000_000_000_000_001
_APPLICATION = 600_000_000_000_000_001
_TOKEN_BYTES = 24
_NEXT_SHARD = 1 << 22  # servers whose ids differ by this much belong to different shards
_COLORS = ("#5865f2", "#3ba55d", "#faa61a", "#ed4245", "#eb459e", "#1abc9c", "#9b59b6", "#e67e22")
INTENTS = {
    "members": Intent.GUILD_MEMBERS,
    "presences": Intent.GUILD_PRESENCES,
    "message_content": Intent.MESSAGE_CONTENT,
}

DEFAULT: JsonObject = {
    "application": {"name": "Your Bot"},
    "people": [{"name": name} for name in ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")],
    "servers": [
        {"name": "First Server", "channels": [{"name": "lobby"}, {"name": "games"}]},
        {"name": "Second Server", "channels": [{"name": "general"}]},
    ],
    "chats": [],
}


def random_token(application_id: int) -> str:
    """A token as Discord's are: the application's id in base64 comes first, because some libraries read it there."""
    first = base64.b64encode(str(application_id).encode()).decode().rstrip("=")
    return f"{first}.sandbox.{secrets.token_urlsafe(_TOKEN_BYTES)}"


class WorldFileError(ValueError):
    """A world file cannot be used; the text says why in one line."""


def read_world_file(path: Path) -> JsonObject:
    """Read a world file; raises WorldFileError."""
    try:
        found = wire.read(path.read_bytes())
    except (OSError, ValueError) as trouble:
        raise WorldFileError(f"{path}: {trouble}") from None
    if not isinstance(found, dict):
        raise WorldFileError(f"{path}: a world is a JSON object")
    return found


def in_locale(plan: JsonObject, locale: str) -> JsonObject:
    """The plan with this locale for people and servers that have none. Raises WorldFileError."""
    whole = {**DEFAULT, **plan}
    try:
        spoken = {part: [{"locale": locale, **each} for each in whole[part]] for part in ("people", "servers")}
    except TypeError as trouble:
        raise WorldFileError(f"the world's description is faulty: {trouble!r}") from None
    return {**whole, **spoken}


def build(plan: JsonObject, clock: Clock, token: str | None = None) -> World:
    """Build the world a plan describes; `token` overrides the plan's.

    Raises WorldFileError for a name that is missing or nobody's.
    """
    try:
        return _build({**DEFAULT, **plan}, clock, token)
    except PlanError as trouble:
        raise WorldFileError(str(trouble)) from None
    except (KeyError, TypeError, ValueError, AttributeError) as trouble:
        if isinstance(trouble, WorldFileError):
            raise
        raise WorldFileError(f"the world's description is faulty: {trouble!r}") from None


def _build(plan: JsonObject, clock: Clock, token: str | None) -> World:
    people = list(_people(plan["people"]))
    if not people:
        raise WorldFileError("a world needs at least one person")
    by_name = {person.shown_name: person for person in people}
    about = plan["application"]
    application_id = int(about.get("id", _APPLICATION))
    bot = User(application_id, about.get("name", "Your Bot"), None, bot=True)
    application = Application(
        id=application_id,
        name=bot.username,
        bot=bot,
        token=token or plan.get("token") or random_token(application_id),
        owner=_named(by_name, about.get("owner", people[0].shown_name)),
        allowed_intents=sum(INTENTS[name] for name in about.get("intents", ())),
        user_install=bool(about.get("user_install", True)),
        emojis=dict(_emojis(about.get("emojis", ()), bot)),
        examples=about.get("examples", {}),
    )
    world = World(clock, application)
    for person in people:
        world.add_user(person)
    context = PlanContext(by_name, bot, count(_FIRST_CHANNEL), count(_FIRST_ROLE))
    for number, each in enumerate(plan["servers"], start=1):
        world.add_server(guild_plan.build(each, _FIRST_SERVER + number * _NEXT_SHARD, context))
    for number, each in enumerate(plan["chats"]):
        members = tuple(_named(by_name, name) for name in each["members"])
        world.add_chat(chat(int(each.get("id", _FIRST_CHAT + number)), members, each.get("name")))
    return world


def chat(chat_id: int, members: tuple[User, ...], name: str | None = None) -> Channel:
    """Direct messages of two people, or a group: one that has a name, or more than two members."""
    is_group = name is not None or len(members) > _TWO
    kind = ChannelType.GROUP if is_group else ChannelType.DIRECT
    return Channel(chat_id, name or ", ".join(each.shown_name for each in members), kind, recipients=members)


def describe(world: World) -> JsonObject:
    """The plan that builds this world again, without its messages and threads."""
    application = world.application
    return {
        "token": application.token,
        "application": {
            "id": str(application.id),
            "name": application.name,
            "owner": application.owner.shown_name,
            "intents": [name for name, bit in INTENTS.items() if application.allowed_intents & bit],
            "emojis": [{"id": each["id"], "name": each["name"]} for each in application.emojis.values()],
            "user_install": application.user_install,
            "examples": application.examples,
        },
        "people": [
            {
                "name": each.shown_name,
                "id": str(each.id),
                "username": each.username,
                "locale": each.locale,
                "color": each.avatar_color,
                "takes_direct_messages": each.takes_direct_messages,
                "has_installed": each.has_installed,
            }
            for each in world.people
        ],
        "servers": [guild_plan.describe(each, application.bot) for each in world.servers.values()],
        "chats": [
            {
                "id": str(each.id),
                "members": [member.shown_name for member in each.recipients],
                **({"name": each.name} if each.kind is ChannelType.GROUP else {}),
            }
            for each in world.chats
        ],
    }


def _people(plans: list[JsonObject]) -> Iterator[User]:
    for number, plan in enumerate(plans):
        name: str = plan["name"]
        yield User(
            id=int(plan.get("id", _FIRST_PERSON + number)),
            username=plan.get("username", name.lower().replace(" ", "_")),
            global_name=name,
            locale=plan.get("locale", "en-US"),
            avatar_color=plan.get("color", _COLORS[number % len(_COLORS)]),
            takes_direct_messages=bool(plan.get("takes_direct_messages", True)),
            has_installed=bool(plan.get("has_installed", False)),
        )


def _named(by_name: dict[str, User], name: str) -> User:
    if name not in by_name:
        raise WorldFileError(f"there is no person called {name!r}")
    return by_name[name]


def _emojis(plans: list[JsonObject], bot: User) -> Iterator[tuple[int, JsonObject]]:
    for number, plan in enumerate(plans):
        emoji_id = int(plan.get("id", _FIRST_EMOJI + number))
        yield emoji_id, payloads.emoji(emoji_id, plan["name"], bot)
