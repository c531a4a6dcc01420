"""The command /profile, the same in a member's menu, the button by which somebody shows theirs to everybody, and what
is read for it."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import discord
from discord import app_commands

from bot.games import GAMES
from bot.play.days import Days
from bot.play.match_state import codec
from bot.play.refusals import Refused
from bot.play.seasons import SeasonFirsts
from bot.play.server_settings import KnownServerSettings
from bot.scheduler import begins_at
from bot.store.errors import StoreError
from bot.store.queries.leaderboards import Leaderboard, PageOf, PageRequest, Span
from bot.store.queries.matches import MatchRow, Record
from bot.store.queries.profiles import ComebackSearch, PlayerRecord
from bot.store.queries.standings import Standing
from bot.store.store import Store
from bot.ui.catalogue import Translations
from cogs.actions.challenging import User, check_place
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions.arrivals import RecentPosts
from cogs.interactions.places import IN_SERVERS, in_servers
from cogs.interactions.responses import Interaction, post, reply_private, translations_for
from cogs.screens import profiles
from cogs.screens.additions import GameButtons, Placed
from cogs.screens.custom_ids import UnknownCustomId, read_user
from cogs.screens.endings import COMMON
from cogs.screens.presenter import Presenters
from cogs.screens.profiles import Award, AwardKind, GameRecord, Named, Profile, RatingHistory, Shown, profile_screen
from cogs.wording import Wording

COMMAND: Final = "profile"
LARGEST_ID: Final = 2**63 - 1
"""No id of Discord's is larger, nor any number in the database."""
PAUSE: Final = 60
"""Seconds before somebody may show their profile in a channel again: it is a long message."""


@dataclass(slots=True, eq=False)
class Profiles(Capability):
    """The command `/profile` and its buttons."""

    verbs = Verbs()

    profile_reader: ProfileReader
    wording: Wording
    server_settings: KnownServerSettings
    added: Placed[GameButtons]
    """What rooms add to each profile that is shown in private."""
    _posts: RecentPosts = field(init=False, default_factory=RecentPosts)

    @verbs("profile")
    async def _show(self, press: ComponentPress) -> None:
        """Show the profile that the argument names with the rating in a game; without one the presser's own.

        Raises UnknownCustomId for an argument that no profile offers.
        """
        user_id, _, game = press.arg.partition(".")
        await self._reply(press.interaction, _read_person(user_id) if press.arg else press.user_id, game)

    @verbs("showprofile")
    async def _show_to_everybody(self, press: ComponentPress) -> None:
        """Show the profile of the person who pressed to everybody in the channel, in the server's language.

        Raises Refused where the bot can't post, and if they did the same a moment ago.
        """
        user_id = press.user_id
        guild_id, channel_id = await check_place(self.server_settings, press.interaction)
        claimed = (channel_id, user_id)
        before = self._posts.begin(claimed, press.interaction.created_at.timestamp(), PAUSE)
        if before is not None:
            raise Refused("profile.just_shown", when=f"<t:{round(before) + PAUSE}:R>")
        posted = None
        try:
            words = self.wording.of_server(guild_id)
            profile = await self.profile_reader.read(Asked(guild_id, user_id, user_id, press.arg), words)
            posted = await post(press.interaction, profile_screen(profile, Shown.PUBLIC, words), profiles.SUBJECT, ())
        finally:
            if posted is None:
                self._posts.withdraw(claimed)

    def _commands(self, say: Translations) -> tuple[Command, ...]:
        @in_servers
        @app_commands.command(name=COMMAND, description=say("command.profile"))
        @app_commands.describe(player=say("option.player"))
        async def profile(interaction: Interaction, player: discord.User | None = None) -> None:
            await self.show(interaction, player or interaction.user)

        async def of_member(interaction: Interaction, member: discord.User) -> None:
            await self.show(interaction, member)

        menu = app_commands.ContextMenu(name=say("command.profile_menu"), callback=of_member, **IN_SERVERS)
        return (profile, menu)

    async def show(self, interaction: Interaction, player: User) -> None:
        """Show a profile to the person who asked for it. Raises Refused outside servers and for bots."""
        _server(interaction)
        if player.bot:
            raise Refused("profile.bot")
        present = (player,) if isinstance(player, discord.Member) else ()  # else the name known here is the better one
        await self.wording.remember_names(interaction, *present)
        await self._reply(interaction, player.id)

    async def _reply(self, interaction: Interaction, user_id: int, game: str = "") -> None:
        reader, words = interaction.user.id, translations_for(interaction)
        profile = await self.profile_reader.read(Asked(_server(interaction), user_id, reader, game), words)
        screen = profile_screen(profile, Shown.OWN if user_id == reader else Shown.OTHER, words, self.added)
        await reply_private(interaction, screen, profiles.SUBJECT)


def _read_person(text: str) -> int:
    """The person whom an argument names. Raises UnknownCustomId."""
    user_id = read_user(text)
    if user_id > LARGEST_ID:
        raise UnknownCustomId("no id of Discord's")
    return user_id


def _server(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise Refused("profile.not_a_server")
    return interaction.guild_id


MOST_WINS: Final = 10
"""How many wins one profile looks at: their logs are read and folded. The next profile looks at those after them."""

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Comebacks:
    """Looks for first comebacks among the wins of people."""

    store: Store
    presenters: Presenters

    async def first(self, guild_id: int, user_id: int) -> Award | None:
        """The award for somebody's first comeback in a server, if it was found so far. Raises StoreError."""
        store = self.store
        known = await store.comeback_search(guild_id, user_id)
        search = known
        if search.found is None:
            for number, match_id in await store.wins_after(guild_id, user_id, search.searched, MOST_WINS):
                search = ComebackSearch(number, match_id if await self._is_comeback(match_id, user_id) else None)
                if search.found is not None:
                    break
        if search != known:
            with suppress(StoreError):  # then the next profile looks at the same wins again
                await store.note_comeback_search(guild_id, user_id, search)
        return None if search.found is None else await self._award(search.found)

    async def _award(self, match_id: str) -> Award | None:
        row, result = await self.store.match(match_id), await self.store.result(match_id)
        return None if row is None or result is None else Award(AwardKind.COMEBACK, result.ended_at, row.game)

    async def _is_comeback(self, match_id: str, user_id: int) -> bool:
        row, result = await self.store.match(match_id), await self.store.result(match_id)
        if row is None or result is None or row.game not in GAMES or user_id not in row.seats:
            return False
        if result.kind in COMMON:
            return False  # the game did not decide it: somebody left, or was too slow
        records = await self.store.records(match_id)
        return await asyncio.to_thread(self._judged, row, records, user_id)

    def _judged(self, row: MatchRow, records: list[Record], user_id: int) -> bool:
        game, reading = GAMES[row.game], codec(row.game)
        try:
            facts = [reading.decode_all(record.events) for record in records]
            state = game.start(reading.decode(row.options), len(row.seats))
            return profiles.was_far_behind(game, state, facts, self.presenters[row.game], row.seats.index(user_id))
        except Exception as error:  # noqa: BLE001  a log that can't be read costs an award, and no profile
            _log.warning("match %s can't be searched for a comeback: %s", row.id, type(error).__name__)
            return False


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose profile of a server is read for whom, and the game whose rating is drawn; empty for the one played most."""

    guild_id: int
    user_id: int
    reader: int
    game: str = ""


@dataclass(slots=True, eq=False)
class ProfileReader:
    """Reads profiles, each as its reader may see it."""

    store: Store
    wording: Wording
    days: Days
    server_settings: KnownServerSettings
    seasons: SeasonFirsts
    comebacks: Comebacks

    async def read(self, asked: Asked, words: Translations) -> Profile:
        """A profile as its reader may see it, who may be its owner. Raises StoreError."""
        store, guild_id, user_id, reader = self.store, asked.guild_id, asked.user_id, asked.reader
        games = await _games(store, guild_id, user_id)
        met = await store.most_met(guild_id, user_id, profiles.MOST_OPPONENTS) if reader == user_id else []
        people = [user_id, *(each.user_id for each in met)]
        name, *others = await self.wording.loaded(guild_id, people, words)
        return Profile(
            user_id,
            name,
            await store.player_record(guild_id, user_id) if games else PlayerRecord(),
            games,
            usual=tuple(map(Named, others, met)),
            between=None if reader == user_id else await store.opponent(guild_id, reader, user_id),
            awards=await self._awards(guild_id, user_id),
            history=await _history(store, asked, games),
        )

    async def _awards(self, guild_id: int, user_id: int) -> tuple[Award, ...]:
        """Somebody's awards, the oldest first."""
        comeback = await self.comebacks.first(guild_id, user_id)
        met_at = await self.store.met_at(guild_id, user_id, profiles.MANY_OPPONENTS)
        ten = None if met_at is None else Award(AwardKind.OPPONENTS, met_at)
        found = [*filter(None, (comeback, ten)), *await self._seasons(guild_id, user_id)]
        return tuple(sorted(found, key=lambda award: award.at))

    async def _seasons(self, guild_id: int, user_id: int) -> list[Award]:
        """The seasons of which somebody was first, one award for each game. Who hides from leaderboards shows none."""
        with suppress(StoreError):  # then the next reader judges the seasons
            await self.seasons.judge(guild_id, self.days.today(), self.server_settings.of(guild_id).season)
        if await self.store.is_hidden(guild_id, user_id):
            return []
        last: dict[str, int] = {}
        times: Counter[str] = Counter()
        for first in await self.store.season_firsts(guild_id, user_id):
            last.setdefault(first.game, first.stop - 1)
            times[first.game] += 1
        return [Award(AwardKind.SEASON, begins_at(day), game, times[game]) for game, day in last.items()]


async def _history(store: Store, asked: Asked, games: Sequence[GameRecord]) -> RatingHistory | None:
    """The history of a rating; None if there isn't enough of it for a curve."""
    played = [each.game for each in games if each.standing.matches >= profiles.FEWEST]
    if not played:
        return None
    game = asked.game if asked.game in played else played[0]
    ratings = await store.rating_history(asked.guild_id, asked.user_id, game, profiles.MOST_RATINGS)
    return RatingHistory(game, tuple(ratings)) if len(ratings) >= profiles.FEWEST else None


async def _games(store: Store, guild_id: int, user_id: int) -> tuple[GameRecord, ...]:
    """Somebody's standings in a server, first in the games that they played most. Who hides from leaderboards has no
    rank here either, even if they read it themselves: their leaderboards tell them."""
    hidden, found = await store.is_hidden(guild_id, user_id), []
    for game in await store.games_played(guild_id):
        page = await store.leaderboard_page(
            Leaderboard(guild_id, game, Span.ALL_TIME), user_id, PageRequest(PageOf.OWN), 1
        )
        own = page.own
        if own is not None and own.rating is not None:
            rank = None if hidden else own.rank
            standing = Standing(rank or 0, user_id, own.rating, own.wins, own.losses, own.draws)
            found.append(GameRecord(standing, game, None if rank is None else page.ranked))
    return tuple(sorted(found, key=lambda each: -each.standing.matches))
