"""Worlds read from a plan: people, roles, members, channels, overwrites; and described by one again."""

from __future__ import annotations

from typing import Any

import pytest

from discord_sandbox import Permission, Sandbox
from discord_sandbox.service import world_plan

PLAN: dict[str, Any] = {
    "people": [
        {"name": "Ann", "locale": "de"},
        {"name": "Ben", "takes_direct_messages": False},
        {"name": "Cid", "has_installed": True},
    ],
    "application": {"name": "Dealer", "intents": ["members"], "emojis": [{"name": "spade"}], "user_install": False},
    "chats": [{"members": ["Ann", "Ben"]}, {"name": "All of us", "members": ["Ann", "Ben", "Cid"]}],
    "servers": [
        {
            "name": "Club",
            "owner": "Ann",
            "system_channel": "lobby",
            "locale": "de",
            "emojis": ["ace", "king"],
            "stickers": ["dealer"],
            "everyone": ["view_channel", "read_message_history", "use_application_commands"],
            "bot": ["view_channel", "send_messages", "manage_threads"],
            "roles": [
                {"name": "Players", "permissions": ["send_messages"]},
                {"name": "Dealers", "permissions": ["manage_messages"], "color": 255, "hoist": True},
            ],
            "members": ["Ann", {"name": "Ben", "roles": ["Players"], "nick": "Benny"}, "Cid"],
            "channels": [
                {"name": "Games", "type": "category"},
                {
                    "name": "lobby",
                    "category": "Games",
                    "topic": "cards",
                    "slow_mode": 5,
                    "overwrites": [
                        {"role": "@everyone", "deny": ["view_channel"]},
                        {"role": "Players", "allow": ["view_channel"]},
                        {"member": "Cid", "allow": ["view_channel", "send_messages"]},
                        {"bot": True, "allow": ["view_channel"]},
                    ],
                },
                {"name": "talk", "type": "voice"},
                {"name": "posts", "type": "forum", "nsfw": True},
            ],
        }
    ],
}


def test_a_plan_is_followed() -> None:
    sandbox = Sandbox(PLAN)
    club, lobby = sandbox.server("Club"), sandbox.channel("lobby")
    ben, cid = sandbox.user("Ben"), sandbox.user("Cid")
    assert club.members[ben.id].nick == "Benny"
    assert [each.name for each in sorted(club.roles.values(), key=lambda each: each.position)] == [
        "@everyone",
        "Players",
        "Dealers",
        "Dealer",
    ]
    assert ben.client.bits(lobby.record) & Permission.SEND_MESSAGES
    assert cid.client.bits(lobby.record) & Permission.SEND_MESSAGES
    assert not cid.client.bits(sandbox.channel("talk").record) & Permission.SEND_MESSAGES
    assert (lobby.record.slow_mode, lobby.record.topic) == (5, "cards")
    assert club.channels[lobby.record.parent_id or 0].name == "Games"
    assert club.system_channel_id == lobby.id
    assert [(each.name, int(each.kind)) for each in sandbox.world.chats] == [("Ann, Ben", 1), ("All of us", 3)]
    assert [each.name for each in cid.client.chats()] == ["All of us"]
    assert not sandbox.world.application.user_install


def test_a_world_describes_itself() -> None:
    described = Sandbox(PLAN).describe()
    assert Sandbox(described).describe() == described
    assert (described["servers"][0]["emojis"], described["servers"][0]["stickers"]) == (["ace", "king"], ["dealer"])
    assert described["servers"][0]["members"][1] == {"name": "Ben", "roles": ["Players"], "nick": "Benny"}
    default = Sandbox().describe()
    assert Sandbox(default).describe() == default


@pytest.mark.parametrize(
    ("server", "words"),
    [
        ({"name": "x", "owner": "Nobody"}, "no person called 'Nobody'"),
        ({"name": "x", "members": [{"name": "Alice", "roles": ["Boss"]}]}, "no role called 'Boss'"),
        ({"name": "x", "everyone": ["fly"]}, "no permission 'fly'"),
        ({"name": "x", "channels": [{"name": "y", "type": "pigeon"}]}, "no channel of type 'pigeon'"),
        ({"name": "x", "channels": [{"name": "y", "category": "z"}]}, "no category 'z'"),
        ({"name": "x", "channels": [{"name": "y", "overwrites": [{"member": "Zed"}]}]}, "no person called 'Zed'"),
        ({"name": "x", "channels": [{"name": "y"}], "system_channel": "z"}, "no channel 'z'"),
    ],
)
def test_what_cannot_be_followed_is_said_in_a_line(server: dict[str, Any], words: str) -> None:
    with pytest.raises(world_plan.WorldFileError, match=words):
        Sandbox({"servers": [server]})


def test_a_locale_is_that_of_all_who_have_none() -> None:
    sandbox = Sandbox(world_plan.in_locale({}, "pt-BR"))
    assert {person.locale for person in sandbox.world.people} == {"pt-BR"}
    assert {server.locale for server in sandbox.world.servers.values()} == {"pt-BR"}
    plan = {"people": [{"name": "Ann", "locale": "ar"}, {"name": "Ben"}], "servers": [{"name": "Home"}]}
    sandbox = Sandbox(world_plan.in_locale(plan, "de"))
    assert [person.locale for person in sandbox.world.people] == ["ar", "de"]
    with pytest.raises(world_plan.WorldFileError):
        world_plan.in_locale({"people": 7}, "de")
