"""Which cards a viewer may know, by the Knowledge table of the game's rulings (`GameCase.sees`), and other such cards.

Nothing in here asks an engine: neither `observe` nor an event's audience. Otherwise a test of secrecy would compare the
engine with itself and prove nothing.
"""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeAlias, TypeVar

from engines.game import Event
from laws.case import GameCase, Viewer

T = TypeVar("T")

Relabelling: TypeAlias = Mapping[Any, Any]
"""The card that replaces each card; cards that are not listed stay."""


def seen(case: GameCase, events: Iterable[Event], viewer: Viewer) -> frozenset[Any]:
    """The cards a viewer has had a right to see in the course of these events."""
    return frozenset(card for event in events for card in case.sees(event, viewer))


def never_seen(case: GameCase, pack: Sequence[Any], events: Iterable[Event], viewer: Viewer) -> tuple[Any, ...]:
    """The cards of the pack that a viewer has had no right to see, in the pack's order."""
    known = seen(case, events, viewer)
    return tuple(card for card in pack if card not in known)


def shuffled(cards: Sequence[Any], rng: random.Random) -> Relabelling:
    """A relabelling that gives every one of these cards another of them, where there are at least two."""
    order = rng.sample(cards, len(cards))
    return dict(zip(order, (*order[1:], *order[:1]), strict=True))


def exchanged(
    case: GameCase, pack: Sequence[Any], events: Sequence[Event], viewer: Viewer, rng: random.Random
) -> tuple[Event, ...]:
    """The events as they would be, had the cards that the viewer never saw been others: deal by deal."""
    found: list[Event] = []
    for deal in _deals(case, events):
        found += relabel(deal, shuffled(never_seen(case, pack, deal, viewer), rng))
    return tuple(found)


def _deals(case: GameCase, events: Sequence[Event]) -> list[tuple[Event, ...]]:
    """The events, cut where all cards are dealt again."""
    anew = case.dealt_anew
    cuts = [index for index, event in enumerate(events) if index and anew is not None and isinstance(event, anew)]
    return [tuple(events[start:end]) for start, end in itertools.pairwise((0, *cuts, len(events)))]


def relabel(value: T, relabelling: Relabelling) -> T:
    """The value with its cards exchanged, through frozen dataclasses, tuples, sets and mappings.

    A part in which no card is exchanged stays the same object.
    """
    return _Relabeller(relabelling).of(value)  # type: ignore[no-any-return]  # the same shape comes out as goes in


class _Relabeller:
    """Exchanges cards. It looks up each card object once, because a card's hash costs much more than its id."""

    def __init__(self, to: Relabelling) -> None:
        self._to = to
        self._kinds = {type(card) for card in to}
        self._known: dict[int, tuple[Any, Any]] = {}  # the card is kept with its replacement, so that its id stays its

    def of(self, value: Any) -> Any:
        found = self._known.get(id(value))
        if found is not None:
            return found[1]
        kind = type(value)
        way = _WAYS.get(kind)
        if way is None:
            way = _WAYS[kind] = _way(kind)
        if kind not in self._kinds:
            return way(self, value)
        new = self._to[value] if value in self._to else way(self, value)
        self._known[id(value)] = value, new
        return new


_Way: TypeAlias = Callable[[_Relabeller, Any], Any]
_WAYS: dict[type, _Way] = {}
"""For each class how its values are relabelled, found at the first value of it."""


def _way(kind: type) -> _Way:
    if issubclass(kind, str | int | bytes | Enum | type(None)):
        return lambda _, value: value
    if is_dataclass(kind):
        return _way_of_fields(tuple(field.name for field in fields(kind)))
    if issubclass(kind, tuple | list | frozenset | set):
        return _items
    if issubclass(kind, Mapping):
        return lambda cards, value: {cards.of(key): cards.of(item) for key, item in value.items()}
    raise TypeError(f"cannot look for cards in a {kind.__name__}")


def _way_of_fields(names: tuple[str, ...]) -> _Way:
    def relabelled(cards: _Relabeller, value: Any) -> Any:
        old = [getattr(value, name) for name in names]
        new = [cards.of(each) for each in old]
        if all(map(operator.is_, new, old)):
            return value
        return type(value)(**dict(zip(names, new, strict=True)))

    return relabelled


def _items(cards: _Relabeller, value: Any) -> Any:
    old = list(value)
    new = [cards.of(item) for item in old]
    return value if all(map(operator.is_, new, old)) else type(value)(new)
