"""Unbreakable end to end: two people who press only what they see."""

from __future__ import annotations

import asyncio

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.deals import fixed_deals
from tests.end_to_end.players import acts, challenge, hand_of, press_where_it_is

say = translations("en")


CHOSEN = 1
"""The style of the button of what is chosen."""


async def test_a_choice_is_sealed_until_the_other_is_in_and_terms_are_shown(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A choice is sealed and can be changed until the other is in.
    fixed_deals(monkeypatch, 1)  # in some deals a chosen card is not on the table any more
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, "unbreakable")
    hand, other = await hand_of(alice, board), await hand_of(bob, board)
    first, second, _ = acts(hand)
    await alice.press(hand, custom_id=first.custom_id)
    assert [button.label for button in acts(hand) if button.style == CHOSEN] == [first.label]
    told = say("unbreakable.told.chose", player="Alice")
    await sandbox.wait_for(lambda: told in board.text)
    assert first.label not in other.text + board.text
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    before = board.text, other.text
    sandbox.transcript.clear()
    await alice.press(hand, custom_id=second.custom_id)
    await asyncio.sleep(5)
    assert (board.text, other.text) == before, "nobody sees that a choice was changed"
    assert [each.path for each in sandbox.transcript.requests if each.method == "PATCH"] == []
    assert [button.label for button in acts(hand) if button.style == CHOSEN] == [second.label]
    await bob.press(other, custom_id=acts(other)[0].custom_id)
    shown = second.label.removeprefix("Keep ").partition(" = ")[0].split()
    assert all(f"`{card}`" in other.text for card in shown)

    # The challenge and the rules show options and limit.
    await room.clear()
    asked = await alice.slash(lobby, "unbreakable challenge", opponent=bob, preset="short", pace="swift", turn_limit=40)
    terms = [
        say("unbreakable.terms.match_hand", cards=3),
        say("unbreakable.terms.swift"),
        say("unbreakable.terms.limit", attackers=40),
    ]
    assert all(line in asked.text for line in terms)
    rules = await press_where_it_is(bob, asked.message, "Rules")
    assert all(line in rules.text for line in terms)
    turned = await bob.press(rules.message, label="Next")
    assert not any(line in turned.text for line in terms)
    (pages,) = turned.message.selects
    about = next(option.value for option in pages.options if "Options" in option.label)
    found = await bob.select(turned.message, custom_id=pages.custom_id, values=[about])
    assert all(line in found.text for line in terms)
