"""Challenges people and opens tables: the checks before it, the message that is posted, and the presets that
a panel saves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

import aiohttp
import discord
from discord import app_commands

from bot.games import GAMES
from bot.gateway.command_texts import Describe
from bot.gateway.installations import is_without_bot
from bot.gateway.lean.servers import role_ids
from bot.play.computers.levels import levels_of
from bot.play.matchmaking.admission import Admission
from bot.play.matchmaking.invitations import Invitations, Inviting, Proposal, Terms
from bot.play.refusals import Refused, checked_options
from bot.play.server_settings import MOST_PRESETS, PRESETS, KnownServerSettings
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState, StandIn
from bot.store.special_ids import is_chat
from bot.time_controls import time_control
from bot.ui.catalogue import Translations
from bot.ui.isolation import mention
from cogs.actions.component_press import Capability, Command, ComponentPress, OneAtATime, Verbs
from cogs.actions.hosting import MOST_NAMED, check_may_host, may_host
from cogs.actions.own_threads import OwnThreads
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import Interaction, open_form, post, reply_private, translations_for, was_deferred
from cogs.interactions.venues import IN_SERVERS, Members, chat_of, venue_id_of
from cogs.interactions.whose_rows import Whose, check_may_store
from cogs.public_screens import PublicScreens
from cogs.screens import custom_ids
from cogs.screens.challenge_panel import Panel, panel_screen, preset_form
from cogs.screens.limit_text import read_limit
from cogs.screens.safe_names import plain_title, safe_title
from cogs.screens.time_control_text import read_time_control
from cogs.updates.board_updater import BoardUpdater
from cogs.wording import Wording
from engines.options import Number, Takes, takes

_log = logging.getLogger(__name__)

User: TypeAlias = discord.User | discord.Member

CLOCK_OF_CHATS: Final = "daily"
"""The clock of a match in a chat without the bot, if its host names none."""

SUPPORTED_CHANNELS = frozenset(
    {
        discord.ChannelType.text,
        discord.ChannelType.news,
        discord.ChannelType.voice,
        discord.ChannelType.stage_voice,
        discord.ChannelType.public_thread,
        discord.ChannelType.private_thread,
        discord.ChannelType.news_thread,
    }
)


@dataclass(slots=True, eq=False)
class InvitationPosts:
    """Opens invitations, and posts their messages as answers."""

    inviting: Inviting
    invitations: Invitations
    public_screens: PublicScreens
    wording: Wording
    boards: BoardUpdater
    budget: PostBudget

    async def invite(self, interaction: Interaction, proposal: Proposal, *named: User) -> tuple[Invitation, int | None]:
        """Open an invitation and answer with its message; it is withdrawn if that cannot be posted. `named` are those
        of its guests whom the interaction names.

        Returns it with its message, None if it could not be posted. Raises Refused, also if that can still be reported
        to the user, Unsaved, and NotTheirs for an interaction that may not invite.
        """
        check_may_store(interaction, proposal.guests)
        with self.budget.spending(interaction) as take_back:
            invitation = await self.inviting.invite(proposal)
            async with self.withdrawn_without(invitation):
                if named:
                    await self.wording.remember_names(interaction, *named)
                await self.wording.load_names(invitation)
            message_id = await self._send(interaction, invitation)
            if message_id is None:
                take_back()
            return invitation, message_id

    @asynccontextmanager
    async def withdrawn_without(self, invitation: Invitation) -> AsyncIterator[None]:
        """Read what the message of an invitation needs within the block. If that can't be read, the invitation is
        withdrawn: nobody would see it. Raises StoreError."""
        try:
            yield
        except StoreError:
            await self.invitations.withdraw(invitation)
            raise

    async def _send(self, interaction: Interaction, invitation: Invitation) -> int | None:
        screen = self.public_screens.invitation(invitation, InvitationState.OPEN)
        message_id = await post(interaction, screen, invitation.id, invitation.invited)
        self.boards.note_answered(interaction)
        if message_id is None:
            await self.invitations.withdraw(invitation)
            if was_deferred(interaction):
                raise Refused("challenge.not_posted")
            return None
        await self.posted(invitation, message_id)
        return message_id

    async def posted(self, invitation: Invitation, message_id: int) -> Invitation:
        """Note the message of an invitation that was just opened. Returns the invitation as it is now."""
        with suppress(StoreError):  # then the message won't show that it expired; presses still work, as they name it
            await self.invitations.note_message(invitation, message_id)
        return self.invitations.open_by_id(invitation.id) or invitation


@dataclass(slots=True, eq=False)
class TermsReader:
    """Reads the terms of a match from what a command or a panel names."""

    server_settings: KnownServerSettings
    own_threads: OwnThreads
    admission: Admission
    default_clock: str

    async def check_begin(
        self, interaction: Interaction, game: str = "", *, direct: bool = False, chat: bool = False
    ) -> tuple[int, int]:
        """The ids of a command's venue and channel, if its person can begin a match there. Raises Refused as
        `check_venue`, and if they may not play."""
        guild_id, channel_id = await check_venue(self.server_settings, interaction, game, direct=direct, chat=chat)
        check_roles(self.server_settings, interaction)
        await self.admission.check_player(guild_id, interaction.user.id)
        return guild_id, channel_id

    async def check_post(self, interaction: Interaction, *, file: bool = False) -> None:
        """Raise Refused where the bot may not post, with or without a `file`, or where the person may not write or
        play."""
        await self.check_begin(interaction, direct=True)
        check_bot_posts(interaction)
        if interaction.guild_id is None:
            return
        granted = interaction.permissions
        if not (granted.send_messages or granted.send_messages_in_threads):
            raise Refused("place.not_posted")
        if file and not interaction.app_permissions.attach_files:
            raise Refused("place.permission", missing=translations_for(interaction)("permission.attach_files"))

    def clock(self, guild_id: int, game: str) -> str:
        """The key of the clock of a match in a server whose host names none."""
        if is_chat(guild_id) and GAMES[game].info.turn_clock:
            return CLOCK_OF_CHATS
        own = self.server_settings.of(guild_id).defaults_of(game).clock if GAMES[game].info.turn_clock else ""
        return own or self.default_clock

    async def read(
        self,
        interaction: Interaction,
        game: str,
        given: dict[str, Any],
        *,
        direct: bool = False,
        chat: bool = False,
        chosen_for: int = 0,
    ) -> Terms:
        """The terms that a command names: the preset's options, or the server's defaults, with the options that were
        given.

        Where the bot chooses, `chosen_for` is the number of players: what the server has no preset for is then as
        recommended (C-11). `direct` allows direct messages with the bot, and `chat` chats without it, where nobody gets
        a notice of their turn, so that games of turns are slow there. Raises Refused if no match can be played
        here, or if the options do not fit together.
        """
        guild_id, channel_id = await self.check_begin(interaction, game, direct=direct, chat=chat)
        words = translations_for(interaction)
        clock = given.pop("clock", None)
        time_control_key = self.clock(guild_id, game) if clock is None else read_time_control(clock, words).key
        in_thread, _ = self.own_threads.thread_or_reason(interaction, given.pop("thread", None))
        info = GAMES[game].info
        if is_chat(guild_id):
            check_slow(game, time_control_key)
        defaults = self.server_settings.of(guild_id).defaults_of(game)
        base = defaults.base(game, given.pop("preset", None), info.recommended_for(chosen_for) if chosen_for else "")
        stand_in = _stand_in(given.pop("stand_in", None) or defaults.stand_in)
        known = takes(info.options)
        picked = {
            name: _read(game, name, known[name], value, words) for name, value in given.items() if value is not None
        }
        with checked_options():
            options = replace(base, **picked)
        return Terms(guild_id, channel_id, game, options, time_control_key, in_thread, stand_in)

    async def of_panel(self, interaction: Interaction, panel: Panel) -> Terms:
        """The terms that a panel describes. Raises Refused as `read` does."""
        guild_id, channel_id = await self.check_begin(interaction)
        clock = panel.clock if GAMES[panel.key].info.turn_clock else self.clock(guild_id, panel.key)
        in_thread, _ = self.own_threads.thread_or_reason(interaction, None)
        with checked_options():
            options = panel.chosen()
        return Terms(guild_id, channel_id, panel.key, options, clock, in_thread, panel.stand_in, panel.best_of)


@dataclass(slots=True, eq=False)
class Challenges:
    """Challenges people and opens tables."""

    posts: InvitationPosts
    server_settings: KnownServerSettings

    async def send(self, interaction: Interaction, terms: Terms, opponent: User) -> None:
        """Challenge somebody in the channel of the interaction. Raises Refused with the reason if that is not
        possible."""
        check_opponent(interaction, opponent)
        if 2 not in GAMES[terms.game].info.seats:
            raise Refused("challenge.not_for_two", game=terms.game)
        if not may_play(self.server_settings, terms.guild_id, opponent):
            raise Refused("challenge.takes_none", player=mention(opponent.id))
        await self.posts.invite(interaction, Proposal(terms, interaction.user.id, (opponent.id,)), opponent)

    async def open_table(self, interaction: Interaction, terms: Terms, *, private: bool, reliable: bool) -> None:
        """Open a table that others can join. Raises Refused with the reason if that is not possible."""
        proposal = Proposal(terms, interaction.user.id, kind=InvitationKind.TABLE, private=private, reliable=reliable)
        await self.posts.invite(interaction, proposal)


@dataclass(slots=True, eq=False)
class ChallengePanel(Capability):
    """The panel *Challenge…* in a member's menu: it offers what a challenge can have, and sends it."""

    verbs = Verbs()

    challenges: Challenges
    terms: TermsReader
    members: Members
    own_threads: OwnThreads
    wording: Wording
    server_settings: KnownServerSettings
    default_clock: str
    _opening: OneAtATime = field(default_factory=OneAtATime, init=False)

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        async def challenge(interaction: Interaction, member: discord.User) -> None:
            await self.terms.check_begin(interaction)
            check_opponent(interaction, member)
            guild_id = interaction.guild_id or 0
            defaults = self.server_settings.of(guild_id).defaults_of
            panel = Panel.first(member.id, time_control(self.default_clock), defaults)
            await self._show(interaction, guild_id, panel, "panel", member)

        return (app_commands.ContextMenu(name=say("command.menu"), callback=challenge, **IN_SERVERS),)

    @verbs("setup")
    async def _set_up(self, press: ComponentPress) -> None:
        guild_id, panel = press.interaction.guild_id or 0, Panel.read(press.arg)
        member = await self.members.fetch(guild_id, panel.user_id)  # a press names nobody, and the panel stores nobody
        if member is None:
            raise Refused("challenge.absent")
        await self._show(press.interaction, guild_id, panel, press.target, member)

    async def _show(
        self, interaction: Interaction, guild_id: int, panel: Panel, target: str, member: discord.abc.User
    ) -> None:
        words, settings = translations_for(interaction), self.server_settings.of(guild_id)
        (name,) = await self.wording.loaded(guild_id, [panel.user_id], words, member)
        named, may_save = settings.named(panel.key), may_host(self.server_settings, interaction)
        screen = panel_screen(panel, name, words, settings.defaults_of, named, may_save=may_save)
        await reply_private(interaction, screen, target)

    @verbs("send", writes=Whose.INVITED)
    async def _send(self, press: ComponentPress) -> None:
        """Send the challenge that a panel describes. Raises Refused with the reason if that is not possible."""
        interaction, panel = press.interaction, Panel.read(press.arg)
        guild_id, _ = await self.terms.check_begin(interaction)
        opponent = await self.members.fetch(guild_id, panel.user_id)
        if opponent is None:
            raise Refused("challenge.absent")
        terms = await self.terms.of_panel(interaction, panel)
        await self.challenges.send(interaction, terms, opponent)
        await self.own_threads.explain(interaction, None)

    @verbs("opentable")
    async def _open_one_table(self, press: ComponentPress) -> None:
        await self._opening.do(press.interaction, self._open_table(press))

    async def _open_table(self, press: ComponentPress) -> None:
        """Open a table that others can join, with what a panel describes. It is for one match; a host who has
        picked a series reads that."""
        terms, say = await self.terms.of_panel(press.interaction, Panel.read(press.arg)), press.words
        await self.challenges.open_table(press.interaction, terms, private=False, reliable=False)
        if terms.best_of > 1:
            await press.reply_text(say("panel.value", option=say("series.name"), value=say("series.1")))
        await self.own_threads.explain(press.interaction, None)


async def check_venue(
    server_settings: KnownServerSettings,
    interaction: Interaction,
    game: str = "",
    *,
    direct: bool = False,
    chat: bool = False,
) -> tuple[int, int]:
    """The ids of a command's venue and channel, if a match can be played there.

    `direct` allows direct messages with the bot, and other chats that belong to no server; where it doesn't, a refusal
    there says what can be played of the `game`. `chat` allows chats of people that the bot isn't in, each of which is
    a venue of its own, and goes before `direct`. Raises Refused outside servers, in the wrong kind of channel, where
    the settings allow no games, if the bot lacks a permission, and in a private thread that the bot is not in.
    """
    channel = interaction.channel
    if interaction.guild_id is None and interaction.channel_id is not None:
        here = chat_of(interaction) if chat else None
        if here is not None and interaction.client.store.serves.includes(here):
            return here, interaction.channel_id
        venue = venue_id_of(interaction)
        if direct and interaction.client.store.serves.includes(venue):
            return venue, interaction.channel_id
        if levels_of(game):
            raise Refused("place.practice_here", game=game)
    if interaction.guild_id is None or channel is None:
        raise Refused("place.not_a_server")
    if channel.type not in SUPPORTED_CHANNELS:
        raise Refused("place.channel_type")
    in_thread = isinstance(channel, discord.Thread)
    check_allowed(server_settings, interaction)
    granted = interaction.app_permissions
    sending = "send_messages_in_threads" if in_thread else "send_messages"
    needed = ("view_channel", sending, "embed_links", "read_message_history")
    missing = [name for name in needed if not getattr(granted, name)]
    if missing:
        say = translations_for(interaction)
        raise Refused("place.permission", missing=say.all_of(say(f"permission.{name}") for name in missing))
    if isinstance(channel, discord.Thread) and channel.locked and not granted.manage_threads:
        raise Refused("place.thread_locked")
    if channel.type is discord.ChannelType.private_thread and not await _is_in_thread(interaction, channel.id):
        raise Refused("place.private_thread")
    return interaction.guild_id, channel.id


def check_slow(game: str, clock: str) -> None:
    """Raise Refused for a clock of fast turns. A race has none: who plays it is there, and presses."""
    if GAMES[game].info.turn_clock and not time_control(clock).slow:
        raise Refused("place.slow_only")


def check_bot_posts(interaction: Interaction) -> None:
    """Raise Refused in chats that the bot isn't in: it answers there in private alone."""
    if is_without_bot(interaction):
        raise Refused("place.without_bot")


def check_allowed(server_settings: KnownServerSettings, interaction: Interaction) -> None:
    """Raise Refused in a channel where the server's settings allow no games."""
    channel = interaction.channel
    if channel is None or interaction.guild_id is None:
        return  # direct messages have no settings
    settings = server_settings.of(interaction.guild_id)
    parent = channel.parent_id if isinstance(channel, discord.Thread) else None
    if not settings.allows(channel.id, parent):
        named = " · ".join(f"<#{each}>" for each in settings.channels[:MOST_NAMED])
        raise Refused("place.not_allowed", channels=named)


def check_roles(server_settings: KnownServerSettings, interaction: Interaction) -> None:
    """Raise Refused if the roles of somebody don't let them play in a server."""
    if interaction.guild_id is not None and not may_play(server_settings, interaction.guild_id, interaction.user):
        raise Refused("place.roles")


def may_play(server_settings: KnownServerSettings, guild_id: int, user: User) -> bool:
    """Whether the roles of a member let them play."""
    settings = server_settings.of(guild_id)
    if not settings.roles and not settings.excluded_roles:
        return True  # a lean press reads no roles then
    return settings.admits(role_ids(user, guild_id))


async def _is_in_thread(interaction: Interaction, thread_id: int) -> bool:
    """Whether the bot can post in a private thread and edit there.

    There, an application's permissions say nothing: it can answer commands, but its own token opens the thread only to
    members and with Manage Threads. So Discord is asked.
    """
    try:
        await interaction.client.fetch_channel(thread_id)
    except (discord.Forbidden, discord.NotFound):
        return False
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        _log.info("a private thread could not be asked for: %s", type(error).__name__)
    return True


def check_opponent(interaction: Interaction, opponent: User) -> None:
    """Raise Refused for a person who cannot be challenged."""
    if opponent.id == interaction.user.id:
        raise Refused("challenge.yourself")
    if opponent.id == interaction.application_id:
        raise Refused("challenge.this_bot")
    if opponent.bot:
        raise Refused("challenge.a_bot")
    if interaction.guild_id is not None and not isinstance(opponent, discord.Member):  # who is in a chat, nobody says
        raise Refused("challenge.absent")


def _stand_in(value: str) -> StandIn:
    """What an option says of absent seats. Raises Refused for a word that is not among its choices."""
    try:
        return StandIn(value)
    except ValueError:
        raise Refused("press.not_offered") from None


def _read(game: str, name: str, taken: Takes, value: Any, words: Translations) -> Any:
    """The value of an option as Discord sent it; a number or none comes as text. Raises Refused."""
    if isinstance(taken, Number) and taken.or_none:
        return read_limit(game, name, taken, value, words)
    return value


@dataclass(slots=True, eq=False)
class SavedPresets(Capability):
    """*Save as…* on the panel, and the form that it opens. What is saved is a setting of the server."""

    verbs = Verbs()

    server_settings: KnownServerSettings
    _saving: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    """Held from the look at what there is until one more is saved, so that two at once don't exceed the limit."""

    @verbs("saveas")
    async def _ask(self, press: ComponentPress) -> None:
        check_may_host(self.server_settings, press.interaction)
        if not await open_form(press.interaction, preset_form(Panel.read(press.arg), press.words), press.target):
            await press.reply_text(press.words("press.form_late"))

    @verbs("savedas")
    async def _save(self, press: ComponentPress) -> None:
        """Save a preset, in place of one of that name. Raises Refused with the reason if that is not possible."""
        check_may_host(self.server_settings, press.interaction)
        panel = Panel.read(press.arg)
        typed = plain_title(custom_ids.read_typed(dict(press.interaction.data or {})))
        if not typed:
            raise Refused("preset.no_name")
        with checked_options():
            panel.chosen()
        async with self._saving:
            known = self.server_settings.of(press.server_id).presets
            name = next((each for each in known if each.casefold() == typed.casefold()), typed)
            if name not in known and len(known) >= MOST_PRESETS:
                raise Refused("preset.too_many", most=MOST_PRESETS)
            value = panel.named(name).write()
            await self.server_settings.change(press.server_id, press.user_id, f"{PRESETS}{name}", value)
        await press.reply_text(press.words("preset.saved", name=safe_title(name)))
