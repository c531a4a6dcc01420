"""What happens in a tournament by itself, one step after the other: each is saved at once, and can be done again.

So a process that dies in the middle of a round is followed by one that finds everything in the tables, and continues.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot import pairing as pairings
from bot.games import GAMES
from bot.pairing.model import Apart, Format, Pairing
from bot.play.matchmaking.admission import Admission
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.store.errors import Conflict
from bot.store.special_ids import is_deleted
from bot.store.store import Store
from cogs.tournaments.cups import LEAST
from cogs.tournaments.matches import TournamentMatches, bound, is_slow, sealed
from cogs.tournaments.queries import (
    EntrantRow,
    Hold,
    How,
    Leg,
    PairingRow,
    State,
    Tournament,
    Whole,
)

CHECK_IN: Final = 5 * 60_000
"""How long (ms) people have to say that they are here."""
BREAK: Final = 30_000
"""Milliseconds between two rounds of an evening."""
AGAIN: Final = 0
"""A step was made, so it has to be seen what comes next."""
DRAWN: Final = (1, 1)
ELIMINATIONS: Final = frozenset({Format.SINGLE, Format.DOUBLE})


@dataclass(slots=True, eq=False)
class Rounds:
    """Makes the steps of tournaments. `changed` is called after each."""

    matches: TournamentMatches
    admission: Admission
    store: Store
    now: Callable[[], int]
    changed: Callable[[int, str], None]
    since: int = field(init=False)
    """Since when (ms UTC) this process looks on. Time before that counts for no match that isn't slow, because the bot
    may have been down."""
    lost: dict[str, set[str]] = field(default_factory=dict, init=False)
    """The matches whose channel was lost, by their tournament, as far as that isn't saved."""

    _paused: set[str] = field(default_factory=set, init=False)
    _gone_on: dict[str, int] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.since = self.now()

    async def advance(self, guild_id: int, tournament_id: str) -> int | None:
        """Make all steps of a tournament that are due. Returns when the next one is (ms UTC); None if nothing is due
        before something else happens. Raises Unsaved. It is called while nothing else changes the tournament."""
        while True:
            whole = await translate_errors(self.matches.tables.whole(guild_id, tournament_id))
            if whole is None:
                return None
            self._note_hold(whole.tournament)
            if whole.tournament.ended:
                await self._release(whole)
                return None
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
                if now < tournament.closes_at and len(whole.people) < tournament.most:
                    return tournament.closes_at
                return await self._close_joining(whole)
            case State.CHECKING:
                missing = [each for each in whole.people if not each.checked_in]
                if missing and tournament.due_at is not None and now < tournament.due_at:
                    return tournament.due_at
                return await self._begin(whole, [each for each in whole.people if each.checked_in])
            case _:
                return await self._play(whole)

    # ------------------------------------------------------------------------------------ it begins

    async def _close_joining(self, whole: Whole) -> int:
        tournament, now = whole.tournament, self.now()
        if not tournament.check_in or len(whole.people) < LEAST:
            return await self._begin(whole, whole.people)
        await self._put(replace(tournament, state=State.CHECKING, closes_at=now, due_at=now + CHECK_IN))
        return AGAIN

    async def _begin(self, whole: Whole, here: Sequence[EntrantRow]) -> int:
        """Begin to play with these people; call it off if they are too few."""
        tournament, now = whole.tournament, self.now()
        here = [each for each in here if not await self._barred(tournament, each.user_id)]
        if len(here) < LEAST:
            await self._put(replace(tournament, state=State.CALLED_OFF, due_at=None, ended_at=now))
            return AGAIN
        by_user = {each.user_id: each for each in here}
        order = await self._by_strength(tournament, here)
        model = pairings.seeded(tournament.format, order, await self._apart(order))
        rounds = tournament.rounds or pairings.rounds(tournament.format, len(here)) or 0
        begun = replace(
            tournament,
            state=State.PLAYING,
            rounds=0 if tournament.format in ELIMINATIONS else rounds,
            closes_at=min(now, tournament.closes_at),
            due_at=now,
            began_at=now,
        )
        entrants = [replace(by_user[each.user_id], seed=each.seed, checked_in=True) for each in model]
        await translate_errors(self.matches.tables.begin(begun, entrants))
        return AGAIN

    async def _by_strength(self, tournament: Tournament, here: Sequence[EntrantRow]) -> list[int]:
        """People by their ratings in this game and server, the strongest first; who has none by when they joined."""
        strength = {}
        for each in here:
            found = await translate_errors(self.store.standing(tournament.guild_id, tournament.game, each.user_id))
            strength[each.user_id] = 0.0 if found is None else found.rating.ordinal
        order = sorted(here, key=lambda each: (-strength[each.user_id], each.number))
        return [each.user_id for each in order]

    async def _apart(self, users: Sequence[int]) -> Apart:
        """Who of these are kept apart."""
        found = {user: await self.admission.apart(user, users) for user in users}
        return frozenset(frozenset({user, other}) for user, others in found.items() for other in others)

    async def _barred(self, tournament: Tournament, user_id: int) -> bool:
        """Whether somebody may not play in the server now, or had their data deleted. Raises Unsaved."""
        if is_deleted(user_id):
            return True
        try:
            await self.admission.check_player(tournament.guild_id, user_id)
        except Unsaved:
            raise
        except Refused:
            return True
        return False

    # ------------------------------------------------------------------------------------ a round begins

    async def _play(self, whole: Whole) -> int | None:
        tournament, round_ = whole.tournament, whole.this_round
        lost = self._is_place_lost(whole)
        if tournament.hold is not None:
            self.lost.pop(tournament.id, None)
        elif lost or tournament.game not in GAMES:
            why = Hold.PLACE if lost else Hold.DEAL
            await self._put(replace(tournament, hold=why))
            return AGAIN
        if tournament.game not in GAMES:
            return None
        if round_ is not None and round_.ended_at is None:
            return await self._go_on(whole)
        if tournament.hold is not None:
            return None
        if tournament.due_at is not None and self.now() < tournament.due_at:
            return tournament.due_at
        return await self._next_round(whole)

    def _is_place_lost(self, whole: Whole) -> bool:
        """Whether a match lost its channel that began since the tournament was resumed last: those before are where it
        was then."""
        lost = self.lost.get(whole.tournament.id, set())
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
        rows = [_row(tournament.round, number, each, now) for number, each in enumerate(paired, 1)]
        numbers = [0] if tournament.same_deal else [each.number for each in rows if each.second is not None]
        dealt = [sealed(tournament, tournament.round, number, 1, self.matches.source) for number in numbers]
        self.matches.held.hold(tournament.guild_id, [each.deal_id for each in dealt])
        begun = replace(tournament, due_at=None)
        saved = self.matches.tables.begin_round(begun, now, entrants=whole.entrants, pairings=rows, dealt=dealt)
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
        found = pairings.pair(
            tournament.format,
            whole.model,
            whole.played,
            number,
            apart=await self._apart(there),
            scoring=tournament.scoring,
        )
        return found if any(each.second is not None for each in found) or tournament.rounds else ()

    # ------------------------------------------------------------------------------------ a round in play

    async def _go_on(self, whole: Whole) -> int | None:
        tournament, round_ = whole.tournament, whole.this_round
        if round_ is None:
            raise RuntimeError("no round was paired")
        if await self._hear_results(whole):
            return AGAIN
        due = [await self._go_on_with(whole, each, round_.began_at) for each in whole.in_round if each.how is None]
        if AGAIN in due:
            return AGAIN
        if all(each.how is not None for each in whole.in_round):
            return await self._end_round(tournament, whole, round_.began_at)
        return min([at for at in due if at is not None], default=None)

    async def _hear_results(self, whole: Whole) -> bool:
        """Record what matches gave that are over. Whether there were some."""
        here = whole.tournament.guild_id, whole.tournament.id
        ended = await translate_errors(self.matches.tables.ended_legs(*here))
        for each in ended:
            which = each.round, each.pairing, each.leg
            await translate_errors(self.matches.tables.end_leg(*here, which, each.got))
        return bool(ended)

    async def _go_on_with(self, whole: Whole, pairing: PairingRow, round_began: int) -> int | None:
        """Do what is next in a pairing. Returns when something else is due."""
        tournament, playing = whole.tournament, pairing.in_play
        if playing is not None:
            if tournament.hold is not None:
                return None
            since = 0 if is_slow(tournament) else self._gone_on.get(tournament.id, self.since)
            until = bound(tournament, round_began, max(playing.began_at, since))
            if self.now() < until:
                return until
            return await self._end_late(tournament, pairing, playing)
        if _is_decided(tournament, pairing):
            return await self._end_pairing(tournament, replace(pairing, how=How.PLAYED))
        there = [await self._is_there(whole, user) for user in pairing.people]
        if not all(there):
            got = (2 * there[0], 2 * there[1])
            return await self._end_pairing(tournament, replace(pairing, how=How.WALKOVER, got=got))
        return None if tournament.hold is not None else await self._begin_match(tournament, pairing)

    async def _is_there(self, whole: Whole, user_id: int) -> bool:
        entrant = whole.entrant(user_id)
        there = entrant is not None and entrant.there and whole.tournament.round not in entrant.absent
        return there and not await self._barred(whole.tournament, user_id)

    async def _begin_match(self, tournament: Tournament, pairing: PairingRow) -> int | None:
        try:
            await self.matches.begin(tournament, pairing, len(pairing.legs) + 1)
        except Unsaved:
            raise
        except Refused as refused:
            if refused.key == "limit.reserved":  # matches of a tournament that was called off, whose end nobody hears
                return self.now() + BREAK
            await self._put(replace(tournament, hold=Hold.DEAL))
        return AGAIN

    async def _end_late(self, tournament: Tournament, pairing: PairingRow, playing: Leg) -> int:
        """End a pairing whose match takes too long: that match is drawn, and those before it count."""
        legs = tuple([replace(each, got=DRAWN) if each == playing else each for each in pairing.legs])
        await self._end_pairing(tournament, replace(pairing, how=How.LATE, legs=legs))
        await translate_errors(self.matches.end(playing.match_id))
        return AGAIN

    async def _end_pairing(self, tournament: Tournament, ended: PairingRow) -> int:
        saved = self.matches.tables.end_pairing(tournament.guild_id, tournament.id, replace(ended, ended_at=self.now()))
        await translate_errors(saved)
        return AGAIN

    async def _end_round(self, tournament: Tournament, whole: Whole, began: int) -> int:
        now = self.now()
        over = not await self._paired(await self._without_barred(whole))
        due = max(now, began + 1000 * tournament.every) if tournament.every else now + BREAK
        ended = replace(tournament, due_at=None if over else due)
        if over:
            ended = replace(ended, state=State.OVER, hold=None, ended_at=now)
        await translate_errors(self.matches.tables.end_round(ended, now))
        if not over:
            await self._release(whole)
        return AGAIN

    async def _release(self, whole: Whole) -> None:
        """Hold the deals of a tournament's latest round no longer: it is over, or was called off."""
        tournament = whole.tournament
        dealt = await translate_errors(self.matches.tables.deals(tournament.guild_id, tournament.id))
        ids = [each.deal_id for each in dealt if each.round == tournament.round]
        self.matches.held.release(tournament.guild_id, ids)
        self.lost.pop(tournament.id, None)
        for leg in [leg for each in whole.in_round for leg in each.legs]:
            self.matches.of.pop(leg.match_id, None)

    # ------------------------------------------------------------------------------------ saving

    async def _put(self, tournament: Tournament) -> None:
        await translate_errors(self.matches.tables.put(tournament))


def _is_decided(tournament: Tournament, pairing: PairingRow) -> bool:
    """Whether no match of a pairing follows. Who ties in an elimination plays a second deal; then the seeds decide."""
    first, second = pairing.total()
    again = tournament.format in ELIMINATIONS and first == second
    return len(pairing.legs) >= tournament.legs * (2 if again else 1)


def _row(round_: int, number: int, pairing: Pairing, now: int) -> PairingRow:
    if pairing.second is None:
        return PairingRow(round_, number, pairing.first, None, How.BYE, ended_at=now)
    return PairingRow(round_, number, pairing.first, pairing.second)
