"""The commands /moderate and /calloff: moderators call matches off, keep somebody from playing, and set results
aside."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import discord
from discord import app_commands

from bot.gateway.command_texts import Describe
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Invitations
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.play.server_settings import Act
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.queries.people import NoticeLevel
from bot.ui.catalogue import Translations
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.interactions.venues import in_servers, server_of
from cogs.interactions.whose_rows import Whose
from cogs.screens import custom_ids
from cogs.servers.queries import Bar, Bars, SetAsides
from cogs.servers.screens import LENGTHS, STUCK, ask_screen, player_screen, stuck_screen, until_text
from cogs.servers.stuck_matches import Moderator, OthersMatch, OthersMatches
from cogs.updates.channel_messages import NotTaken
from cogs.updates.notifier import Kind, Notice, Notifier
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Wording
from engines.game import Seat

ASIDE = Kind("aside", "", "moderate.aside_told")
"""That somebody's results are set aside. It is only ever sent to them directly."""


@dataclass(slots=True, eq=False)
class Barring:
    """Keeps people from playing in a server, for a time or for good."""

    bars: Bars
    now: Callable[[], int]

    async def resume(self) -> None:
        """Forget the bars that have ended. Raises StoreError."""
        await self.bars.delete_ended(self.now())

    async def check(self, guild_id: int, user_id: int) -> None:
        """Raise Refused, with the moment until when, if somebody may not play in a server. Raises StoreError."""
        found = await self.of(guild_id, user_id)
        if found is not None and found.until is None:
            raise Refused("moderate.you_for_good")
        if found is not None:
            raise Refused("moderate.you", when=until_text(found.until))

    async def of(self, guild_id: int, user_id: int) -> Bar | None:
        """Until when somebody may not play; None if they may. Raises StoreError."""
        return await self.bars.bar_of(guild_id, user_id, self.now())

    async def bar(self, guild_id: int, user_id: int, length: str) -> Bar:
        """Bar somebody for one of the `LENGTHS`. Raises Refused if that could not be saved."""
        await self.resume()
        milliseconds = LENGTHS[length]
        made = Bar(None if milliseconds is None else self.now() + milliseconds)
        if not await translate_errors(self.bars.bar(guild_id, user_id, made.until)):
            raise Unsaved(busy=False)
        return made

    async def lift(self, guild_id: int, user_id: int) -> None:
        """Let somebody play again. Raises Refused if that could not be saved."""
        await translate_errors(self.bars.lift(guild_id, user_id))


@dataclass(slots=True, eq=False)
class OpenSeats:
    """What somebody has opened or sits at, and no match has come of yet."""

    invitations: Invitations
    seating: Seating
    wording: Wording
    updates: ScreenUpdates

    def of(self, moderator: Moderator, player: int) -> list[Invitation]:
        """The tables at which a player sits and the challenges that they made, in a moderator's venue."""
        return [
            each
            for each in self.invitations.of_player(player, moderator.guild_id)
            if moderator.is_for(each.channel_id) and player in each.seated
        ]

    async def leave(self, invitation: Invitation, player: int) -> bool:
        """Get a player up from a table, which stays for the others who sit there, or take their challenge back.

        Returns False if somebody was faster. Raises Unsaved.
        """
        leave = self.seating.leave if invitation.kind is InvitationKind.TABLE else self.seating.turn_down
        try:
            left, state = await leave(invitation.id, player)
        except Unsaved:
            raise
        except Refused:
            return False
        await self.wording.load_names(left)
        if state is InvitationState.OPEN:
            self.updates.invitation_changed(left)
        else:
            self.updates.invitation_closed(left, state)
        return True


@dataclass(slots=True, eq=False)
class Moderating(Capability):
    """The commands and their controls. Each press is checked again.

    A press acts on `STUCK`, the list of all matches, or on a player, whose id it names.
    """

    verbs = Verbs()

    others: OthersMatches
    seats: OpenSeats
    barring: Barring
    asides: SetAsides
    notifier: Notifier

    # ------------------------------------------------------------------------------------ one match

    @verbs("stuck")
    async def _list(self, press: ComponentPress) -> None:
        await self._show_list(press.interaction, custom_ids.read_page(press.arg))

    @verbs("stuckask")
    async def _call_off(self, press: ComponentPress) -> None:
        """Call a match off. It ends a little later, but one that an error has stopped at once, so that is asked
        first."""
        match = await self.others.get(press.interaction, press.arg)
        if match.stopped and not match.is_called_off:
            await press.reply(ask_screen(await self.others.listed(match, press.words), press.words), match.id)
            return
        await self._end(press, match)
        await self._show(press, press.words("stuck.held"))

    @verbs("stuckend")
    async def _end_stopped(self, press: ComponentPress) -> None:
        await self._end(press, await self.others.get(press.interaction, press.target))
        await self._show_list(press.interaction, 0, press.words("stuck.done"))

    @verbs("stuckback")
    async def _bring_back(self, press: ComponentPress) -> None:
        match = await self.others.get(press.interaction, press.arg)
        if await self.others.bring_back(match):
            await self.others.record(self.others.moderator(press.interaction), Act.RELEASED, match.id, match.game)
        await self._show(press, press.words("stuck.back_again"))

    async def _end(self, press: ComponentPress, match: OthersMatch) -> None:
        if not match.is_called_off:
            await self.others.call_off(match)
            await self.others.record(self.others.moderator(press.interaction), Act.ENDED, match.id, match.game)

    # ------------------------------------------------------------------------------------ all of a player

    @verbs("stuckall", writes=Whose.KEPT_AWAY)
    async def _call_all_off(self, press: ComponentPress) -> None:
        """Call off what a player plays, except what an error has stopped or the moderator plays too."""
        moderator, player = self.others.moderator(press.interaction), custom_ids.read_user(press.target)
        done = 0
        try:
            for match in await self.others.of(moderator, player):
                if moderator.may_end(match) and not match.stopped and not match.is_called_off:
                    done += await self.others.call_off_in_play(match)
            for invitation in self.seats.of(moderator, player):
                done += await self.seats.leave(invitation, player)
        finally:  # what was done before something could not be saved is listed too
            if done:
                await self.others.record(moderator, Act.ENDED_ALL, value=str(done), about=player)
        await self._show(press, press.words("stuck.held" if done else "stuck.nothing"))

    @verbs("stuckundo", writes=Whose.KEPT_AWAY)
    async def _bring_all_back(self, press: ComponentPress) -> None:
        moderator, player = self.others.moderator(press.interaction), custom_ids.read_user(press.target)
        done = 0
        try:
            for match in await self.others.of(moderator, player):
                if moderator.may_end(match):
                    done += await self.others.bring_back(match)
        finally:
            if done:
                await self.others.record(moderator, Act.RELEASED_ALL, value=str(done), about=player)
        await self._show(press, press.words("stuck.back_again" if done else "stuck.nothing"))

    @verbs("bar", writes=Whose.KEPT_AWAY)
    async def _bar(self, press: ComponentPress) -> None:
        moderator, player = self._manager(press.interaction), custom_ids.read_user(press.target)
        if press.arg not in LENGTHS:
            raise custom_ids.UnknownCustomId("no such time")
        bar = await self.barring.bar(moderator.guild_id, player, press.arg)
        await self.others.record(moderator, Act.BARRED, value=str(bar.until or ""), about=player)
        await self._show(press, press.words("settings.saved"))

    @verbs("unbar", writes=Whose.KEPT_AWAY)
    async def _lift(self, press: ComponentPress) -> None:
        moderator, player = self._manager(press.interaction), custom_ids.read_user(press.target)
        if await self.barring.of(moderator.guild_id, player) is not None:
            await self.barring.lift(moderator.guild_id, player)
            await self.others.record(moderator, Act.LIFTED, about=player)
        await self._show(press, press.words("settings.saved"))

    @verbs("setaside", writes=Whose.KEPT_AWAY)
    async def _set_aside(self, press: ComponentPress) -> None:
        """Leave a player out of the server's leaderboards, and have their matches count for nobody. They get a
        message."""
        moderator, player = self._manager(press.interaction), custom_ids.read_user(press.target)
        if not await self.asides.is_set_aside(moderator.guild_id, player):
            if not await translate_errors(self.asides.set_aside(moderator.guild_id, player)):
                raise Unsaved(busy=False)
            await self.others.record(moderator, Act.SET_ASIDE, about=player)
            await self._tell(moderator.guild_id, player, "moderate.aside_told")
        await self._show(press, press.words("settings.saved"))

    @verbs("putback", writes=Whose.KEPT_AWAY)
    async def _take_back(self, press: ComponentPress) -> None:
        moderator, player = self._manager(press.interaction), custom_ids.read_user(press.target)
        if await self.asides.is_set_aside(moderator.guild_id, player):
            await translate_errors(self.asides.take_back(moderator.guild_id, player))
            await self.others.record(moderator, Act.TAKEN_BACK, about=player)
            await self._tell(moderator.guild_id, player, "moderate.aside_over")
        await self._show(press, press.words("settings.saved"))

    async def _tell(self, guild_id: int, player: int, key: str) -> None:
        """Tell a player in a direct message, whatever notices they have chosen: it is about them alone. It makes no
        sound for who wants none. Who takes no direct message reads it on their leaderboards and
        profile, and with their hand."""
        words = await self.others.wording.of_person(guild_id, player)
        text = words(key, server=self.others.wording.server_name(guild_id))
        wanted = await self.notifier.level(ASIDE, guild_id, player)
        silent = wanted in {NoticeLevel.NONE, NoticeLevel.QUIET} or await self.notifier.is_quiet(player)
        with suppress(NotTaken):
            await self.notifier.send_directly(Notice(guild_id, 0, player, "", text), silent=silent)

    async def note(self, match: LiveMatch, seat: Seat, words: Translations) -> str:
        """What somebody reads with their hand in a match that counts for nobody because of them: also who took no
        direct message."""
        aside = not match.rated and await self.asides.is_set_aside(match.guild_id, match.seats[seat])
        return words("ladder.set_aside") if aside else ""

    def _manager(self, interaction: Interaction) -> Moderator:
        """A moderator of the whole server. Raises Refused for anybody else."""
        moderator = self.others.moderator(interaction)
        if not moderator.manages_server:
            raise Refused("settings.not_yours")
        return moderator

    # ------------------------------------------------------------------------------------ showing

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @in_servers
        @app_commands.default_permissions(manage_guild=True)
        @app_commands.command(name="moderate", description=say("command.moderate"))
        @app_commands.describe(user=say("option.moderate_user"))
        async def moderate(interaction: Interaction, user: discord.User | None = None) -> None:
            if user is None:
                await self._show_list(interaction, 0)
            else:
                await self._show_player(interaction, user.id)

        @in_servers
        @app_commands.default_permissions(manage_messages=True)
        @app_commands.command(name="calloff", description=say("command.calloff"))
        async def calloff(interaction: Interaction) -> None:
            await self._show_list(interaction, 0)

        return (moderate, calloff)

    async def _show(self, press: ComponentPress, note: str) -> None:
        """Answer with the screen on which somebody pressed."""
        if press.target == STUCK:
            await self._show_list(press.interaction, 0, note)
        else:
            await self._show_player(press.interaction, custom_ids.read_user(press.target), note)

    async def _show_list(self, interaction: Interaction, page: int, note: str = "") -> None:
        """Answer with a page of the matches that the reader may end: those of this channel first, the oldest first."""
        moderator, words = self.others.moderator(interaction), translations_for(interaction)
        matches = await self.others.of(moderator)
        matches.sort(key=lambda match: match.channel_id != interaction.channel_id)
        listed = [await self.others.listed(match, words) for match in matches]
        screen = stuck_screen(listed, page, words, here=not moderator.manages_server, note=note)
        await reply_private(interaction, screen, STUCK)

    async def _show_player(self, interaction: Interaction, player: int, note: str = "") -> None:
        """Answer with what a player plays and has open, and what can be done about it."""
        moderator, words = self.others.moderator(interaction), translations_for(interaction)
        listed = [await self.others.listed(match, words) for match in await self.others.of(moderator, player)]
        screen = player_screen(
            player,
            listed,
            len(self.seats.of(moderator, player)),
            await self.barring.of(server_of(interaction), player),
            words,
            aside=await self.asides.is_set_aside(server_of(interaction), player),
            may_bar=moderator.manages_server,
            note=note,
        )
        await reply_private(interaction, screen, str(player))
