"""What the bot holds and does while thousands play: of a hand no more than its token, and nothing over and over."""

from __future__ import annotations

import discord
import pytest

import bot.gateway.shards
import cogs.updates.open_hands
from sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import challenge, hand_of


async def test_an_open_hand_holds_no_message_and_goes_when_its_token_has_died(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    await hand_of(alice, board)
    held = room.app.updates.open_hands._open
    await sandbox.wait_for(lambda: len(held) == 1)  # noted once the press is answered
    (hand,) = held.values()
    assert hand.interaction.message is None
    assert hand.interaction.data is None
    await hand_of(bob, board)
    await sandbox.wait_for(lambda: len(held) == 2)
    monkeypatch.setattr(cogs.updates.open_hands, "TOKEN_SECONDS", -1)
    await hand_of(alice, board)
    await sandbox.wait_for(lambda: len(held) == 1 and hand not in held.values())


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
    assert len(http._buckets) < 256
