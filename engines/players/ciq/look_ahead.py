"""CIQ by a short look ahead: each candidate is tried on tables that may be the true one, a few acts are played on, and
what is left is judged by the cards that everybody still has."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Final

from engines.ciq.facts import Action, Attack, Pile
from engines.ciq.table import State
from engines.game import Seat
from engines.players.ciq.candidates import CIQTable
from engines.players.ciq.rules_of_thumb import by_rule_of_thumb
from engines.players.ciq.sequences import moved
from engines.players.ciq.sight import Sight, sight_of
from engines.players.player import Expired

ACTS: Final = 6
"""How many acts are played on."""
AT_RANDOM: Final = 0.2
"""How often an act that is played on is any candidate rather than by rule of thumb."""
HEADSTART: Final = 5
"""Added to everybody's cards, so that the last few cards don't count for everything."""
AFFORDABLE: Final = 15
"""What a rollout may `cost`; if it costs more, fewer are played. 60 of these take about 0.15 seconds of CPU time."""
OF_RULES: Final = 9
"""What a rollout costs for the rules alone."""
USUAL: Final = 5
"""Cards in a hand whose rows count as 1 in `cost`; the work grows with the hand to the power of `GROWTH`."""
GROWTH: Final = 2.5


def cost(sight: Sight) -> float:
    """About what a rollout costs. Rules of thumb look at all rows of a hand for each Defense among the opponents, and
    those are hundreds for ten cards and thousands for thirty."""
    hands = [sight.pools[seat].hand / USUAL for seat in (sight.seat, *sight.opponents)]
    defenses = len({sight.pools[seat].top.rank for seat in sight.opponents})
    return OF_RULES + defenses * sum([math.pow(hand, GROWTH) for hand in hands]) / len(hands)


def affordable(rollouts: int, sight: Sight) -> int:
    """How many rollouts of a budget to play: all of them, unless hands are large."""
    return int(rollouts * min(1.0, AFFORDABLE / cost(sight)))


def shares(state: State) -> list[float]:
    """Each seat's estimated share of the win: the fewer cards left, the larger."""
    seats = range(len(state.places))
    weights = [0.0 if seat in state.out else 1 / (state.places[seat].cards + HEADSTART) for seat in seats]
    total = sum(weights)
    return [weight / total for weight in weights]


def judged(sight: Sight, action: Action) -> float:
    """The asked seat's estimated share right after an act, by the cards left; only attacks move any."""
    cards = [pool.cards for pool in sight.pools]
    if isinstance(action, Attack):
        defense = sight.pools[action.target].top.rank
        count, wins = moved(action.cards, defense, sight.own) if action.pile is Pile.DAMAGE else (0, False)
        if wins:
            return 1.0
        cards[sight.seat] -= count + len(action.cards)
        cards[action.target] += count + len(action.cards)
    weights = [1 / (max(0, cards[seat]) + HEADSTART) for seat in (sight.seat, *sight.opponents)]
    return weights[0] / sum(weights)


def value_after(table: CIQTable, action: Action, seat: Seat, rng: Random) -> float:
    """A seat's estimated share after an act and a few more; the table is changed."""
    table.play(action, rng)
    for _ in range(ACTS):
        if table.state.ended is not None:
            return table.share(seat)
        if rng.random() < AT_RANDOM:
            table.play(rng.choice(table.candidates()), rng)
        else:
            table.play(by_rule_of_thumb(sight_of(table.state)), rng)
    return table.share(seat) if table.state.ended is not None else shares(table.state)[seat]


def worths_ahead(
    tables: Sequence[CIQTable], acts: Sequence[Action], seat: Seat, rng: Random, expired: Expired
) -> tuple[list[float], int]:
    """The mean value of each act over the tables, each of which every act is tried on, and the rollouts."""
    totals = [0.0] * len(acts)
    played = 0
    for table in tables:
        if played and expired():
            break
        luck = rng.getrandbits(64)
        for index, act in enumerate(acts):
            totals[index] += value_after(table.copy(), act, seat, Random(luck))
        played += 1
    return [total / played for total in totals], played * len(acts)
