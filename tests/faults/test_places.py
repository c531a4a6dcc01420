"""Places and people go: F-14 a deleted board, F-16 a lost permission, F-17 a player who leaves, F-18 the bot itself."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import random

from bot.words import words
from sandbox import Sandbox
from sandbox.permissions import Permission
from sandbox.transcript import Exchange
from tests.house.cardroom import Cardroom
from tests.house.players import challenge, hand_of, move
from tests.house.test_match import asked_first

say = words("en")


def board_requests(sandbox: Sandbox) -> list[Exchange]:
    """What the bot asked of channels' messages."""
    return [each for each in sandbox.transcript.requests if "/channels/" in each.path]


async def test_F_14_a_deleted_board_is_posted_anew_once(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, other, _ = await asked_first([alice, bob], board)
    sandbox.delete_message(board)
    await move(attacker, hand, random.Random(1))
    await sandbox.wait_for(lambda: len(lobby.messages) == 1)
    (anew,) = lobby.messages
    await move(other, await hand_of(other, anew), random.Random(1))
    await sandbox.wait_for(lambda: room.house.easel.idle)
    assert lobby.messages == [anew]
    (match,) = room.house.matches.live()
    row = await room.store.match(match.id)
    assert row is not None
    assert row.board_id == match.board_id == anew.id


async def test_F_16_a_lost_permission_brings_no_storm_and_is_named_privately(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, other, waiting = await asked_first([alice, bob], board)
    lobby.deny(Permission.VIEW_CHANNEL)
    sandbox.transcript.clear()
    assert not (await move(attacker, hand, random.Random(1))).failed  # type: ignore[union-attr]  # there is a move
    await sandbox.wait_for(lambda: waiting.find_button("Take the hit"))
    await sandbox.wait_for(lambda: room.house.easel.idle)
    await asyncio.sleep(1.2)
    assert [each.status for each in board_requests(sandbox)] == [403]

    assert say("board.no_access") in (await hand_of(attacker, board)).text

    lobby.allow(Permission.VIEW_CHANNEL)
    assert not (await other.press(waiting, label="Take the hit")).failed
    await sandbox.wait_for(lambda: board_requests(sandbox)[-1].status == 200)
    await sandbox.wait_for(lambda: room.house.easel.idle)
    assert say("board.no_access") not in (await hand_of(attacker, board)).text
    (match,) = room.house.matches.live()
    assert match.position.acts == 2


async def test_F_17_a_player_who_left_the_server_loses_by_the_clock(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="blitz")
    attacker, _, defender, _ = await asked_first([alice, bob], board)
    sandbox.remove_member(attacker)
    (match,) = room.house.matches.live()
    assert not match.over
    room.pass_time(31)
    told = say("ending.time", winner=defender.name, loser=attacker.name)
    await sandbox.wait_for(lambda: told in board.text)


async def test_F_18_after_a_removal_and_a_return_the_match_goes_on(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="daily")
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    before = hand.text
    sandbox.remove_bot()
    await sandbox.wait_for(lambda: len(room.client.guilds) == 1)
    (match,) = room.house.matches.live()
    sandbox.add_bot()
    await sandbox.wait_for(lambda: len(room.client.guilds) == 2)
    again = await hand_of(attacker, board)
    assert again.text == before
    assert await move(attacker, again, random.Random(1)) is not None
    assert match.position.acts == 1


async def test_F_16_a_board_that_may_not_be_posted_anew_is_named_privately(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, waiting = await asked_first([alice, bob], board)
    sandbox.delete_message(board)
    lobby.deny(Permission.SEND_MESSAGES)
    assert await move(attacker, hand, random.Random(1)) is not None
    await sandbox.wait_for(lambda: waiting.find_button("Take the hit"))
    await sandbox.wait_for(lambda: room.house.easel.idle)
    (match,) = room.house.matches.live()
    assert room.house.painter.barred(match) == "board.no_sending"
    assert lobby.messages == []
