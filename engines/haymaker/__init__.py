"""Haymaker: two players, an attacker and a defender, and forty cards (docs/rules/haymaker.md).

`facts` is what stands in the log, `table` the state and what of it people may know, `offers` what a player may pick
and why not, `rules` the game itself.
"""

from __future__ import annotations

from engines.haymaker.facts import (
    Action,
    Attack,
    AttackLaid,
    Block,
    BlockLaid,
    CardKept,
    Cards,
    CardsDrawn,
    CardsGiven,
    CountDealt,
    CountDrawn,
    CountGiven,
    DealerDrawn,
    Ended,
    Fact,
    HandDealt,
    HitTaken,
    Keep,
    Options,
    Pass,
    Passed,
    PileLaid,
    TableCleared,
    TakeHit,
    TurnBegun,
)
from engines.haymaker.offers import AttackPick, BlockPick
from engines.haymaker.rules import Haymaker
from engines.haymaker.table import PACK, LastTurn, Own, Phase, Public, State, strength

__all__ = [
    "PACK",
    "Action",
    "Attack",
    "AttackLaid",
    "AttackPick",
    "Block",
    "BlockLaid",
    "BlockPick",
    "CardKept",
    "Cards",
    "CardsDrawn",
    "CardsGiven",
    "CountDealt",
    "CountDrawn",
    "CountGiven",
    "DealerDrawn",
    "Ended",
    "Fact",
    "HandDealt",
    "Haymaker",
    "HitTaken",
    "Keep",
    "LastTurn",
    "Options",
    "Own",
    "Pass",
    "Passed",
    "Phase",
    "PileLaid",
    "Public",
    "State",
    "TableCleared",
    "TakeHit",
    "TurnBegun",
    "strength",
]
