"""Two people at a table who never pause: match after match, they press what they see as soon as it is answered."""

from __future__ import annotations

import random
from collections.abc import Iterator

from cogs.screens import custom_ids
from sandbox import DrivenChannel, MessageView, Person, Reply
from sandbox.clients.views import Button

OPENINGS, LOOKS, PICKS, MOVES = "openings", "looks", "picks", "moves"
_KINDS = {"a": MOVES, "d": MOVES, "p": PICKS}
"""What the presses of a hand are, by their verb: those that make a move, those that pick a card."""


class Table:
    """One act at a time, whoever of the two makes it."""

    def __init__(self, people: tuple[Person, Person], channel: DrivenChannel, seed: int) -> None:
        self._people = people
        self._channel = channel
        self._rng = random.Random(seed)
        self._asked: MessageView | None = None
        self._board: MessageView | None = None
        self._hands: list[MessageView | None] = [None, None]
        self._last = 0
        self._in_vain = 0

    async def play(self) -> tuple[str, Reply]:
        """The next act, and what kind it is.

        A card, an attack, a block, a hit or a pass where a hand offers one, else a look at the cards by the one who
        may be asked now; between two matches the challenge and its acceptance.
        """
        if not self._on:
            return OPENINGS, await self._open()
        for seat, hand in enumerate(self._hands):
            offered = [] if hand is None else list(_offered(hand))
            if hand is not None and offered:
                kind, button = self._rng.choice(offered)
                reply = await self._people[seat].press(hand, custom_id=button.custom_id)
                self._last, self._in_vain = seat, 0 if any(_offered(hand)) else 1
                return kind, reply
        return LOOKS, await self._look()

    @property
    def _on(self) -> bool:
        """Whether a match is on: it is over when neither is asked anything, and a while later the board says so."""
        board = self._board
        return board is not None and self._in_vain < len(self._people) and board.find_button("My cards") is not None

    async def _open(self) -> Reply:
        host, guest = self._people
        if self._asked is None:
            reply = await host.slash(self._channel, "haymaker challenge", opponent=guest)
            self._asked = reply.message
            return reply
        reply = await guest.press(self._asked, label="Accept")
        self._asked, self._board, self._hands, self._in_vain = None, reply.message, [None, None], 0
        return reply

    async def _look(self) -> Reply:
        if self._board is None:
            raise RuntimeError("no match was opened here")
        self._last = 1 - self._last
        reply = await self._people[self._last].press(self._board, label="My cards")
        hand = self._hands[self._last] = reply.message
        self._in_vain = 0 if any(_offered(hand)) else self._in_vain + 1
        return reply


def _offered(hand: MessageView) -> Iterator[tuple[str, Button]]:
    """The presses that lead on: those of a picked card would take it back."""
    for button in hand.buttons:
        verb = custom_ids.read(button.custom_id)[1].verb
        if verb in _KINDS and not button.disabled and not button.label.startswith("✓"):
            yield _KINDS[verb], button
