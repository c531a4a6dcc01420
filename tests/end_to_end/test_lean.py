"""What the bot holds and does while thousands play: of a hand no more than its token, and nothing over and over."""

from __future__ import annotations

import gc

import discord
import pytest

import bot.gateway.shards
import cogs.updates.open_hands
from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of, resign

say = translations("en")


async def test_an_open_hand_holds_no_interaction_and_goes_when_its_token_has_died(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    hands = room.app.updates.open_hands
    first = await hand_of(alice, board)
    await sandbox.wait_for(lambda: len(hands) == 1)  # noted once the press is answered
    await sandbox.wait_for(
        lambda: gc.collect() >= 0 and not any(type(each) is discord.Interaction for each in gc.get_objects())
    )
    other = await hand_of(bob, board)
    await sandbox.wait_for(lambda: len(hands) == 2)
    with monkeypatch.context() as later:
        later.setattr(cogs.updates.open_hands, "TOKEN_SECONDS", -1)
        second = await hand_of(alice, board)
        await sandbox.wait_for(lambda: len(hands) == 1)
    await resign(bob, board)
    told = say("ending.resignation", loser="Bob")
    await sandbox.wait_for(lambda: told in second.text)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert told not in first.text
    assert say("ending.resignation.you") not in other.text


async def test_the_limits_of_many_channels_are_looked_through_seldom(
    room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0

    def inactive(_: discord.http.Ratelimit) -> bool:
        nonlocal looks
        looks += 1
        return True

    monkeypatch.setattr(discord.http.Ratelimit, "is_inactive", inactive)
    http = room.client.http
    for number in range(1000):
        http.get_ratelimit(f"channel {number}")
    assert looks == 0
    monkeypatch.setattr(bot.gateway.shards, "CLEARING_SECONDS", 0.0)
    http.get_ratelimit("one more")
    assert looks >= 1000
    looks = 0
    http.get_ratelimit("another")
    assert looks == 0  # what was looked through is gone
