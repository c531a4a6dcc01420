"""A reviewer for whole bots in tests: it plays a tenth of what a review plays, in the event loop."""

from __future__ import annotations

from dataclasses import replace

from bot.computers.reviewer import InLoop
from engines.players.review import Review, ReviewRequest
from engines.players.review.ways import RACES, way_of

SHARE = 10


class QuickReviewer(InLoop):
    """How good reviews are is tested without a bot (tests/engines/players)."""

    async def review(self, request: ReviewRequest) -> Review:
        rollouts = 0 if request.game in RACES else way_of(request.game).rollouts // SHARE
        return await super().review(replace(request, rollouts=rollouts))
