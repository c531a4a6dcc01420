"""How much may be open at once: each limit when an invitation is made and when its match would begin."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.budgets import MOST_ASKED
from bot.play.refusals import Refused
from bot.ui import isolation
from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Reply, Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import behind_more, challenge, chooser, press_where_it_is, sit_down
from tests.faults.test_store import read_only
from tests.wrapped_text import unwrapped

say = translations("en")

NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")


def people(sandbox: Sandbox) -> list[Person]:
    return [sandbox.user(name) for name in NAMES]


def told(reply: Reply, key: str, **values: object) -> bool:
    """Whether a reply is this sentence and nothing else, for its reader alone."""
    return (reply.kind, reply.visibility, reply.text) == ("message", "ephemeral", say(key, **values))


async def resign(person: Person, board: MessageView) -> None:
    asked = await press_where_it_is(person, board, "Resign")
    assert not (await press_where_it_is(person, asked.message, "Resign")).failed


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


async def test_nobody_keeps_others_from_asking_somebody(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, carol, dave, erin, _ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_INVITATIONS_RECEIVED="2") as room:
        first = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
        second = (await alice.slash(lobby, "unbreakable challenge", opponent=bob)).message
        refused = await alice.slash(lobby, "ciq challenge", opponent=bob)
        assert told(refused, "limit.received", player=isolation.mention(bob.id), limit=2)
        assert refused.message.mentions == []
        table = (await dave.slash(lobby, "haymaker open", private=True)).message
        hosts = await behind_more(dave, table)
        ask = chooser(hosts, "ask").custom_id
        assert (await dave.select(hosts, custom_id=ask, values=[str(bob.id)])).kind == "update"
        await sandbox.wait_for(lambda: first.labels == [])
        assert (await erin.slash(lobby, "haymaker challenge", opponent=bob)).visibility == "public"
        await sandbox.wait_for(lambda: table.labels == [] or second.labels == [])
        assert len(room.app.invitations.of_player(bob.id, lobby.server_id or 0)) == 2
        assert (await carol.slash(lobby, "haymaker challenge", opponent=erin)).visibility == "public"


async def test_after_some_unanswered_challenges_a_player_cannot_be_challenged_again_for_an_hour(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, carol, *_ = people(sandbox)
    lobby, second = sandbox.channel("lobby"), sandbox.channel("general", "Second Server")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_CHALLENGES_IN_VAIN="3") as room:
        declined = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
        await bob.press(declined, label="Decline")
        room.pass_time(1800)
        lapsing = (await alice.slash(lobby, "haymaker challenge", opponent=bob)).message
        await sandbox.wait_for(lambda: room.app.invitations.open()[0].message_id is not None)
        room.pass_time(900)
        await sandbox.wait_for(lambda: not lapsing.labels)
        taken_back = (await alice.slash(lobby, "unbreakable challenge", opponent=bob)).message
        await press_where_it_is(alice, taken_back, "Take back")
        refused = await alice.slash(lobby, "haymaker challenge", opponent=bob)
        assert told(refused, "limit.in_vain", player=isolation.mention(bob.id), limit=3)
        assert refused.message.mentions == []
        for host, guest, where in ((alice, carol, lobby), (bob, alice, lobby), (alice, bob, second)):
            assert (await host.slash(where, "haymaker challenge", opponent=guest)).visibility == "public"
        room.pass_time(901)
        assert (await alice.slash(lobby, "haymaker challenge", opponent=bob)).visibility == "public"


async def test_an_accepted_challenge_does_not_count_as_unanswered(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_CHALLENGES_IN_VAIN="1"):
        for _ in range(3):
            await resign(alice, await challenge(alice, bob, lobby))


async def test_a_table_asks_no_more_people_than_its_message_can_name(tmp_path: Path) -> None:
    names = [f"Guest {n}" for n in range(MOST_ASKED + 1)]
    plan = {
        "people": [{"name": "Alice"}, *({"name": name} for name in names)],
        "servers": [{"name": "Home", "channels": [{"name": "x"}]}],
    }
    async with Sandbox.running(plan) as sandbox, cardroom(sandbox, tmp_path) as room:
        alice, channel = sandbox.user("Alice"), sandbox.channel("x")
        table = (await alice.slash(channel, "champions open", private=True)).message
        hosts = await behind_more(alice, table)
        ask = chooser(hosts, "ask")
        guests = [str(sandbox.user(name).id) for name in names]
        for start in range(0, MOST_ASKED, 5):
            asked = await alice.select(hosts, custom_id=ask.custom_id, values=guests[start : start + 5])
            assert asked.kind == "update"
        await sandbox.wait_for(lambda: all(f"<@{guest}>" in table.text for guest in guests[:MOST_ASKED]))
        refused = await alice.select(hosts, custom_id=ask.custom_id, values=guests[MOST_ASKED:])
        assert told(refused, "limit.asked", limit=MOST_ASKED)
        assert len(room.app.invitations.open()[0].invited) == MOST_ASKED


# ---------------------------------------------------------------------------------------- when the match would begin


@pytest.mark.parametrize(
    ("limit", "key"),
    [("MATCHES_PER_CHANNEL", "limit.share"), ("MATCHES_PER_SERVER", "limit.server_matches")],
)
async def test_a_challenge_of_who_has_their_share_waits(sandbox: Sandbox, tmp_path: Path, limit: str, key: str) -> None:
    alice, bob, *_ = people(sandbox)
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    settings: dict[str, Any] = {f"CARDROOM_MAX_{limit}": "1"}
    async with cardroom(sandbox, tmp_path, **settings) as room:
        waiting = (await bob.slash(lobby, "unbreakable challenge", opponent=alice)).message
        board = await challenge(alice, bob, lobby)
        refused = await alice.press(waiting, label="Accept")
        assert say(key, player=isolation.mention(bob.id), limit=1) == refused.text
        assert waiting.labels == ["Accept", "Decline", "More…"]
        elsewhere = await bob.slash(games, "ciq challenge", opponent=alice)
        assert (elsewhere.visibility == "public") is (limit == "MATCHES_PER_CHANNEL")
        await resign(alice, board)
        assert not (await alice.press(waiting, label="Accept")).failed
        assert waiting.labels[0] == "My cards"
        assert len(list(room.app.matches.live())) == 1


@pytest.mark.parametrize("limit", ["MATCHES_PER_CHANNEL", "MATCHES_PER_SERVER"])
async def test_a_full_place_lets_newcomers_in_and_tells_the_players_of_the_match_that_gives_place(
    sandbox: Sandbox, tmp_path: Path, limit: str
) -> None:
    alice, bob, carol, dave, *_ = people(sandbox)
    lobby, games = sandbox.channel("lobby"), sandbox.channel("games")
    settings: dict[str, Any] = {f"CARDROOM_MAX_{limit}": "1"}
    async with cardroom(sandbox, tmp_path, **settings) as room:
        board = await challenge(alice, bob, lobby)
        hand = (await alice.press(board, label="My cards")).message
        begun = await challenge(carol, dave, lobby)
        await sandbox.wait_for(lambda: say("suspended.gave_place") in unwrapped(board.text))
        await sandbox.wait_for(lambda: hand.labels == ["Resume", "Resign"])
        await sandbox.wait_for(lambda: {alice.id, bob.id} in [set(each.mentions) for each in lobby.messages])
        assert "My cards" in begun.labels
        if limit == "MATCHES_PER_CHANNEL":
            listed = (await bob.slash(games, "games")).message
            await bob.press(listed, label="Resume: Haymaker, Alice")
            assert not any(match.suspended for match in room.app.matches.live())
        else:
            await alice.press(hand, label="Resume")
            await sandbox.wait_for(lambda: say("suspended.gave_place") in unwrapped(begun.text))


async def test_practice_has_a_limit_of_its_own(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_CHANNEL="3") as room:
        for _ in range(3):
            assert "More…" in (await alice.slash(lobby, "haymaker practice", level="easy")).message.labels
            await sandbox.wait_for(lambda: room.app.invitations.open() == ())
        assert told(await alice.slash(lobby, "haymaker practice", level="easy"), "limit.practice", limit=3)
        assert "My cards" in (await challenge(bob, alice, lobby)).labels, "practice takes no room from people"


async def test_no_match_begins_for_somebody_who_has_enough(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, carol, dave, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_PLAYER="1") as room:
        asked = [(await alice.slash(lobby, "haymaker challenge", opponent=guest)).message for guest in (bob, carol)]
        table = (await dave.slash(lobby, "haymaker open")).message
        await alice.press(table, label="Join")
        board = (await bob.press(asked[0], label="Accept")).message
        refused = await carol.press(asked[1], label="Accept")
        assert told(refused, "limit.player_matches", player=isolation.mention(alice.id), limit=1)
        assert refused.message.mentions == []
        assert told(
            await dave.press(table, label="Start"),
            "limit.player_matches",
            player=isolation.mention(alice.id),
            limit=1,
        )
        assert told(
            await bob.press((await carol.slash(lobby, "haymaker open")).message, label="Join"),
            "challenge.too_many_matches",
            limit=1,
        )
        assert len(list(room.app.matches.live())) == 1
        await resign(alice, board)
        assert not (await carol.press(asked[1], label="Accept")).failed


async def test_a_rematch_has_its_limits_too(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_CHANNEL="1") as room:
        board = await challenge(alice, bob, lobby)
        await resign(alice, board)
        await sandbox.wait_for(lambda: "Rematch" in board.labels)
        again = (await alice.press(board, label="Rematch")).message
        await sit_down([bob, alice], lobby, "haymaker")
        assert told(await bob.press(again, label="Accept"), "limit.share", player=isolation.mention(alice.id), limit=1)
        assert len(list(room.app.matches.live())) == 1


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


async def test_a_table_that_others_joined_says_that_it_was_cancelled(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, *_ = people(sandbox)
    async with cardroom(sandbox, tmp_path):
        table = (await alice.slash(sandbox.channel("lobby"), "champions open")).message
        await bob.press(table, label="Join")
        await press_where_it_is(alice, table, "Take back")
        await sandbox.wait_for(lambda: say("table.cancelled", game="Champions of Chance") in unwrapped(table.text))
        assert table.labels == []


# ---------------------------------------------------------------------------------------- at the same time


async def test_challenges_sent_at_once_do_not_pass_a_limit_together(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, *others = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_INVITATIONS_PER_PLAYER="2") as room:
        replies = await asyncio.gather(*(alice.slash(lobby, "haymaker challenge", opponent=other) for other in others))
        assert sum(reply.visibility == "public" for reply in replies) == 2
        assert sum(told(reply, "challenge.too_many", limit=2) for reply in replies) == 3
        assert len(await room.store.open_invitations()) == 2


async def test_a_person_asked_to_a_table_and_challenged_at_once_is_asked_once(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, carol, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_INVITATIONS_RECEIVED="1") as room:
        table = (await alice.slash(lobby, "haymaker open", private=True)).message
        hosts = await behind_more(alice, table)
        replies = await asyncio.gather(
            alice.select(hosts, custom_id=chooser(hosts, "ask").custom_id, values=[str(bob.id)]),
            carol.slash(lobby, "haymaker challenge", opponent=bob),
        )
        assert all(reply.visibility == "public" or reply.kind == "update" for reply in replies)
        assert sum(bob.id in each.invited for each in await room.store.open_invitations()) == 1


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


async def test_a_challenge_that_was_not_saved_counts_towards_no_limit(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_INVITATIONS_PER_PLAYER="1") as room:
        await alice.slash(lobby, "haymaker rules")
        async with read_only(room):
            refused = await alice.slash(lobby, "haymaker open")
            assert (refused.visibility, refused.text) == ("ephemeral", Refused("store.unsaved").told(say))
        assert room.app.invitations.open() == ()
        assert (await alice.slash(lobby, "haymaker challenge", opponent=bob)).visibility == "public"


async def test_limits_hold_after_a_restart(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, carol, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    settings: dict[str, Any] = {"CARDROOM_MAX_MATCHES_PER_CHANNEL": "1", "CARDROOM_MAX_INVITATIONS_PER_PLAYER": "1"}
    async with cardroom(sandbox, tmp_path, **settings):
        await challenge(alice, bob, lobby)
        await carol.slash(sandbox.channel("games"), "haymaker open")
    async with cardroom(sandbox, tmp_path, **settings):
        again = await bob.slash(lobby, "haymaker challenge", opponent=alice)
        assert told(again, "limit.share", player=isolation.mention(bob.id), limit=1)
        assert told(await carol.slash(sandbox.channel("games"), "haymaker open"), "challenge.too_many", limit=1)
