"""What people do with tournaments: they begin one, join, leave, come back, and look after it.

Everything is checked and saved while nothing else in the tournament happens (`Alone`). What follows, the director does.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final
from weakref import WeakValueDictionary

from bot.budgets import MOST_CORRECTIONS, MOST_RESERVED
from bot.pairing.model import Format, half_points
from bot.pairing.tables import split
from bot.play.deals.sealing import SYSTEM_RANDOM, random_id
from bot.play.match_state import codec
from bot.play.matchmaking.admission import Admission
from bot.play.refusals import Refused, translate_errors
from bot.scheduler import Scheduler
from cogs.actions.hosting import By
from cogs.tournaments.partners import partner
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rows import (
    ELIMINATIONS,
    Ask,
    Correction,
    EntrantRow,
    Hold,
    How,
    PairingRow,
    State,
    Terms,
    Tournament,
    Whole,
)

LEAST: Final = 3
"""How many people, or teams, a tournament needs to begin."""
MOST: Final = 64
TWICE: Final = 5_000
"""Within how long (ms) a second press on *Open* means the same tournament."""


class Alone:
    """Keeps all but one waiting who change a tournament."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, tournament_id: str) -> asyncio.Lock:
        """To be held while a tournament is read and changed."""
        return self._locks.setdefault(tournament_id, asyncio.Lock())


Changed = Callable[[int, str], None]
"""Is told the server and id of a tournament that changed. It only notes what to do."""


@dataclass(slots=True, eq=False)
class Tournaments:
    """The tournaments of all servers, as people change them. All methods raise Refused and Unsaved.

    `changed` is called after each change. Everywhere the key may be `tournament.gone`, for a tournament that isn't
    there, and `tournament.ended`, for one that is over or called off. Where a `By` is asked for it may be
    `hosted.not_yours`: only the host and who may manage tournaments can do that; and what keeps somebody from
    playing in the server keeps them from that too.
    """

    queries: TournamentQueries
    admission: Admission
    scheduler: Scheduler
    alone: Alone
    changed: Changed
    source: random.Random = SYSTEM_RANDOM
    _creating: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    # ------------------------------------------------------------------------------------ looking

    async def whole(self, guild_id: int, tournament_id: str) -> Whole:
        """A tournament with everything that happened in it."""
        found = await translate_errors(self.queries.whole(guild_id, tournament_id))
        if found is None:
            raise Refused("tournament.gone")
        return found

    async def of_server(self, guild_id: int) -> list[Tournament]:
        """The tournaments of a server that aren't over, the latest first."""
        return await translate_errors(self.queries.of_server(guild_id))

    async def latest_over(self, guild_id: int) -> list[Tournament]:
        """The tournament of a server that was over last; nothing if none ever was."""
        return await translate_errors(self.queries.latest_over(guild_id))

    async def of_person(self, guild_id: int, user_id: int) -> list[Tournament]:
        """The tournaments of a server that aren't over, and that somebody is in."""
        entered = await translate_errors(self.queries.of_person(guild_id, user_id))
        in_now = {tournament_id for tournament_id, each in entered if each.there}
        return [each for each in await self.of_server(guild_id) if each.id in in_now]

    async def avoided(self, whole: Whole, user_id: int) -> list[int]:
        """Who is in a tournament that somebody has joined who has blocked them, in the order of joining; nobody any
        more once that person's first round has begun. Nobody else may read that, and who is blocked reads nothing."""
        tournament, entrant = whole.tournament, whole.entrant(user_id)
        if tournament.ended or entrant is None or not entrant.there or entrant.joined <= tournament.round:
            return []
        others = [each.user_id for each in whole.people]
        found = await self.admission.avoided(user_id, others)
        return [each for each in others if each in found]

    async def room_in(self, guild_id: int, seats: int = 2) -> int:
        """How many people another tournament of a server may have with these seats at a table: matches of all
        tournaments are a budget."""
        open_ = await self.of_server(guild_id)
        taken = sum(len(split(each.most, range(2, 1 + each.seats))) for each in open_)
        return max(0, min(MOST, seats * (MOST_RESERVED - taken)))

    # ------------------------------------------------------------------------------------ beginning one

    async def create(self, terms: Terms, options: Any, host_id: int, open_for: int = 15 * 60) -> Tournament:
        """Begin a tournament with these options of its game: for `open_for` seconds people can join. Its message is
        posted by the caller, who notes it. Who does that twice at once begins one.

        Raises Refused `tournament.no_room` (`fit`: for how many people there is room now), `tournament.full_up` if
        there is none, and what keeps the host from playing in the server.
        """
        await self.admission.check_player(terms.guild_id, host_id)
        async with self._creating:
            made = self._made(terms, options, host_id, open_for)
            for each in await self.of_server(terms.guild_id):
                if each.host_id == host_id and _is_pressed_twice(each, made):
                    return each
            fit = await self.room_in(terms.guild_id, terms.seats)
            if fit < 4:
                raise Refused("tournament.full_up")
            if terms.most > fit:
                raise Refused("tournament.no_room", fit=fit)
            await translate_errors(self.queries.create(made))
        self.changed(made.guild_id, made.id)
        return made

    def _made(self, terms: Terms, options: Any, host_id: int, open_for: int) -> Tournament:
        arena = terms.format is Format.ARENA
        one_deal = terms.same_deal and terms.legs == 1 and not terms.every
        if not 4 <= terms.most <= MOST or terms.legs not in {1, 2} or arena is not bool(terms.lasts):
            raise ValueError("there are no such tournaments")
        if terms.check_in and terms.every:
            raise ValueError("nobody says twice that they are here where rounds take days")
        if (terms.teams and (arena or not one_deal)) or (arena and (terms.same_deal or terms.every)):
            raise ValueError("there are no such teams or arenas")
        if terms.seats > 2 and (terms.format is not Format.SWISS or terms.teams or terms.legs > 1):
            raise ValueError("there are no such tables")
        now = self.scheduler.now()
        return Tournament(
            id=random_id(self.source),
            message_id=None,
            options=codec(terms.game).encode(options),
            rounds=0,
            created_at=now,
            closes_at=now + 1000 * open_for,
            host_id=host_id,
            **terms.columns(),
        )

    async def note_message(self, guild_id: int, tournament_id: str, channel_id: int, message_id: int) -> bool:
        """Record the message that shows a tournament, unless that was resumed in another channel. Whether this did
        it."""
        async with self.alone.of(tournament_id):
            found = await self.whole(guild_id, tournament_id)
            stays = found.tournament.channel_id == channel_id
            if stays:
                await self._put(found, message_id=message_id)
        return stays

    async def note_event(self, guild_id: int, tournament_id: str, event_id: int | None) -> None:
        """Record the event of a tournament in its server's calendar."""
        async with self.alone.of(tournament_id):
            await self._put(await self.whole(guild_id, tournament_id), event_id=event_id)

    # ------------------------------------------------------------------------------------ who is in it

    async def join(self, guild_id: int, tournament_id: str, user_id: int) -> Whole:
        """Have somebody join: from the first round or, in Swiss, from the next one; in an arena at once. They are the
        last of the entrants.

        Raises Refused `tournament.in_already`, `tournament.left` (they were in it, and can come back),
        `tournament.joining_over`, `tournament.full` (`most`), `tournament.in_another` (in an evening at the same time),
        and what keeps them from playing in the server.
        """
        await self.admission.check_player(guild_id, user_id)
        async with self._changing(guild_id, tournament_id) as found:
            self._check_may_join(found, user_id)
            first = 1 if found.tournament.format is Format.ARENA else found.tournament.round + 1
            number = max((each.number for each in found.entrants), default=0) + 1
            seed = len(found.entrants) + 1 if found.tournament.state is State.PLAYING else 0
            joined = EntrantRow(number, user_id, self.scheduler.now(), checked_in=seed > 0, seed=seed, joined=first)
            return await self._entered(found, joined)

    def _check_may_join(self, found: Whole, user_id: int) -> None:
        tournament, entrant = found.tournament, found.entrant(user_id)
        if entrant is not None:
            raise Refused("tournament.in_already" if entrant.there else "tournament.left")
        arena_over = bool(tournament.lasts) and self.scheduler.now() >= (tournament.due_at or 0)
        if tournament.state is not State.OPEN and (not tournament.takes_late or arena_over):
            raise Refused("tournament.joining_over")
        _check_has_room(found)

    async def ask(self, guild_id: int, tournament_id: str, user_id: int, partner_id: int) -> Whole:
        """Have somebody ask another to be their partner, in place of whom they asked before. Once both ask each other,
        they are a team.

        Raises Refused `tournament.not_in`, `tournament.no_asking` (it is not played by teams, or has begun),
        `tournament.has_partner` (the other plays with somebody else), and `challenge.takes_none` if they can't be
        brought together.
        """
        async with self._changing(guild_id, tournament_id) as found:
            entrant, other = found.entrant(user_id), found.entrant(partner_id)
            if entrant is None or not entrant.there:
                raise Refused("tournament.not_in")
            tournament = found.tournament
            if not tournament.teams or tournament.state is State.PLAYING or partner_id == user_id:
                raise Refused("tournament.no_asking")
            theirs = None if other is None else partner(found, other)
            if theirs is not None and theirs.user_id != user_id:
                raise Refused("tournament.has_partner")
            await self.admission.check_guests(guild_id, user_id, [partner_id])
            asked = Ask(entrant.number, partner_id)
            await translate_errors(self.queries.ask(guild_id, tournament_id, asked))
            others = [each for each in found.asks if each.number != entrant.number]
            return replace(found, asks=(*others, asked))

    async def leave(self, guild_id: int, tournament_id: str, user_id: int) -> Whole:
        """Have somebody leave. Before the first round they are just not in it; later they can come back. A match of
        theirs that is in play continues; who they should still meet in this round gets a point.

        Raises Refused `tournament.not_in`.
        """
        async with self._changing(guild_id, tournament_id) as found:
            entrant = found.entrant(user_id)
            if entrant is None or not entrant.there:
                raise Refused("tournament.not_in")
            if found.tournament.round:
                return await self._with(found, replace(entrant, left_after=found.tournament.round))
            await translate_errors(self.queries.remove_entrants(guild_id, tournament_id, [entrant.number]))
            return replace(
                found,
                entrants=tuple([each for each in found.entrants if each != entrant]),
                asks=tuple([each for each in found.asks if each.number != entrant.number]),
            )

    async def back(self, guild_id: int, tournament_id: str, user_id: int) -> Whole:
        """Have somebody come back who left: they play from the next round on.

        Raises Refused `tournament.not_left`; and as `join` does `tournament.full`, if others took their place, and
        `tournament.in_another`.
        """
        await self.admission.check_player(guild_id, user_id)
        async with self._changing(guild_id, tournament_id) as found:
            entrant = found.entrant(user_id)
            if entrant is None or entrant.left_after is None:
                raise Refused("tournament.not_left")
            _check_has_room(found)
            missed = (*entrant.absent, *range(entrant.left_after + 1, found.tournament.round + 1))
            return await self._entered(found, replace(entrant, left_after=None, absent=missed))

    async def check_in(self, guild_id: int, tournament_id: str, user_id: int) -> Whole:
        """Note that somebody is here. Doing that again changes nothing.

        Raises Refused `tournament.not_in`, `tournament.no_check_in` (it is not time for that, or not any more).
        """
        async with self._changing(guild_id, tournament_id) as found:
            entrant = found.entrant(user_id)
            if entrant is None or not entrant.there:
                raise Refused("tournament.not_in")
            if found.tournament.state is not State.CHECKING:
                raise Refused("tournament.no_check_in")
            return await self._with(found, replace(entrant, checked_in=True))

    # ------------------------------------------------------------------------------------ its host

    async def close_joining(self, guild_id: int, tournament_id: str, by: By) -> Whole:
        """Have it begin now, with who has joined or, once people confirm that they are here, with who has done that.

        Raises Refused `tournament.joining_over`, `tournament.too_few` (`least`).
        """
        async with self._changing(guild_id, tournament_id, by) as found:
            checking, now = found.tournament.state is State.CHECKING, self.scheduler.now()
            if not checking and found.tournament.state is not State.OPEN:
                raise Refused("tournament.joining_over")
            if len([each for each in found.people if each.checked_in or not checking]) < least(found.tournament):
                raise Refused("tournament.too_few", least=least(found.tournament))
            return await (self._put(found, due_at=now) if checking else self._put(found, closes_at=now))

    async def pause(self, guild_id: int, tournament_id: str, by: By) -> Whole:
        """Have no match begin until it is resumed. Matches in play go on.

        Raises Refused `tournament.not_begun`, `tournament.paused_already`.
        """
        async with self._changing(guild_id, tournament_id, by) as found:
            if found.tournament.state is not State.PLAYING:
                raise Refused("tournament.not_begun")
            if found.tournament.hold is not None:
                raise Refused("tournament.paused_already")
            return await self._put(found, hold=Hold.HOST, held_at=self.scheduler.now())

    async def resume(self, guild_id: int, tournament_id: str, by: By, channel_id: int) -> tuple[Whole, Tournament]:
        """Have it go on, with new matches in this channel. Returns it as it is now, and as it was.

        Raises Refused `tournament.not_paused`.
        """
        async with self._changing(guild_id, tournament_id, by) as found:
            if found.tournament.hold is None:
                raise Refused("tournament.not_paused")
            former = found.tournament
            message_id = former.message_id if former.channel_id == channel_id else None
            put = await self._put(found, hold=None, held_at=None, channel_id=channel_id, message_id=message_id)
            return put, former

    async def call_off(self, guild_id: int, tournament_id: str, by: By) -> Whole:
        """End it without winners. Matches in play go on, but nothing follows from them."""
        async with self._changing(guild_id, tournament_id, by) as found:
            ended = {"state": State.CALLED_OFF, "hold": None, "held_at": None, "due_at": None}
            return await self._put(found, **ended, ended_at=self.scheduler.now())

    async def correct(
        self, guild_id: int, tournament_id: str, by: By, which: tuple[int, int], got: tuple[int, ...]
    ) -> Whole:
        """Set the result of a pairing, given by its round and number: the half points of each as places give them, or
        none for anybody. It stands whatever its matches give, and can be set after the end too. Who did it can be read
        by all.

        Raises Refused `tournament.no_pairing` (there is none with this number, or it is a bye),
        `tournament.too_late` in an elimination, where the next round was paired by it, and `tournament.corrected_often`
        (`limit`).
        """
        if any(got) and got != half_points(got):
            raise ValueError("no result of a pairing")
        async with self.alone.of(tournament_id):
            found = await self.whole(guild_id, tournament_id)
            await self._check_manages(found.tournament, by)
            if found.tournament.state is State.CALLED_OFF:
                raise Refused("tournament.ended")
            round_, number = which
            pairing = next((each for each in found.of_round(round_) if each.number == number), None)
            if pairing is None or pairing.is_bye or len(got) != len(pairing.people):
                raise Refused("tournament.no_pairing")
            if found.tournament.format in ELIMINATIONS and round_ < found.tournament.round:
                raise Refused("tournament.too_late")
            found = await self._corrected(found, pairing, by, got)
        self.changed(guild_id, tournament_id)
        return found

    async def _corrected(self, found: Whole, pairing: PairingRow, by: By, got: tuple[int, ...]) -> Whole:
        now, tournament = self.scheduler.now(), found.tournament
        which = pairing.round, pairing.number
        before = [each.nth for each in found.corrections if (each.round, each.pairing) == which]
        if len(before) >= MOST_CORRECTIONS:
            raise Refused("tournament.corrected_often", limit=MOST_CORRECTIONS)
        nth = 1 + max(before, default=0)  # of those before some went with the data of who made them
        correction = Correction(pairing.round, pairing.number, nth, now, by.user_id, got)
        set_ = replace(pairing, how=How.CORRECTED, got=got, ended_at=pairing.ended_at or now)
        await translate_errors(self.queries.correct(tournament.guild_id, tournament.id, set_, correction))
        pairings = tuple([set_ if each == pairing else each for each in found.pairings])
        return replace(found, pairings=pairings, corrections=(*found.corrections, correction))

    # ------------------------------------------------------------------------------------ steps

    @asynccontextmanager
    async def _changing(self, guild_id: int, tournament_id: str, by: By | None = None) -> AsyncIterator[Whole]:
        """A tournament that isn't over, while nobody else changes it; `by` must be somebody who may look after it."""
        async with self.alone.of(tournament_id):
            found = await self.whole(guild_id, tournament_id)
            if found.tournament.ended:
                raise Refused("tournament.ended")
            if by is not None:
                await self._check_manages(found.tournament, by)
            yield found
        self.changed(guild_id, tournament_id)

    async def _check_manages(self, tournament: Tournament, by: By) -> None:
        """Who is kept from playing in the server looks after nothing there."""
        if not by.may_manage(tournament.host_id):
            raise Refused("hosted.not_yours")
        await self.admission.check_player(tournament.guild_id, by.user_id)

    async def _entered(self, found: Whole, entrant: EntrantRow) -> Whole:
        tournament = found.tournament
        if not await translate_errors(self.queries.enter(tournament.guild_id, tournament.id, entrant)):
            raise Refused("tournament.in_another")
        return _with(found, entrant)

    async def _with(self, found: Whole, entrant: EntrantRow) -> Whole:
        tournament = found.tournament
        await translate_errors(self.queries.put_entrants(tournament.guild_id, tournament.id, [entrant]))
        return _with(found, entrant)

    async def _put(self, found: Whole, **changes: Any) -> Whole:
        put = replace(found.tournament, **changes)
        await translate_errors(self.queries.put(put))
        return replace(found, tournament=put)


def _check_has_room(found: Whole) -> None:
    if len(found.people) >= found.tournament.most:
        raise Refused("tournament.full", most=found.tournament.most)


def _with(found: Whole, entrant: EntrantRow) -> Whole:
    others = [each for each in found.entrants if each.number != entrant.number]
    return replace(found, entrants=tuple(sorted((*others, entrant), key=lambda each: each.number)))


def least(tournament: Tournament) -> int:
    """How many people it needs to begin."""
    return 2 * LEAST if tournament.teams else LEAST


def _is_pressed_twice(before: Tournament, made: Tournament) -> bool:
    """Whether a tournament was opened a moment before, with the terms of one that was asked for now."""
    began, closes = made.created_at, made.closes_at
    same = replace(before, id=made.id, message_id=None, event_id=None, created_at=began, closes_at=closes)
    return began - before.created_at < TWICE and same == made
