"""Makes the options of a game's commands from the fields of its options.

discord.py reads a command's options from the signature of its callback; here the signature is built from a list, so
that a new option of a game is one field in its engine and one sentence in the catalogue.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from discord import app_commands
from discord.app_commands import locale_str

from bot.games import GAMES
from bot.gateway.command_texts import describe, text
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.matchmaking.series import LENGTHS
from bot.store.queries.invitations import StandIn
from bot.ui.catalogue import Translations
from cogs.interactions.autocomplete import announced
from cogs.interactions.responses import Interaction
from cogs.screens.limit_text import value_label
from cogs.screens.renderer import MOST_OPTIONS
from engines.options import NONE, Choice, Number, Switch, Takes, takes


@dataclass(frozen=True, slots=True)
class Parameter:
    """One option of a command: its name, its type for discord.py, its description, its choices (label, value).

    An option that is `completed` offers the completions of `cogs.interactions.autocomplete`.
    """

    name: str
    type: Any
    description: locale_str
    required: bool = True
    choices: tuple[tuple[locale_str, str], ...] = ()
    completed: bool = False


def parameters(game: str, *, clock: bool = True) -> list[Parameter]:
    """The options of a match of a game: the time control if it has a `clock`, a preset if there are several, and the
    game's own."""
    info = GAMES[game].info
    found: list[Parameter] = []
    if clock and info.turn_clock:
        found.append(Parameter("clock", str, describe("option.clock"), required=False, completed=True))
    if len(info.presets) > 1:
        presets = tuple((describe(f"{game}.preset.{key}"), key) for key in info.presets)
        found.append(Parameter("preset", str, describe("panel.preset"), required=False, choices=presets))
    for name, taken in takes(info.options).items():
        found.append(_option(game, name, taken))
    return found


def stand_in_parameters(game: str) -> list[Parameter]:
    """The option for what becomes of an absent seat, where a computer can play it on (C-8)."""
    if not offers_stand_in(game):
        return []
    labelled = tuple((describe(f"stand_in.{each}"), str(each)) for each in StandIn)
    return [Parameter("stand_in", str, describe("option.stand_in"), required=False, choices=labelled)]


def series_parameters(game: str) -> list[Parameter]:
    """The option for a series of matches between two (C-9), unless the game has one of that name."""
    if "series" in takes(GAMES[game].info.options):
        return []
    labelled = tuple((describe(f"series.{each}"), str(each)) for each in LENGTHS)
    return [Parameter("series", str, describe("option.series"), required=False, choices=labelled)]


def _option(game: str, name: str, taken: Takes) -> Parameter:
    about = describe(f"{game}.option.{name}")
    match taken:
        case Number(or_none=True):
            return _limit(game, name, taken, about)
        case Number(least, most, step) if step > 1:
            accepted = app_commands.Range[int, least, most]
            return Parameter(name, accepted, _with_steps(game, name, taken), required=False, completed=True)
        case Number(least, most):
            return Parameter(name, app_commands.Range[int, least, most], about, required=False)
        case Choice(choices):
            labelled = tuple((describe(f"{game}.{name}.{word}"), word) for word in choices)
            return Parameter(name, str, about, required=False, choices=labelled)
        case Switch():
            return Parameter(name, bool, about, required=False)


def _with_steps(game: str, name: str, taken: Number) -> locale_str:
    """What an option is about, and its steps if it has some."""
    if taken.step == 1:
        return describe(f"{game}.option.{name}")

    def make(words: Translations) -> str:
        about, steps = words(f"{game}.option.{name}"), words("option.in_steps", step=taken.step, least=taken.least)
        return f"{about} {steps}"

    return text(make)


def _limit(game: str, name: str, taken: Number, about: locale_str) -> Parameter:
    """An option that takes a number or none, and so a text: with a list of all values or, if too long, completed."""
    values = (NONE, *taken.numbers)
    if len(values) > MOST_OPTIONS:
        return Parameter(name, str, _with_steps(game, name, taken), required=False, completed=True)
    labelled = tuple((text(partial(value_label, game, name, value)), str(value)) for value in values)
    return Parameter(name, str, about, required=False, choices=labelled)


def choices(labelled: Iterable[tuple[str | locale_str, str]]) -> list[app_commands.Choice[str]]:
    """The choices of an option, from (label, value); of more than Discord takes, the first."""
    return [app_commands.Choice(name=label, value=value) for label, value in islice(labelled, MOST_OPTIONS)]


def game_choices(games: Iterable[str] = GAMES) -> list[app_commands.Choice[str]]:
    """The choices of an option that takes one of these games, by their keys."""
    return choices((GAMES[key].info.title, key) for key in games)


def add(
    group: app_commands.Group,
    name: str,
    description: str | locale_str,
    callback: Callable[..., Awaitable[None]],
    options: list[Parameter],
) -> app_commands.Command[Any, ..., None]:
    """Add a command whose callback takes these options as keywords; an option that is not given is None."""
    signature = [inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction)]
    signature += [
        inspect.Parameter(
            each.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=each.type if each.required else each.type | None,
            default=inspect.Parameter.empty if each.required else None,
        )
        for each in options
    ]
    callback.__signature__ = inspect.Signature(signature)  # type: ignore[attr-defined]  # read by inspect.signature
    made: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=name,
        description=description,
        callback=callback,  # type: ignore[arg-type]  # its signature was made above
    )
    for each in options:
        option = made.get_parameter(each.name)
        if option is None:
            raise RuntimeError(f"discord.py did not take the option {each.name}")
    app_commands.describe(**{each.name: each.description for each in options})(made)
    app_commands.choices(**{each.name: choices(each.choices) for each in options if each.choices})(made)
    app_commands.autocomplete(**{each.name: announced for each in options if each.completed})(made)
    group.add_command(made)
    return made
