"""Restores what was open when the last process ended, while presses already come."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bot import logs
from bot.play.computers.seats import ComputerSeats
from bot.play.live_match import LiveMatch
from bot.play.match_registry import MatchRegistry
from bot.play.matchmaking.invitations import Invitations
from bot.play.observers import Observer
from bot.play.restoring import MatchRestorer
from bot.play.server_settings import KnownServerSettings
from bot.store.queries.invitations import named_by
from bot.store.queries.matches import MatchRow, SavedMatch
from bot.telemetry import Telemetry
from bot.ui.display_names import DisplayNames
from bot.ui.preferences import Preferences
from cogs.updates.screen_updates import ScreenUpdates

MANY = 250
"""After how many restored matches the callback of `Startup.resume` is called again."""


@dataclass(slots=True, eq=False)
class KnownPeople(Observer):
    """What is known in memory of servers and of the people who play there: read at a start, a server at a time."""

    display_names: DisplayNames
    preferences: Preferences
    server_settings: KnownServerSettings
    matches: MatchRegistry
    invitations: Invitations
    _loaded: set[int] = field(init=False, default_factory=set)
    """The servers whose players' names were loaded."""

    def __post_init__(self) -> None:
        self.display_names.keep(self._playing)
        self.preferences.keep(lambda: {user_id for _, user_id in self._playing()})

    def _playing(self) -> set[tuple[int, int]]:
        """Who plays or is invited now, by server and user: what is shown of them is read without loading it."""
        matches: list[LiveMatch | MatchRow] = [*self.matches.live(), *self.matches.waiting.rows()]
        playing = {(match.guild_id, user_id) for match in matches for user_id in match.seats}
        open_ones = self.invitations.open()
        return playing | {(each.guild_id, user_id) for each in open_ones for user_id in named_by(each)}

    async def load_servers(self) -> None:
        """Load the settings of all servers. Raises StoreError."""
        await self.server_settings.load()

    async def load(self, match: LiveMatch | MatchRow) -> None:
        """Load the names and preferences of a match's players: with the first match of a server, of all its players."""
        waiting = self.matches.waiting.in_server(match.guild_id)
        seats = (match.seats, *(row.seats for row in waiting)) if match.guild_id not in self._loaded else (match.seats,)
        if waiting:
            self._loaded.add(match.guild_id)
        people = tuple({user for each in seats for user in each})
        await self.display_names.load(match.guild_id, people)
        await self.preferences.load(people)

    def server_purged(self, guild_id: int) -> None:
        self.display_names.forget_server(guild_id)
        self.server_settings.forget_server(guild_id)


@dataclass(slots=True, eq=False)
class Startup:
    """Restores matches, invitations and what shows them."""

    restorer: MatchRestorer
    matches: MatchRegistry
    invitations: Invitations
    updates: ScreenUpdates
    people: KnownPeople
    computers: ComputerSeats | None
    telemetry: Telemetry
    begin_rooms: Callable[[], Awaitable[None]]
    """Called once everything is known that was open, and before any match is in play. It may raise StoreError."""
    _restoring: asyncio.Task[None] | None = field(default=None, init=False)

    async def resume(self, restored: Callable[[], None]) -> None:
        """Restore what was open when the last process ended.

        Unfinished matches are restored one by one in the background, and each press waits only for those that it needs;
        `restored` is called when many more are in play, and at the end. Raises StoreError.
        """
        await self.people.load_servers()
        ended = await self.restorer.begin()
        await self.invitations.resume()
        live = {row.id for row in self.matches.waiting.rows()}
        await self.updates.load(live, {row.id for row in ended})
        await self.begin_rooms()
        self.updates.edit_queue.hold_repairs()
        self._restoring = asyncio.create_task(self._restore(ended, restored))  # presses may come meanwhile
        self.invitations.announce_open()
        for invitation in self.invitations.open():
            if invitation.message_id is None:
                self.updates.postings.find_invitation(invitation, self.invitations.note_message)

    async def _restore(self, ended: Sequence[MatchRow], restored: Callable[[], None]) -> None:
        """Restore all unfinished matches, and show how the last ones ended."""
        try:
            count = itertools.count(1)

            def show(match: LiveMatch, saved: SavedMatch) -> None:
                self.updates.restore(match, saved)
                if self.computers is not None:
                    self.computers.resume((match,))
                if next(count) % MANY == 0:
                    restored()

            await self.restorer.run(self.people.load, show)
            for each in self.matches.quarantined():
                self.updates.not_restored(each.row.id)
            restored()
            self.updates.edit_queue.release_repairs()
            async for match in self.restorer.ended(ended):
                await self.people.load(match)
                self.updates.restore(match)
        except Exception as error:  # noqa: BLE001  nobody awaits this task
            logs.log_error(error, "restoring matches", self.telemetry)
        finally:
            self.updates.edit_queue.release_repairs()

    @property
    def is_restored(self) -> bool:
        """Whether everything that a start restores in the background is there."""
        return self._restoring is not None and self._restoring.done()

    async def close(self) -> None:
        """Restore nothing more."""
        if self._restoring is not None:
            self._restoring.cancel()
            await asyncio.gather(self._restoring, return_exceptions=True)
