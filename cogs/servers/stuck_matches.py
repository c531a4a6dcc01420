"""The command /calloff: moderators end a match that is stuck, without a winner, if the server's settings allow it."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass

from discord import app_commands

from bot.games import game_title
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_registry import MatchRegistry
from bot.play.quarantine import QuarantinedMatch
from bot.play.refusals import AlreadyMade, Refused, Unsaved
from bot.play.server_settings import Enders, KnownServerSettings
from bot.store.errors import StoreError
from bot.ui.catalogue import Translations
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions.places import in_servers, server_of
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.screens import custom_ids
from cogs.servers.screens import STUCK, StuckMatch, ask_screen, stuck_screen
from cogs.wording import Wording

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Match:
    """A match in play, or one in quarantine: what both have."""

    id: str
    guild_id: int
    channel_id: int
    game: str
    seats: tuple[int, ...]
    found: LiveMatch | QuarantinedMatch


@dataclass(frozen=True, slots=True)
class _Moderator:
    """Where a moderator may end matches: in a whole server, or in one channel of it."""

    user_id: int
    guild_id: int
    channel_id: int | None

    def may_end(self, match: _Match) -> bool:
        """Whether it is one of those."""
        return match.guild_id == self.guild_id and self.channel_id in (None, match.channel_id)


@dataclass(slots=True, eq=False)
class StuckMatches(Capability):
    """The command `/calloff` and its controls."""

    verbs = Verbs()

    matches: MatchRegistry
    lifecycle: MatchLifecycle
    server_settings: KnownServerSettings
    wording: Wording

    @verbs("stuck")
    async def _list(self, press: ComponentPress) -> None:
        await self._show(press.interaction, custom_ids.read_page(press.arg))

    @verbs("stuckask")
    async def _ask(self, press: ComponentPress) -> None:
        match = await self._match_to_end(press.interaction, press.arg)
        words = press.words
        await press.reply(ask_screen(await self._listed(match, words), words), match.id)

    @verbs("stuckend")
    async def _end(self, press: ComponentPress) -> None:
        match = await self._match_to_end(press.interaction, press.target)
        if isinstance(match.found, LiveMatch):
            with suppress(AlreadyMade):  # this very press has done it, and its answer was lost
                await press.changes.end_by_moderator(match.found)
        else:
            await self.lifecycle.end_quarantined(match.found)
        _log.info("match %s is called off by a moderator", match.id)
        try:
            await self.server_settings.note_ended(match.guild_id, press.user_id, match.id, match.game)
        except (Unsaved, StoreError) as error:
            _log.warning("who called off match %s could not be saved: %s", match.id, type(error).__name__)
        await self._show(press.interaction, 0, press.words("stuck.done"))

    def _commands(self, say: Translations) -> tuple[Command, ...]:
        @in_servers
        @app_commands.default_permissions(manage_messages=True)
        @app_commands.command(name="calloff", description=say("command.calloff"))
        async def calloff(interaction: Interaction) -> None:
            await self._show(interaction, 0)

        return (calloff,)

    async def _show(self, interaction: Interaction, page: int, note: str = "") -> None:
        """Answer with a page of the matches that the reader may end: those of this channel first, the oldest first."""
        moderator, words = self._moderator(interaction), translations_for(interaction)
        mine = [match for match in await self._unfinished(moderator.guild_id) if moderator.may_end(match)]
        mine.sort(key=lambda match: match.channel_id != interaction.channel_id)
        listed = [await self._listed(match, words) for match in mine]
        screen = stuck_screen(listed, page, words, here=moderator.channel_id is not None, note=note)
        await reply_private(interaction, screen, STUCK)

    def _moderator(self, interaction: Interaction) -> _Moderator:
        """The person of an interaction, as a moderator. Raises Refused if they are none, or may not end matches
        here."""
        guild_id, granted = server_of(interaction), interaction.permissions
        if not granted.manage_guild and not granted.manage_messages:
            raise Refused("stuck.not_yours")
        if self.server_settings.of(guild_id).enders is not Enders.MODERATORS:
            raise Refused("stuck.not_allowed")
        where = None if granted.manage_guild else interaction.channel_id
        return _Moderator(interaction.user.id, guild_id, where)

    async def _unfinished(self, guild_id: int) -> list[_Match]:
        """All matches of a server that are not over, without attempts at a deal of the day, which end with their day.

        Raises StoreError.
        """
        await self.matches.bring_in_server(guild_id)
        playing = [
            _Match(live.id, guild_id, live.channel_id, live.game.info.key, live.seats, live)
            for live in self.matches.with_boards(guild_id)
            if not live.over
        ]
        rows = [(held, held.row) for held in self.matches.quarantined(guild_id=guild_id) if held.row.day is None]
        return [*playing, *(_Match(row.id, guild_id, row.channel_id, row.game, row.seats, held) for held, row in rows)]

    async def _match_to_end(self, interaction: Interaction, match_id: str) -> _Match:
        """The match with this id. Raises Refused if the person of an interaction may not end it.

        A player of the match could get out of a defeat, so they may do it only where an error has stopped the match.
        """
        moderator = self._moderator(interaction)
        match = next((each for each in await self._unfinished(moderator.guild_id) if each.id == match_id), None)
        if match is None:
            raise Refused("match.over")
        if not moderator.may_end(match):
            raise Refused("stuck.not_here")
        stopped = not isinstance(match.found, LiveMatch) or match.found.failed is not None
        if moderator.user_id in match.seats and not stopped:
            raise Refused("stuck.playing")
        return match

    async def _listed(self, match: _Match, words: Translations) -> StuckMatch:
        names = await self.wording.loaded(match.guild_id, match.seats, words)
        if not isinstance(match.found, LiveMatch) or match.found.inactive:
            state = words("stuck.on_hold")
        else:
            awaited = [names[seat] for seat in sorted(match.found.awaited)]
            state = words("stuck.waits", players=words("names.and").join(awaited)) if awaited else words("stuck.plays")
        return StuckMatch(match.id, game_title(match.game), names, state)
