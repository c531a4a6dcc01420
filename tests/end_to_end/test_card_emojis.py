"""Card emojis end to end: uploaded by a first start, used by every later one; cards are text while any is missing."""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.art.images import Family, Size, images
from bot.gateway.card_emojis import PAUSE
from discord_sandbox import MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom
from tests.end_to_end.emojis import emoji_names_on, give_emojis
from tests.end_to_end.players import acts, challenge, hand_of, move, picks

EVERY = [image.emoji_name for image in images(Size.EMOJI).values()]
LONG_ENOUGH = PAUSE * 2 * len(EVERY)
PRESSES = 5


@asynccontextmanager
async def room_with_emojis(sandbox: Sandbox, folder: Path) -> AsyncIterator[Cardroom]:
    async with cardroom(sandbox, folder, CARDROOM_CARD_EMOJIS="on") as room:
        yield room


def requests(sandbox: Sandbox, method: str) -> int:
    """How many requests for emojis there were so far."""
    return sum("/emojis" in each.path and each.method == method for each in sandbox.transcript.requests)


async def attack(people: list[Person], board: MessageView) -> tuple[Person, MessageView]:
    """The attacker with their hand."""
    hands = [await hand_of(person, board) for person in people]
    return next((person, hand) for person, hand in zip(people, hands, strict=True) if picks(hand))


def with_emojis(hand: MessageView) -> list[str]:
    return [button.emoji for button in hand.buttons if button.emoji]


async def test_a_first_start_uploads_them_while_people_play_in_text(sandbox: Sandbox, tmp_path: Path) -> None:
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with room_with_emojis(sandbox, tmp_path) as room:
        board = await challenge(alice, bob, lobby, clock="daily")
        attacker, hand = await attack([alice, bob], board)
        assert with_emojis(hand) == []
        assert len(emoji_names_on(sandbox)) < 20
        assert "①" in board.text
        await asyncio.sleep(LONG_ENOUGH)
        assert sorted(emoji_names_on(sandbox)) == sorted(EVERY)
        hand = await hand_of(attacker, board)
        assert len(with_emojis(hand)) == len(picks(hand))
        assert {button.label for button in hand.buttons if button.emoji} == {""}
        await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
        picked = next(button.emoji for button in hand.buttons if button.style == 1 and button.emoji)
        assert f"<:{picked}:" in hand.text
        await attacker.press(hand, custom_id=acts(hand)[0].custom_id)
        await sandbox.wait_for(lambda: f"<:{picked}:" in board.text)
        assert re.search(r"<:seat_1_[0-9a-f]{6}:[0-9]+>", board.text)
        assert room.client.card_emojis.usable(Family.FRENCH) is not None
    assert requests(sandbox, "POST") == len(EVERY)


@pytest.mark.nightly(rare=True)  # thirty moves each
@pytest.mark.parametrize("game", ["haymaker", "unbreakable", "ciq", "champions"])
async def test_matches_are_played_with_them(sandbox: Sandbox, tmp_path: Path, game: str) -> None:
    give_emojis(sandbox)
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with room_with_emojis(sandbox, tmp_path):
        await sandbox.wait_for(lambda: requests(sandbox, "GET"))
        board = await challenge(alice, bob, lobby, game)
        rng, seen = random.Random(5), set[str]()
        for _ in range(30):
            for person in (alice, bob):
                if "My cards" in board.labels:
                    hand = await hand_of(person, board)
                    seen |= set(with_emojis(hand))
                    await move(person, hand, rng)
        assert len(seen) >= 3
        refused = [each for each in sandbox.transcript.requests if each.status == 400]
        assert refused == []


async def test_text_that_a_server_wants_and_emojis_that_somebody_deleted_cost_no_press(
    sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    give_emojis(sandbox)
    alice, bob, carol = map(sandbox.user, ("Alice", "Bob", "Carol"))
    lobby, emojis = sandbox.channel("lobby"), sandbox.world.application.emojis

    def delete(name: str) -> None:
        del emojis[next(number for number, each in emojis.items() if each["name"] == name)]

    async with room_with_emojis(sandbox, tmp_path) as room:
        # A server that wants text has it on every board at once, and hands stay.
        await sandbox.wait_for(lambda: requests(sandbox, "GET"))
        boards = [await challenge(alice, other, lobby) for other in (bob, carol)]
        hands = []
        for people, board in (([alice, bob], boards[0]), ([alice, carol], boards[1])):
            attacker, hand = await attack(people, board)
            await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
            assert not (await attacker.press(hand, label="Attack")).failed
            defender = next(person for person in people if person is not attacker)
            hands.append(await hand_of(defender, board))
        await sandbox.wait_for(lambda: all("<:" in board.text for board in boards))
        for word, in_emojis in (("text", False), ("emojis", True)):
            screen = (await alice.slash(lobby, "settings")).message
            control = next(
                each for each in screen.selects if f"board_form.{word}" in [option.value for option in each.options]
            )
            await alice.select(screen, custom_id=control.custom_id, values=[f"board_form.{word}"])
            await sandbox.wait_for(lambda: {"<:" in board.text for board in boards} == {in_emojis})  # noqa: B023  at once
            assert all("<:" in hand.text for hand in hands)

        # An emoji that somebody deleted costs no press and comes back.
        await room.clear()
        board = await challenge(alice, bob, lobby)
        attacker, hand = await attack([alice, bob], board)
        gone = with_emojis(hand)[0]
        delete(gone)
        plain = await hand_of(attacker, board)
        assert any("♣" in button.label or "♠" in button.label for button in plain.buttons)
        assert not with_emojis(plain)
        assert not any([with_emojis(await hand_of(attacker, board)) for _ in range(PRESSES)])
        await asyncio.sleep(5 * PAUSE)
        hand = await hand_of(attacker, board)
        assert gone in with_emojis(hand)
        assert caplog.text.count("Discord refused an emoji of a card") == 1

        # An open hand whose edit is refused for an emoji is shown all the same.
        waiting = await hand_of(bob if attacker is alice else alice, board)
        delete(re.findall(r"<:(\w+):", waiting.text.partition("Your")[2])[0])
        await attacker.press(hand, custom_id=picks(hand)[0].custom_id)
        await attacker.press(hand, custom_id=acts(hand)[0].custom_id)
        await sandbox.wait_for(lambda: waiting.find_button("Take the hit"))
        assert caplog.text.count("Discord refused an emoji of a card") == 2


async def test_turned_off_nothing_is_asked_and_cards_are_text(sandbox: Sandbox, tmp_path: Path) -> None:
    give_emojis(sandbox)
    alice, bob, lobby = sandbox.user("Alice"), sandbox.user("Bob"), sandbox.channel("lobby")
    async with cardroom(sandbox, tmp_path, CARDROOM_CARD_EMOJIS="off"):
        _, hand = await attack([alice, bob], await challenge(alice, bob, lobby))
        await asyncio.sleep(10)
        assert with_emojis(hand) == []
    assert requests(sandbox, "GET") == 0


@pytest.fixture(autouse=True)
def logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bot")
