"""Champions of Chance's fast table: the same rules on numbers, more than ten times as fast as the rules engine.

An act is a number: to name an opponent, twice the seat, and one more if the faceup card sets the number; the number;
for a die, the set of its cards as bits; 1 to call lowest, 0 highest; to steal or to exchange, the card, and `DECLINE`
to steal nothing. Where two choose in secret at the same time, the challenger is asked first. `laws.players` compares
the table with the rules, step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from engines.champions import Phase
from engines.game import Seat
from engines.players.champions.candidates import dice, exchanges
from engines.players.champions.numbering import NOBODY, TIE, Numbering, singles

DECLINE: Final = -1
NOT_CHOSEN: Final = -2
"""In `FastTable.chosen`: the side hasn't stolen or exchanged."""
NUMBERS: Final = (2, 3, 4, 5, 6)

OPPONENT, NUMBER, DICE, CALL = Phase.OPPONENT, Phase.NUMBER, Phase.DICE, Phase.CALL
STEAL, EXCHANGE, OVER = Phase.STEAL, Phase.EXCHANGE, Phase.OVER


class FastTable:
    """A table of Champions of Chance. Decks and piles are lists of cards: decks sorted, of the draw pile and of faceup
    piles the top is last. Of a battle, side 0 is the challenger's: `dice` are empty until they are selected, `chosen`
    has what each side of `asked` steals or gives. `winners` is empty until the match is over.
    """

    __slots__ = (
        "asked_sides",
        "cards",
        "challenger",
        "chosen",
        "decks",
        "dice",
        "discards",
        "draw",
        "left",
        "number",
        "opponent",
        "phase",
        "piles",
        "rolled",
        "taken",
        "tied",
        "winners",
    )

    def __init__(self, cards: Numbering, decks: list[list[int]], draw: list[int], challenger: Seat) -> None:
        self.cards = cards
        self.decks = decks
        self.draw = draw
        self.challenger = challenger
        self.discards: list[int] = []
        self.piles: list[list[int]] = [[] for _ in decks]
        self.left: tuple[int, ...] = (0,) * len(decks)
        self.phase = OPPONENT
        self.opponent: Seat = 0
        self.taken = False
        self.number = 0
        self.dice: list[Sequence[int]] = [(), ()]
        self.rolled: tuple[int, ...] = ()
        self.tied = False
        self.asked_sides: tuple[int, ...] = ()
        self.chosen = [NOT_CHOSEN, NOT_CHOSEN]
        self.winners: tuple[Seat, ...] = ()

    @classmethod
    def dealt(cls, cards: Numbering, seats: int, rng: Random) -> FastTable:
        """A new match."""
        deck = list(cards.pack)
        rng.shuffle(deck)
        table = cls(cards, [sorted(deck[6 * seat : 6 * seat + 6]) for seat in range(seats)], deck[6 * seats :], 0)
        table._begin_turn(rng.randrange(seats), rng)
        return table

    def copy(self) -> FastTable:
        """As `Table.copy`."""
        made = FastTable.__new__(FastTable)
        made.cards = self.cards
        made.decks = [deck[:] for deck in self.decks]
        made.draw = self.draw[:]
        made.challenger = self.challenger
        made.discards = self.discards[:]
        made.piles = [pile[:] for pile in self.piles]
        made.left = self.left
        made.phase = self.phase
        made.opponent = self.opponent
        made.taken = self.taken
        made.number = self.number
        made.dice = self.dice[:]
        made.rolled = self.rolled
        made.tied = self.tied
        made.asked_sides = self.asked_sides
        made.chosen = self.chosen[:]
        made.winners = self.winners
        return made

    # ------------------------------------------------------------------------------------ questions

    def asked(self) -> Seat | None:
        """As `Table.asked`."""
        phase = self.phase
        if phase is CALL or phase is OPPONENT:
            return self.challenger
        if phase is NUMBER:
            return self.opponent
        if phase is OVER:
            return None
        return self.opponent if self.asked_side() else self.challenger

    def asked_side(self) -> int:
        """The side that is asked for its die, theft or exchange."""
        if self.phase is DICE:
            return 1 if self.dice[0] else 0
        return next(side for side in self.asked_sides if self.chosen[side] == NOT_CHOSEN)

    def candidates(self) -> Sequence[int]:
        """As `Table.candidates`; which ones is said in `candidates`."""
        phase = self.phase
        if phase is CALL:
            return (0, 1)
        if phase is DICE:
            return dice(self.cards, self.decks[self.opponent if self.dice[0] else self.challenger], self.number)
        if phase is NUMBER:
            return NUMBERS
        if phase is OPPONENT:
            me = self.challenger
            named = [2 * seat for seat in self.able() if seat != me]
            return [*named, *[act + 1 for act in named]] if self.piles[me] else named
        side = self.asked_side()
        if phase is STEAL:
            return [*exchanges(self.cards, self.to_steal(side)), DECLINE]
        return exchanges(self.cards, self.decks[self.opponent if side else self.challenger])

    def to_steal(self, side: int) -> list[int]:
        """The cards of the other die that are still in the other deck (K-17)."""
        other = self.decks[self.challenger if side else self.opponent]
        return [card for card in self.dice[1 - side] if card in other]

    def able(self) -> list[Seat]:
        """The seats that can battle (K-11)."""
        left = self.left
        return [seat for seat, deck in enumerate(self.decks) if deck and not left[seat]]

    def score(self, seat: Seat) -> int:
        """The icons in a seat's faceup pile (K-11)."""
        icons = self.cards.icons
        return sum([icons[card] for card in self.piles[seat]])

    def label(self, action: int, viewer: Seat) -> int:
        """As `Table.label`: a die and an exchange are seen by their seat only; a theft by the two battlers once both
        have chosen, by others only whether there was one."""
        phase = self.phase
        if viewer == self.asked() or phase is CALL or phase is NUMBER or phase is OPPONENT:
            return action
        if phase is STEAL and self.chosen.count(NOT_CHOSEN) == 3 - len(self.asked_sides):
            return action if viewer in (self.challenger, self.opponent) else min(action, 0)
        return 0

    def share(self, seat: Seat) -> float:
        """As `Table.share`."""
        return 1 / len(self.winners) if seat in self.winners else 0.0

    # ------------------------------------------------------------------------------------ up to the roll

    def play(self, action: int, rng: Random) -> None:
        """As `Table.play`. Chance is drawn by `rng.random()`, for blind dice by `rng.sample`, and the discard pile is
        shuffled by `rng.shuffle`."""
        phase = self.phase
        if phase is CALL:
            self._call(action, rng)
        elif phase is DICE:
            self.dice[1 if self.dice[0] else 0] = singles(action)
            if self.dice[1]:
                self.phase = CALL
        elif phase is NUMBER:
            self._make_dice(action, rng)
        elif phase is OPPONENT:
            self._name(action >> 1, rng, take=action & 1 == 1)
        elif phase is STEAL:
            self.chosen[self.asked_side()] = action
            if NOT_CHOSEN not in [self.chosen[side] for side in self.asked_sides]:
                self._steal(rng)
        else:
            self.chosen[self.asked_side()] = action
            self._exchange_if_chosen(rng)

    def _begin_turn(self, challenger: Seat, rng: Random) -> None:
        self.challenger = challenger
        self.phase = OPPONENT
        self.dice = [(), ()]
        self.rolled = ()
        self.taken = self.tied = False
        self.number = 0
        self.asked_sides = ()
        if not self.piles[challenger]:
            able = self.able()
            if len(able) == 2:
                self._name(able[1] if able[0] == challenger else able[0], rng, take=False)

    def _name(self, opponent: Seat, rng: Random, *, take: bool) -> None:
        self.opponent = opponent
        self.taken = take
        if take:
            self._make_dice(self.cards.icons[self.piles[self.challenger][-1]], rng)
        elif self.cards.options.number == "drawn":
            self._make_dice(NUMBERS[int(rng.random() * 5)], rng)
        else:
            self.phase = NUMBER

    def _make_dice(self, number: int, rng: Random) -> None:
        self.number = number
        first, second = self.decks[self.challenger], self.decks[self.opponent]
        if self.cards.options.die == "chosen":
            self.dice = [first[:] if len(first) <= number else (), second[:] if len(second) <= number else ()]
            self.phase = CALL if self.dice[0] and self.dice[1] else DICE
            return
        self.dice = [rng.sample(deck, min(number, len(deck))) for deck in (first, second)]
        self.phase = CALL

    # ------------------------------------------------------------------------------------ the result

    def _call(self, lowest: int, rng: Random) -> None:
        cards, (mine, theirs) = self.cards, self.dice
        first = mine[int(rng.random() * len(mine))]
        second = theirs[int(rng.random() * len(theirs))]
        self.rolled = (first, second)
        result = cards.results[lowest][first][second]
        if result == NOBODY:  # K-13
            for seat, card in ((self.challenger, first), (self.opponent, second)):
                if card in cards.numberless:
                    self.decks[seat].remove(card)
                    self.discards.append(card)
            self._next(rng)
            return
        if result == TIE:
            self.tied = True
        else:
            self._win(result)
        if first in cards.steals or second in cards.steals:
            thieves = [side for side in (0, 1) if self._may_steal(side, result)]
            if thieves:
                self._ask(STEAL, tuple(thieves))
                return
        self._after_steals(rng)

    def _win(self, side: int) -> None:
        seat, card = (self.opponent if side else self.challenger), self.rolled[side]
        self.decks[seat].remove(card)
        if not self.cards.options.victory_dice:
            self.discards.append(card)
            return
        self.piles[seat].append(card)
        if side and self.taken:  # K-10
            self.discards.append(self.piles[self.challenger].pop())

    def _may_steal(self, side: int, winner: int) -> bool:
        """K-17."""
        seat = self.opponent if side else self.challenger
        if self.rolled[side] not in self.cards.steals or (side == winner and not self.decks[seat]):
            return False
        return bool(self.to_steal(side))

    def _ask(self, phase: Phase, sides: tuple[int, ...]) -> None:
        self.phase = phase
        self.asked_sides = sides
        self.chosen = [NOT_CHOSEN, NOT_CHOSEN]

    def _steal(self, rng: Random) -> None:
        """All thieves have chosen; the cards change hands at the same time."""
        battlers = self.challenger, self.opponent
        for side in self.asked_sides:
            card = self.chosen[side]
            if card != DECLINE:
                self.decks[battlers[1 - side]].remove(card)
                deck = self.decks[battlers[side]]
                deck.append(card)
                deck.sort()
        self._after_steals(rng)

    def _after_steals(self, rng: Random) -> None:
        """On a tie both exchange a card (K-3), unless no card is left to draw (K-4)."""
        if self.tied and (self.draw or self.discards):
            battlers = self.challenger, self.opponent
            sides = tuple([side for side in (0, 1) if self.decks[battlers[side]]])
            if sides:
                self._ask(EXCHANGE, sides)
                for side in sides:
                    deck = self.decks[battlers[side]]
                    if len(deck) == 1 or self.left[battlers[side]]:
                        self.chosen[side] = deck[0]
                self._exchange_if_chosen(rng)
                return
        self._next(rng)

    def _exchange_if_chosen(self, rng: Random) -> None:
        """Once all have chosen, the cards are discarded and others drawn, the challenger first."""
        sides, chosen = self.asked_sides, self.chosen
        for side in sides:
            if chosen[side] == NOT_CHOSEN:
                return
        battlers = self.challenger, self.opponent
        for side in sides:
            self.decks[battlers[side]].remove(chosen[side])
            self.discards.append(chosen[side])
        for side in sides:
            if not self.draw:  # K-4
                self.draw, self.discards = self.discards, []
                rng.shuffle(self.draw)
            deck = self.decks[battlers[side]]
            deck.append(self.draw.pop())
            deck.sort()
        self._next(rng)

    # ------------------------------------------------------------------------------------ the end

    def _next(self, rng: Random) -> None:
        """The battle is over: the match ends (K-5, K-11), or the next seat's turn begins (K-6)."""
        able, left = self.able(), self.left
        if self.cards.options.victory_dice:
            if len(able) < 2:
                scores = [-1 if gone else self.score(seat) for seat, gone in enumerate(left)]
                self._end([seat for seat, score in enumerate(scores) if score == max(scores)])
                return
        else:
            winners = [seat for seat, deck in enumerate(self.decks) if not deck and not left[seat]]
            if winners:
                self._end(winners)
                return
        me = self.challenger
        self._begin_turn(next((seat for seat in able if seat > me), able[0]), rng)

    def _end(self, winners: list[Seat]) -> None:
        self.phase = OVER
        self.winners = tuple(winners)
