"""The command /verify: whether a finished match was dealt and played as it was sealed; and the file of a match."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from discord import app_commands

from bot.games import GAMES, game_title
from bot.languages import DEFAULT_LANGUAGE
from bot.play.daily import DailyMatches
from bot.play.deals import match_export, proof
from bot.play.deals.match_export import ExportedMatch
from bot.play.match_state import codec
from bot.play.matchmaking.invitations import Invitations
from bot.play.refusals import Refused
from bot.store.codec import CodecError
from bot.store.errors import StoreError
from bot.store.rows.matches import MatchRow
from bot.store.store import Store
from bot.ui.catalogue import Translations, translations
from cogs.actions.component_press import Command, ComponentPress, Room, Verbs
from cogs.actions.finding import Finder
from cogs.actions.proving import Proofs, closed_note
from cogs.interactions import responses
from cogs.interactions.autocomplete import MOST_OFFERED, announced
from cogs.interactions.places import IN_SERVERS, IN_SERVERS_AND_DIRECT, place_id_of
from cogs.interactions.responses import Interaction, translations_for
from cogs.screens.deals.proof import EXPORTED
from cogs.screens.deals.verdict import verdict_screen
from cogs.screens.presenter import Presenter, Reader
from cogs.screens.safe_names import unescaped
from cogs.wording import Wording

COMMAND: Final = "verify"
OPTION: Final = "code"
LONGEST_OFFER: Final = 100
"""Discord's own bound for the name of a completion."""

_CODE: Final = re.compile(r"[a-z0-9_-]{1,64}")


@dataclass(slots=True, eq=False)
class Verifying:
    """The command `/verify`, and the file of a match."""

    verbs = Verbs()

    store: Store
    daily: DailyMatches
    finder: Finder
    invitations: Invitations
    wording: Wording
    presenters: Mapping[str, Presenter]
    proofs: Proofs

    def room(self) -> Room:
        """What it adds to the bot."""
        return Room(self.verbs.of(self), self._commands, {(COMMAND, OPTION): self._offered})

    def _commands(self) -> Iterable[Command]:
        say = translations(DEFAULT_LANGUAGE)
        judging = asyncio.Lock()

        @app_commands.command(name=COMMAND, description=say("command.verify"))
        @app_commands.describe(code=say("option.code"))
        @app_commands.autocomplete(code=announced)
        async def verify(interaction: Interaction, code: str | None = None) -> None:
            row = await (self._latest(interaction) if code is None else self._find(interaction, code))
            if row is None:
                return  # it was an open invitation, whose proof was shown
            words = translations_for(interaction)
            finished = await self._read(row)
            opens = self.daily.closed_until(row)
            if finished is None or opens is not None:
                await self.proofs.verified_result(row)
                note = closed_note(interaction, opens) or words("verify.running")
                screen = await self.proofs.running_match_proof(interaction, row, note)
                await responses.reply_private(interaction, screen, row.id)
                return
            async with judging:  # a long match takes seconds of the processor: one at a time
                found = await asyncio.to_thread(proof.judge, row, finished.records, finished.result, finished.sealed_at)
            await self.wording.load(row.guild_id, row.seats)
            names = self.wording.names(row.guild_id, row.seats, words)
            screen = verdict_screen(
                row, finished.result, found, terms=self._terms(row, words), words=words, names=names
            )
            await responses.reply_private(interaction, screen, row.id)

        verify.allowed_contexts = IN_SERVERS_AND_DIRECT
        verify.allowed_installs = IN_SERVERS["allowed_installs"]
        return (verify,)

    @verbs("export")
    async def _export(self, press: ComponentPress) -> None:
        """Send a finished match as a file, in private."""
        row = await self.store.match(press.target)
        if (
            row is None
            or row.guild_id != place_id_of(press.interaction)
            or self.finder.is_hidden(press.interaction, row)
        ):
            raise Refused("match.unknown")
        self.daily.check_open(row)
        finished = await self._read(row)
        if finished is None:
            raise Refused("verify.running")
        await self.finder.check_visible(press.interaction, row)
        made = match_export.export(row, finished.records, finished.result, finished.sealed_at)
        text = translations_for(press.interaction)("verify.exported")
        await responses.reply_file(
            press.interaction, text, EXPORTED.format(match=row.id, kind="json"), match_export.write(made)
        )

    async def _offered(self, interaction: Interaction, typed: str, words: Translations) -> list[tuple[str, str]]:
        """The completions of the option: the person's own latest finished matches in this server, as (name, code)."""
        guild_id, user_id = place_id_of(interaction), interaction.user.id
        try:
            rows = await self.store.latest_finished(guild_id, user_id, MOST_OFFERED)
            await self.wording.load(guild_id, {user for row in rows for user in row.seats})
        except StoreError:
            return []
        found = [(self._offer(row, user_id, words), row.id) for row in rows]
        wanted = typed.strip().casefold()
        return [(name, code) for name, code in found if wanted in name.casefold() or code.startswith(wanted)]

    def _offer(self, row: MatchRow, user_id: int, words: Translations) -> str:
        names = zip(row.seats, self.wording.names(row.guild_id, row.seats, words), strict=True)
        others = ", ".join(unescaped(name) for user, name in names if user != user_id)
        when = f"{datetime.fromtimestamp(row.opened_at / 1000, UTC):%Y-%m-%d %H:%M}"
        ending = words("verify.offer", code=row.id, when=when)
        beginning = f"{game_title(row.game)}, {others}"
        return f"{beginning[: LONGEST_OFFER - len(ending)]}{ending}"

    async def _latest(self, interaction: Interaction) -> MatchRow:
        """The latest finished match of the person in this channel, or else in this server. Raises Refused without
        one."""
        guild_id = place_id_of(interaction)
        for channel_id in (interaction.channel_id, None):
            found = await self.store.latest_finished(guild_id, interaction.user.id, 1, channel_id)
            if found:
                return found[0]
        raise Refused("verify.none")

    async def _find(self, interaction: Interaction, typed: str) -> MatchRow | None:
        """The match of this server with a code or with a deal's id.

        If it is that of an open invitation, its proof is the answer, and None is returned. Raises Refused for any other
        text, the same for what is not there and for what is another server's.
        """
        code = typed.strip(" `").lower()
        guild_id = place_id_of(interaction)
        if _CODE.fullmatch(code):
            row = await self.store.match(code)
            if row is not None and row.guild_id == guild_id and not self.finder.is_hidden(interaction, row):
                return row
            of_deal = await self.store.matches_of_deal(guild_id, code)
            of_deal = [each for each in of_deal if not self.finder.is_hidden(interaction, each)]
            if of_deal:
                return of_deal[-1]
            for invitation in self.invitations.open():
                if invitation.guild_id == guild_id and code in (invitation.id, invitation.deal_id):
                    await self.proofs.open_proof(interaction, invitation)
                    return None
        raise Refused("verify.unknown")

    async def _read(self, row: MatchRow) -> ExportedMatch | None:
        """All that is stored of a match, or None while it is played."""
        result = await self.store.result(row.id)
        return None if result is None else await self.proofs.whole(row, result)

    def _terms(self, row: MatchRow, words: Translations) -> tuple[str, ...]:
        """The options of a match in words; as they are stored where nobody can read them here."""
        presenter = self.presenters.get(row.game)
        if presenter is not None and row.game in GAMES:
            try:
                return presenter.terms(codec(row.game).decode(row.options), Reader(words, ()))
            except CodecError:
                pass
        return (words("proof.options", options=row.sealed_options or row.options),)
