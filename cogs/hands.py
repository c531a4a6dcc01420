"""Open hands: the private messages that are kept up to date while their interaction's token lives.

Discord lets an ephemeral message be edited only through a token of its own interactions, for fifteen minutes. Tokens
are held in memory and nowhere else; a hand that is forgotten is refreshed by its owner's next press.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

import discord

from bot.match import LiveMatch
from bot.words import Words
from cogs.answer import Interaction
from cogs.easel import Easel
from cogs.hand import hand_screen
from cogs.presenter import Presenter, Reader
from cogs.renderer import Sheet, sheet
from engines.game import Seat

TOKEN_SECONDS = 14.5 * 60
"""Half a minute less than Discord's fifteen."""


@dataclass(slots=True)
class OpenHand:
    """A hand on somebody's screen: the interaction it can be edited through, and what it shows."""

    interaction: Interaction
    opened: float
    words: Words
    names: tuple[str, ...]
    shown: bytes
    window: int
    draft: str


class Hands:
    """The latest open hand of each seat."""

    def __init__(self, easel: Easel, looks: dict[str, Presenter]) -> None:
        self._easel = easel
        self._looks = looks
        self._open: dict[tuple[str, Seat], OpenHand] = {}

    def __len__(self) -> int:
        return len(self._open)

    def shows(self, interaction: Interaction, match: LiveMatch, reader: Reader, made: Sheet, draft: str) -> None:
        """Note that a press was answered with the hand of the reader's seat; it takes the place of the former one."""
        seat = reader.seat
        if seat is None:
            raise ValueError("a hand belongs to a seat")
        if match.over:
            self._open.pop((match.id, seat), None)
            return
        self._open[match.id, seat] = OpenHand(
            interaction,
            time.monotonic(),
            reader.words,
            reader.names,
            made.mark(),
            match.window_number,
            draft,
        )

    def match_changed(self, match: LiveMatch) -> None:
        """Bring the open hands of a match up to date, soon."""
        for seat in range(len(match.seats)):
            if (match.id, seat) in self._open:
                lane = ("hand", match.id, seat)
                self._easel.wish(lane, "hand", partial(self._refresh, match, seat), apart=True)

    async def _refresh(self, match: LiveMatch, seat: Seat) -> bool:
        hand = self._open.get((match.id, seat))
        if hand is None:
            return False
        if match.over or time.monotonic() - hand.opened > TOKEN_SECONDS:
            del self._open[match.id, seat]
        if time.monotonic() - hand.opened > TOKEN_SECONDS:
            return False
        draft = hand.draft if hand.window == match.window_number else ""
        reader = Reader(hand.words, hand.names, seat)
        made = sheet(hand_screen(match, seat, self._looks[match.game.info.key], reader, draft=draft), match.id)
        if made.mark() == hand.shown:
            return False
        hand.shown, hand.window, hand.draft = made.mark(), match.window_number, draft
        try:
            await hand.interaction.edit_original_response(view=made)
        except discord.HTTPException:
            if self._open.get((match.id, seat)) is hand:  # and no press has opened another meanwhile
                del self._open[match.id, seat]  # dismissed, or its token is dead: the next press opens it anew
        return True
