"""Tells players what a match did to their own rating, and why."""

from __future__ import annotations

from bot.play.refusals import Refused
from cogs.actions.component_press import ComponentPress, Verb
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.screens.rating_screen import VERB, rating_screen


class RatingPresses:
    """What the button *Why did my rating change?* does."""

    def __init__(self, app: CardroomApp) -> None:
        self._app = app
        self.verbs: dict[str, Verb] = {VERB: self._explain}

    async def _explain(self, press: ComponentPress) -> None:
        app = self._app
        match = await app.find_match(press.interaction, press.target)
        if not match.over:
            raise Refused("rating.not_over")
        seat = match.seat_of(press.user_id)
        if seat is None:
            raise Refused("rating.not_seated")
        changes = await app.store.rating_changes(match.id)
        if not changes:
            raise Refused("rating.none")
        screen = rating_screen(changes, seat, responses.translations_for(press.interaction))
        await responses.reply_private(press.interaction, screen, match.id)
