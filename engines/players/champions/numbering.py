"""Champions of Chance's cards as numbers from 0 to 53: a card's place in the pack with all cards (`Card.place`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from engines.champions.cards import PACKS, Card, Cards
from engines.champions.facts import Options
from engines.champions.verdict import judge

COUNT: Final = 54
"""All cards, with the wacky ones."""

Worths: TypeAlias = tuple[tuple[float, ...], ...]
"""By two revealed cards, what they are worth to the side of the first."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The cards of a match with these options, and what any two of them come to.

    `kinds` are equal for cards that differ in nothing but their copy. `worths` are those of the highest, then those of
    the lowest: 1 to win, -1 to lose.
    """

    options: Options
    cards: Cards
    pack: tuple[int, ...]
    """The numbers of the cards that are in the match."""
    icons: tuple[int, ...]
    kinds: tuple[int, ...]
    worths: tuple[Worths, Worths]

    def numbers_of(self, cards: Iterable[Card]) -> list[int]:
        """The cards as numbers, lowest first."""
        return sorted([card.place for card in cards])

    def cards_of(self, numbers: Iterable[int]) -> Cards:
        """The cards of these numbers, lowest first."""
        return tuple([self.cards[number] for number in sorted(numbers)])


@cache
def numbering(options: Options) -> Numbering:
    """The numbering of a match with these options, made once (about 20 ms)."""
    cards = PACKS[options.icons_count, True].cards
    faces = [(card.number, card.icons, card.special) for card in cards]
    return Numbering(
        options=options,
        cards=cards,
        pack=tuple([card.place for card in PACKS[options.icons_count, options.wacky_numbers].cards]),
        icons=tuple([card.icons for card in cards]),
        kinds=tuple([faces.index(face) for face in faces]),
        worths=(_worths(cards, options, lowest=False), _worths(cards, options, lowest=True)),
    )


def _worths(cards: Cards, options: Options, *, lowest: bool) -> Worths:
    return tuple([tuple([_worth(one, two, options, lowest=lowest) for two in cards]) for one in cards])


def _worth(first: Card, second: Card, options: Options, *, lowest: bool) -> float:
    """By the verdict of the rules. A NUMBERLESS card leaves its deck, which is as good as a win, unless faceup cards
    count."""
    verdict = judge((first, second), lowest=lowest, icon_tiebreak=options.icon_tiebreak)
    if verdict.numberless:
        return 0.0 if options.victory_dice else float(0 in verdict.numberless) - float(1 in verdict.numberless)
    return 0.0 if verdict.winner is None else 1.0 - 2.0 * verdict.winner
