"""The seal on a board deals the same cards again, and a result that nobody saw is shown after a restart."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from discord_sandbox import Sandbox
from engines import GAMES
from engines.chance import SeededChance
from engines.deals import NO_SALT, Deal, commitment_of
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.deals import fixed_deals
from tests.end_to_end.players import OVER, challenge, hand_of, play_out, press_where_it_is


async def test_the_revealed_seed_deals_the_same_cards_again(sandbox: Sandbox, room: Cardroom) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    board = await challenge(alice, bob, lobby)
    opened = [await hand_of(person, board) for person in (alice, bob)]
    hands = [" ".join((hand.text, *hand.labels)) for hand in opened]
    await play_out({"Alice": alice, "Bob": bob}, board, random.Random(3))
    await sandbox.wait_for(lambda: board.labels == OVER)
    proof = (await press_where_it_is(bob, board, "Proof")).text
    shown = re.search(r"Seed: `(\w+)`\n[^§]*Seal: `(\w+)`[^§]*\nDeal: `(\w+)`[^§]*Options: `([^`]+)`", proof)
    assert shown is not None
    seed, seal, deal_id, sealed = bytes.fromhex(shown[1]), bytes.fromhex(shown[2]), shown[3], shown[4]
    game = GAMES["haymaker"]
    assert commitment_of(seed, "haymaker", game.info.rules_version, deal_id, sealed, terms="off 120") == seal
    table = Deal("haymaker", game.info.rules_version, deal_id, (NO_SALT, NO_SALT))
    options = game.info.options()
    chance = SeededChance(seed, table, 0, game.pack(options, 2).pack_id)
    dealt = game.deal(game.start(options, 2), chance)
    cards = {event.seat: event.cards for event in dealt if type(event).__name__ == "HandDealt"}
    for seat, hand in enumerate(hands):
        assert all(card.name in hand for card in cards[seat])


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
