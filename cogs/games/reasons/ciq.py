"""What speaks for a move of CIQ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from cogs.screens.clauses import Move, Reason
from cogs.screens.presenter import Reader
from engines import ciq
from engines.game import Private, Seat

Hand: TypeAlias = Private[ciq.Public, ciq.Own]


def reasons(move: Move, own: Hand, reader: Reader) -> Iterator[Reason]:
    """The weightiest first."""
    verb, hand = move.verb.rstrip("012345"), own.own.hand
    left = [card for index, card in enumerate(hand) if index not in move.picked]
    last = hand[move.picked[-1]].rank if move.picked else 0
    match verb:
        case "damage":
            yield from _of_attacking(move, own, reader)
        case "defense" if last > _defense(own, _target(move)):
            yield Reason("ciq.why.longer_rows", {"target": reader.names[_target(move)]})
        case "defend" if last < _defense(own, own.seat):
            yield Reason("ciq.why.lower_defense")
        case "draw":
            yield Reason("ciq.why.draw")
        case "block":
            yield Reason("ciq.why.block")
    strongest = max(hand, key=lambda card: card.rank, default=None)
    if strongest is not None and strongest in left and verb in ("damage", "defense", "block", "allow", "give"):
        yield Reason("ciq.why.strongest", {"card": reader.cards.text(strongest)}, worth=strongest.rank)


def _of_attacking(move: Move, own: Hand, reader: Reader) -> Iterator[Reason]:
    target, worth = _target(move), move.worth
    if worth["wins"]:
        yield Reason("ciq.why.wins")
    if worth["transfer"]:
        moved = int(worth["transfer"])
        yield Reason("ciq.why.moves", {"target": reader.names[target]}, moved, worth=moved)
    places = own.public.places
    others = [place.cards for seat, place in enumerate(places) if seat != target and not place.out]
    if len(others) > 1 and places[target].cards < min(others):
        yield Reason("ciq.why.ahead", {"target": reader.names[target]})
    if not worth["needed"]:
        yield Reason("ciq.why.no_block", {"target": reader.names[target]})


def _defense(own: Hand, seat: Seat) -> int:
    """The rank of the top card of a seat's Defense Pile."""
    return own.public.places[seat].defense[0].rank


def _target(move: Move) -> Seat:
    return int(move.verb[-1])
