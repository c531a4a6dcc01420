"""Unbreakable: what the laws are told of it, and the laws."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cogs.games.unbreakable import UnbreakablePresenter
from discord_sandbox import refusals
from engines import unbreakable
from engines.game import Event
from engines.options import NONE
from laws.case import GameCase, Viewer
from laws.suite import GameLaws


def sees(event: Event, viewer: Viewer) -> Iterable[Any]:
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


def illegal_tries(rng: random.Random) -> list[Any]:
    """Acts that somebody might try, legal or not."""
    first, second = rng.sample(unbreakable.PACK.cards, 2)
    return [
        unbreakable.Discard(first),
        unbreakable.Discard(second),
        unbreakable.Lay((first,)),
        unbreakable.Lay((first, second)),
    ]


CASE = GameCase(
    game=unbreakable.Unbreakable(),
    presenter=UnbreakablePresenter(),
    sees=sees,
    endings=("unbreakable", "decision", "draw", "resignation", "time"),
    refusals=refusals,
    golden_folder=Path(__file__).parent / "golden",
    variants={
        # Large hands and few attackers, so that a match ends by a decision, and now and then by a draw.
        "few_attackers": unbreakable.Options(match_hand=7, turn_limit=20),
        "most_swift": unbreakable.Options(match_hand=2, turn_limit=1000, pace="swift"),
        "endless": unbreakable.Options(match_hand=2, turn_limit=NONE),
    },
    illegal_tries=illegal_tries,
    recall_fields=frozenset({"known", "chosen", "last"}),
    longest_golden=450,  # a decision comes after a hundred attackers
)


class TestLaws(GameLaws):
    case = CASE
