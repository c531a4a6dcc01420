"""What people do with leagues: they begin one, join, leave, challenge, and look after it.

Everything is checked and saved while nothing else in any league happens (`Leagues.alone`). What follows, the director
does.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.budgets import MOST_LEAGUES
from bot.play.deals.sealing import SYSTEM_RANDOM, random_id
from bot.play.match_state import codec
from bot.play.matchmaking.admission import Admission
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.refusals import Refused, translate_errors
from bot.scheduler import DAY, Scheduler
from bot.store.queries.invitations import InvitationState
from bot.store.store import Store
from cogs.actions.hosting import By, by_strength
from cogs.leagues.queries import League, LeagueQueries, Member, Offer, PairingRow, Whole
from cogs.leagues.seasons import LEAST, MOST, next_order, paired, placed

WEEK: Final = 7 * DAY
"""Milliseconds."""
BEING_MADE: Final = 10_000
"""For how long (ms) a challenge that was noted may be on its way: of two who challenge each other at once, one does."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that is noted, so that its match counts, and that is made next."""

    league: League
    offer: Offer
    proposal: Proposal


class ChallengedAlready(Exception):  # noqa: N818  says what was found
    """Whom somebody meets has challenged them, or is about to."""


Changed = Callable[[int, str], None]
"""Is told the server and id of a league that changed. It only notes what to do."""


@dataclass(slots=True, eq=False)
class Leagues:
    """The leagues of all servers, as people change them. All methods raise Refused and Unsaved.

    `changed` is called after each change. Everywhere the key may be `league.gone`, for a league that isn't there, and
    `league.ended`. Where a `By` is asked for it may be `hosted.not_yours`, and what keeps somebody from playing in the
    server keeps them from that too.
    """

    queries: LeagueQueries
    store: Store
    admission: Admission
    scheduler: Scheduler
    changed: Changed
    source: random.Random = SYSTEM_RANDOM
    alone: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Is held while a league is read and changed. Leagues change seldom, so all have one."""

    # ------------------------------------------------------------------------------------ looking

    async def whole(self, guild_id: int, league_id: str) -> Whole:
        """A league with its latest season."""
        found = await translate_errors(self.queries.whole(guild_id, league_id))
        if found is None:
            raise Refused("league.gone")
        return found

    async def of_server(self, guild_id: int) -> list[Whole]:
        """The leagues of a server that haven't ended, the latest first."""
        found = await translate_errors(self.queries.of_server(guild_id))
        return [await self.whole(guild_id, each.id) for each in found]

    # ------------------------------------------------------------------------------------ beginning one

    async def create(self, terms: Terms, host_id: int) -> League:
        """Begin a league: people can join from now on. Raises Refused `league.too_many` (`limit`)."""
        async with self.alone:
            if len(await self.of_server(terms.guild_id)) >= MOST_LEAGUES:
                raise Refused("league.too_many", limit=MOST_LEAGUES)
            made = League(
                id=random_id(self.source),
                guild_id=terms.guild_id,
                channel_id=terms.channel_id,
                message_id=None,
                game=terms.game,
                options=codec(terms.game).encode(terms.options),
                clock=terms.time_control,
                created_at=self.scheduler.now(),
                host_id=host_id,
            )
            await translate_errors(self.queries.create(made))
        self.changed(made.guild_id, made.id)
        return made

    async def note_message(self, guild_id: int, league_id: str, channel_id: int, message_id: int) -> bool:
        """Record the message that shows a league, unless it was moved to another channel meanwhile. Whether this did
        it."""
        async with self.alone:
            found = await self.whole(guild_id, league_id)
            stays = found.league.channel_id == channel_id
            if stays:
                await self._put(found, message_id=message_id)
        return stays

    # ------------------------------------------------------------------------------------ who is in it

    async def join(self, guild_id: int, league_id: str, user_id: int) -> Whole:
        """Have somebody join: for the next season or, during one, as a substitute.

        Raises Refused `league.full` (`most`), and what keeps them from playing in the server.
        """
        await self.admission.check_player(guild_id, user_id)
        async with self.alone:
            found = await self._going_on(guild_id, league_id)
            if len(found.members) >= MOST and not found.is_in(user_id):
                raise Refused("league.full", most=MOST)
            await translate_errors(self.queries.join(guild_id, league_id, Member(user_id, self.scheduler.now())))
        return await self._told(found)

    async def leave(self, guild_id: int, league_id: str, user_id: int) -> Whole:
        """Have somebody leave; their place is vacant until a substitute takes it. Raises Refused `league.not_in`."""
        async with self.alone:
            return await self._without(await self._going_on(guild_id, league_id), user_id)

    async def remove(self, guild_id: int, league_id: str, by: By, user_id: int) -> Whole:
        """Have the host take somebody out, as if they had left. Raises Refused `league.not_in`."""
        async with self.alone:
            return await self._without(await self._managed(guild_id, league_id, by), user_id)

    async def _without(self, found: Whole, user_id: int) -> Whole:
        league = found.league
        if not found.is_in(user_id):
            raise Refused("league.not_in")
        await translate_errors(self.queries.leave(league.guild_id, league.id, user_id))
        return await self._told(found)

    async def _told(self, found: Whole) -> Whole:
        league = found.league
        self.changed(league.guild_id, league.id)
        return await self.whole(league.guild_id, league.id)

    # ------------------------------------------------------------------------------------ its host

    async def start(self, guild_id: int, league_id: str, by: By) -> Whole:
        """Begin a season with all who are in it and may play: the first by ratings, the others by promotion.

        Raises Refused `league.playing`, `league.too_few` (`least`).
        """
        async with self.alone:
            found = await self._managed(guild_id, league_id, by)
            if found.league.is_playing:
                raise Refused("league.playing")
            joined, game = [each.user_id for each in found.members], found.league.game
            strongest = (
                next_order(found) if found.league.season else await by_strength(self.store, guild_id, game, joined)
            )
            order = [user for user in strongest if await self.admission.may_begin(guild_id, user)]
            if len(order) < LEAST:
                raise Refused("league.too_few", least=LEAST)
            places, now = placed(order), self.scheduler.now()
            pairings = paired(places)
            begun = replace(
                found.league,
                season=found.league.season + 1,
                weeks=max(each.week for each in pairings),
                week=1,
                due_at=now + WEEK,
                reminded=0,
                changed_at=now,
            )
            await translate_errors(self.queries.begin_season(begun, places, pairings))
        return await self._told(found)

    async def move(self, guild_id: int, league_id: str, by: By, channel_id: int) -> tuple[Whole, League]:
        """Show it in this channel from now on. Returns it as it is now, and as it was."""
        async with self.alone:
            found = await self._managed(guild_id, league_id, by)
            if found.league.channel_id != channel_id:
                await self._put(found, channel_id=channel_id, message_id=None)
        return await self._told(found), found.league

    async def end(self, guild_id: int, league_id: str, by: By) -> Whole:
        """End a league. Matches in play go on."""
        async with self.alone:
            found = await self._managed(guild_id, league_id, by)
            await self._put(found, ended_at=self.scheduler.now(), due_at=None)
        return await self._told(found)

    # ------------------------------------------------------------------------------------ playing

    async def challenge(self, guild_id: int, league_id: str, user_id: int, channel_id: int) -> Challenge:
        """Note that somebody challenges whom they meet in this week. The caller makes the challenge, or takes it back.

        Raises Refused `league.no_season`, `league.not_in`, `league.you_wait`, `league.you_free`, `league.over`,
        `league.in_play`, `league.vacant`, `challenge.already_open`; and ChallengedAlready.
        """
        async with self.alone:
            found = await self._going_on(guild_id, league_id)
            pairing, other = _meeting(found, user_id)
            place = next(number for number in pairing.places if found.place(number).user_id == user_id)
            for each in found.offers_of(pairing):
                if each.in_play:
                    raise Refused("league.in_play")
                own, age = each.by_place == place, self.scheduler.now() - each.at
                if each.state is InvitationState.OPEN:
                    raise Refused("challenge.already_open") if own else ChallengedAlready
                if each.state is None and not own and age < BEING_MADE:
                    raise ChallengedAlready
            league = found.league
            offer = Offer(random_id(self.source), pairing.number, place, self.scheduler.now())
            await translate_errors(self.queries.offer(league, offer))
        options = codec(league.game).decode(league.options)
        terms = Terms(guild_id, channel_id, league.game, options, league.clock)
        self.changed(guild_id, league_id)
        return Challenge(league, offer, Proposal(terms, user_id, (other,), id=offer.id))

    async def note_once(self, challenge: Challenge) -> None:
        """Keep a challenge that could not be made because of the other, but of those of a pairing only the first."""
        league, offer = challenge.league, challenge.offer
        async with self.alone:
            found = await self.whole(league.guild_id, league.id)
            own = [each for each in found.offers if (each.pairing, each.by_place) == (offer.pairing, offer.by_place)]
            if any(each.state is None and each.id != offer.id for each in own):
                await translate_errors(self.queries.withdraw(league, offer))

    async def blocks(self, user_id: int, other: int) -> bool:
        """Whether somebody wants nothing to do with whom they meet: then they earn no point by challenging."""
        return bool(await self.admission.avoided(user_id, [other]))

    async def take_back(self, challenge: Challenge) -> None:
        """Forget a challenge that could not be made."""
        async with self.alone:
            await translate_errors(self.queries.withdraw(challenge.league, challenge.offer))

    # ------------------------------------------------------------------------------------ steps

    async def _going_on(self, guild_id: int, league_id: str) -> Whole:
        found = await self.whole(guild_id, league_id)
        if found.league.ended_at is not None:
            self.changed(guild_id, league_id)  # its message may not say so: a start shows no league that has ended
            raise Refused("league.ended")
        return found

    async def _managed(self, guild_id: int, league_id: str, by: By) -> Whole:
        found = await self._going_on(guild_id, league_id)
        if not by.may_manage(found.league.host_id):
            raise Refused("hosted.not_yours")
        await self.admission.check_player(guild_id, by.user_id)
        return found

    async def _put(self, found: Whole, **changes: Any) -> None:
        await translate_errors(self.queries.put(replace(found.league, **changes)))


def _meeting(found: Whole, user_id: int) -> tuple[PairingRow, int]:
    """The pairing of this week that somebody can play now, and whom they meet. Raises Refused."""
    if not found.league.is_playing:
        raise Refused("league.no_season")
    if not found.is_in(user_id):
        raise Refused("league.not_in")
    place = found.place_of(user_id)
    if place is None:
        raise Refused("league.you_wait")
    pairing = found.pairing_of(place)
    if pairing is None:
        raise Refused("league.you_free")
    if pairing.how is not None:
        raise Refused("league.over")
    other = found.place(next(each for each in pairing.places if each != place.number))
    if found.is_vacant(other):
        raise Refused("league.vacant")
    return pairing, other.user_id
