"""The cards of Champions of Chance as numbers from 0 to 53: a card's place in the pack with all cards (`Card.place`).

A die is a set of cards, as bits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from engines.champions import PACKS, Card, Options, Special
from engines.champions.verdict import judge

COUNT: Final = 54
"""All cards, with the wacky ones."""

TIE: Final = 2
NOBODY: Final = 3
"""Of two revealed cards, at least one is NUMBERLESS."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The cards of a match with these options, and what any two of them come to.

    `kinds` are equal for cards that differ in nothing but their copy. `results[lowest][first][second]` is the side that
    wins, 0 the challenger's and 1 the opponent's, `TIE` or `NOBODY`.
    """

    options: Options
    cards: tuple[Card, ...]
    pack: tuple[int, ...]
    """The numbers of the cards that are in the match."""
    icons: tuple[int, ...]
    kinds: tuple[int, ...]
    steals: frozenset[int]
    numberless: frozenset[int]
    results: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]

    def numbers_of(self, cards: Iterable[Card]) -> list[int]:
        """The cards as numbers, lowest first."""
        return sorted([card.place for card in cards])


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
        steals=frozenset([card.place for card in cards if card.special is Special.STEAL]),
        numberless=frozenset([card.place for card in cards if card.special is Special.NUMBERLESS]),
        results=_results(options.icons_count, icon_tiebreak=options.icon_tiebreak),
    )


@cache
def _results(
    icons: bool,
    *,
    icon_tiebreak: bool,
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """What any two cards come to, by the verdict of the rules."""
    cards = PACKS[icons, True].cards
    high, low = [
        tuple(
            [
                tuple([_result(first, second, lowest=lowest, icon_tiebreak=icon_tiebreak) for second in cards])
                for first in cards
            ]
        )
        for lowest in (False, True)
    ]
    return high, low


def _result(first: Card, second: Card, *, lowest: bool, icon_tiebreak: bool) -> int:
    verdict = judge((first, second), lowest=lowest, icon_tiebreak=icon_tiebreak)
    if verdict.numberless:
        return NOBODY
    return TIE if verdict.winner is None else verdict.winner


def bits_of(cards: Iterable[int]) -> int:
    """The set of these cards."""
    return sum([1 << card for card in cards])


def singles(bits: int) -> list[int]:
    """The cards of a set, lowest first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
