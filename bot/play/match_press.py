"""A press on its way through a match: it is judged, applied and answered; then the observers hear of it.

`MatchPresses.take_up` gives a `MatchPress`, and everything that a press changes goes through it. So the observers
hear of the change after the answer, even if the answer failed, and no caller can forget them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.match_clock import MatchClock
from bot.play.match_state import Offer
from bot.play.observers import Observer
from engines.game import Seat


class MatchPress:
    """A press that is being worked out, and what it has changed. `MatchPresses.take_up` makes and leaves it."""

    def __init__(self, interaction_id: int, clock: MatchClock, observers: Observer) -> None:
        self._interaction_id = interaction_id
        self._clock = clock
        self._observers = observers
        self._changed: LiveMatch | None = None
        self._resumed: tuple[BoardLocation, Seat] | None = None

    def note_changed(self, match: LiveMatch) -> None:
        """Note that this press has changed a match, or opened it. The clock goes by it at once, the observers later."""
        if self._changed not in (None, match):
            raise ValueError("a press changes one match")
        self._changed = match
        self._clock.settle(match)

    def note_resumed(self, match: LiveMatch, former: BoardLocation, seat: Seat) -> None:
        """Note that this press, of the one on a seat, let a match go on; its board was at `former`."""
        self.note_changed(match)
        self._resumed = former, seat

    def leave(self) -> None:
        """Tell the observers what has changed, if anything has."""
        if self._changed is None:
            return
        if self._resumed is None:
            self._observers.match_changed(self._changed)
        else:
            self._observers.match_resumed(self._changed, *self._resumed)

    async def act(self, match: LiveMatch, seat: Seat, action: Any) -> None:
        """Make a move that is judged by itself, whatever the question: resigning. Raises as `LiveMatch.act`."""
        with self._noted(match):
            await match.act(seat, action, interaction_id=self._interaction_id)

    async def answer(
        self, match: LiveMatch, seat: Seat, verb: str, window: int, meant: Callable[[Offer | None], Awaitable[Any]]
    ) -> None:
        """Take up the seat's offer of this verb. Raises as `LiveMatch.answer`."""
        with self._noted(match):
            await match.answer(seat, verb, window, meant, self._interaction_id)

    async def call_off(self, match: LiveMatch, seat: Seat) -> bool:
        """Agree to call the match off; whether it is called off now. Raises as `LiveMatch.call_off`."""
        with self._noted(match):
            return await match.call_off(seat, self._interaction_id)

    @contextmanager
    def _noted(self, match: LiveMatch) -> Iterator[None]:
        """What is done to a match within the block has changed it, unless it raised; a rule that failed has as well."""
        failed = match.failed
        try:
            yield
        except BaseException:
            if match.failed != failed:
                self.note_changed(match)
            raise
        self.note_changed(match)


class MatchPresses:
    """Where presses are taken up."""

    def __init__(self, clock: MatchClock, observers: Observer) -> None:
        self._clock = clock
        self._observers = observers

    @contextmanager
    def take_up(self, match_id: str, interaction_id: int) -> Iterator[MatchPress]:
        """A press on a match (or on something else, which has no clock) is worked out and answered within the block.

        If the match's clock is to act now it waits for the end of the block. Then the observers hear of what changed.
        """
        press = MatchPress(interaction_id, self._clock, self._observers)
        with self._clock.waiting_for(match_id):
            try:
                yield press
            finally:
                press.leave()
