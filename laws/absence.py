"""Matches that some play on without others: from some moment on the absent never act, and the present always in time.

The law of absence, as C-4, C-5 and C-12 and the games' own pages have it: the clock takes nobody out who was there, and
nobody whom it took out comes before somebody who stayed. Of two the one who is there wins, unless the cards have
decided; of more the absent leave, each after few waits, and the last one left wins. Whom the rules knock out has not
left.

With a stand-in (C-8) a computer plays on instead for those whose time ran out. Then nobody leaves, nobody waits for an
absent seat a second time, and with `rated` no absent seat that the computer mostly played comes before one who stayed.
With `unrated` a match counts for nobody, unless a seat lost that its player had handed over by choice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.play.computers.stand_ins import LEVEL, Holder, SeatHolders, TakenOver, counted_ranks
from bot.store.queries.invitations import StandIn
from engines.game import Event, Outcome, Resign, Seat, TimeUp, can_resign, fold, put_out
from engines.players.answering import fallback
from engines.players.question import luck_of, question_for
from laws.case import GameCase
from laws.play import Clock, Deal, Move, random_act

MOST_BEFORE = (0, 8, 40)
"""Acts after which, at the latest, the absent stop acting: at once, soon, some way into the match."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A match played so: from the move number `since` on, only the clock acts where nobody present is asked."""

    case: GameCase
    deal: Deal
    absent: frozenset[Seat]
    since: int
    moves: tuple[Move, ...]
    asked: tuple[frozenset[Seat], ...]
    """For each move who was awaited before it."""
    outcome: Outcome

    @property
    def present(self) -> frozenset[Seat]:
        """Those who acted to the end, of the match or of their own part in it."""
        return frozenset(range(self.deal.seats)) - self.absent

    @property
    def staying(self) -> frozenset[Seat]:
        """Those who were present to the end of the match: the rules did not knock them out."""
        return self.present - knocked_out(self.case, self.deal.seats, self.moves).keys()

    @property
    def gone(self) -> frozenset[Seat]:
        """Those whom the clock took out."""
        taken = self.case.timed_out
        if taken is None:
            return self._not_won_by_time()
        facts = [fact for move in self.moves for fact in move.events]
        return frozenset(seat for fact in facts for seat in taken(fact, self.deal.seats))

    def _not_won_by_time(self) -> frozenset[Seat]:
        """Of two players, the one who did not win by time; both if neither did."""
        if self.outcome.kind != "time":
            return frozenset()
        return frozenset(range(self.deal.seats)) - frozenset(() if self.outcome.is_draw else self.outcome.winners)


def play_with_absent(case: GameCase, deal: Deal, rng: random.Random) -> Absence:
    """Play a match to its end, some of its seats absent from some moment on.

    Raises AssertionError when it does not end within the game's own bound.
    """
    game = deal.game
    absent = frozenset(rng.sample(range(deal.seats), rng.randint(1, deal.seats - 1)))
    since = rng.randint(0, rng.choice(MOST_BEFORE))
    state, _ = deal.open()
    moves, asked, clock = list[Move](), list[frozenset[Seat]](), Clock()
    acted: dict[Seat, int] = {}
    while (window := game.window(state)) is not None:
        assert len(moves) < game.info.longest, "the match outlasts its bound"
        clock.look(window)
        away = absent if len(moves) >= since else frozenset[Seat]()
        # Those who are asked or, in a race, are free to act; first the seat that has been idle longest.
        free = sorted((window.awaited or window.may_act) - away, key=lambda seat: (acted.get(seat, 0), rng.random()))
        acts = ((seat, random_act(game.choices(state, seat), rng)) for seat in free)
        actor, action = next((each for each in acts if each[1] is not None), (None, None))
        if action is None:
            action = clock.ring()
        if actor is not None:
            acted[actor] = len(moves) + 1
        events = tuple(game.decide(state, actor, action, deal.chance(len(moves) + 1)))
        asked.append(window.awaited)
        state = fold(game, state, events)
        moves.append(Move(actor, action, events))
    outcome = game.outcome(state)
    assert outcome is not None
    return Absence(case, deal, absent, since, tuple(moves), tuple(asked), outcome)


def absence_costs_the_present_nothing(played: Absence) -> None:
    """The law. Raises AssertionError for a match that breaks it."""
    seats = played.deal.seats
    ranks = played.outcome.ranks
    gone = played.gone
    assert not gone & played.present, "somebody who was there was taken out by the clock (C-5)"
    for seat in gone:
        for other in played.present:
            assert ranks[seat] >= ranks[other], "somebody whom the clock took out comes before one who stayed (C-4)"
    if played.outcome.kind == "time":
        assert not gone & set(played.outcome.winners), "time was won by somebody whom it took out (C-5)"
    if seats == 2 and gone:
        assert set(played.outcome.winners) == played.present, "of two, the one who stayed wins (C-4)"
    if played.absent <= gone and len(played.staying) == 1:
        assert set(played.outcome.winners) == played.staying, "the last seat left wins (C-4)"
    _is_not_waited_for_long(played)


def _is_not_waited_for_long(played: Absence) -> None:
    """A turn or an answer of its own takes an absent seat out; at most every other seat may have put a question to it
    before (Q-7) that has a default. In Tiv-Miv a seat is out after two phases (T-11)."""
    for seat in played.absent:
        waits = sum(
            isinstance(move.action, TimeUp) and seat in asked
            for move, asked in zip(played.moves[played.since :], played.asked[played.since :], strict=True)
        )
        assert waits <= played.deal.seats + 1, "an absent seat is waited for again and again"


# ---------------------------------------------------------------------------------------------- places


def knocked_out(case: GameCase, seats: int, moves: Sequence[Move]) -> dict[Seat, int]:
    """The seats that the rules knocked out, each with the number of the move in which they did."""
    taken = case.eliminated or (lambda _fact, _seats: ())
    return {seat: at for at, move in enumerate(moves) for fact in move.events for seat in taken(fact, seats)}


def departed(case: GameCase, seats: int, moves: Sequence[Move]) -> dict[Seat, int]:
    """The seats that resigned or that the clock took out, each with the number of the move in which it left."""
    taken, left = case.timed_out or (lambda _fact, _seats: ()), dict[Seat, int]()
    for at, move in enumerate(moves):
        if isinstance(move.action, Resign) and move.actor is not None:
            left.setdefault(move.actor, at)
        for seat in (seat for fact in move.events for seat in taken(fact, seats)):
            left.setdefault(seat, at)
    return left


def places_follow_from_who_left(case: GameCase, seats: int, moves: Sequence[Move], outcome: Outcome) -> None:
    """The law of places (C-12). Raises AssertionError for an outcome that breaks it.

    Who left is below all who played on and all whom the rules knocked out; of those who left, and of those who were
    knocked out, the later one is above, and seats that leave at once share a place.
    """
    if outcome.void:
        return
    left, out = departed(case, seats, moves), knocked_out(case, seats, moves)
    assert not left.keys() & out.keys(), "somebody was knocked out and left"
    for one in range(seats):
        for other in range(seats):
            ranks = outcome.ranks[one], outcome.ranks[other]
            if one in left and other not in left:
                assert ranks[0] > ranks[1], "who left is not below all who didn't (C-12)"
            elif one in out and other not in left and other not in out:
                assert ranks[0] > ranks[1], "who was knocked out is not below all who played on (C-12)"
            elif one in left and other in left:
                assert (left[one] < left[other]) == (ranks[0] > ranks[1]), "the last to leave is not above (C-12)"
            elif one in out and other in out and out[one] < out[other]:
                assert ranks[0] > ranks[1], "the last to be knocked out is not above (C-12)"


# ---------------------------------------------------------------------------------------------- with a stand-in


@dataclass(frozen=True, slots=True)
class HeldAbsence:
    """A match with a stand-in: `absent` seats stopped acting, and a computer took over those whose time ran out."""

    deal: Deal
    absent: frozenset[Seat]
    holders: SeatHolders
    outcome: Outcome


def play_with_stand_in(deal: Deal, rng: random.Random) -> HeldAbsence:
    """Play a match to its end, some of its seats absent from some moment on; a computer plays these on (C-8). Some of
    the absent hand their seat over by choice before they go, as far as they may.

    Raises AssertionError when it does not end within the game's own bound, or if a held seat loses time.
    """
    game = deal.game
    absent = frozenset(rng.sample(range(deal.seats), rng.randint(1, deal.seats - 1)))
    since = rng.randint(0, rng.choice(MOST_BEFORE))
    state, opening = deal.open()
    choosing = frozenset(seat for seat in absent if rng.random() < 0.5)
    events, holders, clock, seq = list[Event](opening), SeatHolders((Holder(),) * deal.seats), Clock(), 0
    while (window := game.window(state)) is not None:
        assert seq < game.info.longest + deal.seats, "the match outlasts its bound"
        clock.look(window)
        seq += 1
        away = absent if holders.acts >= since else frozenset[Seat]()
        ready = [seat for seat in sorted(window.awaited) if seat not in away or holders.level(seat) is not None]
        actor = rng.choice(ready) if ready else None
        computer = actor is not None and holders.level(actor) is not None
        action: Any = clock.ring() if actor is None else random_act(game.choices(state, actor), rng)
        if computer:
            action = _by_rule_of_thumb(deal, state, events, actor or 0, seq)
        lost = _losers(deal, state, action, seq) if actor is None else frozenset()
        is_in = partial(can_resign, game, state, partial(deal.chance, seq))
        playing = [seat for seat in range(deal.seats) if holders.level(seat) is None and is_in(seat)]
        leaving = [seat for seat in playing if seat in choosing & away]
        if leaving and not absent.issuperset(playing):  # computers don't play on alone
            actor, computer, lost = leaving[0], False, frozenset(leaving[:1])
        if lost:
            assert not any(holders.level(seat) for seat in lost), "a held seat loses by time (C-8)"
            others = tuple(seat for seat in range(deal.seats) if seat not in lost and is_in(seat))
            action = TakenOver(tuple(sorted(lost)), LEVEL, others)
        else:
            facts = game.decide(state, actor, action, deal.chance(holders.acts + 1))
            state = fold(game, state, facts)
            events += facts
        holders = holders.after(seq, actor, action, computer=computer)
    outcome = game.outcome(state)
    assert outcome is not None
    return HeldAbsence(deal, absent, holders, outcome)


def _by_rule_of_thumb(deal: Deal, state: Any, events: list[Event], seat: Seat, seq: int) -> Any:
    question = question_for(
        deal.game,
        state,
        events,
        seat,
        options=deal.options,
        seats=deal.seats,
        level=LEVEL,
        luck=luck_of("a match", seq, seat),
        rollouts=0,
    )
    return deal.game.read(fallback(question).act)


def _losers(deal: Deal, state: Any, action: TimeUp, seq: int) -> frozenset[Seat]:
    """Those whom the clock would take out: for the others a default is played (C-5)."""
    game, window = deal.game, deal.game.window(state)
    awaited = frozenset[Seat]() if window is None else window.awaited
    after = fold(game, state, game.decide(state, None, action, deal.chance(seq)))
    return put_out(game, after, awaited, partial(can_resign, game, after, partial(deal.chance, seq)))


def a_stand_in_costs_the_present_nothing(played: HeldAbsence) -> None:
    """The law with a stand-in (C-8). Raises AssertionError for a match that breaks it."""
    outcome, holders = played.outcome, played.holders
    taken = {seat for seat, holder in enumerate(holders.seats) if holder.taken}
    forfeited = set(holders.forfeited)
    assert taken <= played.absent, "a computer took over from somebody who was there (C-8)"
    assert forfeited <= taken, "somebody counts as resigned whom no computer played for (C-8)"
    assert outcome.kind != "time", "time was lost although computers play on (C-8)"
    assert counted_ranks(outcome, holders, StandIn.UNRATED) == outcome.ranks, "unrated, a rank changed (C-8)"
    ranks = counted_ranks(outcome, holders, StandIn.RATED)
    assert min(ranks) == 1, "nobody is first"
    stayed = [seat for seat in range(played.deal.seats) if seat not in forfeited]
    for seat in forfeited:
        still_in = [other for other in stayed if other in holders.seats[seat].others]
        assert all(ranks[seat] >= ranks[other] for other in still_in), (
            "a forfeited seat comes before one who was still in when the computer took over (C-8)"
        )
        assert ranks[seat] > 1 or outcome.void or not still_in, "a forfeited seat won (C-8)"
    for seat in stayed:
        for other in stayed:
            same = (ranks[seat] < ranks[other]) == (outcome.ranks[seat] < outcome.ranks[other])
            assert same, "the order of those who stayed changed (C-8)"


def handing_over_undoes_no_loss(played: HeldAbsence) -> None:
    """The law of hand-overs in an unrated match (C-8): nobody is better off who hands a lost seat over by choice than
    who plays it on. Raises AssertionError for a match that breaks it."""
    outcome, holders, unrated = played.outcome, played.holders, StandIn.UNRATED
    if outcome.void:
        return
    ranks = counted_ranks(outcome, holders, unrated)
    chosen = {seat for seat, holder in enumerate(holders.seats) if holder.chosen}
    lost = {seat for seat in chosen if ranks[seat] > 1}
    if lost:
        assert not holders.undone(ranks, unrated), "a press has undone a lost match (C-8)"
    elif holders.had_stand_ins:
        assert holders.undone(ranks, unrated), "a match counts although a computer played a seat on (C-8)"
    for seat in lost:
        assert ranks[seat] >= outcome.ranks[seat], "handing over has made a lost seat better than playing on (C-8)"
