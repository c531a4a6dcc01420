"""What tests of bad input share: two people at a match, and the sentence with which an act must be refused."""

from __future__ import annotations

from collections.abc import Awaitable

from bot.ui.catalogue import translations
from discord_sandbox import DrivenChannel, MessageView, Person, Reply
from tests.bad_input.laws import Court
from tests.end_to_end.players import challenge
from tests.wrapped_text import unwrapped

say = translations("en")


async def two(judge: Court, lobby: DrivenChannel) -> tuple[Person, Person, MessageView]:
    """Alice and Bob at a match of Haymaker, and nothing beside it."""
    await judge.clear()
    alice, bob = judge.people["Alice"], judge.people["Bob"]
    return alice, bob, await challenge(alice, bob, lobby)


async def refusal(judge: Court, acting: Awaitable[Reply], key: str, **values: object) -> None:
    """Raise AssertionError unless an act is answered with this sentence and nothing else, and changes nothing."""
    reply = await judge.refused(acting)
    assert (reply.kind, reply.visibility, reply.text) == ("message", "ephemeral", say(key, **values))


async def refusal_on_hand(judge: Court, acting: Awaitable[Reply], key: str, **values: object) -> None:
    """As `refusal`, where the answer is the hand as it is, with the sentence on it."""
    reply = await judge.refused(acting)
    assert reply.visibility == "ephemeral"
    assert say(key, **values) in unwrapped(reply.text)


def pressed(person: Person, message: MessageView, custom_id: str) -> Awaitable[Reply]:
    """A press with any id, of a button that the message need not have."""
    return person.press(message, custom_id=custom_id, force=True)
