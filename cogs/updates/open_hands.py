"""Open hands: the private messages that are kept up to date while their interaction's token is valid.

Discord lets an ephemeral message be edited only through a token of its own interactions, for fifteen minutes. Tokens
are kept only in memory. A dropped hand is shown again by its owner's next press.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import aiohttp
import discord

from bot.play.live_match import LiveMatch
from bot.scheduler import Scheduler
from bot.ui.catalogue import Translations
from cogs.interactions.responses import Interaction
from cogs.screens.hand import hand_screen
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.renderer import Sheet, sheet
from cogs.updates.edit_queue import TRIES, EditQueue, retry_delay
from engines.game import Seat

_log = logging.getLogger(__name__)

NOTHING = b""
"""The mark of a hand whose content is unknown."""
TOKEN_SECONDS = 14.5 * 60
"""Half a minute less than Discord's fifteen."""


@dataclass(slots=True)
class OpenHand:
    """A hand on somebody's screen: the interaction it can be edited through, and what it shows."""

    interaction: Interaction
    opened: float
    words: Translations
    names: tuple[str, ...]
    shown: bytes
    window: int
    selection: str


class OpenHands:
    """The latest open hand of each seat."""

    def __init__(self, edits: EditQueue, presenters: Mapping[str, Presenter], scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._edits = edits
        self._presenters = presenters
        self._open: dict[tuple[str, Seat], OpenHand] = {}

    def __len__(self) -> int:
        return len(self._open)

    def note_shown(
        self, interaction: Interaction, match: LiveMatch, reader: Reader, made: Sheet, selection: str
    ) -> None:
        """Record that a press was answered with the hand of the reader's seat. It replaces the seat's earlier one.

        Raises ValueError for a reader without a seat.
        """
        seat = reader.seat
        if seat is None:
            raise ValueError("a hand belongs to a seat")
        self._drop_expired()
        self._open.pop((match.id, seat), None)
        if match.over:
            return
        # From here on only its token is needed, and the message that was pressed is ten times as large.
        interaction.message = interaction.data = None
        self._open[match.id, seat] = OpenHand(
            interaction,
            _discords_time(),
            reader.words,
            reader.names,
            made.mark(),
            match.window_number,
            selection,
        )

    def _drop_expired(self) -> None:
        """Drop the hands whose token has expired; the oldest come first."""
        now = _discords_time()
        while self._open and now - next(iter(self._open.values())).opened > TOKEN_SECONDS:
            del self._open[next(iter(self._open))]

    def match_changed(self, match: LiveMatch) -> None:
        """Request an update of a match's open hands."""
        for seat in range(len(match.seats)):
            if (match.id, seat) in self._open:
                bucket = ("hand", match.id, seat)
                self._edits.request_edit(bucket, "hand", partial(self._refresh, match, seat), own_bucket=True)

    async def _refresh(self, match: LiveMatch, seat: Seat, failed: int = 0) -> bool:
        hand = self._open.get((match.id, seat))
        if hand is None:
            return False
        if _discords_time() - hand.opened > TOKEN_SECONDS:
            del self._open[match.id, seat]
            return False
        selection = hand.selection if hand.window == match.window_number else ""
        reader = Reader(hand.words, hand.names, seat)
        made = sheet(
            hand_screen(match, seat, self._presenters[match.game.info.key], reader, selection=selection), match.id
        )
        changed = made.mark() != hand.shown
        hand.shown, hand.window, hand.selection = made.mark(), match.window_number, selection
        done = not changed or await self._show(match, seat, hand, made, failed)
        if done and match.over:
            self._drop(match, seat, hand)
        return changed

    async def _show(self, match: LiveMatch, seat: Seat, hand: OpenHand, made: Sheet, failed: int) -> bool:
        """Edit the message of a hand. Returns False if it will be tried again."""
        try:
            await hand.interaction.edit_original_response(view=made)
        except (discord.DiscordServerError, aiohttp.ClientError, OSError) as error:
            _log.warning("a hand in match %s was not taken: %s", match.id, type(error).__name__)
            hand.shown = NOTHING
            return not self._retry(match, seat, failed + 1)
        except discord.HTTPException:  # dismissed, or its token has expired: the next press opens it again
            self._drop(match, seat, hand)
        return True

    def _drop(self, match: LiveMatch, seat: Seat, hand: OpenHand) -> None:
        """Drop a hand, unless a press has opened another meanwhile."""
        if self._open.get((match.id, seat)) is hand:
            del self._open[match.id, seat]

    def _retry(self, match: LiveMatch, seat: Seat, failed: int) -> bool:
        """Try again later. Returns False after too many tries. A change of the match tries at once."""
        if failed >= TRIES:
            return False
        bucket, refresh = ("hand", match.id, seat), partial(self._refresh, match, seat, failed)
        self._scheduler.call_later(
            retry_delay(failed), lambda: self._edits.request_edit(bucket, "hand", refresh, own_bucket=True)
        )
        return True


def _discords_time() -> float:
    """The loop's time in seconds. Tokens expire at Discord, so this is not the scheduler's."""
    return asyncio.get_running_loop().time()
