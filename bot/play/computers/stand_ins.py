"""Computers that play absent seats on (ruling C-8): who plays each seat, and what that means for the result.

A seat is *held* while a computer plays it on for its player. The log says when a computer took over (`TakenOver`) and
when the player took the seat back (`TakenBack`): records without facts, because the table does not change. Who holds
which seat, and who made how many of its acts, follows from the log alone. So a restart, a replay and a proof all find
the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.games import GAMES
from bot.play.computers.levels import DEFAULT, levels_of
from bot.store.codec import Codec, CodecError
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import MatchRow, Record
from bot.store.special_ids import is_computer, level_of
from engines.game import Outcome, Resign, Seat

LEVEL: Final = DEFAULT
"""The level that plays absent seats on: one that does not beat most people, so that nobody is better off away."""


def act_numbers(records: Iterable[Record], codec: Codec) -> Iterator[int]:
    """For each record of a log the number of the game's own acts up to it. Draws and the computers' luck go by it, so
    a hand-over moves none of them: it has the number of the act before.

    An action that can't be read counts as an act.
    """
    acts = -1
    for record in records:
        acts += not _hands_over(record, codec)
        yield acts


def _hands_over(record: Record, codec: Codec) -> bool:
    try:
        return record.action is not None and codec.class_of(record.action) in HAND_OVERS
    except CodecError:
        return False


def offers_stand_in(game: str) -> bool:
    """Whether absent seats of a game can be held: not in a race, and only by a computer that knows the game (C-8)."""
    return GAMES[game].info.turn_clock and LEVEL in levels_of(game)


@dataclass(frozen=True, slots=True)
class TakenOver:
    """From now on a computer of this level plays these seats on (C-8).

    In the log the actor says why: it is the player who chose it, or the clock, because their time ran out. `others` are
    the other seats that were still in: they come before a seat that counts as resigned at this moment.
    """

    seats: tuple[Seat, ...]
    level: str
    others: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The player of a seat takes it back from the computer (C-8)."""


HAND_OVERS: Final = (TakenOver, TakenBack)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who plays a seat: its player, or a computer of `level`. `own` and `computed` count the acts of each.

    `taken` is the number of the record by which a computer last took over, and `others` are those of `TakenOver`. When
    the player last took the seat back, the match had `back` acts. `chosen` is whether the player ever handed the seat
    over by choice, not because their time had run out.
    """

    level: str | None = None
    own: int = 0
    computed: int = 0
    taken: int = 0
    others: tuple[Seat, ...] = ()
    back: int | None = None
    chosen: bool = False

    @property
    def counts(self) -> bool:
        """Whether the player made at least half of the seat's acts, so that its result is theirs (C-8)."""
        return not self.taken or self.own >= self.computed


@dataclass(frozen=True, slots=True)
class SeatHolders:
    """Who plays each seat of a match, after some records of its log. `acts` are those of the game."""

    seats: tuple[Holder, ...]
    acts: int = 0

    @classmethod
    def of(cls, row: MatchRow, records: Iterable[Record], codec: Codec) -> SeatHolders:
        """After these records of a match; `NOBODY_ABSENT` in one without a stand-in.

        Raises what the codec raises for a record that it cannot read.
        """
        if row.stand_in is StandIn.OFF:
            return NOBODY_ABSENT
        holders = cls((Holder(),) * len(row.seats))
        for record in records:
            if record.action is not None:
                matters = codec.class_of(record.action) in (*HAND_OVERS, Resign)
                action = codec.decode(record.action) if matters else None
                holders = holders.after(record.seq, record.actor, action, computer=record.computer is not None)
        return holders

    def after(self, seq: int, actor: Seat | None, action: Any, *, computer: bool) -> SeatHolders:
        """After one more record, with this number. Of the games' own acts it does not matter which one it is."""
        match action:
            case TakenOver(seats, level, others):
                taken = {"level": level, "taken": seq, "others": others}
                chosen = {} if actor is None else {"chosen": True}
                return replace(self, seats=self._changed(seats, **taken, **chosen))
            case TakenBack():
                return replace(self, seats=self._changed((actor,), level=None, back=self.acts))
        if actor is None or isinstance(action, Resign):
            return replace(self, acts=self.acts + 1)
        made = self.seats[actor]
        count = {"computed": made.computed + 1} if computer else {"own": made.own + 1}
        return SeatHolders(self._changed((actor,), **count), self.acts + 1)

    def _changed(self, seats: Iterable[Seat | None], **to: Any) -> tuple[Holder, ...]:
        chosen = frozenset(seats)
        return tuple([replace(each, **to) if seat in chosen else each for seat, each in enumerate(self.seats)])

    def level(self, seat: Seat) -> str | None:
        """The level of the computer that holds a seat; None if nobody but its player plays it."""
        return self.seats[seat].level

    def may_be_taken_over(self, seat: Seat) -> bool:
        """Whether a computer may take a seat over: not one that it holds, nor one that was just taken back.

        Something must have happened in the match since then, or a player could get new time for the same question again
        and again.
        """
        holder = self.seats[seat]
        return holder.level is None and holder.back != self.acts

    @property
    def had_stand_ins(self) -> bool:
        """Whether a computer ever took a seat over."""
        return any(holder.taken for holder in self.seats)

    def lost_by_choice(self, ranks: Sequence[int]) -> tuple[Seat, ...]:
        """The seats that their players handed over by choice and that have lost, with these ranks."""
        return tuple([seat for seat, rank in enumerate(ranks) if rank > 1 and self.seats and self.seats[seat].chosen])

    def undone(self, ranks: Sequence[int], stand_in: StandIn) -> bool:
        """Whether a match that ended with these ranks doesn't count because a computer held a seat (C-8).

        It counts all the same if a seat lost that its player had handed over by choice: otherwise one press would undo
        a lost match.
        """
        return stand_in is StandIn.UNRATED and self.had_stand_ins and not self.lost_by_choice(ranks)

    @property
    def forfeited(self) -> tuple[Seat, ...]:
        """The seats that count as resigned if the match counts: their players made less than half of their acts."""
        return tuple([seat for seat, holder in enumerate(self.seats) if not holder.counts])


NOBODY_ABSENT: Final = SeatHolders(())
"""For all matches without a stand-in."""


@dataclass(frozen=True, slots=True)
class WhoPlays:
    """Who plays at a table at one moment, and who may be taken over (C-8). `users` are those of its seats, and `is_in`
    says of a seat whether it still plays."""

    users: tuple[int, ...]
    stand_in: StandIn
    holders: SeatHolders
    is_in: Callable[[Seat], bool]

    def has_stand_in(self, seat: Seat) -> bool:
        """Whether a computer plays a person's seat on."""
        played_on = self.stand_in is not StandIn.OFF and self.holders.level(seat) is not None
        return played_on and self.is_in(seat)

    def has_computer(self, seat: Seat) -> bool:
        """Whether a computer plays a seat: as its own, or on for a person."""
        return is_computer(self.users[seat]) or self.has_stand_in(seat)

    def acting_level(self, seat: Seat) -> str | None:
        """The level of the computer that acts for a seat; None if none does.

        Held seats are played on only while somebody plays at the table. Otherwise their time runs, as it would have
        without a stand-in, and computers do not play alone.
        """
        if is_computer(self.users[seat]):
            return level_of(self.users[seat])
        return self.holders.level(seat) if self.has_stand_in(seat) and self._somebody_plays() else None

    def may_be_taken_over(self, seat: Seat) -> bool:
        """Whether a computer may take a seat over, as far as the seat goes."""
        offered = self.stand_in is not StandIn.OFF and not is_computer(self.users[seat])
        return offered and self.is_in(seat) and self.holders.may_be_taken_over(seat)

    def taken_over(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Those of these seats that a computer takes over now: none if nobody else would be left who plays."""
        taken = tuple(filter(self.may_be_taken_over, sorted(seats)))
        return taken if self._somebody_plays(without=taken) else ()

    def hand_over(self, seats: tuple[Seat, ...]) -> TakenOver:
        """The act by which a computer takes these seats over."""
        others = (seat for seat in range(len(self.users)) if seat not in seats)
        return TakenOver(seats, LEVEL, tuple(filter(self.is_in, others)))

    def _somebody_plays(self, without: Collection[Seat] = ()) -> bool:
        """Whether a person plays a seat that is still in, other than these."""
        others = (seat for seat in range(len(self.users)) if seat not in without and not self.has_computer(seat))
        return any(map(self.is_in, others))


def counted_ranks(outcome: Outcome, holders: SeatHolders, stand_in: StandIn) -> tuple[int, ...]:
    """The ranks of a finished match. With `rated`, forfeited seats rank as if resigned when the computer took over
    (C-8).

    Such a seat comes after all that were still in at that moment, and before those that had left (C-12). Of two such
    seats the one that was taken over later comes first.
    """
    played = outcome.ranks
    forfeited = holders.forfeited if stand_in is StandIn.RATED and not outcome.void else ()
    if not forfeited:
        return played
    stayed = {seat: rank for seat, rank in enumerate(played) if seat not in forfeited}
    keys: list[tuple[int, ...]] = []
    for seat, rank in enumerate(played):
        holder = holders.seats[seat]
        if seat in stayed:
            keys.append((rank, 0, 0))
        else:
            before = [stayed[other] for other in holder.others if other in stayed]
            keys.append((max(before, default=0), 1, -holder.taken))
    return tuple([1 + sum(other < own for other in keys) for own in keys])
