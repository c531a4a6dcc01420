"""The command /league and its buttons: a host opens a league and looks after it, people play in it.

A button names its league. Each press is checked again, because anybody can send any press.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Final, TypeAlias

from discord import app_commands

from bot.games import GAMES
from bot.gateway.command_texts import Describe
from bot.play.matchmaking.invitations import Terms
from bot.play.refusals import NotInstalled, Refused
from bot.play.server_settings import KnownServerSettings
from cogs.actions.challenging import InvitationPosts, TermsReader, check_roles
from cogs.actions.command_parameters import game_choices
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.hosting import By, asking, check_may_host
from cogs.interactions.autocomplete import announced
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import IN_SERVERS, server_of
from cogs.interactions.whose_rows import Whose, writes
from cogs.leagues import screens
from cogs.leagues.leagues import Challenge, ChallengedAlready, Leagues
from cogs.leagues.messages import Looking
from cogs.leagues.queries import Whole
from cogs.screens import custom_ids
from cogs.screens.time_control_text import read_time_control
from cogs.updates.public_messages import PublicMessages

_PLAYERS: Final = 2
"""How many people play a match of a league."""
_TAKES_NONE: Final = "challenge.takes_none"

Managed: TypeAlias = Callable[[int, str, By], Awaitable[Whole]]


@dataclass(slots=True, eq=False)
class LeagueCommands(Capability):
    """The command `/league`."""

    verbs = Verbs()

    leagues: Leagues
    looking: Looking
    terms: TermsReader
    budget: PostBudget
    server_settings: KnownServerSettings

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        group = app_commands.Group(name="league", description=say("command.league"), **IN_SERVERS)
        games = tuple(key for key, game in GAMES.items() if _PLAYERS in game.info.seats)

        @group.command(name="new", description=say("command.league_new"))
        @app_commands.describe(game=say("option.game"), clock=say("option.clock"))
        @app_commands.choices(game=game_choices(games))
        @app_commands.autocomplete(clock=announced)
        async def new(interaction: Interaction, game: app_commands.Choice[str], clock: str | None = None) -> None:
            guild_id, channel_id = await self.terms.check_begin(interaction)
            check_may_host(self.server_settings, interaction)
            words, key = translations_for(interaction), game.value
            info = GAMES[key].info
            chosen = self.terms.clock(guild_id, key) if clock is None else read_time_control(clock, words).key
            options = info.presets[info.recommended_for(_PLAYERS)]
            with self.budget.spending(interaction):
                made = await self.leagues.create(Terms(guild_id, channel_id, key, options, chosen), interaction.user.id)
            await self._show_own(interaction, await self.leagues.whole(guild_id, made.id), words("hosted.opened"))

        @writes(Whose.NOBODY)
        @group.command(name="me", description=say("command.league_me"))
        async def me(interaction: Interaction) -> None:
            found = await self.leagues.of_server(server_of(interaction))
            if not found:
                raise Refused("league.none")
            user_id = interaction.user.id
            await self._show_own(interaction, max(reversed(found), key=lambda whole: urgency(whole, user_id)))

        return (group,)

    async def _show_own(self, interaction: Interaction, found: Whole, note: str = "") -> None:
        words = translations_for(interaction)
        _check_installed(found)
        view = await self.looking.view(found, words)
        await reply_private(interaction, screens.own_screen(view, interaction.user.id, words, note), found.league.id)


@dataclass(slots=True, eq=False)
class LeaguePresses(Capability):
    """What the buttons of a league do. They act on its id."""

    verbs = Verbs()

    leagues: Leagues
    looking: Looking
    terms: TermsReader
    posts: InvitationPosts
    server_settings: KnownServerSettings
    shown: PublicMessages

    # ------------------------------------------------------------------------------------ who plays

    @verbs("lgjoin")
    async def _join(self, press: ComponentPress) -> None:
        check_roles(self.server_settings, press.interaction)
        found = await self.leagues.join(press.server_id, press.target, press.user_id)
        await self._own(press, found)

    @verbs("lgleave")
    async def _leave(self, press: ComponentPress) -> None:
        found = await self.leagues.leave(press.server_id, press.target, press.user_id)
        await self._own(press, found, press.words("hosted.you_left"))

    @verbs("lgmine", writes=Whose.NOBODY)
    async def _mine(self, press: ComponentPress) -> None:
        await self._own(press, await self._whole(press))

    @verbs("lgrows", writes=Whose.NOBODY)
    async def _standings(self, press: ComponentPress) -> None:
        page = custom_ids.read_page(press.arg) if press.arg else 0
        view = await self.looking.view(await self._whole(press), press.words)
        await press.reply(screens.standings_screen(view, page, press.words), press.target)

    @verbs("lgplay", writes=Whose.INVITED)
    async def _play(self, press: ComponentPress) -> None:
        """Challenge whom somebody meets in this week, in the channel of the press."""
        guild_id, channel_id = await self.terms.check_begin(press.interaction)
        await self._whole(press)
        try:
            challenge = await self.leagues.challenge(guild_id, press.target, press.user_id, channel_id)
        except ChallengedAlready:
            await self._own(press, await self._whole(press))  # it has the address of the other's challenge
            return
        await self._send(press, challenge)

    async def _send(self, press: ComponentPress, challenge: Challenge) -> None:
        try:
            await self.posts.invite(press.interaction, challenge.proposal)
        except Refused as refused:
            if refused.key == _TAKES_NONE:  # so nobody gets away with being out of reach
                await self.leagues.note_once(challenge)
                blocks = await self.leagues.blocks(press.user_id, challenge.proposal.guests[0])
                raise Refused("league.blocked" if blocks else "league.noted") from None
            await self.leagues.take_back(challenge)
            raise
        self.leagues.changed(challenge.league.guild_id, challenge.league.id)

    async def _own(self, press: ComponentPress, found: Whole, note: str = "") -> None:
        _check_installed(found)
        view = await self.looking.view(found, press.words)
        await press.reply(screens.own_screen(view, press.user_id, press.words, note), press.target)

    # ------------------------------------------------------------------------------------ its host

    @verbs("lgmore", writes=Whose.NOBODY)
    async def _more(self, press: ComponentPress) -> None:
        await self._show_more(press, await self._whole(press))

    @verbs("lgstart")
    async def _start(self, press: ComponentPress) -> None:
        await self._manage(press, self.leagues.start, "league.started")

    @verbs("lgmove")
    async def _move(self, press: ComponentPress) -> None:
        """Show it in the channel of the press, which posts its message there."""
        _, channel_id = await self.terms.check_begin(press.interaction)
        moves = channel_id != (await self._whole(press)).league.channel_id

        async def move(guild_id: int, league_id: str, by: By) -> Whole:
            found, former = await self.leagues.move(guild_id, league_id, by, channel_id)
            if former.channel_id != channel_id:
                self.shown.left(guild_id, former.id, former.channel_id, former.message_id)
            return found

        with self.posts.budget.spending(press.interaction) if moves else nullcontext():
            await self._manage(press, move, "league.moved")

    @verbs("lgremove")
    async def _remove(self, press: ComponentPress) -> None:
        user_id = custom_ids.read_user(press.arg)

        async def remove(guild_id: int, league_id: str, by: By) -> Whole:
            return await self.leagues.remove(guild_id, league_id, by, user_id)

        await self._manage(press, remove, "league.removed")

    @verbs("lgend", writes=Whose.NOBODY)
    async def _ask_end(self, press: ComponentPress) -> None:
        found = await self._whole(press)
        if not self._by(press).may_manage(found.league.host_id):
            raise Refused("hosted.not_yours")
        view = await self.looking.view(found, press.words)
        await press.reply(screens.ask_screen(view, press.words), press.target)

    @verbs("lgendnow")
    async def _end(self, press: ComponentPress) -> None:
        await self._manage(press, self.leagues.end, "league.ended")

    async def _manage(self, press: ComponentPress, change: Managed, told: str) -> None:
        found = await change(press.server_id, press.target, self._by(press))
        await self._show_more(press, found, press.words(told))

    async def _show_more(self, press: ComponentPress, found: Whole, note: str = "") -> None:
        _check_installed(found)
        view = await self.looking.view(found, press.words)
        host, channel_id = self._by(press).may_manage(found.league.host_id), press.interaction.channel_id or 0
        await press.reply(screens.more_screen(view, press.words, channel_id, host=host, note=note), press.target)

    def _by(self, press: ComponentPress) -> By:
        return asking(self.server_settings, press.interaction)

    async def _whole(self, press: ComponentPress) -> Whole:
        found = await self.leagues.whole(press.server_id, press.target)
        _check_installed(found)
        return found


def _check_installed(found: Whole) -> None:
    if found.league.game not in GAMES:
        raise NotInstalled(found.league.game)


def urgency(whole: Whole, user_id: int) -> int:
    """How soon somebody has something to do in a league."""
    place = whole.place_of(user_id)
    if place is not None and whole.league.is_playing:
        pairing = whole.pairing_of(place)
        return 3 if pairing is not None and pairing.how is None else 2
    return int(whole.is_in(user_id))
