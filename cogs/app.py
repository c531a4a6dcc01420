"""What the cogs share: matches and their screens, translations and names.

Each game's cog registers its presenter here.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
from collections.abc import Callable, Iterable, Sequence

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
from bot.play.daily.results import streak
from bot.play.invitations import Invitations
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.refusals import Refused
from bot.play.replays.open_replays import OpenReplays
from bot.play.servers.elsewhere import Elsewhere
from bot.play.servers.known import KnownServerSettings
from bot.play.servers.season_firsts import SeasonFirsts
from bot.play.servers.settings import BoardCards
from bot.scheduler import Scheduler
from bot.store.computer_ids import is_computer, level_of
from bot.store.errors import StoreError
from bot.store.rows.daily import DailyAttempt
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.rows.matches import MatchRow, SavedMatch
from bot.ui.card_styles import CardStyle
from bot.ui.catalogue import Translations, translations
from bot.ui.display_names import DisplayNames
from bot.ui.preferences import SHARED_FOR, Preferences
from bot.ui.screen import Screen
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction
from cogs.screens.board import board_screen
from cogs.screens.cards.forms import CardForms
from cogs.screens.daily.channel_message import GameOfDay, channel_message
from cogs.screens.invitation import invitation_screen
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.safe_names import safe_name, safe_names
from cogs.updates import edit_queue
from cogs.updates.channel_messages import ChannelMessages, DiscordMessages
from cogs.updates.edit_queue import EditQueue
from cogs.updates.hand_messages import DiscordHands, HandMessages
from cogs.updates.interaction_edits.board_tokens import BoardTokens
from cogs.updates.interaction_edits.requests import DiscordTokenEdits
from cogs.updates.match_threads import DiscordThreads, MatchThreads
from cogs.updates.screen_updates import ScreenUpdates
from engines.game import Seat

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
        self.invitations = invitations
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
        self.threads: MatchThreads = DiscordThreads(client)
        self.messages: ChannelMessages = DiscordMessages(client) if messages is None else messages
        self.updates = ScreenUpdates(
            self.messages,
            DiscordHands(client, client.card_emojis.refused) if hand_messages is None else hand_messages,
            self.store,
            EditQueue(edit_queue.SPACING, client.rate_limiter.edits_per_second, scheduler, client.telemetry),
            BoardTokens(DiscordTokenEdits(client), scheduler, enabled=self.settings.interaction_edits),
            presenters=self.presenters,
            board=self.board_screen,
            invitation=self.invitation_screen,
            reader=self.public_reader,
            seat_reader=self.reader_on,
            server_name=self.server_name,
            words=self.translations_of_server,
            open_invitation=invitations.open_by_id,
            playing=registry.playing,
            clock=clock,
            scheduler=scheduler,
            lifecycle=lifecycle,
            notice_after=self.settings.notice_after_seconds,
            access=self.access,
            board_shown=(lambda _match, _seen: None) if computers is None else computers.board_shown,
            daily_message=self.daily_message,
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
        ended = await self.lifecycle.restorer.begin()
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

            await self.lifecycle.restorer.run(self._load_people, show)
            for held in self.matches.quarantined_everywhere():
                self.updates.not_restored(held.row.id)
            restored()
            self.updates.edit_queue.release_repairs()
            async for match in self.lifecycle.restorer.ended(ended):
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

    # ------------------------------------------------------------------------------------ translations and names

    def translations_for(self, interaction: Interaction) -> Translations:
        """The translations for the person who pressed."""
        return translations(str(interaction.locale))

    def translations_of_server(self, guild_id: int) -> Translations:
        """The translations for a server; for the default language if the server is not known."""
        guild = self._client.get_guild(guild_id)
        return translations(str(guild.preferred_locale) if guild else self.settings.language)

    def server_name(self, guild_id: int) -> str:
        """What a server is called; empty if it is not known."""
        guild = self._client.get_guild(guild_id)
        return guild.name if guild else ""

    def name(self, guild_id: int, user_id: int, words: Translations) -> str:
        """A player's name, safe to show."""
        return safe_name(self._called(guild_id, user_id, words), user_id)

    def names(self, guild_id: int, user_ids: Iterable[int], words: Translations) -> tuple[str, ...]:
        """The names of players who are shown together, safe to show and all different."""
        return safe_names(tuple((self._called(guild_id, user, words), user) for user in user_ids))

    def _called(self, guild_id: int, user_id: int, words: Translations) -> str:
        """What a player is called: a computer by its level, in the reader's language."""
        if is_computer(user_id):
            return words("computer.name", level=words(f"computer.level.{level_of(user_id)}"))
        return self.display_names.name(guild_id, user_id)

    def public_reader(self, match: LiveMatch) -> Reader:
        """Everybody in the match's server, as a reader without a seat."""
        words = self.translations_of_server(match.guild_id)
        cards = self.card_forms.of(match.game.info.key, self.board_style(match.guild_id), words)
        return Reader(words, self.names(match.guild_id, match.seats, words), cards=cards)

    def reader_on(self, match: LiveMatch, seat: Seat, words: Translations) -> Reader:
        """The player on a seat, who reads this language. Their preferences and the players' names must be loaded."""
        cards = self.card_forms.of(match.game.info.key, self.card_style(match.seats[seat]), words)
        return Reader(words, self.names(match.guild_id, match.seats, words), seat, cards)

    def card_style(self, user_id: int) -> CardStyle:
        """How a person reads cards in private, if that is loaded (`bot.ui.preferences`)."""
        return self.preferences.card_style(user_id)

    def board_style(self, guild_id: int) -> CardStyle:
        """How cards are written for everybody in a server."""
        as_text = self.server_settings.of(guild_id).board_cards is BoardCards.TEXT
        return CardStyle.TEXT if as_text else CardStyle.EMOJIS

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

    def board_screen(self, match: LiveMatch) -> Screen:
        """A match's board as everybody sees it. The names of its players must be loaded or remembered."""
        return board_screen(match, self.presenters[match.game.info.key], self.public_reader(match))

    async def daily_message(
        self, guild_id: int, day: int, told: Sequence[DailyAttempt], attempts: Sequence[DailyAttempt]
    ) -> Screen:
        """What a channel reads about a server's deals of a day: of these attempts, and of all. Raises StoreError."""
        await self.display_names.load(guild_id, {each.user_id for each in told})
        words = self.translations_of_server(guild_id)
        users = tuple(dict.fromkeys(each.user_id for each in told))
        games = []
        for game in dict.fromkeys(each.game for each in attempts):
            deal = await self.store.daily_deal(guild_id, game, day)
            here = [each for each in told if each.game == game]
            if deal is not None and here:
                games.append(GameOfDay(game, deal.level, here, [each for each in attempts if each.game == game]))
        streaks = {
            each.match_id: streak(await self.store.days_finished(guild_id, each.game, each.user_id), day)
            for each in told
        }
        names = dict(zip(users, self.names(guild_id, users, words), strict=True))
        return channel_message(games, day, streaks, names, words)

    def invitation_screen(self, invitation: Invitation, state: InvitationState) -> Screen:
        """An invitation as its channel sees it. The names of its people must be loaded or remembered."""
        words = self.translations_of_server(invitation.guild_id)
        presenter = self.presenters.get(invitation.game)
        head_to_head = self.invitations.head_to_head(invitation.id)
        names = self.invitation_names(invitation, words)
        return invitation_screen(invitation, state, presenter, words, names, head_to_head=head_to_head)

    def invitation_names(self, invitation: Invitation, words: Translations) -> Callable[[int], str]:
        """The names of those in an invitation, safe to show and all different. They must be loaded or remembered."""
        people = tuple(dict.fromkeys((invitation.host_id, *invitation.seated, *invitation.invited)))
        return dict(zip(people, self.names(invitation.guild_id, people, words), strict=True)).__getitem__

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

    async def load_names(self, invitation: Invitation) -> None:
        """Load the names of an invitation's people."""
        await self.display_names.load(
            invitation.guild_id, (invitation.host_id, *invitation.invited, *invitation.seated)
        )

    async def seat_reader(self, interaction: Interaction, match: LiveMatch, seat: Seat | None) -> Reader:
        """The person who pressed, as the reader on their seat (None: no seat)."""
        await self.display_names.load(match.guild_id, match.seats)
        await self.preferences.load((interaction.user.id,))
        words = self.translations_for(interaction)
        if seat is not None:
            return self.reader_on(match, seat, words)
        cards = self.card_forms.of(match.game.info.key, self.card_style(interaction.user.id), words)
        return Reader(words, self.names(match.guild_id, match.seats, words), seat, cards)

    async def remember_names(self, interaction: Interaction, *others: discord.abc.User) -> None:
        """Remember the names of the people in an interaction."""
        for user in (interaction.user, *others):
            await self.display_names.remember(place_id_of(interaction), user.id, user.display_name)


async def _member(guild: discord.Guild, user_id: int) -> discord.Member | None:
    try:
        return await guild.fetch_member(user_id)
    except discord.NotFound:
        return None
