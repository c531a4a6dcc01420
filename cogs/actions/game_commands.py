"""Makes the commands of every game, so that five games do not need five copies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
from discord import app_commands

from bot.games import GAMES
from bot.languages import DEFAULT_LANGUAGE
from bot.play.computers.levels import DEFAULT, levels_of
from bot.play.matchmaking.inviting import Terms
from bot.play.matchmaking.series import LENGTHS
from bot.play.refusals import Refused
from bot.store.boards import Span
from bot.store.rows.invitations import StandIn
from bot.ui.catalogue import Translations, translations
from cogs.actions.challenging import User, check_place, open_table, send_challenge
from cogs.actions.command_parameters import Parameter, add, parameters, series_parameters, stand_in_parameters
from cogs.actions.computers import practice
from cogs.actions.servers import own_threads
from cogs.actions.standings.leaderboards import show_board
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.limit_text import read_limit
from cogs.screens.presenter import Taught
from cogs.screens.rules_pages import rules_screen
from cogs.screens.time_control_text import read_time_control
from engines.options import Number, OptionRefused, Takes, takes

IN_SERVERS: dict[str, Any] = {
    "allowed_contexts": app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    "allowed_installs": app_commands.AppInstallationType(guild=True, user=False),
}
"""Commands are for servers, because they are about their matches and standings."""

IN_SERVERS_AND_DIRECT = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
"""Where commands can be used that need no server: direct messages with the bot belong to none."""

DIRECT_TOO: dict[str, Any] = {**IN_SERVERS, "allowed_contexts": IN_SERVERS_AND_DIRECT}


def game_commands(app: CardroomApp, game: str) -> app_commands.Group:
    """The command group of a game: challenge, open, practice, rules, leaderboard. Options are the game's fields."""
    info = GAMES[game].info
    say = translations(DEFAULT_LANGUAGE)
    group = app_commands.Group(name=game, description=say("command.game", game=info.title), **DIRECT_TOO)

    async def challenge(interaction: Interaction, opponent: User, **given: Any) -> None:
        in_thread, best_of = given.get("thread"), _best_of(given.pop("series", None) if series else None)
        terms = replace(await terms_of(app, interaction, game, given), best_of=best_of)
        await send_challenge(app, interaction, terms, opponent)
        await own_threads.explain(app, interaction, in_thread)

    async def open_(interaction: Interaction, **given: Any) -> None:
        private, reliable = bool(given.pop("private", None)), bool(given.pop("reliable", None))
        in_thread = given.get("thread")
        terms = await terms_of(app, interaction, game, given)
        await open_table(app, interaction, terms, private=private, reliable=reliable)
        await own_threads.explain(app, interaction, in_thread)

    async def rules(interaction: Interaction) -> None:
        taught = isinstance(app.presenters[game], Taught)
        screen = rules_screen(game, 0, translations_for(interaction), taught=taught)
        await responses.reply_private(interaction, screen, game)

    async def leaderboard(interaction: Interaction) -> None:
        await show_board(app, interaction, Span.ALL_TIME, game)

    async def practise(interaction: Interaction, **given: Any) -> None:
        level = given.pop("level", None) or DEFAULT
        number = given.pop("computers", None) or max(1, info.seats[0] - 1)
        seated = practice.computers(game, level, number)
        terms = await terms_of(app, interaction, game, {**given, "stand_in": StandIn.OFF}, direct=True)
        await practice.begin(app, interaction, terms, seated)

    thread = Parameter("thread", bool, say("option.thread"), required=False)
    series, stand_in = series_parameters(game), stand_in_parameters(game)
    if 2 in info.seats:
        opponent = Parameter("opponent", discord.User, say("option.opponent"))
        add(
            group,
            "challenge",
            say("command.challenge", game=info.title),
            challenge,
            [opponent, *parameters(game), *series, *stand_in, thread],
        )
    private = Parameter("private", bool, say("option.private"), required=False)
    reliable = Parameter("reliable", bool, say("option.reliable"), required=False)
    about = say("command.open", game=info.title, players=players_label(info.seats, say))
    add(group, "open", about, open_, [*parameters(game), *stand_in, private, reliable, thread])
    if levels_of(game):
        add(group, "practice", say("command.practice", game=info.title), practise, _practice_parameters(game))
    add(group, "rules", say("command.rules", game=info.title), rules, [])
    add(group, "leaderboard", say("command.game_leaderboard", game=info.title), leaderboard, [])
    return group


def _practice_parameters(game: str) -> list[Parameter]:
    """The options of a match against computers: their level and, where more than two can play, how many they are."""
    say, seats = translations(DEFAULT_LANGUAGE), GAMES[game].info.seats
    levels = tuple((say(f"computer.level.{level}"), level) for level in levels_of(game))
    found = [Parameter("level", str, say("option.strength"), required=False, choices=levels)]
    if seats[-1] > 2:
        number = app_commands.Range[int, max(1, seats[0] - 1), seats[-1] - 1]
        found.append(Parameter("computers", number, say("option.computers"), required=False))
    return [*found, *parameters(game)]


def players_label(seats: range, words: Translations) -> str:
    """How many can play, such as "2 to 6 players"."""
    if len(seats) == 1:
        return words("help.players_exactly", n=seats[0])
    return words("help.players", least=seats[0], most=seats[-1])


async def terms_of(
    app: CardroomApp, interaction: Interaction, game: str, given: dict[str, Any], *, direct: bool = False
) -> Terms:
    """The terms that a command names: the preset's options, or the server's defaults, with the options that were given.

    `direct` allows direct messages with the bot. Raises Refused if no match can be played here, or if the options do
    not fit together.
    """
    guild_id, channel_id = await check_place(app, interaction, game, direct=direct)
    words = translations_for(interaction)
    clock = given.pop("clock", None)
    time_control_key = app.default_clock(guild_id, game) if clock is None else read_time_control(clock, words).key
    in_thread, _ = own_threads.thread_or_reason(app, interaction, given.pop("thread", None))
    info = GAMES[game].info
    defaults = app.server_settings.of(guild_id).defaults_of(game)
    base = defaults.base(game, given.pop("preset", None))
    stand_in = _stand_in(given.pop("stand_in", None) or defaults.stand_in)
    known = takes(info.options)
    picked = {name: _read(game, name, known[name], value, words) for name, value in given.items() if value is not None}
    try:
        options = replace(base, **picked)
    except OptionRefused as refused:
        raise Refused(refused.key, **refused.values) from None
    return Terms(guild_id, channel_id, game, options, time_control_key, in_thread, stand_in)


def _stand_in(value: str) -> StandIn:
    """What an option says of absent seats. Raises Refused for a word that is not among its choices."""
    try:
        return StandIn(value)
    except ValueError:
        raise Refused("press.not_offered") from None


def _best_of(value: str | None) -> int:
    """What an option says of a series. Raises Refused for a word that is not among its choices."""
    if value is None:
        return 1
    if value not in map(str, LENGTHS):
        raise Refused("press.not_offered")
    return int(value)


def _read(game: str, name: str, taken: Takes, value: Any, words: Translations) -> Any:
    """The value of an option as Discord sent it; a number or none comes as text. Raises Refused."""
    if isinstance(taken, Number) and taken.or_none:
        return read_limit(game, name, taken, value, words)
    return value
