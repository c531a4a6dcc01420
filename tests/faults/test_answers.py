"""What Discord does to answers: F-10 lost after it took them, F-11 too late, F-12 limits, F-13 its own failures."""

# ruff: noqa: N802  a test's name bears the number of its fault

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from bot.gateway.lean.session import LeanSession, Reply
from bot.ui.catalogue import translations
from cogs.updates import edit_queue
from discord_sandbox import Exchange, MessageView, Sandbox, Scope
from tests.end_to_end.board_edits import edited_by_bot
from tests.end_to_end.cardroom import Cardroom
from tests.end_to_end.players import card_of, challenge, hand_of, is_picked, move, press_where_it_is, ready_to_attack

say = translations("en")

CALLBACK = "/interactions/*/*/callback"
HAND = "/webhooks/*/*/messages/@original"
BOARD = "/channels/*/messages/*"


def answers(sandbox: Sandbox) -> list[Exchange]:
    """The first responses the bot has tried to give."""
    return [each for each in sandbox.transcript.requests if each.path.endswith("/callback")]


@pytest.fixture(autouse=True)
def sent_lean(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The methods of requests that were sent past the library's session (`bot.gateway.lean.session`)."""
    methods: list[str] = []
    send = LeanSession.send

    async def counted(lean: LeanSession, method: str, *sent: Any) -> Reply | None:
        methods.append(method)
        return await send(lean, method, *sent)

    monkeypatch.setattr(LeanSession, "send", counted)
    return methods


async def test_answers_and_hands_are_sent_past_the_librarys_session(
    sandbox: Sandbox, room: Cardroom, sent_lean: list[str]
) -> None:
    board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    attacker, hand, _, waiting = await ready_to_attack(sandbox.people[:2], board)
    await attacker.press(hand, label="Attack")
    await sandbox.wait_for(lambda: waiting.find_button("Take the hit"))
    assert sent_lean.count("POST") == len(answers(sandbox)) - 1  # the challenge's own message is echoed for its id
    assert "PATCH" in sent_lean
    await sandbox.wait_for(lambda: room.figures["cardroom_first_response_seconds_count"] == len(answers(sandbox)))


async def test_F_10_an_answer_that_times_out_after_discord_took_it_is_not_given_again(
    sandbox: Sandbox, room: Cardroom, caplog: pytest.LogCaptureFixture
) -> None:
    board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    attacker, hand, _, _ = await ready_to_attack(sandbox.people[:2], board)
    before = len(answers(sandbox))
    sandbox.faults.on("POST", CALLBACK, answer_delay=3.2)
    reply = await attacker.press(hand, label="Attack")
    assert not reply.failed
    await sandbox.wait_for(lambda: "an answer took longer" in caplog.text)
    assert room.figures["cardroom_answers_too_slow_total"] == 1
    sandbox.advance(4)
    (match,) = room.app.matches.live()
    assert match.position.acts == 1
    assert not (await hand_of(attacker, board)).deleted
    assert len(answers(sandbox)) == before + 2
    assert "40060" not in caplog.text


async def test_F_10_with_a_fifth_of_the_answers_cut_no_press_fails_and_every_move_is_made_once(
    sandbox: Sandbox, room: Cardroom
) -> None:
    rng = random.Random(4)
    people = {name: sandbox.user(name) for name in ("Alice", "Bob")}
    board = await challenge(people["Alice"], people["Bob"], sandbox.channel("lobby"), clock="daily")
    (match,) = room.app.matches.live()
    for nth in rng.sample(range(1, 400), 80):
        sandbox.faults.on("POST", CALLBACK, nth=nth, drop=rng.choice(["before", "after"]))
    moves, asked = 0, list(people.values())
    while not match.over:
        asked.reverse()
        reply = await move(asked[0], await hand_of(asked[0], board), rng)
        if reply is not None:
            assert not reply.failed
            moves += 1
            await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)  # or a hand changes under the finger
    given = answers(sandbox)
    assert sum(not each.status for each in given) > len(given) / 7
    assert not any(each.status == 400 for each in answers(sandbox))
    records = await room.store.records(match.id)
    assert len([each for each in records if each.actor is not None]) == moves


async def test_F_11_a_move_whose_answer_came_too_late_counts_and_the_board_shows_it(
    sandbox: Sandbox, room: Cardroom
) -> None:
    board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    attacker, hand, _, waiting = await ready_to_attack(sandbox.people[:2], board)
    card = card_of(next(button.label for button in hand.buttons if is_picked(button.label)))
    sandbox.faults.on("POST", CALLBACK, status=404, code=10062, before=lambda: sandbox.advance(3.5))
    reply = await attacker.press(hand, label="Attack")
    assert reply.failed
    (match,) = room.app.matches.live()
    assert match.position.acts == 1
    await sandbox.wait_for(lambda: f"`{card}`" in board.text)
    assert [each.status for each in answers(sandbox) if str(reply.interaction_id) in each.path] == [404]
    await sandbox.wait_for(lambda: waiting.find_button("Take the hit"))
    await hand_of(attacker, board)
    assert match.position.acts == 1


@edited_by_bot
@pytest.mark.parametrize("scope", ["user", "shared", "global"])
async def test_F_12_limited_boards_wait_and_coalesce_while_play_continues(
    sandbox: Sandbox, room: Cardroom, scope: Scope
) -> None:
    board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    attacker, hand, other, _ = await ready_to_attack(sandbox.people[:2], board)
    limited = sandbox.faults.on("PATCH", BOARD, status=429, retry_after=1.5, scope=scope)
    assert not (await attacker.press(hand, label="Attack")).failed
    await sandbox.wait_for(lambda: limited.struck)
    told = await hand_of(other, board)
    assert not (await other.press(told, label="Take the hit")).failed
    (match,) = room.app.matches.live()
    assert match.position.acts == 2
    edits = len(board_edits(sandbox))
    await sandbox.wait_for(lambda: len(board_edits(sandbox)) > edits)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    assert len(board_edits(sandbox)) <= edits + 2
    assert timeless_equal(room, board)


@edited_by_bot
async def test_F_13_after_half_a_minute_of_failures_the_board_is_right_and_the_match_was_playable(
    sandbox: Sandbox, room: Cardroom
) -> None:
    board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    attacker, hand, other, _ = await ready_to_attack(sandbox.people[:2], board)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    shown = board.text
    failing = sandbox.faults.on("PATCH", BOARD, status=503, times=None)
    assert not (await attacker.press(hand, label="Attack")).failed
    await sandbox.wait_for(lambda: failing.struck)
    told = await hand_of(other, board)
    assert not (await other.press(told, label="Take the hit")).failed
    await asyncio.sleep(30)
    assert 2 <= failing.struck <= 2 * edit_queue.TRIES  # of two moves
    assert board.text == shown
    sandbox.faults.remove(failing)
    await sandbox.wait_for(lambda: board.text != shown and timeless_equal(room, board), 120)


async def test_F_13_hands_that_discord_fails_to_take_are_right_afterwards_also_the_last_ones(
    sandbox: Sandbox, room: Cardroom, caplog: pytest.LogCaptureFixture
) -> None:
    board = await challenge(sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby"))
    attacker, hand, _, waiting = await ready_to_attack(sandbox.people[:2], board)
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    # Lines that are cut: what Discord answers with 5xx the library offers it again by itself, for 25 seconds.
    sandbox.faults.on("PATCH", HAND, drop="before", times=3)
    assert not (await attacker.press(hand, label="Attack")).failed
    await sandbox.wait_for(lambda: waiting.find_button("Take the hit"), 60)
    (match,) = room.app.matches.live()
    sandbox.faults.on("PATCH", HAND, drop="before", times=3)
    await attacker.press((await press_where_it_is(attacker, board, "Resign")).message, label="Resign")
    ended = say("ending.resignation", loser=attacker.name)
    await sandbox.wait_for(lambda: ended in waiting.text, 60)
    assert match.over
    await sandbox.wait_for(lambda: not len(room.app.updates.open_hands))
    assert "error " not in caplog.text


def board_edits(sandbox: Sandbox) -> list[Exchange]:
    """The bot's tries to edit a board."""
    return [each for each in sandbox.transcript.requests if each.method == "PATCH" and "/channels/" in each.path]


def timeless_equal(room: Cardroom, board: MessageView) -> bool:
    """Whether a board asks the question that is on the only match's table."""
    (match,) = room.app.matches.live()
    look, reader = room.app.presenters[match.game.info.key], room.app.readers.public(match)
    return look.question(match.public(), reader) in board.text
