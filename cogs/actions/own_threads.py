"""Gives a match a thread of its own, if its host or the server wants that and there can be one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, TypeAlias, TypeVar

import discord

from bot.games import game_title
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPress
from bot.play.matchmaking.seating import VenueNeeded
from bot.play.server_settings import KnownServerSettings, MatchVenue
from bot.store.queries.invitations import Invitation
from bot.store.special_ids import people
from bot.time_controls import time_control
from bot.ui.isolation import cut_whole
from cogs.interactions.responses import Interaction, reply_text, translations_for
from cogs.screens.safe_names import unescaped
from cogs.updates.channel_messages import NotTaken, Posted, translate_failures
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.wording import Wording

_log = logging.getLogger(__name__)

T = TypeVar("T")

BEGIN_WITHIN: Final = 5.0
"""Seconds that Discord gets to begin a thread; the answer to the press waits for it."""
LONGEST_NAME: Final = 100
SLOW_FROM: Final = 3600
"""From this many seconds per turn, a thread is archived after a week of quiet and not after a day."""
_HAVE_THREADS: Final = frozenset({discord.ChannelType.text, discord.ChannelType.news})
_NEEDED: Final = ("create_public_threads", "send_messages_in_threads")

ArchiveMinutes: TypeAlias = Literal[1440, 10080]
"""Minutes of quiet after which Discord archives a thread: a day or a week."""
THREAD_EXISTS: Final = 160004
"""Discord's error code where a message has a thread already; below it the one where the bot lacks a permission
(https://discord.com/developers/docs/topics/opcodes-and-status-codes#json)."""

NOT_PERMITTED: Final = 50013


@dataclass(slots=True, eq=False)
class OwnThreads:
    """Begins the threads of matches, and adds their players."""

    server_settings: KnownServerSettings
    wording: Wording
    client: discord.Client
    edit_queue: EditQueue

    def wanted(self, guild_id: int) -> bool:
        """Whether a server has matches in threads unless their host chooses otherwise."""
        return self.server_settings.of(guild_id).place is MatchVenue.THREAD

    def thread_or_reason(self, interaction: Interaction, asked: bool | None) -> tuple[bool, str]:
        """Whether the match of an invitation gets a thread, and if it was wanted and can't have one, why not: a key of
        the catalogue. `asked` is what the host chose; None is what the server has set."""
        if not (self.wanted(interaction.guild_id or 0) if asked is None else asked) or interaction.channel is None:
            return False, ""
        if interaction.channel.type not in _HAVE_THREADS:
            return False, "thread.not_here" if asked else ""  # nobody has asked for one here
        if not all(getattr(interaction.app_permissions, name) for name in _NEEDED):
            return False, "thread.no_permission"
        return True, ""

    async def explain(self, interaction: Interaction, asked: bool | None) -> None:
        """Tell the host in private why the match that they have just offered gets no thread, if it was to have one."""
        _, reason = self.thread_or_reason(interaction, asked)
        if reason:
            await reply_text(interaction, translations_for(interaction)(reason))

    async def begin(self, invitation: Invitation, message_id: int) -> int | None:
        """The thread for the match of an invitation, on the invitation's message. None if there can be none."""
        posted = Posted(invitation.channel_id, message_id)
        name = await self._name(invitation.guild_id, invitation.game, invitation.seated)
        try:
            async with asyncio.timeout(BEGIN_WITHIN):
                return await self._make(posted, name, _archived_after(invitation.clock))
        except TimeoutError:
            _log.info("the thread of match %s was not begun in time", invitation.id)
        except NotTaken as error:
            _log.info("the thread of match %s could not be begun (code %d)", invitation.id, error.code)
        return None

    async def begin_alone(self, guild_id: int, channel_id: int, game: str, clock: str, seats: Sequence[int]) -> int:
        """A thread for a match that begins by itself, so without a message, with its first player in it. Raises
        NotTaken, also if the bot may not write there, and StoreError."""
        name, http = await self._name(guild_id, game, seats), self.client.http
        with translate_failures():
            async with asyncio.timeout(BEGIN_WITHIN):
                thread = await http.start_thread_without_message(
                    channel_id, name=name, auto_archive_duration=_archived_after(clock), type=11
                )
        thread_id = int(thread["id"])
        try:
            with translate_failures():
                async with asyncio.timeout(BEGIN_WITHIN):
                    await http.add_user_to_thread(thread_id, seats[0])
        except NotTaken as error:
            if (
                error.code == NOT_PERMITTED
            ):  # adding somebody needs the permission to write there; else it is tried again
                raise
        return thread_id

    async def _name(self, guild_id: int, game: str, seats: Sequence[int]) -> str:
        words = self.wording.of_server(guild_id)
        players = words("board.versus").join(await self.wording.loaded(guild_id, seats, words))
        return cut_whole(unescaped(words("board.title", game=game_title(game), players=players)), LONGEST_NAME)

    async def venue_for(self, invitation: Invitation, message_id: int | None) -> int:
        """Where a match is played that gets a thread: there or, if there can be none, in its invitation's channel."""
        thread = None if message_id is None else await self.begin(invitation, message_id)
        return invitation.channel_id if thread is None else thread

    async def with_venue(
        self,
        begin: Callable[..., Awaitable[T]],
        invitation_id: str,
        user_id: int,
        message_id: int | None,
        press: MatchPress,
    ) -> T:
        """Take a seat or start a match (`begin` is one of `Seating`), with a thread if the match gets one by it."""
        given = invitation_id, user_id, message_id, press
        try:
            return await begin(*given)
        except VenueNeeded as needed:
            invitation = needed.invitation
            return await begin(*given, venue=await self.venue_for(invitation, message_id or invitation.message_id))

    def add_players(self, match: LiveMatch) -> None:
        """Have the players of a match added to its thread, after its board is posted."""
        bucket = ("channel", match.channel_id)
        for user in people(match.seats):
            key = ("added", match.id, user)
            self.edit_queue.request_edit(bucket, key, partial(self._add, match, user), Priority.NOTICE)

    async def _add(self, match: LiveMatch, user: int) -> int:
        try:
            with translate_failures():
                await self.client.http.add_user_to_thread(match.channel_id, user)
        except NotTaken as error:  # they find it by the invitation's link, and a mention adds them
            _log.info("a player could not be added to the thread of match %s (code %d)", match.id, error.code)
        return 1

    async def _make(self, posted: Posted, name: str, archived_after: ArchiveMinutes) -> int:
        """The thread on a message, which is begun unless there is one. It has the message's id. Raises NotTaken."""
        try:
            with translate_failures():
                await self.client.http.start_thread_with_message(
                    posted.channel_id, posted.message_id, name=name, auto_archive_duration=archived_after
                )
        except NotTaken as error:
            if error.code != THREAD_EXISTS:
                raise
        return posted.message_id


def _archived_after(clock: str) -> ArchiveMinutes:
    return 10080 if time_control(clock).turn >= SLOW_FROM else 1440
