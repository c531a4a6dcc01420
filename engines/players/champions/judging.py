"""Estimates which share of the win an act brings: how the seats stand, and how the battle is likely to change that.

The worths of cards and icons were fitted to matches between equals, for each number of players; the other weights are
estimates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from types import MappingProxyType
from typing import Final, TypeAlias

from engines.champions.course import NUMBERS
from engines.champions.facts import Action, Call, Challenge, Decline, Exchange, NameNumber, Options, Select, Steal
from engines.game import Seat
from engines.players.champions.rules_of_thumb import best_die, sums
from engines.players.champions.sight import Sight, Strengths

Worth: TypeAlias = tuple[float, float]
"""What a card fewer in the deck is worth, and an icon in the faceup pile; the weight of a seat is e to the power of all
it has."""
WORTHS: Final[Mapping[int, Worth]] = MappingProxyType({2: (0.94, 0.0), 3: (0.86, 0.0), 4: (0.94, 0.0), 5: (1.07, 0.0)})
"""By the number of players."""
WORTHS_OF_VICTORY: Final[Mapping[int, Worth]] = MappingProxyType(
    {2: (0.39, 0.19), 3: (0.0, 0.28), 4: (0.0, 0.07), 5: (0.0, 0.07)}
)
"""The same with Victory Dice. Of three or more, who has cards left battles on, so a card fewer is worth nothing."""
TIES: Final = 0.2
"""How often a battle has no winner."""
EACH_NUMBER: Final = 0.08
"""What a battle is worth to the challenger, by how far its number is from 6."""


def judged(sight: Sight, act: Action) -> float:
    """The share of the win, from 0 to 1, that an act is estimated to bring."""
    counts, scores = list(sight.counts), list(sight.scores)
    if isinstance(act, (Steal, Decline)):
        if isinstance(act, Steal):
            counts[sight.seat] += 1
            counts[sight.other] -= 1
        return share(sight, counts, scores)
    other, lead = _battle(sight, act)
    shares = []
    for winner in (sight.seat, other):
        after, icons = counts[:], scores[:]
        after[winner] = max(0, after[winner] - 1)
        icons[winner] += 3 * sight.cards.options.victory_dice
        shares.append(share(sight, after, icons))
    win, lose = (1 - TIES + lead) / 2, (1 - TIES - lead) / 2
    return win * shares[0] + lose * shares[1] + (1 - win - lose) * share(sight, counts, scores)


def share(sight: Sight, counts: Sequence[int], scores: Sequence[int]) -> float:
    """The share of the win that a seat can expect between battles."""
    playing = {sight.seat, *sight.opponents}
    if sight.cards.options.victory_dice:
        playing |= {seat for seat, score in enumerate(scores) if score}
    weights = weights_of(sight.cards.options, counts, scores)
    return weights[sight.seat] / sum([weights[seat] for seat in playing])


def weights_of(options: Options, counts: Sequence[int], scores: Sequence[int]) -> list[float]:
    """How the seats stand between battles, by what everybody may know: their shares are as these."""
    a_card, an_icon = (WORTHS_OF_VICTORY if options.victory_dice else WORTHS)[len(counts)]
    return [exp(an_icon * score - a_card * count) for count, score in zip(counts, scores, strict=True)]


def _battle(sight: Sight, act: Challenge | NameNumber | Select | Call | Exchange) -> tuple[Seat, float]:
    """The other battler, and the chance to win the battle less the chance to lose it, at most 1 less `TIES`."""
    other, lead = sight.other, 0.0
    match act:
        case Challenge(other, take):
            number = sight.cards.icons[sight.faceup[-1]] if take else NUMBERS[-1]
            lead = _best(best_die(sight.deck, number, sight.against[other]), sight.against[other])
        case NameNumber(number):
            lead = -EACH_NUMBER * (NUMBERS[-1] + 1 - number)
        case Select(cards):
            lead = _best(sight.cards.numbers_of(cards), sight.against[other])
        case Call(lowest):
            die = sight.die or sight.deck
            lead = sums(die, sight.against[other])[lowest] / len(die)
        case Exchange((discarded, *_)):
            lead = _best([card for card in sight.deck if card != discarded.place], sight.against[other])
    return other, max(TIES - 1, min(1 - TIES, lead))


def _best(cards: Sequence[int], strengths: Strengths) -> float:
    """What a random one of these cards is worth, called as is best for them."""
    return max(sums(cards, strengths)) / len(cards) if cards else 0.0
