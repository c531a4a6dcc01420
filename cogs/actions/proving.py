"""Presses that prove a deal: *Proof*, *Add a salt* with its form, and *Export*."""

from __future__ import annotations

from dataclasses import dataclass

from bot.play.daily import DailyMatches
from bot.play.deals.match_export import ExportedMatch
from bot.play.deals.sealing import check_may_add
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import MatchAltered, Refused
from bot.store.rows.invitations import Invitation, InvitationState
from bot.store.rows.matches import MatchRow, Result
from bot.store.store import Store
from bot.store.verification import Altered, verify
from bot.ui.screen import Screen
from cogs.actions.component_press import Capability, ComponentPress, Verbs
from cogs.actions.finding import Finder
from cogs.actions.hands import Hands, with_way_back
from cogs.interactions import responses
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens import custom_ids
from cogs.screens.deals.proof import finished_proof, invitation_proof, running_proof, salt_form
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Wording


@dataclass(slots=True, eq=False)
class Proving(Capability):
    """What the buttons and the form of a proof do."""

    verbs = Verbs()

    finder: Finder
    proofs: Proofs
    store: Store
    matches: MatchRegistry
    hands: Hands
    seating: Seating
    wording: Wording
    updates: ScreenUpdates

    @verbs("proof")
    async def _proof(self, press: ComponentPress) -> None:
        row = await self.store.match(press.target)
        if row is not None:
            if row.guild_id != place_id_of(press.interaction) or self.finder.is_hidden(press.interaction, row):
                raise Refused("match.unknown")
            screen = await self.proofs.match_proof(press.interaction, row)
            match = self.matches.playing(row.id)
            if match is not None:
                screen = with_way_back(press, match, screen)
            await responses.reply_private(press.interaction, screen, row.id)
        else:
            await self.proofs.open_proof(press.interaction, await self._open_invitation(press))

    @verbs("saltform")
    async def _open_form(self, press: ComponentPress) -> None:
        check_may_add(await self._open_invitation(press), press.user_id)
        words = translations_for(press.interaction)
        if not await responses.open_form(press.interaction, salt_form(words), press.target):
            await responses.reply_text(press.interaction, words("salt.form_late"))

    @verbs("salt")
    async def _add_salt(self, press: ComponentPress) -> None:
        """Add what was typed, have the public message show its hash at once, and confirm it in private."""
        typed = custom_ids.read_typed(dict(press.interaction.data or {}))
        await self._open_invitation(press)
        try:
            salted = await self.seating.add_salt(press.target, press.user_id, typed)
        except Refused:
            await self._open_invitation(press)  # it may have become a match meanwhile, which is the better answer
            raise
        await self.wording.load_names(salted)
        self.updates.invitation_salted(salted)
        await self.proofs.open_proof(press.interaction, salted, translations_for(press.interaction)("salt.added"))

    async def _open_invitation(self, press: ComponentPress) -> Invitation:
        """The open invitation that was pressed, as it is now. Raises Refused with the reason if it is not open."""
        invitation, state = await self.finder.invitation(press.interaction, press.target)
        if state is InvitationState.ACCEPTED:
            raise Refused("salt.begun")
        if state is not InvitationState.OPEN:
            raise Refused("challenge.closed")
        return invitation


class Proofs:
    """Shows how a deal was sealed and, once its match is over, everything that proves it."""

    def __init__(
        self,
        store: Store,
        invitations: Invitations,
        wording: Wording,
        daily: DailyMatches,
    ) -> None:
        self._store = store
        self._invitations = invitations
        self._wording = wording
        self._daily = daily

    async def open_proof(self, interaction: Interaction, invitation: Invitation, note: str = "") -> None:
        """Answer with the proof of an open invitation's deal."""
        await self._wording.load_names(invitation)
        words = translations_for(interaction)
        name = self._wording.invitation_names(invitation, words)
        screen = invitation_proof(invitation, words, name, interaction.user.id, note=note)
        await responses.reply_private(interaction, screen, invitation.id)

    async def running_match_proof(self, interaction: Interaction, row: MatchRow, note: str = "") -> Screen:
        """The proof of a running match's deal, for the person of an interaction."""
        await self._wording.load(row.guild_id, row.seats)
        words = translations_for(interaction)
        names = self._wording.names(row.guild_id, row.seats, words)
        return running_proof(row, await self.sealed_at(row), words, names, interaction.user.id, note=note)

    async def match_proof(self, interaction: Interaction, row: MatchRow) -> Screen:
        """The proof of a match's deal, for the person of an interaction. Raises MatchAltered."""
        result = await self.verified_result(row)
        opens = self._daily.closed_until(row)
        if result is None or opens is not None:
            return await self.running_match_proof(interaction, row, closed_note(interaction, opens))
        await self._wording.load(row.guild_id, row.seats)
        words = translations_for(interaction)
        names = self._wording.names(row.guild_id, row.seats, words)
        return finished_proof(row, result, await self.sealed_at(row), words, names)

    async def sealed_at(self, row: MatchRow) -> int:
        """When a match's deal was sealed, in ms UTC: when its invitation was made."""
        found = await self._invitations.find(row.id)
        return found[0].created_at if found else row.opened_at

    async def whole(self, row: MatchRow, result: Result) -> ExportedMatch:
        """All that is stored of a finished match."""
        return ExportedMatch(row, tuple(await self._store.records(row.id)), result, await self.sealed_at(row))

    async def verified_result(self, row: MatchRow) -> Result | None:
        """How a match ended, or None, if what is stored of it is what was saved. Raises MatchAltered."""
        result = await self._store.result(row.id)  # before the log, which may be longer by then and not yet over
        records = await self._store.records(row.id)
        try:
            verify(row, records, result)
        except Altered as found:
            raise MatchAltered(found.part, over=result is not None) from None
        return result


def closed_note(interaction: Interaction, opens: int | None) -> str:
    """What to say above the proof of a deal of the day that opens at this moment (ms UTC); empty for other deals."""
    words = translations_for(interaction)
    return "" if opens is None else words("daily.closed", when=f"<t:{opens // 1000}:R>")
