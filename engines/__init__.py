"""The rules of the games: pure functions of values, using only the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engines.champions import Champions
from engines.ciq import CIQ
from engines.game import AnyGame
from engines.haymaker import Haymaker
from engines.tivmiv import TivMiv
from engines.unbreakable import Unbreakable

_ALL: Final[tuple[AnyGame, ...]] = (Haymaker(), Unbreakable(), CIQ(), TivMiv(), Champions())

GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType({game.info.key: game for game in _ALL})
"""Every game by its key. A new game is one more line above (docs/adding-a-game.md)."""
