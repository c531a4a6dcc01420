"""Decides who wins a battle, from the two revealed cards and the challenge, in the order of K-13 to K-16."""

from __future__ import annotations

from dataclasses import dataclass

from engines.champions.cards import Card, Special


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of two revealed cards. Side 0 is the challenger's and 1 the opponent's.

    `numberless` are the sides whose card is NUMBERLESS; if there are any, nothing else applies. `winner` is None on a
    tie. `by` says what decided: number, icons, TIEBREAK, BEGGAR or, on a tie, number or specials.
    """

    numberless: tuple[int, ...]
    inverts: int
    lowest: bool
    winner: int | None
    by: str


def judge(cards: tuple[Card, Card], *, lowest: bool, icon_tiebreak: bool) -> Verdict:
    """Work out a roll, the challenger's card first."""
    numberless = tuple([side for side in (0, 1) if cards[side].special is Special.NUMBERLESS])
    if numberless:  # K-13
        return Verdict(numberless, 0, lowest, None, "NUMBERLESS")
    inverts = sum([card.special is Special.INVERT for card in cards])
    lowest ^= inverts == 1  # K-14
    winner, by = _compared(cards, lowest=lowest, icon_tiebreak=icon_tiebreak)
    special = [side for side in (0, 1) if _special_win(cards[side], cards[1 - side], tied=winner is None)]
    if len(special) == 1:  # K-16
        winner, by = special[0], str(_name(cards[special[0]]))
    elif special:
        winner, by = None, "specials"
    return Verdict((), inverts, lowest, winner, by)


def _compared(cards: tuple[Card, Card], *, lowest: bool, icon_tiebreak: bool) -> tuple[int | None, str]:
    """K-15: compare the numbers and, with the option of K-12, the icons if the numbers tie."""
    first, second = cards
    if first.number != second.number:
        return int((second.number < first.number) is lowest), "number"
    if icon_tiebreak and first.icons != second.icons:
        return int((second.icons < first.icons) is lowest), "icons"
    return None, "number"


def _special_win(own: Card, other: Card, *, tied: bool) -> bool:
    if own.special is Special.TIEBREAK:
        return tied
    return own.special is Special.BEGGAR and other.number in (1, 6)


def _name(card: Card) -> str:
    return card.special.value if card.special else ""
