"""Presenters with a planted leak."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.art.layout import TableLayout
from bot.play.live_match import LiveMatch
from cogs.games.haymaker import HaymakerPresenter
from cogs.screens.presenter import Known, Reader


class PeekingPresenter(HaymakerPresenter):
    """A presenter with a hole: on the board, it hints at what the first seat holds."""

    def __init__(self, match: LiveMatch, hint: str) -> None:
        self._match = match
        self._hint = hint

    def seat_facts(self, public: Any, seat: int, reader: Reader) -> tuple[str, ...]:
        return (*super().seat_facts(public, seat, reader), self._hinted(reader))

    def unpictured_facts(self, public: Any, seat: int, reader: Reader) -> tuple[str, ...]:
        return (*super().unpictured_facts(public, seat, reader), self._hinted(reader))

    def _hinted(self, reader: Reader) -> str:
        hand = self._match.private(0).own.hand
        hints = {
            "card": hand[0].name if hand else "",
            "emoji": reader.cards.text(hand[0]) if hand else "",
            "parity": str(sum(card.rank for card in hand) % 2),
            "order": str([card.suit.value for card in hand]),
        }
        return hints[self._hint]


class PeekingPainter(HaymakerPresenter):
    """A presenter whose picture, and nothing else, hints at what the first seat holds: one back less or more."""

    def __init__(self, match: LiveMatch) -> None:
        self._match = match

    def picture(self, public: Any, known: Known) -> TableLayout:
        layout = super().picture(public, known)
        parity = sum(card.rank for card in self._match.private(0).own.hand) % 2
        first, *others = layout.strips
        count = first.hand.count
        drawn = replace(first, hand=replace(first.hand, cards=(None,) * (count - parity)))
        return replace(layout, strips=(drawn, *others))
