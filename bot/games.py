"""The games of this process: our own, and those of other installed packages.

A package outside this repository names its game by an entry point of the group ``cardroom.games``, such as
``duchess = "cardroom_duchess:PACKAGE"``. Importing this module loads none of them: the bot does so once, at its start
(`bot.ops.game_packages`). So a package can import `GamePackage` from here while it is itself being loaded, and a test
says which packages it wants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import engines
from engines.game import AnyGame
from engines.players import levels
from engines.players.player import Chooser

ENTRY_POINTS: Final = "cardroom.games"
"""The group of entry points; the name of each is its game's key."""
_LONGEST_LINE: Final = 300


@dataclass(frozen=True, slots=True)
class GamePackage:
    """A game and what belongs to it.

    `cog` is the dotted name of a module with ``setup(registry)``, which registers the game's presenter and commands
    (`cogs.game_registry.GameRegistry`).
    `resources` is the dotted name of a package that holds ``locale/<language>/LC_MESSAGES/*.po`` and
    ``rules/<key>.md``, and in other languages ``rules/<key>.<language>.md``.
    `player` is the computer player of an installed game, a `Racer` in a race. Our own are in `engines.players.levels`.
    """

    game: AnyGame
    cog: str
    resources: str
    player: Chooser[Any, Any, Any] | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An installed game that the bot runs without: its entry point's name, its distribution, and the reason."""

    name: str
    distribution: str
    reason: str

    def __str__(self) -> str:
        """One line of at most 300 characters."""
        line = " ".join(f"{self.name} of {self.distribution} is left out: {self.reason}".split())
        return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"


_packages: Final = {key: GamePackage(game, f"cogs.games.{key}", "bot") for key, game in engines.GAMES.items()}
_games: Final = dict(engines.GAMES)
_distributions: Final[dict[str, str]] = {}

PACKAGES: Final[Mapping[str, GamePackage]] = MappingProxyType(_packages)
"""Every game with what belongs to it, by its key: first our own, then the installed ones as they were added."""
GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType(_games)
"""The games of `PACKAGES`."""
DISTRIBUTIONS: Final[Mapping[str, str]] = MappingProxyType(_distributions)
"""Which distribution each installed game comes from, by the game's key. Our own games are not in it."""


def installed(key: str) -> GamePackage | None:
    """The package of an installed game; None for one of our own and for an unknown one."""
    return _packages[key] if key in _distributions else None


def game_title(key: str) -> str:
    """What a game is called; made from its key where it is not installed (any more)."""
    return GAMES[key].info.title if key in GAMES else key.replace("_", " ").capitalize()


def add(package: GamePackage, distribution: str) -> None:
    """Add an installed game. Raises ValueError if its key is taken."""
    key = package.game.info.key
    if key in _packages:
        raise ValueError(f"there is a game {key} already")
    _packages[key], _games[key], _distributions[key] = package, package.game, distribution
    if package.player is not None:
        levels.add(package.game, package.player)


def remove(key: str) -> None:
    """Take away an installed game again. Raises KeyError for one of our own and for an unknown one."""
    del _distributions[key]
    del _packages[key], _games[key]
    levels.remove(key)
