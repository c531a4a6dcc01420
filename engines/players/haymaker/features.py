"""What the net of Haymaker is shown of an act: what the seat knows, and what the act changes in it.

All acts of a question share most of their features. So `situation_features` makes them once, and `act_features` lists
the few that an act sets, by index and value. Values are between 0 and about 1.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from engines.haymaker import Phase
from engines.players.haymaker.bits import OF_RANK, RANK_OF, RANKS, STRENGTHS, singles, strength, suits_of
from engines.players.haymaker.history import SIZE
from engines.players.haymaker.memory import Known, odds_of_ranks

MOST: Final = 10
"""Hands of more cards look like this many."""

HELD: Final = 0
"""Four for each rank: the seat holds at least one, two, three, four of it after the act."""
COUNT: Final = HELD + 4 * RANKS
"""The seat holds at least 1, 2, ..., 10 cards after the act."""
SUITS: Final = COUNT + MOST
"""After the act: the strength of the hand, of its strongest suit, and how many cards that has."""
ODDS: Final = SUITS + 3
"""The odds that the opponent holds a card of each rank."""
THEIRS: Final = ODDS + RANKS
"""The opponent surely holds a card of each rank."""
SHOWN: Final = THEIRS + RANKS
"""The opponent knows that the seat holds a card of each rank."""
THEIR_COUNT: Final = SHOWN + RANKS
"""The opponent holds at least 1, 2, ..., 10 cards."""
REST: Final = THEIR_COUNT + MOST
"""The opponent's unknown cards; the mean strength of an unseen card; the draw pile, whether it is empty, or nearly; the
lead in discards."""
KIND: Final = REST + 6
"""Attack, haymaker, pass, block, reversal, hit of an attack, hit of a haymaker, keep."""
RANK: Final = KIND + 8
"""The rank of the one card attacked with, or given in a pass."""
ACT: Final = RANK + RANKS
"""Strength and cards of an attack, the odds that it is equalled, that it isn't blocked by one card or by strength; the
cards of a block and what it has too much; the strength of what is answered."""
HISTORY: Final = ACT + 8
"""What the opponent has told (`history`)."""
FEATURES: Final = HISTORY + SIZE

ATTACK, HAYMAKER, PASS, BLOCK, REVERSAL, HIT, HAYMAKER_HIT, KEEP = range(KIND, KIND + 8)


def situation_features(known: Known) -> list[float]:
    """The features before any act, with everything that acts set at 0 or as it is."""
    found = [0.0] * FEATURES
    hand = known.hand
    for rank in range(1, RANKS + 1):
        cards = OF_RANK[rank]
        held = (hand & cards).bit_count()
        index = HELD + 4 * rank - 4
        found[index : index + held] = (1.0,) * held
        found[THEIRS + rank - 1] = float(known.theirs & cards != 0)
        found[SHOWN + rank - 1] = float(known.shown & cards != 0)
    found[ODDS:THEIRS] = odds_of_ranks(known)[1:]
    count, theirs = min(hand.bit_count(), MOST), min(known.their_count, MOST)
    found[COUNT : COUNT + count] = (1.0,) * count
    found[THEIR_COUNT : THEIR_COUNT + theirs] = (1.0,) * theirs
    found[SUITS : SUITS + 3] = _suits(hand)
    unseen = known.unseen
    found[REST : REST + 6] = (
        known.hidden / MOST,
        strength(unseen) / (MOST * max(1, unseen.bit_count())),
        known.draw / 16,
        float(known.draw == 0),
        float(0 < known.draw <= 2),
        (known.discards[0] - known.discards[1]) / 20,
    )
    found[HISTORY:] = known.history
    return found


def _suits(hand: int) -> tuple[float, float, float]:
    first, second, third, fourth = suits = suits_of(hand)
    strengths = (STRENGTHS[first], STRENGTHS[second], STRENGTHS[third], STRENGTHS[fourth])
    best = max(strengths)
    return sum(strengths) / 50, best / 30, suits[strengths.index(best)].bit_count() / 6


def act_features(known: Known, before: list[float], act: int) -> list[tuple[int, float]]:
    """The features that an act sets, each as index and value. `before` is `situation_features`."""
    if known.phase is Phase.ATTACK:
        return _attack(known, before, act) if act else [(PASS, 1.0)]
    if known.phase is Phase.REPLY:
        return _reply(known, act)
    given = sum(known.drawn) - act
    found = [(KEEP, 1.0), (RANK + RANK_OF[given] - 1, 1.0), (THEIRS + RANK_OF[given] - 1, 1.0)]
    rank, count = RANK_OF[act], known.hand.bit_count()
    found.append((HELD + 4 * rank - 4 + (known.hand & OF_RANK[rank]).bit_count(), 1.0))
    if count < MOST:
        found.append((COUNT + count, 1.0))
    found += zip(range(SUITS, SUITS + 3), _suits(known.hand | act), strict=True)
    return found


def _attack(known: Known, before: list[float], act: int) -> list[tuple[int, float]]:
    found = _without(known.hand, act)
    strong, cards = strength(act), act.bit_count()
    found += ((ACT, strong / 30), (ACT + 1, cards / 4))
    if cards == 1:
        lighter = 1.0
        for odds in before[ODDS + strong : THEIRS]:
            lighter *= 1 - odds
        equal = before[ODDS + strong - 1]
        found += ((ATTACK, 1.0), (RANK + strong - 1, 1.0), (ACT + 2, equal), (ACT + 3, (1 - equal) * lighter))
    else:
        found += ((HAYMAKER, 1.0), (ACT + 4, _unblocked(known, strong)))
    return found


def _unblocked(known: Known, strong: int) -> float:
    """About how likely all the opponent's cards together are weaker than an attack."""
    unseen, hidden = known.unseen, known.hidden
    each = strength(unseen) / max(1, unseen.bit_count())
    above = (strong - strength(known.theirs) - hidden * each) / (3 * sqrt(hidden + 0.1))
    return min(1.0, max(0.0, 0.5 + above / 2))


def _reply(known: Known, act: int) -> list[tuple[int, float]]:
    attack = known.attack
    needed, haymaker = strength(attack), attack & (attack - 1) != 0
    if not act:
        return [(HAYMAKER_HIT if haymaker else HIT, 1.0), (ACT + 7, needed / 30)]
    found = _without(known.hand, act)
    strong = strength(act)
    reversal = haymaker or strong == needed or known.their_count == 0
    found += (
        (REVERSAL if reversal else BLOCK, 1.0),
        (ACT + 5, act.bit_count() / 4),
        (ACT + 6, (strong - needed) / 10),
        (ACT + 7, needed / 30),
    )
    return found


def _without(hand: int, act: int) -> list[tuple[int, float]]:
    """What is different once these cards have left the hand."""
    found = []
    held = hand
    for card in singles(act):
        rank = RANK_OF[card]
        found.append((HELD + 4 * rank - 5 + (held & OF_RANK[rank]).bit_count(), 0.0))
        held ^= card
    for count in range(held.bit_count(), min(hand.bit_count(), MOST)):
        found.append((COUNT + count, 0.0))  # noqa: PERF401  two or three at most, so this is the faster way
    total, best, cards = _suits(held)
    found += ((SUITS, total), (SUITS + 1, best), (SUITS + 2, cards))
    return found
