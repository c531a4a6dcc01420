"""Presses that are read leanly say what the library's own reading of the same payloads says."""

from __future__ import annotations

import copy
from operator import attrgetter
from typing import Any, Final

import discord
import pytest

from bot.gateway.installations import leave_foreign_server
from bot.gateway.lean import press as lean_press
from bot.gateway.lean.press import LeanPress, read_presses_leanly

GUILD, CHANNEL, THREAD, PERSON, APP = 100, 200, 201, 300, 400
EPHEMERAL = 1 << 6
connection_state: Final = attrgetter("_connection")
add_guild: Final = attrgetter("_add_guild_from_data")
unread: Final = attrgetter("_payload")
"""What is read goes by the library's insides, so the comparison with the library does too."""
COMPONENTS = [
    {"type": 17, "components": [{"type": 10, "content": "cards"}]},
    {"type": 1, "components": [{"type": 2, "style": 2, "label": "Pick", "custom_id": "g1:m1:4:p:pick.3"}]},
]


def user(user_id: int = PERSON, **more: Any) -> dict[str, Any]:
    return {"id": str(user_id), "username": "ann", "discriminator": "0", "avatar": None, "global_name": None, **more}


def member(**more: Any) -> dict[str, Any]:
    about = {"roles": ["5"], "joined_at": "2026-01-01T00:00:00+00:00", "flags": 0, "deaf": False, "mute": False}
    return {"user": user(), **about, "permissions": str(1 << 5 | 1 << 11), "nick": None, **more}


def message(**more: Any) -> dict[str, Any]:
    return {
        "id": "500",
        "type": 0,
        "channel_id": str(CHANNEL),
        "author": user(APP, bot=True),
        "content": "",
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "components": COMPONENTS,
        **more,
    }


def sent_for(interaction_id: int) -> dict[str, Any]:
    """What Discord says of the interaction that a message answers."""
    return {"id": str(interaction_id), "type": 2, "user": user(), "authorizing_integration_owners": {}}


def press(**more: Any) -> dict[str, Any]:
    """A press of a button in a server's channel."""
    return {
        "id": "7",
        "application_id": str(APP),
        "type": 3,
        "version": 1,
        "token": "a token",
        "data": {"custom_id": "g1:m1:4:p:pick.3", "component_type": 2},
        "guild_id": str(GUILD),
        "channel": {"id": str(CHANNEL), "type": 0, "name": "lobby", "position": 0, "permissions": "0"},
        "channel_id": str(CHANNEL),
        "member": member(),
        "locale": "de",
        "guild_locale": "en-US",
        "app_permissions": str(1 << 11 | 1 << 15),
        "attachment_size_limit": 1 << 20,
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(GUILD)},
        "context": 0,
        "message": message(flags=1 << 15),
        **more,
    }


def without(payload: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name not in names}


THREAD_CHANNEL = {
    "id": str(THREAD),
    "type": 11,
    "name": "match",
    "parent_id": str(CHANNEL),
    "owner_id": str(APP),
    "guild_id": str(GUILD),
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 60,
        "archive_timestamp": "2026-01-01T00:00:00+00:00",
        "locked": False,
    },
    "message_count": 1,
    "member_count": 1,
}
DIRECT = {
    "guild_id": None,
    "user": user(global_name="Ann"),
    "context": 1,
    "channel": {"id": "210", "type": 1, "recipients": []},
}
KINDS = {
    "on a board": press(),
    "on one's own hand": press(message=message(flags=EPHEMERAL | 1 << 15, interaction_metadata=sent_for(6))),
    "on an answer to a press": press(
        message=message(
            flags=EPHEMERAL | 1 << 15,
            interaction_metadata={**sent_for(6), "type": 3, "interacted_message_id": "499"},
        )
    ),
    "by somebody with a nickname": press(member=member(nick="Annie", user=user(global_name="Ann"))),
    "by somebody with a global name": press(member=member(user=user(global_name="Ann"))),
    "with an empty nickname": press(member=member(nick="", user=user(global_name=""))),
    "of a line in a list": press(data={"custom_id": "g1:m1:4:o", "component_type": 3, "values": ["pick.1"]}),
    "of a person in a list": press(
        data={
            "custom_id": "g1:m1:0:invite",
            "component_type": 5,
            "values": ["301"],
            "resolved": {"users": {"301": user(301)}},
        }
    ),
    "in a thread that the cache lacks": press(channel=THREAD_CHANNEL, channel_id=str(THREAD)),
    "in an unknown channel": press(channel={**press()["channel"], "id": "299"}, channel_id="299"),
    "in a server where the app is not": press(
        guild_id="101",
        guild={"id": "101", "locale": "fr", "features": []},
        authorizing_integration_owners={"1": str(PERSON)},
        context=0,
    ),
    "in direct messages": without(press(**DIRECT), "member", "guild_locale"),
    "in a group, by an app of the user": without(
        press(**DIRECT, authorizing_integration_owners={"1": str(PERSON)}, app_permissions="0") | {"context": 2},
        "member",
        "guild_locale",
    ),
    "in a language without a name": press(locale="xx"),
    "without a language": without(press(), "locale"),
    "on an old message without flags": press(message=without(message(), "flags")),
}


@pytest.fixture
async def client() -> discord.Client:
    """A client that knows one server with a channel."""
    made = discord.AutoShardedClient(intents=discord.Intents(guilds=True), max_messages=None)
    state = connection_state(made)
    state.user = discord.ClientUser(state=state, data=user(APP, bot=True))  # type: ignore[arg-type]  # less than Discord sends
    channel = {"id": str(CHANNEL), "type": 0, "name": "lobby", "position": 0, "permission_overwrites": []}
    guild: Any = {"id": str(GUILD), "name": "Cardroom", "channels": [channel], "roles": [], "features": []}
    add_guild(state)(guild)
    return made


def read_both(client: discord.Client, payload: dict[str, Any]) -> tuple[Any, Any]:
    """A press as it is read leanly, and as the library reads it."""
    state = connection_state(client)
    mine: Any = copy.deepcopy(payload)
    theirs: Any = copy.deepcopy(payload)
    return LeanPress(data=mine, state=state), discord.Interaction(data=theirs, state=state)


def fields(made: Any) -> dict[str, Any]:
    """The type and the fields of an object of the library's that has no equality."""
    return {"type": type(made), **{name: getattr(made, name, None) for name in type(made).__slots__}}


def is_whole(lean: LeanPress) -> bool:
    return unread(lean) is None


def used(interaction: Any) -> dict[str, Any]:
    """All that answering a press asks for."""
    pressed = interaction.message
    sent = pressed.interaction_metadata
    return {
        "id": interaction.id,
        "type": interaction.type,
        "token": interaction.token,
        "data": interaction.data,
        "application": interaction.application_id,
        "guild": interaction.guild_id,
        "locale": str(interaction.locale),
        "permissions": interaction.permissions,
        "app permissions": interaction.app_permissions,
        "person": (interaction.user.id, interaction.user.display_name),
        "message": (pressed.id, pressed.flags.value, pressed.flags.ephemeral),
        "answers": None if sent is None else sent.id,
        "extras": interaction.extras,
        "made": interaction.created_at,
        "answered": interaction.response.is_done(),
    }


@pytest.mark.parametrize("kind", KINDS)
async def test_a_press_says_what_the_library_reads_and_nothing_more_was_read(client: discord.Client, kind: str) -> None:
    lean, whole = read_both(client, KINDS[kind])
    assert used(lean) == used(whole)
    assert not is_whole(lean)


@pytest.mark.parametrize("kind", KINDS)
async def test_everything_else_is_what_the_library_reads(client: discord.Client, kind: str) -> None:
    lean, whole = read_both(client, KINDS[kind])
    assert lean.channel_id == whole.channel_id
    pressed, presser = lean.message, lean.user
    assert [part.to_dict() for part in pressed.components] == [part.to_dict() for part in whole.message.components]
    assert pressed.author == whole.message.author
    assert (presser.mention, presser.name, type(lean.user)) == (whole.user.mention, whole.user.name, type(whole.user))
    assert is_whole(lean)
    names = [name for name in discord.Interaction.__slots__ if not name.startswith("_cs_")]
    for name in names:
        mine, theirs = getattr(lean, name), getattr(whole, name)
        assert mine == theirs or fields(mine) == fields(theirs), name
    sent = whole.message.interaction_metadata
    if sent is not None:
        read = read_both(client, KINDS[kind])[0].message.interaction_metadata
        assert (read.user, read.type, read.interacted_message_id) == (sent.user, sent.type, sent.interacted_message_id)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if KINDS[kind]["guild_id"] is not None])
async def test_a_channel_is_made_of_what_came_and_nothing_more_is_read(client: discord.Client, kind: str) -> None:
    state = connection_state(client)
    me = state.user
    state.clear()
    state.user = me
    lean, whole = read_both(client, KINDS[kind])
    assert type(lean.channel) is type(whole.channel)
    assert lean.channel == whole.channel
    assert lean.channel.slowmode_delay == whole.channel.slowmode_delay
    assert getattr(lean.channel, "locked", None) == getattr(whole.channel, "locked", None)
    assert lean.channel_id == whole.channel_id
    assert not is_whole(lean)


@pytest.mark.parametrize("kind", KINDS)
async def test_only_a_server_where_the_app_is_not_is_left_for_good(client: discord.Client, kind: str) -> None:
    for made in read_both(client, KINDS[kind]):
        leave_foreign_server(made)
        stays = None if kind == "in a server where the app is not" else KINDS[kind].get("guild_id")
        assert made.guild_id == (stays and int(stays))
        assert made.context is not None  # a lean press is read whole for it
        assert made.guild_id == (stays and int(stays))


async def test_what_no_interaction_has_a_press_has_not(client: discord.Client) -> None:
    lean, _ = read_both(client, KINDS["on a board"])
    with pytest.raises(AttributeError):
        _ = lean.colour
    assert not is_whole(lean)
    with pytest.raises(AttributeError):
        _ = lean.message.colour
    with pytest.raises(AttributeError):
        _ = lean.whole().colour


class Arrivals:
    """A client's parser, and the interactions that it dispatches."""

    def __init__(self, client: discord.Client, monkeypatch: pytest.MonkeyPatch) -> None:
        self.came: list[Any] = []
        state = connection_state(client)
        monkeypatch.setattr(state, "dispatch", lambda _event, interaction: self.came.append(interaction))
        read_presses_leanly(client)
        self.receive = state.parsers["INTERACTION_CREATE"]


async def test_presses_arrive_lean_and_forms_as_the_library_reads_them(
    client: discord.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrivals = Arrivals(client, monkeypatch)
    form = {"custom_id": "g1:m1:0:salt", "components": []}
    for payload in (press(), press(type=5, data=form)):
        arrivals.receive(payload)
    assert [type(each) for each in arrivals.came] == [LeanPress, discord.Interaction]


@pytest.mark.parametrize("broken", [{"member": {"user": {"id": "nobody"}}}, {"message": None}, {"id": None}])
async def test_a_payload_of_another_form_is_left_to_the_library(
    client: discord.Client, monkeypatch: pytest.MonkeyPatch, broken: dict[str, Any]
) -> None:
    state = connection_state(client)
    whole: list[Any] = []
    state.parsers["INTERACTION_CREATE"] = whole.append
    arrivals = Arrivals(client, monkeypatch)
    arrivals.receive(press(**broken))
    assert len(whole) == 1
    assert not arrivals.came


async def test_if_the_librarys_insides_are_others_it_reads_all_presses(
    client: discord.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrivals = Arrivals(client, monkeypatch)
    monkeypatch.setattr(lean_press, "try_enum", None)
    arrivals.receive(press())
    assert [type(each) for each in arrivals.came] == [discord.Interaction]
