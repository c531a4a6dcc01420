"""Many matches at once (L-1; longer: `make soak`), and many presses at once: on one match, and by one person."""

# ruff: noqa: N802  a test's name bears the number of its load

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from laws.suite import SHARE
from tests.end_to_end.board_edits import edits_of
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.players import asked_first, challenge, hand_of, picks
from tests.soak import matches
from tests.soak.people import Manners

say = translations("en")

QUICK = {
    "haymaker": ("default",),
    "unbreakable": ("few_attackers",),
    "ciq": ("short",),
    "tivmiv": ("one_phase",),
    "champions": ("chosen_icons",),
}
SECONDS, SERVERS = (8, 2) if SHARE >= 1 else (1, 1)
"""Of the bot's time that are played before all resign, and where."""
CLUMSY = Manners(twice=0.08, stale=0.08, rules=0.02, onlooker=0.03, resign=0.005)


async def test_L_1_matches_of_all_games_at_once_end_by_the_laws_and_leave_nothing_behind() -> None:
    load = await matches.run(matches.Plan(servers=SERVERS, seed=4, seconds=SECONDS, settings=QUICK, manners=CLUMSY))
    assert not load.faults, load


async def test_L_4_of_fifty_presses_one_is_applied_for_the_question(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    attacker, hand, defender, _ = await asked_first([alice, bob], board)
    await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
    attack = hand.button("Attack").custom_id
    sandbox.transcript.clear()
    replies = await asyncio.gather(
        *(person.press(board, custom_id=attack, force=True) for person in (attacker, defender) for _ in range(25))
    )
    assert not any(reply.failed for reply in replies)
    (match,) = room.app.matches.live()
    assert match.position.acts == 1
    assert len(await room.store.records(match.id)) == 2
    await sandbox.wait_for(lambda: room.app.updates.edit_queue.idle)
    edits = [each.at for each in edits_of(sandbox, board)]
    assert edits
    assert all(later - earlier > 0.9 for earlier, later in itertools.pairwise(edits))


async def test_L_6_who_presses_a_hundred_times_a_second_is_limited_and_others_are_not(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_PRESSES_PER_SECOND="10"):
        board = await challenge(alice, bob, lobby)
        mine = asyncio.gather(*(alice.press(board, label="My cards") for _ in range(100)))
        theirs = await hand_of(bob, board)
        replies = await mine
        await asyncio.sleep(1.0)
        assert (await hand_of(alice, board)).text != say("press.too_fast", limit=10)
    assert not any(reply.failed for reply in replies)
    told = [
        reply for reply in replies if reply.visibility == "ephemeral" and reply.text == say("press.too_fast", limit=10)
    ]
    assert len(told) == 1
    silent = [reply for reply in replies if reply.kind == "deferred_update"]
    assert len(silent) >= 50
    assert theirs.ephemeral
