"""The defaults of a game, and the values of its options, in words."""

from __future__ import annotations

from typing import Any

from bot.games import GAMES
from bot.play.server_settings import GameDefaults
from bot.time_controls import time_control
from bot.ui.catalogue import Translations
from cogs.screens.limit_text import value_label
from cogs.screens.time_control_text import time_control_label
from engines.options import Choice, Number, Switch, Takes, takes


def defaults_text(game: str, defaults: GameDefaults, words: Translations) -> str:
    """What the defaults of a game are, in words."""
    parts: list[str] = []
    if defaults.clock:
        parts.append(time_control_label(time_control(defaults.clock), words))
    if defaults.preset:
        parts.append(words(f"{game}.preset.{defaults.preset}"))
    for name, value in defaults.options.items():
        label = value_text(game, name, takes(GAMES[game].info.options)[name], value, words)
        parts.append(words("panel.value", option=words(f"{game}.option.{name}"), value=label))
    return " · ".join(parts) or words("settings.none")


def value_text(game: str, option: str, taken: Takes, value: Any, words: Translations) -> str:
    """A value of an option in words."""
    match taken:
        case Switch():
            return words("panel.on" if value else "panel.off")
        case Choice():
            return words(f"{game}.{option}.{value}")
        case Number():
            return value_label(game, option, value, words)
