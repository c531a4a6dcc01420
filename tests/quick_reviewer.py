"""Reviewers for tests and the simulator, in the event loop instead of a process."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.computers.reviewer import Reviewer
from engines.players.deal_of_day import Choice, DayRequest
from engines.players.question import Question
from engines.players.review import Hint, Review, ReviewRequest, hint, review
from engines.players.review.ways import RACES, way_of

SHARE = 10
EVEN: Final = Choice(count=1, worth=500)
"""The first deal of a day, as if it were worth half a win."""


class InLoop(Reviewer):
    """It holds up the event loop, so it tries no deals of the day: it takes the first one for even."""

    async def review(self, request: ReviewRequest) -> Review:
        return review(request, lambda: False)

    async def hints(self, question: Question) -> tuple[Hint, ...]:
        return hint(question, lambda: False)

    async def choose(self, request: DayRequest) -> Choice:  # noqa: ARG002  any deal will do
        return EVEN


class QuickReviewer(InLoop):
    """For whole bots: it plays a tenth of what a review plays. How good reviews are is tested without a bot
    (tests/engines/players)."""

    async def review(self, request: ReviewRequest) -> Review:
        rollouts = 0 if request.game in RACES else way_of(request.game).rollouts // SHARE
        return await super().review(replace(request, rollouts=rollouts))
