"""Challenges: sent, accepted, declined, taken back, lapsed, and everything that speaks against one."""

from __future__ import annotations

import re

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import Permission, Sandbox
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import behind_more, challenge, press_where_it_is

say = translations("en")


async def test_a_challenge_pings_only_the_challenged_and_says_what_is_asked(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob, clock="blitz")
    assert asked.visibility == "public"
    assert asked.message.mentions == [bob.id]
    assert "blitz, 30 seconds" in asked.text

    async def placed() -> bool:
        (invitation,) = await room.store.open_invitations()
        return invitation.message_id == asked.message.id

    await eventually(placed)
    (invitation,) = await room.store.open_invitations()
    assert invitation.expires_at - invitation.created_at == 15 * 60 * 1000
    assert asked.message.labels == ["Accept", "Decline", "More…"]
    for_all, carol = ["Rules", "Proof"], sandbox.user("Carol")
    assert (await behind_more(alice, asked.message)).labels == [*for_all, "Reliability", "Take back"]
    assert (await behind_more(bob, asked.message)).labels == [*for_all, "Reliability", "Decline for good"]
    assert (await behind_more(carol, asked.message)).labels == for_all


async def test_a_slow_clock_gives_a_day_to_answer(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await alice.slash(lobby, "haymaker challenge", opponent=bob, clock="daily")
    (invitation,) = await room.store.open_invitations()
    assert invitation.expires_at - invitation.created_at == 24 * 3600 * 1000


async def test_the_challenge_shows_the_seal_and_proof_has_it_from_the_matchs_first_moment_on(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    seal = asked.text.splitlines()[-1]
    assert re.fullmatch(r"-# Deal [a-z2-9]{10} · [A-Z2-7]{20}", seal)
    accepted = await bob.press(asked.message, label="Accept")
    assert accepted.kind == "update"
    assert seal not in accepted.text
    proof = (await press_where_it_is(alice, accepted.message, "Proof")).text
    deal, short = re.findall(r"Deal (\w+) · (\w+)", seal)[0]
    assert f"Deal: `{deal}`" in proof
    assert f"in short `{short}`" in proof
    assert accepted.message == asked.message
    assert accepted.message.labels == ["My cards", "Open piles", "Rules", "More…"]
    more = await bob.press(asked.message, label="More…")
    assert more.message.labels == ["Proof", "Show the table", "Bring the board down", "Call off", "Resign"]
    assert len(lobby.messages) == 1


async def test_only_the_challenged_accepts_and_only_the_challenger_cancels(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.user("Carol")
    asked = await alice.slash(sandbox.channel("lobby"), "haymaker challenge", opponent=bob)
    for person, label, key in [
        (carol, "Accept", "challenge.not_yours"),
        (carol, "Decline", "challenge.not_yours"),
        (alice, "Accept", "challenge.own_accept"),
        (alice, "Decline", "challenge.decline_not_yours"),
    ]:
        reply = await person.press(asked.message, label=label)
        assert (reply.visibility, reply.text) == ("ephemeral", say(key))
    take_back = (await behind_more(alice, asked.message)).button("Take back").custom_id
    for person, key in ((carol, "challenge.not_yours"), (bob, "challenge.cancel_not_yours")):
        for message in (asked.message, await behind_more(person, asked.message)):
            reply = await person.press(message, custom_id=take_back, force=True)
            assert (reply.visibility, reply.text) == ("ephemeral", say(key))
    assert len(await room.store.open_invitations()) == 1


@pytest.mark.parametrize(
    ("who", "label", "key"), [("Bob", "Decline", "challenge.declined"), ("Alice", "Take back", "challenge.cancelled")]
)
async def test_a_challenge_turned_down_says_so_and_stays_closed(
    sandbox: Sandbox, room: Cardroom, who: str, label: str, key: str
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    old = asked.message.button("Accept").custom_id
    reply = await press_where_it_is(sandbox.user(who), asked.message, label)
    told = say(key, host="Alice", guest="Bob", game="Haymaker")
    assert told in reply.text
    await sandbox.wait_for(lambda: told in asked.message.text)
    assert asked.message.labels == []
    late = await bob.press(asked.message, custom_id=old, force=True)
    assert say(key, host="Alice", guest="Bob", game="Haymaker") in late.text
    assert await room.store.open_invitations() == []
    assert not list(room.app.matches.live())


async def test_accepting_twice_deals_once(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    asked = await alice.slash(sandbox.channel("lobby"), "haymaker challenge", opponent=bob)
    accept = asked.message.button("Accept").custom_id
    await bob.press(asked.message, custom_id=accept)
    again = await bob.press(asked.message, custom_id=accept, force=True)
    assert (again.visibility, again.text) == ("ephemeral", say("challenge.accepted_already"))
    assert len(list(room.app.matches.live())) == 1


async def test_a_challenge_lapses_on_its_own(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    asked = await alice.slash(sandbox.channel("lobby"), "haymaker challenge", opponent=bob)

    async def placed() -> bool:
        return (await room.store.open_invitations())[0].message_id is not None

    await eventually(placed)
    room.pass_time(15 * 60)
    await sandbox.wait_for(lambda: not asked.message.labels)
    assert say("challenge.expired", host="Alice", guest="Bob", game="Haymaker") in asked.message.text
    assert await room.store.open_invitations() == []


async def test_who_cannot_be_challenged_is_named_privately(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    themselves = await alice.slash(lobby, "haymaker challenge", opponent=alice)
    assert (themselves.visibility, themselves.text) == ("ephemeral", say("challenge.yourself"))
    the_bot = await alice.slash(lobby, "haymaker challenge", opponent=str(sandbox.world.application.bot.id))
    assert (the_bot.visibility, the_bot.text) == ("ephemeral", say("challenge.this_bot"))
    sandbox.remove_member(bob)
    absent = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert (absent.visibility, absent.text) == ("ephemeral", say("challenge.absent"))
    assert lobby.messages == []


async def test_the_same_challenge_twice_and_too_many_are_refused(sandbox: Sandbox, room: Cardroom) -> None:
    alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
    others = [sandbox.user(name) for name in ("Bob", "Carol", "Dave", "Erin", "Frank")]
    for other in others:
        assert (await alice.slash(lobby, "haymaker challenge", opponent=other)).visibility == "public"
    again = await alice.slash(lobby, "haymaker challenge", opponent=others[0])
    assert again.text == say("challenge.already_open")
    await others[0].press(lobby.messages[0], label="Decline")
    assert (await alice.slash(lobby, "haymaker challenge", opponent=others[0])).visibility == "public"
    sandbox.add_member(sandbox.user("Frank"))
    one_more = await alice.slash(lobby, "haymaker challenge", opponent=others[0])
    assert one_more.text == say("challenge.already_open")


async def test_a_missing_permission_is_named_privately(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    lobby.deny(Permission.READ_MESSAGE_HISTORY)
    reply = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert (reply.visibility, reply.text) == ("ephemeral", say("place.permission", missing="Read Message History"))
    assert await room.store.open_invitations() == []


async def test_three_people_may_hold_matches_side_by_side(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol, lobby = (
        sandbox.user("Alice"),
        sandbox.user("Bob"),
        sandbox.user("Carol"),
        sandbox.channel("lobby"),
    )
    first = await challenge(alice, bob, lobby)
    second = await challenge(carol, alice, lobby)
    assert first != second
    assert len(room.app.matches.of_player(alice.id, lobby.server_id or 0)) == 2
