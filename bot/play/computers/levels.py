"""The levels of computer players that people can choose."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from bot.games import GAMES
from bot.play.refusals import Refused
from bot.store.special_ids import is_computer, level_of
from engines.players.levels import LEVELS, levels_for
from engines.players.pace import PACES, Pace

DEFAULT = "normal"
"""The level that people get who name none."""


def levels_of(game: str) -> tuple[str, ...]:
    """The levels that a game has for some of its tables, the weakest first; none without computer players."""
    return tuple(LEVELS.get(game, ()))


def levels_at(game: str, options: Any, players: int) -> tuple[str, ...]:
    """The levels that are offered for a table with these options and as many players, the weakest first."""
    return tuple(levels_for(game, options, max(players, GAMES[game].info.seats[0])))


def shows_skill(game: str, options: Any, players: int) -> bool:
    """Whether some level is better than another with these options. Where none is, only one is offered."""
    return len(levels_at(game, options, players)) > 1 or len(levels_of(game)) == 1


def check_computers(game: str, options: Any, seated: Collection[int]) -> None:
    """Raise Refused unless the level of each computer among those seated is offered for their table."""
    offered = levels_at(game, options, len(seated))
    if not all(level_of(user) in offered for user in seated if is_computer(user)):
        raise Refused("computer.not_at_this_table", players=len(seated))


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
