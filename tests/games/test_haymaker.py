"""Haymaker: what the laws are told of it, and the laws."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cogs.games.haymaker import HaymakerPresenter
from discord_sandbox import refusals
from engines import haymaker
from engines.game import Event
from laws.case import GameCase, Viewer
from laws.suite import GameLaws


def sees(event: Event, viewer: Viewer) -> Iterable[Any]:
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


def illegal_tries(rng: random.Random) -> list[Any]:
    """Acts that somebody might try, legal or not."""
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


CASE = GameCase(
    game=haymaker.Haymaker(),
    presenter=HaymakerPresenter(),
    sees=sees,
    endings=("knockout", "technical_knockout", "decision", "draw", "resignation", "time"),
    refusals=refusals,
    golden_folder=Path(__file__).parent / "golden",
    illegal_tries=illegal_tries,
    closed={"pass": haymaker.Pass()},
    recall_fields=frozenset({"last"}),
)


class TestLaws(GameLaws):
    case = CASE
