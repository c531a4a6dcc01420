"""The command /play: it seats one person, with two presses at most.

With a game named, it sits them down at once where somebody waits. If nobody does, it opens a table that starts by
itself, and offers the computer meanwhile. Without a game it offers what there is, and one press does the same. Every
answer is private; a new table is a message of the bot's own in the channel, which anybody can join there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress

from discord import app_commands

from bot.games import GAMES
from bot.languages import DEFAULT_LANGUAGE
from bot.play.access import obstacles
from bot.play.computers.levels import DEFAULT
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.inviting import Proposal, Terms
from bot.play.matchmaking.seating import PlaceNeeded
from bot.play.refusals import NotInstalled, Refused, Unsaved
from bot.play.reliability.shares import reliability_of
from bot.store.computer_ids import people
from bot.store.errors import StoreError
from bot.store.rows.invitations import Invitation, InvitationKind, InvitationState
from bot.store.rows.matches import Obstacle
from bot.ui.catalogue import translations
from cogs.actions.challenging import check_place
from cogs.actions.component_press import ComponentPress, Verb
from cogs.actions.computers import practice
from cogs.actions.game_commands import IN_SERVERS, terms_of
from cogs.actions.general import favourite
from cogs.actions.matchmaking.play_screens import (
    MOST_TABLES,
    PLAY,
    OfferedTable,
    begun_screen,
    choice_screen,
    no_table_screen,
    tables_screen,
    waiting_screen,
)
from cogs.actions.servers import own_threads
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.custom_ids import UnknownCustomId
from cogs.screens.renderer import sheet
from cogs.updates.channel_messages import NotTaken

_MOST_ELSEWHERE = 5
"""How many channels Discord is asked about: whether the person can play there."""


def setup(app: CardroomApp) -> None:
    """Register the command."""
    say = translations(DEFAULT_LANGUAGE)

    @app_commands.command(name="play", description=say("command.play"))
    @app_commands.describe(game=say("option.play_game"))
    @app_commands.choices(game=[app_commands.Choice(name=g.info.title, value=key) for key, g in GAMES.items()])
    async def play(interaction: Interaction, game: app_commands.Choice[str] | None = None) -> None:
        await app.wording.remember_names(interaction)
        if game is None:
            await check_place(app, interaction)
            await _offer(app, interaction)
        else:
            await _play(app, interaction, game.value)

    play.allowed_contexts = IN_SERVERS["allowed_contexts"]
    play.allowed_installs = IN_SERVERS["allowed_installs"]
    app.tree.add_command(play)


class PlayPresses:
    """What the buttons of `/play` do."""

    def __init__(self, app: CardroomApp) -> None:
        self._app = app
        self.verbs: dict[str, Verb] = {"play": self._begin, "seat": self._sit, "meanwhile": self._practise}

    async def _begin(self, press: ComponentPress) -> None:
        """Play a game that was chosen, as the command does that names it."""
        await _play(self._app, press.interaction, _game(press.arg))

    async def _sit(self, press: ComponentPress) -> None:
        """Sit down at a table that was offered. If it is gone, offer what there is now."""
        app, interaction = self._app, press.interaction
        begun = app.matches.playing(press.arg)
        if begun is not None and begun.guild_id == interaction.guild_id and press.user_id in begun.seats:
            await _show_match(app, interaction, begun)  # the answer to the press that did it was lost
            return
        table = app.invitations.open_by_id(press.arg)
        if table is not None and table.guild_id != interaction.guild_id:
            raise Refused("challenge.unknown")
        if table is not None and press.user_id in table.seated:
            await _show_waiting(interaction, table, again=True)
            return
        if table is not None and table not in await _fitting(app, interaction, table.game, only=table):
            table = None
        say = translations_for(interaction)
        if table is None:
            await _offer(app, interaction, say("play.gone"))
            return
        try:
            await _seat(app, interaction, table)
        except Unsaved:
            raise
        except Refused as refused:
            await _offer(app, interaction, say(refused.key, **refused.values))

    async def _practise(self, press: ComponentPress) -> None:
        """Play the computer, while nobody else is there. Show the match if there is one already."""
        app, interaction, game = self._app, press.interaction, _game(press.arg)
        for match in app.matches.of_player(press.user_id, interaction.guild_id or 0):
            if match.game.info.key == game and people(match.seats) == (press.user_id,):
                await _show_match(app, interaction, match)
                return
        computers = practice.computers(game, DEFAULT, max(1, GAMES[game].info.seats[0] - 1))
        await practice.begin(app, interaction, await terms_of(app, interaction, game, {}), computers)


def _game(key: str) -> str:
    """The key of a game that is installed. Raises NotInstalled for any other, and UnknownCustomId for none."""
    if not key:
        raise UnknownCustomId("no game")
    if key not in GAMES:
        raise NotInstalled(key)
    return key


# ------------------------------------------------------------------------------------ finding


async def _offer(app: CardroomApp, interaction: Interaction, note: str = "") -> None:
    """Show the tables with room, and the games to begin with."""
    say, guild_id, user = translations_for(interaction), interaction.guild_id or 0, interaction.user.id
    found = await _offered(app, interaction, await _fitting(app, interaction, None))
    screen = choice_screen(found, _waits_at(app, guild_id, user), await _games(app, interaction), say, note)
    await responses.reply_private(interaction, screen, PLAY)


async def _play(app: CardroomApp, interaction: Interaction, game: str) -> None:
    """Sit down where somebody waits for this game, or open a table and wait there. Raises Refused."""
    guild_id, user = interaction.guild_id or 0, interaction.user.id
    terms = await terms_of(app, interaction, game, {})
    note, refusing = "", set[str]()
    while True:
        async with app.seating.finding(guild_id):
            own = [table for table in _waits_at(app, guild_id, user) if table.game == game]
            if own:
                await _show_waiting(interaction, own[0], again=True)
                return
            fitting = [table for table in await _fitting(app, interaction, game) if table.id not in refusing]
            if not fitting:
                await _wait(app, interaction, terms)
                return
        table = _best(fitting)
        if table is None:
            break
        try:
            await _seat(app, interaction, table)
        except Unsaved:
            raise
        except Refused as refused:  # others were faster, or its match would be over a limit of theirs
            refusing.add(table.id)
            note = translations_for(interaction)(refused.key, **refused.values)
        else:
            return
    say = translations_for(interaction)
    screen = tables_screen(await _offered(app, interaction, fitting), game, say, note)
    await responses.reply_private(interaction, screen, PLAY)


def _best(fitting: Sequence[Invitation]) -> Invitation | None:
    """Where to sit down at once: at the first table that starts by itself, or at the only one. None if it is better
    to ask, because the tables differ in what their hosts chose."""
    alone = [table for table in fitting if table.auto_start]
    if alone:
        return alone[0]
    return fitting[0] if len(fitting) == 1 else None


async def _fitting(
    app: CardroomApp, interaction: Interaction, game: str | None, *, only: Invitation | None = None
) -> list[Invitation]:
    """The tables of a game (None: of all) where the person can sit down: those of this channel first, then the oldest.

    `only` is the one to look at, if it is but one. Tables in channels where the person cannot play are left out, and
    those that ask for reliable people unless they are; where they picked `only` one, sitting down says why not.
    """
    guild_id, user, here = interaction.guild_id or 0, interaction.user.id, interaction.channel_id
    found = [each for each in app.seating.tables_for(user, guild_id) if game in (None, each.game)]
    if only is not None:
        found = [each for each in found if each.id == only.id]
    elif any(each.reliable for each in found):
        known = await reliability_of(app.store, guild_id, user, app.clock.now())
        found = [each for each in found if known.is_reliable or not each.reliable]
    found.sort(key=lambda table: table.channel_id != here)
    elsewhere = list(dict.fromkeys(table.channel_id for table in found if table.channel_id != here))[:_MOST_ELSEWHERE]
    reachable = {here, *await _playable(app, guild_id, user, elsewhere)}
    return [table for table in found if table.channel_id in reachable]


async def _playable(app: CardroomApp, guild_id: int, user: int, channels: Iterable[int]) -> list[int]:
    """Those of these channels where a person can see messages and press buttons."""
    asked = tuple(channels)
    found = await asyncio.gather(*(obstacles(app.access, guild_id, channel, (user,)) for channel in asked))
    answers = [each.get(user) for each in found]
    return [channel for channel, why in zip(asked, answers, strict=True) if why in (None, Obstacle.NO_SENDING)]


async def _offered(app: CardroomApp, interaction: Interaction, tables: Sequence[Invitation]) -> list[OfferedTable]:
    """The first of these tables, with the names of their hosts and how reliably they play."""
    shown = tables[:MOST_TABLES]
    hosts = list(dict.fromkeys(table.host_id for table in shown))
    guild_id, say = interaction.guild_id or 0, translations_for(interaction)
    await app.display_names.load(guild_id, hosts)
    names = dict(zip(hosts, app.wording.names(guild_id, hosts, say), strict=True))
    found = {host: await reliability_of(app.store, guild_id, host, app.clock.now()) for host in hosts}
    return [OfferedTable(table, names[table.host_id], found[table.host_id]) for table in shown]


async def _games(app: CardroomApp, interaction: Interaction) -> list[str]:
    """All games: first the one that the person played last or, if they have played none, most people here play."""
    guild_id, user = interaction.guild_id or 0, interaction.user.id
    playing = [match.game.info.key for match in app.matches.of_player(user, guild_id)]
    played = [row.game for row in await app.store.latest_finished(guild_id, user, 1)]
    known = [game for game in (*playing[-1:], *played) if game in GAMES]
    first = known[0] if known else await favourite(app, interaction)
    return [first, *(game for game in GAMES if game != first)]


def _waits_at(app: CardroomApp, guild_id: int, user: int) -> list[Invitation]:
    """The open tables of a server at which somebody sits."""
    found = app.invitations.of_player(user, guild_id)
    return [each for each in found if each.kind is InvitationKind.TABLE and user in each.seated]


# ------------------------------------------------------------------------------------ sitting down


async def _seat(app: CardroomApp, interaction: Interaction, table: Invitation) -> None:
    """Sit the person down at a table, and show where they are now. Raises Refused and Unsaved."""
    user = interaction.user.id
    with app.presses.take_up(table.id, interaction.id) as press:
        try:
            joined = await app.seating.take_seat(table.id, user, None, press)
        except PlaceNeeded as needed:
            thread = await _thread(app, needed.invitation)
            joined = await app.seating.take_seat(table.id, user, None, press, place=thread)
        if not isinstance(joined, LiveMatch):
            await app.wording.load_names(joined)
            app.updates.invitation_salted(joined)
            await _show_waiting(interaction, joined, again=False)
            return
        await app.display_names.load(joined.guild_id, joined.seats)
        if joined.channel_id != table.channel_id:
            own_threads.add_players(app, joined)
            accepted, _ = await app.find_invitation(interaction, table.id)
            await app.wording.load_names(accepted)
            app.updates.invitation_closed(accepted, InvitationState.ACCEPTED)
        await _show_match(app, interaction, joined)
    app.updates.start_notices.announce(joined, joined.seats.index(user))


async def _thread(app: CardroomApp, table: Invitation) -> int:
    """Where a match is played that gets a thread: there or, if there can be none, in its table's channel."""
    thread = None if table.message_id is None else await own_threads.begin(app, table, table.message_id)
    return table.channel_id if thread is None else thread


async def _show_match(app: CardroomApp, interaction: Interaction, match: LiveMatch) -> None:
    await app.display_names.load(match.guild_id, match.seats)
    say = translations_for(interaction)
    screen = begun_screen(match, app.wording.names(match.guild_id, match.seats, say), say)
    await responses.reply_private(interaction, screen, match.id)


# ------------------------------------------------------------------------------------ waiting


async def _wait(app: CardroomApp, interaction: Interaction, terms: Terms) -> None:
    """Open a table that starts by itself, in the channel of the interaction. Raises Refused if it cannot be posted, and
    Unsaved. If a limit leaves no room for it, show why."""
    say = translations_for(interaction)
    try:
        table = await app.inviting.invite(
            Proposal(terms, interaction.user.id, kind=InvitationKind.TABLE, auto_start=True)
        )
    except Unsaved:
        raise
    except Refused as refused:
        screen = no_table_screen(terms.game, say(refused.key, **refused.values), say)
        await responses.reply_private(interaction, screen, PLAY)
        return
    await _show_waiting(interaction, await _post(app, table), again=False)


async def _post(app: CardroomApp, table: Invitation) -> Invitation:
    """Post the message of a table that was just opened; close it again if that fails. Raises Refused."""
    await app.wording.load_names(table)
    made = sheet(app.public_screens.invitation(table, InvitationState.OPEN), table.id)
    try:
        posted = await app.messages.post(table.guild_id, table.channel_id, made)
    except NotTaken:
        await app.invitations.withdraw(table)
        raise Refused("challenge.not_posted") from None
    with suppress(StoreError):  # then the message won't show that it expired; presses still work, as they name it
        await app.invitations.note_message(table, posted.message_id)
    current = app.invitations.open_by_id(table.id) or table
    app.updates.table_notices.opened(current)
    return current


async def _show_waiting(interaction: Interaction, table: Invitation, *, again: bool) -> None:
    screen = waiting_screen(table, translations_for(interaction), again=again)
    await responses.reply_private(interaction, screen, PLAY)
