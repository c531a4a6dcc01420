"""What the laws must be told of each game, beside its Knowledge table."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engines import haymaker
from engines.game import Pick


@dataclass(frozen=True, slots=True)
class Particulars:
    """One game's.

    `memories` are the fields of a state that recall cards which lie elsewhere. `thin_air` makes acts that somebody
    might try, legal or not. `picks` finds the picks that an act would be made of, None when it is no act of that pick.
    `closed` makes the act that a closed verb stands for.
    """

    memories: frozenset[str]
    thin_air: Callable[[random.Random], list[Any]]
    picks: Callable[[Pick[Any], Any], tuple[int, ...] | None]
    closed: Mapping[str, Any]


def _haymaker_acts(rng: random.Random) -> list[Any]:
    few = tuple(rng.sample(haymaker.PACK.cards, rng.randint(1, 3)))
    one = rng.choice(haymaker.PACK.cards)
    suited = tuple(card for card in rng.sample(haymaker.PACK.cards, 12) if card.suit is one.suit)
    return [
        haymaker.Attack(()),
        haymaker.Attack((one,)),
        haymaker.Attack((one, one)),
        haymaker.Attack(few),
        haymaker.Attack(suited),
        haymaker.Pass(),
        haymaker.Block(()),
        haymaker.Block((one,)),
        haymaker.Block((one, one)),
        haymaker.Block(few),
        haymaker.TakeHit(),
        haymaker.Keep(one),
    ]


def _haymaker_picks(pick: Pick[Any], action: Any) -> tuple[int, ...] | None:
    match pick, action:
        case (haymaker.AttackPick(hand=hand), haymaker.Attack(cards)) | (
            haymaker.BlockPick(hand=hand),
            haymaker.Block(cards),
        ):
            if len(set(cards)) == len(cards) and set(cards) <= set(hand):
                return tuple(sorted(hand.index(card) for card in cards))
    return None


OF: Final[Mapping[str, Particulars]] = {
    "haymaker": Particulars(
        memories=frozenset({"last"}),
        thin_air=_haymaker_acts,
        picks=_haymaker_picks,
        closed={"pass": haymaker.Pass()},
    ),
}
"""Each game's. A registered game without them fails the laws."""


VARIANTS: Final[Mapping[str, Mapping[str, Any]]] = {}
"""Options beside a game's presets that the laws hold for too, by names of their own: together they try every option at
its least, its most and in company. Where options do not fit every number of seats, those tables are left out."""
