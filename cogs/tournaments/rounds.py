"""What happens in a tournament by itself, one step after the other: each is saved at once, and can be done again.

So a process that dies in the middle of a round is followed by one that finds everything in the database, and continues.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot import pairing as pairings
from bot.games import GAMES
from bot.pairing.model import Apart, Format, Pairing
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.admission import Admission
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.scheduler import DAY
from bot.store.errors import Conflict
from bot.store.queries.matches import Suspension
from bot.store.special_ids import is_deleted
from bot.store.store import Store
from cogs.actions.hosting import by_strength
from cogs.actions.steps import AGAIN, Steps
from cogs.tournaments.arenas import next_pairs, paired_at, patient_until, waiting
from cogs.tournaments.cups import LEAST, Alone, least
from cogs.tournaments.matches import LOST, MINUTE, HeldDeals, TournamentMatches, bound, is_slow, sealed
from cogs.tournaments.partners import is_settled, together
from cogs.tournaments.queries import TournamentQueries
from cogs.tournaments.rows import (
    ELIMINATIONS,
    HELD,
    EntrantRow,
    Hold,
    How,
    Leg,
    PairingRow,
    State,
    Tournament,
    Whole,
    alone,
    drawn,
)

CHECK_IN: Final = 5 * 60_000
"""How long (ms) people have to say that they are here."""
BREAK: Final = 30_000
"""Milliseconds between two rounds of an evening."""
LATE: Final = 60_000
"""If something was due more milliseconds ago, nobody could press before it: the machine slept, or nothing was saved."""
EVERYWHERE: Final = 0
"""What is lost in place of a channel where the bot was removed from the server."""


@dataclass(slots=True, eq=False)
class Rounds:
    """Makes the steps of tournaments. `changed` is called after each."""

    matches: TournamentMatches
    admission: Admission
    store: Store
    now: Callable[[], int]
    changed: Callable[[int, str], None]
    tell_host: Callable[[Tournament], None]
    """Tells a host that their tournament was on hold for too long. It only notes what to do."""
    since: int = field(init=False)
    """Since when (ms UTC) this process looks on. Time before that counts for no match that isn't slow, because the bot
    was down, or its machine slept."""
    lost: dict[str, dict[str, int]] = field(default_factory=dict, init=False)
    """By their tournament, the matches that lost a channel or a thread, each with that, as far as nothing followed yet.
    A lost thread is a matter of its players, who can resume their match elsewhere."""

    _paused: set[str] = field(default_factory=set, init=False)
    _gone_on: dict[str, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.since = self.now()

    async def advance(self, guild_id: int, tournament_id: str) -> int | None:
        """Make all steps of a tournament that are due. Returns when the next one is (ms UTC); None if nothing is due
        before something else happens. Raises Unsaved. It is called while nothing else changes the tournament."""
        while True:
            whole = await translate_errors(self.matches.queries.whole(guild_id, tournament_id))
            if whole is None:
                return None
            if whole.tournament.ended:
                self._paused.discard(tournament_id)
                self._gone_on.pop(tournament_id, None)
                opened = whole.tournament.state is State.OVER and bool(self._ended_now(whole))
                await self._release(whole)
                if opened:  # a match that was in play then, so what it gave was still closed
                    self.changed(guild_id, tournament_id)
                return None
            self._note_hold(whole.tournament)
            try:
                due = await self._step(whole)
            except Conflict:  # a step was made before, by a process that died, or somebody was deleted
                due = AGAIN
            if due != AGAIN:
                return due
            self.changed(guild_id, tournament_id)

    def _note_hold(self, tournament: Tournament) -> None:
        """Note since when a tournament goes on that was on hold."""
        if tournament.hold is not None:
            self._paused.add(tournament.id)
        elif tournament.id in self._paused:
            self._paused.discard(tournament.id)
            self._gone_on[tournament.id] = self.now()

    async def _step(self, whole: Whole) -> int | None:
        tournament, now = whole.tournament, self.now()
        match tournament.state:
            case State.OPEN:
                full = len(whole.people) >= tournament.most and is_settled(whole)
                if now < tournament.closes_at and not full:
                    return tournament.closes_at
                return await self._close_joining(whole)
            case State.CHECKING:
                return await self._end_check_in(whole)
            case _:
                held_until = tournament.held_until
                if held_until is not None and now >= held_until:
                    return await self._give_up(tournament, late=now > held_until + LATE)
                due = await self._play(whole)
                return due if held_until is None else min(held_until, held_until if due is None else due)

    # ------------------------------------------------------------------------------------ it begins

    async def _close_joining(self, whole: Whole) -> int:
        tournament, now = whole.tournament, self.now()
        if not tournament.check_in or len(whole.people) < least(tournament):
            return await self._begin(whole, whole.people)
        await self._put(replace(tournament, state=State.CHECKING, closes_at=now, due_at=now + CHECK_IN))
        return AGAIN

    async def _end_check_in(self, whole: Whole) -> int:
        """Begin with those who are here, once all are or their time is up."""
        due, now, here = whole.tournament.due_at, self.now(), [each for each in whole.people if each.checked_in]
        if due is not None and len(here) < len(whole.people):
            back = now if now > due + LATE else self._credited_at
            if due < back + CHECK_IN:
                await self._put(replace(whole.tournament, due_at=back + CHECK_IN))
                return AGAIN
            if now < due:
                return due
        return await self._begin(whole, here)

    async def _begin(self, whole: Whole, here: Sequence[EntrantRow]) -> int:
        """Begin to play with these people; call it off if they are too few."""
        tournament, now = whole.tournament, self.now()
        here = [each for each in here if not await self._barred(tournament, each.user_id)]
        entrants = await (self._seeded_teams(whole, here) if tournament.teams else self._seeded(tournament, here))
        sides = len({each.seed if each.team is None else each.team for each in entrants})
        if sides < LEAST:
            await self._put(replace(tournament, state=State.CALLED_OFF, due_at=None, ended_at=now))
            return AGAIN
        rounds = pairings.rounds(tournament.format, sides, tournament.seats) or 0
        begun = replace(
            tournament,
            state=State.PLAYING,
            rounds=0 if tournament.format in ELIMINATIONS else rounds,
            closes_at=min(now, tournament.closes_at),
            due_at=now,
            began_at=now,
        )
        await translate_errors(self.matches.queries.begin(begun, [replace(each, checked_in=True) for each in entrants]))
        return AGAIN

    async def _seeded(self, tournament: Tournament, here: Sequence[EntrantRow]) -> list[EntrantRow]:
        by_user = {each.user_id: each for each in here}
        order = await self._by_strength(tournament, here)
        model = pairings.seeded(tournament.format, order, await self._apart(order))
        return [replace(by_user[each.user_id], seed=each.seed) for each in model]

    async def _seeded_teams(self, whole: Whole, here: Sequence[EntrantRow]) -> list[EntrantRow]:
        """Who plays in teams: those of team 1, whose members together are the strongest, have the seeds 1 and 2, and
        so on."""
        order = await self._by_strength(whole.tournament, here)
        apart, rank = await self._apart(order), {user_id: index for index, user_id in enumerate(order)}
        found = [sorted(both, key=lambda each: rank[each.user_id]) for both in together(whole, here, apart)]
        found.sort(key=lambda both: sum(rank[each.user_id] for each in both))
        of = {each.user_id: nth for nth, both in enumerate(found) for each in both}
        kept_apart = (frozenset({of[each] for each in pair if each in of}) for pair in apart)
        far = frozenset(pair for pair in kept_apart if len(pair) == 2)
        model = pairings.seeded(whole.tournament.format, range(len(found)), far)
        return [
            replace(each, team=team.seed, seed=2 * team.seed - 1 + nth)
            for team in model
            for nth, each in enumerate(found[team.user_id])
        ]

    async def _by_strength(self, tournament: Tournament, here: Sequence[EntrantRow]) -> list[int]:
        joined = [each.user_id for each in sorted(here, key=lambda each: each.number)]
        return await by_strength(self.store, tournament.guild_id, tournament.game, joined)

    async def _apart(self, users: Sequence[int]) -> Apart:
        """Who of these are kept apart."""
        found = {user: await self.admission.apart(user, users) for user in users}
        return frozenset(frozenset({user, other}) for user, others in found.items() for other in others)

    async def _barred(self, tournament: Tournament, user_id: int) -> bool:
        """Whether somebody may not play in the server now, or had their data deleted. Raises Unsaved."""
        return is_deleted(user_id) or not await self.admission.may_begin(tournament.guild_id, user_id)

    # ------------------------------------------------------------------------------------ a round begins

    async def _play(self, whole: Whole) -> int | None:
        tournament, round_ = whole.tournament, whole.this_round
        lost = self._is_venue_lost(whole)
        if tournament.hold is not None:
            self.lost.pop(tournament.id, None)
        elif lost or tournament.game not in GAMES:
            why = Hold.VENUE if lost else Hold.DEAL
            await self._put(replace(tournament, hold=why, held_at=self.now()))
            return AGAIN
        if tournament.game not in GAMES:
            return None
        arena = tournament.format is Format.ARENA
        if arena or (round_ is not None and round_.ended_at is None):
            return await (self._go_on_arena(whole) if arena else self._go_on(whole))
        if tournament.hold is not None:
            return None
        if tournament.due_at is not None and self.now() < tournament.due_at:
            return tournament.due_at
        return await self._next_round(whole)

    async def _give_up(self, tournament: Tournament, *, late: bool) -> int:
        """Call a tournament off that was on hold for too long, or give it another day if that comes `late`. What it is
        on hold for says why."""
        if late:
            await self._put(_one_day_more(tournament, self.now()))
            return AGAIN
        ended = replace(tournament, state=State.CALLED_OFF, held_at=None, due_at=None, ended_at=self.now())
        await self._put(ended)
        self.tell_host(ended)
        return AGAIN

    def _is_venue_lost(self, whole: Whole) -> bool:
        """Whether a match lost its channel that began since the tournament was resumed last: those before are where it
        was then."""
        venues = EVERYWHERE, whole.tournament.channel_id
        lost = [of for of, venue in self.lost.get(whole.tournament.id, {}).items() if venue in venues]
        since = self._gone_on.get(whole.tournament.id, 0)
        legs = [leg for each in whole.in_round for leg in each.legs if leg.match_id in lost]
        return any(leg.began_at >= since for leg in legs)

    async def _next_round(self, whole: Whole) -> int:
        """Pair the next round, or end the tournament if there is none."""
        tournament, now = replace(whole.tournament, round=whole.tournament.round + 1), self.now()
        whole = await self._without_barred(whole)
        paired = await self._paired(whole)
        if not paired:
            await self._put(replace(whole.tournament, state=State.OVER, due_at=None, ended_at=now))
            return AGAIN
        if tournament.teams:
            people = whole.as_people
            paired = tuple([each for both in paired for each in pairings.teams.matches(both, people, tournament.round)])
        rows = [_row(tournament.round, number, each, now) for number, each in enumerate(paired, 1)]
        numbers = [0] if tournament.same_deal else [each.number for each in rows if not each.is_bye]
        dealt = [
            sealed(tournament, tournament.round, number, leg, self.matches.source)
            for number in numbers
            for leg in range(1, 1 + tournament.legs)
        ]
        if tournament.same_deal:
            self.matches.held.hold(tournament.guild_id, [each.deal_id for each in dealt])
        begun = replace(tournament, due_at=None)
        saved = self.matches.queries.begin_round(begun, now, entrants=whole.entrants, pairings=rows, dealt=dealt)
        await translate_errors(saved)
        return AGAIN

    async def _without_barred(self, whole: Whole) -> Whole:
        """A tournament in which who may not play any more has left."""
        left = []
        for each in whole.entrants:
            gone = each.there and await self._barred(whole.tournament, each.user_id)
            left.append(replace(each, left_after=whole.tournament.round) if gone else each)
        return replace(whole, entrants=tuple(left))

    async def _paired(self, whole: Whole) -> tuple[Pairing, ...]:
        """The pairings of the round that comes next; none if none comes."""
        tournament, number = whole.tournament, whole.tournament.round + 1
        if tournament.rounds and number > tournament.rounds:
            return ()
        there = [each.user_id for each in whole.people]
        if tournament.rounds and len(there) < 2:
            return ()
        apart = await self._apart(there)
        found = pairings.pair(
            tournament.format,
            whole.model,
            whole.played,
            number,
            apart=pairings.teams.as_apart(whole.as_people, apart) if tournament.teams else apart,
            scoring=tournament.scoring,
            sizes=range(min(GAMES[tournament.game].info.seats), 1 + tournament.seats),
        )
        return found if any(each.second is not None for each in found) or tournament.rounds else ()

    # ------------------------------------------------------------------------------------ a round in play

    async def _go_on(self, whole: Whole) -> int | None:
        tournament, round_ = whole.tournament, whole.this_round
        if round_ is None:
            raise RuntimeError("no round was paired")
        if await self._hear_results(whole.tournament):
            return AGAIN
        if tournament.hold is None:
            waiting = [each for each in whole.in_round if each.how is None and each.in_play is None]
            beginning = [each for each in waiting if len(each.legs) < (_legs_due(whole, each) or 0)]
            complete = [each for each in beginning if all([await self._is_there(whole, user) for user in each.people])]
            await self.matches.prepare(tournament, complete)
        due = [await self._go_on_with(whole, each, round_.began_at) for each in whole.in_round if each.how is None]
        if AGAIN in due:
            return AGAIN
        if all(each.how is not None for each in whole.in_round):
            return await self._end_round(tournament, whole, round_.began_at)
        return min([at for at in due if at is not None], default=None)

    async def _hear_results(self, tournament: Tournament) -> bool:
        """Record what matches gave that are over. Whether there were some."""
        here = tournament.guild_id, tournament.id
        ended = await translate_errors(self.matches.queries.ended_legs(*here))
        for each in ended:
            which = each.round, each.pairing, each.leg
            await translate_errors(self.matches.queries.end_leg(*here, which, each.got))
        return bool(ended)

    async def _go_on_with(self, whole: Whole, pairing: PairingRow, round_began: int) -> int | None:
        """Do what is next in a pairing. Returns when something else is due."""
        tournament, playing = whole.tournament, pairing.in_play
        if playing is not None:
            return await self._watch(tournament, pairing, playing, round_began)
        due = _legs_due(whole, pairing)
        if due is None:
            return None
        if len(pairing.legs) >= due:
            return await self._end_pairing(tournament, replace(pairing, how=How.PLAYED))
        there = [user for user in pairing.people if await self._is_there(whole, user)]
        if len(there) < max(2, min(GAMES[tournament.game].info.seats)):
            walkover = replace(pairing, how=How.WALKOVER, got=alone(pairing, there))
            return await self._end_pairing(tournament, walkover)
        if len(there) < len(pairing.people) and not pairing.legs:
            return await self._seat(tournament, replace(pairing, people=tuple(there)))
        return None if tournament.hold is not None else await self._begin_match(tournament, pairing)

    async def _watch(self, tournament: Tournament, pairing: PairingRow, playing: Leg, round_began: int) -> int | None:
        """End a match in play once it takes too long. Returns when that is."""
        if tournament.hold is not None:
            return None
        until = self._bound(tournament, playing, round_began)
        if not is_slow(tournament) and self.now() > until + LATE:
            self.since = self.now()
            until = self._bound(tournament, playing, round_began)
        return until if self.now() < until else await self._end_late(tournament, pairing, playing)

    def _bound(self, tournament: Tournament, playing: Leg, round_began: int) -> int:
        since = 0 if is_slow(tournament) else max(self.since, self._credited_at, self._gone_on.get(tournament.id, 0))
        return bound(tournament, round_began, max(playing.began_at, since))

    @property
    def _credited_at(self) -> int:
        """When the bot was back after it or Discord was out of reach for long (ms UTC)."""
        return self.matches.lifecycle.clock.credited_at

    async def _is_there(self, whole: Whole, user_id: int) -> bool:
        """Whether somebody is there, with their partner if they have one."""
        members = whole.members(whole.side(user_id))
        there = bool(members) and all(each.there and whole.tournament.round not in each.absent for each in members)
        return there and not any([await self._barred(whole.tournament, each.user_id) for each in members])

    async def _seat(self, tournament: Tournament, pairing: PairingRow) -> int:
        """Have those of a table play who are there: the others miss the round."""
        await translate_errors(self.matches.queries.seat(tournament.guild_id, tournament.id, pairing))
        return AGAIN

    async def _begin_match(self, tournament: Tournament, pairing: PairingRow) -> int | None:
        try:
            await self.matches.begin(tournament, pairing, len(pairing.legs) + 1)
        except Unsaved:
            raise
        except Refused as refused:
            if refused.key == "limit.reserved":  # matches of a tournament that was called off, whose end nobody hears
                return self.now() + BREAK
            await self._put(replace(tournament, hold=Hold.DEAL, held_at=self.now()))
        return AGAIN

    async def _end_late(self, tournament: Tournament, pairing: PairingRow, playing: Leg) -> int:
        """End a pairing whose match takes too long: that match is drawn, and those before it count. It is called off
        first, because its deal is open once no match of the round is known to be in play."""
        called_off = await translate_errors(self.matches.end(playing.match_id))
        if not called_off and await self._hear_results(tournament):
            return AGAIN  # it has just ended by itself
        legs = tuple([replace(each, got=drawn(pairing)) if each == playing else each for each in pairing.legs])
        return await self._end_pairing(tournament, replace(pairing, how=How.LATE, legs=legs))

    async def _end_pairing(self, tournament: Tournament, ended: PairingRow) -> int:
        saved = self.matches.queries.end_pairing(
            tournament.guild_id, tournament.id, replace(ended, ended_at=self.now())
        )
        await translate_errors(saved)
        return AGAIN

    async def _end_round(self, tournament: Tournament, whole: Whole, began: int) -> int:
        await self._release(whole)  # before that is saved: what fails here is done again
        now = self.now()
        over = not await self._paired(await self._without_barred(whole))
        due = max(now, began + 1000 * tournament.every) if tournament.every else now + BREAK
        ended = replace(tournament, due_at=None if over else due)
        if over:
            ended = replace(ended, state=State.OVER, hold=None, held_at=None, ended_at=now)
        await translate_errors(self.matches.queries.end_round(ended, now))
        return AGAIN

    async def _release(self, whole: Whole) -> None:
        """Hold the deals of a tournament's rounds no longer: they are over, or it was called off. Matches that are
        still in play are waited for: the result of such a pairing was corrected, or all was called off."""
        tournament = whole.tournament
        if tournament.same_deal:
            dealt = await translate_errors(self.matches.queries.deals(tournament.guild_id, tournament.id))
            self.matches.held.release(tournament.guild_id, [each.deal_id for each in dealt])
        self.lost.pop(tournament.id, None)
        for match_id in self._ended_now(whole):
            del self.matches.of[match_id]
        self.matches.threads.forget(tournament)

    def _ended_now(self, whole: Whole) -> list[str]:
        """The matches that were waited for and have ended."""
        ended = [leg.match_id for each in whole.pairings for leg in each.legs if leg.got is not None]
        return [match_id for match_id in ended if match_id in self.matches.of]

    # ------------------------------------------------------------------------------------ an arena

    async def _go_on_arena(self, whole: Whole) -> int | None:
        """Pair who waits until the time is up, then wait for the matches in play. All is in one round."""
        tournament, round_, now = whole.tournament, whole.this_round, self.now()
        queries = self.matches.queries
        if round_ is None:
            begun = replace(tournament, round=1, due_at=now + tournament.lasts * MINUTE)
            await translate_errors(queries.begin_round(begun, now, entrants=(), pairings=(), dealt=()))
            return AGAIN
        if await self._hear_results(whole.tournament):
            return AGAIN
        up = tournament.due_at is not None and now >= tournament.due_at
        open_ = [each for each in whole.in_round if each.how is None]
        due = [
            await self._drop(tournament, each)
            if up and not each.legs
            else await self._go_on_with(whole, each, round_.began_at)
            for each in open_
        ]
        if up and not open_:
            over = replace(tournament, state=State.OVER, hold=None, held_at=None, due_at=None, ended_at=now)
            await translate_errors(queries.end_round(over, now))
            return AGAIN
        if not up and AGAIN not in due:
            due += [tournament.due_at, await self._pair_waiting(whole)]
        return min([at for at in due if at is not None], default=None)

    async def _pair_waiting(self, whole: Whole) -> int | None:
        """Pair who waits, once they have waited long enough. Returns when to look again."""
        tournament, now, at = whole.tournament, self.now(), paired_at(whole)
        here = tournament.guild_id, tournament.id
        if tournament.hold is not None or at is None or now < at:
            return None if tournament.hold is not None else at
        users = [user_id for _, user_id in waiting(whole)]
        barred = [user_id for user_id in users if await self._barred(tournament, user_id)]
        if barred:
            left = [replace(each, left_after=tournament.round) for each in whole.people if each.user_id in barred]
            await translate_errors(self.matches.queries.put_entrants(*here, left))
            return AGAIN
        found = next_pairs(whole, await self._apart(users), now)
        if not found:
            return patient_until(whole)
        first = 1 + max((each.number for each in whole.in_round), default=0)
        rows = [_row(tournament.round, number, each, now) for number, each in enumerate(found, first)]
        await translate_errors(self.matches.queries.add_pairings(*here, rows))
        return AGAIN

    async def _drop(self, tournament: Tournament, pairing: PairingRow) -> int:
        """End a pairing of an arena whose match had not begun when the time was up."""
        return await self._end_pairing(tournament, replace(pairing, how=How.WALKOVER, got=alone(pairing, ())))

    # ------------------------------------------------------------------------------------ saving

    async def _put(self, tournament: Tournament) -> None:
        await translate_errors(self.matches.queries.put(tournament))


def _legs_due(whole: Whole, pairing: PairingRow) -> int | None:
    """How many matches a pairing has in all; None while that depends on the other match of two teams.

    Who ties in an elimination plays as many again, with other deals; then the seeds decide.
    """
    legs = whole.tournament.legs
    if whole.tournament.format not in ELIMINATIONS or len(pairing.legs) < legs:
        return legs
    tables = whole.tables(pairing)
    firsts = [replace(each, legs=each.legs[:legs]) for each in tables]
    if any(each.how is None and (len(each.legs) < legs or each.in_play is not None) for each in firsts):
        return None
    if any(each.how not in {None, How.PLAYED} for each in firsts):
        return legs
    ((mine, theirs),) = [each.points() for each in whole.played_in([replace(each, how=How.PLAYED) for each in firsts])]
    return 2 * legs if mine == theirs else legs


def _one_day_more(tournament: Tournament, now: int) -> Tournament:
    """A tournament that is on hold for a day more."""
    return replace(tournament, held_at=now + DAY - HELD)


def _row(round_: int, number: int, pairing: Pairing, now: int) -> PairingRow:
    bye = pairing.second is None
    return PairingRow(round_, number, pairing.seats, How.BYE if bye else None, ended_at=now if bye else None)


@dataclass(slots=True, eq=False)
class Director(Steps):
    """Directs all tournaments."""

    queries: TournamentQueries
    rounds: Rounds
    held: HeldDeals
    alone: Alone

    async def advance(self, guild_id: int, tournament_id: str) -> int | None:
        async with self.alone.of(tournament_id):
            return await self.rounds.advance(guild_id, tournament_id)

    # ------------------------------------------------------------------------------------ what it hears

    def match_changed(self, match: LiveMatch) -> None:
        """Go on after the end of a match, and hold a tournament whose channel is lost."""
        tournament = self.rounds.matches.of.get(match.id)
        if tournament is None:
            return
        if match.suspended in LOST:
            gone = match.suspended is Suspension.REMOVED
            lost = self.rounds.lost.setdefault(tournament[1], {})
            lost[match.id] = EVERYWHERE if gone else match.channel_id
        if match.over or match.suspended in LOST:
            self.wake(*tournament)

    def server_purged(self, guild_id: int) -> None:
        """Forget the tournaments of a server."""
        self.held.forget_server(guild_id)
        of = self.rounds.matches.of
        for match_id in [match_id for match_id, (guild, _) in of.items() if guild == guild_id]:
            del of[match_id]

    # ------------------------------------------------------------------------------------ a start

    async def resume(self) -> None:
        """Take up all tournaments where an earlier process left them. One whose time on hold was up while the bot was
        down gets another day. Of those that ended lately matches may be in play. Raises StoreError."""
        found = []
        for tournament in await self.queries.unfinished():
            whole = await self.queries.whole(tournament.guild_id, tournament.id)
            if whole is not None:
                await self._take_up(whole)
                found.append(tournament)
        self.held.all_known()
        for tournament in await self.queries.ended_since(self.scheduler.now() - DAY):
            whole = await self.queries.whole(tournament.guild_id, tournament.id)
            if whole is not None:
                self._wait_for(whole)
        for tournament in found:
            self.wake(tournament.guild_id, tournament.id)

    async def _take_up(self, whole: Whole) -> None:
        tournament = whole.tournament
        here = tournament.guild_id, tournament.id
        if tournament.same_deal and whole.this_round is not None and whole.this_round.ended_at is None:
            dealt = await self.queries.deals(*here)
            self.held.hold(tournament.guild_id, [each.deal_id for each in dealt if each.round == tournament.round])
        self._wait_for(whole)
        now, held_until = self.scheduler.now(), tournament.held_until
        if tournament.state is State.CHECKING:  # nobody could press while the bot was down
            await self.queries.put(replace(tournament, due_at=max(tournament.due_at or 0, now + CHECK_IN)))
        elif held_until is not None and held_until <= now:
            await self.queries.put(_one_day_more(tournament, now))

    def _wait_for(self, whole: Whole) -> None:
        """Wait for all matches of a tournament that are in play, also if their pairing or the tournament has ended."""
        playing = [leg.match_id for each in whole.pairings for leg in each.legs if leg.got is None]
        here = whole.tournament.guild_id, whole.tournament.id
        self.rounds.matches.of.update(dict.fromkeys(playing, here))
