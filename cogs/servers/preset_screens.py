"""The page of `/settings` with the server's own presets, and the defaults of a game in words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from bot.games import GAMES
from bot.play.server_settings import GameDefaults, NamedPreset
from bot.store.queries.invitations import StandIn
from bot.time_controls import time_control
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Option, Press, Rows, Screen, Select, Text, Tone, noted
from cogs.screens.limit_text import value_label
from cogs.screens.safe_names import safe_title, unescaped
from cogs.screens.time_control_text import time_control_label
from engines.options import Choice, Number, Switch, Takes, takes


def presets_screen(presets: Mapping[str, NamedPreset | None], words: Translations, note: str = "") -> Screen:
    """What the server has named, and a list to remove from. The note comes first."""
    lines = [f"**{safe_title(name)}**: {preset_text(preset, words)}" for name, preset in presets.items()]
    removable = tuple(Option(unescaped(safe_title(name)), code_of(name)) for name in presets)
    removing: Rows = ((Select(Press("unpreset"), words("preset.remove"), removable),),) if removable else ()
    about = Text(words("preset.about"))
    listed = (Text("\n".join(lines)),) if lines else ()
    rows: Rows = (*removing, (Button(words("settings.back"), Press("settings")),))
    return Screen(words("preset.title"), (*noted(note), about, *listed), rows, tone=Tone.MAIN)


def preset_text(preset: NamedPreset | None, words: Translations) -> str:
    """What a preset stands for, in words."""
    if preset is None:
        return words("preset.broken")
    parts = [GAMES[preset.game].info.title, defaults_text(preset.game, preset.terms, words)]
    if preset.terms.stand_in is not StandIn.OFF:
        stand_in = words(f"stand_in.{preset.terms.stand_in}")
        parts.append(words("panel.value", option=words("stand_in.name"), value=stand_in))
    if preset.best_of > 1:
        parts.append(words(f"series.{preset.best_of}"))
    return " · ".join(parts)


def code_of(name: str) -> str:
    """What stands for a name in an id, which takes no other letters than ASCII's."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


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
