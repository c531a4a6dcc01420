"""F-33: the flush of a move's commit fails, and then the bot is killed: what its player read is true afterwards."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from tests.end_to_end.players import asked_first, challenge, hand_of, picks
from tests.faults.bot_process import ForkedBot
from tests.faults.test_store import acts
from tests.wrapped_text import unwrapped

say = translations("en")


SAVED = {"store.unsaved": {0}, "store.unsettled": {0, 1}}
"""How many acts may be saved, by what the player read."""


@pytest.mark.parametrize(("fault", "told"), [("unflushed", "store.unsaved"), ("never flushed", "store.unsettled")])
async def test_F_33_what_a_player_read_of_a_move_whose_flush_failed_is_true_after_a_kill(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path, fault: str, told: str
) -> None:
    await forked_bot.start()
    await forked_bot.settle()
    people = [sandbox.user("Alice"), sandbox.user("Bob")]
    board = await challenge(people[0], people[1], sandbox.channel("lobby"), clock="daily")
    attacker, hand, _, _ = await asked_first(people, board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    forked_bot.kill_at(fault)
    reply = await attacker.press(hand, label="Attack")
    assert say(told) in unwrapped(reply.text)
    await forked_bot.stop(signal.SIGKILL)
    assert acts(tmp_path) in SAVED[told]
    await forked_bot.start()
    shown = await hand_of(attacker, board)
    assert ("Attack" in shown.labels) is (acts(tmp_path) == 0)
    await forked_bot.stop()
