"""Unbreakable's fast table: the same rules on numbers, more than ten times as fast as the rules engine.

An act is the number of a card (`numbers`): the attacker that is laid, or the weapon card that is put away. Which it is
follows from the phase, and who puts it away from whose weapon hand it is in. `laws.players` compares it with the rules,
step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from engines.game import Seat
from engines.options import NONE
from engines.players.unbreakable.numbers import CARDS, TARGET, WEAPON, put_away
from engines.unbreakable import WEAPONS, Options, Phase

NOBODY: Final = -1
NOTHING: Final = -1
"""No card."""
UNDECIDED: Final = -2
"""In `FastTable.winner`: the match continues."""
ENDLESS: Final = 1 << 60
BOTH: Final = 2 * WEAPONS
"""Cards of the two weapon hands."""

CHOOSE, LAY, OVER = Phase.CHOOSE, Phase.LAY, Phase.OVER


class FastTable:
    """A table of Unbreakable.

    `deck` has its top last. `known[seat]` are the cards, as bits, that went to the seat's match hand face up. `target`
    is NOTHING and `turn` NOBODY where the state has None. `winner` is NOBODY for a draw.
    """

    __slots__ = (
        "attackers",
        "chosen",
        "dealer",
        "deck",
        "discards",
        "hands",
        "known",
        "limit",
        "phase",
        "swift",
        "target",
        "turn",
        "weapons",
        "winner",
    )

    def __init__(self, options: Options, dealer: Seat, deck: list[int]) -> None:
        self.limit = ENDLESS if options.limit == NONE else int(options.limit)
        self.swift = options.pace == "swift"
        self.dealer = dealer
        self.deck = deck
        self.discards: list[int] = []
        self.hands: list[list[int]] = [[], []]
        self.known = [0, 0]
        self.weapons: list[list[int]] = [[], []]
        self.chosen = [NOTHING, NOTHING]
        self.target = NOTHING
        self.turn = NOBODY
        self.attackers = 0
        self.phase = CHOOSE
        self.winner = UNDECIDED

    @classmethod
    def dealt(cls, options: Options, rng: Random) -> FastTable:
        """A new match."""
        deck = list(range(len(CARDS)))
        rng.shuffle(deck)
        table = cls(options, rng.randrange(2), deck)
        for _ in range(options.match_hand):
            table.hands[1 - table.dealer].append(deck.pop())
            table.hands[table.dealer].append(deck.pop())
        table.target = deck.pop()
        table._deal(rng)
        return table

    def copy(self) -> FastTable:
        """As `Table.copy`."""
        made = FastTable.__new__(FastTable)
        made.limit = self.limit
        made.swift = self.swift
        made.dealer = self.dealer
        made.deck = self.deck[:]
        made.discards = self.discards[:]
        made.hands = [self.hands[0][:], self.hands[1][:]]
        made.known = self.known[:]
        made.weapons = [self.weapons[0][:], self.weapons[1][:]]
        made.chosen = self.chosen[:]
        made.target = self.target
        made.turn = self.turn
        made.attackers = self.attackers
        made.phase = self.phase
        made.winner = self.winner
        return made

    def asked(self) -> Seat | None:
        """As `Table.asked`. Of two that put away a card, the first one."""
        phase = self.phase
        if phase is CHOOSE:
            return 0 if self.chosen[0] == NOTHING else 1
        return None if phase is OVER else self.turn

    def candidates(self) -> Sequence[int]:
        """As `Table.candidates`: all legal acts."""
        if self.phase is LAY:
            return self.hands[self.turn][:]
        return self.weapons[0 if self.chosen[0] == NOTHING else 1]

    def play(self, action: int, rng: Random) -> None:
        """As `Table.play`. A seat may put away another card than before, too, while the other hasn't chosen (U-1).

        Chance is drawn by `rng.shuffle`, once for each new deck (U-8).
        """
        if self.phase is LAY:
            seat = self.turn
            self.hands[seat].remove(action)
            self.known[seat] &= ~(1 << action)
            self.target = action
            self.attackers += 1
            self._deal(rng)
            return
        chosen = self.chosen
        chosen[0 if action in self.weapons[0] else 1] = action
        if chosen[0] != NOTHING and chosen[1] != NOTHING and self._ends_with_chooser(chosen[0], chosen[1], rng):
            self._deal(rng)

    def label(self, action: int, viewer: Seat) -> int:
        """As `Table.label`: of a card put away the opponent sees nothing until both have chosen; what is kept then
        says which it was, among three cards, without saying what it is."""
        if self.phase is LAY:
            return action
        seat = 0 if action in self.weapons[0] else 1
        if viewer == seat or self.chosen[1 - seat] != NOTHING:
            return action
        return NOTHING

    def share(self, seat: Seat) -> float:
        """As `Table.share`."""
        return 0.5 if self.winner == NOBODY else float(self.winner == seat)

    def _draw(self, rng: Random) -> int:
        """The deck's top card, NOTHING if there is none (U-8)."""
        if not self.deck:
            if not self.discards:
                return NOTHING
            self.deck, self.discards = self.discards, []
            rng.shuffle(self.deck)
        return self.deck.pop()

    def _deal(self, rng: Random) -> None:
        """Weapon hands, the dealer's opponent first; in swift play also the round, and new choosers (U-2)."""
        deck = self.deck
        while True:
            if len(deck) >= BOTH:
                drawn = deck[-1 : -BOTH - 1 : -1]
                del deck[-BOTH:]
            else:
                drawn = [self._draw(rng) for _ in range(BOTH)]
                deck = self.deck
            first, second = drawn[::2], drawn[1::2]
            self.weapons = [second, first] if self.dealer == 0 else [first, second]
            if not self.swift:
                self.chosen = [NOTHING, NOTHING]
                self.phase = CHOOSE
                return
            away, other = put_away(self.weapons[0], self.target), put_away(self.weapons[1], self.target)
            if not self._ends_with_chooser(away, other, rng):
                return
            deck = self.deck

    def _ends_with_chooser(self, away: int, other: int, rng: Random) -> bool:
        """Work out the round in which the seats put away these; whether a new chooser is turned, to be dealt for."""
        target, (one, two, three), (four, five, six) = self.target, *self.weapons
        value = TARGET[target]
        mine = abs(WEAPON[one] + WEAPON[two] + WEAPON[three] - WEAPON[away] - value)
        theirs = abs(WEAPON[four] + WEAPON[five] + WEAPON[six] - WEAPON[other] - value)
        self.target = NOTHING
        if self.turn == NOBODY:
            return self._after_chooser(target, mine, theirs, rng)
        if mine == theirs:
            self.discards.append(target)
        else:
            loser = 1 if mine < theirs else 0
            self.hands[loser].append(target)
            self.known[loser] |= 1 << target
            if mine == 0 or theirs == 0:  # U-5
                extra = self._draw(rng)
                if extra != NOTHING:
                    self.hands[loser].append(extra)
        self._after_attacker()
        return False

    def _after_chooser(self, target: int, mine: int, theirs: int, rng: Random) -> bool:
        if mine == theirs:  # U-2
            self.discards.append(target)
            self._clear_weapons()
            self.target = self._draw(rng)
            return True
        winner = 0 if mine < theirs else 1
        if mine and theirs:
            self.discards.append(target)
        else:
            self.hands[1 - winner].append(target)
            self.known[1 - winner] |= 1 << target
        self._begin_turn(winner)
        return False

    def _after_attacker(self) -> None:
        turn, hands = self.turn, self.hands
        for seat in (turn, 1 - turn):
            if not hands[seat]:  # U-7
                self._end(seat)
                return
        if self.attackers >= self.limit:  # U-10
            self._decide()
        else:
            self._begin_turn(1 - turn)

    def _begin_turn(self, seat: Seat) -> None:
        self._clear_weapons()
        self.turn = seat
        self.phase = LAY
        if len(self.deck) + len(self.discards) < BOTH:  # U-9
            self._decide()

    def _clear_weapons(self) -> None:
        self.discards += self.weapons[0]
        self.discards += self.weapons[1]
        self.weapons = [[], []]

    def _decide(self) -> None:
        lead = len(self.hands[1]) - len(self.hands[0])
        self._end(NOBODY if lead == 0 else 0 if lead > 0 else 1)

    def _end(self, winner: int) -> None:
        self.phase = OVER
        self.winner = winner
