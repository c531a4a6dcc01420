"""A clock on which each player has one time for all turns, in Discord (C-15)."""

from __future__ import annotations

import random
from pathlib import Path

from bot.play.clocks.deadlines import GRACE
from bot.time_controls import time_control
from bot.ui.catalogue import translations
from cogs.screens.time_control_text import time_control_label
from discord_sandbox import MessageView, Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import asked_first, behind_more, challenge, hand_of, move
from tests.end_to_end.test_warnings import settled
from tests.faults.test_time import shown_time

say = translations("en")
GRACE_SECONDS = GRACE // 1000 + 1


def told(message: MessageView) -> str:
    """What a message says, with spaces that break lines."""
    return message.text.replace("\N{NO-BREAK SPACE}", " ")


async def test_a_bank_is_typed_and_everybody_sees_what_is_left_also_after_a_restart(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        refused = await alice.slash(lobby, "haymaker challenge", opponent=bob, clock="10m + 11m")
        assert (refused.visibility, "Nothing was" in refused.text or "nothing was" in refused.text) == (
            "ephemeral",
            True,
        )
        board = await challenge(alice, bob, lobby, clock="10 + 10")
        label = time_control_label(time_control("600s_10s"), say)
        assert f"Clock: {label}" in (await behind_more(alice, board)).text
        assert "per turn" not in (await behind_more(alice, board)).text
        asked, hand, *_ = await asked_first([alice, bob], board)
        assert "⏱️ 10:00" in told(board), "whom nobody waits for has all of it"
        assert "⏱️ 10:00" in told(hand)
        assert abs(shown_time(board) - room.now() // 1000 - 600) <= 2
        room.pass_time(70)
        assert await move(asked, hand, random.Random(1)) is not None
        await sandbox.wait_for(lambda: "⏱️ 9:0" in told(board) or "⏱️ 8:5" in told(board))
        assert abs(shown_time(board) - room.now() // 1000 - 600) <= 3, "the other has not used anything"
        assert "⏱️ " in told(await hand_of(asked, board))
        (match,) = room.app.matches.live()
        kept, deadline = match.banks, match.position.timers
    async with cardroom(sandbox, tmp_path) as room:
        (match,) = room.app.matches.live()
        assert match.banks == kept
        assert match.position.timers[0].deadline >= deadline[0].deadline
        await settled(sandbox, room)
        room.pass_time((match.position.timers[0].deadline - room.now()) // 1000 + GRACE_SECONDS)
        await sandbox.wait_for(lambda: match.result is not None)
        assert match.result is not None
        assert match.result.kind == "time"
