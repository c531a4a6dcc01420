"""Tables for those who wait: which there are, sitting down at one, and opening one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from bot.games import GAMES
from bot.play.access import Access, obstacles
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPresses
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations, Inviting, Proposal, Terms
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import Refused, Unsaved
from bot.play.reliability import reliability_of
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.queries.matches import Obstacle
from bot.store.store import Store
from cogs.actions.challenging import InvitationPosts
from cogs.actions.finding import Finder
from cogs.actions.own_threads import OwnThreads
from cogs.interactions.responses import Interaction, reply_private, translations_for
from cogs.matchmaking.screens import MOST_TABLES, PLAY, OfferedTable, begun_screen, no_table_screen, waiting_screen
from cogs.screens.renderer import sheet
from cogs.updates.channel_messages import ChannelMessages, NotTaken
from cogs.updates.match_notices import MatchNotices
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Wording

_MOST_ELSEWHERE = 5
"""How many channels Discord is asked about: whether the person can play there."""


@dataclass(slots=True, eq=False)
class TableSearch:
    """Finds tables at which somebody can sit down."""

    seating: Seating
    invitations: Invitations
    matches: MatchRegistry
    store: Store
    access: Access
    wording: Wording
    now: Callable[[], int]

    def alone_in(self, guild_id: int) -> asyncio.Lock:
        """A lock for looking for a table in a server and opening one if there is none."""
        return self.seating.finding(guild_id)

    def table(self, invitation_id: str) -> Invitation | None:
        """An open invitation as it is now; None for any other id."""
        return self.invitations.open_by_id(invitation_id)

    async def fitting(
        self, interaction: Interaction, game: str | None, *, only: Invitation | None = None
    ) -> list[Invitation]:
        """The tables of a game (None: of all) where the person can sit down: those of this channel first, then the
        oldest.

        `only` is the one to look at, if it is but one. Tables in channels where the person cannot play are left out,
        those where somebody sits from whom they are kept apart, and those that ask for reliable people unless they are;
        where they picked `only` one, sitting down says why not. So are those whose message is just being posted: if
        somebody sat down there first, it would show the past for good.
        """
        guild_id, user, here = interaction.guild_id or 0, interaction.user.id, interaction.channel_id
        found = [each for each in self.seating.tables_for(user, guild_id) if game in (None, each.game)]
        found = [each for each in found if each.message_id is not None]
        if only is not None:
            found = [each for each in found if each.id == only.id]
        elif any(each.reliable for each in found):
            known = await reliability_of(self.store, guild_id, user, self.now())
            found = [each for each in found if known.is_reliable or not each.reliable]
        apart = await self.invitations.admission.apart(user, {each for table in found for each in table.seated})
        found = [each for each in found if not apart & {*each.seated}]
        found.sort(key=lambda table: table.channel_id != here)
        elsewhere = list(dict.fromkeys(table.channel_id for table in found if table.channel_id != here))[
            :_MOST_ELSEWHERE
        ]
        reachable = {here, *await self._playable(guild_id, user, elsewhere)}
        return [table for table in found if table.channel_id in reachable]

    async def _playable(self, guild_id: int, user: int, channels: Iterable[int]) -> list[int]:
        """Those of these channels where a person can see messages and press buttons."""
        asked = tuple(channels)
        found = await asyncio.gather(*(obstacles(self.access, guild_id, channel, (user,)) for channel in asked))
        answers = [each.get(user) for each in found]
        return [channel for channel, why in zip(asked, answers, strict=True) if why in (None, Obstacle.NO_SENDING)]

    async def offered(self, interaction: Interaction, tables: Sequence[Invitation]) -> list[OfferedTable]:
        """The first of these tables, with the names of their hosts and how reliably they play."""
        shown = tables[:MOST_TABLES]
        hosts = list(dict.fromkeys(table.host_id for table in shown))
        guild_id, say = interaction.guild_id or 0, translations_for(interaction)
        names = dict(zip(hosts, await self.wording.loaded(guild_id, hosts, say), strict=True))
        found = {host: await reliability_of(self.store, guild_id, host, self.now()) for host in hosts}
        return [OfferedTable(table, names[table.host_id], found[table.host_id]) for table in shown]

    async def games(self, interaction: Interaction) -> list[str]:
        """All games: first the one that the person played last or, if they have played none, most people here play."""
        guild_id, user = interaction.guild_id or 0, interaction.user.id
        playing = [match.game.info.key for match in self.matches.of_player(user, guild_id)]
        played = [row.game for row in await self.store.latest_finished(guild_id, user, 1)]
        known = [game for game in (*playing[-1:], *played) if game in GAMES]
        first = known[0] if known else await self._favourite(guild_id)
        return [first, *(game for game in GAMES if game != first)]

    async def _favourite(self, guild_id: int) -> str:
        """The game with the most people on its leaderboard in a server, or the first game. Raises StoreError."""
        played = await self.store.games_played(guild_id)
        sizes = {game: await self.store.count_ranked(guild_id, game) for game in played if game in GAMES}
        return max(sizes, key=lambda game: sizes[game]) if sizes else next(iter(GAMES))

    def waits_at(self, guild_id: int, user: int) -> list[Invitation]:
        """The open tables of a server at which somebody sits."""
        found = self.invitations.of_player(user, guild_id)
        return [each for each in found if each.kind is InvitationKind.TABLE and user in each.seated]


# ------------------------------------------------------------------------------------ sitting down


@dataclass(slots=True, eq=False)
class SittingDown:
    """Sits people down at tables."""

    seating: Seating
    presses: MatchPresses
    own_threads: OwnThreads
    wording: Wording
    finder: Finder
    updates: ScreenUpdates
    notices: MatchNotices

    async def seat(self, interaction: Interaction, table: Invitation) -> None:
        """Sit the person down at a table, and show where they are now. Raises Refused and Unsaved."""
        user = interaction.user.id
        with self.presses.take_up(table.id, interaction.id) as press:
            joined = await self.own_threads.with_venue(self.seating.take_seat, table.id, user, None, press)
            if not isinstance(joined, LiveMatch):
                await self.wording.load_names(joined)
                self.updates.invitation_changed(joined)
                await show_waiting(interaction, joined, again=False)
                return
            self.notices.begun(joined, joined.seats.index(user))  # before anything that can fail
            if joined.channel_id != table.channel_id:
                self.own_threads.add_players(joined)
                accepted, _ = await self.finder.invitation(interaction, table.id)
                await self.wording.load_names(accepted)
                self.updates.invitation_closed(accepted, InvitationState.ACCEPTED)
            await self.show_match(interaction, joined)

    async def show_match(self, interaction: Interaction, match: LiveMatch) -> None:
        say = translations_for(interaction)
        screen = begun_screen(match, await self.wording.loaded(match.guild_id, match.seats, say), say)
        await reply_private(interaction, screen, match.id)


# ------------------------------------------------------------------------------------ waiting


@dataclass(slots=True, eq=False)
class WaitingTables:
    """Opens tables that start by themselves."""

    inviting: Inviting
    posts: InvitationPosts
    messages: ChannelMessages

    async def wait(self, interaction: Interaction, terms: Terms) -> None:
        """Open a table that starts by itself, in the channel of the interaction, or show why not. Raises Unsaved."""
        say = translations_for(interaction)
        proposal = Proposal(terms, interaction.user.id, kind=InvitationKind.TABLE, auto_start=True)
        try:
            with self.posts.budget.spending(interaction):
                table = await self._opened(proposal)
        except Unsaved:
            raise
        except Refused as refused:
            screen = no_table_screen(terms.game, say(refused.key, **refused.values), say)
            await reply_private(interaction, screen, PLAY)
            return
        await show_waiting(interaction, table, again=False)

    async def _opened(self, proposal: Proposal) -> Invitation:
        """Open a table and post its message; close it again if that fails. Raises Refused and Unsaved."""
        table = await self.inviting.invite(proposal)
        async with self.posts.withdrawn_without(table):
            await self.posts.wording.load_names(table)
        made = sheet(self.posts.public_screens.invitation(table, InvitationState.OPEN), table.id)
        try:
            posted = await self.messages.post(table.guild_id, table.channel_id, made)
        except NotTaken:
            await self.posts.invitations.withdraw(table)
            raise Refused("challenge.not_posted") from None
        return await self.posts.posted(table, posted.message_id)


async def show_waiting(interaction: Interaction, table: Invitation, *, again: bool) -> None:
    """Tell somebody that they wait at a table."""
    screen = waiting_screen(table, translations_for(interaction), again=again)
    await reply_private(interaction, screen, PLAY)
