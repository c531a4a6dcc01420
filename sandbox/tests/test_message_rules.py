"""What happens to messages after they are sent: pins, reactions, deletion, and the rules of old ones."""

from __future__ import annotations

import datetime as dt
import io

import aiohttp
import discord
import pytest

from discord_sandbox import Permission, Refused, Sandbox
from tests.conftest import Api, allow_bot
from tests.sample_bot import SampleBot

HOUR = 3600.0
THUMB = "%F0%9F%91%8D"


@pytest.fixture
async def lobby(sandbox: Sandbox, bot: SampleBot) -> discord.TextChannel:
    found = bot.get_channel(sandbox.channel("lobby").id)
    assert isinstance(found, discord.TextChannel)
    return found


async def test_pins(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    sent = [await lobby.send(str(number)) for number in range(3)]
    with pytest.raises(discord.Forbidden):
        await sent[0].pin()
    allow_bot(sandbox, Permission.PIN_MESSAGES)
    for message in sent:
        sandbox.advance(1)
        await message.pin()
    assert [each.content async for each in lobby.pins()] == ["2", "1", "0"]
    older = await api("GET", f"/channels/{lobby.id}/pins")
    assert [each["content"] for each in older.body] == ["2", "1", "0"]
    page = await api("GET", f"/channels/{lobby.id}/messages/pins?limit=2")
    assert ([each["message"]["content"] for each in page.body["items"]], page.body["has_more"]) == (["2", "1"], True)
    assert sandbox.channel("lobby").last.raw["type"] == 6
    await sent[1].unpin()
    assert [each.content async for each in lobby.pins()] == ["2", "0"]
    path = f"/channels/{lobby.id}/pins/{sent[0].id}"
    assert (await api("DELETE", path)).status == 204
    assert (await api("PUT", path)).status == 204
    assert (await api("PUT", f"/channels/{lobby.id}/pins/1")).code == 10008


async def test_as_many_pins_as_a_channel_holds(
    sandbox: Sandbox, lobby: discord.TextChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow_bot(sandbox, Permission.PIN_MESSAGES)
    monkeypatch.setattr("discord_sandbox.api.endpoints.pins.MOST_PINS", 1)
    await (await lobby.send("a")).pin()
    with pytest.raises(discord.HTTPException) as refused:
        await (await lobby.send("b")).pin()
    assert refused.value.code == 30003


async def test_reactions(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    bob = sandbox.user("Bob")
    message = await lobby.send("good?")
    await message.add_reaction("👍")
    bob.react(sandbox.channel("lobby").last, "👍")
    bob.react(sandbox.channel("lobby").last, "👍")
    seen = await lobby.fetch_message(message.id)
    (reaction,) = seen.reactions
    assert (reaction.emoji, reaction.count, reaction.me) == ("👍", 2, True)
    users = {each.id async for each in reaction.users()}
    assert users == {bob.id, sandbox.world.application.bot.id}
    assert seen.edited_at is None
    await message.remove_reaction("👍", discord.Object(sandbox.world.application.bot.id))
    assert sandbox.channel("lobby").last.raw["reactions"][0]["count"] == 1
    path = f"/channels/{lobby.id}/messages/{message.id}/reactions"
    assert (await api("DELETE", f"{path}/{THUMB}/{bob.id}")).code == 50013
    allow_bot(sandbox, Permission.MANAGE_MESSAGES)
    assert (await api("DELETE", f"{path}/{THUMB}/{bob.id}")).status == 204
    assert "reactions" not in sandbox.channel("lobby").last.raw
    for emoji in "👍👎":
        await message.add_reaction(emoji)
    await message.clear_reaction("👎")
    assert [each.emoji for each in (await lobby.fetch_message(message.id)).reactions] == ["👍"]
    await message.clear_reactions()
    assert (await lobby.fetch_message(message.id)).reactions == []
    await message.add_reaction("👍")
    assert (await api("DELETE", f"{path}/{THUMB}/@me")).status == 204


async def test_reactions_that_are_refused(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    message = await lobby.send("good?")
    path = f"/channels/{lobby.id}/messages/{message.id}/reactions"
    assert (await api("PUT", f"{path}/abc/@me")).code == 10014
    assert (await api("PUT", f"{path}/name:1/@me")).code == 10014
    for number in range(20):
        await message.add_reaction(chr(0x1F600 + number))
    assert (await api("PUT", f"{path}/{THUMB}/@me")).code == 30010
    sandbox.channel("lobby").deny(Permission.ADD_REACTIONS)
    assert (await api("DELETE", f"{path}/%F0%9F%98%80/@me")).status == 204
    assert (await api("PUT", f"{path}/%F0%9F%98%80/@me")).code == 50013
    with pytest.raises(Refused):
        sandbox.user("Bob").react(sandbox.channel("lobby").last, "no emoji")


async def test_bulk_deletion(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    sent = [await lobby.send(str(number)) for number in range(4)]
    with pytest.raises(discord.Forbidden):
        await lobby.delete_messages(sent[:2])
    allow_bot(sandbox, Permission.MANAGE_MESSAGES)
    await lobby.delete_messages(sent[:2])
    assert [each.content for each in sandbox.channel("lobby").messages] == ["2", "3"]
    path = f"/channels/{lobby.id}/messages/bulk-delete"
    one = await api("POST", path, {"messages": [str(sent[2].id)]})
    assert one.faults("messages") == ["BASE_TYPE_BAD_LENGTH"]
    sandbox.advance(15 * 24 * HOUR)
    old = await api("POST", path, {"messages": [str(each.id) for each in sent[2:]]})
    assert (old.status, old.code) == (400, 50034)


async def test_a_reply_shows_what_it_answers(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    first = await lobby.send("question")
    reply = await first.reply("answer")
    assert (reply.type, reply.reference and reply.reference.message_id) == (discord.MessageType.reply, first.id)
    fetched = await lobby.fetch_message(reply.id)
    assert fetched.reference is not None
    assert isinstance(fetched.reference.resolved, discord.Message)
    assert fetched.reference.resolved.content == "question"
    path = f"/channels/{lobby.id}/messages"
    unknown = {"content": "x", "message_reference": {"message_id": "1"}}
    refused = await api("POST", path, unknown)
    assert refused.faults("message_reference") == ["MESSAGE_REFERENCE_UNKNOWN_MESSAGE"]
    lenient = {"content": "x", "message_reference": {"message_id": "1", "fail_if_not_exists": False}}
    assert (await api("POST", path, lenient)).body["type"] == 0
    sandbox.channel("lobby").deny(Permission.READ_MESSAGE_HISTORY)
    blind = await api("POST", path, {"content": "x", "message_reference": {"message_id": str(first.id)}})
    assert blind.faults("message_reference") == ["REPLIES_CANNOT_REPLY_WITHOUT_READ_MESSAGE_HISTORY"]


async def test_without_history_there_is_none(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    message = await lobby.send("old")
    sandbox.channel("lobby").deny(Permission.READ_MESSAGE_HISTORY)
    assert (await api("GET", f"/channels/{lobby.id}/messages")).body == []
    assert (await api("GET", f"/channels/{lobby.id}/messages/{message.id}")).code == 50013


async def test_a_nonce_is_answered_once(sandbox: Sandbox, api: Api) -> None:
    path = f"/channels/{sandbox.channel('lobby').id}/messages"
    body = {"content": "x", "nonce": "n1", "enforce_nonce": True}
    first, second = await api("POST", path, body), await api("POST", path, body)
    assert first.body["id"] == second.body["id"]
    assert first.body["nonce"] == "n1"
    assert (await api("POST", path, {**body, "enforce_nonce": False})).body["id"] != first.body["id"]
    assert (await api("POST", path, {"content": "x", "nonce": "n" * 26})).faults("nonce") == ["BASE_TYPE_MAX_LENGTH"]


async def test_embeds_and_files_take_their_permissions(sandbox: Sandbox, lobby: discord.TextChannel) -> None:
    sandbox.channel("lobby").deny(Permission.EMBED_LINKS)
    with pytest.raises(discord.Forbidden) as refused:
        await lobby.send(embed=discord.Embed(title="t"))
    assert refused.value.code == 50013
    sandbox.channel("lobby").deny(Permission.ATTACH_FILES)
    with pytest.raises(discord.Forbidden):
        await lobby.send(file=discord.File(__file__))
    await lobby.send("plain text is fine")


async def test_old_messages_are_edited_only_so_often(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    most, window = sandbox.backend.old_edit_limit.most, sandbox.backend.old_edit_limit.window
    message = await lobby.send("a board")
    path = f"/channels/{lobby.id}/messages/{message.id}"
    for _ in range(most + 2):
        assert (await api("PATCH", path, {"content": "young"})).status == 200
    sandbox.advance(HOUR + 1)
    for _ in range(most):
        assert (await api("PATCH", path, {"content": "old"})).status == 200
    refused = await api("PATCH", path, {"content": "too old"})
    assert (refused.status, refused.code) == (429, 30046)
    assert 0 < refused.body["retry_after"] <= window
    fresh = await lobby.send("another")
    assert (await api("PATCH", f"/channels/{lobby.id}/messages/{fresh.id}", {"content": "x"})).status == 200
    sandbox.advance(window)
    assert (await api("PATCH", path, {"content": "once more"})).status == 200


async def test_slow_mode_holds_people_and_no_bots(sandbox: Sandbox, lobby: discord.TextChannel) -> None:
    bob, alice, channel = sandbox.user("Bob"), sandbox.user("Alice"), sandbox.channel("lobby")
    channel.record.slow_mode = 10
    bob.say(channel, "one")
    with pytest.raises(Refused, match="20016"):
        bob.say(channel, "two")
    alice.say(channel, "the owner")
    alice.say(channel, "is not held")
    await lobby.send("nor is")
    await lobby.send("a bot")
    sandbox.advance(10)
    bob.say(channel, "three")
    channel.allow(Permission.BYPASS_SLOWMODE, member=bob)
    bob.say(channel, "four")


async def test_a_timed_out_person_only_reads(sandbox: Sandbox, lobby: discord.TextChannel) -> None:
    bob, channel = sandbox.user("Bob"), sandbox.channel("lobby")
    allow_bot(sandbox, Permission.MODERATE_MEMBERS)
    member = await lobby.guild.fetch_member(bob.id)
    await member.timeout(discord.utils.utcnow() + dt.timedelta(minutes=5))
    await lobby.send("hello")
    assert [each.text for each in channel.seen_by(bob)] == ["hello"]
    assert bob.commands(channel) == []
    with pytest.raises(Refused):
        bob.say(channel, "x")
    sandbox.advance(301)
    bob.say(channel, "back")


async def test_roles_and_everyone_are_pinged_with_permission(sandbox: Sandbox, api: Api) -> None:
    server, lobby = sandbox.server(), sandbox.channel("lobby")
    allow_bot(sandbox, Permission.MANAGE_ROLES)
    role = (await api("POST", f"/guilds/{server.id}/roles", {"name": "dealers"})).body
    path, text = f"/channels/{lobby.id}/messages", {"content": f"<@&{role['id']}> @everyone"}
    loud = (await api("POST", path, text)).body
    assert (loud["mention_roles"], loud["mention_everyone"]) == ([role["id"]], True)
    lobby.deny(Permission.MENTION_EVERYONE)
    quiet = (await api("POST", path, text)).body
    assert (quiet["mention_roles"], quiet["mention_everyone"]) == ([], False)
    await api("PATCH", f"/guilds/{server.id}/roles/{role['id']}", {"mentionable": True})
    assert (await api("POST", path, text)).body["mention_roles"] == [role["id"]]


async def test_crossposts(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    allow_bot(sandbox, Permission.MANAGE_CHANNELS)
    message = await lobby.send("news")
    path = f"/channels/{lobby.id}/messages/{message.id}/crosspost"
    assert (await api("POST", path)).code == 50024
    assert (await api("PATCH", f"/channels/{lobby.id}", {"type": 5})).body["type"] == 5
    assert (await api("POST", path)).body["flags"] == 1
    assert (await api("POST", path)).code == 40033


async def test_others_messages_are_not_the_bots_to_edit(sandbox: Sandbox, api: Api) -> None:
    allow_bot(sandbox, Permission.MANAGE_MESSAGES)
    said = sandbox.user("Bob").say(sandbox.channel("lobby"), "mine")
    path = f"/channels/{said.channel_id}/messages/{said.id}"
    assert (await api("PATCH", path, {"content": "x"})).code == 50005
    assert (await api("PATCH", path, {"flags": 4})).body["flags"] == 4
    assert (await api("DELETE", path)).status == 204


async def test_direct_messages(sandbox: Sandbox, bot: SampleBot, api: Api) -> None:
    bob = sandbox.user("Bob")
    person = await bot.fetch_user(bob.id)
    await person.send("psst")
    channel = bob.direct_messages
    bob.react(channel.last, "👍")
    assert (await api("GET", f"/channels/{channel.id}")).body["recipients"][0]["id"] == str(bob.id)
    assert (await api("POST", f"/channels/{channel.id}/messages/bulk-delete", {"messages": ["1", "2"]})).code == 50003
    bob.user.takes_direct_messages = False
    with pytest.raises(discord.Forbidden) as refused:
        await person.send("again")
    assert refused.value.code == 50007


async def test_a_file_may_have_10_mib_and_is_served_back(sandbox: Sandbox, lobby: discord.TextChannel) -> None:
    whole = bytes(10 * 1024 * 1024)
    sent = await lobby.send(file=discord.File(io.BytesIO(whole), "deal.bin", description="a deal"))
    (attachment,) = sent.attachments
    assert (attachment.size, attachment.description) == (len(whole), "a deal")
    async with aiohttp.ClientSession() as session, session.get(attachment.url) as response:
        assert await response.read() == whole
    with pytest.raises(discord.HTTPException) as refused:
        await lobby.send(file=discord.File(io.BytesIO(whole + b"x"), "deal.bin"))
    assert (refused.value.status, refused.value.code) == (413, 40005)
