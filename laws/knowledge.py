"""Which cards a viewer may know, by the Knowledge table of the game's rulings (`GameCase.sees`), and other such cards.

Nothing in here asks an engine: neither `observe` nor an event's audience. Otherwise a test of secrecy would compare the
engine with itself and prove nothing.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, TypeAlias, TypeVar

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
    cuts = [place for place, event in enumerate(events) if place and anew is not None and isinstance(event, anew)]
    return [tuple(events[start:end]) for start, end in itertools.pairwise((0, *cuts, len(events)))]


def relabel(value: T, relabelling: Relabelling) -> T:
    """The value with its cards exchanged, through frozen dataclasses, tuples, sets and mappings."""
    cards = frozenset(map(type, relabelling))
    return _relabel(value, relabelling, cards)  # type: ignore[no-any-return]  # the same shape comes out as goes in


def _relabel(value: Any, to: Relabelling, cards: frozenset[type]) -> Any:
    kind = value.__class__
    if kind in _PLAIN:
        return value
    if kind in cards:
        return to.get(value, value)
    names = field_names(kind)
    if names is not None:
        return kind(**{name: _relabel(getattr(value, name), to, cards) for name in names})
    if isinstance(value, tuple | list | frozenset | set):
        return kind([_relabel(item, to, cards) for item in value])
    if isinstance(value, Mapping):
        return {_relabel(key, to, cards): _relabel(item, to, cards) for key, item in value.items()}
    if isinstance(value, str | int | bytes | Enum):
        return value
    raise TypeError(f"cannot look for cards in a {kind.__name__}")


_PLAIN: Final = frozenset({str, int, bool, bytes, type(None)})


@cache
def field_names(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass; None for another class. The laws ask for them a million times."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None
