"""Threads: begun, joined, archived, locked, listed; and what may not be done in an archived one."""

from __future__ import annotations

import discord
import pytest

from discord_sandbox import Permission, Refused, Sandbox
from tests.conftest import Api, allow_bot
from tests.sample_bot import SampleBot

HOUR = 3600.0


@pytest.fixture
async def lobby(sandbox: Sandbox, bot: SampleBot) -> discord.TextChannel:
    found = bot.get_channel(sandbox.channel("lobby").id)
    assert isinstance(found, discord.TextChannel)
    return found


async def test_a_thread_hangs_on_its_message(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    message = await lobby.send("a board")
    thread = await message.create_thread(name="match 1", auto_archive_duration=60)
    assert (thread.id, thread.parent_id, thread.name) == (message.id, lobby.id, "match 1")
    assert (thread.type, thread.auto_archive_duration) == (discord.ChannelType.public_thread, 60)
    await thread.send("a move")
    (below,) = sandbox.channel("lobby").threads
    assert [each.content for each in below.messages][-1:] == ["a move"]
    seen = await api("GET", f"/channels/{lobby.id}/messages/{message.id}")
    assert seen.body["thread"]["id"] == str(thread.id)
    again = await api("POST", f"/channels/{lobby.id}/messages/{message.id}/threads", {"name": "x"})
    assert (again.status, again.code) == (400, 160004)


async def test_a_thread_without_a_message_is_told_of_in_its_channel(
    sandbox: Sandbox, lobby: discord.TextChannel, bot: SampleBot
) -> None:
    thread = await lobby.create_thread(name="talk", type=discord.ChannelType.public_thread)
    assert sandbox.channel("lobby").last.raw["type"] == 18
    await sandbox.wait_for(lambda: lobby.get_thread(thread.id))
    fetched = await bot.fetch_channel(thread.id)
    assert isinstance(fetched, discord.Thread)
    assert (fetched.owner_id, fetched.archived, fetched.locked) == (bot.user and bot.user.id, False, False)


async def test_a_private_thread_is_for_those_in_it(sandbox: Sandbox, lobby: discord.TextChannel) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    thread = await lobby.create_thread(name="secret", invitable=False)
    assert thread.type == discord.ChannelType.private_thread
    (below,) = sandbox.channel("lobby").threads
    await thread.send("psst")
    assert below.seen_by(bob) == []
    await thread.add_user(discord.Object(bob.id))
    assert [each.content for each in below.seen_by(bob)] == ["psst"]
    assert below.seen_by(sandbox.user("Carol")) == []
    assert [each.content for each in below.seen_by(alice)] == ["psst"]  # the owner manages threads
    await thread.remove_user(discord.Object(bob.id))
    assert below.seen_by(bob) == []


async def test_members_are_listed(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    thread = await lobby.create_thread(name="talk", type=discord.ChannelType.public_thread)
    bob = sandbox.user("Bob")
    bob.say(sandbox.channel("lobby").threads[0], "hello")
    path = f"/channels/{thread.id}/thread-members"
    assert (await api("GET", path)).code == 50001  # without the members intent
    sandbox.world.application.allowed_intents |= 1 << 1
    listed = await api("GET", path + "?with_member=true")
    assert {each["user_id"] for each in listed.body} == {str(bob.id), str(sandbox.world.application.bot.id)}
    assert all(each["member"]["user"]["id"] == each["user_id"] for each in listed.body)
    assert (await api("GET", f"{path}/{bob.id}")).body["user_id"] == str(bob.id)
    assert (await api("GET", f"{path}/{sandbox.user('Dave').id}")).code == 10007
    await thread.leave()
    assert (await api("GET", f"{path}/@me")).code == 10007
    await thread.join()
    assert (await api("GET", f"{path}/@me")).status == 200


async def test_stillness_archives_and_a_message_takes_it_out_again(
    sandbox: Sandbox, lobby: discord.TextChannel
) -> None:
    thread = await lobby.create_thread(name="talk", type=discord.ChannelType.public_thread, auto_archive_duration=60)
    (below,) = sandbox.channel("lobby").threads
    sandbox.advance(0.9 * HOUR)
    await thread.send("still here")
    sandbox.advance(0.9 * HOUR)
    await sandbox.wait_for(lambda: True)
    assert not below.archived
    sandbox.advance(0.2 * HOUR)
    await sandbox.wait_for(lambda: below.archived)
    await sandbox.wait_for(lambda: lobby.get_thread(thread.id) is None or thread.archived)
    await thread.send("awake")
    assert not below.archived


async def test_an_archived_thread_keeps_still(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    thread = await lobby.create_thread(name="talk", type=discord.ChannelType.public_thread)
    sent = await thread.send("a board")
    await thread.edit(archived=True)
    message = f"/channels/{thread.id}/messages/{sent.id}"
    for method, path, body in (
        ("PATCH", message, {"content": "x"}),
        ("DELETE", message, None),
        ("PUT", message + "/reactions/%F0%9F%91%8D/@me", None),
        ("PUT", f"/channels/{thread.id}/pins/{sent.id}", None),
        ("PATCH", f"/channels/{thread.id}", {"name": "x"}),
        ("PUT", f"/channels/{thread.id}/thread-members/@me", None),
    ):
        allow_bot(sandbox, Permission.PIN_MESSAGES)
        refused = await api(method, path, body)
        assert (refused.status, refused.code) == (400, 50083), (method, path)
    taken_out = await api("PATCH", f"/channels/{thread.id}", {"archived": False})
    assert taken_out.body["thread_metadata"]["archived"] is False
    assert (await api("PATCH", message, {"content": "x"})).status == 200


async def test_a_locked_thread_is_for_moderators(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    thread = await lobby.create_thread(name="talk", type=discord.ChannelType.public_thread)
    (below,) = sandbox.channel("lobby").threads
    below.archive(locked=True)
    path = f"/channels/{thread.id}"
    assert (await api("POST", path + "/messages", {"content": "x"})).code == 50083
    assert (await api("PATCH", path, {"archived": False})).code == 50013
    with pytest.raises(Refused):
        sandbox.user("Bob").say(below, "x")
    below.record.as_thread.archived = False
    assert (await api("POST", path + "/messages", {"content": "x"})).code == 160005
    allow_bot(sandbox, Permission.MANAGE_THREADS)
    assert (await api("POST", path + "/messages", {"content": "x"})).status == 200
    assert (await api("PATCH", path, {"locked": False})).status == 200
    assert (await api("DELETE", path)).status == 200
    assert sandbox.channel("lobby").threads == []


async def test_lists_of_threads(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    allow_bot(sandbox, Permission.MANAGE_THREADS)
    public = [await lobby.create_thread(name=str(n), type=discord.ChannelType.public_thread) for n in range(3)]
    private = await lobby.create_thread(name="private", type=discord.ChannelType.private_thread)
    active = await lobby.guild.active_threads()
    assert {each.id for each in active} == {each.id for each in (*public, private)}
    for each in (*public, private):
        sandbox.advance(1)
        await each.edit(archived=True)
    assert await lobby.guild.active_threads() == []
    assert [each.name async for each in lobby.archived_threads()] == ["2", "1", "0"]
    assert [each.name async for each in lobby.archived_threads(private=True)] == ["private"]
    assert [each.name async for each in lobby.archived_threads(private=True, joined=True)] == ["private"]
    page = await api("GET", f"/channels/{lobby.id}/threads/archived/public?limit=2")
    assert (len(page.body["threads"]), page.body["has_more"]) == (2, True)


async def test_permissions_come_from_the_parent(sandbox: Sandbox, lobby: discord.TextChannel, api: Api) -> None:
    thread = await lobby.create_thread(name="talk", type=discord.ChannelType.public_thread)
    sandbox.channel("lobby").deny(Permission.SEND_MESSAGES)
    path = f"/channels/{thread.id}/messages"
    assert (await api("POST", path, {"content": "x"})).status == 200
    sandbox.channel("lobby").deny(Permission.SEND_MESSAGES_IN_THREADS)
    assert (await api("POST", path, {"content": "x"})).code == 50013
    sandbox.channel("lobby").deny(Permission.CREATE_PUBLIC_THREADS, Permission.CREATE_PRIVATE_THREADS)
    for kind in (11, 12):
        refused = await api("POST", f"/channels/{lobby.id}/threads", {"name": "x", "type": kind})
        assert refused.code == 50013
    sandbox.channel("lobby").deny(Permission.VIEW_CHANNEL)
    assert (await api("GET", f"/channels/{thread.id}")).code == 50001


async def test_threads_begin_where_they_may(sandbox: Sandbox, bot: SampleBot, api: Api) -> None:
    allow_bot(sandbox, Permission.MANAGE_CHANNELS)
    guild = bot.get_guild(sandbox.server().id)
    assert guild is not None
    voice = await guild.create_voice_channel("Talk")
    assert (await api("POST", f"/channels/{voice.id}/threads", {"name": "x"})).code == 50024
    lobby = sandbox.channel("lobby")
    assert (await api("POST", f"/channels/{lobby.id}/threads", {"name": "x", "type": 10})).code == 50024
    wrong = await api("POST", f"/channels/{lobby.id}/threads", {"name": "", "auto_archive_duration": 61})
    assert wrong.faults("auto_archive_duration") == ["BASE_TYPE_CHOICES"]
    assert wrong.faults("name") == ["BASE_TYPE_REQUIRED"]


async def test_a_forum_holds_posts(sandbox: Sandbox, bot: SampleBot) -> None:
    allow_bot(sandbox, Permission.MANAGE_CHANNELS)
    guild = bot.get_guild(sandbox.server().id)
    assert guild is not None
    tag = discord.ForumTag(name="fun")
    forum = await guild.create_forum("posts", available_tags=[tag])
    made = await forum.create_thread(name="first", content="hello", applied_tags=forum.available_tags)
    assert made.thread.id == made.message.id
    assert made.message.content == "hello"
    assert [each.name for each in made.thread.applied_tags] == ["fun"]
    with pytest.raises(discord.HTTPException) as refused:
        await forum.create_thread(name="empty", content="")
    assert refused.value.code == 50006
    assert len(sandbox.channel("posts").threads) == 1


async def test_commands_and_buttons_work_in_threads(sandbox: Sandbox, lobby: discord.TextChannel) -> None:
    await lobby.create_thread(name="talk", type=discord.ChannelType.public_thread)
    (below,) = sandbox.channel("lobby").threads
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    offer = (await alice.slash(below, "game start", opponent=bob)).message
    below.archive()
    reply = await bob.press(offer, label="Accept")
    assert (reply.kind, below.archived) == ("update", False)  # the client takes the thread out first
    again = (await alice.slash(below, "game start", opponent=bob)).message
    below.archive(locked=True)
    with pytest.raises(Refused):
        await bob.press(again, label="Accept")


async def test_a_mention_brings_a_person_in(sandbox: Sandbox, lobby: discord.TextChannel) -> None:
    thread = await lobby.create_thread(name="secret", type=discord.ChannelType.private_thread)
    bob = sandbox.user("Bob")
    await thread.send(bob.mention, allowed_mentions=discord.AllowedMentions(users=True))
    assert bob.id in sandbox.channel("lobby").threads[0].record.as_thread.members


async def test_a_removed_channel_takes_its_threads_along(
    sandbox: Sandbox, lobby: discord.TextChannel, api: Api
) -> None:
    thread = await lobby.create_thread(name="talk", type=discord.ChannelType.public_thread)
    sandbox.delete_channel(sandbox.channel("lobby"))
    assert (await api("GET", f"/channels/{thread.id}")).code == 10003
