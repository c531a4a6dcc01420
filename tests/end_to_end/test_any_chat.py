"""The bot in any chat: people install it for themselves, and learn and play alone where it is no member."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.store.special_ids import direct_venue
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, Reply, Sandbox
from tests.end_to_end.cardroom import cardroom, eventually, to_noon
from tests.end_to_end.exports import exported
from tests.end_to_end.players import move, resign
from tests.end_to_end.practising import only_match, waits_for
from tests.end_to_end.test_announcing import announced

say = translations("en")
Chat = Callable[[Sandbox], DrivenChannel]


def offered(sandbox: Sandbox) -> dict[str, tuple[list[int], list[int]]]:
    """Who is offered each command, by its name: the types of installations, and the kinds of venues."""
    return {each["name"]: (each["integration_types"], each["contexts"]) for each in sandbox.commands()}


async def test_commands_are_offered_to_people_once_discord_allows_it(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with cardroom(sandbox, tmp_path):
        assert {tuple(types) for types, _ in offered(sandbox).values()} == {(0,)}
    sandbox.world.application.user_install = False
    with caplog.at_level(logging.WARNING, "bot.gateway.client"):
        async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL="on"):
            assert {tuple(types) for types, _ in offered(sandbox).values()} == {(0,)}
    (line,) = [each.getMessage() for each in caplog.records if each.name == "bot.gateway.client"]
    assert "allow User Install" in line
    sandbox.world.application.user_install = True
    before = announced(sandbox)
    for _ in range(2):
        async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL="on"):
            assert offered(sandbox)["learn"] == offered(sandbox)["haymaker"] == ([0, 1], [0, 1, 2])
            assert offered(sandbox)["settings"] == offered(sandbox)["tournament"] == ([0], [0])
            assert announced(sandbox) == before + 1


def direct_messages(sandbox: Sandbox) -> DrivenChannel:
    """Alice's and Bob's direct messages."""
    return sandbox.chat(sandbox.user("Alice"), sandbox.user("Bob"))


def foreign_server(sandbox: Sandbox) -> DrivenChannel:
    """A channel of a server that the bot isn't in."""
    sandbox.remove_bot()
    return sandbox.channel("lobby")


@pytest.mark.parametrize("venue", [direct_messages, foreign_server])
async def test_who_has_installed_it_learns_and_plays_alone_in_any_chat(
    sandbox: Sandbox, tmp_path: Path, venue: Chat
) -> None:
    alice, chat, rng = sandbox.user("Alice"), venue(sandbox), random.Random(3)
    alice.user.has_installed = True
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL="on") as room:
        to_noon(room)
        for command in ("help", "preferences", "history", "haymaker rules"):
            assert (await alice.slash(chat, command)).visibility == "ephemeral"
        lesson = await alice.slash(chat, "learn", game="haymaker")
        assert (lesson.visibility, say("button.learn_skip") in lesson.message.labels) == ("ephemeral", True)
        hand = (await alice.slash(chat, "haymaker practice")).message
        match = await only_match(room)
        assert (match.guild_id, match.has_board) == (direct_venue(alice.id), False)
        for _ in range(3):
            await eventually(lambda: waits_for(match, 0))
            await move(alice, hand, rng)
        listed = await alice.slash(chat, "games")
        opened = await alice.press(listed.message, label=say("games.practice_open", game="Haymaker"))
        assert say("hand.title", game="Haymaker") in opened.text
        await resign(alice, hand)
        assert match.over
        replay = await alice.slash(chat, "replay", code=match.id)
        assert (replay.visibility, "Haymaker" in replay.text) == ("ephemeral", True)
        daily = await alice.slash(chat, "daily", game="haymaker")
        assert say("hand.title", game="Haymaker") in daily.text
        weekly = await alice.slash(chat, "weekly", game="haymaker")
        assert say("hand.title", game="Haymaker") in weekly.text
        assert {each["id"] for each in (await exported(alice, chat))["matches"]} >= {match.id}
    assert chat.messages == []
    assert [each.path for each in sandbox.transcript.requests if f"/channels/{chat.id}" in each.path] == []


async def test_what_the_bot_would_have_to_post_is_refused_in_private(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    chat = sandbox.chat(alice, bob)
    alice.user.has_installed = True
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL="on"):
        assert (await alice.slash(alice.direct_messages, "tivmiv practice")).visibility == "public"
        lobby = foreign_server(sandbox)
        refused = await alice.slash(lobby, "tivmiv practice")
        assert _told(refused) == ("ephemeral", say("place.without_bot"))
        refused = await alice.slash(lobby, "haymaker challenge", opponent=bob)
        assert _told(refused) == ("ephemeral", say("place.practice_here", game="haymaker"))
        refused = await alice.slash(lobby, "ciq open")
        assert _told(refused) == ("ephemeral", say("place.practice_here", game="ciq"))
    assert chat.messages == lobby.messages == []


def _told(reply: Reply) -> tuple[str | None, str]:
    return reply.visibility, reply.text
