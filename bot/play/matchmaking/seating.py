"""Who sits where in a challenge or at a table, and how its match begins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from weakref import WeakValueDictionary

from bot.games import GAMES
from bot.play.computers.levels import check_computers, check_level
from bot.play.deals.sealing import with_salt, without_salt
from bot.play.limits import Limits
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPress
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.matchmaking.invitations import Invitations
from bot.play.refusals import NotInstalled, Refused, translate_errors
from bot.play.reliability import READ, clean_matches_needed, reliability
from bot.store.errors import InvitationClosed
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState
from bot.store.special_ids import computer_id, people
from bot.store.store import Store
from bot.time_controls import time_control


class VenueNeeded(Exception):  # noqa: N818  named for what is needed
    """A match is about to begin that gets a thread of its own, and there is none yet. Nothing has changed."""

    def __init__(self, invitation: Invitation) -> None:
        super().__init__()
        self.invitation = invitation


@dataclass(slots=True, eq=False)
class Seating:
    """Changes who is in the open invitations, and turns them into matches. One change at a time."""

    invitations: Invitations
    registry: MatchRegistry
    lifecycle: MatchLifecycle
    store: Store
    limits: Limits
    now: Callable[[], int]
    _finding: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary, init=False)

    # ------------------------------------------------------------------------------------ looking for a seat

    def finding(self, guild_id: int) -> asyncio.Lock:
        """A lock for looking for a table in a server and opening one if there is none.

        Without it, two people who look at the same moment would each open a table and wait there.
        """
        return self._finding.setdefault(guild_id, asyncio.Lock())

    def tables_for(self, user_id: int, guild_id: int) -> list[Invitation]:
        """The open tables of a server at which a person can sit down: the oldest first.

        Left out are private tables, full ones, those where they sit already, and those whose match would be over a
        limit.
        """
        found = [each for each in self.invitations.open_in(guild_id) if self._has_room_for(each, user_id)]
        return sorted(found, key=lambda table: (table.created_at, table.id))

    def _has_room_for(self, invitation: Invitation, user_id: int) -> bool:
        if invitation.kind is not InvitationKind.TABLE or invitation.private:
            return False
        channel_id = None if invitation.in_thread else invitation.channel_id
        playing, seated = self.registry.with_boards(invitation.guild_id), people((*invitation.seated, user_id))
        try:
            self._check_sitting(invitation, user_id)
            self.limits.check_room(playing, channel_id, seated)
        except Refused:
            return False
        return True

    # ------------------------------------------------------------------------------------ sitting down

    async def take_seat(
        self,
        invitation_id: str,
        user_id: int,
        message_id: int | None,
        press: MatchPress,
        *,
        venue: int | None = None,
    ) -> LiveMatch | Invitation:
        """Seat somebody who pressed. A challenge becomes a match when all sit, and a table that starts by itself when
        enough do. Raises Refused, Unsaved.

        It raises VenueNeeded if the match gets a thread; then call again with the `venue` where it is played.
        """
        async with self.invitations.changing:
            invitation = self.invitations.get_open(invitation_id)
            self._check_sitting(invitation, user_id)
            await self._check_admitted(invitation, user_id)
            if invitation.reliable and user_id not in invitation.invited:
                await self._check_reliable(invitation, user_id)
            invitation = self.invitations.get_open(invitation_id)  # its message may have been recorded meanwhile
            self.invitations.presence.note(invitation.id, user_id)
            seated = replace(invitation, seated=(*invitation.seated, user_id))
            if _is_complete(seated):
                return await self._open_match(seated, message_id, user_id, press, venue)
            await self.invitations.change(seated)
            return seated

    def _check_sitting(self, invitation: Invitation, user_id: int) -> None:
        _check_installed(invitation)
        if user_id in invitation.seated:
            own = invitation.kind is InvitationKind.CHALLENGE and user_id == invitation.host_id
            raise Refused("challenge.own_accept" if own else "table.seated_already")
        if invitation.kind is InvitationKind.CHALLENGE and user_id not in invitation.invited:
            raise Refused("challenge.not_yours")
        if invitation.private and user_id not in invitation.invited:
            raise Refused("table.private")
        if len(invitation.seated) >= GAMES[invitation.game].info.seats[-1]:
            raise Refused("table.full")
        self.limits.check_player(self.registry.unfinished_in(invitation.guild_id), user_id, user_id)

    async def _check_admitted(self, invitation: Invitation, user_id: int) -> None:
        """Raise Refused if somebody may not play, or not with those who sit there."""
        admission = self.invitations.admission
        await admission.check_player(invitation.guild_id, user_id)
        await admission.check_company(invitation.guild_id, user_id, (invitation.host_id, *invitation.seated))

    async def _check_reliable(self, invitation: Invitation, user_id: int) -> None:
        """Raise Refused if somebody often leaves matches or plays late, with how many matches make up for it. People
        whom the host invited may always join."""
        attended = await translate_errors(self.store.attendances(invitation.guild_id, user_id, READ))
        found = reliability(attended, self.now())
        if not found.is_reliable:
            needed = clean_matches_needed(attended, self.now())
            if found.plays_late:
                raise Refused("table.plays_late", in_time=found.in_time, asked=found.asked, needed=needed)
            raise Refused("table.not_reliable", finished=found.finished, matches=found.matches, needed=needed)

    async def add_computer(self, invitation_id: str, host: int, level: str) -> Invitation:
        """Seat a computer of a level at the host's table. Raises Refused, Unsaved."""
        async with self.invitations.changing:
            invitation = self._own_table(invitation_id, host)
            check_level(invitation.game, level)
            if len(invitation.seated) >= GAMES[invitation.game].info.seats[-1]:
                raise Refused("table.full")
            added = replace(invitation, seated=(*invitation.seated, computer_id(level, invitation.seated)))
            _check_computers(added, added.seated)
            await self.invitations.change(added)
            return added

    async def ask(self, invitation_id: str, host: int, guests: tuple[int, ...]) -> Invitation:
        """Invite people to the host's private table. Raises Refused, Unsaved."""
        async with self.invitations.changing:
            invitation = self._own_table(invitation_id, host)
            new = set(guests) - {*invitation.invited, *invitation.seated}
            await self.invitations.admission.check_guests(invitation.guild_id, host, new)
            invitation = self._own_table(invitation_id, host)  # its message may have been recorded meanwhile
            open_here, crowded = self.invitations.open_in(invitation.guild_id), []
            for guest in new:
                crowded += self.limits.check_received(open_here, guest, host)
            asked = replace(invitation, invited=tuple(dict.fromkeys((*invitation.invited, *guests))))
            self.limits.check_asked(asked.invited)
            await self.invitations.ask(asked)
        await self.invitations.make_room(crowded)
        return asked

    async def add_salt(self, invitation_id: str, user_id: int, text: str) -> Invitation:
        """Add a player's own salt to the deal. Raises Refused, Unsaved."""
        async with self.invitations.changing:
            salted = with_salt(self.invitations.get_open(invitation_id), user_id, text)
            await self.invitations.change(salted)
            return salted

    # ------------------------------------------------------------------------------------ getting up

    async def turn_down(self, invitation_id: str, user_id: int) -> tuple[Invitation, InvitationState]:
        """Decline a challenge or a seat at a private table, or cancel the host's own invitation. Raises Refused,
        Unsaved."""
        async with self.invitations.changing:
            invitation = self.invitations.get_open(invitation_id)
            is_challenge = invitation.kind is InvitationKind.CHALLENGE
            if user_id == invitation.host_id:
                state = InvitationState.CANCELLED
            elif is_challenge and user_id in invitation.invited:
                state = InvitationState.DECLINED
            elif user_id in invitation.invited and user_id not in invitation.seated:
                declined = _without_guest(invitation, user_id)
                await self.invitations.change(declined)
                return declined, InvitationState.OPEN
            else:
                raise Refused("challenge.not_yours" if is_challenge else "table.not_host")
            await self.invitations.close_as(invitation, state, unanswered=True)
            return invitation, state

    async def leave(self, invitation_id: str, user_id: int) -> tuple[Invitation, InvitationState]:
        """Let somebody leave a table. The next player becomes host; the last one closes it. Raises Refused, Unsaved."""
        async with self.invitations.changing:
            invitation = self.invitations.get_open(invitation_id)
            return await self._unseat(invitation, user_id, "table.not_seated")

    async def kick(self, invitation_id: str, host: int, user_id: int) -> tuple[Invitation, InvitationState]:
        """Remove somebody from the table because the host pressed. Raises Refused, Unsaved."""
        async with self.invitations.changing:
            invitation = self.invitations.get_open(invitation_id)
            _check_host(invitation, host)
            if user_id == host:
                raise Refused("table.kick_yourself")
            _check_may_change(invitation)
            return await self._unseat(_without_guest(invitation, user_id), user_id, "table.they_left")

    async def _unseat(self, invitation: Invitation, user_id: int, unseated: str) -> tuple[Invitation, InvitationState]:
        if invitation.kind is not InvitationKind.TABLE:
            raise Refused("table.not_a_table")
        if user_id not in invitation.seated:
            raise Refused(unseated)
        seated = tuple(user for user in invitation.seated if user != user_id)
        if not people(seated):
            await self.invitations.close_as(invitation, InvitationState.CANCELLED)
            return invitation, InvitationState.CANCELLED
        host = people(seated)[0] if invitation.host_id == user_id else invitation.host_id
        left = replace(without_salt(invitation, user_id), seated=seated, host_id=host)
        await self.invitations.change(left)
        if host != invitation.host_id:
            self.invitations.presence.ask(invitation.id, ())  # the new host has not pressed *Start*
        return left, InvitationState.OPEN

    # ------------------------------------------------------------------------------------ beginning

    async def start(
        self,
        invitation_id: str,
        user_id: int,
        message_id: int | None,
        press: MatchPress,
        *,
        venue: int | None = None,
    ) -> LiveMatch:
        """Start the table's match because the host pressed. Raises Refused, Unsaved, and VenueNeeded as `take_seat`."""
        async with self.invitations.changing:
            invitation = await self._startable(invitation_id, user_id)
            return await self._open_match(invitation, message_id, user_id, press, venue)

    async def start_alone(self, invitation_id: str, user_id: int, press: MatchPress) -> LiveMatch:
        """Start the match of a table where one person sits with computers, without a board and a clock. Raises Refused,
        Unsaved."""
        async with self.invitations.changing:
            invitation = await self._startable(invitation_id, user_id)
            self.lifecycle.check_room(invitation, user_id, alone=True)
            seated = invitation.places or invitation.seated
            _check_computers(invitation, seated)
            try:
                match = await self.lifecycle.open(replace(invitation, seated=seated), press, alone=True)
            except InvitationClosed:
                raise Refused("challenge.closed") from None
            self.invitations.remove(invitation.id)
            return match

    async def ask_ready(self, invitation_id: str, user_id: int) -> Invitation | None:
        """Have those asked whether they are ready who have been quiet at the host's table for a while, unless play is
        slow. Returns the table if its match waits for them, None if it can start. Raises Refused as `start`."""
        async with self.invitations.changing:
            invitation, presence = await self._startable(invitation_id, user_id), self.invitations.presence
            presence.note(invitation.id, user_id)
            quiet = presence.quiet(invitation)
            if not quiet or time_control(invitation.clock).slow:
                return None
            presence.ask(invitation.id, quiet)
            return invitation

    async def _startable(self, invitation_id: str, user_id: int) -> Invitation:
        """A table that its host may start now. Raises Refused."""
        invitation = self.invitations.get_open(invitation_id)
        _check_host(invitation, user_id)
        _check_installed(invitation)
        least = GAMES[invitation.game].info.seats[0]
        if len(invitation.seated) < least:
            raise Refused("table.too_few", least=least, seated=len(invitation.seated))
        return await self._admitted(invitation, user_id)

    async def _admitted(self, invitation: Invitation, asker: int) -> Invitation:
        """A table at whose match all may play who sit there, and with who begins it: that may have changed since they
        sat down. Raises Refused."""
        admission, others = self.invitations.admission, [user for user in invitation.seated if user != asker]
        await admission.check_player(invitation.guild_id, asker)
        await admission.check_guests(invitation.guild_id, asker, people(others))
        return self.invitations.get_open(invitation.id)  # its message may have been recorded meanwhile

    async def ready(
        self,
        invitation_id: str,
        user_id: int,
        message_id: int | None,
        press: MatchPress,
        *,
        venue: int | None = None,
    ) -> LiveMatch | Invitation:
        """Note that somebody who was asked is ready; with the last of them the match begins, if enough still sit there.
        Raises as `start`."""
        async with self.invitations.changing:
            invitation = self.invitations.get_open(invitation_id)
            if user_id not in invitation.seated:
                raise Refused("table.not_seated")
            enough = len(invitation.seated) >= GAMES[invitation.game].info.seats[0]  # others may have left meanwhile
            if enough and self.invitations.presence.awaited(invitation) == (user_id,):
                invitation = await self._admitted(invitation, user_id)
                return await self._open_match(invitation, message_id, user_id, press, venue)
            self.invitations.presence.note_ready(invitation_id, user_id)
            return invitation

    async def _open_match(
        self, invitation: Invitation, message_id: int | None, asker: int, press: MatchPress, venue: int | None
    ) -> LiveMatch:
        """Deal the cards and begin the match. Raises Refused if a limit leaves no room or a computer's level is not
        offered for as many players, and VenueNeeded; the invitation then stays open."""
        self.lifecycle.check_room(invitation, asker)
        if invitation.in_thread and venue is None:
            raise VenueNeeded(invitation)
        places = invitation.places or invitation.seated
        _check_computers(invitation, places)
        message_id = message_id or invitation.message_id
        begun = replace(invitation, seated=places, message_id=message_id)
        if venue not in (None, invitation.channel_id):  # the board is a message of its own
            begun = replace(begun, channel_id=venue, message_id=None)
        self.invitations.presence.note(invitation.id, asker)
        quiet = self.invitations.presence.quiet(invitation)
        try:
            match = await self.lifecycle.open(begun, press)
        except InvitationClosed:
            raise Refused("challenge.closed") from None
        match.note_sat_early([seat for seat, user in enumerate(match.seats) if user in quiet])
        self.invitations.remove(invitation.id)
        return match

    def _own_table(self, invitation_id: str, host: int) -> Invitation:
        """The host's table, if it can still be changed who plays. Raises Refused."""
        invitation = self.invitations.get_open(invitation_id)
        _check_host(invitation, host)
        _check_installed(invitation)
        _check_may_change(invitation)
        return invitation


def _without_guest(invitation: Invitation, user_id: int) -> Invitation:
    """An invitation to which somebody is not invited any more."""
    return replace(invitation, invited=tuple(user for user in invitation.invited if user != user_id))


def _is_complete(invitation: Invitation) -> bool:
    """Whether the match of an invitation begins by itself with those who sit there."""
    if invitation.kind is InvitationKind.CHALLENGE:
        return set(invitation.seated) >= set(invitation.invited)
    return invitation.auto_start and len(invitation.seated) >= GAMES[invitation.game].info.seats[0]


def _check_installed(invitation: Invitation) -> None:
    """Raise NotInstalled where no match can come of the invitation at present."""
    if invitation.game not in GAMES:
        raise NotInstalled(invitation.game, "challenge.not_installed")


def _check_host(invitation: Invitation, user_id: int) -> None:
    """Raise Refused unless it is a table and somebody its host."""
    if invitation.kind is not InvitationKind.TABLE:
        raise Refused("table.not_a_table")
    if user_id != invitation.host_id:
        raise Refused("table.not_host")


def _check_may_change(invitation: Invitation) -> None:
    """Raise Refused where it is settled who plays, because the match is begun from another one."""
    if invitation.origin is not None:
        raise Refused("differently.settled")


def _check_computers(invitation: Invitation, seated: tuple[int, ...]) -> None:
    """Raise Refused unless the levels of all computers are offered where these sit."""
    check_computers(invitation.game, codec(invitation.game).decode(invitation.options), seated)
