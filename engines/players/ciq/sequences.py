"""Finds rows of cards to attack with in CIQ, and counts what they move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.ciq.cards import ACE, JACK, KING, QUEEN, Card
from engines.ciq.facts import Cards
from engines.ciq.offers import acting_rank
from engines.players.ciq.sight import Pool

MOST: Final = 40
"""How many rows of one length are kept to be made longer: those with the most points."""
MOST_OF_MANY: Final = 10
"""The same for hands of more than `MANY` cards, where it would take too long."""
MANY: Final = 8
BY_A_JACK: Final = 8
"""About how many cards a Jack moves; it depends on the card that it takes."""


def rows(hand: Cards, defense: int) -> list[Cards]:
    """The rows that Q-3 allows on a Damage Pile; of many of one length only the strongest."""
    spies = [card for card in hand if card.rank <= defense]
    attackers = [card for card in hand if card.rank > defense]
    found: list[Cards] = [(card,) for card in hand]
    longest: list[Cards] = [(card,) for card in spies]
    most = MOST if len(hand) <= MANY else MOST_OF_MANY
    while longest:
        longer: list[Cards] = [
            (*row, card) for row in longest for card in spies if card not in row and _linked(row[-1], card)
        ]
        found += longer
        found += [(*row, card) for row in longest for card in attackers if _linked(row[-1], card)]
        if len(longer) > most:
            longer = sorted(longer, key=_points, reverse=True)[:most]
        longest = longer
    return found


def _linked(before: Card, card: Card) -> bool:
    rank, suit = card.rank, card.suit
    return not rank or not before.rank or before.suit is suit or before.rank == rank


def _points(row: Cards) -> int:
    return sum([card.rank for card in row])


def moved(row: Cards, defense: int, own: Pool, *, blocked: bool = False) -> tuple[int, bool]:
    """How many cards a row moves from a seat with these cards, and whether it wins; without the last one's result if it
    is blocked. A Jack counts as `BY_A_JACK`."""
    ranks = [acting_rank(row, place, defense) for place in range(len(row) - blocked)]
    attack, damage = own.attack, own.damage
    rest = own.hand - len(row) + own.defense
    total = 0
    for rank in ranks:
        if rank == KING:
            total, damage = total + damage, 0
            continue
        if rank == ACE:
            total, attack = total + attack, 0
            continue
        count = total if rank == QUEEN else BY_A_JACK if rank == JACK else rank
        from_pile = min(count, attack)
        attack -= from_pile
        total += from_pile
        short = count - from_pile
        if not short:
            continue
        if damage:
            break
        given = min(short, rest)
        rest -= given
        total += given
        if not rest:
            return total, True
    return total, False


def weakening(hand: Cards, defense: int) -> list[Cards]:
    """Rows that would raise an opponent's Defense: to each rank above it by as few cards as possible (Q-3)."""
    spies = [card for card in hand if 0 < card.rank <= defense]
    attackers = [card for card in hand if card.rank > defense]
    return [(spy, card) for card in attackers for spy in spies if _linked(spy, card)]


def strongest(found: Sequence[Cards], defense: int, own: Pool, count: int) -> list[Cards]:
    """The rows that move most, and among them at least one that moves most if it is blocked."""
    free = sorted(found, key=lambda row: moved(row, defense, own)[0], reverse=True)[:count]
    blocked = max(found, key=lambda row: moved(row, defense, own, blocked=True)[0])
    return free if blocked in free else [*free, blocked]
