"""People at a table who never pause: match after match of a game, they press what they see once they are answered."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from cogs.screens import custom_ids
from discord_sandbox import Button, DrivenChannel, MessageView, Person, Reply
from tests.end_to_end.players import acts, is_picked, picks, shows_picked, turns, verb
from tests.end_to_end.racers import WAIT, Racer
from tests.games.cases import is_race

OPENINGS, LOOKS, PICKS, MOVES = "openings", "looks", "picks", "moves"
RACE = "tivmiv"
PRIMARY = 1
HANDS_WITHIN = 2.0
"""Seconds after which a hand that asks nothing means that the match is over."""
MOST_LATE = 3
"""Challenges that the bot may defer at a table: it does while the machine is busy, and as it starts."""
MOST_PICKS = 40
"""Picks for one move after which it is made if it can be."""


@dataclass(frozen=True, slots=True)
class Press:
    """Something to press on a hand: its kind, its id, and the value if it is a list."""

    kind: str
    custom_id: str
    value: str = ""


class Table:
    """One press at a time, whoever of the two makes it."""

    def __init__(self, people: Sequence[Person], channel: DrivenChannel, seed: int, game: str = "haymaker") -> None:
        self._people = people
        self._channel = channel
        self._rng = random.Random(seed)
        self._game = game
        self._asked: MessageView | None = None
        self._board: MessageView | None = None
        self._hands: list[MessageView | None] = [None for _ in people]
        self._last = 0
        self._idle_looks = 0
        self._looked_at = 0.0
        self._picked = 0
        self._late = 0

    async def play(self) -> tuple[str, Reply] | None:
        """The next press, and what kind it is; None while nobody can press: a race counts down, or a hand is late.

        A move or a card where a hand offers one, else a look at the cards by the one who may be asked now; between two
        matches the challenge and its acceptance.
        """
        if self._over:
            return OPENINGS, await self._open()
        race = is_race(self._game)
        if race and None in self._hands:  # both act at once, and in Tiv-Miv it begins when both are ready
            return LOOKS, await self._look()
        first = 1 - self._last  # who chooses in secret may change the choice for ever
        for seat in (first, 1 - first):
            hand = self._hands[seat]
            if hand is not None and race and WAIT in hand.text:
                return None
            press = None if hand is None else self._choose(hand, seat)
            if hand is not None and press is not None:
                return press.kind, await self._press(hand, seat, press)
        if self._idle_looks >= len(self._people):
            return None
        return LOOKS, await self._look()

    @property
    def _over(self) -> bool:
        """Whether no match is on: the board says so, or before it does neither was asked anything for a while. What
        follows a move without a choice reaches the hands a moment later."""
        if self._board is None or self._board.find_button("My cards") is None:
            return True
        idle = self._idle_looks >= len(self._people) and not any(hand and any(offered(hand)) for hand in self._hands)
        return idle and time.monotonic() > self._looked_at + HANDS_WITHIN

    def _choose(self, hand: MessageView, seat: int) -> Press | None:
        """What is pressed of a hand: in Tiv-Miv what fits, otherwise anything that leads on."""
        if self._game == RACE and self._board is not None:
            if not acts(hand):
                return None
            button = Racer(self._people[seat], self._board, self._rng).choose(hand)
            return Press(MOVES, button.custom_id)
        moves, others = offered(hand)
        if moves and (not others or self._picked > MOST_PICKS):
            return self._rng.choice(moves)
        return self._rng.choice([*moves, *others]) if moves or others else None

    async def _press(self, hand: MessageView, seat: int, press: Press) -> Reply:
        person = self._people[seat]
        if press.value:
            reply = await person.select(hand, custom_id=press.custom_id, values=[press.value])
        else:
            reply = await person.press(hand, custom_id=press.custom_id)
        self._picked = 0 if press.kind == MOVES else self._picked + 1
        self._last, self._idle_looks = seat, 0 if any(offered(hand)) else 1
        return reply

    async def _open(self) -> Reply:
        host, guest = self._people
        if self._asked is None:
            reply = await host.slash(self._channel, f"{self._game} challenge", opponent=guest)
            if reply.message.find_button("Accept") is not None:
                self._asked = reply.message
                return reply
            self._late += 1  # after a deferral the challenge is another message, which lapses here
            if self._late > MOST_LATE:
                raise RuntimeError(f"no challenge: {reply.message.text}")
            return reply
        reply = await guest.press(self._asked, label="Accept")
        self._asked, self._board, self._hands, self._idle_looks = None, reply.message, [None, None], 0
        return reply

    async def _look(self) -> Reply:
        if self._board is None:
            raise RuntimeError("no match was opened here")
        self._last = 1 - self._last
        reply = await self._people[self._last].press(self._board, label="My cards")
        hand = self._hands[self._last] = reply.message
        self._idle_looks = 0 if any(offered(hand)) else self._idle_looks + 1
        self._looked_at = time.monotonic()
        return reply


def _is_chosen(button: Button) -> bool:
    """Whether an act that may be changed is the one that was chosen, as its colour says."""
    return button.style == PRIMARY and custom_ids.read(button.custom_id)[1].arg.startswith("put")


def offered(hand: MessageView) -> tuple[list[Press], list[Press]]:
    """The presses that lead on: those that make a move, and those that pick a card or turn the hand. A picked card is
    left picked, and a hand is turned back only where nothing else can be done. Who has chosen in secret leaves it at
    that: otherwise one player changes their choice for ever, and the other never gets to choose."""
    if any(_is_chosen(button) for button in acts(hand)):
        return [], []
    moves = [Press(MOVES, button.custom_id) for button in acts(hand)]
    others = [Press(PICKS, button.custom_id) for button in picks(hand) if not shows_picked(button)]
    others += [Press(PICKS, button.custom_id) for button in turns(hand) if verb(button) == "o"]
    others += [
        Press(PICKS, select.custom_id, option.value)
        for select in hand.selects
        if not select.disabled
        for option in select.options
        if not is_picked(option.label)
    ]
    return moves, others or ([] if moves else [Press(PICKS, button.custom_id) for button in turns(hand)])
