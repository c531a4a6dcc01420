"""Proofs: *Proof* on boards, its form for a salt of one's own, and /verify: whether a finished match was dealt and
played as it was sealed, with the file of a match."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from discord import app_commands

from bot.games import GAMES, game_title
from bot.gateway.command_texts import Describe
from bot.match_readers import Derivable
from bot.play.closed_deals import ClosedDeals
from bot.play.deals import match_export, proof
from bot.play.deals.sealing import check_may_add
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.matchmaking.invitations import Invitations
from bot.play.matchmaking.seating import Seating
from bot.play.refusals import MatchAltered, Refused
from bot.store.codec import CodecError
from bot.store.errors import StoreError
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.queries.matches import MatchRow, Result
from bot.store.store import Store
from bot.store.verification import Altered, verify
from bot.ui.catalogue import Translations
from bot.ui.screen import Screen
from cogs.actions.component_press import Capability, Command, ComponentPress, Verbs
from cogs.actions.file_queue import FileQueue
from cogs.actions.finding import Finder
from cogs.actions.playing import with_way_back
from cogs.interactions.autocomplete import MOST_OFFERED, Completion, announced, match_offers
from cogs.interactions.responses import Interaction, open_form, reply_file, reply_private, translations_for
from cogs.interactions.venues import direct_too, venue_id_of
from cogs.interactions.whose_rows import Whose, writes
from cogs.proofs.screens import finished_proof, invitation_proof, running_proof, salt_form
from cogs.proofs.verdict import private_screen, verdict_screen
from cogs.screens import custom_ids
from cogs.screens.presenter import Presenters, Reader, told_terms
from cogs.screens.safe_names import unescaped
from cogs.updates.screen_updates import ScreenUpdates
from cogs.wording import Wording

COMMAND: Final = "verify"
OPTION: Final = "code"

_CODE: Final = re.compile(r"[a-z0-9_-]{1,64}")


@dataclass(slots=True, eq=False)
class Verifying(Capability):
    """The command `/verify`, and the file of a match."""

    verbs = Verbs()

    closed_deals: ClosedDeals
    finder: Finder
    invitations: Invitations
    wording: Wording
    presenters: Presenters
    proofs: Proofs
    files: FileQueue

    def _commands(self, say: Describe) -> tuple[Command, ...]:
        @direct_too
        @writes(Whose.NOBODY)
        @app_commands.command(name=COMMAND, description=say("command.verify"))
        @app_commands.describe(code=say("option.code"))
        @app_commands.autocomplete(code=announced)
        async def verify(interaction: Interaction, code: str | None = None) -> None:
            row = await (self._latest(interaction) if code is None else self._find(interaction, code))
            if row is None:
                return  # it was an open invitation, whose proof was shown
            words = translations_for(interaction)
            finished = await self._read(row)
            if finished is None or self.closed_deals.closing(row) is not None:
                screen = await self.proofs.match_proof(interaction, row, words("verify.running"))
                await reply_private(interaction, screen, row.id)
                return
            found = await self.proofs.judged(interaction, finished)
            names = await self.wording.loaded(row.guild_id, row.seats, words)
            screen = verdict_screen(
                row, finished.result, found, terms=self._terms(row, words), words=words, names=names
            )
            await reply_private(interaction, screen, row.id)

        return (verify,)

    @verbs("export")
    async def _export(self, press: ComponentPress) -> None:
        """Send a finished match as a file, in private."""
        row = await self.finder.checked(press.interaction, await self.finder.store.match(press.target))
        self.closed_deals.check_open(row)
        finished = await self._read(row)
        if finished is None:
            raise Refused("verify.running")
        name = match_export.FILE.format(match=row.id, kind="json")
        content = await self.files.made(press.interaction, partial(_file_of, row, finished))
        await reply_file(press.interaction, press.words("verify.exported"), name, content)

    def _completions(self) -> Mapping[tuple[str, str], Completion]:
        return {(COMMAND, OPTION): self._offered}

    async def _offered(self, interaction: Interaction, typed: str, words: Translations) -> list[tuple[str, str]]:
        """The completions of the option: the person's own latest finished matches in this server, as (name, code)."""
        guild_id, user_id = venue_id_of(interaction), interaction.user.id
        try:
            rows = await self.finder.store.latest_finished(guild_id, user_id, MOST_OFFERED)
            await self.wording.load(guild_id, {user for row in rows for user in row.seats})
        except StoreError:
            return []

        def played(row: MatchRow) -> str:
            names = zip(row.seats, self.wording.names(row.guild_id, row.seats, words), strict=True)
            return ", ".join((game_title(row.game), *(unescaped(name) for user, name in names if user != user_id)))

        return match_offers(((played(row), row.opened_at, row.id) for row in rows), typed, words)

    async def _latest(self, interaction: Interaction) -> MatchRow:
        """The latest finished match of the person in this channel, or else in this server. Raises Refused without
        one."""
        guild_id = venue_id_of(interaction)
        for channel_id in (interaction.channel_id, None):
            found = await self.finder.store.latest_finished(guild_id, interaction.user.id, 1, channel_id)
            if found:
                return found[0]
        raise Refused("verify.none")

    async def _find(self, interaction: Interaction, typed: str) -> MatchRow | None:
        """The match of this server with a code or with a deal's id.

        If it is that of an open invitation, its proof is the answer, and None is returned. Raises Refused for any other
        text, the same for what is not there and for what is another server's.
        """
        code = typed.strip(" `").lower()
        guild_id = venue_id_of(interaction)
        if _CODE.fullmatch(code):
            row = await self.finder.store.match(code)
            of_deal = await self.finder.store.matches_of_deal(guild_id, code)
            for each in (row, *reversed(of_deal)):
                if each is not None and await self.finder.may_derive(interaction, each) >= Derivable.TABLE:
                    return each
            for invitation in self.invitations.open():
                if invitation.guild_id == guild_id and code in (invitation.id, invitation.deal_id):
                    await self.proofs.open_proof(interaction, invitation)
                    return None
        raise Refused("verify.unknown")

    async def _read(self, row: MatchRow) -> match_export.ExportedMatch | None:
        """All that is stored of a match, or None while it is played."""
        result = await self.finder.store.result(row.id)
        return None if result is None else await self.finder.whole(row, result)

    def _terms(self, row: MatchRow, words: Translations) -> tuple[str, ...]:
        """The options of a match in words; as they are stored where nobody can read them here."""
        presenter = self.presenters.get(row.game)
        if presenter is not None and row.game in GAMES:
            try:
                return told_terms(presenter, row.game, codec(row.game).decode(row.options), Reader(words, ()))
            except CodecError:
                pass
        return (words("proof.options", options=row.sealed_options or row.options),)


def _file_of(row: MatchRow, finished: match_export.ExportedMatch) -> bytes:
    return match_export.write(match_export.export(row, finished.records, finished.result, finished.sealed_at))


@dataclass(slots=True, eq=False)
class Proving(Capability):
    """What the buttons and the form of a proof do."""

    verbs = Verbs()

    finder: Finder
    proofs: Proofs
    store: Store
    matches: MatchRegistry
    seating: Seating
    wording: Wording
    updates: ScreenUpdates

    @verbs("proof")
    async def _proof(self, press: ComponentPress) -> None:
        row = await self.store.match(press.target)
        if row is None:
            await self.proofs.open_proof(press.interaction, await self._open_invitation(press))
        elif await self.finder.may_derive(press.interaction, row) is Derivable.SEAL:
            await press.reply(await self.proofs.private_proof(press.interaction, row), row.id)
        else:
            await self.finder.checked(press.interaction, row, "challenge.unknown")
            screen = await self.proofs.match_proof(press.interaction, row)
            match = self.matches.playing(row.id)
            if match is not None:
                screen = with_way_back(press, match, screen)
            await press.reply(screen, row.id)

    @verbs("saltform")
    async def _open_form(self, press: ComponentPress) -> None:
        check_may_add(await self._open_invitation(press), press.user_id)
        words = press.words
        if not await open_form(press.interaction, salt_form(words), press.target):
            await press.reply_text(words("press.form_late"))

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
        self.updates.invitation_changed(salted)
        await self.proofs.open_proof(press.interaction, salted, press.words("salt.added"))

    async def _open_invitation(self, press: ComponentPress) -> Invitation:
        """The open invitation that was pressed, as it is now. Raises Refused with the reason if it is not open."""
        invitation, state = await self.finder.invitation(press.interaction, press.target)
        if state is InvitationState.ACCEPTED:
            raise Refused("salt.begun")
        if state is not InvitationState.OPEN:
            raise Refused("challenge.closed")
        return invitation


@dataclass(slots=True, eq=False)
class Proofs:
    """Shows how a deal was sealed and, once its match is over, everything that proves it."""

    store: Store
    finder: Finder
    wording: Wording
    closed_deals: ClosedDeals
    files: FileQueue

    async def judged(self, interaction: Interaction, match: match_export.ExportedMatch) -> proof.Verdict:
        """Whether a finished match is as it was sealed. Raises Refused as `FileQueue.made` does."""
        judge = partial(proof.judge, match.row, match.records, match.result, match.sealed_at)
        return await self.files.made(interaction, judge)

    async def private_proof(self, interaction: Interaction, row: MatchRow) -> Screen:
        """What the private result of a match proves to those who may not see its cards: whether it fits its seal."""
        result = await self.store.result(row.id)
        if result is None:
            raise RuntimeError("a match that is not over is not private")
        found = await self.judged(interaction, await self.finder.whole(row, result))
        return private_screen(row, result, found, translations_for(interaction))

    async def open_proof(self, interaction: Interaction, invitation: Invitation, note: str = "") -> None:
        """Answer with the proof of an open invitation's deal."""
        await self.wording.load_names(invitation)
        words = translations_for(interaction)
        name = self.wording.invitation_names(invitation, words)
        screen = invitation_proof(invitation, words, name, interaction.user.id, note=note)
        await reply_private(interaction, screen, invitation.id)

    async def match_proof(self, interaction: Interaction, row: MatchRow, running: str = "") -> Screen:
        """The proof of a match's deal, for the person of an interaction; `running` is a note if the match is played.

        Raises MatchAltered.
        """
        result, closing = await self.verified_result(row), self.closed_deals.closing(row)
        words, at = translations_for(interaction), await self.finder.sealed_at(row)
        names = await self.wording.loaded(row.guild_id, row.seats, words)
        if result is not None and closing is None:
            return finished_proof(row, result, at, words, names)
        note = running if closing is None else closing.refusal.told(words)
        return running_proof(row, at, words, names, interaction.user.id, note=note)

    async def verified_result(self, row: MatchRow) -> Result | None:
        """How a match ended, or None, if what is stored of it is what was saved. Raises MatchAltered."""
        result = await self.store.result(row.id)  # before the log, which may be longer by then and not yet over
        records = await self.store.records(row.id)
        try:
            verify(row, records, result)
        except Altered as found:
            raise MatchAltered(found.part, over=result is not None) from None
        return result
