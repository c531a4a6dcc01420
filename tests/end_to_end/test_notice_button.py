"""The mention of a player: whose clock runs, and *My cards*, which opens the hand at once."""

from __future__ import annotations

import asyncio

import pytest

from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import acts, picks, sit_down
from tests.end_to_end.test_notify import choose, start
from tests.faults.lost_venues import only_match

say = translations("en")


async def mention(sandbox: Sandbox, lobby: DrivenChannel) -> MessageView:
    """The mention in the channel, once it is there."""
    await sandbox.wait_for(lambda: any("your turn" in message.content for message in lobby.messages))
    return next(message for message in lobby.messages if "your turn" in message.content)


@pytest.mark.parametrize("seconds", [0.0, 2.0])
async def test_a_mention_opens_ones_own_hand_in_private_and_goes_with_who_is_late(
    sandbox: Sandbox, room: Cardroom, seconds: float
) -> None:
    """The mention can be pressed before the bot is told that it is posted, some seconds later."""
    sandbox.faults.on("POST", f"/channels/{sandbox.channel('lobby').id}/messages", answer_delay=seconds)
    board, late, lobby = await start(sandbox, room, NoticeLevel.PING)
    notice = await mention(sandbox, lobby)
    match = await only_match(room)
    (timer,) = match.position.timers
    assert say("notice.clock", when=f"<t:{timer.deadline // 1000}:R>") in notice.content
    assert notice.labels == ["My cards"]
    other = next(sandbox.user(name) for name in ("Alice", "Bob") if name != late.name)
    reply = await other.press(notice, label="My cards")
    assert (reply.visibility, reply.message.reader_id) == ("ephemeral", other.id)
    assert (await sandbox.user("Carol").press(notice, label="My cards")).text == say("match.not_seated")
    await asyncio.sleep(2 * seconds)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert lobby.messages == [board, notice], "it waits for who is late"
    reply = await late.press(notice, label="My cards")
    assert reply.visibility == "ephemeral"
    assert picks(reply.message) or acts(reply.message)
    await sandbox.wait_for(lambda: notice.deleted)  # they are here now
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert lobby.messages == [board]


async def test_a_mention_of_one_of_several_names_the_others(sandbox: Sandbox, room: Cardroom) -> None:
    people = [sandbox.user(name) for name in ("Alice", "Bob", "Carol")]
    lobby = sandbox.channel("lobby")
    await choose(people, lobby, NoticeLevel.PING)
    await sit_down(people, lobby, "champions")
    match = await only_match(room)
    await sandbox.wait_for(lambda: not room.app.updates.notices.idle)
    room.pass_time(room.client.settings.notice_after_seconds)
    await sandbox.wait_for(lambda: sum("your turn" in each.content for each in lobby.messages) == len(match.awaited))
    for notice in lobby.messages[1:]:
        (seat,) = [seat for seat in match.awaited if f"<@{match.seats[seat]}>" in notice.content]
        others = [people[other].name for other in match.awaited - {seat}]
        assert all(name in notice.content for name in others)
