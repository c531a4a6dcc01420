"""Challenges: sent, accepted, declined, taken back, lapsed, and everything that speaks against one."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.store.errors import Busy
from bot.ui.catalogue import translations
from cogs.wording import Wording
from discord_sandbox import Permission, Sandbox
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import behind_more, press_where_it_is

say = translations("en")


async def test_a_challenge_shows_its_seal_says_what_is_asked_and_pings_only_the_challenged(
    sandbox: Sandbox, room: Cardroom
) -> None:
    # The challenge shows the seal and proof has it from the matchs first moment on.
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
    assert more.message.labels == ["Show the table", "Bring the board down", "Call off", "Resign", "Proof"]
    assert len(lobby.messages) == 1

    # A challenge pings only the challenged and says what is asked.
    await room.clear()
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

    # A missing permission is named privately.
    await room.clear()
    lobby.deny(Permission.READ_MESSAGE_HISTORY)
    reply = await alice.slash(lobby, "haymaker challenge", opponent=bob)
    assert (reply.visibility, reply.text) == ("ephemeral", say("place.permission", missing="Read Message History"))
    assert await room.store.open_invitations() == []


async def test_a_challenge_turned_down_says_so_and_stays_closed(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    for who, label, key in [("Bob", "Decline", "challenge.declined"), ("Alice", "Take back", "challenge.cancelled")]:
        await room.clear()
        asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
        old = asked.message.button("Accept").custom_id
        reply = await press_where_it_is(sandbox.user(who), asked.message, label)
        told = say(key, host="Alice", guest="Bob", game="Haymaker")
        assert told in reply.text
        await sandbox.wait_for(lambda: told in asked.message.text)  # noqa: B023  awaited within the round
        assert asked.message.labels == []
        late = await bob.press(asked.message, custom_id=old, force=True)
        assert say(key, host="Alice", guest="Bob", game="Haymaker") in late.text
        assert await room.store.open_invitations() == []
        assert not list(room.app.matches.live())


@pytest.mark.parametrize(
    ("command", "options"), [("haymaker challenge", True), ("haymaker open", False), ("play", False)]
)
async def test_what_can_not_be_shown_is_not_open(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch, *, command: str, options: bool
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")

    async def unread(*_: object) -> None:
        raise Busy("as often")

    given: dict[str, Any] = {"opponent": bob} if options else {"game": "haymaker"} if command == "play" else {}
    with monkeypatch.context() as busy:
        busy.setattr(Wording, "load_names", unread)
        reply = await alice.slash(lobby, command, **given)
    assert (reply.visibility, reply.text) == ("ephemeral", say("store.busy"))
    assert room.app.invitations.open() == ()
    assert await room.store.open_invitations() == []
    assert not (await alice.slash(lobby, command, **given)).failed
