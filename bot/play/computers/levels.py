"""The levels of computer players that people can choose."""

from __future__ import annotations

from bot.play.refusals import Refused
from engines.players.levels import LEVELS
from engines.players.pace import PACES, Pace

DEFAULT = "normal"
"""The level that people get who name none."""


def levels_of(game: str) -> tuple[str, ...]:
    """The levels of a game, the weakest first; none for a game without computer players."""
    return tuple(LEVELS.get(game, ()))


def check_level(game: str, level: str) -> None:
    """Raise Refused for a level that the game does not have."""
    if level not in levels_of(game):
        raise Refused("computer.no_level")


def rollouts_of(game: str, level: str) -> int:
    """The rollouts that a level may play for an act; 0 for a level that the game no longer has."""
    found = LEVELS[game].get(level)
    return 0 if found is None else found.rollouts


def pace_of(game: str, level: str) -> Pace:
    """How fast a level is in a race; as fast as people are, for one that the game no longer has."""
    found = LEVELS[game].get(level)
    return PACES[DEFAULT] if found is None or found.pace is None else found.pace


def version_of(game: str, level: str) -> str:
    """The level and its version, as logs name the player of an act.

    The version is 0 for a level that the game no longer has: then acts are made by rule of thumb.
    """
    found = LEVELS[game].get(level)
    return f"{level} {'0' if found is None else found.version}"
