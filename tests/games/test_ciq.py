"""CIQ: what the laws are told of it, and the laws."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from cogs.games.ciq import CIQPresenter
from discord_sandbox import refusals
from engines import ciq
from engines.game import Event, Seat
from engines.options import NONE
from laws.case import GameCase, Search, Viewer
from laws.play import Odds
from laws.suite import GameLaws


def sees(event: Event, viewer: Viewer) -> Iterable[Any]:
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


def illegal_tries(rng: random.Random) -> list[Any]:
    """Acts that somebody might try, legal or not."""
    cards = ciq.packs(2)
    one, *others = few = tuple(rng.sample(cards, rng.randint(2, 4)))
    alike = tuple(card for card in rng.sample(cards, 40) if card.suit is one.suit or card.rank == one.rank)
    attacks = [
        ciq.Attack(rng.randint(-1, 6), pile, laid) for pile in ciq.Pile for laid in ((), (one,), (one, one), few, alike)
    ]
    return [
        *attacks,
        *(answer(laid) for answer in (ciq.Defend, ciq.Block, ciq.Give) for laid in ((), (one,), (one, one), few)),
        ciq.Give(tuple(others)),
        ciq.Allow(),
        ciq.Draw(),
        ciq.Pass(),
    ]


def timed_out(fact: Any, _seats: int) -> Collection[Seat]:
    """The seats that a fact takes out because their time ran out."""
    match fact:
        case ciq.SeatLeft(seat, "time") | ciq.Leaving(seat, "time"):
            return (seat,)
    return ()


CASE = GameCase(
    game=ciq.CIQ(),
    presenter=CIQPresenter(),
    sees=sees,
    endings=("emptied", "decision", "resignation", "time"),
    refusals=refusals,
    golden_folder=Path(__file__).parent / "golden",
    variants={
        "short": ciq.Options(decks=0, round_limit=10, block_seconds=10, hand_limit=10),
        "two_packs": ciq.Options(decks=2, round_limit=40, block_seconds=600),
        "endless": ciq.Options(decks=0, round_limit=NONE, hand_limit=10),
        "most_packs": ciq.Options(decks=12, round_limit=10),
    },
    refused={
        ("decks", 1, 5),
        ("decks", 1, 6),
        *(("decks", decks, seats) for seats in range(2, 7) for decks in range(2 * seats + 1, 13)),
    },
    illegal_tries=illegal_tries,
    closed={"pass": ciq.Pass(), "draw": ciq.Draw()},
    timed_out=timed_out,
    recall_fields=frozenset({"sequence"}),
    golden_searches={
        "emptied": Search("quick", 3),
        "decision": Search("short"),
        "resignation": Search("quick", 4, Odds(resign=0.1)),
        "time": Search("quick", 3, Odds(time=0.1)),
    },
)


class TestLaws(GameLaws):
    case = CASE
