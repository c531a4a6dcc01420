"""Where everything lies in the picture of a table, in pixels of a picture 480 wide (docs/art.md).

Two seats face each other, with the middle between them. The strips of three to six lie one below the other, and the
middle is at the foot. Where nothing lies in the middle there is none. All of it depends only on numbers of cards, on
which of them lie open, and on whose turn it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from bot.art.images import MOST_COUNTED, Family, Size, card_name
from bot.art.layout import Card, Cards, Pile, Strip, TableLayout

WIDTH: Final = 480
MOST_LARGE: Final = 24
"""A picture of two seats with at most this many open cards is half as large again. With more it would be too long: more
than 15 KiB."""
_OPEN_WEIGHT, _BACK_WEIGHT, _MOST_WEIGHT = 5, 2, 130
"""What an open card and a back add to a picture's length, and how much a large one takes."""
MOST_OPEN: Final = {2: 54, 3: 48, 4: 42, 5: 36, 6: 28}
"""How many open cards a picture has at most, by the number of seats: with more it would be too long, too."""
_MOST_BACKS: Final = {2: 24, 3: 16, 4: 12, 5: 12, 6: 10}
"""The same for the backs of one hand."""

_MARGIN: Final = 6
_CARD: Final = 40
_LEFT, _RIGHT = 54, 466
"""Where the cards of a strip begin and end."""
_STEP: Final = 43
"""From one card to the next where there is room."""
_INDEX: Final = {Family.FRENCH: 14.8, Family.TIVMIV: 31, Family.CHAMPIONS: 31}
"""How much of a card must be in sight, or it cannot be read: a rank and a suit, or the number of a tile."""
_LEAST_BACK_STEP: Final = 6
_SECOND_ROW: Final = 34
"""From the first row of tiles to the second, which hides the first one's marks. Shapes and colours say as much."""
_MOST_DISCARDS: Final = 7
_SHIFT: Final = 3
"""From the lower back of a stack to the upper one."""
_GAP: Final = 8
_HIGH, _LOW = 74, 60
"""The heights of the strips: high ones have room for two rows of tiles."""
_MIDDLE: Final = 66
_BETWEEN: Final = 4
_SIGN: Final = 18
_POINTER: Final = 18
_PILL_WIDTH, _PILL_HEIGHT = 32, 20
_DIGIT: Final = 8
_BADGE: Final = 28

Sprite: TypeAlias = tuple[str, float, float]
"""The name of an image on a sheet, and where its left upper corner lies."""


class NoPictureError(LookupError):
    """Raised for a card that has no picture."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A picture: its size, its height, and its sprites in the order in which they are laid down."""

    size: Size
    height: int
    sprites: tuple[Sprite, ...]


@dataclass(frozen=True, slots=True)
class _Band:
    """A strip, or the middle: where it begins, and its height."""

    top: float
    height: int

    def centred(self, height: int) -> float:
        """Where something of this height begins in its middle."""
        return self.top + (self.height - height) / 2


@dataclass(frozen=True, slots=True)
class _Plan:
    """How many cards of each hand, of each pile in a strip, and of each pile in the middle are in sight at most.

    A pile in a strip that has no more than `whole` cards is in sight as a whole.
    """

    hand: int
    fanned: int
    middle: int = _MOST_DISCARDS
    whole: int = 0

    def in_sight(self, pile: Pile) -> int:
        """How many open cards of a pile in a strip are in sight at most."""
        count = len(pile.open_cards)
        return count if len(pile.cards) <= self.whole else min(self.fanned, count)


_HANDS: Final = (99, 24, 18, 12, 9, 7, 5, 4, 3, 2)
_PLANS: Final = (_Plan(99, 4), _Plan(99, 3), _Plan(99, 2), *(_Plan(hand, 1) for hand in _HANDS))
_STEADY_PLANS: Final = tuple(_Plan(hand, 1, 2) for hand in _HANDS)
_STEADY_FACING_PLANS: Final = tuple(_Plan(hand, 1, 2, whole=3) for hand in _HANDS)


def placed(layout: TableLayout, *, steady: bool = False, with_middle: bool = False) -> Placed:
    """Lay a table out, with as many cards in sight as a picture may have. Raises NoPictureError.

    With `steady`, piles show their top cards alone: what lies beside them stays where it is while they grow. Two seats
    have room for the whole of their small ones. A middle in which nothing lies is there only if it is `with_middle`,
    which steady ones all are.
    """
    seats = len(layout.strips)
    facing = seats == 2
    strip = _HIGH if facing and layout.family is not Family.FRENCH else _LOW
    lies_there = layout.last or layout.stacks or any(pile.count for pile in layout.middle)
    middle = _MIDDLE if steady or with_middle or lies_there else 0
    plans = (_STEADY_FACING_PLANS if facing else _STEADY_PLANS) if steady else _PLANS
    plan = next((plan for plan in plans if _open_cards(layout, plan) <= MOST_OPEN[seats]), plans[-1])
    table = _Table(layout.family, plan, _MOST_BACKS[seats])
    between = strip + _BETWEEN + (middle + _BETWEEN if facing and middle else 0)
    for seat, laid in enumerate(layout.strips):
        table.strip(seat, laid, _Band(_MARGIN + between * seat, strip))
    if middle:
        table.middle(layout, _Band(_MARGIN + (strip + _BETWEEN) * (1 if facing else seats), middle))
    backs = sum([name == layout.family.value for name, _, _ in table.sprites])
    weight = _OPEN_WEIGHT * table.open_cards + _BACK_WEIGHT * backs
    large = facing and table.open_cards <= MOST_LARGE and weight <= _MOST_WEIGHT
    height = 2 * _MARGIN + (strip + _BETWEEN) * seats - _BETWEEN + (middle + _BETWEEN if middle else 0)
    return Placed(Size.TABLE_LARGE if large else Size.TABLE, height, tuple(table.sprites))


def _open_cards(layout: TableLayout, plan: _Plan) -> int:
    """How many open cards a plan brings into sight at most."""
    hands = sum([min(plan.hand, len(strip.hand.open_cards)) for strip in layout.strips])
    piles = sum([plan.in_sight(pile) for strip in layout.strips for pile in strip.piles])
    return hands + piles + sum([min(plan.middle, len(pile.open_cards)) for pile in layout.middle])


class _Table:
    """Lays sprites down."""

    def __init__(self, family: Family, plan: _Plan, most_backs: int) -> None:
        self.sprites: list[Sprite] = []
        self.open_cards = 0
        self._family = family
        self._plan = plan
        self._most_backs = most_backs
        self._index = _INDEX[family]
        self._tiles = family is not Family.FRENCH
        self._card_height = _CARD if self._tiles else 56

    # ------------------------------------------------------------------------------------ strips

    def strip(self, seat: int, strip: Strip, band: _Band) -> None:
        """What lies before a seat."""
        low, top = band.height == _LOW, band.top
        line = "_winner" if strip.winner else "_turn" if strip.awaited else ""
        self._put(f"{'strip_low' if low else 'strip'}{line}", _MARGIN, top)
        if strip.awaited and not strip.winner:
            self._put("turn", 0, band.centred(_POINTER))
        if strip.winner:
            self._put(f"seat_{seat + 1}", 16, top + (13 if low else 21))
            self._put("crown", 16, top + (1 if low else 4))
            self._count(strip.hand.count, 14, top + (38 if low else 50))
        else:
            self._put(f"seat_{seat + 1}", 16, top + (4 if low else 11))
            self._count(strip.hand.count, 14, top + (36 if low else 43))
        hand = self._in_sight(strip.hand.cards)
        fanned = next((most for most in range(self._plan.fanned, 1, -1) if self._fits(hand, strip, most, band)), 1)
        right = float(_RIGHT)
        for pile in reversed(strip.piles):
            most = self._fanned(pile, fanned)
            right -= self._fan_width(pile, most)
            self._pile(pile, right, band, most)
            right -= _GAP
        self._hand(hand, right, band)

    def _in_sight(self, hand: Cards) -> Cards:
        """The cards of a hand that are in sight at most. Its number tells how many there are."""
        return hand[: self._plan.hand if _has_open(hand) else self._most_backs]

    def _hand(self, cards: Cards, right: float, band: _Band) -> None:
        """A hand, as wide as it may be; without the last cards, if all of them could not be read."""
        room = right - _LEFT - _CARD
        most = int(room // self._least_step(cards)) + 1
        if len(cards) > most and self._may_have_two_rows(cards, band):
            half = min(most, (len(cards) + 1) // 2)
            step = min(_STEP, room / max(1, half - 1))
            self._row(cards[:half], _LEFT, band.top, step)
            self._row(cards[half : 2 * half], _LEFT, band.top + _SECOND_ROW, step)
            return
        cards = cards[:most]
        step = min(_STEP, room / max(1, len(cards) - 1))
        self._row(cards, _LEFT, band.centred(self._card_height), step)

    def _may_have_two_rows(self, cards: Cards, band: _Band) -> bool:
        """Whether a high strip has room for two rows: of open tiles."""
        return self._tiles and _has_open(cards) and band.height == _HIGH

    def _fits(self, hand: Cards, strip: Strip, fanned: int, band: _Band) -> bool:
        """Whether a whole hand can be read if that many cards of each pile beside it are in sight."""
        widths = [self._fan_width(pile, self._fanned(pile, fanned)) + _GAP for pile in strip.piles]
        room = _RIGHT - sum(widths) - _LEFT - _CARD
        longest = (len(hand) + 1) // 2 if self._may_have_two_rows(hand, band) else len(hand)
        return self._least_step(hand) * (longest - 1) <= room

    def _fanned(self, pile: Pile, fanned: int) -> int:
        """How many cards of a pile in a strip are in sight."""
        return max(fanned, len(pile.cards)) if len(pile.cards) <= self._plan.whole else fanned

    def _least_step(self, hand: Cards) -> float:
        """The least step at which all that matters of a hand is in sight."""
        return self._index if _has_open(hand) else _LEAST_BACK_STEP

    # ------------------------------------------------------------------------------------ the middle

    def middle(self, layout: TableLayout, band: _Band) -> None:
        """Stacks on the left, in the middle what is in play or was laid last, discards on the right."""
        left = 14.0
        for pile in layout.stacks:
            self._pile(pile, left, band, 1)
            left += self._fan_width(pile, 1) + _GAP
        right = float(_RIGHT)
        for pile in reversed(layout.discards):
            right -= self._fan_width(pile, self._plan.middle)
            self._pile(pile, right, band, self._plan.middle)
            right -= _GAP
        play = [pile for pile in layout.play if pile.count]
        self._play([*layout.last, *play], left + _GAP, right - 2 * _GAP, band, was_laid=bool(layout.last))

    def _play(self, piles: Sequence[Pile], left: float, right: float, band: _Band, *, was_laid: bool) -> None:
        """Piles in the middle between two seats, each behind its seat's badge. Before what `was_laid` is a sign."""
        badges = sum([_BADGE + _GAP / 2 for pile in piles if pile.seat is not None])
        badges += _SIGN + _GAP if was_laid else 0
        room = right - left - badges - 2 * _GAP * (len(piles) - 1) - _CARD * len(piles)
        steps = sum([len(pile.cards) - 1 for pile in piles])
        step = max(self._index, min(_STEP, room / max(1, steps)))
        left = max(left, left + (room - step * steps) / 2)
        if was_laid:
            self._put("sign_last", left, band.centred(_SIGN))
            left += _SIGN + _GAP
        for pile in piles:
            if pile.seat is not None:
                self._put(f"seat_{pile.seat + 1}", left, band.centred(_BADGE))
                left += _BADGE + _GAP / 2
            most = max(1, int((right - left - _CARD) // step) + 1)
            self._pile(pile, left, band, most, step=step)
            left += _CARD + step * (min(most, len(pile.cards)) - 1) + 2 * _GAP

    # ------------------------------------------------------------------------------------ cards

    def _pile(self, pile: Pile, left: float, band: _Band, most: int, *, step: float = 0) -> None:
        """A pile in the middle of a band: a stack of backs with its number, or a fan."""
        if pile.cards:
            counted = pile.count > min(most, len(pile.cards))
            y = band.centred(self._high(counted=counted))
            self._fan(pile, left, y, most, step=step)
            if pile.sign:
                self._put(f"sign_{pile.sign}", left - 1, y + self._card_height - _SIGN)
            return
        high = self._high(counted=True)
        y = band.centred(high)
        for shift in range(min(2, pile.count)):
            self._put(self._family.value, left + _SHIFT * shift, y)
        if pile.sign:
            self._put(f"sign_{pile.sign}", left + (_CARD + _SHIFT - _SIGN) / 2, y + _SHIFT)
        self._count(pile.count, left + 5, y + high - _PILL_HEIGHT)

    def _fan(self, pile: Pile, left: float, y: float, most: int, *, step: float = 0) -> None:
        """The top cards of a pile, and how many there are if these are not all."""
        step = step or self._index
        shown = pile.cards[-most:]
        self._row(shown, left, y, step)
        if pile.count > len(shown):
            x = left + step * (len(shown) - 1) + (12 if pile.sign else 5)
            self._count(pile.count, x, y + self._high(counted=True) - _PILL_HEIGHT)

    def _high(self, *, counted: bool) -> int:
        """The height of a card with a number: a tile's number lies below it, or it would hide the tile's marks."""
        return 59 if counted and self._card_height == _CARD else self._card_height

    def _fan_width(self, pile: Pile, most: int) -> float:
        if not pile.cards:
            return _CARD + _SHIFT
        return _CARD + self._index * (min(most, len(pile.cards)) - 1)

    def _row(self, cards: Cards, left: float, y: float, step: float) -> None:
        for index, card in enumerate(cards):
            self._put(self._name(card), left + step * index, y)

    def _name(self, card: Card | None) -> str:
        """The name of a card's picture, which is the same for every face-down card."""
        if card is None:
            return self._family.value
        self.open_cards += 1
        name = card_name(self._family, card.code)
        if name is None:
            raise NoPictureError("a card without a picture")
        return name

    def _count(self, number: int, x: float, y: float) -> None:
        if number <= MOST_COUNTED:
            self._put(f"count_{number}", x, y)
            return
        self._put("pill", x, y)
        digits = str(number)
        x += (_PILL_WIDTH - _DIGIT * len(digits)) / 2
        for index, digit in enumerate(digits):
            self._put(f"digit_{digit}", x + _DIGIT * index, y + 4)

    def _put(self, name: str, x: float, y: float) -> None:
        self.sprites.append((name, x, y))


def _has_open(hand: Cards) -> bool:
    return any(card is not None for card in hand)
