"""The panel behind *Challenge…* in a member's menu: pick game, clock and options, then send.

All that was picked travels in the ids: ``<user>.<game>.<clock>.<preset>.<option>…``, the user in hexadecimal, the rest
as places in the lists that the panel shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.time_controls import TIME_CONTROLS, TimeControl
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Control, Option, Press, Screen, Select, Text, Tone
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.time_control_text import time_control_label
from engines import GAMES
from engines.options import Choice, Number, Switch, Takes, takes

MOST_VALUES = 24
_PACES = tuple(TIME_CONTROLS)


def _games() -> tuple[str, ...]:
    """The games that two can play."""
    return tuple(key for key, game in GAMES.items() if 2 in game.info.seats)


@dataclass(frozen=True, slots=True)
class Panel:
    """What is picked: whom to challenge, and places in the lists of games, clocks, presets and each option's values.

    Place 0 of an option means "as the preset has it".
    """

    user_id: int
    game: int
    pace: int
    preset: int
    options: tuple[int, ...]

    @classmethod
    def first(cls, user_id: int, pace: TimeControl) -> Panel:
        """The panel as it opens: on this clock, or where the list has it not, on the nearest one."""
        nearest = min(TIME_CONTROLS.values(), key=lambda each: max(each.turn, pace.turn) / min(each.turn, pace.turn))
        return cls(user_id, 0, _PACES.index(nearest.key), 0, ()).fitted()

    @classmethod
    def read(cls, text: str) -> Panel:
        """The panel of an id's argument. Raises ForeignId."""
        try:
            user, *places = text.split(".")
            game, pace, preset, *options = (int(place) for place in places)
            panel = cls(int(user, 16), game, pace, preset, tuple(options))
        except ValueError:
            raise UnknownCustomId("not a panel") from None
        if panel != panel.fitted() or not 0 <= pace < len(_PACES):
            raise UnknownCustomId("not a panel")
        return panel

    def write(self) -> str:
        """The panel as an id's argument."""
        return ".".join((f"{self.user_id:x}", *map(str, (self.game, self.pace, self.preset, *self.options))))

    def fitted(self) -> Panel:
        """The panel with as many options as its game has, those it had kept where they fit."""
        game = self.game if 0 <= self.game < len(_games()) else 0
        info = GAMES[_games()[game]].info
        preset = self.preset if 0 <= self.preset < len(info.presets) else 0
        kept = [*self.options, *([0] * len(takes(info.options)))]
        lists = [_values(taken) for taken in takes(info.options).values()]
        options = [place if 0 <= place <= len(values) else 0 for place, values in zip(kept, lists, strict=False)]
        return replace(self, game=game, preset=preset, options=tuple(options))

    @property
    def key(self) -> str:
        """The game's key."""
        return _games()[self.game]

    @property
    def clock(self) -> str:
        """The clock's key."""
        return _PACES[self.pace]

    def chosen(self) -> Any:
        """The game's options as they are picked. Raises OptionRefused where they do not go together."""
        info = GAMES[self.key].info
        base = list(info.presets.values())[self.preset]
        picked = {
            name: _values(taken)[place - 1]
            for (name, taken), place in zip(takes(info.options).items(), self.options, strict=True)
            if place
        }
        return replace(base, **picked)


def panel_screen(panel: Panel, name: str, words: Translations) -> Screen:
    """The panel: a list for each thing to pick, and the button that sends the challenge to the one of that name."""
    info = GAMES[panel.key].info
    lists: list[Select] = []

    def add(title: str, labels: Sequence[str], picked: int, after: Sequence[Panel]) -> None:
        options = tuple(
            Option(label[:100], then.write(), chosen=place == picked)
            for place, (label, then) in enumerate(zip(labels, after, strict=True))
        )
        lists.append(Select(Press("setup", len(lists)), title, options))

    games = [GAMES[key].info.title for key in _games()]
    fresh = Panel(panel.user_id, 0, panel.pace, 0, ())
    add(words("panel.game"), games, panel.game, [replace(fresh, game=n).fitted() for n in range(len(games))])
    paces = [time_control_label(each, words) for each in TIME_CONTROLS.values()]
    add(words("panel.clock"), paces, panel.pace, [replace(panel, pace=n) for n in range(len(paces))])
    if len(info.presets) > 1:
        presets = [words(f"{panel.key}.preset.{key}") for key in info.presets]
        add(words("panel.preset"), presets, panel.preset, [replace(panel, preset=n) for n in range(len(presets))])
    for nth, (option, taken) in enumerate(takes(info.options).items()):
        about = words(f"{panel.key}.option.{option}")
        labels = [words("panel.as_preset", option=about), *_labels(panel.key, option, taken, words)]
        after = [
            replace(panel, options=(*panel.options[:nth], place, *panel.options[nth + 1 :]))
            for place in range(len(labels))
        ]
        add(about[:150], labels, panel.options[nth], after)
    rows: list[tuple[Control, ...]] = [(each,) for each in lists]
    rows.append((Button(words("panel.send"), Press("send", 0, panel.write()), Tone.GOOD),))
    return Screen(words("panel.title", name=name), (Text(words("panel.about")),), tuple(rows), tone=Tone.MAIN)


def _values(taken: Takes) -> tuple[Any, ...]:
    """The values a panel offers of an option: all, or of a long range some, evenly apart."""
    match taken:
        case Switch():
            return (True, False)
        case Choice(choices):
            return choices
        case Number(least, most, step):
            numbers = range(least, most + 1, step)
            return tuple(numbers[:: -(-len(numbers) // MOST_VALUES)])


def _labels(game: str, option: str, taken: Takes, words: Translations) -> list[str]:
    about = words(f"{game}.option.{option}")
    match taken:
        case Switch():
            return [words("panel.on", option=about), words("panel.off", option=about)]
        case Choice(choices):
            return [words(f"{game}.{option}.{word}") for word in choices]
        case Number():
            return [words("panel.value", option=about, value=value) for value in _values(taken)]
