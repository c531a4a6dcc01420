"""*What decided it*, for matches that are over, and *Hint*, for somebody who plays against computers alone."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from bot.computers.reviewer import NotReviewed, Reviewer
from bot.play.computers.levels import DEFAULT
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from cogs.actions.component_press import ComponentPress, Verb
from cogs.actions.replays.finding import check_visible
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.screens.presenter import Reader
from cogs.screens.reviews.hint_lines import hint_lines
from cogs.screens.reviews.offered import gives_hints, has_review
from cogs.screens.reviews.review_screen import review_screen
from engines.game import Seat
from engines.players.review import Review

REMEMBERED: Final = 64
"""How many reviews are kept in memory. Others are worked out again, to the same text."""


class Reviewing:
    """What the button *What decided it* does, and what *Hint* says."""

    def __init__(self, app: CardroomApp, reviewer: Reviewer) -> None:
        self._app = app
        self._reviewer = reviewer
        self._reviews: OrderedDict[str, Review] = OrderedDict()
        self.verbs: dict[str, Verb] = {"review": self._review}

    async def _review(self, press: ComponentPress) -> None:
        """Show anybody in the match's server what decided it."""
        app = self._app
        match = await app.find_match(press.interaction, press.target)
        if not match.over:
            raise Refused("review.not_over")
        app.daily.check_open(match)
        await check_visible(app, press.interaction, match)
        if not has_review(match):
            raise Refused("review.nothing")
        review = await self._review_of(match)
        reader = await app.readers.pressing(press.interaction, match, None)
        screen = review_screen(match, review, app.presenters[match.game.info.key], reader)
        await responses.reply_private(press.interaction, screen, match.id)

    async def _review_of(self, match: LiveMatch) -> Review:
        known = self._reviews.get(match.id)
        if known is None:
            records = await self._app.store.records(match.id)
            try:
                known = await self._reviewer.review(match.review_request(records))
            except NotReviewed:
                raise Refused("review.later") from None
            self._reviews[match.id] = known
            if len(self._reviews) > REMEMBERED:
                self._reviews.popitem(last=False)
        self._reviews.move_to_end(match.id)
        return known

    async def hint(self, match: LiveMatch, seat: Seat, reader: Reader) -> str:
        """The best moves of a seat in words. Raises Refused where there are no hints, or none now."""
        if not gives_hints(match, seat):
            raise Refused("hint.none")
        position = match.position
        events = await match.read_events(position.acts)
        question = match.question(seat, DEFAULT, 0, events, position)
        try:
            hints = await self._reviewer.hints(question)
        except NotReviewed:
            raise Refused("review.later") from None
        try:
            return "\n".join(hint_lines(match, seat, hints, self._app.presenters[match.game.info.key], reader))
        except LookupError:
            raise Refused("press.stale") from None
