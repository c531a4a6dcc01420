"""Observers of matches, invitations and servers.

An observer shows changes to people. It only notes what to do: it never waits and never raises.
"""

from __future__ import annotations

from bot.play.live_match import BoardLocation, LiveMatch
from bot.store.queries.invitations import Invitation, InvitationState
from engines.game import Seat


class Observer:
    """Is notified of changes to matches, invitations and servers. A subclass overrides what it needs."""

    def match_changed(self, match: LiveMatch) -> None:
        """A match changed: a move, its place, its deadlines, its end."""

    def match_resumed(self, match: LiveMatch, former: BoardLocation, by: Seat) -> None:  # noqa: ARG002  for subclasses
        """A suspended match was resumed where the player on a seat pressed; its board was at `former`."""
        self.match_changed(match)

    def match_gave_place(self, match: LiveMatch) -> None:
        """A match was suspended, so that others can play where it was; `match_changed` was called before."""

    def match_repaired(self, match: LiveMatch) -> None:
        """The screens of a match may be out of date although nobody moved. Updating them is not urgent."""
        self.match_changed(match)

    def invitation_opened(self, invitation: Invitation) -> None:
        """An invitation was opened, and its message is known; after a start, all that are open."""

    def invitation_closed(self, invitation: Invitation, state: InvitationState) -> None:
        """An invitation was closed, but not by a press."""

    def invitation_repaired(self, invitation: Invitation) -> None:
        """An open invitation's message may be out of date although nobody pressed. Updating it is not urgent."""

    def server_purged(self, guild_id: int) -> None:
        """Everything about a server was deleted."""


class Observers(Observer):
    """Calls all observers in the order in which they were added."""

    def __init__(self) -> None:
        self._all: list[Observer] = []

    def add(self, *observers: Observer) -> None:
        """Add some observers."""
        self._all += observers

    def match_changed(self, match: LiveMatch) -> None:
        for observer in self._all:
            observer.match_changed(match)

    def match_resumed(self, match: LiveMatch, former: BoardLocation, by: Seat) -> None:
        for observer in self._all:
            observer.match_resumed(match, former, by)

    def match_gave_place(self, match: LiveMatch) -> None:
        for observer in self._all:
            observer.match_gave_place(match)

    def match_repaired(self, match: LiveMatch) -> None:
        for observer in self._all:
            observer.match_repaired(match)

    def invitation_opened(self, invitation: Invitation) -> None:
        for observer in self._all:
            observer.invitation_opened(invitation)

    def invitation_closed(self, invitation: Invitation, state: InvitationState) -> None:
        for observer in self._all:
            observer.invitation_closed(invitation, state)

    def invitation_repaired(self, invitation: Invitation) -> None:
        for observer in self._all:
            observer.invitation_repaired(invitation)

    def server_purged(self, guild_id: int) -> None:
        for observer in self._all:
            observer.server_purged(guild_id)
