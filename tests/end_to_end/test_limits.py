"""How much may be open at once: each limit when an invitation is made and when its match would begin."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.play.limits import MOST_ASKED
from bot.ui import isolation
from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Reply, Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import challenge, chooser, sit_down
from tests.faults.test_store import read_only

say = translations("en")

NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")


def people(sandbox: Sandbox) -> list[Person]:
    return [sandbox.user(name) for name in NAMES]


def told(reply: Reply, key: str, **values: object) -> bool:
    """Whether a reply is this sentence and nothing else, for its reader alone."""
    return (reply.kind, reply.visibility, reply.text) == ("message", "ephemeral", say(key, **values))


async def resign(person: Person, board: MessageView) -> None:
    asked = await person.press(board, label="Resign")
    assert not (await person.press(asked.message, label="Resign")).failed


# ---------------------------------------------------------------------------------------- when it is made


@pytest.mark.parametrize(
    ("limit", "key", "elsewhere"),
    [
        ("MATCHES_PER_PLAYER", "challenge.too_many_matches", False),
        ("MATCHES_PER_CHANNEL", "limit.channel_matches", True),
        ("MATCHES_PER_SERVER", "limit.server_matches", False),
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


async def test_who_is_asked_by_too_many_is_asked_by_no_more(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, carol, dave, erin, _ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_INVITATIONS_RECEIVED="2") as room:
        first = await alice.slash(lobby, "haymaker challenge", opponent=bob)
        await carol.slash(lobby, "haymaker challenge", opponent=bob)
        refused = await dave.slash(lobby, "haymaker challenge", opponent=bob)
        assert told(refused, "limit.received", player=isolation.mention(bob.id), limit=2)
        assert refused.message.mentions == []
        panel = await dave.context_menu(lobby, "Challenge…", bob)
        assert told(
            await dave.press(panel.message, label=say("panel.send")),
            "limit.received",
            player=isolation.mention(bob.id),
            limit=2,
        )
        table = (await dave.slash(lobby, "haymaker open", private=True)).message
        ask = chooser(table, "ask").custom_id
        assert told(
            await dave.select(table, custom_id=ask, values=[str(bob.id)]),
            "limit.received",
            player=isolation.mention(bob.id),
            limit=2,
        )
        assert (await dave.slash(lobby, "haymaker challenge", opponent=erin)).visibility == "public"
        assert len(room.app.invitations.of_player(bob.id, lobby.server_id or 0)) == 2
        await bob.press(first.message, label="Decline")
        assert (await dave.select(table, custom_id=ask, values=[str(bob.id)])).kind == "update"
        assert told(
            await erin.slash(lobby, "haymaker challenge", opponent=bob),
            "limit.received",
            player=isolation.mention(bob.id),
            limit=2,
        )
        await bob.press(table, label="Join")
        assert (await erin.slash(lobby, "haymaker challenge", opponent=bob)).visibility == "public"


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
        await alice.press(taken_back, label="Cancel")
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
        ask = chooser(table, "ask")
        guests = [str(sandbox.user(name).id) for name in names]
        for start in range(0, MOST_ASKED, 5):
            asked = await alice.select(table, custom_id=ask.custom_id, values=guests[start : start + 5])
            assert asked.kind == "update"
        assert all(f"<@{guest}>" in table.text for guest in guests[:MOST_ASKED])
        refused = await alice.select(table, custom_id=ask.custom_id, values=guests[MOST_ASKED:])
        assert told(refused, "limit.asked", limit=MOST_ASKED)
        assert len(room.app.invitations.open()[0].invited) == MOST_ASKED


# ---------------------------------------------------------------------------------------- when the match would begin


@pytest.mark.parametrize(
    ("limit", "key"),
    [("MATCHES_PER_CHANNEL", "limit.channel_matches"), ("MATCHES_PER_SERVER", "limit.server_matches")],
)
async def test_a_challenge_waits_until_there_is_room(sandbox: Sandbox, tmp_path: Path, limit: str, key: str) -> None:
    alice, bob, carol, dave, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    settings: dict[str, Any] = {f"CARDROOM_MAX_{limit}": "1"}
    async with cardroom(sandbox, tmp_path, **settings) as room:
        waiting = (await carol.slash(lobby, "haymaker challenge", opponent=dave)).message
        board = await challenge(alice, bob, lobby)
        assert told(await dave.press(waiting, label="Accept"), key, limit=1)
        assert waiting.labels == ["Accept", "Decline", "Cancel", "Rules", "Proof", "Reliability"]
        assert len(await room.store.open_invitations()) == 1
        await resign(alice, board)
        assert not (await dave.press(waiting, label="Accept")).failed
        assert waiting.labels[0] == "My cards"


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
            await dave.press(table, label="Start"), "limit.player_matches", player=isolation.mention(alice.id), limit=1
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
    alice, bob, carol, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_CHANNEL="1") as room:
        board = await challenge(alice, bob, lobby)
        await resign(alice, board)
        await sandbox.wait_for(lambda: "Rematch" in board.labels)
        again = (await alice.press(board, label="Rematch")).message
        await sit_down([carol, alice], lobby, "haymaker")
        assert told(await bob.press(again, label="Accept"), "limit.channel_matches", limit=1)
        assert told(await bob.press(board, label="Rematch"), "limit.channel_matches", limit=1)
        assert len(list(room.app.matches.live())) == 1


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
        replies = await asyncio.gather(
            alice.select(table, custom_id=chooser(table, "ask").custom_id, values=[str(bob.id)]),
            carol.slash(lobby, "haymaker challenge", opponent=bob),
        )
        assert sum(told(reply, "limit.received", player=isolation.mention(bob.id), limit=1) for reply in replies) == 1
        assert sum(bob.id in each.invited for each in await room.store.open_invitations()) == 1


async def test_challenges_accepted_at_once_do_not_pass_a_limit_together(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, *others = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_MATCHES_PER_CHANNEL="2") as room:
        asked = [(await alice.slash(lobby, "haymaker challenge", opponent=other)).message for other in others]
        replies = await asyncio.gather(
            *(other.press(message, label="Accept") for other, message in zip(others, asked, strict=True))
        )
        assert sum(reply.kind == "update" for reply in replies) == 2
        assert sum(told(reply, "limit.channel_matches", limit=2) for reply in replies) == 3
        assert len(await room.store.live_matches()) == 2
        assert len(await room.store.open_invitations()) == 3


async def test_a_challenge_that_was_not_saved_counts_towards_no_limit(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, *_ = people(sandbox)
    lobby = sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_MAX_INVITATIONS_PER_PLAYER="1") as room:
        await alice.slash(lobby, "haymaker rules")
        async with read_only(room):
            assert told(await alice.slash(lobby, "haymaker open"), "store.unsaved")
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
        assert told(await bob.slash(lobby, "haymaker open"), "limit.channel_matches", limit=1)
        assert told(await carol.slash(sandbox.channel("games"), "haymaker open"), "challenge.too_many", limit=1)
