"""Carries a press through a match: it is judged, applied and answered, and then the observers are notified.

`MatchPresses.take_up` returns a `MatchPress`, and a press changes things only through it. So the observers are notified
after the answer, even if the answer failed, and no caller can forget them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from bot.play.clocks.match_clock import MatchClock
from bot.play.live_match import BoardLocation, LiveMatch
from bot.play.match_state import Offer
from bot.play.observers import Observer
from bot.play.own_acts import SeenQuestion
from bot.play.refusals import AlreadyMade
from engines.game import Seat

NO_PRESS: Final = 0
"""In place of an interaction's id, where nobody presses."""


class MatchPress:
    """A press being worked out, and what it has changed. `MatchPresses.take_up` makes it and ends it."""

    def __init__(self, interaction_id: int, clock: MatchClock, observers: Observer) -> None:
        self.interaction_id = interaction_id
        """Of the press."""
        self._clock = clock
        self._observers = observers
        self._changed: LiveMatch | None = None
        self._resumed: tuple[BoardLocation, Seat] | None = None
        self._reported: tuple[LiveMatch, Seat, frozenset[int]] | None = None

    @property
    def changed(self) -> LiveMatch | None:
        """The match that this press has changed or opened; None if there is none yet."""
        return self._changed

    def note_changed(self, match: LiveMatch) -> None:
        """Record that this press has changed or opened a match. The clock follows at once, the observers later."""
        if self._changed not in (None, match):
            raise ValueError("a press changes one match")
        self._changed = match
        self._clock.settle(match)

    def note_resumed(self, match: LiveMatch, former: BoardLocation, seat: Seat) -> None:
        """Record that this press, by the player on a seat, resumed a match whose board was at `former`."""
        self.note_changed(match)
        self._resumed = former, seat

    def leave(self) -> None:
        """Notify the observers of what has changed, if anything has."""
        if self._changed is None:
            return
        if self._resumed is None:
            self._observers.match_changed(self._changed)
        else:
            self._observers.match_resumed(self._changed, *self._resumed)

    async def act(self, match: LiveMatch, seat: Seat, action: Any) -> None:
        """Make a move that answers no question, such as resigning. Raises as `LiveMatch.act`."""
        with self._reporting(match, seat), self._noted(match):
            number = await match.act(seat, action, interaction_id=self.interaction_id)
        self._reported = match, seat, frozenset({number})

    async def answer(
        self,
        match: LiveMatch,
        seat: Seat,
        verb: str,
        seen: SeenQuestion,
        meant: Callable[[Offer | None], Awaitable[Any]],
    ) -> None:
        """Take the seat's offer with this verb. Raises as `LiveMatch.answer`."""
        with self._reporting(match, seat), self._noted(match):
            number = await match.answer(seat, verb, seen, meant, self.interaction_id)
        self._reported = match, seat, frozenset({number})

    async def make_planned(self, match: LiveMatch, seat: Seat, verb: str, window: int, action: Any) -> None:
        """Make a move that the seat's player planned for this question, as if they pressed it now. Raises as `answer`,
        and IllegalAction.

        No interaction names it in the log. Like a computer's act, it is made once because it answers one question.
        """

        async def meant(_offer: Offer | None) -> Any:
            return action

        with self._noted(match):
            await match.answer(seat, verb, SeenQuestion(window), meant, None)

    @property
    def reported(self) -> frozenset[int]:
        """The acts that the answer to this press shows or reports, by their numbers among the seat's own."""
        return frozenset() if self._reported is None else self._reported[2]

    def answered(self) -> None:
        """Record that Discord has taken the answer."""
        if self._reported is not None:
            match, seat, numbers = self._reported
            match.own_acts.confirm(seat, numbers)

    async def call_off(self, match: LiveMatch, seat: Seat) -> bool:
        """Agree to call the match off. Returns whether it is now called off. Raises as `LiveMatch.call_off`."""
        with self._noted(match):
            return await match.call_off(seat, self.interaction_id)

    async def let_play(self, match: LiveMatch, seat: Seat) -> bool:
        """Let a computer play a seat on. Returns whether it was this press that did it. Raises as
        `LiveMatch.let_play`."""
        with self._noted(match):
            return await match.let_play(seat, self.interaction_id)

    async def take_back(self, match: LiveMatch, seat: Seat) -> bool:
        """Give a seat back to its player. Returns whether it was this press that did it. Raises as
        `LiveMatch.take_back`."""
        with self._noted(match):
            return await match.take_back(seat, self.interaction_id)

    @contextmanager
    def _reporting(self, match: LiveMatch, seat: Seat) -> Iterator[None]:
        """If the block raises AlreadyMade, the answer reports what was made."""
        try:
            yield
        except AlreadyMade as already:
            self._reported = match, seat, frozenset(act.number for act in already.made)
            raise

    @contextmanager
    def _noted(self, match: LiveMatch) -> Iterator[None]:
        """Record a change of the match when the block ends, unless it raised. A failed rule also counts as a change."""
        failed = match.failed
        try:
            yield
        except BaseException:
            if match.failed != failed:
                self.note_changed(match)
            raise
        self.note_changed(match)


class MatchPresses:
    """Takes presses up."""

    def __init__(self, clock: MatchClock, observers: Observer) -> None:
        self._clock = clock
        self._observers = observers

    @contextmanager
    def take_up(self, match_id: str, interaction_id: int) -> Iterator[MatchPress]:
        """Work out and answer a press within the block. It is on a match, or on something else that has no clock.

        If the match's clock is due it waits for the end of the block. Then the observers are notified of what changed.
        """
        press = MatchPress(interaction_id, self._clock, self._observers)
        with self._clock.waiting_for(match_id):
            try:
                yield press
            finally:
                press.leave()
