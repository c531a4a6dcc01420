"""`/away`, pauses by agreement (C-14), and a clock with one time for all turns (C-15), in Discord."""

from __future__ import annotations

import random
from pathlib import Path

from bot.play.clocks.deadlines import GRACE
from bot.scheduler import DAY
from bot.time_controls import time_control
from bot.ui.catalogue import translations
from cogs.screens.time_control_text import time_control_label
from discord_sandbox import DrivenChannel, MessageView, Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import asked_first, behind_more, challenge, hand_of, move, press_where_it_is
from tests.end_to_end.test_notify import settled
from tests.faults.test_time import shown_time

say = translations("en")
SECONDS = DAY // 1000


def latest_board(channel: DrivenChannel) -> MessageView:
    """The board of the slow match; an old one is posted again."""
    return next(each for each in channel.messages if "Haymaker" in each.text and "My cards" in each.labels)


async def test_who_is_away_loses_nothing_and_all_their_boards_say_so(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby, clock="daily")
        fast = await challenge(alice, bob, lobby, "unbreakable", clock="normal")
        asked, hand, other, _ = await asked_first([alice, bob], board)
        before, fast_text = shown_time(board), fast.text
        offered = await asked.slash(lobby, "away")
        assert offered.visibility == "ephemeral"
        assert [button.label for button in offered.message.buttons] == [say.count("clock.days", n) for n in range(1, 6)]
        await asked.press(offered.message, label=say.count("clock.days", 2))
        await sandbox.wait_for(lambda: shown_time(board) == before + 2 * SECONDS)
        assert " is away until " in board.text
        assert fast.text == fast_text
        messages = len(lobby.messages)
        longer = await asked.slash(lobby, "away", days=4)
        assert say("away.now", when="").rstrip(".") in longer.text
        await sandbox.wait_for(lambda: shown_time(board) == before + 4 * SECONDS)
        room.pass_time(4 * SECONDS + SECONDS // 2)
        (match,) = [each for each in room.app.matches.live() if each.time_control.slow]
        assert not match.over
        assert len(lobby.messages) <= messages + 3, "nobody is told in messages of their own"
        reply = await move(asked, hand, random.Random(1))
        assert reply is not None
        await sandbox.wait_for(lambda: " is away until " not in latest_board(lobby).text)
        listed = await asked.slash(lobby, "away")
        assert say("away.now", when="").rstrip(".") not in listed.text, "who plays is back"
        assert (await other.slash(lobby, "away")).message.find_button(say("away.back")) is None


async def test_a_pause_needs_both_and_either_ends_it(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, carol, lobby = *map(sandbox.user, ("Alice", "Bob", "Carol")), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby, clock="daily")
        before = shown_time(board)
        assert (await press_where_it_is(alice, board, say("button.rest"))).text == say("rest.asked")
        await sandbox.wait_for(lambda: "would like to pause" in board.text)
        stranger = await press_where_it_is(carol, board, say("button.rest"))
        assert stranger.text == say("match.not_seated")
        await press_where_it_is(bob, board, say("button.rest"))
        await sandbox.wait_for(lambda: shown_time(board) == before + 3 * SECONDS)
        assert "agreed to pause" in board.text
        assert (await press_where_it_is(bob, board, say("button.go_on"))).text == say("rest.ended")
        await sandbox.wait_for(lambda: abs(shown_time(board) - before) <= 1)
        assert "agreed to pause" not in board.text
        assert (await hand_of(alice, board)) is not None
        quick = await challenge(alice, bob, lobby, "unbreakable", clock="normal")
        more = await behind_more(alice, quick)
        assert (more.find_button(say("button.rest")), more.selects) == (None, [])
        assert len([*room.app.matches.live()]) == 2


# --------------------------------------------------------------------------------- one time for all turns (C-15)


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
