"""Registers commands: has every game's cog register its presenter and its commands, and then takes all others.

A mistake in the cog of an installed game costs that game alone: what the cog has registered is taken away again.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from discord import AppCommandType

from bot import games
from bot.ops.game_packages.checks import describe
from bot.telemetry import Telemetry
from cogs.actions.component_press import Answers
from cogs.game_registry import GameRegistry

MOST_CHOICES = 25
MOST_OPTIONS = 25
LONGEST_DESCRIPTION = 100
LONGEST_CHOICE = 100
MOST_CHARACTERS = 8000
"""Of all names, descriptions and values of a command
(https://discord.com/developers/docs/interactions/application-commands)."""

_log = logging.getLogger(__name__)


class _BadCog(Exception):  # noqa: N818  says what was found
    """A cog has registered what it may not; the text says what."""


class Commands:
    """The command tree's content. It knows no capability by name."""

    def __init__(self, registry: GameRegistry, answers: Sequence[Answers], telemetry: Telemetry) -> None:
        self._registry = registry
        self._answers = answers
        self._telemetry = telemetry
        self.tree = registry.tree
        self.completions = {option: completion for each in answers for option, completion in each.completions.items()}

    def load(self) -> None:
        """Let every game's cog register, and then add the other commands, which list the games."""
        set_up_games(self._registry, self._telemetry)
        for each in self._answers:
            for command in each.commands():
                self.tree.add_command(command)


def set_up_games(registry: GameRegistry, telemetry: Telemetry) -> None:
    """Set up the cogs of all games. An installed game whose cog fails is left out, with one line in the log."""
    for key, package in tuple(games.PACKAGES.items()):
        if key not in games.DISTRIBUTIONS:
            importlib.import_module(package.cog).setup(registry)
            continue
        presenters, commands = dict(registry.presenters), _commands(registry)
        try:
            importlib.import_module(package.cog).setup(registry)
            _check_registered(registry, key, presenters, commands)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  whatever another author's code raises, SystemExit too
            reason = str(error) if isinstance(error, _BadCog) else f"its cog failed: {describe(error)}"
            _log.error("game %s", games.LeftOut(key, games.DISTRIBUTIONS[key], reason))
            telemetry.fault("loading a game")
            _restore(registry, presenters, commands)
            games.remove(key)


def _commands(registry: GameRegistry) -> dict[tuple[str, AppCommandType], Any]:
    """All commands that are registered, by name and kind."""
    return {
        (command.name, kind): command for kind in AppCommandType for command in registry.tree.get_commands(type=kind)
    }


def _restore(
    registry: GameRegistry, presenters: dict[str, Any], commands: dict[tuple[str, AppCommandType], Any]
) -> None:
    registry.presenters.clear()
    registry.presenters.update(presenters)
    now = _commands(registry)
    for (name, kind), command in now.items():
        if commands.get((name, kind)) is not command:
            registry.tree.remove_command(name, type=kind)
    for at, command in commands.items():
        if now.get(at) is not command:
            registry.tree.add_command(command)


def _check_registered(
    registry: GameRegistry, key: str, presenters: dict[str, Any], commands: dict[tuple[str, AppCommandType], Any]
) -> None:
    """Raise _BadCog unless the cog has added a presenter under the game's key and the command of that name, no more."""
    if (
        dict(registry.presenters) != {**presenters, key: registry.presenters.get(key)}
        or registry.presenters.get(key) is None
    ):
        raise _BadCog(f"its cog must register one presenter, under the key {key}")
    made = registry.tree.get_command(key)
    if made is None or _commands(registry) != {**commands, (key, AppCommandType.chat_input): made}:
        raise _BadCog(f"its cog must register one command, /{key}")
    payload = made.to_dict(registry.tree)
    faults = [*_faults(payload, f"/{key}")]
    if _characters(payload) > MOST_CHARACTERS:
        faults.append(f"/{key} has more than {MOST_CHARACTERS} characters")
    if faults:
        raise _BadCog(f"Discord would refuse its commands: {faults[0]}")


def _faults(part: dict[str, Any], path: str) -> Iterator[str]:
    """Why Discord would refuse a command or an option. One refused command would have it refuse those of all games."""
    if not 0 < len(part["description"]) <= LONGEST_DESCRIPTION:
        yield f"the description of {path} needs 1 to {LONGEST_DESCRIPTION} characters"
    if len(part.get("choices", ())) > MOST_CHOICES:
        yield f"{path} has more than {MOST_CHOICES} choices"
    for choice in part.get("choices", ()):
        if not 0 < len(choice["name"]) <= LONGEST_CHOICE or not 0 < len(str(choice["value"])) <= LONGEST_CHOICE:
            yield f"a choice of {path} needs 1 to {LONGEST_CHOICE} characters"
    if len(part.get("options", ())) > MOST_OPTIONS:
        yield f"{path} has more than {MOST_OPTIONS} options"
    for option in part.get("options", ()):
        yield from _faults(option, f"{path} {option['name']}")


def _characters(part: dict[str, Any]) -> int:
    own = len(part["name"]) + len(part["description"])
    choices = sum(len(choice["name"]) + len(str(choice["value"])) for choice in part.get("choices", ()))
    return own + choices + sum(_characters(option) for option in part.get("options", ()))
