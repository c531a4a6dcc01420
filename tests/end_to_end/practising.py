"""What tests of matches against computers share."""

from __future__ import annotations

import asyncio
import random
from typing import Final

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from discord_sandbox import MessageView, Person
from tests.end_to_end.cardroom import Cardroom, eventually
from tests.end_to_end.players import acts, hand_of, move

MORE, BACK = (translations("en")(f"button.{key}") for key in ("more", "back_to_cards"))
MOST_MOVES: Final = 400
"""Of one person in one match."""


async def only_match(room: Cardroom) -> LiveMatch:
    """The one match in play, once it has begun."""

    async def began() -> bool:
        return len(room.app.matches) == 1

    await eventually(began)
    (match,) = room.app.matches.live()
    return match


async def says(board: MessageView, *texts: str) -> bool:
    """Whether a message has these texts, also as labels of buttons."""
    said = f"{board.text} {' '.join(board.labels)}"
    return all(text in said for text in texts)


async def play_against_computers(match: LiveMatch, person: Person, board: MessageView) -> None:
    """Have a person play to the end whenever the match waits for them. The board may be the hand of a match without
    one."""
    rng, seat = random.Random(7), match.seats.index(person.id)
    if match.has_board:
        await eventually(lambda: says(board, "My cards"))
    for _ in range(MOST_MOVES):
        await eventually(lambda: waits_for(match, seat))
        if match.over:
            return
        hand = await hand_of(person, board) if match.has_board else board
        if await move(person, hand, rng) is None:
            await asyncio.sleep(0.2)  # the hand is edited at most once a second
            if not match.has_board and hand.find_button(MORE) is not None:
                await look_again(person, hand)
    raise AssertionError("the match does not end")


async def look_again(person: Person, hand: MessageView) -> None:
    """Have a hand shown anew by presses on it: a bot that was started again does not know it until then."""
    await person.press(hand, label=MORE)
    if hand.find_button(BACK) is not None:
        await person.press(hand, label=BACK)


async def race_against_computers(room: Cardroom, match: LiveMatch, person: Person, board: MessageView) -> None:
    """Have a person play to the end of a race: they try something every second."""
    rng = random.Random(7)
    await eventually(lambda: says(board, "My cards"))
    hand = await hand_of(person, board)
    for _ in range(MOST_MOVES):
        if match.over:
            return
        if acts(hand):
            await move(person, hand, rng)
        room.pass_time(1)
        await asyncio.sleep(0.01)
    raise AssertionError("the race does not end")


async def waits_for(match: LiveMatch, seat: int) -> bool:
    """Whether a match waits for a seat, or is over."""
    await asyncio.sleep(0)
    return match.over or seat in match.awaited
