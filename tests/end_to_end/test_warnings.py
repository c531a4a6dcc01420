"""Warnings before the end of a player's time: once a question, as loud as they choose, over restarts and outages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.queries.people import NoticeLevel
from bot.ui import isolation
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import challenge, hand_of
from tests.end_to_end.test_notify import NAMES, awaited, choose

say = translations("en")
NEVER = "3600"
"""Seconds of silence before a mention, so that none comes into a warning's way."""
BEFORE, WITHIN = 89, 2
"""Seconds of a normal clock's 120 that pass before its player is warned, and from there on until they are."""


async def start(
    sandbox: Sandbox, room: Cardroom, level: NoticeLevel, **options: object
) -> tuple[MessageView, Person, DrivenChannel]:
    """Two people of that wish begin a match; the board, and the one who is asked."""
    people = [sandbox.user(name) for name in NAMES]
    lobby = sandbox.channel("lobby")
    await choose(people, lobby, level)
    board = await challenge(people[0], people[1], lobby, **options)  # type: ignore[arg-type]  # the command's options
    await sandbox.wait_for(lambda: not room.app.updates.time_warnings.idle)
    return board, await awaited(room, people), lobby


def warning(room: Cardroom, person: Person) -> str:
    """What a person is told in the channel when their time is nearly up."""
    (match,) = room.app.matches.live()
    (timer,) = match.position.timers
    return say(
        "notice.time_short",
        player=isolation.mention(person.id),
        game="Haymaker",
        when=f"<t:{timer.deadline // 1000}:R>",
    )


async def settled(sandbox: Sandbox, room: Cardroom) -> None:
    """Let everything be posted and removed that is going to be."""
    for _ in range(5):  # what is due rings, and its wish reaches the easel
        await asyncio.sleep(0)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)


@pytest.fixture
async def room(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Cardroom]:
    async with cardroom(sandbox, tmp_path, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as running:
        yield running


async def test_a_player_is_warned_once_and_the_warning_goes_when_they_act(sandbox: Sandbox, room: Cardroom) -> None:
    board, away, lobby = await start(sandbox, room, NoticeLevel.PING)
    room.pass_time(BEFORE)
    await settled(sandbox, room)
    assert lobby.messages == [board]
    room.pass_time(WITHIN)
    await sandbox.wait_for(lambda: len(lobby.messages) == 2)
    told = lobby.last
    assert warning(room, away) in told.text
    assert f"/{lobby.id}/{board.id}" in told.text
    assert told.mentions == [away.id]
    room.pass_time(10)
    await settled(sandbox, room)
    assert lobby.messages == [board, told]
    await hand_of(away, board)
    await sandbox.wait_for(lambda: told.deleted)
    room.pass_time(5)
    await settled(sandbox, room)
    assert lobby.messages == [board]


async def test_after_a_restart_the_warning_is_still_to_come(sandbox: Sandbox, tmp_path: Path) -> None:
    async with cardroom(sandbox, tmp_path, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as room:
        _, away, lobby = await start(sandbox, room, NoticeLevel.PING)
    async with cardroom(sandbox, tmp_path, ahead=7200, CARDROOM_NOTICE_AFTER_SECONDS=NEVER) as room:
        await settled(sandbox, room)
        before = lobby.messages
        room.pass_time(BEFORE + WITHIN)
        await sandbox.wait_for(lambda: len(lobby.messages) == len(before) + 1)
        assert warning(room, away) in lobby.last.text
