"""Champions of Chance by rules of thumb. Each was tried in some 1,000 matches.

- Name 6: the larger the dice are, the less the challenger's choice of cards and of the call is worth.
- Make the die of the cards that are best together, all high or all low, against what the other deck may have.
- Call what the die is better at; a die that nobody sees is as good as the deck.
- Challenge the seat whose deck this one beats best; among equals the one with the most cards, for whom a win is worth
  least. With Victory Dice the one with the fewest: without cards it wins no more icons.
- Set the number by a faceup card only if it makes the smallest die and there is one opponent: a lost card costs icons.
- After a tie, discard the card without which the deck is best.
- Steal nothing, for a deck with fewer cards is nearer to its end. With Victory Dice cards are still to be won with:
  steal the one with the most icons, unless a single opponent is ahead, who then ends the match sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.champions.course import NUMBERS
from engines.champions.facts import Action, Call, Challenge, Decline, Exchange, NameNumber, Select, Steal
from engines.champions.table import Phase
from engines.game import Seat
from engines.players.champions.sight import Sight, Strengths

A_CARD: Final = 0.25
"""What each card in an opponent's deck is worth when the seat chooses whom to challenge."""


def by_rule_of_thumb(sight: Sight) -> Action:
    """The act."""
    match sight.phase:
        case Phase.CALL:
            high, low = sums(sight.die or sight.deck, sight.against[sight.other])
            return Call(lowest=low > high)
        case Phase.NUMBER:
            return NameNumber(NUMBERS[-1])
        case Phase.DICE:
            return Select(sight.cards.cards_of(best_die(sight.deck, sight.number, sight.against[sight.other])))
        case Phase.STEAL:
            return _steal(sight)
        case Phase.OPPONENT:
            return _challenge(sight)
        case _:
            return _exchange(sight)


def sums(cards: Sequence[int], strengths: Strengths) -> tuple[float, float]:
    """What these cards are worth together if the highest wins, and if the lowest does."""
    high, low = strengths
    return sum([high[card] for card in cards]), sum([low[card] for card in cards])


def best_die(deck: Sequence[int], size: int, strengths: Strengths) -> Sequence[int]:
    """The die of this size that is worth most, be it high or low."""
    if len(deck) <= size:
        return deck
    high, low = strengths
    highest = sorted(deck, key=high.__getitem__)[-size:]
    lowest = sorted(deck, key=low.__getitem__)[-size:]
    return highest if sum([high[card] for card in highest]) >= sum([low[card] for card in lowest]) else lowest


def _challenge(sight: Sight) -> Challenge:
    take = sight.faceup and len(sight.opponents) == 1 and sight.cards.icons[sight.faceup[-1]] == NUMBERS[0]
    number = NUMBERS[0] if take else NUMBERS[-1]
    a_card = -A_CARD if sight.cards.options.victory_dice else A_CARD

    def value(seat: Seat) -> float:
        die = best_die(sight.deck, number, sight.against[seat])
        return max(sums(die, sight.against[seat])) / len(die) + a_card * sight.counts[seat]

    return Challenge(max(sight.opponents, key=value), take=bool(take))


def _steal(sight: Sight) -> Steal | Decline:
    ahead = sight.scores[sight.seat] >= sight.scores[sight.other]
    if not sight.cards.options.victory_dice or (len(sight.opponents) == 1 and not ahead):
        return Decline()
    return Steal(sight.cards.cards[max(sight.to_steal, key=sight.cards.icons.__getitem__)])


def _exchange(sight: Sight) -> Exchange:
    strengths = sight.against[sight.other]
    high, low = sums(sight.deck, strengths)
    worst = max(sight.deck, key=lambda card: max(high - strengths.high[card], low - strengths.low[card]))
    return Exchange((sight.cards.cards[worst],))
