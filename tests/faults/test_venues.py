"""A board is deleted, F-14, again and again, F-39; a player leaves the server, F-17. Lost venues: `test_suspension`."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import random

from bot.play.clocks.deadlines import GRACE
from bot.store.queries.matches import Suspension
from bot.ui.catalogue import translations
from cogs.updates.board_updater import REMOVALS
from discord_sandbox import Sandbox
from laws.play import random_act
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import asked_first, challenge, hand_of, move

say = translations("en")


async def test_F_14_a_deleted_board_is_posted_anew_once(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, other, _ = await asked_first([alice, bob], board)
    sandbox.delete_message(board)
    await move(attacker, hand, random.Random(1))
    await sandbox.wait_for(lambda: len(lobby.messages) == 1)
    (anew,) = lobby.messages
    await move(other, await hand_of(other, anew), random.Random(1))
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert lobby.messages == [anew]
    (match,) = room.app.matches.live()
    row = await room.store.match(match.id)
    assert row is not None
    assert row.board_id == match.board_id == anew.id


async def test_F_39_where_every_board_is_removed_the_players_read_it_and_resume(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="daily")
    hand = await hand_of(alice, board)
    (match,) = room.app.matches.live()
    for _ in range(REMOVALS + 1):
        for message in list(lobby.messages):
            sandbox.delete_message(message)
        (seat,) = match.awaited
        with room.press(match, 900 + match.position.acts) as press:
            await press.act(match, seat, random_act(match.choices(seat), random.Random(1)))
        await asyncio.sleep(3)
    assert match.suspended is Suspension.BOARD_REMOVED
    assert (
        len([each for each in sandbox.transcript.requests if each.path.endswith(f"/{lobby.id}/messages")]) == REMOVALS
    )
    await sandbox.wait_for(lambda: say("suspended.board_removed") in hand.text)
    listed = await alice.slash(lobby, "games")
    assert say("games.suspended.board_removed") in listed.text
    await alice.press(listed.message, custom_id=f"g1:games:0:resume:{match.id}")
    await sandbox.wait_for(lambda: any("My cards" in each.labels for each in lobby.messages))
    assert match.suspended is None


async def test_F_17_a_player_who_left_the_server_loses_by_the_clock(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="blitz")
    attacker, *_ = await asked_first([alice, bob], board)
    sandbox.remove_member(attacker)
    (match,) = room.app.matches.live()
    assert not match.over
    room.pass_time(31 + GRACE / 1000)
    told = say("ending.time", loser=attacker.name)
    await sandbox.wait_for(lambda: told in board.text)
