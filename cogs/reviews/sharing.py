"""*Share*: a match's story, first in private and then posted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from cogs.actions.challenging import TermsReader
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import post
from cogs.interactions.whose_rows import Whose
from cogs.reviews.course import course_of
from cogs.reviews.finished_reviews import FinishedReviews
from cogs.reviews.story import Story, story_screen
from cogs.screens.presenter import Presenters
from cogs.wording import Readers


@dataclass(slots=True, eq=False)
class Sharing(Capability):
    """What *Share* does, and *Post it here*. Both are for the players of a match that everybody in its server may see,
    and look again whether it is one."""

    verbs = Verbs()

    finished: FinishedReviews
    presenters: Presenters
    readers: Readers
    terms: TermsReader
    budget: PostBudget

    @verbs("story", writes=Whose.NOBODY)
    async def _show(self, press: ComponentPress) -> None:
        """Show a player their match's story, in their language, with a button that posts it."""
        match = await self._match(press)
        story = await self._story_of(match)
        reader = await self.readers.pressing(press.interaction, match, None)
        await press.reply(story_screen(story, reader, offered=True), match.id)

    @verbs("storypost", writes=Whose.NOBODY)
    async def _post(self, press: ComponentPress) -> None:
        """Post the story in the language of the match's server."""
        match = await self._match(press)
        await self.terms.check_post(press.interaction, file=True)
        with self.budget.spending(press.interaction, ("story", match.id)) as take_back:
            story = await self._story_of(match)
            await self.readers.wording.load(match.guild_id, match.seats)
            screen = story_screen(story, self.readers.public(match), offered=False)
            if await post(press.interaction, screen, match.id, ()) is None:
                take_back()

    async def _match(self, press: ComponentPress) -> LiveMatch:
        match = await self.finished.match(press)
        if match.seat_of(press.user_id) is None:
            raise Refused("story.not_yours")
        if not await self.finished.finder.is_open_to_all(match):
            raise Refused("story.private")
        return match

    async def _story_of(self, match: LiveMatch) -> Story:
        review = await self.finished.review_of(match)
        presenter = self.presenters[match.game.info.key]
        records = await self.finished.store.records(match.id)
        course = await asyncio.to_thread(course_of, match, records, presenter)  # as long as taking the match up
        return Story(match, course, review, presenter)
