"""Observers of matches, invitations and servers.

An observer shows changes to people. It only notes what to do: it never waits and never raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from bot.play.live_match import BoardLocation, LiveMatch
from bot.store.queries.invitations import Invitation, InvitationState
from engines.game import Seat

P = ParamSpec("P")


class Observer:
    """Is notified of changes to matches, invitations and servers. A subclass overrides what it needs."""

    def match_changed(self, match: LiveMatch) -> None:
        """A match changed: a move, its venue, its deadlines, its end."""

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


def _telling(method: Callable[Concatenate[Any, P], None]) -> Callable[Concatenate[Observers, P], None]:
    """The method that calls the one of this name of all observers."""

    def tell(observers: Observers, /, *given: P.args, **named: P.kwargs) -> None:
        for observer in observers.added:
            getattr(observer, method.__name__)(*given, **named)

    return tell


class Observers(Observer):
    """Calls all observers in the order in which they were added."""

    def __init__(self) -> None:
        self.added: list[Observer] = []

    def add(self, *observers: Observer) -> None:
        """Add some observers."""
        self.added += observers

    match_changed = _telling(Observer.match_changed)
    match_resumed = _telling(Observer.match_resumed)
    match_gave_place = _telling(Observer.match_gave_place)
    match_repaired = _telling(Observer.match_repaired)
    invitation_opened = _telling(Observer.invitation_opened)
    invitation_closed = _telling(Observer.invitation_closed)
    invitation_repaired = _telling(Observer.invitation_repaired)
    server_purged = _telling(Observer.server_purged)
