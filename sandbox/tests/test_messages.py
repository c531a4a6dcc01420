"""Messages over plain HTTP: limits, flags, history, permissions, and codes for what is gone."""

from __future__ import annotations

import pytest

from discord_sandbox import Permission, Refused, Sandbox
from tests.conftest import Api

V2 = 1 << 15


@pytest.fixture
def path(sandbox: Sandbox) -> str:
    return f"/channels/{sandbox.channel('lobby').id}/messages"


async def test_a_message_bears_discords_fields(sandbox: Sandbox, api: Api, path: str) -> None:
    answer = await api("POST", path, {"content": " hello "})
    assert answer.status == 200
    assert answer.body["content"] == "hello"
    assert answer.body["channel_id"] == str(sandbox.channel("lobby").id)
    assert answer.body["author"]["id"] == str(sandbox.world.application.bot.id)
    assert answer.body["edited_timestamp"] is None
    assert answer.body["timestamp"].endswith("+00:00")
    assert (answer.body["flags"], answer.body["type"], answer.body["components"]) == (0, 0, [])


async def test_2000_characters_and_no_more(api: Api, path: str) -> None:
    assert (await api("POST", path, {"content": "x" * 2000})).status == 200
    answer = await api("POST", path, {"content": "x" * 2001})
    assert (answer.status, answer.code) == (400, 50035)
    assert answer.faults("content") == ["BASE_TYPE_MAX_LENGTH"]


async def test_an_empty_message_is_50006(api: Api, path: str) -> None:
    for body in ({}, {"content": "  "}, {"components": [], "flags": V2}):
        answer = await api("POST", path, body)
        assert (answer.status, answer.code) == (400, 50006)


async def test_no_content_or_embeds_beside_components_v2(api: Api, path: str) -> None:
    body = {
        "flags": V2,
        "content": "x",
        "embeds": [{"title": "y"}],
        "components": [{"type": 10, "content": "z"}],
    }
    answer = await api("POST", path, body)
    assert answer.code == 50035
    assert answer.faults("content") == answer.faults("embeds")
    assert answer.faults("content") == ["MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"]


async def test_components_v2_are_for_good(api: Api, path: str) -> None:
    sent = await api("POST", path, {"flags": V2, "components": [{"type": 10, "content": "z"}]})
    edited = await api("PATCH", f"{path}/{sent.body['id']}", {"flags": 0, "content": "now plain"})
    assert edited.faults("content") == ["MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"]
    again = await api("PATCH", f"{path}/{sent.body['id']}", {"components": [{"type": 10, "content": "new"}]})
    assert again.body["flags"] == V2
    assert again.body["edited_timestamp"] is not None


async def test_embeds_hold_6000_characters(api: Api, path: str) -> None:
    embeds = [{"description": "x" * 4000}, {"description": "x" * 2001}]
    answer = await api("POST", path, {"embeds": embeds})
    assert answer.faults("embeds") == ["MAX_EMBED_SIZE_EXCEEDED"]
    many = await api("POST", path, {"embeds": [{"title": "t"}] * 11})
    assert many.faults("embeds") == ["BASE_TYPE_MAX_LENGTH"]


async def test_a_bots_message_pings_all_unless_told_otherwise(sandbox: Sandbox, api: Api, path: str) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    content = f"{alice.mention} {bob.mention} @everyone <@999999999999999999>"
    loud = (await api("POST", path, {"content": content})).body
    assert ([each["username"] for each in loud["mentions"]], loud["mention_everyone"]) == (["alice", "bob"], True)
    quiet = (await api("POST", path, {"content": content, "allowed_mentions": {"parse": []}})).body
    assert (quiet["mentions"], quiet["mention_everyone"]) == ([], False)
    one = await api("POST", path, {"content": content, "allowed_mentions": {"users": [str(bob.id)]}})
    assert [each["username"] for each in one.body["mentions"]] == ["bob"]
    both = await api("POST", path, {"content": "x", "allowed_mentions": {"parse": ["users"], "users": [str(bob.id)]}})
    assert both.faults("allowed_mentions") == ["MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"]


async def test_a_text_display_pings_too(sandbox: Sandbox, api: Api, path: str) -> None:
    component = {"type": 10, "content": sandbox.user("Alice").mention}
    sent = await api("POST", path, {"flags": V2, "components": [component]})
    assert [each["username"] for each in sent.body["mentions"]] == ["alice"]


async def test_history_is_newest_first_and_without_ephemerals(sandbox: Sandbox, api: Api, path: str) -> None:
    ids = [(await api("POST", path, {"content": str(number)})).body["id"] for number in range(5)]
    newest = await api("GET", path + "?limit=2")
    assert [each["content"] for each in newest.body] == ["4", "3"]
    before = await api("GET", f"{path}?before={ids[2]}")
    assert [each["content"] for each in before.body] == ["1", "0"]
    after = await api("GET", f"{path}?after={ids[2]}")
    assert [each["content"] for each in after.body] == ["4", "3"]
    around = await api("GET", f"{path}?around={ids[2]}&limit=3")
    assert [each["content"] for each in around.body] == ["3", "2", "1"]
    assert (await api("GET", path + "?limit=101")).code == 50035


async def test_what_is_gone_is_10008_and_10003(sandbox: Sandbox, api: Api, path: str) -> None:
    sent = await api("POST", path, {"content": "board"})
    sandbox.delete_message(sandbox.channel("lobby").last)
    gone = await api("PATCH", f"{path}/{sent.body['id']}", {"content": "new"})
    assert (gone.status, gone.code) == (404, 10008)
    sandbox.delete_channel(sandbox.channel("lobby"))
    nowhere = await api("POST", path, {"content": "x"})
    assert (nowhere.status, nowhere.code) == (404, 10003)
    with pytest.raises(LookupError):
        sandbox.channel("lobby")


async def test_lost_permissions_are_50013_and_50001(sandbox: Sandbox, api: Api, path: str) -> None:
    lobby = sandbox.channel("lobby")
    sent = await api("POST", path, {"content": "board"})
    lobby.deny(Permission.SEND_MESSAGES)
    refused = await api("POST", path, {"content": "x"})
    assert (refused.status, refused.code) == (403, 50013)
    assert (await api("PATCH", f"{path}/{sent.body['id']}", {"content": "y"})).status == 200
    lobby.deny(Permission.VIEW_CHANNEL)
    hidden = await api("PATCH", f"{path}/{sent.body['id']}", {"content": "z"})
    assert (hidden.status, hidden.code) == (403, 50001)
    lobby.allow(Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES)
    assert (await api("POST", path, {"content": "x"})).status == 200


async def test_only_ones_own_messages_are_edited(sandbox: Sandbox, api: Api, path: str) -> None:
    said = sandbox.user("Alice").say(sandbox.channel("lobby"), "good evening")
    assert (await api("PATCH", f"{path}/{said.id}", {"content": "x"})).code == 50005
    assert (await api("DELETE", f"{path}/{said.id}")).code == 50013
    sandbox.channel("lobby").allow(Permission.MANAGE_MESSAGES)
    assert (await api("DELETE", f"{path}/{said.id}")).status == 204


async def test_a_nonce_may_be_enforced(api: Api, path: str) -> None:
    body = {"content": "once", "nonce": "n1", "enforce_nonce": True}
    first, second = await api("POST", path, body), await api("POST", path, body)
    assert first.body["id"] == second.body["id"]
    assert len((await api("GET", path)).body) == 1


async def test_a_reply_quotes_its_message(api: Api, path: str) -> None:
    first = await api("POST", path, {"content": "question"})
    reply = await api("POST", path, {"content": "answer", "message_reference": {"message_id": first.body["id"]}})
    assert reply.body["type"] == 19
    assert reply.body["referenced_message"]["content"] == "question"
    missing = await api("POST", path, {"content": "x", "message_reference": {"message_id": "1"}})
    assert missing.faults("message_reference") == ["MESSAGE_REFERENCE_UNKNOWN_MESSAGE"]


async def test_direct_messages_may_be_shut(sandbox: Sandbox, api: Api) -> None:
    alice = sandbox.user("Alice")
    opened = await api("POST", "/users/@me/channels", {"recipient_id": str(alice.id)})
    alice.user.takes_direct_messages = False
    refused = await api("POST", f"/channels/{opened.body['id']}/messages", {"content": "x"})
    assert (refused.status, refused.code) == (403, 50007)


async def test_without_the_token_nothing_is_answered(sandbox: Sandbox, api: Api, path: str) -> None:
    api.token = "wrong"
    assert (await api("GET", path)).status == 401
    assert (await api("GET", "/gateway/bot")).status == 401


async def test_unknown_addresses_and_bodies_are_refused_in_json(sandbox: Sandbox, api: Api, path: str) -> None:
    assert (await api("GET", "/no/such/route")).body == {"message": "404: Not Found", "code": 0}
    assert (await api("GET", "/channels/lobby")).faults("channel_id") == ["NUMBER_TYPE_COERCE"]
    assert (await api("GET", "/users/1")).code == 10013
    assert (await api("GET", "/guilds/1")).code == 10004


async def test_a_person_who_may_not_write_does_not(sandbox: Sandbox) -> None:
    alice, games = sandbox.user("Bob"), sandbox.channel("games")
    games.deny(Permission.SEND_MESSAGES, member=alice)
    with pytest.raises(Refused):
        alice.say(games, "hello")
    games.deny(Permission.VIEW_CHANNEL, member=alice)
    assert games.seen_by(alice) == []


@pytest.mark.parametrize(
    ("embed", "fault_path", "code"),
    [
        ({}, ("description",), "BASE_TYPE_REQUIRED"),
        ({"color": 3}, ("description",), "BASE_TYPE_REQUIRED"),
        ({"title": "x" * 257}, ("title",), "BASE_TYPE_MAX_LENGTH"),
        ({"description": "x" * 4097}, ("description",), "BASE_TYPE_MAX_LENGTH"),
        ({"title": "t", "fields": [{"name": "n", "value": "v"}] * 26}, ("fields",), "BASE_TYPE_MAX_LENGTH"),
        ({"fields": [{"name": "n", "value": "x" * 1025}]}, ("fields", 0, "value"), "BASE_TYPE_BAD_LENGTH"),
        ({"fields": [{"name": "n"}]}, ("fields", 0, "value"), "BASE_TYPE_REQUIRED"),
        ({"title": "t", "footer": {"text": "x" * 2049}}, ("footer", "text"), "BASE_TYPE_BAD_LENGTH"),
        ({"title": "t", "author": {"name": "x" * 257}}, ("author", "name"), "BASE_TYPE_BAD_LENGTH"),
        ({"title": "t", "url": "ftp://x"}, ("url",), "URL_TYPE_INVALID_SCHEME"),
        ({"image": {"url": "cards.png"}}, ("image", "url"), "URL_TYPE_INVALID_SCHEME"),
        ({"title": "t", "url": "attachment://x.png"}, ("url",), "URL_TYPE_INVALID_SCHEME"),
        ({"title": "t", "timestamp": "yesterday"}, ("timestamp",), "DATE_TIME_TYPE_PARSE"),
        ({"title": "t", "color": 1 << 24}, ("color",), "NUMBER_TYPE_MAX"),
    ],
)
async def test_what_no_embed_is(
    api: Api, path: str, embed: dict[str, object], fault_path: tuple[str | int, ...], code: str
) -> None:
    assert (await api("POST", path, {"embeds": [embed]})).faults("embeds", 0, *fault_path) == [code]


async def test_an_edit_takes_no_flag_away_but_one(api: Api, path: str) -> None:
    silent, no_embeds = 1 << 12, 1 << 2
    sent = (await api("POST", path, {"content": "x", "flags": silent | no_embeds})).body
    assert sent["flags"] == silent | no_embeds
    one = f"{path}/{sent['id']}"
    assert (await api("PATCH", one, {"flags": 0})).body["flags"] == silent
    assert (await api("PATCH", one, {"flags": no_embeds | 1 << 6})).body["flags"] == silent | no_embeds
