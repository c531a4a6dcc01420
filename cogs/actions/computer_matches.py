"""Matches of one person against computers, and how they begin."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games import GAMES
from bot.play.computers.levels import check_level
from bot.play.match_press import MatchPresses
from bot.play.matchmaking.invitations import Proposal, Terms
from bot.play.matchmaking.seating import PlaceNeeded, Seating
from bot.play.refusals import Refused
from bot.store.queries.invitations import InvitationKind, InvitationState, Origin
from bot.store.special_ids import computer_id
from cogs.actions.challenging import InvitationPosts
from cogs.actions.finding import Finder
from cogs.actions.own_threads import OwnThreads
from cogs.interactions.responses import Interaction, edit_reply
from cogs.public_screens import PublicScreens
from cogs.wording import Wording


def computers(game: str, level: str, number: int) -> tuple[int, ...]:
    """The ids of a number of computers of a level. Raises Refused for a level that the game does not have, and for a
    number that cannot sit down with one person."""
    check_level(game, level)
    seats = GAMES[game].info.seats
    if 1 + number not in seats:
        raise Refused("practice.computers", least=max(1, seats[0] - 1), most=seats[-1] - 1)
    ids: tuple[int, ...] = ()
    for _ in range(number):
        ids += (computer_id(level, ids),)
    return ids


@dataclass(slots=True, eq=False)
class ComputerMatches:
    """Begins matches of one person against computers."""

    seating: Seating
    presses: MatchPresses
    posts: InvitationPosts
    own_threads: OwnThreads
    wording: Wording
    finder: Finder
    public_screens: PublicScreens

    async def begin(
        self,
        interaction: Interaction,
        terms: Terms,
        seated: tuple[int, ...],
        places: tuple[int, ...] = (),
        *,
        origin: Origin | None = None,
    ) -> None:
        """Begin a match of the person of an interaction against the computers seated, in the channel of the
        interaction.

        It begins with a deal, or where `origin` says. Raises Refused with the reason if that is not possible.
        """
        user = interaction.user.id
        proposal = Proposal(
            terms,
            user,
            kind=InvitationKind.TABLE,
            places=places,
            computers=seated,
            private=True,
            at_once=True,
            origin=origin,
        )
        invitation, message_id = await self.posts.invite(interaction, proposal)
        if message_id is None:
            return
        with self.presses.take_up(invitation.id, interaction.id) as press:
            try:
                await self.seating.start(invitation.id, user, message_id, press)
            except PlaceNeeded:
                thread = await self.own_threads.begin(invitation, message_id)
                place = invitation.channel_id if thread is None else thread
                match = await self.seating.start(invitation.id, user, message_id, press, place=place)
                if thread is not None:
                    self.own_threads.add_players(match)
                    accepted, _ = await self.finder.invitation(interaction, invitation.id)
                    screen = self.public_screens.invitation(accepted, InvitationState.ACCEPTED)
                    await edit_reply(interaction, screen, invitation.id)
