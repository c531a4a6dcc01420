"""Options that do not suit the number who sit: a table says so at *Start*, in words, and stays open."""

from __future__ import annotations

import pytest

from bot.ui.catalogue import translations
from sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom

say = translations("en")


@pytest.mark.parametrize(("decks", "seats"), [(6, 2), (3, 2), (1, 6)])
async def test_q_18_decks_that_do_not_suit_those_who_joined_are_refused_at_start_and_the_table_stays(
    sandbox: Sandbox, room: Cardroom, decks: int, seats: int
) -> None:
    people, lobby = sandbox.people[:seats], sandbox.channel("lobby")
    opened = (await people[0].slash(lobby, "ciq open", decks=decks)).message
    for person in people[1:]:
        await person.press(opened, label="Join")
    for _ in range(2):
        refused = await people[0].press(opened, label="Start")
        least = 2 if seats > 4 else 1
        told = say("ciq.refusal.decks", seats=seats, least=least, most=seats)
        assert (refused.visibility, refused.text) == ("ephemeral", told)
    (invitation,) = room.app.invitations.open()
    assert invitation.seated == tuple(person.id for person in people)
    assert list(room.app.matches.live()) == []


async def test_q_18_a_table_that_was_refused_begins_when_enough_have_joined(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, carol = sandbox.people[:3]
    opened = (await alice.slash(sandbox.channel("lobby"), "ciq open", decks=3)).message
    await bob.press(opened, label="Join")
    assert (await alice.press(opened, label="Start")).text == say("ciq.refusal.decks", seats=2, least=1, most=2)
    await carol.press(opened, label="Join")
    started = await alice.press(opened, label="Start")
    assert started.message.labels[0] == "My cards"
    (match,) = room.app.matches.live()
    assert match.seats == (alice.id, bob.id, carol.id)
