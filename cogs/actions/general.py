"""The commands that belong to no game: /games, /leaderboard, /help."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.games import GAMES, game_title
from bot.languages import DEFAULT_LANGUAGE
from bot.play.live_match import LiveMatch
from bot.play.quarantine import QuarantinedMatch
from bot.play.refusals import Refused
from bot.store.rows import Invitation, MatchRow
from bot.time_controls import TIME_CONTROLS, time_control
from bot.ui.catalogue import Translations, translations
from bot.ui.screen import Button, Screen, Section, Text
from cogs.actions.challenging import check_opponent, check_place
from cogs.actions.game_commands import IN_SERVERS, players_label
from cogs.actions.leaderboard import leaderboard_screen
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction
from cogs.screens.board import shown_deadline
from cogs.screens.challenge_panel import Panel, panel_screen
from cogs.screens.safe_names import unescaped
from cogs.screens.suspension import resume_button
from cogs.screens.time_control_text import time_control_label

MOST_LISTED = 15
IN_A_ROW = 5
LISTED = "games"
"""What the controls of the list of `/games` act on, in place of a match."""


def setup(app: CardroomApp) -> None:
    """Register the commands."""
    say = translations(DEFAULT_LANGUAGE)

    @app_commands.command(name="games", description=say("command.games"))
    async def games(interaction: Interaction) -> None:
        await responses.reply_private(interaction, await games_screen(app, interaction), LISTED)

    @app_commands.command(name="leaderboard", description=say("command.leaderboard"))
    @app_commands.describe(game=say("option.game"))
    @app_commands.choices(game=[app_commands.Choice(name=g.info.title, value=key) for key, g in GAMES.items()])
    async def leaderboard(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        key = game.value if game else await favourite(app, interaction)
        await responses.reply_private(interaction, await leaderboard_screen(app, interaction, key, 0), key)

    @app_commands.command(name="help", description=say("command.help"))
    async def help_(interaction: Interaction) -> None:
        await responses.reply_private(interaction, help_screen(app.translations_for(interaction)), "help")

    async def challenge(interaction: Interaction, member: discord.User) -> None:
        await check_place(app, interaction)
        check_opponent(interaction, member)
        await app.remember_names(interaction, member)
        panel = Panel.first(member.id, time_control(app.settings.default_clock))
        name = app.name(interaction.guild_id or 0, member.id)
        await responses.reply_private(
            interaction, panel_screen(panel, name, app.translations_for(interaction)), "panel"
        )

    app.tree.add_command(app_commands.ContextMenu(name=say("command.menu"), callback=challenge, **IN_SERVERS))
    commands: tuple[app_commands.Command[Any, ..., None], ...] = (games, leaderboard, help_)
    for command in commands:
        command.allowed_contexts = IN_SERVERS["allowed_contexts"]
        command.allowed_installs = IN_SERVERS["allowed_installs"]
        app.tree.add_command(command)


async def favourite(app: CardroomApp, interaction: Interaction) -> str:
    """The game of a leaderboard if the command names none: the one with the most players in the server, or the first
    game."""
    played = await app.store.games_played(interaction.guild_id or 0)
    sizes = {game: await app.store.count_ranked(interaction.guild_id or 0, game) for game in played if game in GAMES}
    return max(sizes, key=lambda game: sizes[game]) if sizes else next(iter(GAMES))


async def games_screen(app: CardroomApp, interaction: Interaction, note: str = "") -> Screen:
    """The reader's open matches and challenges in this server: whose turn it is, with links; first a note, if any.

    Raises Refused outside servers.
    """
    if interaction.guild_id is None:
        raise Refused("place.not_a_server")
    say = app.translations_for(interaction)
    user, guild = interaction.user.id, interaction.guild_id
    matches = sorted(
        app.matches.of_player(user, guild), key=lambda match: match.suspended is None
    )  # those that need a press come first
    quarantined = app.matches.quarantined(user, guild)
    invitations = app.invitations.of_player(user, guild)
    for match in matches:
        await app.display_names.load(guild, match.seats)
    for held in quarantined:
        await app.display_names.load(guild, held.row.seats)
    for invitation in invitations:
        await app.load_names(invitation)
    lines = [_match_line(app, match, user, say) for match in matches]
    lines += [_quarantined_line(app, held, user, say) for held in quarantined]
    lines += [_invitation_line(app, invitation, user, say) for invitation in invitations]
    title = say("games.title")
    noted = (Text(f"**{note}**"),) if note else ()
    if not lines:
        return Screen(title, (*noted, Text(say("games.none"))))
    more: tuple[Section, ...] = ()
    if len(lines) > MOST_LISTED:
        more = (Text(say("games.more", n=len(lines) - MOST_LISTED)),)
    suspended = [match for match in matches[:MOST_LISTED] if match.suspended is not None]
    buttons = [_resume_button(app, match, user, say) for match in suspended]
    rows = tuple(tuple(buttons[start : start + IN_A_ROW]) for start in range(0, len(buttons), IN_A_ROW))
    return Screen(title, (*noted, Text("\n".join(lines[:MOST_LISTED])), *more), rows)


def _match_line(app: CardroomApp, match: LiveMatch, user: int, say: Translations) -> str:
    seat = match.seat_of(user)
    if match.suspended is not None:
        why = say(f"games.suspended.{match.suspended}")
        return say("games.suspended", game=match.game.info.title, opponent=_opponents(app, match, user), why=why)
    if match.failed is not None:
        return _paused_line(app, match, user, say, title=match.game.info.title, number=match.failed)
    others = _opponents(app, match, user)
    turn = say("games.your_turn") if seat in match.awaited else say("games.their_turn")
    deadline = shown_deadline(match)
    if deadline is not None:
        turn = say("games.runs_out", turn=turn, when=f"<t:{deadline // 1000}:R>")
    link = _link(match.guild_id, match.channel_id, match.board_id)
    return say("games.match", game=match.game.info.title, opponent=others, turn=turn, link=link)


def _paused_line(
    app: CardroomApp, match: LiveMatch | MatchRow, user: int, say: Translations, *, title: str, number: int
) -> str:
    link = _link(match.guild_id, match.channel_id, match.board_id)
    return say("games.resting", game=title, opponent=_opponents(app, match, user), number=number, link=link)


def _quarantined_line(app: CardroomApp, held: QuarantinedMatch, user: int, say: Translations) -> str:
    if held.number is not None:
        return _paused_line(app, held.row, user, say, title=held.title, number=held.number)
    row = held.row
    link = _link(row.guild_id, row.channel_id, row.board_id)
    key = "games.not_installed" if held.altered is None else f"games.altered.{held.altered}"
    return say(key, game=held.title, opponent=_opponents(app, row, user), link=link)


def _resume_button(app: CardroomApp, match: LiveMatch, user: int, say: Translations) -> Button:
    opponents = unescaped(_opponents(app, match, user))
    return resume_button(match.id, say("games.resume", game=match.game.info.title, opponent=opponents))


def _opponents(app: CardroomApp, match: LiveMatch | MatchRow, user: int) -> str:
    names = zip(match.seats, app.names(match.guild_id, match.seats), strict=True)
    return " · ".join(name for other, name in names if other != user)


def _invitation_line(app: CardroomApp, invitation: Invitation, user: int, say: Translations) -> str:
    game = game_title(invitation.game)
    link = _link(invitation.guild_id, invitation.channel_id, invitation.message_id)
    if invitation.host_id == user:
        guest = " · ".join(app.names(invitation.guild_id, invitation.invited))
        return say("games.sent", game=game, opponent=guest, link=link)
    return say("games.received", game=game, opponent=app.name(invitation.guild_id, invitation.host_id), link=link)


def _link(guild_id: int, channel_id: int, message_id: int | None) -> str:
    tail = f"/{message_id}" if message_id else ""
    return f"https://discord.com/channels/{guild_id}/{channel_id}{tail}"


def help_screen(say: Translations) -> Screen:
    """What the bot is and which commands there are."""
    listed = [
        say("help.game", game=game.info.title, key=key, players=players_label(game.info.seats, say))
        for key, game in GAMES.items()
    ]
    clocks = " · ".join(time_control_label(each, say) for each in TIME_CONTROLS.values())
    sections = (
        Text(say("help.intro")),
        Text("\n".join(listed)),
        Text(say("help.commands")),
        Text(say("help.clocks", clocks=clocks)),
        Text(say("help.promises")),
    )
    return Screen(say("help.title"), sections)
