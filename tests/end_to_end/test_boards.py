"""The life of a board, of a clock and of a seal over a match's time."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import pytest

from bot.ui.catalogue import translations
from discord_sandbox import Sandbox
from engines import GAMES
from engines.chance import SeededChance
from engines.deals import NO_SALT, Deal, commitment_of, short_seal
from tests.end_to_end.board_edits import edits_of
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.deals import fixed_deals
from tests.end_to_end.players import OVER, challenge, hand_of, move, play_out

say = translations("en")


async def one_move(sandbox: Sandbox, room: Cardroom) -> None:
    """Let whoever is asked in the only match make a move."""
    (match,) = room.app.matches.live()
    (seat,) = match.awaited
    person = next(person for person in sandbox.people if person.id == match.seats[seat])
    board = next(message for message in sandbox.channel("lobby").messages if "My cards" in message.labels)
    assert await move(person, await hand_of(person, board), random.Random(1)) is not None


async def test_the_next_change_after_55_minutes_posts_the_board_anew(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="daily")
    room.pass_time(56 * 60)
    await sandbox.wait_for(lambda: not board.deleted)
    await one_move(sandbox, room)
    await sandbox.wait_for(lambda: board.deleted)
    (anew,) = lobby.messages
    assert anew.labels == [
        "My cards",
        "Open piles",
        "Rules",
        "Resign",
        "Proof",
        "Show the table",
        "Bring the board down",
    ]
    (match,) = room.app.matches.live()
    assert match.board_id == anew.id
    await one_move(sandbox, room)
    assert lobby.messages == [anew]


async def test_a_deleted_board_comes_back_once_with_the_next_change(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    hand = await hand_of(alice, board)
    asked = alice if any(label == "Attack" for label in hand.labels) else bob
    hand = await hand_of(asked, board)
    sandbox.delete_message(board)
    await move(asked, hand, random.Random(1))
    await sandbox.wait_for(lambda: len(lobby.messages) == 1)
    assert lobby.last.labels == [
        "My cards",
        "Open piles",
        "Rules",
        "Resign",
        "Proof",
        "Show the table",
        "Bring the board down",
    ]


async def test_many_moves_cost_at_most_an_edit_a_second(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    moves = await play_out({"Alice": alice, "Bob": bob}, board, random.Random(2))
    await sandbox.wait_for(lambda: board.labels == OVER)
    edits = edits_of(sandbox, board)
    assert len(edits) > 1
    apart = [later.at - earlier.at for earlier, later in itertools.pairwise(edits)]
    assert moves > len(edits)
    assert all(seconds > 0.9 for seconds in apart)


async def test_clocks_do_not_run_while_the_bot_is_down(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path) as room:
        await challenge(alice, bob, lobby, clock="blitz")
        await alice.slash(lobby, "haymaker challenge", opponent=sandbox.user("Carol"))
        (before,) = await room.store.all_timers()
        (asked,) = await room.store.open_invitations()
    async with cardroom(sandbox, tmp_path, ahead=3 * 3600) as room:
        (after,) = await room.store.all_timers()
        (still,) = await room.store.open_invitations()
        assert list(room.app.matches.live())
        for moved in (after.deadline - before.deadline, still.expires_at - asked.expires_at):
            assert 3 * 3600_000 <= moved < 3 * 3600_000 + 60_000


async def test_clocks_are_paused_while_discord_is_out_of_reach(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby, clock="blitz")
    (match,) = room.app.matches.live()
    (before,) = match.position.timers
    room.client.connection_guard.mark_away()
    room.pass_time(600, ring=False)
    await room.client.connection_guard.connection_restored()
    (after,) = match.position.timers
    assert 590_000 <= after.deadline - before.deadline <= 660_000
    assert not match.over
    await sandbox.wait_for(lambda: f"<t:{after.deadline // 1000}:R>" in board.text)


async def test_the_revealed_seed_deals_the_same_cards_again(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    opened = [await hand_of(person, board) for person in (alice, bob)]
    hands = [" ".join((hand.text, *hand.labels)) for hand in opened]
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
    await sandbox.wait_for(lambda: board.labels == OVER)
    proof = (await bob.press(board, label="Proof")).text
    shown = re.search(r"Seed: `(\w+)`\n[^§]*Seal: `(\w+)`[^§]*\nDeal: `(\w+)`[^§]*Options: `([^`]+)`", proof)
    assert shown is not None
    seed, seal, deal_id, sealed = bytes.fromhex(shown[1]), bytes.fromhex(shown[2]), shown[3], shown[4]
    game = GAMES["haymaker"]
    assert commitment_of(seed, "haymaker", game.info.rules_version, deal_id, sealed) == seal
    assert all(f"Deal {deal_id} · {short_seal(seal)}" in text for text in (*hands, board.text))
    table = Deal("haymaker", game.info.rules_version, deal_id, (NO_SALT, NO_SALT))
    options = game.info.options()
    chance = SeededChance(seed, table, 0, game.pack(options, 2).pack_id)
    dealt = game.deal(game.start(options, 2), chance)
    cards = {event.seat: event.cards for event in dealt if type(event).__name__ == "HandDealt"}
    for seat, hand in enumerate(hands):
        assert all(card.name in hand for card in cards[seat])


async def test_a_hostile_name_is_only_a_name(tmp_path: Path) -> None:
    hostile = "**@everyone** <@&1> [x](https://evil.example)"
    async with Sandbox.running() as sandbox:
        bob = sandbox.user("Bob")
        bob.user.global_name = hostile
        async with cardroom(sandbox, tmp_path):
            alice, lobby = sandbox.user("Alice"), sandbox.channel("lobby")
            asked = await alice.slash(lobby, "haymaker challenge", opponent=bob)
            await bob.press(asked.message, label="Decline")
            assert "**@everyone**" not in asked.message.text
            assert "](https://" not in asked.message.text
            assert r"\@everyone" in asked.message.text
            for request in sandbox.transcript.requests:
                body = request.body
                if isinstance(body, dict) and "allowed_mentions" in body:
                    assert "everyone" not in body["allowed_mentions"].get("parse", [])


async def test_a_result_that_nobody_saw_is_shown_after_a_restart_with_its_ratings_and_the_score(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixed_deals(monkeypatch, 1)  # neither match is a draw
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_INTERACTION_EDITS="off") as room:
        await play_out({"Alice": alice, "Bob": bob}, await challenge(alice, bob, lobby), random.Random(2))
        board = await challenge(alice, bob, lobby)
        (match,) = room.app.matches.live()
        sandbox.faults.on("PATCH", f"/channels/*/messages/{board.id}", status=503, times=None)
        await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
        assert match.effects is not None
        told = [str(change.after.shown) for change in match.effects.ratings]
    assert "My cards" in board.labels
    sandbox.faults.clear()
    async with cardroom(sandbox, tmp_path):
        await sandbox.wait_for(lambda: "Rematch" in board.labels)
        assert [*re.findall(r"· rating (\d+) \(", board.text)] == told
        assert re.search(r"\*\*Alice (2 : 0|1 : 1|0 : 2) Bob\*\*", board.text)
