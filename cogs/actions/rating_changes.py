"""Tells players what a match did to their own rating, and why."""

from __future__ import annotations

from bot.play.refusals import Refused
from bot.store.store import Store
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.interactions import responses
from cogs.screens.rating_screen import VERB, rating_screen


class RatingPresses(Capability):
    """What the button *Why did my rating change?* does."""

    verbs = Verbs()

    def __init__(
        self,
        finder: Finder,
        store: Store,
    ) -> None:
        self._finder = finder
        self._store = store

    @verbs(VERB)
    async def _explain(self, press: ComponentPress) -> None:
        match = await self._finder.match(press.interaction, press.target)
        if not match.over:
            raise Refused("rating.not_over")
        seat = match.seat_of(press.user_id)
        if seat is None:
            raise Refused("rating.not_seated")
        changes = await self._store.rating_changes(match.id)
        if not changes:
            raise Refused("rating.none")
        screen = rating_screen(changes, seat, responses.translations_for(press.interaction))
        await responses.reply_private(press.interaction, screen, match.id)
