"""Works out an act of CIQ, from the attack to the next seat's turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.chance import Chance, Stream
from engines.ciq import facts
from engines.ciq.cards import ACE, JACK, KING, QUEEN
from engines.ciq.fold import evolve
from engines.ciq.offers import acting_rank, block_needed
from engines.ciq.table import HAND, Assault, State
from engines.game import Seat
from engines.options import NONE
from engines.places import places
from engines.run import Run

_NUMBERS: Final = range(2, 11)


class Course(Run[facts.Fact, State]):
    """An act of CIQ being worked out."""

    def __init__(self, state: State, chance: Chance) -> None:
        super().__init__(evolve, state, chance)
        self._jack: Stream | None = None

    # ------------------------------------------------------------------------------------ turns

    def next_turn(self) -> None:
        """Begin the next seat's turn; seats without any act pass (Q-15). May end the match (Q-16)."""
        seat = self.state.turn
        while True:
            seat, wraps = self.state.after(seat)
            number = self.state.round + wraps
            nobody_can = all(self.state.places[each].stuck for each in self.state.staying)
            limit = self.state.options.round_limit
            if nobody_can or (limit != NONE and number > limit):
                self._decision()
                return
            self.begin_turn(seat, number)
            if self.state.places[seat].hand:
                return
            self.add(facts.Passed(seat, forced=True))

    def begin_turn(self, seat: Seat, number: int) -> None:
        """Begin a turn by refilling the hand (Q-1)."""
        self.add(facts.TurnBegun(seat, number))
        while True:
            place = self.state.places[seat]
            missing = HAND - len(place.hand)
            if not place.attack and place.damage:
                self.add(facts.TurnedOver(seat))
            elif missing > 0 and place.attack:
                self.add(facts.CardsDrawn(seat, place.attack[:missing], chosen=False))
            else:
                return

    def _decision(self) -> None:
        left = {seat: self.state.places[seat].cards for seat in self.state.staying}
        fewest = min(left.values())
        self._end("decision", [seat for seat, cards in left.items() if cards == fewest])

    def _end(self, kind: str, winners: Sequence[Seat]) -> None:
        """End the match: those who played on to the end without winning share a place, before those who left (C-12)."""
        seats, departed = range(len(self.state.places)), self.state.departed
        left = [1 + departed.index(seat) if seat in departed else 0 for seat in seats]
        self.add(facts.Ended(kind, tuple(winners), places([seat in winners for seat in seats], left)))

    # ------------------------------------------------------------------------------------ leaving

    def leave(self, seat: Seat, reason: str) -> None:
        """Remove a seat by resignation or time (C-4)."""
        staying = [other for other in self.state.staying if other != seat]
        if len(staying) == 1:
            self._let_leave()
            self.add(facts.SeatLeft(seat, reason))
            self._end(reason, staying)
            return
        assault = self.state.assault
        if assault is not None and seat == assault.target:
            self.add(facts.Leaving(seat, reason))
            if assault.needed:
                self.add(facts.LetThrough(seat))
                self.work_out()
            return
        self.add(facts.SeatLeft(seat, reason))
        if seat == self.state.turn:
            self._let_leave()
            self.next_turn()

    def _let_leave(self) -> None:
        """Remove the seats that left during the attack."""
        for seat, reason in self.state.leaving:
            self.add(facts.SeatLeft(seat, reason))

    # ------------------------------------------------------------------------------------ the attack

    def attack_laid(self) -> None:
        """Ask for a block, or work the attack out (Q-6, Q-7)."""
        assault = self._assault
        needed = block_needed(assault.sequence, assault.defense, assault.pile)
        if needed and self.state.places[assault.target].hand:
            self.add(facts.BlockAsked(assault.target, needed))
        else:
            self.work_out()

    def work_out(self) -> None:
        """Work out the rest of the attack's cards in order, then begin the next turn (Q-5)."""
        assault = self._assault
        if assault.pile is facts.Pile.DAMAGE:
            for index in range(assault.place + 1, len(assault.sequence) - assault.blocked):
                self.add(facts.ResultBegun(index))
                if not self._result(acting_rank(assault.sequence, index, assault.defense)):
                    break
        if self.state.assault is not None and not self.state.assault.owed:
            self._let_leave()
            self.next_turn()

    @property
    def _assault(self) -> Assault:
        assault = self.state.assault
        if assault is None:
            raise RuntimeError("no attack is being worked out")
        return assault

    def _result(self, rank: int, times: int = 1) -> bool:
        """Apply a card; a number counts twice if a Jack took it (Q-10). Returns whether the attack continues."""
        attacker = self.state.places[self._assault.attacker]
        if rank == KING:
            self._move(facts.Source.DAMAGE, attacker.damage[::-1])
        elif rank == ACE:
            self._move(facts.Source.ATTACK, attacker.attack)
        elif rank in _NUMBERS:
            return self._transfer(times * rank)
        elif rank == QUEEN and times == 1:
            return self._transfer(self._assault.moved)
        elif rank == JACK and times == 1:
            return self._take()
        return True

    def _take(self) -> bool:
        """Apply a Jack: a random card of the opponent's hand acts too (Q-10)."""
        target = self._assault.target
        hand = self.state.places[target].hand
        if not hand:
            return True
        if self._jack is None:
            self._jack = self.chance.use("jack")
        card = hand[self._jack.below(len(hand))]
        self.add(facts.CardTaken(target, card))
        return self._result(card.rank, times=2)

    def _transfer(self, count: int) -> bool:
        """Transfer this many cards, one at a time, from where there are any (Q-8, Q-9, Q-13)."""
        seat = self._assault.attacker
        attacker = self.state.places[seat]
        short = count - len(attacker.attack)
        self._move(facts.Source.ATTACK, attacker.attack[:count])
        if short <= 0:
            return True
        if attacker.damage:
            self.add(facts.AttackCut(seat))
            return False
        if short < len(attacker.hand):
            self.add(facts.GivingAsked(seat, short))
            return False
        self._move(facts.Source.HAND, attacker.hand)
        self._move(facts.Source.DEFENSE, attacker.defense[: short - len(attacker.hand)])
        if self.state.places[seat].cards:
            return True
        self._end("emptied", (seat,))
        return False

    def _move(self, source: facts.Source, cards: facts.Cards) -> None:
        if cards:
            assault = self._assault
            self.add(facts.Transferred(assault.attacker, assault.target, source, cards))
