"""Works out an act of Champions of Chance, until somebody must be asked again.

Nobody is asked if there is no choice: a single opponent, a die that is the whole deck, a single card to exchange.
"""

from __future__ import annotations

from typing import Final

from engines.champions import facts
from engines.champions.cards import Card, Cards, Special, sorted_cards
from engines.champions.fold import after
from engines.champions.offers import die_size
from engines.champions.table import Phase, State
from engines.champions.verdict import Verdict, judge
from engines.chance import Chance, Stream
from engines.game import Seat
from engines.places import places
from engines.run import Run

NUMBERS: Final = range(2, 7)
"""The numbers that can be named or drawn."""

_ROLLED: Final = frozenset({Phase.STEAL, Phase.EXCHANGE})


class Course(Run[facts.Fact, State]):
    """An act of Champions of Chance being worked out."""

    def __init__(self, state: State, chance: Chance) -> None:
        super().__init__(after, state, chance)

    # ------------------------------------------------------------------------------------ up to the roll

    def begin_turn(self, challenger: Seat) -> None:
        """A turn begins."""
        self.add(facts.TurnBegun(challenger))
        self._seek_opponent()

    def name_opponent(self, opponent: Seat, *, take: bool) -> None:
        """The challenger names an opponent, and may set the number instead of them (K-10). It may be drawn (K-19)."""
        challenger = self.state.challenger
        self.add(facts.OpponentNamed(challenger, opponent, take))
        if take:
            self.set_number(challenger, self.state.piles[challenger][-1].icons)
        elif self.state.options.number == "drawn":
            self.add(facts.NumberDrawn(NUMBERS[self.chance.use("number").below(len(NUMBERS))]))
            self._make_dice()

    def set_number(self, seat: Seat, number: int) -> None:
        """A seat sets the number."""
        self.add(facts.NumberSet(seat, number))
        self._make_dice()

    def _make_dice(self) -> None:
        """The number is set: dice that leave nothing to choose are made."""
        number = self.state.fought.number
        mode = self.state.options.die
        stream = None if mode == "chosen" else self.chance.use("die")
        for battler in self.state.battlers:
            deck = self.state.decks[battler]
            size = die_size(deck, number)
            if stream is not None:
                self.add(facts.DieDrawn(battler, _drawn(deck, size, stream), mode == "soft_blind"))
            elif size == len(deck):
                self.add(facts.DieSelected(battler, deck))

    def select(self, seat: Seat, cards: Cards) -> None:
        """A battler has chosen the die."""
        self.add(facts.DieSelected(seat, sorted_cards(cards)))

    def call(self, *, lowest: bool) -> None:
        """The challenge is made and the dice are rolled."""
        state, battle = self.state, self.state.fought
        challenger, opponent = state.battlers
        stream = self.chance.use("roll")
        first, second = [die[stream.below(len(die))] for die in battle.dice]
        self.add(facts.Called(challenger, lowest), facts.Rolled(challenger, opponent, (first, second)))
        if not all(battle.seen):
            self.add(facts.DieSeen(challenger, battle.dice[0]), facts.DieSeen(opponent, battle.dice[1]))
        self._settle(judge((first, second), lowest=lowest, icon_tiebreak=state.options.icon_tiebreak))

    def _seek_opponent(self) -> None:
        """Name the opponent if there is only one and the challenger cannot set the number."""
        state = self.state
        others = [seat for seat in state.able if seat != state.challenger]
        if len(others) == 1 and not state.piles[state.challenger]:
            self.name_opponent(others[0], take=False)

    # ------------------------------------------------------------------------------------ the result

    def _settle(self, verdict: Verdict) -> None:
        battlers, cards = self.state.battlers, self.state.fought.rolled
        if verdict.numberless:  # K-13
            for side in verdict.numberless:
                self.add(facts.NumberlessRolled(battlers[side], cards[side]))
            self._next()
            return
        if verdict.inverts:
            self.add(facts.Inverted(verdict.inverts, verdict.lowest))
        if verdict.winner is None:
            self.add(facts.BattleTied(verdict.by == "specials"))
        else:
            self._win(verdict.winner, verdict.by)
        self._ask_to_steal(verdict.winner)

    def _win(self, side: int, by: str) -> None:
        battle, battlers = self.state.fought, self.state.battlers
        pile = self.state.piles[self.state.challenger]
        self.add(facts.BattleWon(battlers[side], battlers[1 - side], battle.rolled[side], by))
        if battle.taken and side == 1:  # K-10
            self.add(facts.FaceupLost(self.state.challenger, pile[-1]))

    def _ask_to_steal(self, winner: int | None) -> None:
        """K-17: a player who rolled STEAL may take a card of the other die that is still in the other deck."""
        state, battle = self.state, self.state.fought
        thieves: list[Seat] = []
        shown: list[facts.Fact] = []
        for side, seat in enumerate(state.battlers):
            won_last = side == winner and not state.decks[seat]
            if battle.rolled[side].special is not Special.STEAL or won_last:
                continue
            other = state.decks[state.battlers[1 - side]]
            left = tuple([card for card in battle.dice[1 - side] if card in other])
            if left:
                thieves.append(seat)
                shown.append(facts.DieShown(seat, left))
        if thieves:
            self.add(facts.StealAsked(tuple(thieves)), *shown)
        else:
            self._after_steals()

    def choose_steal(self, seat: Seat, card: Card | None) -> None:
        """A thief has chosen; once all have, the cards change hands at the same time."""
        self.add(facts.StealChosen(seat, card))
        if self.state.awaited:
            return
        battle, battlers = self.state.fought, self.state.battlers
        for side in sorted(battle.asked):
            chosen = battle.steals[side]
            if chosen:
                self.add(facts.Stolen(battlers[side], battlers[1 - side], chosen[0]))
            else:
                self.add(facts.StealDeclined(battlers[side]))
        self._after_steals()

    def _after_steals(self) -> None:
        """On a tie both exchange a card (K-3), unless no card is left to draw (K-4)."""
        state = self.state
        seats = tuple([seat for seat in state.battlers if state.decks[seat]]) if state.fought.tied else ()
        if not seats or not (state.draw or state.discards):
            self._next()
            return
        self.add(facts.ExchangeAsked(seats))
        for seat in seats:
            if len(state.decks[seat]) == 1 or state.left[seat]:
                self.add(facts.ExchangeChosen(seat, state.decks[seat][0]))
        self._exchange_if_chosen()

    def choose_exchange(self, seat: Seat, card: Card) -> None:
        """A battler has chosen; once all have, the cards are discarded and others drawn, the challenger first."""
        self.add(facts.ExchangeChosen(seat, card))
        self._exchange_if_chosen()

    def _exchange_if_chosen(self) -> None:
        if self.state.awaited:
            return
        battle, battlers = self.state.fought, self.state.battlers
        sides = sorted(battle.asked)
        for side in sides:
            self.add(facts.CardGiven(battlers[side], battle.gives[side][0]))
        for side in sides:
            if not self.state.draw:  # K-4
                self.add(facts.Reshuffled(self.chance.use("reshuffle").shuffled(self.state.discards)))
            self.add(facts.CardDrawn(battlers[side], self.state.draw[0]))
        self._next()

    # ------------------------------------------------------------------------------------ leaving

    def leave(self, seats: tuple[Seat, ...], kind: str) -> None:
        """Seats leave at once (C-4, C-5, K-5)."""
        before = self.state
        self.add(facts.SeatsLeft(seats, kind))
        living = self.state.living
        if len(living) < 2:
            self._end(kind if living else "nobody_left", living or seats)
            return
        gone = tuple([seat for seat in seats if seat in before.battlers])
        if before.challenger in seats:
            if before.battle is not None:
                self.add(facts.BattleVoid(*before.battlers))
            self._next()
        elif gone and before.phase in _ROLLED:
            self.default(gone[0])
        elif before.phase not in _ROLLED:  # a battle that was rolled is worked out first
            if gone:
                self.add(facts.BattleVoid(*before.battlers))
            if not self._is_over() and self.state.battle is None:
                self._seek_opponent()

    def default(self, seat: Seat) -> None:
        """Apply C-5 to a seat that does not answer a question about cards after the roll."""
        if not self.state.owes(self.state.battlers.index(seat)):
            return
        if self.state.phase is Phase.STEAL:
            self.choose_steal(seat, None)
        else:
            self.choose_exchange(seat, self.state.decks[seat][0])

    # ------------------------------------------------------------------------------------ the end

    def _next(self) -> None:
        """End the battle; then the match ends (K-5, K-11), or the next seat's turn begins (K-6)."""
        if self._is_over():
            return
        able, before = self.state.able, self.state.challenger
        self.begin_turn(next((seat for seat in able if seat > before), able[0]))

    def _is_over(self) -> bool:
        """End the match if K-5 or, with Victory Dice, K-11 says so."""
        state = self.state
        if state.options.victory_dice:
            if len(state.able) > 1:
                return False
            best = max([state.score(seat) for seat in state.living])
            self._end("score", tuple([seat for seat in state.living if state.score(seat) == best]))
            return True
        winners = tuple([seat for seat in state.living if not state.decks[seat]])
        if winners:
            self._end("out_of_cards", winners)
        return bool(winners)

    def _end(self, kind: str, winners: tuple[Seat, ...]) -> None:
        """End the match and rank the seats: winners first, then those that stayed (by score, with Victory Dice), then
        those that left, the last to leave first (C-12)."""
        state = self.state
        merits = [(seat in winners, state.score(seat)) for seat in range(state.seats)]
        shared = "_shared" if len(winners) > 1 and kind != "nobody_left" else ""
        self.add(facts.Ended(kind + shared, places(merits, state.left)))


def _drawn(deck: Cards, size: int, stream: Stream) -> Cards:
    """A die drawn at random, each set equally likely; a single card is a special only if all are (K-18)."""
    plain = tuple([card for card in deck if not card.special])
    return stream.shuffled(plain if size == 1 and plain else deck)[:size]
