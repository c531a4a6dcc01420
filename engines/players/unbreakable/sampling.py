"""Full tables of Unbreakable that fit everything a seat remembers and sees.

Every place that the seat can't look into has a card of the layers that were there when it got it (`memory`). In classic
play that is all, and the tables are drawn exactly: each way in which the cards may have come to lie is equally likely.
In swift play the rules choose what is put away, so a card that the opponent put away must fit the pair that it kept.
Then some way is found first, and changed at random for long enough that it no longer matters where it began.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, TypeAlias

from engines.game import Private
from engines.players.unbreakable.fast_table import NOTHING, FastTable
from engines.players.unbreakable.memory import Counts, Memory
from engines.players.unbreakable.numbers import NUMBER, bits_of, numbers_of
from engines.unbreakable import WEAPONS, Own, Phase, Public

View: TypeAlias = Private[Public, Own]

STIRS: Final = 20
"""In swift play, how many exchanges are tried for each card put away or in the opponent's hand."""

TRIES: Final = 1000
"""How many tables are tried for one that also fits what was put away before the last reshuffle."""


def sampled(memory: Memory, view: View, rng: Random) -> FastTable:
    """A table that agrees with all that the seat knows. Raises ValueError if the memory contradicts itself."""
    weapons = WEAPONS if view.public.phase is Phase.CHOOSE else 0
    places = _filled(memory, weapons, rng)
    seat, public, own = view.seat, view.public, view.own
    other = 1 - seat
    rest = places.rest
    theirs = [*places.early, *[rest.pop() for _ in range(weapons - len(places.early))]]
    away = [*places.away, *[rest.pop() for _ in range(len(memory.away) - len(places.away))]]
    table = FastTable(public.options, public.dealer, rest)
    table.hands[seat] = [NUMBER[card] for card in own.hand]
    table.hands[other] = numbers_of(memory.theirs) + places.hand
    table.known = [bits_of(cards) for cards in public.known]
    table.weapons[seat] = [NUMBER[card] for card in own.weapons]
    table.weapons[other] = theirs
    table.chosen[seat] = NOTHING if own.chosen is None else NUMBER[own.chosen]
    table.chosen[other] = rng.choice(theirs) if public.chosen[other] else NOTHING
    table.discards = numbers_of(memory.discards) + away
    table.target = NOTHING if public.target is None else NUMBER[public.target]
    table.turn = -1 if public.turn is None else public.turn
    table.attackers = public.attackers
    table.phase = public.phase
    return table


@dataclass(slots=True)
class _Places:
    """What lies in the places that the seat can't look into, as numbers; `rest` may lie anywhere else."""

    hand: list[int]
    early: list[int]
    away: list[int]
    rest: list[int]


def _filled(memory: Memory, weapons: int, rng: Random) -> _Places:
    early = min(memory.early, weapons)
    until = _last_early(memory)
    unseen = memory.unseen
    tight = [(away & unseen, old) for away, old in memory.away if unseen & ~away]
    possible = {counts: weight for counts, weight in _weighed(memory, early, until) if weight}
    places = None
    for _ in range(TRIES):
        if not possible:
            break
        counts = rng.choices(list(possible), list(possible.values()))[0]
        found = _dealt(memory.layers, counts, early, until, rng)
        held = _reaches(memory.layers, counts, early, until)
        if tight and not _fit(held, [away for away, _ in tight], found, rng):
            del possible[counts]
            continue
        places = found
        old = [card for card, (_, old) in zip(places.away, tight, strict=True) if old]
        if rng.random() < _leaves_out(memory, counts, places.hand, [*places.early, *old]):
            break
    if places is None:
        raise ValueError("no table fits what the seat remembers")
    return places


def _leaves_out(memory: Memory, counts: Counts, hand: Sequence[int], old: Sequence[int]) -> float:
    """How likely what was put away before the last reshuffle isn't in the hand, nor among other cards that were drawn
    before: 0 if it must be."""
    likely = 1.0
    for cards, last, now in memory.kept_out:
        if cards & ~memory.unseen:
            continue  # one of them has been seen since: it may have been that one
        held = sum([1 << card for card in (*hand[: sum(counts[: last + 1])], *(old if now else ()))])
        likely *= (cards & ~held).bit_count() / cards.bit_count()
    return likely


def _last_early(memory: Memory) -> int:
    """The last layer that weapon cards from before the last reshuffle may belong to."""
    last = len(memory.layers) - 1
    return last - 1 if last and memory.layers[last] & memory.late else last


def _weighed(memory: Memory, early: int, until: int) -> list[tuple[Counts, int]]:
    """For each way that the opponent's unknown cards may have come, in how many ways the cards may lie."""
    found = []
    for counts, ways in memory.hidden:
        weight, free = ways, 0
        for place, layer in enumerate(memory.layers):
            free += layer.bit_count()
            for _ in range(counts[place] + (early if place == until else 0)):
                weight *= max(0, free)
                free -= 1
        found.append((counts, weight))
    most = max([weight for _, weight in found], default=0)
    # Shares of the heaviest one, because the numbers themselves may be too large for a float.
    return [(counts, max(1, weight * 10**6 // most) if weight else 0) for counts, weight in found]


def _dealt(layers: Sequence[int], counts: Counts, early: int, until: int, rng: Random) -> _Places:
    """Deal the cards to the places, those first that have the least to choose from."""
    places = _Places([], [], [], [])
    free = places.rest
    for place, layer in enumerate(layers):
        free += numbers_of(layer)
        rng.shuffle(free)
        places.hand += [free.pop() for _ in range(counts[place])]
        if place == until:
            places.early += [free.pop() for _ in range(early)]
    rng.shuffle(free)
    return places


def _reaches(layers: Sequence[int], counts: Counts, early: int, until: int) -> list[int]:
    """For each unknown card of the opponent's hand, and each early weapon card, which ones it may be."""
    reach = [sum(layers[: place + 1]) for place in range(len(layers))]
    return [*[reach[place] for place, count in enumerate(counts) for _ in range(count)], *[reach[until]] * early]


def _fit(held: Sequence[int], tight: Sequence[int], places: _Places, rng: Random) -> bool:
    """Put cards in the places of those put away, and stir. False if no cards fit them all."""
    allowed = [*held, *tight]
    cards = [*places.hand, *places.early, *[NOTHING] * len(tight)]
    free = places.rest
    for place in range(len(held), len(allowed)):
        if not _put(place, allowed, cards, free, set()):
            return False
    for _ in range(STIRS * len(allowed)):
        place, at = int(rng.random() * len(allowed)), int(rng.random() * (len(allowed) + len(free)))
        card = cards[place]
        if at >= len(allowed):
            other = free[at - len(allowed)]
            if allowed[place] >> other & 1:
                cards[place], free[at - len(allowed)] = other, card
        elif allowed[place] >> cards[at] & 1 and allowed[at] >> card & 1:
            cards[place], cards[at] = cards[at], card
    hand, early = len(places.hand), len(places.early)
    places.hand, places.early, places.away = cards[:hand], cards[hand : hand + early], cards[hand + early :]
    rng.shuffle(free)
    return True


def _put(place: int, allowed: Sequence[int], cards: list[int], free: list[int], tried: set[int]) -> bool:
    """Put a free card in a place, or one of another place that finds another card (Kuhn's matching)."""
    for at, card in enumerate(free):
        if allowed[place] >> card & 1:
            cards[place] = free.pop(at)
            return True
    for other, card in enumerate(cards):
        if other in tried or card == NOTHING or not allowed[place] >> card & 1:
            continue
        tried.add(other)
        if _put(other, allowed, cards, free, tried):
            cards[place] = card
            return True
    return False
