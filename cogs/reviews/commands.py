"""*What decided it*, *Share*, *Hint*, and *Try it differently*: what their buttons do."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.computers.reviewer import NotReviewed, Reviewer
from bot.kept import Kept
from bot.play.closed_deals import ClosedDeals
from bot.play.computers.levels import DEFAULT, levels_at, shows_skill
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Terms
from bot.play.refusals import Refused
from bot.store.queries.invitations import Origin
from bot.store.special_ids import computer_id, is_computer, level_of
from bot.store.store import Store
from cogs.actions.challenging import TermsReader
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.computer_matches import ComputerMatches
from cogs.actions.finding import Finder
from cogs.actions.own_threads import OwnThreads
from cogs.actions.playing import Hands
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import post
from cogs.interactions.whose_rows import Whose
from cogs.reviews.course import course_of
from cogs.reviews.openings import Opening, opening_before, opening_of_the_deal
from cogs.reviews.screens import gives_hints, has_review, hint_lines, review_screen
from cogs.reviews.shared_work import SharedWork
from cogs.reviews.story import Story, story_screen
from cogs.screens import custom_ids
from cogs.screens.presenter import Presenters, Reader
from cogs.updates.match_notices import link
from cogs.wording import Readers
from engines.game import Seat
from engines.players.review import Hint, Review


@dataclass(slots=True, eq=False)
class Reviewing(Capability):
    """What the button *What decided it* does, and what *Hint* says."""

    verbs = Verbs()

    finished: FinishedReviews
    reviewer: Reviewer
    presenters: Presenters
    readers: Readers
    hands: Hands

    @verbs("review")
    async def _review(self, press: ComponentPress) -> None:
        """Show anybody in the match's server what decided it."""
        match = await self.finished.match(press)
        review = await self.finished.review_of(match, press.user_id)
        reader = await self.readers.pressing(press.interaction, match, None)
        screen = review_screen(match, review, self.presenters[match.game.info.key], reader)
        await press.reply(screen, match.id)

    @verbs("hint")
    async def _hint(self, press: ComponentPress) -> None:
        """Name the best moves to somebody who plays against computers alone, in a message below their hand."""
        match, seat = await self.hands.seated(press, press.target)
        await match.check_open(press.window, press.interaction.id)
        reader = await self.readers.pressing(press.interaction, match, seat)
        await press.reply_text(await self._told_hint(match, seat, reader, press.user_id))

    async def _told_hint(self, match: LiveMatch, seat: Seat, reader: Reader, user_id: int) -> str:
        """The best moves of a seat in words. Raises Refused where there are no hints, or none now."""
        if not gives_hints(match, seat):
            raise Refused("hint.none")
        if not shows_skill(match.game.info.key, match.options, len(match.seats)):
            return reader.words("hint.all_same")
        position = match.position

        async def work() -> tuple[Hint, ...]:
            events = await match.read_events(position.acts)
            return await self.reviewer.hints(match.question(seat, DEFAULT, 0, events, position))

        try:
            hints = await self.finished.work.done(user_id, (match.id, seat, position.acts), work)
        except NotReviewed:
            raise Refused("review.later") from None
        try:
            return "\n".join(hint_lines(match, seat, hints, self.presenters[match.game.info.key], reader))
        except LookupError:
            raise Refused("press.stale") from None


@dataclass(slots=True, eq=False)
class TryingDifferently(Capability):
    """What the buttons *Try it differently* do. Anybody in the match's server may press them."""

    verbs = Verbs()

    finished: FinishedReviews
    store: Store
    matches: MatchRegistry
    computer_matches: ComputerMatches
    terms: TermsReader
    own_threads: OwnThreads
    _beginning: set[tuple[int, Origin]] = field(default_factory=set, init=False)

    @verbs("differently")
    async def _differently(self, press: ComponentPress) -> None:
        """Begin a match where the pressed move was made, unless its presser is playing that already."""
        number = custom_ids.read_move(press.arg)
        match = await self.finished.match(press)
        await self._begin_once(press, match, opening_before(match, await self.store.records(match.id), number))

    @verbs("exchanged")
    async def _exchanged(self, press: ComponentPress) -> None:
        """Begin a match on the same deal with seats exchanged: who played it sits one seat further on, and anybody else
        on the first."""
        match = await self.finished.match(press)
        own = match.seats.index(press.user_id) if press.user_id in match.seats else -1
        seat = (own + 1) % len(match.seats)
        await self._begin_once(press, match, opening_of_the_deal(match, await self.store.records(match.id), seat))

    async def _begin_once(self, press: ComponentPress, match: LiveMatch, opening: Opening) -> None:
        trying = press.user_id, opening.origin
        playing = self._played(match.guild_id, *trying)
        if playing is not None:
            await self.computer_matches.show(press.interaction, playing)
            return
        self._beginning.add(trying)
        try:
            await self._begin(press, match, opening)
        finally:
            self._beginning.discard(trying)

    def _played(self, guild_id: int, user_id: int, origin: Origin) -> LiveMatch | None:
        """The match without a board that somebody plays from there already. Raises Refused if it has a board, or is
        just beginning."""
        if (user_id, origin) in self._beginning:
            raise Refused("differently.beginning")
        for match in self.matches.in_server(guild_id):
            if match.origin == origin and user_id in match.seats:
                if match.has_clock:
                    raise Refused("differently.playing", link=link(match))
                return match
        return None

    async def _begin(self, press: ComponentPress, match: LiveMatch, opening: Opening) -> None:
        interaction, game = press.interaction, match.game.info.key
        guild_id, channel_id = await self.terms.check_begin(interaction, game, direct=True)
        if guild_id != match.guild_id:  # one of a chat, which is deleted before what would begin from it
            raise Refused("place.without_bot")
        in_thread, _ = self.own_threads.thread_or_reason(interaction, None)
        terms = Terms(guild_id, channel_id, game, match.options, match.time_control.key, in_thread)
        users = _users(match, opening.seat, press.user_id)
        computers = tuple(filter(is_computer, users))
        await self.computer_matches.begin(interaction, terms, computers, users, origin=opening.origin)


def _users(match: LiveMatch, seat: Seat, user_id: int) -> tuple[int, ...]:
    """Who sits where: the person on a seat, and on each other one a computer of its level, or of the match's own."""
    offered = levels_at(match.game.info.key, match.options, len(match.seats))
    played = [level_of(user) for user in match.seats if is_computer(user)]
    users: tuple[int, ...] = ()
    for other, user in enumerate(match.seats):
        level = level_of(user) if is_computer(user) else played[0] if played else DEFAULT
        known = level if level in offered else DEFAULT
        users += (user_id if other == seat else computer_id(known, users),)
    return users


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
        story = await self._story_of(match, press.user_id)
        reader = await self.readers.pressing(press.interaction, match, None)
        await press.reply(story_screen(story, reader, offered=True), match.id)

    @verbs("storypost", writes=Whose.NOBODY)
    async def _post(self, press: ComponentPress) -> None:
        """Post the story in the language of the match's server."""
        match = await self._match(press)
        await self.terms.check_post(press.interaction, file=True)
        with self.budget.spending(press.interaction, ("story", match.id)) as take_back:
            story = await self._story_of(match, press.user_id)
            await self.readers.wording.load(match.guild_id, match.seats)
            await self._check_open_to_all(match)  # its review may have taken a while
            screen = story_screen(story, self.readers.public(match), offered=False)
            if await post(press.interaction, screen, match.id, ()) is None:
                take_back()

    async def _match(self, press: ComponentPress) -> LiveMatch:
        match = await self.finished.match(press)
        if match.seat_of(press.user_id) is None:
            raise Refused("story.not_yours")
        await self._check_open_to_all(match)
        return match

    async def _check_open_to_all(self, match: LiveMatch) -> None:
        if not await self.finished.finder.is_open_to_all(match):
            raise Refused("story.private")

    async def _story_of(self, match: LiveMatch, user_id: int) -> Story:
        review = await self.finished.review_of(match, user_id)
        presenter = self.presenters[match.game.info.key]
        records = await self.finished.store.records(match.id)
        course = await asyncio.to_thread(course_of, match, records, presenter)  # as long as taking the match up
        return Story(match, course, review, presenter)


REMEMBERED: Final = 64
"""How many reviews are kept in memory. Others are worked out again, to the same text."""


@dataclass(slots=True, eq=False)
class FinishedReviews:
    """Finds the match of a press and works its review out."""

    finder: Finder
    closed_deals: ClosedDeals
    store: Store
    reviewer: Reviewer
    work: SharedWork = field(default_factory=SharedWork, init=False)
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

    async def review_of(self, match: LiveMatch, user_id: int) -> Review:
        """Its review, for somebody. Raises Refused if there is no time for it now."""
        known = self._reviews.get(match.id)
        if known is None:
            try:
                known = await self.work.done(user_id, match.id, lambda: self._worked_out(match))
            except NotReviewed:
                raise Refused("review.later") from None
            self._reviews[match.id] = known
        self._reviews.touch((match.id,))
        return known

    async def _worked_out(self, match: LiveMatch) -> Review:
        return await self.reviewer.review(match.review_request(await self.store.records(match.id)))
