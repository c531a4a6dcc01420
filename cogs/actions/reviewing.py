"""*What decided it*, for matches that are over, and *Hint*, for somebody who plays against computers alone."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.computers.reviewer import NotReviewed, Reviewer
from bot.play.computers.levels import DEFAULT
from bot.play.daily import DailyMatches
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.store.store import Store
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.playing import Hands
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.reviews import gives_hints, has_review, hint_lines, review_screen
from cogs.wording import Readers
from engines.game import Seat
from engines.players.review import Review

REMEMBERED: Final = 64
"""How many reviews are kept in memory. Others are worked out again, to the same text."""


@dataclass(slots=True, eq=False)
class Reviewing(Capability):
    """What the button *What decided it* does, and what *Hint* says."""

    verbs = Verbs()

    finder: Finder
    daily: DailyMatches
    store: Store
    reviewer: Reviewer
    presenters: Mapping[str, Presenter]
    readers: Readers
    hands: Hands
    _reviews: OrderedDict[str, Review] = field(default_factory=OrderedDict, init=False)

    @verbs("review")
    async def _review(self, press: ComponentPress) -> None:
        """Show anybody in the match's server what decided it."""
        match = await self.finder.match(press.interaction, press.target)
        if not match.over:
            raise Refused("review.not_over")
        self.daily.check_open(match)
        await self.finder.check_visible(press.interaction, match)
        if not has_review(match):
            raise Refused("review.nothing")
        review = await self._review_of(match)
        reader = await self.readers.pressing(press.interaction, match, None)
        screen = review_screen(match, review, self.presenters[match.game.info.key], reader)
        await press.reply(screen, match.id)

    async def _review_of(self, match: LiveMatch) -> Review:
        known = self._reviews.get(match.id)
        if known is None:
            records = await self.store.records(match.id)
            try:
                known = await self.reviewer.review(match.review_request(records))
            except NotReviewed:
                raise Refused("review.later") from None
            self._reviews[match.id] = known
            if len(self._reviews) > REMEMBERED:
                self._reviews.popitem(last=False)
        self._reviews.move_to_end(match.id)
        return known

    @verbs("hint")
    async def _hint(self, press: ComponentPress) -> None:
        """Name the best moves to somebody who plays against computers alone, in a message below their hand."""
        match, seat = await self.hands.seated(press, press.target)
        await match.check_open(press.window, press.interaction.id)
        reader = await self.readers.pressing(press.interaction, match, seat)
        await press.reply_text(await self._told_hint(match, seat, reader))

    async def _told_hint(self, match: LiveMatch, seat: Seat, reader: Reader) -> str:
        """The best moves of a seat in words. Raises Refused where there are no hints, or none now."""
        if not gives_hints(match, seat):
            raise Refused("hint.none")
        position = match.position
        events = await match.read_events(position.acts)
        question = match.question(seat, DEFAULT, 0, events, position)
        try:
            hints = await self.reviewer.hints(question)
        except NotReviewed:
            raise Refused("review.later") from None
        try:
            return "\n".join(hint_lines(match, seat, hints, self.presenters[match.game.info.key], reader))
        except LookupError:
            raise Refused("press.stale") from None
