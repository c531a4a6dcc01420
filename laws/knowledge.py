"""Which cards a viewer may know, computed from the tables called "Knowledge" in docs/rulings.

Nothing in here asks an engine: neither `observe` nor an event's audience. Otherwise a test of secrecy would compare the
engine with itself and prove nothing.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final, TypeAlias, TypeVar

from engines import champions, ciq, haymaker, tivmiv, unbreakable
from engines.game import AnyGame, Event, Seat

T = TypeVar("T")

Viewer: TypeAlias = Seat | None
"""A seat, or None for spectators and everybody's board."""

Relabelling: TypeAlias = Mapping[Any, Any]
"""A card for each card that is to be another one; the others stay."""


def _haymaker(event: Event, viewer: Viewer) -> Iterable[Any]:
    """Haymaker's table, row by row: the cards of an event that the viewer gets to see by it."""
    match event:
        case haymaker.AttackLaid() | haymaker.BlockLaid():  # cards laid in attack or block: everybody
            return event.cards
        case haymaker.HandDealt():  # a hand: its owner
            return event.cards if viewer == event.seat else ()
        case haymaker.CardsDrawn():  # drawn after a reversal: one's own; drawn in a pass: the attacker's choice (H-7)
            return event.cards if viewer == event.seat else ()
        case haymaker.CardKept():  # the card kept from a pass: its owner
            return (event.card,) if viewer == event.seat else ()
        case haymaker.CardsGiven():  # given for a hit or in a pass: both players
            return event.cards if viewer in (event.giver, event.taker) else ()
        case _:  # draw pile and burned cards: nobody; the other events have no cards
            return ()


def _ciq(event: Event, viewer: Viewer) -> Iterable[Any]:
    """CIQ's table, row by row: the cards of an event that the viewer gets to see by it."""
    match event:
        case ciq.EightLaid() | ciq.Blocked() | ciq.Defended():  # onto a Defense Pile, face up: everybody
            return (event.card,)
        case ciq.AttackLaid() | ciq.Transferred():  # onto an open pile, face up: everybody
            return event.cards
        case ciq.CardTaken():  # taken from a hand by a Jack: everybody
            return (event.card,)
        case ciq.CardsDrawn():  # a hand: its owner
            return event.cards if viewer == event.seat else ()
        case _:  # the Attack Pile: nobody, its owner neither; the other events have no cards
            return ()


def _champions(event: Event, viewer: Viewer) -> Iterable[Any]:  # noqa: PLR0911  one row an answer
    """The table of Champions of Chance, row by row: the cards of an event that the viewer gets to see by it."""
    match event:
        case champions.Rolled():  # revealed cards: everybody
            return event.cards
        case champions.NumberlessRolled() | champions.BattleWon() | champions.FaceupLost():  # revealed, or face up
            return (event.card,)
        case champions.DeckDealt() | champions.DieSelected() | champions.DieSeen():  # deck and die: their owner
            return event.cards if viewer == event.seat else ()
        case champions.DieDrawn():  # a soft-blind die: its owner; a blind one: nobody before the roll
            return event.cards if viewer == event.seat and event.seen else ()
        case champions.DieShown():  # a selection that may be stolen from: the thief
            return event.cards if viewer == event.thief else ()
        case champions.Stolen():  # the stolen card: both battlers
            return (event.card,) if viewer in (event.thief, event.victim) else ()
        case champions.StealChosen():  # what the thief has chosen: the thief
            return (event.card,) if event.card is not None and viewer == event.seat else ()
        case champions.ExchangeChosen() | champions.CardGiven() | champions.CardDrawn():  # exchanged: who did
            return (event.card,) if viewer == event.seat else ()
        case _:  # draw and discard pile: nobody; the other events have no cards
            return ()


def _unbreakable(event: Event, viewer: Viewer) -> Iterable[Any]:
    """Unbreakable's table: match and weapon hands are their owner's; chooser, attackers and shown pairs everybody's."""
    match event:
        case unbreakable.ChooserTurned() | unbreakable.AttackerLaid():
            return (event.card,)
        case unbreakable.PairsShown():
            return (*event.first, *event.second)
        case unbreakable.MatchHandDealt():
            return event.cards if viewer == event.seat else ()
        case unbreakable.WeaponDealt() | unbreakable.Chosen() | unbreakable.ExtraDrawn():
            return (event.card,) if viewer == event.seat else ()
        case _:  # the deck, also a new one, and the weapon cards put away: nobody
            return ()


def _tivmiv(event: Event, viewer: Viewer) -> Iterable[Any]:
    """Tiv-Miv's table, row by row: the cards of an event that the viewer gets to see by it."""
    match event:
        case tivmiv.CentreTurned() | tivmiv.CardPlaced():  # the centre pile's top card: everybody
            return (event.card,)
        case tivmiv.Recycled():  # each was the top card in its turn: everybody
            return event.cards
        case tivmiv.CardDrawn():  # a hand: its owner
            return (event.card,) if viewer == event.seat else ()
        case _:  # decks, cards put under the pile: nobody, their owner neither; the other events have no cards
            return ()


SEES: Final[Mapping[str, Callable[[Event, Viewer], Iterable[Any]]]] = {
    "champions": _champions,
    "ciq": _ciq,
    "haymaker": _haymaker,
    "tivmiv": _tivmiv,
    "unbreakable": _unbreakable,
}
"""Each game's table. A registered game without one fails the laws."""

DEALT_ANEW: Final[Mapping[str, type[Event]]] = {"tivmiv": tivmiv.PhaseBegun}
"""The event by which a game takes up all its cards and deals them again: what was seen before tells nothing then."""


def seen(game: AnyGame, events: Iterable[Event], viewer: Viewer) -> frozenset[Any]:
    """The cards a viewer has had a right to see in the course of these events."""
    sees = SEES[game.info.key]
    return frozenset(card for event in events for card in sees(event, viewer))


def never_seen(game: AnyGame, pack: Sequence[Any], events: Iterable[Event], viewer: Viewer) -> tuple[Any, ...]:
    """The cards of the pack that a viewer has had no right to see, in the pack's order."""
    known = seen(game, events, viewer)
    return tuple(card for card in pack if card not in known)


def shuffled(cards: Sequence[Any], rng: random.Random) -> Relabelling:
    """A relabelling that gives every one of these cards another of them, where there are at least two."""
    order = rng.sample(cards, len(cards))
    return dict(zip(order, (*order[1:], *order[:1]), strict=True))


def exchanged(
    game: AnyGame, pack: Sequence[Any], events: Sequence[Event], viewer: Viewer, rng: random.Random
) -> tuple[Event, ...]:
    """The events as they would be, had the cards that the viewer never saw been others: deal by deal."""
    found: list[Event] = []
    for deal in _deals(game, events):
        found += relabel(deal, shuffled(never_seen(game, pack, deal, viewer), rng))
    return tuple(found)


def _deals(game: AnyGame, events: Sequence[Event]) -> list[tuple[Event, ...]]:
    """The events, cut where all cards are dealt anew."""
    anew = DEALT_ANEW.get(game.info.key)
    cuts = [place for place, event in enumerate(events) if place and anew is not None and isinstance(event, anew)]
    return [tuple(events[start:end]) for start, end in itertools.pairwise((0, *cuts, len(events)))]


def relabel(value: T, relabelling: Relabelling) -> T:
    """The value with its cards exchanged, through frozen dataclasses, tuples, sets and mappings."""
    return _relabel(value, relabelling)  # type: ignore[no-any-return]  # the same shape comes out as goes in


def _relabel(value: Any, to: Relabelling) -> Any:
    if isinstance(value, str | int | bytes | Enum | type(None)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        if value in to:
            return to[value]
        return type(value)(**{field.name: _relabel(getattr(value, field.name), to) for field in fields(value)})
    if isinstance(value, tuple | list | frozenset | set):
        return type(value)([_relabel(item, to) for item in value])
    if isinstance(value, Mapping):
        return {_relabel(key, to): _relabel(item, to) for key, item in value.items()}
    raise TypeError(f"cannot look for cards in a {type(value).__name__}")
