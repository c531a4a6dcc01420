"""Completions of command options while somebody types them; each request gets one answer, perhaps an empty one."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from discord import app_commands

from bot import logs
from bot.games import GAMES
from bot.ui.catalogue import Translations
from bot.ui.isolation import cut_whole
from cogs.interactions import responses
from cogs.interactions.responses import Interaction
from cogs.screens.limit_text import offered_limits
from cogs.screens.renderer import LONGEST_OPTION
from cogs.screens.time_control_text import offered_time_controls
from engines.options import Number, takes

MOST_OFFERED = 25
"""Discord shows no more."""
LONGEST_NUMBER = 10
"""Longer texts are not read as numbers."""

OFFERED: Mapping[str, Callable[[str, Translations], list[tuple[str, str]]]] = MappingProxyType(
    {"clock": offered_time_controls}
)
"""By an option's name, what to offer (name, value) for what was typed. A game's own numbers are in its options."""


async def announced(_: Interaction, __: str) -> list[app_commands.Choice[str]]:
    """Makes discord.py announce an option as one with completions; the answers come from `complete`."""
    return []


Completion: TypeAlias = Callable[[Interaction, str, Translations], Awaitable[list[tuple[str, str]]]]
"""What to offer (name, value) to somebody for what they typed."""


async def complete(
    interaction: Interaction, words: Translations, more: Mapping[tuple[str, str], Completion] = MappingProxyType({})
) -> None:
    """Answer a request for completions, once. `more` are those of options by command and name, beside `OFFERED`."""
    offered: list[tuple[str, str]] | list[tuple[str, int]] = []
    try:
        data: dict[str, Any] = dict(interaction.data or {})
        option = _focused(data.get("options", ()))
        completion = None if option is None else more.get((str(data.get("name")), str(option.get("name"))))
        if option is not None and completion is not None:
            offered = await completion(interaction, str(option.get("value", "")), words)
        elif option is not None:
            offered = _offered(data.get("name"), option.get("name"), str(option.get("value", "")), words)
    except Exception as error:  # noqa: BLE001  whatever happens inside, the request is answered
        logs.log_error(error, "completing an option", interaction.client.telemetry)
    await responses.reply_choices(interaction, offered[:MOST_OFFERED])


def _offered(command: object, option: object, typed: str, words: Translations) -> list[tuple[str, Any]]:
    """What to offer for an option. The command of a game's own options has the game's name."""
    if not isinstance(command, str) or not isinstance(option, str):
        return []
    if option in OFFERED:
        return list(OFFERED[option](typed, words))
    taken = takes(GAMES[command].info.options).get(option) if command in GAMES else None
    if not isinstance(taken, Number):
        return []
    if taken.or_none:
        return list(offered_limits(command, option, taken, typed, words))
    return [(str(number), number) for number in offered_numbers(taken, typed)]


def offered_numbers(taken: Number, typed: str) -> list[int]:
    """The numbers to offer for what is typed so far: those that begin like it, then the nearest; without a number, some
    from the whole range."""
    accepted = range(taken.least, taken.most + 1, taken.step)
    text = typed.strip()
    if not (text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER):
        return list(accepted[:: math.ceil(len(accepted) / MOST_OFFERED)])
    begun = [number for number in accepted if str(number).startswith(text)]
    nearest = sorted(accepted, key=lambda number: abs(number - int(text)))
    return list(dict.fromkeys((*begun, *nearest)))[:MOST_OFFERED]


def match_offers(offered: Iterable[tuple[str, int, str]], typed: str, words: Translations) -> list[tuple[str, str]]:
    """What to offer of these matches for what is typed so far, as (name, code). Each is given by what was played, when
    (ms UTC), and its code."""
    wanted, found = typed.strip().casefold(), []
    for played, at, code in offered:
        ending = words("verify.offer", code=code, when=words.moment(at))
        name = f"{cut_whole(played, LONGEST_OPTION - len(ending))}{ending}"
        if wanted in name.casefold() or code.startswith(wanted):
            found.append((name, code))
    return found


def _focused(options: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """The option that is being typed; the options of a group's command are one level deeper."""
    for option in options:
        if option.get("focused"):
            return option
        inner = _focused(option.get("options", ()))
        if inner is not None:
            return inner
    return None
