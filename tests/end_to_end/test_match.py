"""Matches end to end: played by people who press only what they see, and pressed at in every wrong way."""

from __future__ import annotations

import random

import pytest

from bot.play.clocks.deadlines import GRACE
from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import (
    acts,
    asked_first,
    card_of,
    challenge,
    is_picked,
    move,
    picks,
    press_where_it_is,
)
from tests.failing_rules import fail_rules

say = translations("en")


async def test_a_match_is_resigned_moved_timed_out_called_off_and_passed(sandbox: Sandbox, room: Cardroom) -> None:
    # Resigning asks once and ends the match.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    asked = await press_where_it_is(alice, board, "Resign")
    assert asked.visibility == "ephemeral"
    assert asked.message.labels == ["Resign", "Keep playing"]
    kept = await alice.press(asked.message, label="Keep playing")
    assert kept.message.find_button("Rules") is None
    asked = await press_where_it_is(alice, board, "Resign")
    done = await press_where_it_is(alice, asked.message, "Resign")
    won = f"**{say('ending.won', winner='Bob')}**"
    assert f"{won}\n{say('ending.resignation.you')}" in done.text
    await sandbox.wait_for(lambda: f"{won}\n{say('ending.resignation', loser='Alice')}" in board.text)
    assert say("ending.counted_left") in board.text  # she went back to her cards (C-10)
    ladder = (await alice.slash(lobby, "haymaker leaderboard")).text
    assert say("ladder.own", rank=2, of=2) in ladder
    late = await bob.press(board, custom_id=asked.message.raw["id"], force=True)
    assert late.text == say("press.unknown")

    # The board follows a move and the other hand is brought up to date.
    await room.clear()
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, waiting = await asked_first([alice, bob], board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    card = card_of(next(button.label for button in hand.buttons if is_picked(button.label)))
    await attacker.press(hand, label="Attack")
    await sandbox.wait_for(lambda: waiting.find_button("Take the hit"))
    assert f"`{card}`" in waiting.text
    await sandbox.wait_for(lambda: f"`{card}`" in board.text)

    # Running out of time loses the match.
    await room.clear()
    board = await challenge(alice, bob, lobby, clock="blitz")
    attacker, *_ = await asked_first([alice, bob], board)
    room.pass_time(29 + GRACE / 1000)
    assert list(room.app.matches.live())
    room.pass_time(2)
    told = say("ending.time", loser=attacker.name)
    await sandbox.wait_for(lambda: told in board.text)

    # C-6: calling off takes both or half the first time of the one on turn.
    await room.clear()
    board = await challenge(alice, bob, lobby)
    on_turn, _, idle, _ = await asked_first([alice, bob], board)
    assert (await press_where_it_is(on_turn, board, "Call off")).text == say("calloff.asked")
    await sandbox.wait_for(lambda: say("calloff.agreed", player=on_turn.name) in board.text)
    assert (await press_where_it_is(idle, board, "Call off")).text == say("calloff.done")
    await sandbox.wait_for(lambda: say("ending.called_off") in board.text)

    board = await challenge(alice, bob, lobby)
    on_turn, _, idle, _ = await asked_first([alice, bob], board)
    assert (await press_where_it_is(idle, board, "Call off")).text == say("calloff.asked_alone_later")
    room.pass_time(61)
    assert (await press_where_it_is(idle, board, "Call off")).text == say("calloff.done")

    # A pass shows its two cards to the attacker alone.
    await room.clear()
    board = await challenge(alice, bob, lobby)
    attacker, hand, defender, other = await asked_first([alice, bob], board)
    assert hand.find_button("Pass") is None
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    await attacker.press(hand, label="Attack")
    await sandbox.wait_for(lambda: other.find_button("Take the hit"))
    await defender.press(other, label="Take the hit")
    await sandbox.wait_for(lambda: hand.find_button("Pass"))
    choosing = (await attacker.press(hand, label="Pass")).message
    assert acts(choosing) == [], "a second press would be one too many"
    await sandbox.wait_for(lambda: acts(choosing))
    both = [button.label.removeprefix("Keep ") for button in acts(choosing)]
    assert len(both) == 2
    await sandbox.wait_for(lambda: say("haymaker.question.keep", attacker=attacker.name) in other.text)
    await sandbox.wait_for(lambda: say("haymaker.question.keep", attacker=attacker.name) in board.text)
    for card in both:
        assert card not in other.text
        assert card not in board.text
    await attacker.press(choosing, label=f"Keep {both[0]}")
    await sandbox.wait_for(lambda: f"`{both[1]}`" in other.text)
    assert f"`{both[0]}`" not in other.text


async def test_a_failed_rule_stops_its_own_match_and_no_other(
    sandbox: Sandbox, room: Cardroom, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    alice, bob, carol, lobby = (
        sandbox.user("Alice"),
        sandbox.user("Bob"),
        sandbox.user("Carol"),
        sandbox.channel("lobby"),
    )
    board = await challenge(alice, bob, lobby)
    other = await challenge(carol, alice, lobby)
    match, _ = room.app.matches.live()
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    secret = card_of(picks(hand)[0].label)

    fail_rules(monkeypatch, match, KeyError(secret))
    reply = await move(attacker, hand, random.Random(1))
    assert reply is not None
    assert match.failed is not None
    assert say("match.paused", number=match.failed) in reply.text
    await sandbox.wait_for(lambda: say("match.paused", number=match.failed) in board.text)
    assert str(match.failed) in caplog.text
    assert secret not in caplog.text
    first, mine, _, _ = await asked_first([carol, alice], other)
    assert await move(first, mine, random.Random(1)) is not None
    row = await room.store.match(match.id)
    assert row is not None
    assert row.paused == match.failed
