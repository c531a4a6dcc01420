"""Begins matches of one person against computers."""

from __future__ import annotations

from bot.games import GAMES
from bot.play.computers.levels import check_level
from bot.play.matchmaking.inviting import Proposal, Terms
from bot.play.matchmaking.seating import PlaceNeeded
from bot.play.refusals import Refused
from bot.store.computer_ids import computer_id
from bot.store.rows.invitations import InvitationKind, InvitationState, Origin
from cogs.actions.challenging import send_invitation
from cogs.actions.servers import own_threads
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction


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


async def begin(
    app: CardroomApp,
    interaction: Interaction,
    terms: Terms,
    seated: tuple[int, ...],
    places: tuple[int, ...] = (),
    *,
    origin: Origin | None = None,
) -> None:
    """Begin a match of the person of an interaction against the computers seated, in the channel of the interaction.

    It begins with a deal, or where `origin` says. Raises Refused with the reason if that is not possible.
    """
    user = interaction.user.id
    await app.wording.remember_names(interaction)
    invitation = await app.inviting.invite(
        Proposal(
            terms,
            user,
            kind=InvitationKind.TABLE,
            places=places,
            computers=seated,
            private=True,
            at_once=True,
            origin=origin,
        )
    )
    message_id = await send_invitation(app, interaction, invitation)
    if message_id is None:
        return
    with app.presses.take_up(invitation.id, interaction.id) as press:
        try:
            await app.seating.start(invitation.id, user, message_id, press)
        except PlaceNeeded:
            thread = await own_threads.begin(app, invitation, message_id)
            place = invitation.channel_id if thread is None else thread
            match = await app.seating.start(invitation.id, user, message_id, press, place=place)
            if thread is not None:
                own_threads.add_players(app, match)
                accepted, _ = await app.find_invitation(interaction, invitation.id)
                screen = app.public_screens.invitation(accepted, InvitationState.ACCEPTED)
                await responses.edit_reply(interaction, screen, invitation.id)
