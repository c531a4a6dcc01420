"""Who is at a table, and not only sits there.

A host chooses when a match begins, and its clock then runs for all. So whoever has pressed nothing there for a while is
asked first, and what they miss in a match that began without their doing is not held against them. A restart knows of
nobody who is there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from bot.budgets import QUIET_AFTER
from bot.store.queries.invitations import Invitation
from bot.store.special_ids import people


class Presence:
    """When people pressed something at open tables and challenges, and who was asked whether they are ready."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._pressed: dict[str, dict[int, int]] = {}
        self._asked: dict[str, set[int]] = {}
        self._told: dict[str, set[int]] = {}

    def note(self, invitation_id: str, user_id: int) -> None:
        """Note that somebody who sits there, or is about to, has pressed something there."""
        self._pressed.setdefault(invitation_id, {})[user_id] = self._now()

    def quiet(self, invitation: Invitation) -> tuple[int, ...]:
        """The people who sit there and have pressed nothing there for a while."""
        pressed, since = self._pressed.get(invitation.id, {}), self._now() - 1000 * QUIET_AFTER
        return tuple(user for user in people(invitation.seated) if pressed.get(user, since) <= since)

    def ask(self, invitation_id: str, asked: Collection[int]) -> None:
        """Note that the match waits until these people are ready."""
        self._asked[invitation_id] = set(asked)

    def untold(self, invitation: Invitation) -> tuple[int, ...]:
        """Those among them who are to be told so. Each is told once a table, however often its host presses."""
        told = self._told.setdefault(invitation.id, set())
        found = tuple(user for user in self.awaited(invitation) if user not in told)
        told.update(found)
        return found

    def awaited(self, invitation: Invitation) -> tuple[int, ...]:
        """The people there whose *Ready* the match waits for."""
        asked = self._asked.get(invitation.id, ())
        return tuple(user for user in invitation.seated if user in asked)

    def note_ready(self, invitation_id: str, user_id: int) -> None:
        """Note that somebody is ready."""
        self.note(invitation_id, user_id)
        self._asked.get(invitation_id, set()).discard(user_id)

    def forget(self, invitation_id: str) -> None:
        """Forget a table that is not open any more."""
        self._pressed.pop(invitation_id, None)
        self._asked.pop(invitation_id, None)
        self._told.pop(invitation_id, None)
