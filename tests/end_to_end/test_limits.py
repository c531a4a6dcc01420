"""How much may be open at once: each limit when an invitation is made and when its match would begin."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.ui import isolation
from bot.ui.catalogue import translations
from discord_sandbox import Person, Reply, Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import challenge, press_where_it_is
from tests.wrapped_text import unwrapped

say = translations("en")

NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")


def people(sandbox: Sandbox) -> list[Person]:
    return [sandbox.user(name) for name in NAMES]


def told(reply: Reply, key: str, **values: object) -> bool:
    """Whether a reply is this sentence and nothing else, for its reader alone."""
    return (reply.kind, reply.visibility, reply.text) == ("message", "ephemeral", say(key, **values))


# ---------------------------------------------------------------------------------------- when it is made


@pytest.mark.parametrize(
    ("limit", "key", "elsewhere"),
    [
        ("MATCHES_PER_PLAYER", "challenge.too_many_matches", False),
        ("INVITATIONS_PER_PLAYER", "challenge.too_many", False),
        ("INVITATIONS_PER_CHANNEL", "limit.channel_invitations", True),
        ("INVITATIONS_PER_SERVER", "limit.server_invitations", False),
    ],
)
async def test_no_invitation_is_made_past_a_limit(
    sandbox: Sandbox, tmp_path: Path, limit: str, key: str, elsewhere: bool
) -> None:
    alice, bob, carol, *_ = people(sandbox)
    lobby, games, second = (
        sandbox.channel("lobby"),
        sandbox.channel("games"),
        sandbox.channel("general", "Second Server"),
    )
    settings: dict[str, Any] = {f"CARDROOM_MAX_{limit}": "2"}
    async with cardroom(sandbox, tmp_path, **settings) as room:
        for guest in (bob, carol):
            if limit.startswith("MATCHES"):
                await challenge(alice, guest, lobby)
            else:
                await alice.slash(lobby, "haymaker challenge", opponent=guest)
        before = len(room.app.invitations.open())
        for command, options in [("unbreakable challenge", {"opponent": bob}), ("haymaker open", {})]:
            assert told(await alice.slash(lobby, command, **options), key, limit=2)
            assert len(room.app.invitations.open()) == before
            assert ((await alice.slash(games, command, **options)).visibility == "public") is elsewhere
            before = len(room.app.invitations.open())
            assert (await alice.slash(second, command, **options)).visibility == "public"
            before += 1
        assert len(await room.store.open_invitations()) == before


# ---------------------------------------------------------------------------------------- when the match would begin


async def test_a_full_place_lets_newcomers_in_and_tells_the_players_of_the_match_that_gives_place(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, carol, dave, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_SERVER="1"):
        board = await challenge(alice, bob, lobby)
        hand = (await alice.press(board, label="My cards")).message
        begun = await challenge(carol, dave, lobby)
        await sandbox.wait_for(lambda: say("suspended.gave_place") in unwrapped(board.text))
        await sandbox.wait_for(lambda: hand.labels == ["Resume", "Resign"])
        await sandbox.wait_for(lambda: {alice.id, bob.id} in [set(each.mentions) for each in lobby.messages])
        assert "My cards" in begun.labels
        await alice.press(hand, label="Resume")
        await sandbox.wait_for(lambda: say("suspended.gave_place") in unwrapped(begun.text))


# ---------------------------------------------------------------------------------------- what the bot posts for one


async def test_a_table_that_its_host_cancels_leaves_nothing_and_only_a_few_are_posted_a_minute(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_POSTS_PER_MINUTE="3"):
        for _ in range(3):
            table = (await alice.slash(lobby, "haymaker open")).message
            await press_where_it_is(alice, table, "Take back")
            await sandbox.wait_for(lambda: lobby.messages == [])
        for command in ("haymaker open", "tivmiv practice", "play"):
            refused = await alice.slash(lobby, command, **({"game": "haymaker"} if command == "play" else {}))
            assert refused.visibility == "ephemeral"
            assert say("post.too_many", limit=3, when="")[:40] in unwrapped(refused.text)
        assert lobby.messages == []
        assert (await bob.slash(lobby, "haymaker open")).visibility == "public"


# ---------------------------------------------------------------------------------------- at the same time


async def test_challenges_accepted_at_once_do_not_pass_a_limit_together(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, *others = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_CHANNEL="6") as room:
        asked = [(await alice.slash(lobby, "haymaker challenge", opponent=other)).message for other in others]
        replies = await asyncio.gather(
            *(other.press(message, label="Accept") for other, message in zip(others, asked, strict=True))
        )
        assert sum(reply.kind == "update" for reply in replies) == 2
        assert sum(told(reply, "limit.share", player=isolation.mention(alice.id), limit=2) for reply in replies) == 3
        assert len(await room.store.live_matches()) == 2
        assert len(await room.store.open_invitations()) == 3
