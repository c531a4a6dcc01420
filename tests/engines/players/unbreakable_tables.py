"""Unbreakable's fast tables beside its rules, as `laws.players` compares them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from engines.cards import Card
from engines.game import Event
from engines.players.unbreakable.fast_table import NOBODY, NOTHING, UNDECIDED, FastTable
from engines.players.unbreakable.numbers import CARDS, NUMBER, bits_of
from engines.unbreakable import Discard, Lay, Phase, Reshuffled, State
from laws.players import Places


class Shuffling(random.Random):
    """Chance that shuffles decks to what they came to."""

    def __init__(self, decks: Sequence[Sequence[Card]]) -> None:
        super().__init__(0)
        self._decks = list(decks)

    def shuffle(self, deck: Any) -> None:
        made = [NUMBER[card] for card in reversed(self._decks.pop(0))]
        assert sorted(deck) == sorted(made)
        deck[:] = made


class UnbreakableTwin:
    """As `laws.players.Twin`."""

    def table_of(self, state: State) -> FastTable:
        table = FastTable(state.options, state.dealer, [NUMBER[card] for card in reversed(state.deck)])
        table.discards = [NUMBER[card] for card in state.discards]
        table.hands = [[NUMBER[card] for card in hand] for hand in state.hands]
        table.known = [bits_of(cards) for cards in state.known]
        table.weapons = [[NUMBER[card] for card in hand] for hand in state.weapons]
        table.chosen = [NOTHING if card is None else NUMBER[card] for card in state.chosen]
        table.target = NOTHING if state.target is None else NUMBER[state.target]
        table.turn = NOBODY if state.turn is None else state.turn
        table.attackers = state.attackers
        table.phase = state.phase
        if state.ended is not None:
            table.winner = NOBODY if state.ended.winner is None else state.ended.winner
        return table

    def places(self, table: FastTable) -> Places:
        chosen = [{card} - {NOTHING} if table.phase is Phase.CHOOSE else set() for card in table.chosen]
        weapons = [set(hand) - put for hand, put in zip(table.weapons, chosen, strict=True)]
        sets = [*table.hands, *weapons, *chosen, table.discards, {table.target} - {NOTHING}]
        return Places(
            tuple(frozenset([CARDS[card] for card in each]) for each in sets),
            (tuple([CARDS[card] for card in reversed(table.deck)]),),
        )

    def others(self, table: FastTable) -> Any:
        chosen = [card != NOTHING for card in table.chosen] if table.phase is Phase.CHOOSE else []
        return (
            *(table.asked(), table.phase, table.turn, table.attackers, table.dealer, table.limit, table.swift),
            *(table.known, chosen, table.winner if table.winner != UNDECIDED else None),
        )

    def act_of(self, action: Lay | Discard) -> int:
        return NUMBER[action.card if isinstance(action, Discard) else action.cards[0]]

    def action_of(self, table: FastTable, act: int) -> Any:
        return Discard(CARDS[act]) if table.phase is Phase.CHOOSE else Lay((CARDS[act],))

    def chance_of(self, table: FastTable, facts: Sequence[Event]) -> random.Random:  # noqa: ARG002  it needs the facts
        return Shuffling([fact.cards for fact in facts if isinstance(fact, Reshuffled)])


TWIN = UnbreakableTwin()
