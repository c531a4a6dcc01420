"""Chance as the rules draw it, and the seeded dealer: every shuffle and draw of a match, fixed before anybody sits down
(C-1).

A secret 32-byte seed is made with the challenge and its commitment is shown (`engines.deals`). A stream of numbers is
HMAC-SHA256 in counter mode, keyed by the seed and by a text that says what the stream is for; numbers below a bound are
taken by rejection, orders by Fisher and Yates (Knuth, The Art of Computer Programming, volume 2, algorithm P). So
anybody who gets the seed afterwards can deal the same cards again with twenty lines of code.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from struct import Struct
from typing import Protocol, TypeVar

from engines.deals import Deal

USE = "\nuse"
"""What follows in a context for a use of chance that is not a deal, before its name and the act's number."""

FIRST = "first"
"""The use of chance that draws who acts first."""

_WORD = 8
_WORDS_IN_BLOCK = Struct(">4Q")
_RANGE = 1 << 64

T = TypeVar("T")


class Stream(Protocol):
    """Numbers for one use of chance, in a fixed order."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely. Raises ValueError unless n is at least 1."""
        ...

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order, all orders equally likely."""
        ...


class Chance(Protocol):
    """What the rules may draw in one act. A match is dealt by `SeededChance`; a computer player that plays possible
    continuations brings a chance of its own, which knows nothing of the match's seed."""

    @property
    def rules_version(self) -> int | None:
        """The version of the rules to deal by, which is the match's; None, where none is given, means the newest."""
        ...

    def deck(self, pack: Sequence[T], deal: int = 1, pack_id: str | None = None) -> tuple[T, ...]:
        """The pack shuffled for the given deal (counted from 1), first card on top."""
        ...

    def use(self, name: str) -> Stream:
        """The stream for a use of chance other than a deal. An act uses each name once."""
        ...

    def first_seat(self, seats: int) -> int:
        """The seat that acts first. It is drawn (`FIRST`), unless the match's series says which it is (C-9)."""
        ...


class SeededStream:
    """Numbers in a fixed order from one key."""

    __slots__ = ("_counter", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, all equally likely. Raises ValueError unless n is at least 1."""
        if n < 1:
            raise ValueError("a draw needs something to draw from")
        limit = _RANGE - _RANGE % n
        word = self._next()
        while word >= limit:
            word = self._next()
        return word % n

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order: for i from the last down to 1, swap i with `below(i + 1)`."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    def _next(self) -> int:
        if not self._words:
            block = hmac.digest(self._key, self._counter.to_bytes(_WORD, "big"), "sha256")
            self._counter += 1
            self._words = list(_WORDS_IN_BLOCK.unpack(block)[::-1])
        return self._words.pop()


class SeededChance:
    """Chance for one act: built from (seed, deal, act), used, and dropped.

    So a refusal or a failed commit leaves no trace. `act` is its number among the game's own acts; the opening is 0.
    """

    __slots__ = ("_act", "_deal", "_pack_id", "_seed", "_used")

    def __init__(self, seed: bytes, deal: Deal, act: int, pack_id: str) -> None:
        self._act = act
        self._seed = seed
        self._deal = deal
        self._pack_id = pack_id
        self._used: set[str] = set()

    @property
    def rules_version(self) -> int | None:
        """As `Chance.rules_version`: the deal's."""
        return self._deal.rules_version

    def deck(self, pack: Sequence[T], deal: int = 1, pack_id: str | None = None) -> tuple[T, ...]:
        """As `Chance.deck`."""
        return SeededStream(self._key(deal, pack_id or self._pack_id)).shuffled(pack)

    def use(self, name: str) -> SeededStream:
        """The stream for a use of chance other than a deal, keyed by its name and this act's number in the first deal's
        context.

        Raises ValueError if this act already used the name, because two uses would draw the same numbers.
        """
        if name in self._used:
            raise ValueError(f"chance was used twice for {name!r} in one act")
        self._used.add(name)
        return SeededStream(self._key(1, self._pack_id, f"{USE}:{name}:{self._act}"))

    def first_seat(self, seats: int) -> int:
        """As `Chance.first_seat`."""
        first = self._deal.first
        return self.use(FIRST).below(seats) if first is None else first

    def _key(self, number: int, pack_id: str, tail: str = "") -> bytes:
        """The key of a stream: of a deal or, with a tail, of another use."""
        context = self._deal.context(number, pack_id) + tail
        return hmac.digest(self._seed, context.encode(), "sha256")
