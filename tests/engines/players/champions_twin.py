"""Compares Champions of Chance's fast table with the rules, and its samples with what a match can come to."""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from engines.champions import (
    BattleVoid,
    CardDrawn,
    CardGiven,
    Cards,
    Champions,
    DeckDealt,
    DieDrawn,
    DieSeen,
    DieSelected,
    DieShown,
    ExchangeChosen,
    NumberDrawn,
    Phase,
    PileLaid,
    Reshuffled,
    Rolled,
    State,
    StealChosen,
    Stolen,
    TurnBegun,
)
from engines.champions.cards import sorted_cards
from engines.game import Event, Seat, seen_by
from engines.players.champions.fast_table import DECLINE, NOT_CHOSEN, FastTable
from engines.players.champions.imagining import History, imagined, table_of
from engines.players.champions.memory import Kind
from engines.players.champions.numbering import numbering
from engines.players.champions.player import action_of, number_of
from laws.players import Places, Position

GAME = Champions()
WITH_DICE = (Phase.DICE, Phase.CALL, Phase.STEAL)
"""The phases in which it matters what the dice are."""
CHOOSING = (Phase.STEAL, Phase.EXCHANGE)


class Drawing(random.Random):
    """Chance that comes to what it was given."""

    def __init__(self, draws: Sequence[float], dice: Sequence[list[int]], pile: list[int]) -> None:
        super().__init__(0)
        self._draws, self._dice, self._pile = list(draws), list(dice), pile

    def random(self) -> float:
        return self._draws.pop(0)

    def sample(self, population: Any, k: int, *, counts: Any = None) -> list[Any]:  # noqa: ARG002  as Random has it
        die = self._dice.pop(0)
        assert set(die) <= set(population)
        assert len(die) == k
        return die

    def shuffle(self, x: Any) -> None:
        assert set(x) == set(self._pile)
        x[:] = self._pile


class ChampionsTwin:
    """As `laws.players.Twin`."""

    asks_in_order = True

    def table_of(self, state: State) -> FastTable:
        cards = numbering(state.options)
        of = cards.numbers_of
        table = FastTable(
            cards, [of(deck) for deck in state.decks], [card.place for card in state.draw[::-1]], state.challenger
        )
        table.piles = [[card.place for card in pile] for pile in state.piles]
        table.discards = of(state.discards)
        table.left = state.left
        table.phase = state.phase
        if state.battle is not None:
            battle = state.battle
            table.opponent, table.taken, table.number = battle.opponent, battle.taken, battle.number
            table.dice = [of(die) for die in battle.dice]
            table.rolled = tuple(card.place for card in battle.rolled)
            table.tied = battle.tied
            table.asked_sides = tuple(sorted(battle.asked))
            for side in battle.asked:
                table.chosen[side] = _chosen(state, side)
        if state.ended is not None:
            table.winners = tuple(seat for seat, rank in enumerate(state.ended.ranks) if rank == 1)
        return table

    def places(self, table: FastTable) -> Places:
        dice = [frozenset(die) if table.phase in WITH_DICE else frozenset() for die in table.dice]
        return Places(
            (*[frozenset(deck) for deck in table.decks], frozenset(table.discards), *dice),
            (tuple(table.draw[::-1]), *[tuple(pile) for pile in table.piles]),
        )

    def others(self, table: FastTable) -> Any:
        if table.phase is Phase.OVER:
            return table.winners
        found: tuple[Any, ...] = table.phase, table.asked(), table.challenger, table.left
        if table.phase is not Phase.OPPONENT:
            found = *found, table.opponent, table.taken
        if table.phase not in (Phase.OPPONENT, Phase.NUMBER):
            found = *found, table.number
        if table.phase in CHOOSING:
            found = *found, table.rolled, table.asked_sides, tuple(table.chosen), table.tied
        return found

    def act_of(self, action: Any) -> int:
        return number_of(action)

    def action_of(self, table: FastTable, act: int) -> Any:
        return action_of(table.cards, table.phase, act)

    def chance_of(self, table: FastTable, facts: Sequence[Event]) -> random.Random:
        draws: list[float] = []
        dice, pile = [], list[int]()
        for fact in facts:
            match fact:
                case NumberDrawn(number):
                    draws.append((number - 1.5) / 5)
                case DieDrawn(cards=cards):
                    dice.append([card.place for card in cards])
                case Rolled(cards=rolled):
                    draws += [
                        (list(die).index(card.place) + 0.5) / len(die)
                        for die, card in zip(table.dice, rolled, strict=True)
                    ]
                case Reshuffled(draw):
                    pile = [card.place for card in draw[::-1]]
        return Drawing(draws, dice, pile)


def _chosen(state: State, side: int) -> int:
    """What a side has chosen, as a fast table writes it."""
    battle = state.fought
    if state.phase is Phase.EXCHANGE:
        return battle.gives[side][0].place if battle.gives[side] else NOT_CHOSEN
    steal = battle.steals[side]
    if steal is None:
        return NOT_CHOSEN
    return steal[0].place if steal else DECLINE


TWIN = ChampionsTwin()


# ---------------------------------------------------------------------------------------------- samples


def a_sample_can_have_come_about(position: Position, rng: random.Random) -> None:
    """The match that the player made up could have been played: with its cards where the seat doesn't see them, every
    fact is possible, the seat sees the same, and the facts lead to the sampled table.

    A global exchange of cards won't do here: another seat may have discarded a card that this one has seen.
    """
    situation, deal = position.situation(), position.log.deal
    history = imagined(situation.memory, rng)
    table = table_of(situation.memory, situation.view, history, rng)
    state, found = GAME.start(deal.options, deal.seats), _Retold(position, history, table)
    for at, event in enumerate(position.events):
        told = found.told(state, at, event)
        assert seen_by(told, position.seat) == seen_by(event, position.seat)
        state = GAME.evolve(state, told)
    assert GAME.observe(state, position.seat) == situation.view
    assert GAME.choices(state, position.seat) == situation.choices
    true = TWIN.table_of(state)
    if state.phase is Phase.EXCHANGE:
        table.number, true.number = 0, 0
    assert TWIN.places(true).sets == TWIN.places(table).sets
    assert TWIN.places(true).piles == TWIN.places(table).piles
    assert TWIN.others(true) == TWIN.others(table)


class _Retold:
    """The facts of a match, told with the cards of a history; each is checked to be possible in the state before."""

    def __init__(self, position: Position, history: History, table: FastTable) -> None:
        self.position = position
        self.seat = position.seat
        self.cards = numbering(position.log.deal.options).cards
        self.table = table
        self.dealt = history.dealt
        self.piles = iter(history.piles)
        self.queues: defaultdict[tuple[Kind, Seat], deque[Any]] = defaultdict(deque)
        memory = position.situation().memory
        moves = [each for each in memory.moments if each.kind not in (Kind.SEEN, Kind.SHUFFLED, Kind.FACEUP_LOST)]
        for moment, moved in zip(moves, history.moved, strict=True):
            seat = moment.to if moment.kind is Kind.STOLEN else moment.seat
            self.queues[moment.kind, seat].append(self.cards[moved])

    def told(self, state: State, at: int, event: Event) -> Any:  # noqa: PLR0911  one answer a fact
        """The fact as this history has it."""
        match event:
            case DeckDealt(seat):
                return event if seat == self.seat else DeckDealt(seat, self._cards(self.dealt[seat]))
            case PileLaid():
                return PileLaid(self._cards(next(self.piles)))
            case Reshuffled():
                pile = self._cards(next(self.piles))
                assert set(pile) == set(state.discards)
                assert not state.draw
                return Reshuffled(pile)
            case ExchangeChosen(seat):
                if seat == self.seat:
                    return event
                void = BattleVoid in map(type, self._battle(at))
                card = state.decks[seat][0] if void else self._next(Kind.GIVEN, seat, take=False)
                assert card in state.decks[seat]
                return ExchangeChosen(seat, card)
            case CardGiven(seat):
                return CardGiven(seat, self._next(Kind.GIVEN, seat))
            case CardDrawn(seat):
                card = self._next(Kind.DRAWN, seat)
                assert card == state.draw[0]
                return CardDrawn(seat, card)
            case StealChosen(seat, true):
                chosen = self._stolen(at, seat, true)
                side = state.battlers.index(seat)
                assert chosen is None or chosen in state.fought.shown[side]
                return StealChosen(seat, chosen)
            case Stolen(thief, victim):
                return Stolen(thief, victim, self._next(Kind.STOLEN, thief))
            case DieSelected(seat) | DieDrawn(seat):
                die = self._die(state, at, event)
                assert set(die) <= set(state.decks[seat])
                return replace(event, cards=die)
            case DieSeen(seat):
                return DieSeen(seat, state.fought.dice[state.battlers.index(seat)])
            case DieShown(thief):
                side = state.battlers.index(thief)
                other = state.decks[state.battlers[1 - side]]
                return DieShown(thief, tuple(card for card in state.fought.dice[1 - side] if card in other))
            case Rolled():
                assert all(card in die for card, die in zip(event.cards, state.fought.dice, strict=True))
        return event

    def _cards(self, numbers: Sequence[int]) -> Cards:
        return tuple([self.cards[number] for number in numbers])

    def _next(self, kind: Kind, seat: Seat, *, take: bool = True) -> Any:
        queue = self.queues[kind, seat]
        if not queue:  # it is sealed, and not worked out yet
            return self.cards[self._sealed(seat)]
        return queue.popleft() if take else queue[0]

    def _sealed(self, seat: Seat) -> int:
        table = self.table
        chosen = table.chosen[0 if seat == table.challenger else 1]
        assert chosen != NOT_CHOSEN
        return chosen

    def _stolen(self, at: int, seat: Seat, true: Any) -> Any:
        """What a thief has chosen: nothing, if it was seen to decline."""
        rest = list(self._battle(at))
        if any(isinstance(event, Stolen) and event.thief == seat for event in rest):
            return self._next(Kind.STOLEN, seat, take=False)
        if seat == self.seat:
            return true
        if self.position.state.phase is not Phase.STEAL or TurnBegun in map(type, rest):
            return None
        sealed = self._sealed(seat)
        return None if sealed == DECLINE else self.cards[sealed]

    def _battle(self, at: int) -> Iterator[Event]:
        """The facts from here to the end of the battle."""
        for event in self.position.events[at:]:
            yield event
            if isinstance(event, TurnBegun):
                return

    def _die(self, state: State, at: int, event: Any) -> Cards:
        """A die: as the seat sees it, as sampled while the battle is on, or any that fits what came of it."""
        seat, true = event.seat, event.cards
        rest = list(self._battle(at))
        side = state.battlers.index(seat)
        if seat == self.seat and (event.audience() or any(isinstance(each, DieSeen) for each in rest)):
            return tuple(true)
        if not any(isinstance(each, Rolled | BattleVoid) for each in rest):
            return self._cards(self.table.dice[side])
        needed = set[Any]()
        for each in rest:
            if isinstance(each, Rolled):
                needed.add(each.cards[side])
            if isinstance(each, DieShown) and each.thief == self.seat:
                needed.update(each.cards)
                assert len(needed) == len(true)
            if isinstance(each, Stolen) and each.victim == seat:
                needed.add(self._next(Kind.STOLEN, each.thief, take=False))
        spare = [card for card in state.decks[seat] if card not in needed]
        return sorted_cards((*needed, *spare[: len(true) - len(needed)]))
