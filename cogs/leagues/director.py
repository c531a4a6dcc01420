"""Makes the steps of leagues when they are due: after what people did, at a match's end, and by the clock.

Each step is worked out from the database alone and saved at once, so a process that dies is followed by one that
continues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Invitations
from bot.play.refusals import Unsaved, translate_errors
from bot.scheduler import DAY
from bot.store.errors import Conflict
from bot.store.queries.invitations import Invitation, InvitationState
from cogs.actions.steps import AGAIN, LONGEST_WAIT, Steps
from cogs.leagues.leagues import WEEK, Leagues
from cogs.leagues.queries import League, Offer, Place, Whole
from cogs.leagues.seasons import drawn, results, settled, unplayed

REMIND_BEFORE: Final = 2 * DAY
"""Milliseconds before a week's end at which people are reminded who have not played."""
LATE: Final = round(1000 * LONGEST_WAIT)
"""If a week ended more milliseconds ago, nobody could play before that: the machine slept, or nothing was saved."""
Key: TypeAlias = tuple[int, str]
"""A league: its server and id."""
Remind: TypeAlias = Callable[[League, Sequence[tuple[int, int]]], None]
"""Reminds people of a league who have not played each other in this week. It only notes what to do."""


@dataclass(slots=True, eq=False)
class Director(Steps):
    """Directs all leagues. `changed` is called after each step."""

    leagues: Leagues
    invitations: Invitations
    changed: Callable[[int, str], None]
    remind: Remind
    _of: dict[str, Key] = field(default_factory=dict, init=False)
    """The leagues of challenges that something may still come of, by their ids."""

    # ------------------------------------------------------------------------------------ its steps

    async def advance(self, guild_id: int, league_id: str) -> int | None:
        while True:
            async with self.leagues.alone:
                whole = await translate_errors(self.leagues.queries.whole(guild_id, league_id))
                if whole is None:
                    return None
                self._note_challenges(whole)
                if not whole.league.is_playing:
                    return None
                try:
                    due = await self._step(whole)
                except Conflict:  # it was made before
                    due = AGAIN
            if due != AGAIN:
                return due
            self.changed(guild_id, league_id)

    def _note_challenges(self, whole: Whole) -> None:
        key = whole.league.guild_id, whole.league.id
        self._of = {each: of for each, of in self._of.items() if of != key}
        if whole.league.is_playing:
            waiting = [each for each in whole.pairings if each.how is None]
            self._of |= {offer.id: key for each in waiting for offer in whole.offers_of(each) if not offer.is_over}

    async def _step(self, whole: Whole) -> int:
        """Make a step. Returns when the next one is due."""
        league, queries, now = whole.league, self.leagues.queries, self.scheduler.now()
        await self._close(
            [offer for each in whole.pairings if not whole.is_open(each) for offer in whole.offers_of(each)]
        )
        ended, taken = results(whole), await self._taken_over(whole)
        if league.week > league.weeks and not ended:  # a match that was waited for was called off
            ended = settled(whole, await self._blocking(whole))
        if ended or taken:
            await translate_errors(queries.record(league, ended, taken))
            return AGAIN
        due = league.due_at or 0
        if league.week > league.weeks and all(each.how is not None for each in whole.pairings):
            over = replace(league, week=0, due_at=None, changed_at=now)
            await translate_errors(queries.end_week(over, league.week, ()))
            return AGAIN
        if now > due + LATE:
            await translate_errors(queries.put(replace(league, due_at=now + DAY)))
            return AGAIN
        if now >= due:
            await self._close(whole.offers)
            if await translate_errors(queries.whole(league.guild_id, league.id)) == whole:
                await self._end_week(whole)  # else a challenge may have been accepted meanwhile
            return AGAIN
        if league.reminded < league.week <= league.weeks:
            if now < due - REMIND_BEFORE:
                return due - REMIND_BEFORE
            await translate_errors(queries.put(replace(league, reminded=league.week)))
            self.remind(league, unplayed(whole))
        return due

    async def _close(self, offers: Iterable[Offer]) -> None:
        """Close the challenges that are still open. Raises Unsaved if one still is."""
        found = [self.invitations.open_by_id(each.id) for each in offers]
        still_open = [each for each in found if each is not None]
        await self.invitations.make_room(still_open)
        if any(self.invitations.open_by_id(each.id) is not None for each in still_open):
            raise Unsaved(busy=True)

    async def _end_week(self, whole: Whole) -> None:
        league, queries = whole.league, self.leagues.queries
        if league.week > league.weeks:
            await translate_errors(queries.record(league, drawn(whole), ()))
            return
        after = replace(
            league, week=league.week + 1, due_at=(league.due_at or 0) + WEEK, changed_at=self.scheduler.now()
        )
        await translate_errors(queries.end_week(after, league.week, settled(whole, await self._blocking(whole))))

    async def _blocking(self, whole: Whole) -> set[int]:
        """The places whose people have blocked whom they should have met. Raises Unsaved."""
        found = set()
        for first, second in [each.places for each in whole.pairings if each.how is None]:
            for number, other in ((first, second), (second, first)):
                if await self.leagues.blocks(whole.place(number).user_id, whole.place(other).user_id):
                    found.add(number)
        return found

    async def _taken_over(self, whole: Whole) -> Sequence[Place]:
        """Vacant places that substitutes take, who may play, in their order."""
        if whole.league.week > whole.league.weeks:
            return ()
        vacant = [each for each in whole.places if whole.is_vacant(each)]
        taken: list[Place] = []
        for each in whole.substitutes if vacant else ():
            if len(taken) < len(vacant) and await self.leagues.admission.may_begin(whole.league.guild_id, each.user_id):
                taken.append(replace(vacant[len(taken)], user_id=each.user_id, substitute=True))
        return taken

    # ------------------------------------------------------------------------------------ what it hears

    def match_changed(self, match: LiveMatch) -> None:
        """Count a match that has ended."""
        if match.over and match.id in self._of:
            self.wake(*self._of[match.id])

    def invitation_closed(self, invitation: Invitation, _state: InvitationState) -> None:
        """Show that a challenge is open no longer."""
        if invitation.id in self._of:
            self.changed(*self._of[invitation.id])

    def server_purged(self, guild_id: int) -> None:
        """Forget the leagues of a server."""
        self._of = {each: key for each, key in self._of.items() if key[0] != guild_id}

    # ------------------------------------------------------------------------------------ a start

    async def resume(self) -> None:
        """Take up all leagues where an earlier process left them. A week that ended while the bot was down gets another
        day. Raises StoreError."""
        now = self.scheduler.now()
        for league in await self.leagues.queries.unfinished():
            if league.is_playing and (league.due_at or 0) <= now:
                await self.leagues.queries.put(replace(league, due_at=now + DAY))
            self.wake(league.guild_id, league.id)
