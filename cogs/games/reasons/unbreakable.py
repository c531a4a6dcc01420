"""What speaks for a move of Unbreakable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from cogs.screens.clauses import Move, Reason
from cogs.screens.presenter import Reader
from engines import unbreakable
from engines.cards import Card
from engines.game import Private

Hand: TypeAlias = Private[unbreakable.Public, unbreakable.Own]


def reasons(move: Move, kept: Sequence[Card], own: Hand, reader: Reader) -> Iterator[Reason]:
    """The weightiest first. `kept` is the pair that a choice of weapons keeps."""
    target = own.public.target
    if not kept:
        (index,) = move.picked
        if unbreakable.target_value(own.own.hand[index]) == unbreakable.FAR:
            yield Reason("unbreakable.why.court")
        return
    if target is None:
        return
    away, shown = unbreakable.distance(kept, target), reader.cards.text(target)
    if unbreakable.target_value(target) == unbreakable.FAR:
        reached = unbreakable.strength(kept)
        yield Reason("unbreakable.why.sum", {"sum": str(reached)}, worth=reached)
    elif away:
        yield Reason("unbreakable.why.away", {"target": shown}, away, worth=-away)
    else:
        yield Reason("unbreakable.why.exact", {"target": shown})
