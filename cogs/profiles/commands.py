"""The command /profile, the same in a member's menu, the button by which somebody shows theirs to everybody, and what
is read for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import discord
from discord import app_commands

from bot.gateway.command_texts import Describe
from bot.play.refusals import Refused
from bot.scheduler import begins_at
from bot.store.queries.leaderboards import Leaderboard, Span
from bot.store.queries.profiles import PlayerRecord
from bot.store.queries.standings import Standing
from bot.store.store import Store
from bot.ui.catalogue import Translations
from cogs.actions.challenging import TermsReader, User
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.interactions.post_budget import PostBudget
from cogs.interactions.responses import Interaction, post, reply_private, translations_for
from cogs.interactions.venues import IN_SERVERS, in_servers
from cogs.interactions.whose_rows import Whose, writes
from cogs.profiles import screens
from cogs.profiles.comebacks import Comebacks
from cogs.profiles.queries import ProfileQueries
from cogs.profiles.screens import Award, AwardKind, GameRecord, Named, Profile, RatingHistory, Shown, profile_screen
from cogs.screens.additions import Buttons, GameButtons, Placed
from cogs.screens.custom_ids import read_user
from cogs.wording import Wording

COMMAND: Final = "profile"


@dataclass(slots=True, eq=False)
class Profiles(Capability):
    """The command `/profile` and its buttons."""

    verbs = Verbs()

    profile_reader: ProfileReader
    wording: Wording
    terms: TermsReader
    added: Placed[GameButtons]
    """What rooms add to each profile that is shown in private."""
    empty: Placed[Buttons]
    """What rooms add to one's own that is empty."""
    budget: PostBudget

    @verbs("profile")
    async def _show(self, press: ComponentPress) -> None:
        """Show the profile that the argument names with the rating in a game; without one the presser's own.

        Raises UnknownCustomId for an argument that no profile offers.
        """
        user_id, _, game = press.arg.partition(".")
        await self._reply(press.interaction, read_user(user_id) if press.arg else press.user_id, game)

    @verbs("showprofile")
    async def _show_to_everybody(self, press: ComponentPress) -> None:
        """Show the profile of the person who pressed to everybody in the channel, in the server's language.

        Raises Refused where the bot can't post, if they may not play there, and if they did the same lately.
        """
        user_id = press.user_id
        guild_id, _ = await self.terms.check_begin(press.interaction)
        with self.budget.spending(press.interaction, ("profile", user_id)) as take_back:
            words = self.wording.of_server(guild_id)
            profile = await self.profile_reader.read(ProfileRequest(guild_id, user_id, user_id, press.arg), words)
            screen = profile_screen(profile, Shown.PUBLIC, words)
            if await post(press.interaction, screen, screens.SUBJECT, ()) is None:
                take_back()

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @in_servers
        @writes(Whose.NOBODY)
        @app_commands.command(name=COMMAND, description=say("command.profile"))
        @app_commands.describe(player=say("option.player"))
        async def profile(interaction: Interaction, player: discord.User | None = None) -> None:
            await self.show(interaction, player or interaction.user)

        async def of_member(interaction: Interaction, member: discord.User) -> None:
            await self.show(interaction, member)

        menu = app_commands.ContextMenu(name=say("command.profile_menu"), callback=of_member, **IN_SERVERS)
        return (profile, writes(Whose.NOBODY)(menu))

    async def show(self, interaction: Interaction, player: User) -> None:
        """Show a profile to the person who asked for it. Raises Refused outside servers and for bots."""
        _server(interaction)
        if player.bot:
            raise Refused("profile.bot")
        await self._reply(interaction, player.id, seen=player)

    async def _reply(
        self, interaction: Interaction, user_id: int, game: str = "", seen: discord.abc.User | None = None
    ) -> None:
        reader, words = interaction.user.id, translations_for(interaction)
        asked = ProfileRequest(_server(interaction), user_id, reader, game, seen)
        profile = await self.profile_reader.read(asked, words)
        shown = Shown.OWN if user_id == reader else Shown.OTHER
        screen = profile_screen(profile, shown, words, self.added, self.empty)
        await reply_private(interaction, screen, screens.SUBJECT)


def _server(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise Refused("profile.not_a_server")
    return interaction.guild_id


@dataclass(frozen=True, slots=True)
class ProfileRequest:
    """Whose profile of a server is read for whom, and the game whose rating is drawn; empty for the one played most.
    `seen` is that person where the interaction names them."""

    guild_id: int
    user_id: int
    reader: int
    game: str = ""
    seen: discord.abc.User | None = None


@dataclass(slots=True, eq=False)
class ProfileReader:
    """Reads profiles, each as its reader may see it."""

    store: Store
    queries: ProfileQueries
    wording: Wording
    comebacks: Comebacks

    async def read(self, asked: ProfileRequest, words: Translations) -> Profile:
        """A profile as its reader may see it, who may be its owner. Raises StoreError."""
        store, guild_id, user_id, reader = self.store, asked.guild_id, asked.user_id, asked.reader
        games = await _games(store, guild_id, user_id)
        met = await self.queries.most_met(guild_id, user_id, screens.MOST_OPPONENTS) if reader == user_id else []
        people = [user_id, *(each.user_id for each in met)]
        name, *others = await self.wording.loaded(guild_id, people, words, *filter(None, (asked.seen,)))
        return Profile(
            user_id,
            name,
            await store.player_record(guild_id, user_id) if games else PlayerRecord(),
            games,
            usual=tuple(map(Named, others, met)),
            between=None if reader == user_id else await self.queries.opponent(guild_id, reader, user_id),
            awards=await self._awards(guild_id, user_id),
            history=await _history(self.queries, asked, games),
            aside=reader == user_id and await store.is_set_aside(guild_id, user_id),
            counting=await self.queries.is_counting(guild_id),
        )

    async def _awards(self, guild_id: int, user_id: int) -> tuple[Award, ...]:
        """Somebody's awards, the oldest first."""
        comeback = await self.comebacks.first(guild_id, user_id)
        met_at = await self.queries.met_at(guild_id, user_id, screens.MANY_OPPONENTS)
        ten = None if met_at is None else Award(AwardKind.OPPONENTS, met_at)
        found = [*filter(None, (comeback, ten)), *await self._seasons(guild_id, user_id)]
        return tuple(sorted(found, key=lambda award: award.at))

    async def _seasons(self, guild_id: int, user_id: int) -> list[Award]:
        """The seasons of which somebody was first, one award for each game. Who hides from leaderboards shows none."""
        if await self.store.is_hidden(guild_id, user_id):
            return []
        last: dict[str, int] = {}
        times: Counter[str] = Counter()
        for first in await self.store.season_firsts(guild_id, user_id):
            last.setdefault(first.game, first.stop - 1)
            times[first.game] += 1
        return [Award(AwardKind.SEASON, begins_at(day), game, times[game]) for game, day in last.items()]


async def _history(queries: ProfileQueries, asked: ProfileRequest, games: Sequence[GameRecord]) -> RatingHistory | None:
    """The history of a rating; None if there isn't enough of it for a curve."""
    played = [each.game for each in games if each.standing.matches >= screens.FEWEST]
    if not played:
        return None
    game = asked.game if asked.game in played else played[0]
    ratings = await queries.rating_history(asked.guild_id, asked.user_id, game, screens.MOST_RATINGS)
    return RatingHistory(game, tuple(ratings)) if len(ratings) >= screens.FEWEST else None


async def _games(store: Store, guild_id: int, user_id: int) -> tuple[GameRecord, ...]:
    """Somebody's standings in a server, first in the games that they played most. Who hides from leaderboards has no
    rank here either, even if they read it themselves: their leaderboards tell them."""
    hidden, found = await store.is_hidden(guild_id, user_id), []
    for game in await store.games_played(guild_id):
        place = await store.leaderboard_place(Leaderboard(guild_id, game, Span.ALL_TIME), user_id)
        if place is None:
            continue
        own, ranked = place
        if own.rating is not None:
            rank = None if hidden else own.rank
            standing = Standing(rank or 0, user_id, own.rating, own.wins, own.losses, own.draws)
            found.append(GameRecord(standing, game, None if rank is None else ranked))
    return tuple(sorted(found, key=lambda each: -each.standing.matches))
