"""A server's week, as its owner and its members see it: where the owner wishes, silent, and gone when they say so."""

from __future__ import annotations

import asyncio

import pytest

from bot.play.computers import seats
from bot.play.server_settings import FIRST_ROLE, WEEK
from bot.scheduler import DAY
from bot.ui.catalogue import translations
from cogs.leaderboards.queries import LeaderboardQueries
from cogs.server_week.posts import LOOKS_EVERY
from cogs.updates.channel_messages import NotTaken
from cogs.updates.server_roles import ServerRoles
from discord_sandbox import Permission, Role, Sandbox
from tests.end_to_end.cardroom import Cardroom, to_noon
from tests.end_to_end.test_daily import finish
from tests.end_to_end.test_settings import choose, opened
from tests.end_to_end.test_tournaments import opened as tournament_opened

say = translations("en")
SILENT = 1 << 12
"""The flag SUPPRESS_NOTIFICATIONS (https://discord.com/developers/docs/resources/message#message-object-message-flags)."""
FIRST, POWERFUL = 501, 502


@pytest.fixture(autouse=True)
def quick_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers don't wait before they act."""
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 0.0)


async def looked(room: Cardroom, seconds: float = LOOKS_EVERY) -> None:
    """Let time pass, once the last look is over, until the next one."""
    await asyncio.sleep(5)
    room.pass_time(seconds)


async def test_the_week_is_posted_where_the_owner_wishes_and_only_there(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    to_noon(room)
    await finish(room, alice, lobby)
    await looked(room)
    assert games.messages == []
    told = await choose(alice, await opened(alice, lobby), "week", str(games.id))
    assert say("settings.saved") in told
    await looked(room)
    await sandbox.wait_for(lambda: len(games.messages) == 1)
    (daily,) = games.messages
    assert daily.flags & SILENT
    assert "Alice" not in daily.text, "today's deal is closed"
    await looked(room, DAY / 1000)
    await sandbox.wait_for(lambda: "Alice" in games.messages[0].text)
    assert [each.id for each in games.messages] == [daily.id], "it is edited"
    assert say("daily.channel_yesterday") in games.messages[0].text
    private = await bob.press(games.messages[0], label=say("button.daily"))
    assert private.visibility == "ephemeral"
    await LeaderboardQueries(room.store).set_hidden(games.server_id or 0, alice.id, hidden=True)
    await looked(room)
    await sandbox.wait_for(lambda: "Alice" not in games.messages[0].text)

    await tournament_opened(sandbox, alice, lobby)
    await looked(room)
    await sandbox.wait_for(lambda: len(games.messages) == 2)
    cups = games.last
    assert cups.flags & SILENT
    assert f"/{lobby.id}/" in cups.text
    own = await bob.press(cups, label=say("button.own_tournament"))
    assert (own.visibility, own.failed) == ("ephemeral", False)

    await choose(alice, await opened(alice, lobby), "week")
    await looked(room)
    await sandbox.wait_for(lambda: games.messages == [])


async def test_the_role_of_the_first_is_one_without_power_that_the_bot_may_give(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    server = sandbox.server()
    server.roles[FIRST] = Role(FIRST, "First", 0, 1)
    server.roles[POWERFUL] = Role(POWERFUL, "Moderator", int(Permission.MANAGE_MESSAGES), 1)
    told = await choose(alice, await opened(alice, lobby), "firstrole", str(POWERFUL))
    assert say("settings.role_not_harmless") in told
    told = await choose(alice, await opened(alice, lobby), "firstrole", str(FIRST))
    assert say("settings.saved") in told
    assert room.app.server_settings.of(server.id).first_role == (FIRST,)
    changes = [each.name for each in await room.store.setting_changes(server.id)]
    assert (FIRST_ROLE in changes, WEEK in changes) == (True, False)

    roles = ServerRoles(room.client)
    with pytest.raises(NotTaken) as refused:
        await roles.give(server.id, bob.id, FIRST)
    assert not refused.value.may_pass
    (own,) = (each for each in server.roles.values() if each.managed_by is not None)
    own.permissions |= Permission.MANAGE_ROLES
    own.position = 2
    await roles.give(server.id, bob.id, FIRST)
    assert FIRST in server.members[bob.id].role_ids
    await roles.take(server.id, bob.id, FIRST)
    assert FIRST not in server.members[bob.id].role_ids
