"""Matches between people in chats that the bot is no member of: only answers to presses reach them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.store.special_ids import chat_place
from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Sandbox
from tests.end_to_end.cardroom import Cardroom, cardroom, eventually
from tests.end_to_end.players import OVER, challenge, move, press_where_it_is
from tests.end_to_end.practising import only_match

say = translations("en")
ON = "on"
OF_TURNS = ("haymaker", "ciq", "unbreakable", "champions")
DAY = 24 * 3600


async def hand_below(person: Person, board: MessageView, chat: DrivenChannel) -> MessageView:
    """Press *My cards*: the board is brought up to date, and the hand follows in a message of its own."""
    before = {each.id for each in chat.for_only(person)}
    reply = await person.press(board, label="My cards")
    assert (reply.kind, reply.message.id) == ("update", board.id)

    async def came() -> bool:
        return any(each.id not in before for each in chat.for_only(person))

    await eventually(came)
    return chat.for_only(person)[-1]


def two_in(sandbox: Sandbox, kind: str) -> tuple[Person, Person, DrivenChannel]:
    """Alice, who has installed the bot, Bob, who hasn't, and their chat."""
    alice, bob = sandbox.user("Alice"), sandbox.user("Bob")
    alice.user.has_installed = True
    return alice, bob, sandbox.chat(alice, bob, *[sandbox.user("Carol")] * (kind == "group"))


def check_nothing_got_there_by_token(sandbox: Sandbox, chat: DrivenChannel) -> None:
    """The bot has asked for nothing in a chat by its own token, and Discord has refused it nothing."""
    asked = [each for each in sandbox.transcript.requests if f"/channels/{chat.id}" in each.path]
    assert asked == []
    refused = [(each.method, each.path, each.status) for each in sandbox.transcript.requests if each.status >= 400]
    assert refused == []


@pytest.mark.parametrize("kind", ["direct", "group"])
@pytest.mark.parametrize("game", OF_TURNS)
async def test_two_play_where_the_bot_is_not(sandbox: Sandbox, tmp_path: Path, game: str, kind: str) -> None:
    (alice, bob, chat), rng = two_in(sandbox, kind), random.Random(5)
    async with cardroom(sandbox, tmp_path, CARDROOM_USER_INSTALL=ON) as room:
        board = await challenge(alice, bob, chat, game)
        match = await only_match(room)
        assert (match.guild_id, match.rated, match.time_control.slow) == (chat_place(chat.id), False, True)
        people = {person.id: person for person in (alice, bob)}
        for _ in range(4):
            player = people[match.seats[sorted(match.awaited)[0]]]
            hand, acted = await hand_below(player, board, chat), match.position.acts
            assert await move(player, hand, rng) is not None
            assert match.position.acts > acted
        leaver = people[match.seats[0]]
        asked = await press_where_it_is(leaver, board, "Resign")
        await leaver.press(asked.message, label="Resign")
        assert match.over
        await eventually(lambda: _has(board, *OVER), tries=2000)
        await eventually(room.is_quiet, tries=2000)
        assert [each.id for each in chat.messages] == [board.id]
        titles = [say("hand.title", game=name) for name in ("Haymaker", "CIQ", "Unbreakable", "Champions of Chance")]
        public = " ".join(str(each.body) for each in sandbox.transcript.seen_by(None))
        assert not any(title in public for title in titles)
        rematch = await bob.press(board, label="Rematch")
        assert rematch.visibility == "public"
    check_nothing_got_there_by_token(sandbox, chat)


async def _has(board: MessageView, *labels: str) -> bool:
    return all(label in board.labels for label in labels)
