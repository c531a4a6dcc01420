"""What the cogs share: matches and their screens, translations and names.

Each game's cog registers its presenter here.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
from collections.abc import Callable, Sequence

import discord

from bot import error_numbers
from bot.computers.reviewer import InLoop, Reviewer
from bot.games import GAMES
from bot.gateway.client import CardroomClient
from bot.play.access import Access, OpenToAll
from bot.play.clocks.match_clock import MatchClock
from bot.play.computers.seats import ComputerSeats
from bot.play.daily.daily_matches import DailyMatches
from bot.play.daily.days import begins_at
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.matchmaking.inviting import Inviting
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import Refused
from bot.play.replays.open_replays import OpenReplays
from bot.play.restoring.restorer import MatchRestorer
from bot.play.servers.elsewhere import Elsewhere
from bot.play.servers.known import KnownServerSettings
from bot.play.servers.season_firsts import SeasonFirsts
from bot.scheduler import Scheduler
from bot.store.errors import StoreError
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.rows.matches import MatchRow, SavedMatch
from bot.ui.display_names import DisplayNames
from bot.ui.preferences import SHARED_FOR, Preferences
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction
from cogs.public_screens import PublicScreens
from cogs.readers import Readers
from cogs.screens.cards.forms import CardForms
from cogs.screens.presenter import Presenter
from cogs.updates import edit_queue
from cogs.updates.channel_messages import ChannelMessages, DiscordMessages
from cogs.updates.edit_queue import EditQueue
from cogs.updates.hand_messages import DiscordHands, HandMessages
from cogs.updates.interaction_edits.board_tokens import BoardTokens
from cogs.updates.interaction_edits.requests import DiscordTokenEdits
from cogs.updates.match_threads import DiscordThreads, MatchThreads
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Wording

MANY = 250
"""After how many restored matches the callback of `CardroomApp.resume` is called again."""


class CardroomApp:
    """What the cogs share."""

    def __init__(
        self,
        client: CardroomClient,
        registry: MatchRegistry,
        clock: MatchClock,
        lifecycle: MatchLifecycle,
        invitations: Invitations,
        *,
        inviting: Inviting,
        seating: Seating,
        restorer: MatchRestorer,
        presses: MatchPresses,
        daily: DailyMatches,
        scheduler: Scheduler,
        computers: ComputerSeats | None = None,
        reviewer: Reviewer | None = None,
        messages: ChannelMessages | None = None,
        hand_messages: HandMessages | None = None,
        access: Access | None = None,
    ) -> None:
        """`daily` are the deals of the day. `messages` are the channels in which everything is shown, and
        `hand_messages` the private answers; by default those that the client reaches. `access` tells who can see a
        match; without it everybody can. `computers` make the acts of computer players; without them nobody does.
        `reviewer` says what decided a match; by default in the event loop."""
        self._client = client
        self.tree = client.tree
        self.store = client.store
        self.settings = client.settings
        self.matches = registry
        self.clock = clock
        self.lifecycle = lifecycle
        self._restorer = restorer
        self.invitations = invitations
        self.inviting = inviting
        self.seating = seating
        self.presses = presses
        self.access = OpenToAll() if access is None else access
        self.daily = daily
        self._computers = computers
        self.reviewer: Reviewer = InLoop() if reviewer is None else reviewer
        self.display_names = DisplayNames(self.store)
        self.now = scheduler.now
        self.server_settings = KnownServerSettings(self.store, scheduler.now)
        self.elsewhere = Elsewhere(self.store, scheduler.now, client.telemetry)
        self._season_firsts = SeasonFirsts(self.store)
        self.replays = OpenReplays(self.store, registry, lambda: begins_at(daily.today()))
        self.preferences = Preferences(self.store, SHARED_FOR if self.store.is_shared else math.inf)
        self.presenters: dict[str, Presenter] = {}
        self._restoring: asyncio.Task[None] | None = None
        self._loaded: set[int] = set()
        """The servers whose players' names were loaded at the start."""
        self.card_forms = CardForms(client.card_emojis.usable)
        self.wording = Wording(client, self.display_names, self.settings.language)
        self.readers = Readers(
            self.wording, self.display_names, self.preferences, self.server_settings, self.card_forms
        )
        self.public_screens = PublicScreens(
            self.presenters,
            self.readers,
            self.wording,
            display_names=self.display_names,
            invitations=invitations,
            store=self.store,
        )
        self.threads: MatchThreads = DiscordThreads(client)
        self.messages: ChannelMessages = DiscordMessages(client) if messages is None else messages
        self.updates = ScreenUpdates(
            self.messages,
            DiscordHands(client, client.card_emojis.refused) if hand_messages is None else hand_messages,
            self.store,
            EditQueue(edit_queue.SPACING, client.rate_limiter.edits_per_second, scheduler, client.telemetry),
            BoardTokens(DiscordTokenEdits(client), scheduler, enabled=self.settings.interaction_edits),
            presenters=self.presenters,
            board=self.public_screens.board,
            invitation=self.public_screens.invitation,
            reader=self.readers.public,
            seat_reader=self.readers.on_seat,
            server_name=self.wording.server_name,
            words=self.wording.of_server,
            open_invitation=invitations.open_by_id,
            playing=registry.playing,
            clock=clock,
            scheduler=scheduler,
            lifecycle=lifecycle,
            notice_after=self.settings.notice_after_seconds,
            access=self.access,
            board_shown=(lambda _match, _seen: None) if computers is None else computers.board_shown,
            daily_message=self.public_screens.results_of_day,
            server_purged=self._forget_server,
            telemetry=client.telemetry,
        )
        client.rate_limiter.count_with(self.updates.edit_queue.count_request)

    async def judge_seasons(self, guild_id: int) -> None:
        """Keep who was first of a server's seasons that have ended since the last time. Raises StoreError."""
        await self._season_firsts.judge(guild_id, self.daily.today(), self.server_settings.of(guild_id).season)

    async def resume(self, restored: Callable[[], None]) -> None:
        """Restore what was open when the last process ended.

        Unfinished matches are restored one by one in the background, and each press waits only for those that it needs;
        `restored` is called when many more are in play, and at the end. Raises StoreError.
        """
        await self.server_settings.load()
        ended = await self._restorer.begin()
        await self.invitations.resume()
        live = {row.id for row in self.matches.waiting.rows()}
        await self.updates.load(live, {row.id for row in ended})
        self.daily.resume()
        self.updates.edit_queue.hold_repairs()
        self._restoring = asyncio.create_task(self._restore(ended, restored))  # presses may come meanwhile
        for invitation in self.invitations.open():
            self.updates.table_notices.opened(invitation)
            if invitation.message_id is None:
                self.updates.postings.find_invitation(invitation, self.invitations.note_message)

    async def _restore(self, ended: Sequence[MatchRow], restored: Callable[[], None]) -> None:
        """Restore all unfinished matches, and show how the last ones ended."""
        try:
            count = itertools.count(1)

            def show(match: LiveMatch, saved: SavedMatch) -> None:
                self._match_restored(match, saved)
                if next(count) % MANY == 0:
                    restored()

            await self._restorer.run(self._load_people, show)
            for held in self.matches.quarantined_everywhere():
                self.updates.not_restored(held.row.id)
            restored()
            self.updates.edit_queue.release_repairs()
            async for match in self._restorer.ended(ended):
                await self._load_people(match)
                self.updates.restore(match)
        except Exception as error:  # noqa: BLE001  nobody awaits this task
            error_numbers.log_error(error, "restoring matches", self._client.telemetry)
        finally:
            self.updates.edit_queue.release_repairs()

    @property
    def is_restored(self) -> bool:
        """Whether everything that a start restores in the background is there."""
        return self._restoring is not None and self._restoring.done()

    async def _load_people(self, match: LiveMatch | MatchRow) -> None:
        """Load the names and preferences of a match's players: with the first match of a server, of all its players."""
        waiting = self.matches.waiting.in_server(match.guild_id)
        seats = (match.seats, *(row.seats for row in waiting)) if match.guild_id not in self._loaded else (match.seats,)
        self._loaded.add(match.guild_id)
        people = tuple({user for each in seats for user in each})
        await self.display_names.load(match.guild_id, people)
        await self.preferences.load(people)

    def _match_restored(self, match: LiveMatch, saved: SavedMatch) -> None:
        self.updates.restore(match, saved)
        if self._computers is not None:
            self._computers.resume((match,))

    def _forget_server(self, guild_id: int) -> None:
        self.display_names.forget_server(guild_id)
        self.server_settings.forget_server(guild_id)

    async def close(self) -> None:
        """Stop the clocks, give the last boards a moment, then stop everything."""
        if self._restoring is not None:
            self._restoring.cancel()
            await asyncio.gather(self._restoring, return_exceptions=True)
        await self.invitations.close()
        await self.daily.close()
        if self._computers is not None:
            await self._computers.close()
        await self.reviewer.close()
        await self.clock.close()
        await self.updates.close()

    def default_clock(self, guild_id: int, game: str) -> str:
        """The key of the clock of a match in a server whose host names none."""
        own = self.server_settings.of(guild_id).defaults_of(game).clock if GAMES[game].info.turn_clock else ""
        return own or self.settings.default_clock

    def show_boards(self, guild_id: int) -> None:
        """Show a server's boards as they are written there now."""
        self.updates.show_boards(self.matches.with_boards(guild_id))

    def show_open_hands(self, user_id: int) -> None:
        """Show somebody's open hands as they prefer to read them now."""
        for match in self.matches.of_player(user_id, None):
            self.updates.open_hands.reader_changed(match, match.seats.index(user_id))

    async def reload_preferences(self, user_id: int) -> None:
        """Read again what somebody prefers, because it was deleted, and show their open hands that way."""
        self.preferences.forget(user_id)
        with contextlib.suppress(StoreError):  # then their next press reads it
            await self.preferences.load((user_id,))
        self.show_open_hands(user_id)

    async def fetch_member(self, guild_id: int, user_id: int) -> discord.Member | None:
        """A member of a server, requested from Discord; None for a person who is not there."""
        guild = self._client.get_guild(guild_id)
        return None if guild is None else await _member(guild, user_id)

    async def fetch_elsewhere(self, guild_id: int, user_id: int) -> tuple[str, bool]:
        """What a server is called that another process serves, and whether a person is there: requested from Discord,
        because this process hears nothing of it. Empty and False for a server that removed the bot."""
        try:
            guild = await self._client.fetch_guild(guild_id, with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return "", False
        return guild.name, await _member(guild, user_id) is not None

    async def find_match(self, interaction: Interaction, match_id: str) -> LiveMatch:
        """A match of the place in which somebody pressed.

        Raises Refused for any other id, and what `MatchRegistry.find` raises.
        """
        match = await self.matches.find(match_id)
        if match is None:
            self._client.foreign_answers.unknown_message(interaction)
        if match is None or match.guild_id != place_id_of(interaction) or self.is_hidden(interaction, match):
            raise Refused("match.unknown")
        return match

    def is_hidden(self, interaction: Interaction, match: LiveMatch | MatchRow) -> bool:
        """Whether a match is an attempt at a closed deal of the day, and the person of an interaction isn't its
        player."""
        return interaction.user.id not in match.seats and self.daily.closed_until(match) is not None

    async def find_invitation(self, interaction: Interaction, invitation_id: str) -> tuple[Invitation, InvitationState]:
        """An invitation of the place in which somebody pressed, and its state. Raises Refused for any other id."""
        found = await self.invitations.find(invitation_id)
        if found is None:
            self._client.foreign_answers.unknown_message(interaction)
        if found is None or found[0].guild_id != place_id_of(interaction):
            raise Refused("challenge.unknown")
        return found


async def _member(guild: discord.Guild, user_id: int) -> discord.Member | None:
    try:
        return await guild.fetch_member(user_id)
    except discord.NotFound:
        return None
