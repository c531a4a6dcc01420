"""The chance of a lesson, which brings what the lesson says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from cogs.screens.lessons.lesson import Luck

T = TypeVar("T")


class ArrangedStream:
    """As `engines.chance.Stream`, but everything is arranged: what is not arranged is the first there is."""

    def __init__(self, luck: Luck) -> None:
        self._codes = [each for each in luck if isinstance(each, str)]
        self._numbers = [each for each in luck if isinstance(each, int)][::-1]

    def below(self, n: int) -> int:
        """As `Stream.below`."""
        return self._numbers.pop() % n if self._numbers else 0

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """As `Stream.shuffled`: the cards that are named come first, and the others keep their order."""
        return tuple(sorted(items, key=self._place))

    def _place(self, item: Any) -> int:
        return self._codes.index(item.code) if item.code in self._codes else len(self._codes)


class ArrangedChance:
    """As `engines.chance.Chance`. It has no deck: a lesson lays its tables out by hand."""

    rules_version = None

    def __init__(self, luck: Luck) -> None:
        self._stream = ArrangedStream(luck)

    def deck(self, pack: Sequence[T], deal: int = 1, pack_id: str | None = None) -> tuple[T, ...]:  # noqa: ARG002  as the protocol has them
        """As `Chance.deck`."""
        return self._stream.shuffled(pack)

    def use(self, name: str) -> ArrangedStream:  # noqa: ARG002  an act of a lesson has one use of chance
        """As `Chance.use`."""
        return self._stream
