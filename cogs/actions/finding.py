"""Finds the match or invitation that somebody pressed or typed, and refuses all others in the same words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.match_readers import Derivable, Stage, may_derive, reader_of
from bot.play.closed_deals import ClosedDeals
from bot.play.deals.match_export import ExportedMatch
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.refusals import NotInstalled, Refused
from bot.store.queries.finished_matches import FinishedMatch
from bot.store.queries.invitations import Invitation, InvitationState
from bot.store.queries.matches import MatchRow, Result
from bot.store.store import Store
from cogs.interactions.responses import Interaction
from cogs.interactions.venues import venue_id_of, venues_of

Match = TypeVar("Match", LiveMatch, MatchRow)

_CODE: Final = re.compile(r"[a-z0-9_]{1,24}")


@dataclass(slots=True, eq=False)
class Finder:
    """Finds what belongs to the venue of an interaction, and may be seen by its person."""

    store: Store
    matches: MatchRegistry
    invitations: Invitations
    closed_deals: ClosedDeals

    async def match(self, interaction: Interaction, match_id: str) -> LiveMatch:
        """A match of the venue in which somebody pressed.

        Raises Refused for any other id, and what `MatchRegistry.find` raises.
        """
        match = await self.matches.find(match_id)
        if match is None:
            interaction.client.foreign_answers.unknown_message(interaction)
        return await self.checked(interaction, match)

    async def checked(self, interaction: Interaction, match: Match | None, unknown: str = "match.unknown") -> Match:
        """A match, at whose table the person of an interaction may look. Raises Refused for any other, and for none, in
        the same words: the key `unknown`. Where a private match shows its own result, it says that it is private."""
        may = Derivable.NOTHING if match is None else await self.may_derive(interaction, match)
        if match is None or may is Derivable.NOTHING:
            self.check_shared(interaction, match)
            raise Refused(unknown)
        if may < Derivable.TABLE:
            raise Refused("match.private")
        return match

    def check_shared(self, interaction: Interaction, match: LiveMatch | MatchRow | None) -> None:
        """Raise Refused with the reason if what keeps somebody out is that others play the same deal. Everybody
        in its server sees its board, so that there is such a match is no secret there."""
        has_board = match is not None and match.shared and not match.everywhere
        if match is not None and has_board and match.guild_id == venue_id_of(interaction):
            self.closed_deals.check_open(match)

    async def may_derive(self, interaction: Interaction, match: LiveMatch | MatchRow) -> Derivable:
        """How much the person of an interaction may derive of a match (`bot.match_readers`)."""
        live = match if isinstance(match, LiveMatch) and not match.over else None
        is_closed = self.closed_deals.closing(match) is not None or (live is not None and not live.has_board)
        if is_closed or live is not None:
            here, seated = match.guild_id in venues_of(interaction), interaction.user.id in match.seats
            return may_derive(Stage.CLOSED if is_closed else Stage.IN_PLAY, reader_of(here=here, seated=seated))
        return await self._of_rows(interaction, match.id)

    async def is_open_to_all(self, match: LiveMatch | MatchRow) -> bool:
        """Whether everybody in a match's server may derive all of it, also who didn't play."""
        if self.closed_deals.closing(match) is not None:
            return False
        nobody = 0
        may = await self.store.derivable(match.guild_id, match.id, nobody, self.closed_deals.today())
        return may is Derivable.ALL

    async def _is_hidden(self, interaction: Interaction, match_id: str) -> bool:
        """Whether the person may not know that there was such a match."""
        return await self._of_rows(interaction, match_id) is Derivable.NOTHING

    async def _of_rows(self, interaction: Interaction, match_id: str) -> Derivable:
        asked, pressed = (match_id, interaction.user.id, self.closed_deals.today()), pressed_message(interaction)
        return max([await self.store.derivable(venue, *asked, pressed=pressed) for venue in venues_of(interaction)])

    async def invitation(self, interaction: Interaction, invitation_id: str) -> tuple[Invitation, InvitationState]:
        """An invitation of the venue in which somebody pressed, and its state. Raises Refused for any other id."""
        found = await self.invitations.find(invitation_id)
        if found is None:
            interaction.client.foreign_answers.unknown_message(interaction)
        if found is None or found[0].guild_id not in venues_of(interaction):
            raise Refused("challenge.unknown")
        is_elsewhere = found[0].message_id != pressed_message(interaction)
        if is_elsewhere and found[1] is InvitationState.ACCEPTED and await self._is_hidden(interaction, invitation_id):
            raise Refused("challenge.unknown")
        return found

    async def finished(self, interaction: Interaction, typed: str) -> FinishedMatch:
        """The finished match of this venue with a code, if the person may see it. All others cost as much.

        Raises Refused, the same for what is not there, is another server's, is private, is being played, or tries a
        deal of the day that is still closed. Only on its own result a match is said to be private.
        """
        code = typed.strip(" `").lower()
        if _CODE.fullmatch(code):
            user_id, today = interaction.user.id, self.closed_deals.today()
            may = await self._of_rows(interaction, code)
            if may is Derivable.SEAL:
                raise Refused("match.private")
            for venue in venues_of(interaction) if may is Derivable.ALL else ():
                found = await self.store.finished_match(venue, code, user_id, today)
                if found is not None and self.closed_deals.closing(found.row) is None:
                    return found
        raise Refused("replay.unknown")

    async def sealed_at(self, row: MatchRow) -> int:
        """When a match's deal was sealed, in ms UTC: when its invitation was made."""
        found = await self.invitations.find(row.id)
        return found[0].created_at if found else row.opened_at

    async def whole(self, row: MatchRow, result: Result) -> ExportedMatch:
        """All that is stored of a finished match."""
        return ExportedMatch(row, tuple(await self.store.records(row.id)), result, await self.sealed_at(row))

    async def check_installed(self, interaction: Interaction, game: str) -> None:
        """Raise NotInstalled for a game that was played in the server and is not installed any more."""
        if game in await self.store.games_played(interaction.guild_id or 0):
            raise NotInstalled(game)


def pressed_message(interaction: Interaction) -> int | None:
    """The message that was pressed. If only its reader sees it, that is the one on which they asked for it, as Discord
    says: a private message that a public result has opened leads no further than the result does."""
    message = interaction.message
    if message is None:
        return None
    asked = message.interaction_metadata if message.flags.ephemeral else None
    return message.id if asked is None else asked.interacted_message_id or message.id
