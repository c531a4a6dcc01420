"""The gateway fails: F-7 and F-32 replayed presses, F-8 sessions that cannot be resumed, F-9 refusals for good."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import random

import pytest

from discord_sandbox import Noted, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import asked_first, challenge, hand_of, move, picks
from tests.faults.bot_process import ForkedBot

OUT_FOR = 3.4
"""Seconds of an outage after which a press from its beginning is too old."""
QUIET = 601.0


def befell(sandbox: Sandbox, what: str) -> bool:
    """Whether a connection of the bot began so."""
    return any(isinstance(each, Noted) and what in each.words for each in sandbox.transcript)


async def test_F_7_replayed_presses_are_applied_once_if_fresh_and_dropped_if_old(
    sandbox: Sandbox, room: Cardroom
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    other_board = await challenge(alice, sandbox.user("Carol"), lobby)
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    second, other_hand, _, _ = await asked_first([alice, sandbox.user("Carol")], other_board)
    match, other = room.app.matches.live()
    for person, shown in ((attacker, hand), (second, other_hand)):
        await person.press(shown, custom_id=picks(shown)[0].custom_id)

    sandbox.faults.on("CONNECT", "/gateway", delay=OUT_FOR)
    sandbox.drop_gateway()
    await sandbox.wait_for(lambda: not sandbox.gateway.connected)
    old = asyncio.create_task(attacker.press(hand, label="Attack"))
    old_command = asyncio.create_task(alice.slash(lobby, "haymaker open"))
    await asyncio.sleep(OUT_FOR - 0.4)
    fresh = asyncio.create_task(second.press(other_hand, label="Attack"))
    assert (await old).failed
    assert (await old_command).failed
    assert not (await fresh).failed
    await sandbox.wait_for_bot()
    assert match.position.acts == 0
    assert room.app.invitations.open() == ()
    assert other.position.acts == 1
    assert befell(sandbox, "RESUMED")
    assert room.figures["cardroom_late_interactions_total kind=press"] == 1
    assert room.figures["cardroom_late_interactions_total kind=command"] == 1

    again = await attacker.press(hand, label="Attack")
    assert not again.failed
    assert match.position.acts == 1


async def test_F_32_after_ten_quiet_minutes_a_replayed_press_that_failed_is_dropped_and_a_fresh_one_applied(
    sandbox: Sandbox, room: Cardroom, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="daily")
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    (match,) = room.app.matches.live()
    await asyncio.sleep(QUIET)

    sandbox.faults.on("CONNECT", "/gateway", delay=6)
    sandbox.drop_gateway()
    await sandbox.wait_for(lambda: not sandbox.gateway.connected)
    old = await attacker.press(hand, label="Attack")
    assert old.failed
    await asyncio.sleep(2)
    again = await attacker.press(hand, label="Attack")
    assert befell(sandbox, "RESUMED")
    assert not again.failed
    assert "dropped a press that came" in caplog.text
    made = [each.interaction_id for each in await room.store.records(match.id) if each.actor is not None]
    assert made == [again.interaction_id]


async def test_F_7_a_press_that_comes_twice_is_applied_once(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    sandbox.faults.on_event("INTERACTION_CREATE", twice=True)
    assert not (await attacker.press(hand, label="Attack")).failed
    (match,) = room.app.matches.live()
    answers = [each for each in sandbox.transcript.requests if each.path.endswith("/callback")]
    assert {each.status for each in answers} <= {200, 204}
    assert match.position.acts == 1
    assert len(await room.store.records(match.id)) == 2


async def test_F_8_after_an_invalid_session_matches_go_on_with_one_board(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, _, _ = await asked_first([alice, bob], board)
    sandbox.transcript.clear()
    sandbox.gateway.invalidate(resumable=False)
    await sandbox.wait_for(lambda: befell(sandbox, "READY"))
    assert not (await move(attacker, hand, random.Random(1))).failed  # type: ignore[union-attr]  # there is a move
    (match,) = room.app.matches.live()
    assert match.position.acts == 1
    await hand_of(bob, board)
    assert lobby.messages == [board]


@pytest.mark.parametrize("code", [4004, 4013, 4014])
async def test_F_9_a_refusal_for_good_ends_the_bot_with_one_line(
    sandbox: Sandbox, forked_bot: ForkedBot, code: int
) -> None:
    await forked_bot.start()
    await forked_bot.settle()
    sandbox.transcript.clear()
    sandbox.drop_gateway(code=code, resumable=False)
    assert await forked_bot.ended() == 78
    told = [line for line in forked_bot.logged.splitlines() if line.startswith("cardroom: ")]
    assert len(told) == 1
    assert "Traceback" not in forked_bot.logged
    assert not befell(sandbox, "READY")


async def test_F_9_a_token_that_the_gateway_refuses_ends_the_bot_at_its_first_session(
    sandbox: Sandbox, forked_bot: ForkedBot
) -> None:
    sandbox.faults.on(
        "PUT", "/applications/*/commands", after=sandbox.gateway.reset_token
    )  # the last before the session
    await forked_bot.start(wait=False)
    assert await forked_bot.ended() == 78
    assert forked_bot.logged.splitlines()[-1] == "cardroom: DISCORD_TOKEN: Discord does not accept it"
    assert "Traceback" not in forked_bot.logged
    assert not befell(sandbox, "READY")
