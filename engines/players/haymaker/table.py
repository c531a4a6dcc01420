"""Haymaker's fast table: the same rules on bits, more than ten times as fast as the rules engine.

Tree search and reviews play on it. An act is a number as in `engines.players.haymaker.candidates`. `laws.players`
compares it with the rules, step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from engines.game import Private, Seat
from engines.haymaker import Phase
from engines.players.haymaker import history
from engines.players.haymaker.bits import ALL, bits_of, singles, strength
from engines.players.haymaker.candidates import HIT, PASS, attacks, blocks
from engines.players.haymaker.memory import Known, Memory, known_from

DRAWN_GAME: Final = -1
"""In `FastTable.winner`: the match is a draw."""

ATTACK, REPLY, KEEP, OVER = Phase.ATTACK, Phase.REPLY, Phase.KEEP, Phase.OVER


class FastTable:
    """A table of Haymaker. `draw` has its top last; `shown[seat]` are the cards in the seat's hand that the opponent
    knows; `histories[seat]` is what the seat has told; `winner` is None until the match is over."""

    __slots__ = (
        "attack",
        "attacker",
        "discards",
        "draw",
        "drawn",
        "hands",
        "histories",
        "may_pass",
        "needed",
        "phase",
        "shown",
        "winner",
    )

    def __init__(self, hands: list[int], draw: list[int], attacker: Seat) -> None:
        self.hands = hands
        self.draw = draw
        self.attacker = attacker
        self.shown = [0, 0]
        self.histories = [history.NOTHING, history.NOTHING]
        self.discards = [0, 0]
        self.drawn: tuple[int, ...] = ()
        self.phase = ATTACK
        self.may_pass = False
        self.attack = 0
        self.needed = 0
        self.winner: int | None = None

    def copy(self) -> FastTable:
        """As `Table.copy`."""
        made = FastTable.__new__(FastTable)
        made.hands = self.hands[:]
        made.draw = self.draw[:]
        made.attacker = self.attacker
        made.shown = self.shown[:]
        made.histories = self.histories[:]
        made.discards = self.discards[:]
        made.drawn = self.drawn
        made.phase = self.phase
        made.may_pass = self.may_pass
        made.attack = self.attack
        made.needed = self.needed
        made.winner = self.winner
        return made

    def asked(self) -> Seat | None:
        """As `Table.asked`."""
        phase = self.phase
        if phase is REPLY:
            return 1 - self.attacker
        return None if phase is OVER else self.attacker

    def candidates(self) -> Sequence[int]:
        """As `Table.candidates`; which ones is said in `candidates`."""
        phase = self.phase
        if phase is ATTACK:
            found = attacks(self.hands[self.attacker])
            return [PASS, *found] if self.may_pass else found
        if phase is REPLY:
            return [HIT, *blocks(self.hands[1 - self.attacker], self.needed)]
        return self.drawn

    def play(self, action: int, rng: Random) -> None:
        """As `Table.play`. Chance is drawn by `rng.random()`, once for each card given for a hit."""
        phase = self.phase
        if phase is ATTACK:
            if action:
                self._attack(action)
            else:
                self._pass()
        elif phase is REPLY:
            if action:
                self._block(action)
            else:
                self._hit(rng)
        else:
            self._keep(action)

    def label(self, action: int, viewer: Seat) -> int:
        """As `Table.label`: all acts are open, but of two cards drawn in a pass the opponent sees the one given."""
        if self.phase is KEEP and viewer != self.attacker:
            return sum(self.drawn) - action
        return action

    def share(self, seat: Seat) -> float:
        """As `Table.share`."""
        return 0.5 if self.winner == DRAWN_GAME else float(self.winner == seat)

    def _attack(self, cards: int) -> None:
        attacker = self.attacker
        self.hands[attacker] ^= cards
        self.shown[attacker] &= ~cards
        self.histories[attacker] = history.attacked(self.histories[attacker], cards)
        self.attack = cards
        self.needed = strength(cards)
        if self.hands[1 - attacker]:
            self.phase = REPLY
        else:  # H-10
            self._end(attacker)

    def _block(self, cards: int) -> None:
        attacker, hands, attack = self.attacker, self.hands, self.attack
        defender = 1 - attacker
        hands[defender] ^= cards
        self.shown[defender] &= ~cards
        self.attack = 0
        reversal = not hands[attacker] or attack & (attack - 1) != 0 or strength(cards) == self.needed
        self.histories[defender] = history.blocked(self.histories[defender], attack, cards, reversal=reversal)
        if not reversal:
            self.discards[attacker] |= attack | cards
            self._begin_turn(attacker, may_pass=True)
            return
        self.discards[defender] |= attack | cards
        draw = self.draw
        if draw:  # H-8
            self._draw(defender)
            if draw:
                self._draw(attacker)
        self._begin_turn(defender, may_pass=False)

    def _hit(self, rng: Random) -> None:
        attacker, hands, attack = self.attacker, self.hands, self.attack
        defender = 1 - attacker
        hand = hands[defender]
        cards = singles(hand)
        cost = 2 if attack & (attack - 1) else 1
        self.histories[defender] = history.hit(self.histories[defender], attack)
        if len(cards) < cost:  # H-9
            self._end(attacker)
            return
        given = cards.pop(int(rng.random() * len(cards)))  # H-12
        if cost == 2:
            given |= cards[int(rng.random() * len(cards))]
        hands[defender] = hand ^ given
        hands[attacker] |= given
        self.shown[defender] &= ~given
        self.shown[attacker] |= given
        self.discards[attacker] |= attack
        self.attack = 0
        self._begin_turn(attacker, may_pass=True)

    def _pass(self) -> None:
        draw, attacker = self.draw, self.attacker
        self.histories[attacker] = history.passed(self.histories[attacker])
        if len(draw) >= 2:
            self.drawn = (draw.pop(), draw.pop())
            self.phase = KEEP
            return
        if draw:  # H-6
            self._draw(attacker)
        self._begin_turn(1 - attacker, may_pass=False)

    def _keep(self, card: int) -> None:
        attacker, defender = self.attacker, 1 - self.attacker
        given = sum(self.drawn) - card
        self.drawn = ()
        self.hands[attacker] |= card
        self.hands[defender] |= given
        self.shown[defender] |= given
        self.histories[attacker] = history.gave(self.histories[attacker], given)
        self._begin_turn(defender, may_pass=False)

    def _draw(self, seat: Seat) -> None:
        """A seat takes the top of the draw pile."""
        self.hands[seat] |= self.draw.pop()
        self.histories[seat] = history.drew(self.histories[seat])

    def _begin_turn(self, attacker: Seat, *, may_pass: bool) -> None:
        self.attacker = attacker
        self.may_pass = may_pass
        self.phase = ATTACK
        mine, theirs = self.hands[attacker], self.hands[1 - attacker]
        if not mine:  # H-11
            if theirs:
                self._end(1 - attacker)
            else:
                lead = self.discards[0].bit_count() - self.discards[1].bit_count()
                self._end(DRAWN_GAME if lead == 0 else int(lead < 0))

    def _end(self, winner: int) -> None:
        self.phase = OVER
        self.winner = winner


def known_at(table: FastTable, seat: Seat) -> Known:
    """What the asked seat of a fast table knows."""
    hand, other = table.hands[seat], 1 - seat
    theirs = table.shown[other]
    piles = table.discards
    return Known(
        hand=hand,
        theirs=theirs,
        shown=table.shown[seat],
        unseen=ALL & ~(hand | theirs | piles[0] | piles[1] | table.attack | sum(table.drawn)),
        their_count=table.hands[other].bit_count(),
        draw=len(table.draw),
        discards=(piles[seat].bit_count(), piles[other].bit_count()),
        phase=table.phase,
        may_pass=table.may_pass,
        attack=table.attack,
        drawn=table.drawn,
        history=table.histories[other],
    )


def sampled(memory: Memory, view: Private[Any, Any], rng: Random) -> FastTable:
    """A table that agrees with all that the seat knows; the unseen cards lie anywhere, all ways equally likely."""
    known, seat, public = known_from(memory, view), view.seat, view.public
    unseen = singles(known.unseen)
    rng.shuffle(unseen)
    hidden = known.hidden
    hands = [0, 0]
    hands[seat] = known.hand
    hands[1 - seat] = known.theirs | sum(unseen[:hidden])
    table = FastTable(hands, unseen[hidden : hidden + known.draw], public.attacker)
    table.shown[seat], table.shown[1 - seat] = known.shown, known.theirs
    table.histories = list(memory.histories)
    table.discards = [bits_of(pile) for pile in public.discards]
    table.drawn = known.drawn
    table.phase = known.phase
    table.may_pass = known.may_pass
    table.attack = known.attack
    table.needed = strength(known.attack)
    return table
