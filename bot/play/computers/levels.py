"""The levels of computer players that people can choose."""

from __future__ import annotations

from bot.play.refusals import Refused
from engines.players.levels import LEVELS

DEFAULT = "normal"
"""The level that people get who name none."""


def levels_of(game: str) -> tuple[str, ...]:
    """The levels of a game, the weakest first; none for a game without computer players."""
    return tuple(LEVELS.get(game, ()))


def check_level(game: str, level: str) -> None:
    """Raise Refused for a level that the game does not have."""
    if level not in levels_of(game):
        raise Refused("computer.no_level")


def version_of(game: str, level: str) -> str:
    """The level and its version, as logs name the player of an act. Raises KeyError for a level that does not exist."""
    return f"{level} {LEVELS[game][level].version}"
