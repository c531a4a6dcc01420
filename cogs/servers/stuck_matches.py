"""Other people's matches: which of them a moderator may call off and bring back, and how that is recorded."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from bot.games import game_title
from bot.play.holds import HOLD, Holds
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_registry import MatchRegistry
from bot.play.quarantine import QuarantinedMatch
from bot.play.refusals import Refused, Unsaved
from bot.play.server_settings import Act, Enders, KnownServerSettings
from bot.store.errors import StoreError
from bot.store.queries.matches import Suspension
from bot.ui.catalogue import Translations
from cogs.interactions.responses import Interaction
from cogs.interactions.venues import server_of
from cogs.servers.screens import StuckMatch
from cogs.wording import Wording

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OthersMatch:
    """A match in play, or one in quarantine: what both have."""

    id: str
    guild_id: int
    channel_id: int
    game: str
    seats: tuple[int, ...]
    found: LiveMatch | QuarantinedMatch

    @property
    def is_called_off(self) -> bool:
        """Whether a moderator has called it off, and it has not ended yet."""
        return isinstance(self.found, LiveMatch) and self.found.suspended is Suspension.MODERATED

    @property
    def stopped(self) -> bool:
        """Whether an error has stopped it."""
        return not isinstance(self.found, LiveMatch) or self.found.failed is not None


@dataclass(frozen=True, slots=True)
class Moderator:
    """Where a moderator may end matches: in a whole server, or in one channel of it."""

    user_id: int
    guild_id: int
    channel_id: int | None

    @property
    def manages_server(self) -> bool:
        """Whether they may do so in the whole server, and bar people from it."""
        return self.channel_id is None

    def is_for(self, channel_id: int) -> bool:
        """Whether they are a moderator of this channel."""
        return self.channel_id in (None, channel_id)

    def may_end(self, match: OthersMatch) -> bool:
        """Whether they may end a match in their place. A player of it could get out of a defeat, so they may only where
        an error has stopped it."""
        return self.user_id not in match.seats or match.stopped


@dataclass(slots=True, eq=False)
class OthersMatches:
    """The matches of other people, for moderators."""

    matches: MatchRegistry
    lifecycle: MatchLifecycle
    holds: Holds
    server_settings: KnownServerSettings
    wording: Wording

    def moderator(self, interaction: Interaction) -> Moderator:
        """The person of an interaction, as a moderator. Raises Refused if they are none, or if nobody may end matches
        here but their players.

        Discord shows the commands to some members only, but a server can change that, and anybody can send a press.
        """
        guild_id, granted = server_of(interaction), interaction.permissions
        enders = self.server_settings.of(guild_id).enders
        if not granted.manage_guild and not granted.manage_messages:
            raise Refused("stuck.not_yours")
        if enders is Enders.PLAYERS:
            raise Refused("stuck.not_allowed")
        if not granted.manage_guild and enders is not Enders.MODERATORS:
            raise Refused("stuck.not_yours")
        return Moderator(interaction.user.id, guild_id, None if granted.manage_guild else interaction.channel_id)

    # ------------------------------------------------------------------------------------ finding

    async def of(self, moderator: Moderator, player: int | None = None) -> list[OthersMatch]:
        """The matches in a moderator's venue that are not over, without those that are played alone, which end by
        themselves: those of a player, or all. The oldest come first. Raises StoreError."""
        guild_id = moderator.guild_id
        await self.matches.bring_in_server(guild_id)
        playing = [
            OthersMatch(live.id, guild_id, live.channel_id, live.game.info.key, live.seats, live)
            for live in self.matches.with_boards(guild_id)
            if not live.over
        ]
        rows = [(each, each.row) for each in self.matches.quarantined(guild_id=guild_id) if not each.row.alone]
        stopped = [OthersMatch(row.id, guild_id, row.channel_id, row.game, row.seats, each) for each, row in rows]
        return [
            match
            for match in (*playing, *stopped)
            if moderator.is_for(match.channel_id) and (player is None or player in match.seats)
        ]

    async def get(self, interaction: Interaction, match_id: str) -> OthersMatch:
        """The match with this id. Raises Refused if the person of an interaction may not end it."""
        moderator = self.moderator(interaction)
        everywhere = Moderator(moderator.user_id, moderator.guild_id, None)
        match = next((each for each in await self.of(everywhere) if each.id == match_id), None)
        if match is None:
            raise Refused("refusal.match_over")
        if not moderator.is_for(match.channel_id):
            raise Refused("stuck.not_here")
        if not moderator.may_end(match):
            raise Refused("stuck.playing")
        return match

    async def listed(self, match: OthersMatch, words: Translations) -> StuckMatch:
        """A match in words. Raises StoreError."""
        names = await self.wording.loaded(match.guild_id, match.seats, words)
        ends_at = None
        if match.is_called_off and isinstance(match.found, LiveMatch):
            ends_at = match.found.suspended_at + HOLD
        if not isinstance(match.found, LiveMatch) or match.found.inactive:
            state = words("stuck.on_hold")
        else:
            awaited = [names[seat] for seat in sorted(match.found.awaited)]
            state = words("stuck.waits", players=words.all_of(awaited)) if awaited else words("stuck.plays")
        return StuckMatch(match.id, game_title(match.game), names, state, ends_at)

    # ------------------------------------------------------------------------------------ calling off

    async def call_off(self, match: OthersMatch) -> None:
        """Hold a match, which then ends; one that an error has stopped ends at once. Raises Refused and Unsaved."""
        if isinstance(match.found, LiveMatch):
            await self.holds.hold(match.found)
            if match.stopped:
                await self.lifecycle.end_held(match.found)
        else:
            await self.lifecycle.end_quarantined(match.found)
            _log.info("match %s is called off by a moderator", match.id)

    async def call_off_in_play(self, match: OthersMatch) -> bool:
        """The same. Returns False, and raises nothing, if it has just ended."""
        try:
            await self.call_off(match)
        except Unsaved:
            raise
        except Refused:
            return False
        return True

    async def bring_back(self, match: OthersMatch) -> bool:
        """Take back that a match was called off. Returns whether it was, and had not ended. Raises Unsaved."""
        return isinstance(match.found, LiveMatch) and await self.holds.release(match.found)

    async def record(
        self, moderator: Moderator, act: Act, former: str = "", value: str = "", *, about: int | None = None
    ) -> None:
        """Record what a moderator has done. It stays done if that can't be saved."""
        try:
            await self.server_settings.note_act(moderator.guild_id, moderator.user_id, act, former, value, about=about)
        except (Unsaved, StoreError) as error:
            _log.warning("what a moderator did could not be recorded: %s", type(error).__name__)
