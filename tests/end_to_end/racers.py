"""People who race: each in a task of their own, pressing what they see as soon as their last press was answered."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.ui.catalogue import translations
from discord_sandbox import Button, MessageView, Person, Reply
from tests.end_to_end.players import acts, hand_of

say = translations("en")

ON_TOP = re.compile(r"Takes \*\*(\d+)\*\* or \*\*(\d+)\*\*")
DINNER = say("tivmiv.act.dinner")
READY = say("tivmiv.act.ready")
DRAW = say("tivmiv.act.draw")
WAIT = "**Wait for GO**"
LOOK = 0.01
"""Seconds between two looks at a hand that offers nothing."""
MOST_LOOKS = 20_000
TOO_LATE = " doesn't fit on "


async def make_ready(people: Sequence[Person], board: MessageView) -> None:
    """Everybody presses *Ready*, so that the phase which they wait for begins."""
    for person in people:
        await person.press(await hand_of(person, board), label=READY)


@dataclass
class Racer:
    """One person, what they see, and what became of their presses. They ask for their hand unless it is given.

    `careless` is how often a card is pressed that does not fit what the hand says is on top. `told` counts the presses
    by kind, `too_late` those that were told what is on top now.
    """

    person: Person
    board: MessageView
    rng: random.Random
    hand: MessageView | None = None
    careless: float = 0.1
    pause: float = 0.0
    replies: list[Reply] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)
    too_late: int = 0

    async def race(self) -> None:
        """Press until the match is over. Raises AssertionError for a press that failed, or for too many."""
        hand = self.hand or await hand_of(self.person, self.board)
        for _ in range(MOST_LOOKS):
            if "My cards" not in self.board.labels:
                return
            if not acts(hand) or WAIT in hand.text:
                await asyncio.sleep(LOOK)
                continue
            await self.press(hand)
            await asyncio.sleep(self.pause)
        raise AssertionError("the match does not end")

    async def press(self, hand: MessageView) -> Reply:
        """One press of what the hand offers."""
        button = self.choose(hand)
        reply = await self.person.press(hand, custom_id=button.custom_id)
        assert not reply.failed, reply.reason
        self.replies.append(reply)
        self.told[_kind(button.label)] += 1
        self.too_late += TOO_LATE in reply.text
        return reply

    def choose(self, hand: MessageView) -> Button:
        """Ready and the cry before all; then mostly a card that fits, or else a drawing."""
        buttons = {button.label: button for button in acts(hand)}
        for first in (READY, DINNER):
            if first in buttons:
                return buttons[first]
        top = ON_TOP.search(hand.text)
        fitting = [button for label, button in buttons.items() if top and label.split("±")[0].strip() in top.groups()]
        if fitting and self.rng.random() >= self.careless:
            return self.rng.choice(fitting)
        return buttons[DRAW] if self.rng.random() >= self.careless else self.rng.choice(list(buttons.values()))


def _kind(label: str) -> str:
    return label if label in (READY, DINNER, DRAW) else "card"
