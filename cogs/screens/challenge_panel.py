"""The panel behind *Challenge…* in a member's menu: pick game, time control and options, then send.

The ids carry everything that was picked: ``<user>.<game>.<time control>.<preset>.<option>…``, the user in hexadecimal,
hexadecimal, the rest as places in the lists that the panel shows. An installed game is named by its key: which places
there are may be different after the next start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.games import GAMES, installed
from bot.time_controls import TIME_CONTROLS, TimeControl
from bot.ui.catalogue import Translations
from bot.ui.screen import Button, Control, Option, Press, Screen, Select, Text, Tone
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.time_control_text import time_control_label
from engines.options import Choice, Number, Switch, Takes, takes

MOST_VALUES = 24
_TIME_CONTROL_KEYS = tuple(TIME_CONTROLS)


def _games() -> tuple[str, ...]:
    """The games that two can play."""
    return tuple(key for key, game in GAMES.items() if 2 in game.info.seats)


@dataclass(frozen=True, slots=True)
class Panel:
    """The picks: whom to challenge, and places in the lists of games, time controls, presets and options' values.

    Place 0 of an option means "as the preset has it".
    """

    user_id: int
    game: int
    time_control: int
    preset: int
    options: tuple[int, ...]

    @classmethod
    def first(cls, user_id: int, usual: TimeControl) -> Panel:
        """A new panel, with this time control or, if the list lacks it, the nearest one."""
        nearest = min(TIME_CONTROLS.values(), key=lambda each: max(each.turn, usual.turn) / min(each.turn, usual.turn))
        return cls(user_id, 0, _TIME_CONTROL_KEYS.index(nearest.key), 0, ()).fitted()

    @classmethod
    def read(cls, text: str) -> Panel:
        """The panel of an id's argument. Raises UnknownCustomId."""
        try:
            user, *places = text.split(".")
            game, *more = places
            time_control, preset, *options = (int(place) for place in more)
            panel = cls(
                int(user, 16),
                _games().index(game) if installed(game) else int(game),
                time_control,
                preset,
                tuple(options),
            )
        except ValueError:
            raise UnknownCustomId("not a panel") from None
        if panel != panel.fitted() or not 0 <= time_control < len(_TIME_CONTROL_KEYS):
            raise UnknownCustomId("not a panel")
        return panel

    def write(self) -> str:
        """The panel as an id's argument."""
        game = self.key if installed(self.key) else str(self.game)
        return ".".join((f"{self.user_id:x}", game, *map(str, (self.time_control, self.preset, *self.options))))

    def fitted(self) -> Panel:
        """The panel with as many options as its game has; picks that do not fit are reset to the first line."""
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
        """The time control's key."""
        return _TIME_CONTROL_KEYS[self.time_control]

    def chosen(self) -> Any:
        """The game's options as they are picked. Raises OptionRefused if they do not fit together."""
        info = GAMES[self.key].info
        base = list(info.presets.values())[self.preset]
        picked = {
            name: _values(taken)[place - 1]
            for (name, taken), place in zip(takes(info.options).items(), self.options, strict=True)
            if place
        }
        return replace(base, **picked)


def panel_screen(panel: Panel, name: str, words: Translations) -> Screen:
    """The panel: a list for each thing to pick, and a button that sends the challenge. `name` is the opponent's."""
    info = GAMES[panel.key].info
    lists: list[Select] = []

    def add(title: str, labels: Sequence[str], picked: int, after: Sequence[Panel]) -> None:
        options = tuple(
            Option(label[:100], then.write(), chosen=place == picked)
            for place, (label, then) in enumerate(zip(labels, after, strict=True))
        )
        lists.append(Select(Press("setup", len(lists)), title, options))

    games = [GAMES[key].info.title for key in _games()]
    fresh = Panel(panel.user_id, 0, panel.time_control, 0, ())
    add(words("panel.game"), games, panel.game, [replace(fresh, game=n).fitted() for n in range(len(games))])
    clocks = [time_control_label(each, words) for each in TIME_CONTROLS.values()]
    add(words("panel.clock"), clocks, panel.time_control, [replace(panel, time_control=n) for n in range(len(clocks))])
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
    """The values that a panel offers for an option: all of them or, for a long range, some that are evenly spaced."""
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
