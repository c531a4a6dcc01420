"""Finished matches that have a review, and their reviews."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.computers.reviewer import NotReviewed, Reviewer
from bot.kept import Kept
from bot.play.closed_deals import ClosedDeals
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.store.store import Store
from cogs.actions.component_press import ComponentPress
from cogs.actions.finding import Finder
from cogs.reviews.screens import has_review
from engines.players.review import Review

REMEMBERED: Final = 64
"""How many reviews are kept in memory. Others are worked out again, to the same text."""


@dataclass(slots=True, eq=False)
class FinishedReviews:
    """Finds the match of a press and works its review out."""

    finder: Finder
    closed_deals: ClosedDeals
    store: Store
    reviewer: Reviewer
    _reviews: Kept[str, Review] = field(default_factory=partial(Kept, "reviews", REMEMBERED), init=False)

    async def match(self, press: ComponentPress) -> LiveMatch:
        """The match of a press, which has a review. Raises Refused."""
        match = await self.finder.match(press.interaction, press.target)
        if not match.over:
            raise Refused("match.not_over")
        self.closed_deals.check_open(match)
        if not has_review(match):
            raise Refused("review.nothing")
        return match

    async def review_of(self, match: LiveMatch) -> Review:
        """Its review. Raises Refused if there is no time for it now."""
        known = self._reviews.get(match.id)
        if known is None:
            records = await self.store.records(match.id)
            try:
                known = await self.reviewer.review(match.review_request(records))
            except NotReviewed:
                raise Refused("review.later") from None
            self._reviews[match.id] = known
        self._reviews.touch((match.id,))
        return known
