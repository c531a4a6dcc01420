"""Tiv-Miv end to end: people in tasks of their own who press as fast as they are answered."""

# ruff: noqa: N802  a ruling's number stands in a test's name as it is written

from __future__ import annotations

import asyncio
import contextlib
import random
import re
from collections import Counter
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path

import pytest

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person, Sandbox
from engines.tivmiv import PACK, Stage
from tests.end_to_end.board_edits import edits_of
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import OVER, acts, challenge, hand_of, press_where_it_is, resign, sit_down
from tests.end_to_end.racers import DRAW, READY, TOO_LATE, Racer, make_ready
from tests.wrapped_text import unwrapped

say = translations("en")

READY_TIME = 70
"""Seconds after which the first phase begins even if nobody is ready; a late press has a few more."""
COUNTDOWN = 6
"""Seconds that are enough for GO."""
LONGEST_RACE = 120.0
"""Seconds that a test lets a match take."""
ON_THE_WAY = 0.5
"""Seconds that a request may be held up on a busy machine."""


@contextlib.asynccontextmanager
async def hurried(room: Cardroom, match: LiveMatch) -> AsyncIterator[None]:
    """Countdowns are over as soon as they have begun, and what the house waits for comes at once."""

    async def hurry() -> None:
        while not match.over:
            stage = match.position.state.stage
            if stage is Stage.COUNTDOWN:
                room.pass_time(COUNTDOWN)
            await asyncio.sleep(0.05)

    task = asyncio.create_task(hurry())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def started(room: Cardroom) -> LiveMatch:
    """The one match in play, its first GO given. Nobody has pressed anything."""
    (match,) = room.app.matches.live()
    room.pass_time(READY_TIME)
    await reached(match, Stage.COUNTDOWN)
    await go(room, match)
    return match


async def go(room: Cardroom, match: LiveMatch) -> None:
    """Let the countdown run out, once no edit is under way: it would seem late, and the board be in words."""
    await eventually(room.edits_rest)
    room.pass_time(COUNTDOWN)
    await reached(match, Stage.RACE)


async def reached(match: LiveMatch, stage: Stage) -> None:
    """Return once the match is at this stage of its phase."""

    async def is_there() -> bool:
        return match.position.state.stage is stage

    await eventually(is_there)


def conserved(match: LiveMatch) -> bool:
    state = match.position.state
    return Counter(card for row in (state.pile, *state.hands, *state.decks) for card in row) == Counter(PACK.cards)


@pytest.mark.nightly(rare=True)  # a whole race each; each commit plays other races here
@pytest.mark.parametrize(("seats", "phases"), [(2, 2), (3, 1), (4, 1), (5, 1), (6, 2)])
async def test_people_in_tasks_of_their_own_race_to_the_end(
    sandbox: Sandbox, room: Cardroom, seats: int, phases: int
) -> None:
    people, lobby = sandbox.people[:seats], sandbox.channel("lobby")
    board = await sit_down(people, lobby, "tivmiv", phases=phases)
    (match,) = room.app.matches.live()
    racers = [Racer(person, board, random.Random(seat)) for seat, person in enumerate(people)]
    async with hurried(room, match), asyncio.timeout(LONGEST_RACE):
        await asyncio.gather(*(racer.race() for racer in racers))
    assert match.result is not None
    assert match.result.kind in ("points", "shared")
    assert conserved(match)
    assert sum(len(racer.replies) for racer in racers) > 50
    assert len(match.position.state.scores) == phases
    await sandbox.wait_for(lambda: board.labels == OVER)
    told = (await people[0].press(board, label="More…")).text.replace(say("ending.decisive", told=""), "")
    assert all(f"> Phase {phase + 1}: " in told for phase in range(phases))
    records = await room.store.records(match.id)
    answered = {reply.interaction_id for racer in racers for reply in racer.replies}
    made = [record.interaction_id for record in records if record.interaction_id is not None]
    assert len(made) == len(set(made))
    assert set(made) <= answered


async def test_two_who_press_the_same_value_are_judged_one_after_the_other(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, "tivmiv", phases=1)
    match = await started(room)
    hands = {person: await hand_of(person, board) for person in (alice, bob)}
    fitting: dict[Person, list[str]] = {}
    for _ in range(36):
        for person in (alice, bob):
            await person.press(hands[person], label=DRAW)
        fitting = {person: fits(hands[person], match) for person in (alice, bob)}
        if all(fitting.values()):
            break
    top = match.public().top
    before = match.position.acts
    replies = await asyncio.gather(
        *(person.press(hands[person], custom_id=fitting[person][0], force=True) for person in (alice, bob))
    )
    assert not any(reply.failed for reply in replies)
    first, second = replies
    public = match.public()
    refused = [reply for reply in replies if TOO_LATE in reply.text]
    assert len(refused) + match.position.acts - before == 2
    for reply in refused:
        down, up = public.takes
        assert re.search(rf"\*\*\d+±\d doesn't fit on {public.top.name}\.\*\*", unwrapped(reply.text))
        assert say("tivmiv.asked.race", top=f"`{public.top.name}`", down=down, up=up) in unwrapped(reply.text)
    assert public.top != top
    assert first.kind == second.kind == "update"


def fits(hand: MessageView, match: LiveMatch) -> list[str]:
    """The ids of the hand's cards that fit what is on top."""
    values = {str(value) for value in match.public().takes}
    return [button.custom_id for button in acts(hand) if button.label.split("±")[0].strip() in values]


async def test_a_race_waits_for_all_and_for_go_and_may_be_called_off(sandbox: Sandbox, room: Cardroom) -> None:
    # Before go a press is refused and after it taken.
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, "tivmiv")
    (match,) = room.app.matches.live()
    await eventually(room.edits_rest)
    room.pass_time(READY_TIME)
    await reached(match, Stage.COUNTDOWN)
    hand = await hand_of(alice, board)
    reply = await alice.press(hand, label=DRAW)
    assert f"**{say('tivmiv.refusal.before_go')}**" in reply.text
    assert match.position.acts == 1
    await go(room, match)
    await sandbox.wait_for(lambda: say("tivmiv.told.go") in board.text)
    drawn = await alice.press(hand, label=DRAW)
    assert say.count("tivmiv.holding", 1, deck=say.count("tivmiv.in_deck", 35)) in drawn.text
    await sandbox.wait_for(lambda: "1 card in hand" in str(board.raw["components"]))

    # The first phase waits for all to be ready.
    await room.clear()
    board = await challenge(alice, bob, lobby, "tivmiv")
    (match,) = room.app.matches.live()
    assert say("tivmiv.question.dealt", phase=1, phases=6) in board.text
    assert say("board.clock", clock="").partition("{")[0].split(":")[0] not in board.text
    hands = {person: await hand_of(person, board) for person in (alice, bob)}
    assert [button.label for button in acts(hands[alice])] == [READY]
    told = await alice.press(hands[alice], label=READY)
    assert say("tivmiv.asked.dealt_waiting", top=f"`{match.public().top.name}`") in unwrapped(told.text)
    assert match.awaited == {match.seat_of(bob.id)}
    await bob.press(hands[bob], label=READY)
    await reached(match, Stage.COUNTDOWN)

    # A match may be called off after go as long as nobody has moved.
    await room.clear()
    board = await challenge(alice, bob, lobby, "tivmiv")
    await started(room)
    assert (await press_where_it_is(alice, board, "Call off")).text == say("calloff.asked")
    assert (await press_where_it_is(bob, board, "Call off")).text == say("calloff.done")

    # A card of an earlier phase is stale and a drawing is not.
    await room.clear()
    board = await challenge(alice, bob, lobby, "tivmiv", idle_seconds=30)
    match = await started(room)
    hand = await hand_of(alice, board)
    await alice.press(hand, label=DRAW)
    face = next(button.custom_id for button in acts(hand) if "±" in button.label)
    draw = hand.button(DRAW).custom_id
    other = await hand_of(bob, board)
    await bob.press(other, label=DRAW)
    room.pass_time(31)
    await sandbox.wait_for(lambda: not (hand.button(READY).disabled or other.button(READY).disabled))
    late = await alice.press(hand, custom_id=face, force=True)
    assert say("tivmiv.refusal.phase_over") in late.text
    await alice.press(hand, label=READY)
    await bob.press(other, label=READY)
    await go(room, match)
    assert match.window_number == 2
    stale = await alice.press(hand, custom_id=face, force=True)
    answer = unwrapped(stale.text)
    assert say("press.stale") in answer or say("press.not_offered") in answer
    before = match.position.acts
    again = await alice.press(hand, custom_id=draw, force=True)
    assert match.position.acts == before + 1
    assert say.count("tivmiv.holding", 1, deck=say.count("tivmiv.in_deck", 35)) in again.text

    # When nobody draws the clock draws.
    await room.clear()
    board = await challenge(alice, bob, lobby, "tivmiv")
    match = await started(room)
    hand = await hand_of(alice, board)
    room.pass_time(11)
    await sandbox.wait_for(lambda: say("tivmiv.told.house_draws") in board.text)
    await sandbox.wait_for(lambda: len(acts(hand)) == 3)
    assert [len(each) for each in match.position.state.hands] == [1, 1]
    (card,) = match.position.state.hands[1]
    if card.name != match.position.state.hands[0][0].name:
        assert f"`{card.name}`" not in hand.text


async def test_T_16_being_ready_is_not_a_move_so_the_match_can_be_called_off_after_it(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path):
        board = await challenge(alice, bob, lobby, "tivmiv")
        await make_ready([alice, bob], board)
        assert "Call off" in (await alice.press(board, label="More…")).message.labels
    async with cardroom(sandbox, tmp_path) as room:
        (match,) = room.app.matches.live()
        assert match.can_call_off
        await go(room, match)
        await alice.press(await hand_of(alice, board), label=DRAW)
        assert not match.can_call_off


async def test_who_resigns_leaves_the_race_to_the_others(sandbox: Sandbox, room: Cardroom) -> None:
    people, lobby = sandbox.people[:3], sandbox.channel("lobby")
    board = await sit_down(people, lobby, "tivmiv", phases=1)
    match = await started(room)
    await resign(people[0], board)
    assert match.result is None
    await sandbox.wait_for(lambda: say("tivmiv.told.out_by_resignation", players=people[0].name) in board.text)
    mine = await hand_of(people[0], board)
    assert say("tivmiv.asked.out") in unwrapped(mine.text)
    assert acts(mine) == []
    racers = [Racer(person, board, random.Random(1)) for person in people[1:]]
    async with hurried(room, match), asyncio.timeout(LONGEST_RACE):
        await asyncio.gather(*(racer.race() for racer in racers))
    assert match.result is not None
    assert match.result.ranks[0] == 3


async def test_boards_and_other_hands_are_edited_at_most_once_a_second(sandbox: Sandbox, room: Cardroom) -> None:
    people, lobby = sandbox.people[:6], sandbox.channel("lobby")
    board = await sit_down(people, lobby, "tivmiv", phases=1)
    await started(room)
    sandbox.transcript.clear()
    racers = [Racer(person, board, random.Random(seat), pause=0.2) for seat, person in enumerate(people)]
    async with asyncio.timeout(LONGEST_RACE):
        await asyncio.gather(*(racer.race() for racer in racers))
    await sandbox.wait_for(lambda: board.labels == OVER)
    edits = edits_of(sandbox, board)
    assert len(edits) > 2
    # The bot waits a second from one request to the next, and each may be held up on its way.
    assert all(later.at - earlier.at >= 1 - ON_THE_WAY for earlier, later in pairwise(edits))
    assert edits[-1].at - edits[0].at >= len(edits) - 1 - ON_THE_WAY
