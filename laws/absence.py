"""Matches that some play on without others: from some moment on the absent never act, and the present always in time.

The law of absence, as C-4 and C-5 and the games' own pages have it: the clock takes nobody out who was there, and
nobody whom it took out comes before somebody who stayed. Of two the one who is there wins, unless the cards have
decided; of more the absent leave, each after few waits, and the last one left wins.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from engines.game import Outcome, Seat, TimeUp, fold
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
        """Those who acted to the end."""
        return frozenset(range(self.deal.seats)) - self.absent

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
        assert set(played.outcome.winners) <= played.present, "time was won by somebody who was not there (C-5)"
    if seats == 2 and gone:
        assert set(played.outcome.winners) == played.present, "of two, the one who stayed wins (C-4)"
    if played.absent <= gone and len(played.present) == 1:
        assert set(played.outcome.winners) == played.present, "the last seat left wins (C-4)"
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
