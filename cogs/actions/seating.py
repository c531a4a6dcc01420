"""Presses on invitations: to sit down, to get up, to start, and to play once more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.play.invitations import Terms
from bot.play.live_match import LiveMatch
from bot.play.refusals import Refused
from bot.store.rows import Invitation, InvitationKind, InvitationState
from bot.ui.screen import Press
from cogs.actions.challenging import send_invitation, send_panel
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.responses import Interaction
from cogs.screens import custom_ids
from cogs.screens.challenge_panel import Panel, panel_screen

Verb: TypeAlias = Callable[[Interaction, str, Press], Awaitable[None]]


class Seating:
    """What the buttons of an invitation do."""

    def __init__(self, app: CardroomApp) -> None:
        self._app = app
        self.verbs: dict[str, Verb] = {
            "accept": self._sit,
            "join": self._sit,
            "decline": self._turn_down,
            "cancel": self._turn_down,
            "getup": self._get_up,
            "start": self._start,
            "kick": self._kick,
            "ask": self._ask,
            "rematch": self._rematch,
            "setup": self._set_up,
            "send": self._send,
        }

    # ------------------------------------------------------------------------------------ sitting down

    async def _sit(self, interaction: Interaction, table: str, _: Press) -> None:
        if await self._was_closed(interaction, table):
            return
        came = await self._app.invitations.take_seat(table, interaction.user.id, _message_id(interaction))
        if isinstance(came, LiveMatch):
            await self._show_match(interaction, came)
        else:
            await self._show(interaction, came, InvitationState.OPEN)

    async def _start(self, interaction: Interaction, table: str, _: Press) -> None:
        if await self._was_closed(interaction, table):
            return
        match = await self._app.invitations.start(table, interaction.user.id, _message_id(interaction))
        await self._show_match(interaction, match)

    async def _show_match(self, interaction: Interaction, match: LiveMatch) -> None:
        """The invitation's message becomes the board."""
        app = self._app
        try:
            await app.display_names.load(match.guild_id, match.seats)
            made = await responses.edit_source(interaction, app.board_updater.screen(match), match.id)
            if made is not None:
                app.board_updater.note_shown(match, made)
        finally:
            app.matches.notify(match)

    # ------------------------------------------------------------------------------------ getting up

    async def _turn_down(self, interaction: Interaction, table: str, press: Press) -> None:
        app = self._app
        if await self._was_closed(interaction, table):
            return
        asked, _ = await app.find_invitation(interaction, table)
        if press.verb == "decline" and asked.host_id == interaction.user.id:
            raise Refused("challenge.decline_not_yours")
        if press.verb == "cancel" and asked.kind is InvitationKind.CHALLENGE and interaction.user.id in asked.invited:
            raise Refused("challenge.cancel_not_yours")
        invitation, state = await app.invitations.turn_down(table, interaction.user.id)
        await self._show(interaction, invitation, state)

    async def _get_up(self, interaction: Interaction, table: str, _: Press) -> None:
        if not await self._was_closed(interaction, table):
            await self._show(interaction, *await self._app.invitations.leave(table, interaction.user.id))

    async def _kick(self, interaction: Interaction, table: str, press: Press) -> None:
        kicked = custom_ids.read_user(press.arg)
        if not await self._was_closed(interaction, table):
            shown = await self._app.invitations.kick(table, interaction.user.id, kicked)
            await self._show(interaction, *shown)

    async def _ask(self, interaction: Interaction, table: str, _: Press) -> None:
        if await self._was_closed(interaction, table):
            return
        invitation = await self._app.invitations.ask(table, interaction.user.id, _chosen_members(interaction))
        await self._show(interaction, invitation, InvitationState.OPEN)

    # ------------------------------------------------------------------------------------ once more

    async def _rematch(self, interaction: Interaction, table: str, _: Press) -> None:
        """A challenge to the others of a finished match: same options, seats rotated by one."""
        app = self._app
        match = await app.find_match(interaction, table)
        user = interaction.user.id
        if match.seat_of(user) is None:
            raise Refused("match.not_seated")
        if not match.over:
            raise Refused("rematch.not_over")
        others = tuple(seated for seated in match.seats if seated != user)
        if any(other < 0 for other in others):  # the marker of somebody who had their data deleted
            raise Refused("rematch.deleted")
        terms = Terms(match.guild_id, match.channel_id, match.game.info.key, match.options, match.time_control.key)
        places = (*match.seats[1:], match.seats[0])
        invitation = await app.invitations.invite(terms, user, others, places=places)
        await send_invitation(app, interaction, invitation)

    # ------------------------------------------------------------------------------------ the panel

    async def _set_up(self, interaction: Interaction, table: str, press: Press) -> None:
        app = self._app
        panel = Panel.read(press.arg)
        await app.display_names.load(interaction.guild_id or 0, [panel.user_id])
        name = app.name(interaction.guild_id or 0, panel.user_id)
        await responses.reply_private(interaction, panel_screen(panel, name, app.translations_for(interaction)), table)

    async def _send(self, interaction: Interaction, _: str, press: Press) -> None:
        await send_panel(self._app, interaction, Panel.read(press.arg))

    # ------------------------------------------------------------------------------------ showing

    async def _was_closed(self, interaction: Interaction, table: str) -> bool:
        """Show what became of an invitation that stands no more; whether that is so."""
        invitation, state = await self._app.find_invitation(interaction, table)
        if state is InvitationState.ACCEPTED:
            raise Refused("challenge.accepted_already")
        if invitation.message_id not in (None, _message_id(interaction)):
            raise custom_ids.UnknownCustomId("it stands elsewhere, and what is pressed would be painted over")
        if state is InvitationState.OPEN:
            return False
        await self._show(interaction, invitation, state)
        return True

    async def _show(self, interaction: Interaction, invitation: Invitation, state: InvitationState) -> None:
        await self._app.load_names(invitation)
        await responses.edit_source(interaction, self._app.invitation_screen(invitation, state), invitation.id)


def _message_id(interaction: Interaction) -> int | None:
    return interaction.message.id if interaction.message else None


def _chosen_members(interaction: Interaction) -> tuple[int, ...]:
    """The people that were chosen from a list. Raises Refused for a bot or an absent one, ForeignId."""
    match dict(interaction.data or {}):
        case {"values": [_, *_] as chosen, "resolved": {"users": dict(users), **more}}:
            members = more.get("members")
        case _:
            raise custom_ids.UnknownCustomId("nobody was chosen")
    guests = tuple(custom_ids.read_user(each) for each in chosen)
    for each in chosen:
        match users.get(each):
            case {"bot": True}:
                raise Refused("challenge.a_bot")
        if not isinstance(members, dict) or each not in members:
            raise Refused("challenge.absent")
    return guests
