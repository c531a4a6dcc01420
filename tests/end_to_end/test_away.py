"""`/away`, and pauses by agreement, in Discord (C-14)."""

from __future__ import annotations

import random
from pathlib import Path

from bot.scheduler import DAY
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Sandbox
from tests.end_to_end.cardroom import cardroom
from tests.end_to_end.players import asked_first, behind_more, challenge, hand_of, move, press_where_it_is
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
