"""Tiv-Miv: what the laws are told of it, and the laws."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from cogs.games.tivmiv import TivMivPresenter
from discord_sandbox import refusals
from engines import tivmiv
from engines.game import Event, Seat
from engines.options import NONE
from laws.case import GameCase, Search, Viewer
from laws.play import Odds
from laws.suite import GameLaws


def sees(event: Event, viewer: Viewer) -> Iterable[Any]:
    """Tiv-Miv's table, row by row: the cards of an event that the viewer gets to see by it."""
    match event:
        case (
            tivmiv.CentreTurned() | tivmiv.CardPlaced() | tivmiv.BottomTurned()
        ):  # the centre pile's top card: everybody
            return (event.card,)
        case tivmiv.Recycled():  # each was the top card in its turn: everybody
            return event.cards
        case tivmiv.CardDrawn():  # a hand: its owner
            return (event.card,) if viewer == event.seat else ()
        case _:  # decks, cards put under the pile: nobody, their owner neither; the other events have no cards
            return ()


def illegal_tries(rng: random.Random) -> list[Any]:
    """Acts that somebody might try, legal or not."""
    faces = [tivmiv.Place(*face) for face in rng.sample(tivmiv.FACES, 4)]
    return [*faces, tivmiv.Place(11, 4), tivmiv.Draw(), tivmiv.Dinner(), tivmiv.Ready()]


def timed_out(fact: Any, _seats: int) -> Collection[Seat]:
    """The seats that a fact takes out because their time ran out."""
    return fact.seats if isinstance(fact, tivmiv.SeatsOut) and fact.kind == "time" else ()


CASE = GameCase(
    game=tivmiv.TivMiv(),
    presenter=TivMivPresenter(),
    sees=sees,
    endings=("points", "shared", "abandoned", "resignation", "time", "called_off"),
    refusals=refusals,
    golden_folder=Path(__file__).parent / "golden",
    dealt_anew=tivmiv.PhaseBegun,
    variants={
        "one_phase": tivmiv.Options(phases=1, idle_seconds=30, ready_seconds=10, stall_seconds=10),
        "ten_phases": tivmiv.Options(phases=10, idle_seconds=900, ready_seconds=600, stall_seconds=60),
        "no_stall": tivmiv.Options(phases=1, stall_seconds=NONE),
    },
    illegal_tries=illegal_tries,
    timed_out=timed_out,
    long_run=60,
    rare={"shared", "abandoned", "time", "called_off"},
    golden_searches={
        "points": Search("one_phase"),
        "shared": Search("one_phase", odds=Odds(time=0.1)),
        "abandoned": Search("default", odds=Odds(time=0.9)),
        "time": Search("default", odds=Odds(time=0.9)),
        "called_off": Search("default", odds=Odds(time=0.99)),
    },
)


class TestLaws(GameLaws):
    case = CASE
