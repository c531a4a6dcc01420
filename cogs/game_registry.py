"""Where the cog of each game registers: how its game looks, and its commands."""

from __future__ import annotations

from collections.abc import Callable

from discord import app_commands

from cogs.screens.presenter import Presenter


class GameRegistry:
    """The presenters of all games by their keys, and the command of each."""

    def __init__(
        self,
        tree: app_commands.CommandTree,
        presenters: dict[str, Presenter],
        commands: Callable[[str], app_commands.Group],
    ) -> None:
        """`presenters` are filled as games register. `commands` makes the command group of a game by its key."""
        self.tree = tree
        self.presenters = presenters
        self._commands = commands

    def commands(self, key: str) -> app_commands.Group:
        """The command group that every game has, such as `challenge` and `rules`. A cog may add to it."""
        return self._commands(key)

    def register(self, key: str, presenter: Presenter, commands: app_commands.Group | None = None) -> None:
        """Register a game's presenter, and its commands if they are others than `commands` makes."""
        self.presenters[key] = presenter
        self.tree.add_command(self.commands(key) if commands is None else commands)
