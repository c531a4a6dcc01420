"""Registers the commands of all games and all rooms."""

from __future__ import annotations

from collections.abc import Sequence

from bot.telemetry import Telemetry
from cogs.actions.component_press import Room
from cogs.actions.game_cogs import set_up_games
from cogs.game_registry import GameRegistry


class Commands:
    """The command tree's content. It knows no capability by name."""

    def __init__(self, registry: GameRegistry, rooms: Sequence[Room], telemetry: Telemetry) -> None:
        self._registry = registry
        self._rooms = rooms
        self._telemetry = telemetry
        self.tree = registry.tree
        self.completions = {option: completion for room in rooms for option, completion in room.completions.items()}

    def load(self) -> None:
        """Let every game's cog register, and then the rooms, whose commands list the games."""
        set_up_games(self._registry, self._telemetry)
        for room in self._rooms:
            for command in room.commands():
                self.tree.add_command(command)
