"""Those who follow what happens to matches, invitations and servers, and how they hear of it.

An observer shows what it hears of to people, so it only notes what is to be done: it never waits, and never raises.
"""

from __future__ import annotations

from typing import Protocol

from bot.play.live_match import BoardLocation, LiveMatch
from bot.store.rows import Invitation, InvitationState
from engines.game import Seat


class Observer(Protocol):
    """What somebody must do who follows matches, invitations and servers."""

    def match_changed(self, match: LiveMatch) -> None:
        """A match changed: a move, its place, its deadlines, its end."""

    def match_resumed(self, match: LiveMatch, former: BoardLocation, by: Seat) -> None:
        """A suspended match goes on where the player on a seat pressed; its board was at `former`."""

    def match_repaired(self, match: LiveMatch) -> None:
        """What is shown of a match may be behind, though nobody has just moved. It may be shown when there is time."""

    def invitation_closed(self, invitation: Invitation, state: InvitationState) -> None:
        """An invitation was closed by nobody's press."""

    def server_purged(self, guild_id: int) -> None:
        """Nothing is remembered of a server any more."""


class Observers:
    """All observers, called one after the other in the order in which they were added. It is an `Observer` itself."""

    def __init__(self) -> None:
        self._all: list[Observer] = []

    def add(self, observer: Observer) -> None:
        """Call an observer from now on."""
        self._all.append(observer)

    def match_changed(self, match: LiveMatch) -> None:
        """See `Observer`."""
        for observer in self._all:
            observer.match_changed(match)

    def match_resumed(self, match: LiveMatch, former: BoardLocation, by: Seat) -> None:
        """See `Observer`."""
        for observer in self._all:
            observer.match_resumed(match, former, by)

    def match_repaired(self, match: LiveMatch) -> None:
        """See `Observer`."""
        for observer in self._all:
            observer.match_repaired(match)

    def invitation_closed(self, invitation: Invitation, state: InvitationState) -> None:
        """See `Observer`."""
        for observer in self._all:
            observer.invitation_closed(invitation, state)

    def server_purged(self, guild_id: int) -> None:
        """See `Observer`."""
        for observer in self._all:
            observer.server_purged(guild_id)
