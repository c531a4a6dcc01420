"""A tournament's event in its server's calendar, if its host wants one.

It begins and ends with the tournament. Whatever Discord refuses stops nothing: the host reads it once, in private.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from bot import pairing
from bot.games import game_title
from bot.play.clocks.match_lengths import expected_minutes
from bot.play.match_state import codec
from bot.play.refusals import Refused, Unsaved
from bot.store.errors import StoreError
from bot.time_controls import time_control
from cogs.tournaments.cups import Tournaments
from cogs.tournaments.rows import LOST_EVENT, State, Tournament
from cogs.updates.channel_messages import NotTaken
from cogs.updates.edit_queue import EditQueue, Priority
from cogs.updates.server_calendar import FINISHED_EVENT, TOO_MANY_EVENTS, UNKNOWN_EVENT, CalendarEvent, ServerCalendar
from cogs.wording import Wording

_log = logging.getLogger(__name__)

MINUTE: Final = 60_000
SHORTEST: Final = 60 * MINUTE
"""How long (ms) an event is at least; its end is an estimate."""
_FORBIDDEN: Final = 403
_LINK: Final = "https://discord.com/channels/{guild}/{channel}"


@dataclass(slots=True, eq=False)
class TournamentEvents:
    """The events of all tournaments."""

    tournaments: Tournaments
    calendar: ServerCalendar
    edits: EditQueue
    wording: Wording
    _begun: set[str] = field(default_factory=set, init=False)
    """The tournaments whose events have begun."""
    _entering: set[str] = field(default_factory=set, init=False)
    """Those whose events are being entered."""

    async def enter(self, tournament: Tournament, channel: str) -> str:
        """Enter the event of a tournament that takes place in a channel of this name, unless another press does.
        Returns the key of what its host reads if that failed; empty if not."""
        if tournament.id in self._entering:
            return ""
        self._entering.add(tournament.id)
        try:
            found = await self.tournaments.queries.find(tournament.guild_id, tournament.id)
            return "" if found is None or found.event_id is not None else await self._enter(tournament, channel)
        except StoreError:
            return "tournament.event_not_made"
        finally:
            self._entering.discard(tournament.id)

    async def _enter(self, tournament: Tournament, channel: str) -> str:
        words = self.wording.of_server(tournament.guild_id)
        link = _LINK.format(guild=tournament.guild_id, channel=tournament.channel_id)
        event = CalendarEvent(
            words("tournament.title", game=game_title(tournament.game)),
            f"#{channel}" if channel else link,
            words("tournament.event_about", link=link),
            tournament.closes_at,
            tournament.closes_at + lasts(tournament),
        )
        try:
            event_id = await self.calendar.enter(tournament.guild_id, event)
        except NotTaken as error:
            _log.info("the event of tournament %s was not entered (code %d)", tournament.id, error.code)
            if error.status == _FORBIDDEN:
                return "tournament.event_not_permitted"
            return "tournament.event_too_many" if error.code == TOO_MANY_EVENTS else "tournament.event_not_made"
        try:
            await self.tournaments.note_event(tournament.guild_id, tournament.id, event_id)
        except (Refused, Unsaved):
            with suppress(NotTaken):  # nobody would end it
                await self.calendar.remove(tournament.guild_id, event_id)
            return "tournament.event_not_made"
        self.request(tournament.guild_id, tournament.id)  # it may have begun, or been called off, meanwhile
        return ""

    def request(self, guild_id: int, tournament_id: str) -> None:
        """Have the event of a tournament be as far as it is."""

        async def update() -> int:
            return await self._update(guild_id, tournament_id)

        key = "tournament event", tournament_id
        self.edits.request_edit(key, key, update, Priority.REPAIR, own_bucket=True)

    async def _update(self, guild_id: int, tournament_id: str) -> int:
        """Bring an event up to date. Returns how many requests that took. Raises NotTaken."""
        try:
            found = await self.tournaments.queries.find(guild_id, tournament_id)
            if found is None or not found.event_id or (found.id in self._begun and not found.ended):
                return 0
            kept = await self._follow(found, found.event_id)
            if kept != found.event_id:
                await self.tournaments.note_event(guild_id, tournament_id, kept)
        except (StoreError, Unsaved) as error:
            raise NotTaken(type(error).__name__) from error
        except Refused:  # it was deleted with its server meanwhile
            return 0
        return 1

    async def _follow(self, tournament: Tournament, event_id: int) -> int | None:
        """Tell Discord how far a tournament is. Returns the id of its event from now on. Raises NotTaken if another try
        may do it."""
        here = tournament.guild_id, event_id
        if tournament.ended:
            self._begun.discard(tournament.id)
        try:
            match tournament.state:
                case State.PLAYING:
                    await self.calendar.begin(*here)
                case State.OVER:
                    await self.calendar.finish(*here)
                case State.CALLED_OFF:
                    await self.calendar.remove(*here)
                case State.OPEN | State.CHECKING:
                    return event_id
        except NotTaken as error:
            if error.may_pass:
                raise
            _log.info("the event of tournament %s stays as it is (code %d)", tournament.id, error.code)
            if error.code == UNKNOWN_EVENT or (error.status == _FORBIDDEN and error.code != FINISHED_EVENT):
                return LOST_EVENT
        # Any other refusal says that Discord did the same by itself before, as it does when an event's time has come.
        if tournament.ended:
            return None
        self._begun.add(tournament.id)
        return event_id


def lasts(tournament: Tournament) -> int:
    """How long (ms) a tournament with as many people as it takes will last, about."""
    rounds = tournament.rounds or pairing.rounds(tournament.format, tournament.most, tournament.seats) or 1
    if tournament.every:
        return rounds * 1000 * tournament.every
    options, clock = codec(tournament.game).decode(tournament.options), time_control(tournament.clock)
    minutes = expected_minutes(tournament.game, options, tournament.seats, clock) or 0
    return max(SHORTEST, rounds * tournament.legs * minutes * MINUTE)
