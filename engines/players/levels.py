"""The computer players and levels that each game offers: only levels whose strength was measured.

docs/computer-players.md has the figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from engines.players.by_rules import ByRules
from engines.players.ciq import player as ciq
from engines.players.haymaker import player as haymaker
from engines.players.haymaker.net import WEIGHTS
from engines.players.player import Player, Policy


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a game. `version` changes whenever the level may choose another act, so that logs can name it."""

    version: str
    policy: Policy[Any, Any]
    rollouts: int = 0
    """The budget that it was measured with."""


PLAYERS: Final[Mapping[str, Player[Any, Any, Any]]] = MappingProxyType({"haymaker": haymaker.PLAYER, "ciq": ciq.PLAYER})
"""The computer player of each game that has one, by the game's key."""

LEVELS: Final[Mapping[str, Mapping[str, Level]]] = MappingProxyType(
    {
        "haymaker": MappingProxyType(
            {
                "easy": Level("1", ByRules(haymaker.PLAYER, haymaker.ERRS)),
                "normal": Level("1", ByRules(haymaker.PLAYER)),
                "hard": Level(f"1-{WEIGHTS[:8]}", haymaker.hard),
            }
        ),
        "ciq": MappingProxyType(
            {
                "easy": Level("1", ByRules(ciq.PLAYER, ciq.ERRS)),
                "normal": Level("1", ByRules(ciq.PLAYER)),
                "hard": Level("1", ciq.hard, rollouts=60),
            }
        ),
    }
)
"""The levels of each game, weakest first, by the game's key and the level's name."""
