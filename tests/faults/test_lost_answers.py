"""F-34: an answer is lost and its sender presses again, in a turn and in a race, also when the process was killed."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import acts, challenge, hand_of, ready_to_attack
from tests.end_to_end.racers import DRAW
from tests.end_to_end.test_tivmiv import started
from tests.faults.bot_process import LATE, ForkedBot
from tests.faults.test_killed import killed_during, log
from tests.wrapped_text import unwrapped

say = translations("en")

CALLBACK = "/interactions/*/*/callback"
MADE = say("press.made_before", told="").strip()
WAYS = ["too late", "refused", "cut", "timed out"]


def lose_answer(sandbox: Sandbox, how: str) -> None:
    """Have the next press answered too late, or not at all."""
    match how:
        case "too late":
            sandbox.faults.on("POST", CALLBACK, status=404, code=10062, before=lambda: sandbox.advance(3.5))
        case "refused":
            sandbox.faults.on("POST", CALLBACK, status=400, code=50035, times=2)  # plain, too
        case "cut":
            sandbox.faults.on("POST", CALLBACK, drop="before", times=3)
        case _:
            sandbox.faults.on("POST", CALLBACK, delay=3.2)


@pytest.mark.parametrize("how", WAYS)
async def test_F_34_in_a_turn_the_next_press_is_told_what_was_made(sandbox: Sandbox, room: Cardroom, how: str) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="daily")
    attacker, hand, other, waiting = await ready_to_attack([alice, bob], board)
    (match,) = room.app.matches.live()
    button = hand.button("Attack").custom_id
    lose_answer(sandbox, how)
    assert (await attacker.press(hand, custom_id=button)).failed
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    again = await attacker.press(hand, custom_id=button, force=True)
    assert not again.failed
    assert f"{MADE} {attacker.name} attacks with" in unwrapped(again.text)
    assert again.message.ephemeral
    assert match.position.acts == 1
    assert MADE not in unwrapped(waiting.text + (await hand_of(other, board)).text + board.text)
    assert say("press.stale") in unwrapped((await attacker.press(again.message, custom_id=button, force=True)).text)


async def test_F_34_a_face_held_twice_is_placed_once(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, "tivmiv")
    match = await started(room)
    hand = await hand_of(alice, board)
    seat = match.seat_of(alice.id)
    assert seat is not None
    while not (twice := [button for button in acts(hand) if "²" in button.label]):
        assert not (await alice.press(hand, label=DRAW)).failed
    held = len(match.position.state.hands[seat])
    value = int(twice[0].label.split("±")[0].strip())
    await until_it_takes(room, value, bob, board)
    lose_answer(sandbox, "too late")
    face = twice[0].label[:-1]
    button = next(each.custom_id for each in acts(hand) if each.label.startswith(face))
    assert (await alice.press(hand, custom_id=button)).failed
    assert len(match.position.state.hands[seat]) == held - 1
    assert MADE in unwrapped((await alice.press(hand, custom_id=button, force=True)).text)
    assert len(match.position.state.hands[seat]) == held - 1


async def until_it_takes(room: Cardroom, value: int, person: Person, board: MessageView) -> None:
    """Let a person draw and place until the pile takes a value."""
    (match,) = room.app.matches.live()
    hand = await hand_of(person, board)
    while value not in (takes := match.public().takes):
        fitting = [each for each in acts(hand) if each.label.split("±")[0].strip() in {str(other) for other in takes}]
        reply = await person.press(hand, custom_id=(fitting[0] if fitting else hand.button(DRAW)).custom_id)
        assert not reply.failed


async def test_F_34_a_bot_killed_before_the_answer_tells_what_was_made_after_its_start(
    sandbox: Sandbox, forked_bot: ForkedBot, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    await forked_bot.start()
    board = await challenge(alice, bob, lobby, clock="daily")
    attacker, hand, _, _ = await ready_to_attack([alice, bob], board)
    button = hand.button("Attack").custom_id
    await kill_at_answer(sandbox, forked_bot, attacker, hand, button)
    made = log(tmp_path)
    assert len(made) == 1
    await forked_bot.start()
    again = await attacker.press(hand, custom_id=button, force=True)
    assert f"{MADE} {attacker.name} attacks with" in unwrapped(again.text)
    assert log(tmp_path) == made
    assert say("press.stale") in unwrapped((await attacker.press(again.message, custom_id=button, force=True)).text)


async def kill_at_answer(
    sandbox: Sandbox, forked_bot: ForkedBot, person: Person, hand: MessageView, button: str
) -> None:
    """Press, and kill the bot once the act is saved and before it is answered."""
    forked_bot.kill_at("swapped")
    pressing = asyncio.create_task(person.press(hand, custom_id=button))
    assert await killed_during(pressing, forked_bot) == -signal.SIGKILL
    sandbox.advance(LATE)
    assert (await pressing).failed
