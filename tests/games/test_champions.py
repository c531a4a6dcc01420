"""Champions of Chance: what the laws are told of it, and the laws."""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from cogs.games.champions import ChampionsPresenter
from discord_sandbox import refusals
from engines import champions
from engines.game import Event, Seat
from laws.case import GameCase, Search, Viewer
from laws.play import Odds
from laws.suite import GameLaws


def sees(event: Event, viewer: Viewer) -> Iterable[Any]:  # noqa: PLR0911  one row an answer
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


def illegal_tries(rng: random.Random) -> list[Any]:
    """Acts that somebody might try, legal or not."""
    cards = rng.choice(list(champions.PACKS.values())).cards
    one, few = rng.choice(cards), tuple(rng.sample(cards, rng.randint(2, 4)))
    return [
        *(champions.Challenge(rng.randint(-1, 5), take) for take in (False, True)),
        *(champions.NameNumber(number) for number in (1, rng.randint(2, 6), 7)),
        *(pick(laid) for pick in (champions.Select, champions.Exchange) for laid in ((), (one,), (one, one), few)),
        champions.Call(lowest=True),
        champions.Call(lowest=False),
        champions.Steal(one),
        champions.Decline(),
    ]


def timed_out(fact: Any, _seats: int) -> Collection[Seat]:
    """The seats that a fact takes out because their time ran out."""
    return fact.seats if isinstance(fact, champions.SeatsLeft) and fact.kind == "time" else ()


def variants() -> dict[str, champions.Options]:
    """Every combination of the older options but the default one, the plainest first, and a few with drawn numbers."""
    choices = itertools.product(("chosen", "blind", "soft_blind"), (False, True), (False, True), (False, True))
    _, *others = [champions.Options(*chosen) for chosen in choices]
    names = ("victory", "wacky", "icons")
    named = {
        "_".join((each.die, *(name for name, on in zip(names, _switches(each), strict=True) if on))): each
        for each in others
    }
    drawn = {name: named.get(name, champions.Options()) for name in ("chosen", "chosen_victory", "blind_wacky")}
    return named | {f"{name}_drawn": replace(each, number="drawn") for name, each in drawn.items()}


def _switches(options: champions.Options) -> tuple[bool, bool, bool]:
    return options.victory_dice, options.wacky_numbers, options.icon_tiebreak


CASE = GameCase(
    game=champions.Champions(),
    presenter=ChampionsPresenter(),
    sees=sees,
    endings=("out_of_cards", "score", "score_shared", "resignation", "time", "nobody_left"),
    refusals=refusals,
    golden_folder=Path(__file__).parent / "golden",
    variants=variants(),
    illegal_tries=illegal_tries,
    closed={"take": champions.Challenge(0, take=True)},
    timed_out=timed_out,
    recall_fields=frozenset({"battle"}),
    rare={"nobody_left"},
    golden_searches={
        "score": Search("chosen_victory_wacky_icons"),
        "score_shared": Search("blind_victory"),
        "nobody_left": Search("default", odds=Odds(time=0.1)),
    },
)


class TestLaws(GameLaws):
    case = CASE
