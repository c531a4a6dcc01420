"""What everybody in a channel is shown: boards, invitations and the results of a deal of the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.play.daily import streak
from bot.play.live_match import LiveMatch
from bot.play.matchmaking.invitations import Invitations
from bot.store.queries.daily import DailyAttempt
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.store import Store
from bot.ui.screen import Screen
from cogs.screens.board import board_screen
from cogs.screens.daily import GameOfDay, channel_message
from cogs.screens.invitation import invitation_screen
from cogs.screens.presenter import Presenters
from cogs.wording import Readers, Wording


@dataclass(slots=True, eq=False)
class PublicScreens:
    """Makes the screens of channels, in the language of their server."""

    presenters: Presenters
    readers: Readers
    wording: Wording
    invitations: Invitations
    store: Store

    def board(self, match: LiveMatch) -> Screen:
        """A match's board. The names of its players must be loaded or remembered."""
        return board_screen(match, self.presenters[match.game.info.key], self.readers.public(match))

    def invitation(self, invitation: Invitation, state: InvitationState) -> Screen:
        """An invitation in a state. The names of its people must be loaded or remembered."""
        words = self.wording.of_server(invitation.guild_id)
        presenter = self.presenters.get(invitation.game)
        head_to_head = self.invitations.head_to_head(invitation.id)
        names = self.wording.invitation_names(invitation, words)
        return invitation_screen(invitation, state, presenter, words, names, head_to_head=head_to_head)

    async def results_of_day(
        self, guild_id: int, day: int, told: Sequence[DailyAttempt], attempts: Sequence[DailyAttempt]
    ) -> Screen:
        """What a channel reads about a server's deals of a day: of these attempts, and of all. Raises StoreError."""
        words = self.wording.of_server(guild_id)
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
        names = dict(zip(users, await self.wording.loaded(guild_id, users, words), strict=True))
        return channel_message(games, day, streaks, names, words)
