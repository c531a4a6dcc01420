"""Finds rows of cards to attack with in CIQ, and counts what they move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.ciq.cards import ACE, JACK, KING, QUEEN, Card
from engines.ciq.facts import Cards
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
    indexes = range(len(hand))
    spies = [index for index in indexes if hand[index].rank <= defense]
    attackers = [index for index in indexes if hand[index].rank > defense]
    spies_after = {at: [each for each in spies if each != at and _linked(hand[at], hand[each])] for at in spies}
    attackers_after = {at: [each for each in attackers if _linked(hand[at], hand[each])] for at in spies}
    found: list[tuple[int, ...]] = [(index,) for index in indexes]
    longest: list[tuple[int, ...]] = [(index,) for index in spies]
    most = MOST if len(hand) <= MANY else MOST_OF_MANY
    ranks = [card.rank for card in hand]
    while longest:
        longer = [(*row, index) for row in longest for index in spies_after[row[-1]] if index not in row]
        found += longer
        found += [(*row, index) for row in longest for index in attackers_after[row[-1]]]
        if len(longer) > most:
            longer.sort(key=lambda row: sum([ranks[index] for index in row]), reverse=True)
            del longer[most:]
        longest = longer
    return [tuple([hand[index] for index in row]) for row in found]


def _linked(before: Card, card: Card) -> bool:
    rank, suit = card.rank, card.suit
    return not rank or not before.rank or before.suit is suit or before.rank == rank


def moved(row: Cards, defense: int, own: Pool, *, blocked: bool = False) -> tuple[int, bool]:
    """How many cards a row moves from a seat with these cards, and whether it wins; without the last one's result if it
    is blocked. A Jack counts as `BY_A_JACK`."""
    ranks = [card.rank for card in row]
    if len(ranks) == 1 and ranks[0] > defense:
        ranks = [defense]
    if blocked:
        del ranks[-1]
    in_hand, attack, damage, in_defense, _ = own
    rest = in_hand - len(row) + in_defense
    total = 0
    for rank in ranks:
        if rank < JACK:
            count = rank
        elif rank == KING:
            total, damage = total + damage, 0
            continue
        elif rank == ACE:
            total, attack = total + attack, 0
            continue
        else:
            count = total if rank == QUEEN else BY_A_JACK
        if count <= attack:
            attack -= count
            total += count
            continue
        total += attack
        short, attack = count - attack, 0
        if damage:
            break
        if short >= rest:
            return total + rest, True
        rest -= short
        total += short
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
