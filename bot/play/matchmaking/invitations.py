"""The open invitations, challenges and tables: in memory, each until its deadline.

`Inviting` opens them: what somebody proposes, and whether there is room for it.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from bot.budgets import QUIET_AFTER
from bot.games import GAMES
from bot.play.clocks.deadlines import Deadlines
from bot.play.clocks.match_clock import UNSAVED_GRACE
from bot.play.computers.levels import check_computers
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.deals.sealing import SYSTEM_RANDOM, random_id, seal
from bot.play.limits import ChallengeThrottle, Limits
from bot.play.match_registry import MatchRegistry, ServerIndex
from bot.play.match_state import codec
from bot.play.matchmaking.admission import Admission
from bot.play.matchmaking.series import first_of
from bot.play.observers import Observer
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.scheduler import Scheduler, Tasks
from bot.store.errors import InvitationClosed, StoreError
from bot.store.queries.invitations import Invitation, InvitationKind, InvitationState, Origin, Series, StandIn
from bot.store.queries.matches import TimerRow
from bot.store.queries.profiles import HeadToHead
from bot.store.special_ids import people
from bot.store.store import Store
from bot.time_controls import time_control
from engines.options import OptionRefused, settled

_log = logging.getLogger(__name__)


class Presence:
    """When people pressed something at open tables and challenges, and who was asked whether they are ready.

    A host chooses when a match begins, and its clock then runs for all. So those who have pressed nothing there for a
    while are asked first, and what they miss in a match that began without their doing is not held against them. A
    restart knows of nobody who is there.
    """

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
        """Those among them who must get a notice of it. Each gets one at a table, however often its host presses."""
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


class Invitations:
    """All open invitations. `Inviting` adds to them, and `Seating` changes who sits there."""

    def __init__(self, store: Store, observers: Observer, scheduler: Scheduler) -> None:
        self._store = store
        self._observers = observers
        self._now = scheduler.now
        self._open: ServerIndex[Invitation] = ServerIndex("invitations")
        self._head_to_head: dict[str, HeadToHead] = {}
        self._unrated: set[str] = set()
        self._throttle = ChallengeThrottle()
        self._deadlines = Deadlines(scheduler)
        self.presence = Presence(scheduler.now)
        """Who is at the tables, and not only sits there."""
        self._tasks = Tasks()
        self.admission = Admission()
        """Who may be in one, and with whom."""
        self.changing = asyncio.Lock()
        """Held while an invitation is changed or becomes a match. Who holds it keeps all others waiting."""

    # ------------------------------------------------------------------------------------ start and stop

    async def resume(self) -> None:
        """Restore all open invitations. The store has credited the time that the bot was down.

        One to a game that is not installed can be taken back, declined and left, and lapses in its time; it can become
        a match only once the game is back.
        """
        for invitation in await self._store.open_invitations():
            await self._read_head_to_head(invitation)
            await self._read_unrated(invitation)
            self._add(invitation)
        missing = Counter(invitation.game for invitation in self._open.values() if invitation.game not in GAMES)
        for game, invitations in sorted(missing.items()):
            _log.warning("game %s is not installed; invitations that wait for it: %d", game, invitations)
        _log.info("resumed %d invitations", len(self._open))

    @property
    def idle(self) -> bool:
        """Whether no invitation is open or being closed."""
        return not len(self._open) and self._deadlines.idle and not self._tasks

    def pause_clocks(self) -> None:
        """Pause the clocks of all invitations because nobody can answer."""
        self._deadlines.pause()

    async def read_deadlines(self) -> None:
        """Read the deadlines again, which the store has credited with an outage's time. Raises StoreError."""
        async with self.changing:  # what is being saved has the former deadline
            for stored in await self._store.open_invitations():
                invitation = self._open.get(stored.id)
                if invitation is not None:  # others were closed, or changed, since they were read
                    self._add(replace(invitation, expires_at=stored.expires_at))

    def shift_time(self, by: int) -> None:
        """Move all deadlines, because the time of day is corrected by this many ms. Nobody wins or loses time.

        Only while `changing` is held, and in the same step as the correction; the store moves its rows itself.
        """
        for invitation in self.open():
            self._add(replace(invitation, expires_at=invitation.expires_at + by))

    def show_again(self) -> None:
        """Have the observers bring every invitation's message up to date."""
        for invitation in self.open():
            self._observers.invitation_repaired(invitation)

    def resume_clocks(self) -> None:
        """Resume the clocks after a short outage, without credit."""
        self._deadlines.resume()

    async def close(self) -> None:
        """Clear all deadlines, and wait for invitations that their deadline is closing."""
        self._deadlines.close()
        await self._tasks.ended()

    # ------------------------------------------------------------------------------------ finding

    def open(self) -> tuple[Invitation, ...]:
        """All open invitations."""
        return tuple(self._open.values())

    def open_in(self, guild_id: int) -> tuple[Invitation, ...]:
        """The open invitations of a server."""
        return tuple(self._open.in_server(guild_id))

    def open_by_id(self, invitation_id: str) -> Invitation | None:
        """An open invitation as it is now; None for any other id."""
        return self._open.get(invitation_id)

    def note_pressed(self, invitation_id: str, user_id: int) -> None:
        """Note that somebody pressed something, if it was at a table where they sit."""
        table = self._open.get(invitation_id)
        if table is not None and user_id in table.seated:
            self.presence.note(invitation_id, user_id)

    def waits_for(self, invitation_id: str, user_id: int) -> bool:
        """Whether the match of an open invitation waits until somebody is ready."""
        table = self._open.get(invitation_id)
        return table is not None and user_id in self.presence.awaited(table)

    def get_open(self, invitation_id: str) -> Invitation:
        """An open invitation as it is now. Raises Refused for any other id."""
        invitation = self._open.get(invitation_id)
        if invitation is None:
            raise Refused("challenge.closed")
        return invitation

    def head_to_head(self, invitation_id: str) -> HeadToHead | None:
        """What the two of an open challenge have won so far, the host first; None for any other invitation."""
        return self._head_to_head.get(invitation_id)

    def is_unrated(self, invitation_id: str) -> bool:
        """Whether the match of an open invitation will count for nobody, because a moderator has set the results of one
        of its people aside. Who that is, nobody reads."""
        return invitation_id in self._unrated

    def of_series(self, guild_id: int, series_id: str) -> Invitation | None:
        """The open invitation to the next match of a series; None if nobody has asked for it."""
        among = self._open.in_server(guild_id)
        return next((each for each in among if each.series is not None and each.series.id == series_id), None)

    def of_player(self, user_id: int, guild_id: int | None) -> list[Invitation]:
        """The open invitations of a server (None: of all servers) that the user made, sits at, or was invited to."""
        among = self._open.values() if guild_id is None else self._open.in_server(guild_id)
        return [each for each in among if user_id in (each.host_id, *each.invited, *each.seated)]

    async def find(self, invitation_id: str) -> tuple[Invitation, InvitationState] | None:
        """An invitation and its result, or None."""
        return await self._store.invitation(invitation_id)

    def unanswered(self, guild_id: int, host: int, guest: int) -> int:
        """How many challenges of a host to a guest have lately been closed without a match."""
        return self._throttle.count(guild_id, host, guest, self._now())

    # ------------------------------------------------------------------------------------ changing

    async def add(self, invitation: Invitation) -> Invitation:
        """Save a new invitation, and return it as it is then. Raises Unsaved, and Refused if it was closed meanwhile.

        It is open before it is saved, because one that is made meanwhile must count it.
        """
        self._open[invitation.id] = invitation
        try:
            await translate_errors(self._read_head_to_head(invitation))
            await translate_errors(self._read_unrated(invitation))
            known = self.get_open(invitation.id)  # its deadline may have been moved meanwhile
            await translate_errors(self._store.add_invitation(known))  # last: nothing that failed leaves it open
        except BaseException:
            self.remove(invitation.id)
            raise
        saved = self._open.get(invitation.id)  # the same again
        if saved is None:
            await translate_errors(self._store.close_invitation(invitation.id, InvitationState.CANCELLED))
            raise Refused("challenge.closed")
        self._add(saved)
        self.presence.note(saved.id, saved.host_id)
        return saved

    async def note_message(self, invitation: Invitation, message_id: int) -> None:
        """Record the message that shows the invitation. It becomes the match's board."""
        await self._store.set_invitation_message(invitation.id, message_id)
        current = self._open.get(invitation.id)
        if current is not None:
            self._open[invitation.id] = known = replace(current, message_id=message_id)
            self._observers.invitation_opened(known)

    def announce_open(self) -> None:
        """Tell the observers of every open invitation whose message is known."""
        for invitation in self.open():
            if invitation.message_id is not None:
                self._observers.invitation_opened(invitation)

    async def change(self, changed: Invitation) -> None:
        """Save who is in an invitation now. Raises Refused, Unsaved."""
        try:
            await translate_errors(self._store.reseat_invitation(changed))
        except InvitationClosed:
            raise Refused("challenge.closed") from None
        with suppress(StoreError):  # then its message says what it said, and the match knows
            await self._read_unrated(changed)
        current = self._open.get(changed.id)
        if current is None:  # withdrawn meanwhile, since its message could not be posted
            raise Refused("challenge.closed")
        # Its message may have been recorded meanwhile.
        self._open[changed.id] = replace(changed, message_id=current.message_id)

    async def ask(self, asked: Invitation) -> None:
        """Save who is invited now, as `change` does. They count as invited at once, as in `add`."""
        former = self._open[asked.id]
        self._open[asked.id] = asked
        try:
            await self.change(asked)
        except BaseException:
            current = self._open.get(asked.id)
            if current is not None:
                self._open[asked.id] = replace(former, message_id=current.message_id)
            raise

    # ------------------------------------------------------------------------------------ closing

    async def withdraw(self, invitation: Invitation) -> None:
        """Cancel an invitation that could not be shown."""
        await self._store.close_invitation(invitation.id, InvitationState.CANCELLED)
        self.remove(invitation.id)

    async def close_as(self, invitation: Invitation, state: InvitationState, *, unanswered: bool = False) -> None:
        """Close an open invitation. `unanswered` if its guests had a challenge from which no match came. Raises
        Refused, Unsaved."""
        if not await translate_errors(self._store.close_invitation(invitation.id, state)):
            raise Refused("challenge.closed")
        self.remove(invitation.id)
        if unanswered and invitation.kind is InvitationKind.CHALLENGE:
            for guest in invitation.invited:
                self._throttle.note(invitation.guild_id, invitation.host_id, guest, self._now())

    async def close_lost(self, lost: Iterable[Invitation]) -> None:
        """Close invitations whose channel or server was lost. No message is left to show it."""
        for invitation in lost:
            async with self.changing:
                if invitation.id not in self._open:
                    continue
                try:
                    await self.close_as(self._open[invitation.id], InvitationState.CANCELLED)
                except (Refused, StoreError) as refused:
                    _log.warning("invitation %s could not be closed: %s", invitation.id, type(refused).__name__)

    async def make_room(self, crowded: Iterable[Invitation]) -> None:
        """Close invitations that give place to others', and show that they are closed."""
        for invitation in crowded:
            async with self.changing:
                await self._lapse(invitation.id, unanswered=False)

    def forget_server(self, guild_id: int) -> None:
        """Forget the open invitations of a purged server."""
        for invitation in self.open_in(guild_id):
            self.remove(invitation.id)

    def remove(self, invitation_id: str) -> None:
        """Forget an invitation that is not open any more."""
        self._open.pop(invitation_id, None)
        self.presence.forget(invitation_id)
        self._head_to_head.pop(invitation_id, None)
        self._unrated.discard(invitation_id)
        self._deadlines.clear(invitation_id)

    async def _expire(self, invitation_id: str) -> None:
        async with self.changing:
            await self._lapse(invitation_id, unanswered=True)

    async def _lapse(self, invitation_id: str, *, unanswered: bool) -> None:
        """Close an invitation that nobody pressed. What can't be saved is tried again a little later."""
        invitation = self._open.get(invitation_id)
        if invitation is None:
            return
        try:
            await self.close_as(invitation, InvitationState.EXPIRED, unanswered=unanswered)
        except (Unsaved, StoreError) as error:
            _log.warning("invitation %s could not lapse: %s", invitation_id, type(error).__name__)
            self._follow(invitation, self._now() + UNSAVED_GRACE)
            return
        except Refused:  # the store has closed it already
            self.remove(invitation_id)
            return
        self._observers.invitation_closed(invitation, InvitationState.EXPIRED)

    def _add(self, invitation: Invitation) -> None:
        self._open[invitation.id] = invitation
        self._follow(invitation, invitation.expires_at)

    def _follow(self, invitation: Invitation, deadline: int) -> None:
        end = TimerRow(invitation.id, "invitation", "", deadline)
        self._deadlines.set(invitation.id, (end,), lambda _: self._tasks.begin(self._expire(invitation.id)))

    async def _read_head_to_head(self, invitation: Invitation) -> None:
        between_two = (len(invitation.seated), len(invitation.invited)) == (1, 1)
        if invitation.kind is InvitationKind.CHALLENGE and between_two and invitation.id not in self._head_to_head:
            pair, game = (invitation.host_id, invitation.invited[0]), invitation.game
            self._head_to_head[invitation.id] = await self._store.head_to_head(invitation.guild_id, game, pair)

    async def _read_unrated(self, invitation: Invitation) -> None:
        guests = invitation.invited if invitation.kind is InvitationKind.CHALLENGE else ()
        users = people((*invitation.seated, *guests))
        if await self._store.is_anybody_set_aside(invitation.guild_id, users):
            self._unrated.add(invitation.id)
        else:
            self._unrated.discard(invitation.id)


@dataclass(frozen=True, slots=True)
class Terms:
    """The match that an invitation is for: its venue, game and clock, whether it gets a thread of its own, and what
    becomes of a seat whose time has run out (C-8)."""

    guild_id: int
    channel_id: int
    game: str
    options: Any
    time_control: str
    in_thread: bool = False
    stand_in: StandIn = StandIn.OFF
    best_of: int = 1
    """Of how many matches a series is the best, for a challenge between two (C-9); 1 is a single match."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An invitation that somebody wants to open: to which match, who is asked, and how it begins."""

    terms: Terms
    host: int
    guests: tuple[int, ...] = ()
    kind: InvitationKind = InvitationKind.CHALLENGE
    private: bool = False
    places: tuple[int, ...] = ()
    """Who sits where, if not in the order in which they sit down."""
    computers: tuple[int, ...] = ()
    """They sit at once."""
    auto_start: bool = False
    """The table's match begins as soon as enough people sit there."""
    reliable: bool = False
    """The table takes only people who finish most of their matches, and new ones."""
    at_once: bool = False
    """Its match begins without waiting for anybody, so it needs no room among the open invitations."""
    alone: bool = False
    """Its match has no board, so it needs no room in a channel."""
    origin: Origin | None = None
    """Where its match begins; its seed then decides only what is drawn later."""
    series: Series | None = None
    """What its match continues; without one it begins a series if the terms say so."""
    id: str = ""
    """Its id, and that of its match, if a room has noted it beforehand; it is made up otherwise."""


@dataclass(slots=True, eq=False)
class Inviting:
    """Opens invitations, each with a sealed deal.

    `source` makes ids and the seeds of deals. By default it is the system's, which nobody can foresee.
    """

    invitations: Invitations
    registry: MatchRegistry
    limits: Limits
    now: Callable[[], int]
    source: random.Random = SYSTEM_RANDOM

    async def invite(self, proposal: Proposal) -> Invitation:
        """Open an invitation with a sealed deal.

        Raises Refused if somebody may not play or reached a limit, if the options or a computer's level do not fit the
        players of a challenge or of a match that begins at once, or if the game has no stand-in; Unsaved.
        """
        terms, admission = proposal.terms, self.invitations.admission
        await admission.check_player(terms.guild_id, proposal.host)
        await admission.check_guests(terms.guild_id, proposal.host, proposal.guests)
        if terms.stand_in is not StandIn.OFF and not offers_stand_in(terms.game):
            raise Refused("stand_in.not_offered", game=GAMES[terms.game].info.title)
        crowded = self._check_room(proposal)
        if proposal.kind is InvitationKind.CHALLENGE or proposal.at_once:
            _check_options(terms, 1 + len(proposal.guests) + len(proposal.computers))
            check_computers(terms.game, terms.options, (proposal.host, *proposal.guests, *proposal.computers))
        now = self.now()
        options = settled(terms.options)
        invitation_id, stand_in = proposal.id or random_id(self.source), terms.stand_in
        series = proposal.series or first_of(invitation_id, terms.best_of if _is_for_two(proposal) else 1)
        clock, written = terms.time_control, codec(terms.game)
        deal = seal(terms.game, options, written, self.source, clock=clock, stand_in=stand_in, series=series)
        added = await self.invitations.add(
            Invitation(
                id=invitation_id,
                guild_id=terms.guild_id,
                channel_id=terms.channel_id,
                message_id=None,
                game=terms.game,
                options=written.encode(options),
                clock=clock,
                host_id=proposal.host,
                invited=proposal.guests,
                seated=(proposal.host, *proposal.computers),
                created_at=now,
                expires_at=now + 1000 * time_control(clock).invitation,
                kind=proposal.kind,
                private=proposal.private,
                places=proposal.places,
                in_thread=terms.in_thread,
                stand_in=stand_in,
                auto_start=proposal.auto_start,
                reliable=proposal.reliable,
                origin=proposal.origin,
                series=series,
                **deal.columns(),
            )
        )
        await self.invitations.make_room(crowded)
        return added

    def _check_room(self, proposal: Proposal) -> list[Invitation]:
        """Raise Refused if a limit leaves no room for an invitation. Returns those that give place to it."""
        terms, host, guests = proposal.terms, proposal.host, proposal.guests
        open_here = self.invitations.open_in(terms.guild_id)
        alike = (host, terms.game, set(guests))  # a forgotten challenge doesn't keep a series from being continued
        asked_again = any((each.host_id, each.game, set(each.invited)) == alike for each in open_here)
        if guests and proposal.series is None and asked_again:
            raise Refused("challenge.already_open")
        crowded = [] if proposal.at_once else self.limits.check_invitation(open_here, terms.channel_id, host)
        for guest in guests:
            crowded += self.limits.check_received(open_here, guest, host)
            self.limits.check_unanswered(self.invitations.unanswered(terms.guild_id, host, guest), guest)
        unfinished = self.registry.unfinished_in(terms.guild_id)
        self.limits.check_player(unfinished, host, host)
        if proposal.at_once:
            self.limits.check_alone(unfinished, host)
        playing, channel_id = self.registry.with_boards(terms.guild_id), None if terms.in_thread else terms.channel_id
        if guests or (proposal.at_once and not proposal.alone):  # who sits down at an open table is not known yet
            self.limits.check_room(playing, channel_id, (host, *guests))
        return crowded


def _is_for_two(proposal: Proposal) -> bool:
    """Whether it is one person's challenge to another: who sits down at a table is not known yet."""
    return proposal.kind is InvitationKind.CHALLENGE and (len(proposal.guests), proposal.computers) == (1, ())


def _check_options(terms: Terms, seats: int) -> None:
    """Raise Refused now if the match could not begin when the last player sits down."""
    try:
        GAMES[terms.game].start(terms.options, seats)
    except OptionRefused as refused:
        raise Refused(refused.key, **refused.values) from None
