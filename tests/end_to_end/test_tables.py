"""Tables: opened, joined, left, handed over, started; and rematches."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.store.queries.invitations import InvitationState
from bot.ui import isolation
from bot.ui.catalogue import translations
from bot.ui.screen import Text
from discord_sandbox import Sandbox
from engines import GAMES
from engines.deals import short_seal
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.deals import fixed_deals
from tests.end_to_end.players import behind_more, challenge, chooser, hand_of, play_out, press_where_it_is, sit_down
from tests.games.cases import is_race
from tests.wrapped_text import unwrapped

say = translations("en")


async def test_a_table_is_joined_left_handed_over_closed_to_some_and_started(sandbox: Sandbox, room: Cardroom) -> None:
    # A table is joined and started by its host.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    opened = await alice.slash(lobby, "haymaker open", clock="blitz")
    table = opened.message
    assert opened.visibility == "public"
    assert table.mentions == []
    assert table.button("Start").disabled
    joined = await bob.press(table, label="Join")
    assert joined.kind == "update"
    assert "**Bob**" in joined.text
    assert table.button("Join").disabled
    early = await bob.press(table, label="Start")
    assert (early.visibility, early.text) == ("ephemeral", say("table.not_host"))
    started = await alice.press(table, label="Start")
    assert started.message.labels[0] == "My cards"
    (match,) = room.app.matches.live()
    assert match.seats == (alice.id, bob.id)

    # A table begins once those who were quiet are ready.
    await room.clear()
    carol = sandbox.user("Carol")
    table = (await alice.slash(lobby, "ciq open")).message
    await bob.press(table, label="Join")
    room.pass_time(150)
    await carol.press(table, label="Join")
    for _ in range(2):
        await alice.press(table, label="Start" if "Start" in table.labels else "Ready")
        assert say("table.ready", players="Bob") in unwrapped(table.text)
        assert table.labels == ["Join", "Ready", "More…"]
    assert not list(room.app.matches.live())
    await sandbox.wait_for(lambda: lobby.last.mentions == [bob.id])
    mention = lobby.last
    begun = await bob.press(table, label="Ready")
    assert begun.message.labels[0] == "My cards"
    await sandbox.wait_for(lambda: mention.deleted)
    (match,) = room.app.matches.live()
    assert match.seats == (alice.id, bob.id, carol.id)

    # A table says how many sit and how many can play.
    await room.clear()
    duel = (await alice.slash(lobby, "haymaker open")).message
    assert "1 of 2 seated." in duel.text
    await bob.press(duel, label="Join")
    assert "2 of 2 seated." in duel.text
    assert "1 seated; 2 to 6 can play." in (await alice.slash(lobby, "ciq open")).text

    # A host who leaves hands over and the last closes.
    await room.clear()
    table = (await alice.slash(lobby, "haymaker open")).message
    await bob.press(table, label="Join")
    mine = await behind_more(alice, table)
    left = await alice.press(mine, label="Leave")
    assert left.message.labels == ["Rules", "Proof", "Reliability"], "who has left has nothing to leave"
    await sandbox.wait_for(lambda: "**Alice**" not in table.text.partition("host")[2])
    (invitation,) = room.app.invitations.open()
    assert (invitation.host_id, invitation.seated) == (bob.id, (bob.id,))
    gone = await press_where_it_is(bob, table, "Leave")
    assert say("table.cancelled", game="Haymaker") in gone.text
    assert room.app.invitations.open() == ()

    # A host shows somebody away.
    await room.clear()
    table = (await alice.slash(lobby, "haymaker open")).message
    await bob.press(table, label="Join")
    hosts = await behind_more(alice, table)
    kick = chooser(hosts, "kick")
    assert not (await behind_more(bob, table)).selects
    refused = await bob.select(table, custom_id=kick.custom_id, values=[str(bob.id)], force=True)
    assert refused.text == say("table.not_host")
    await alice.select(hosts, custom_id=kick.custom_id, values=[str(bob.id)])
    assert room.app.invitations.open()[0].seated == (alice.id,)
    await sandbox.wait_for(lambda: "**Bob**" not in table.text)

    # A private table takes only those invited.
    await room.clear()
    table = (await alice.slash(lobby, "haymaker open", private=True)).message
    assert (await bob.press(table, label="Join")).text == say("table.private")
    hosts = await behind_more(alice, table)
    ask = chooser(hosts, "ask")
    await alice.select(hosts, custom_id=ask.custom_id, values=[str(bob.id)])
    assert (await carol.press(table, label="Join")).text == say("table.private")
    declining = await press_where_it_is(bob, table, "Decline")
    assert "Decline" not in declining.message.labels
    await sandbox.wait_for(lambda: isolation.mention(bob.id) not in table.text)
    assert (await bob.press(table, label="Join")).text == say("table.private")
    await alice.select(hosts, custom_id=ask.custom_id, values=[str(bob.id)])
    await bob.press(table, label="Join")
    assert room.app.invitations.open()[0].seated == (alice.id, bob.id)


async def test_a_rematch_waits_for_the_other_and_rotates_the_seats(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed_deals(monkeypatch, 1)  # no draw
    alice, bob, carol, lobby = (
        sandbox.user("Alice"),
        sandbox.user("Bob"),
        sandbox.user("Carol"),
        sandbox.channel("lobby"),
    )
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby, clock="blitz")
        await play_out({"Alice": alice, "Bob": bob}, board, random.Random(1))
        await sandbox.wait_for(lambda: "Rematch" in board.labels)
        assert (await carol.press(board, label="Rematch")).text == say("match.not_seated")
        asked = await bob.press(board, label="Rematch")
        assert asked.visibility == "public"
        assert asked.message.mentions == [alice.id]
        won = say("ending.won", winner="Bob") in board.text
        told = say("head_to_head.score", first="Bob", wins=int(won), losses=int(not won), second="Alice")
        assert say("rematch.title", game="Haymaker") in asked.text
        assert say("rematch.asks", host="Bob", guest=isolation.mention(alice.id), game="Haymaker") in asked.text
        assert told in asked.text.splitlines()
        assert (await bob.press(board, label="Rematch")).text == say("challenge.already_open")
        first = await bob.slash(lobby, "haymaker challenge", opponent=carol)
        assert say("head_to_head.score", first="Bob", wins=0, losses=0, second="Carol") not in first.text
        await press_where_it_is(bob, first.message, "Take back")
        challenged = await alice.slash(lobby, "haymaker challenge", opponent=bob)
        assert (
            say("head_to_head.score", first="Alice", wins=int(not won), losses=int(won), second="Bob")
            in challenged.text
        )
        await press_where_it_is(alice, challenged.message, "Take back")
    async with cardroom(sandbox, tmp_path) as room:
        (invitation,) = room.app.invitations.open()
        await room.app.wording.load_names(invitation)
        assert Text(told) in room.app.public_screens.invitation(invitation, InvitationState.OPEN).sections
        again = (await alice.press(asked.message, label="Accept")).message
        (match,) = room.app.matches.live()
        assert match.seats == (bob.id, alice.id)
        assert match.time_control.key == "blitz"
        assert (await hand_of(alice, again)).ephemeral


# --------------------------------------------------------------------------- every game at every number of seats


SHORT: dict[str, dict[str, object]] = {
    "ciq": {"preset": "quick", "round_limit": 10},
    "unbreakable": {"match_hand": 2, "turn_limit": 20},
}
"""Options that keep a match of random acts short."""

TURNS = [(key, seats) for key, game in GAMES.items() if not is_race(key) for seats in game.info.seats]
"""All but a race: that has tests of its own (test_tivmiv)."""


@pytest.mark.nightly(rare=True)  # a whole match each, as other journeys play them too
@pytest.mark.parametrize(("key", "seats"), TURNS)
async def test_a_table_is_played_to_its_end(sandbox: Sandbox, room: Cardroom, key: str, seats: int) -> None:
    people = sandbox.people[:seats]
    lobby = sandbox.channel("lobby")
    board = await sit_down(people, lobby, key, **SHORT.get(key, {}))
    (match,) = room.app.matches.live()
    assert match.seats == tuple(person.id for person in people)
    await play_out({person.name: person for person in people}, board, random.Random(seats), most=1500)
    assert match.result is not None
    await sandbox.wait_for(lambda: "Rematch" in board.labels)
    assert short_seal(bytes.fromhex(match.commitment)) not in board.text
    for person in people:
        assert match.result.kind == "called_off" or f"**{person.name}**" in board.text
    assert not list(room.app.matches.live())
    if match.result.counted:
        ladder = (await people[0].slash(lobby, f"{key} leaderboard")).text
        assert all(f"**{person.name}**" in ladder for person in people)
