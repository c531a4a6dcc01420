"""Finds the match or invitation that somebody pressed or typed, and refuses all others in the same words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from bot.play.days import Days
from bot.play.deals.match_export import ExportedMatch
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.refusals import NotInstalled, Refused
from bot.store.queries.finished_matches import FinishedMatch
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.queries.matches import MatchRow, Result
from bot.store.store import Store
from cogs.interactions.places import place_id_of
from cogs.interactions.responses import Interaction

_CODE: Final = re.compile(r"[a-z0-9_]{1,24}")


@dataclass(slots=True, eq=False)
class Finder:
    """Finds what belongs to the place of an interaction, and may be seen by its person."""

    store: Store
    matches: MatchRegistry
    invitations: Invitations
    days: Days

    async def match(self, interaction: Interaction, match_id: str) -> LiveMatch:
        """A match of the place in which somebody pressed.

        Raises Refused for any other id, and what `MatchRegistry.find` raises.
        """
        match = await self.matches.find(match_id)
        if match is None:
            interaction.client.foreign_answers.unknown_message(interaction)
        if match is None or match.guild_id != place_id_of(interaction) or self.is_hidden(interaction, match):
            raise Refused("match.unknown")
        return match

    def check_here(self, interaction: Interaction, row: MatchRow | None) -> MatchRow:
        """A match of the place in which somebody pressed. Raises Refused for any other, and for none."""
        if row is None or row.guild_id != place_id_of(interaction) or self.is_hidden(interaction, row):
            raise Refused("match.unknown")
        return row

    def is_hidden(self, interaction: Interaction, match: LiveMatch | MatchRow) -> bool:
        """Whether a match is an attempt at a closed deal of the day, and the person of an interaction isn't its
        player."""
        return interaction.user.id not in match.seats and self.days.closed_until(match) is not None

    async def invitation(self, interaction: Interaction, invitation_id: str) -> tuple[Invitation, InvitationState]:
        """An invitation of the place in which somebody pressed, and its state. Raises Refused for any other id."""
        found = await self.invitations.find(invitation_id)
        if found is None:
            interaction.client.foreign_answers.unknown_message(interaction)
        if found is None or found[0].guild_id != place_id_of(interaction):
            raise Refused("challenge.unknown")
        return found

    async def finished(self, interaction: Interaction, typed: str) -> FinishedMatch:
        """The finished match of this place with a code, if the person may see it. All others cost as much.

        Raises Refused, the same for what is not there, is another server's, is private, is being played, or tries a
        deal of the day that is still closed.
        """
        code = typed.strip(" `").lower()
        if _CODE.fullmatch(code):
            place, user_id = place_id_of(interaction), interaction.user.id
            found = await self.store.finished_match(place, code, user_id, self.days.today())
            if found is not None and self.days.closed_until(found.row) is None:
                return found
        raise Refused("replay.unknown")

    async def sealed_at(self, row: MatchRow) -> int:
        """When a match's deal was sealed, in ms UTC: when its invitation was made."""
        found = await self.invitations.find(row.id)
        return found[0].created_at if found else row.opened_at

    async def whole(self, row: MatchRow, result: Result) -> ExportedMatch:
        """All that is stored of a finished match."""
        return ExportedMatch(row, tuple(await self.store.records(row.id)), result, await self.sealed_at(row))

    async def check_visible(self, interaction: Interaction, match: LiveMatch | MatchRow) -> None:
        """Raise Refused for a finished match that is private, unless the person played it."""
        if interaction.user.id in match.seats:
            return
        user_id, today = interaction.user.id, self.days.today()
        if await self.store.finished_match(match.guild_id, match.id, user_id, today) is None:
            raise Refused("match.unknown")

    async def check_installed(self, interaction: Interaction, game: str) -> None:
        """Raise NotInstalled for a game that was played in the server and is not installed any more."""
        if game in await self.store.games_played(interaction.guild_id or 0):
            raise NotInstalled(game)
