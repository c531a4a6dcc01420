"""Haymaker's fast table: the same rules on bits, more than ten times as fast as the rules engine.

An act is a number. To attack or to block it is the set of the cards; 0 is to pass or to take the hit; to keep, it is
the card kept. `laws.players` compares it with the rules, step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from engines.game import Seat
from engines.haymaker import Action, Attack, Block, Keep, Pass, Phase, TakeHit
from engines.players.haymaker.bits import bits_of, cards_of, singles, strength
from engines.players.haymaker.candidates import attacks, blocks

PASS: Final = 0
HIT: Final = 0
DRAWN_GAME: Final = -1
"""In `FastTable.winner`: the match is a draw."""

ATTACK, REPLY, KEEP, OVER = Phase.ATTACK, Phase.REPLY, Phase.KEEP, Phase.OVER


class FastTable:
    """A table of Haymaker. `draw` has its top last; `shown[seat]` are the cards in the seat's hand that the opponent
    knows; `winner` is None until the match is over."""

    __slots__ = (
        "attack",
        "attacker",
        "discards",
        "draw",
        "drawn",
        "hands",
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
        self.discards = [0, 0]
        self.drawn: tuple[int, ...] = ()
        self.phase = ATTACK
        self.may_pass = False
        self.attack = 0
        self.needed = 0
        self.winner: int | None = None

    @classmethod
    def dealt(cls, rng: Random) -> FastTable:
        """A new match (H-1)."""
        deck = [1 << place for place in range(40)]
        rng.shuffle(deck)
        return cls([sum(deck[:10]), sum(deck[10:20])], deck[24:], rng.randrange(2))

    def copy(self) -> FastTable:
        """As `Table.copy`."""
        made = FastTable.__new__(FastTable)
        made.hands = self.hands[:]
        made.draw = self.draw[:]
        made.attacker = self.attacker
        made.shown = self.shown[:]
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
        if hands[attacker] and not attack & (attack - 1) and strength(cards) != self.needed:
            self.discards[attacker] |= attack | cards
            self._begin_turn(attacker, may_pass=True)
            return
        self.discards[defender] |= attack | cards
        draw = self.draw
        if draw:  # H-8
            hands[defender] |= draw.pop()
            if draw:
                hands[attacker] |= draw.pop()
        self._begin_turn(defender, may_pass=False)

    def _hit(self, rng: Random) -> None:
        attacker, hands, attack = self.attacker, self.hands, self.attack
        defender = 1 - attacker
        hand = hands[defender]
        cards = singles(hand)
        cost = 2 if attack & (attack - 1) else 1
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
        draw = self.draw
        if len(draw) >= 2:
            self.drawn = (draw.pop(), draw.pop())
            self.phase = KEEP
            return
        if draw:  # H-6
            self.hands[self.attacker] |= draw.pop()
        self._begin_turn(1 - self.attacker, may_pass=False)

    def _keep(self, card: int) -> None:
        attacker, defender = self.attacker, 1 - self.attacker
        given = sum(self.drawn) - card
        self.drawn = ()
        self.hands[attacker] |= card
        self.hands[defender] |= given
        self.shown[defender] |= given
        self._begin_turn(defender, may_pass=False)

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


def number_of(action: Action) -> int:
    """The act as a number."""
    match action:
        case Attack(cards) | Block(cards):
            return bits_of(cards)
        case Keep(card):
            return bits_of((card,))
        case Pass() | TakeHit():
            return 0


def action_of(phase: Phase, number: int) -> Action:
    """The act that a number means in a phase."""
    if phase is KEEP:
        return Keep(cards_of(number)[0])
    if phase is ATTACK:
        return Attack(cards_of(number)) if number else Pass()
    return Block(cards_of(number)) if number else TakeHit()
