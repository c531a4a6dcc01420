"""F-44: killed between posting a message and recording it."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import random
import signal

from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.players import challenge, hand_of, move
from tests.faults.bot_process import ForkedBot


def two(sandbox: Sandbox) -> tuple[Person, Person, DrivenChannel]:
    return sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")


def boards(channel: DrivenChannel) -> list[MessageView]:
    """The messages with which a match can be played."""
    return [message for message in channel.messages if "My cards" in message.labels and not message.content]


async def test_F_44_a_board_that_was_posted_and_not_recorded_is_the_only_one_or_goes(
    sandbox: Sandbox, forked_bot: ForkedBot
) -> None:
    alice, bob, lobby = two(sandbox)
    await forked_bot.start()
    board = await challenge(alice, bob, lobby, clock="daily")
    hands = [(person, await hand_of(person, board)) for person in (alice, bob)]
    sandbox.delete_message(board)
    forked_bot.kill_at("board posted")
    for person, hand in hands:
        if await move(person, hand, random.Random(1)) is not None:
            break
    assert await forked_bot.ended() == -signal.SIGKILL
    (orphan,) = boards(lobby)
    await forked_bot.start()
    await sandbox.wait_for(lambda: boards(lobby) and orphan not in boards(lobby))
    (shown,) = boards(lobby)
    assert not (await alice.press(shown, label="My cards")).failed
    await asyncio.sleep(2)
    assert [each.id for each in boards(lobby)] == [shown.id]
