"""Presses that prove a deal: *Proof*, *Add a salt* with its form, and *Export*."""

from __future__ import annotations

from bot.play.deals.salts import check_may_add
from bot.play.refusals import MatchAltered, Refused
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.rows.matches import MatchRow, Result
from bot.store.verification import Altered, verify
from bot.ui.screen import Screen
from cogs.actions.component_press import ComponentPress, Verb
from cogs.actions.hands.showing import with_way_back
from cogs.app import CardroomApp
from cogs.interactions import responses
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens import custom_ids
from cogs.screens.deals.proof import finished_proof, invitation_proof, running_proof, salt_form


class Proving:
    """What the buttons and the form of a proof do."""

    def __init__(self, app: CardroomApp) -> None:
        self._app = app
        self.verbs: dict[str, Verb] = {
            "proof": self._proof,
            "saltform": self._open_form,
            "salt": self._add_salt,
        }

    async def _proof(self, press: ComponentPress) -> None:
        app = self._app
        row = await app.store.match(press.target)
        if row is not None:
            if row.guild_id != place_id_of(press.interaction) or app.is_hidden(press.interaction, row):
                raise Refused("match.unknown")
            screen = await _match_proof(app, press.interaction, row)
            match = app.matches.playing(row.id)
            if match is not None:
                screen = with_way_back(press, match, screen)
            await responses.reply_private(press.interaction, screen, row.id)
        else:
            await open_proof(app, press.interaction, await self._open_invitation(press))

    async def _open_form(self, press: ComponentPress) -> None:
        check_may_add(await self._open_invitation(press), press.user_id)
        words = translations_for(press.interaction)
        if not await responses.open_form(press.interaction, salt_form(words), press.target):
            await responses.reply_text(press.interaction, words("salt.form_late"))

    async def _add_salt(self, press: ComponentPress) -> None:
        """Add what was typed, have the public message show its hash at once, and confirm it in private."""
        app = self._app
        typed = custom_ids.read_typed(dict(press.interaction.data or {}))
        await self._open_invitation(press)
        try:
            salted = await app.seating.add_salt(press.target, press.user_id, typed)
        except Refused:
            await self._open_invitation(press)  # it may have become a match meanwhile, which is the better answer
            raise
        await app.wording.load_names(salted)
        app.updates.invitation_salted(salted)
        await open_proof(app, press.interaction, salted, translations_for(press.interaction)("salt.added"))

    async def _open_invitation(self, press: ComponentPress) -> Invitation:
        """The open invitation that was pressed, as it is now. Raises Refused with the reason if it is not open."""
        invitation, state = await self._app.find_invitation(press.interaction, press.target)
        if state is InvitationState.ACCEPTED:
            raise Refused("salt.begun")
        if state is not InvitationState.OPEN:
            raise Refused("challenge.closed")
        return invitation


async def open_proof(app: CardroomApp, interaction: Interaction, invitation: Invitation, note: str = "") -> None:
    """Answer with the proof of an open invitation's deal."""
    await app.wording.load_names(invitation)
    words = translations_for(interaction)
    name = app.wording.invitation_names(invitation, words)
    screen = invitation_proof(invitation, words, name, interaction.user.id, note=note)
    await responses.reply_private(interaction, screen, invitation.id)


def closed_note(interaction: Interaction, opens: int | None) -> str:
    """What to say above the proof of a deal of the day that opens at this moment (ms UTC); empty for other deals."""
    words = translations_for(interaction)
    return "" if opens is None else words("daily.closed", when=f"<t:{opens // 1000}:R>")


async def running_match_proof(app: CardroomApp, interaction: Interaction, row: MatchRow, note: str = "") -> Screen:
    """The proof of a running match's deal, for the person of an interaction."""
    await app.display_names.load(row.guild_id, row.seats)
    words = translations_for(interaction)
    names = app.wording.names(row.guild_id, row.seats, words)
    return running_proof(row, await sealed_at(app, row), words, names, interaction.user.id, note=note)


async def _match_proof(app: CardroomApp, interaction: Interaction, row: MatchRow) -> Screen:
    """The proof of a match's deal, for the person of an interaction. Raises MatchAltered."""
    result = await verified_result(app, row)
    opens = app.daily.closed_until(row)
    if result is None or opens is not None:
        return await running_match_proof(app, interaction, row, closed_note(interaction, opens))
    await app.display_names.load(row.guild_id, row.seats)
    words = translations_for(interaction)
    names = app.wording.names(row.guild_id, row.seats, words)
    return finished_proof(row, result, await sealed_at(app, row), words, names)


async def sealed_at(app: CardroomApp, row: MatchRow) -> int:
    """When a match's deal was sealed, in ms UTC: when its invitation was made."""
    found = await app.invitations.find(row.id)
    return found[0].created_at if found else row.opened_at


async def verified_result(app: CardroomApp, row: MatchRow) -> Result | None:
    """How a match ended, or None, if what is stored of it is what was saved. Raises MatchAltered."""
    result = await app.store.result(row.id)  # before the log, which may be longer by then and not yet over
    records = await app.store.records(row.id)
    try:
        verify(row, records, result)
    except Altered as found:
        raise MatchAltered(found.part, over=result is not None) from None
    return result
