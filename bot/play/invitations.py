"""Challenges and tables: who is invited, who sits, and how a match begins."""

from __future__ import annotations

import asyncio
import logging
import random
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol

from bot.games import GAMES
from bot.play.clocks.deadlines import Deadlines
from bot.play.clocks.match_clock import UNSAVED_GRACE
from bot.play.computers.levels import check_level
from bot.play.computers.stand_ins import offers_stand_in
from bot.play.deals.salts import with_salt, without_salt
from bot.play.deals.sealing import random_id, seal
from bot.play.limits import ChallengeThrottle, Limits
from bot.play.live_match import LiveMatch
from bot.play.match_lifecycle import MatchLifecycle
from bot.play.match_press import MatchPress
from bot.play.match_registry import MatchRegistry
from bot.play.match_state import codec
from bot.play.matchmaking.checks import check_host, check_installed, check_may_change, check_options, is_complete
from bot.play.matchmaking.series import first_of
from bot.play.observers import Observer
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.play.reliability.shares import READ, clean_matches_needed, reliability
from bot.scheduler import Scheduler
from bot.server_index import ServerIndex
from bot.store.computer_ids import computer_id, people
from bot.store.errors import InvitationClosed, StoreError
from bot.store.protocols.invitations import InvitationStore
from bot.store.protocols.people import PeopleStore
from bot.store.protocols.standings import StandingStore
from bot.store.rows.invitations import Invitation, InvitationKind, InvitationState, Origin, Series, StandIn
from bot.store.rows.matches import TimerRow
from bot.store.rows.standings import HeadToHead
from bot.time_controls import time_control
from engines.options import settled

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Terms:
    """The match that an invitation is for: its place, game and clock, whether it gets a thread of its own, and what
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


class PlaceNeeded(Exception):  # noqa: N818  named for what is needed
    """A match is about to begin that gets a thread of its own, and there is none yet. Nothing has changed."""

    def __init__(self, invitation: Invitation) -> None:
        super().__init__()
        self.invitation = invitation


class _InvitationStores(InvitationStore, StandingStore, PeopleStore, Protocol):
    """What `Invitations` needs from the store."""


class Invitations:
    """All open invitations."""

    def __init__(
        self,
        store: _InvitationStores,
        registry: MatchRegistry,
        lifecycle: MatchLifecycle,
        *,
        limits: Limits,
        observers: Observer,
        scheduler: Scheduler,
        source: random.Random | None = None,
    ) -> None:
        """`source` makes ids and the seeds of deals. By default it is the system's, which nobody can foresee."""
        self._random = random.SystemRandom() if source is None else source
        self._store = store
        self._registry = registry
        self._lifecycle = lifecycle
        self._limits = limits
        self._observers = observers
        self._now = scheduler.now
        self._open: ServerIndex[Invitation] = ServerIndex()
        self._head_to_head: dict[str, HeadToHead] = {}
        self._throttle = ChallengeThrottle()
        self._deadlines = Deadlines(scheduler)
        self._tasks: set[asyncio.Task[None]] = set()
        self._seating = asyncio.Lock()
        self._finding: weakref.WeakValueDictionary[int, asyncio.Lock] = weakref.WeakValueDictionary()

    # ------------------------------------------------------------------------------------ start and stop

    async def resume(self) -> None:
        """Restore all open invitations. The store has credited the time that the bot was down.

        One to a game that is not installed can be taken back, declined and left, and lapses in its time; it can become
        a match only once the game is back.
        """
        for invitation in await self._store.open_invitations():
            await self._read_head_to_head(invitation)
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
        for stored in await self._store.open_invitations():
            invitation = self._open.get(stored.id)
            if invitation is not None:  # others were closed, or changed, since they were read
                self._add(replace(invitation, expires_at=stored.expires_at))

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Keep every change of every invitation, and the opening of matches, waiting within the block."""
        async with self._seating:
            yield

    def shift_time(self, by: int) -> None:
        """Move all deadlines, because the time of day is corrected by this many ms. Nobody wins or loses time.

        Only while the invitations are `held`, and in the same step as the correction; the store moves its rows itself.
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
        await asyncio.gather(*self._tasks, return_exceptions=True)

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

    def head_to_head(self, invitation_id: str) -> HeadToHead | None:
        """What the two of an open challenge have won so far, the host first; None for any other invitation."""
        return self._head_to_head.get(invitation_id)

    def of_series(self, guild_id: int, series_id: str) -> Invitation | None:
        """The open invitation to the next match of a series; None if nobody has asked for it."""
        among = self._open.in_server(guild_id)
        return next((each for each in among if each.series is not None and each.series.id == series_id), None)

    def of_player(self, user_id: int, guild_id: int | None) -> list[Invitation]:
        """The open invitations of a server (None: of all servers) that the user made, sits at, or was invited to."""
        among = self._open.values() if guild_id is None else self._open.in_server(guild_id)
        return [each for each in among if user_id in (each.host_id, *each.invited, *each.seated)]

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
        found = [each for each in self._open.in_server(guild_id) if self._has_room_for(each, user_id)]
        return sorted(found, key=lambda table: (table.created_at, table.id))

    def _has_room_for(self, invitation: Invitation, user_id: int) -> bool:
        if invitation.kind is not InvitationKind.TABLE or invitation.private:
            return False
        playing = self._registry.counted_in(invitation.guild_id)
        try:
            self._check_sitting(invitation, user_id)
            self._limits.check_place(playing, None if invitation.in_thread else invitation.channel_id)
        except Refused:
            return False
        return True

    async def find(self, invitation_id: str) -> tuple[Invitation, InvitationState] | None:
        """An invitation and its result, or None."""
        return await self._store.invitation(invitation_id)

    # ------------------------------------------------------------------------------------ opening

    async def invite(
        self,
        terms: Terms,
        host: int,
        guests: tuple[int, ...] = (),
        *,
        kind: InvitationKind = InvitationKind.CHALLENGE,
        private: bool = False,
        places: tuple[int, ...] = (),
        computers: tuple[int, ...] = (),
        auto_start: bool = False,
        reliable: bool = False,
        at_once: bool = False,
        origin: Origin | None = None,
        series: Series | None = None,
    ) -> Invitation:
        """Open an invitation with a sealed deal. The `computers` sit at once. The match of an `auto_start` table begins
        as soon as enough people sit there. One whose match begins `at_once` waits for nobody, so it needs no room among
        the open invitations. A `reliable` table takes only people who finish most of their matches, and new ones.

        With an `origin` its match begins there, and its seed decides only what is drawn later. With a `series` its
        match continues that one; otherwise it begins one if the terms say so.

        Raises Refused if somebody reached a limit, if the options do not fit the players of a challenge or of a match
        that begins `at_once`, or if the game has no stand-in; Unsaved.
        """
        if terms.stand_in is not StandIn.OFF and not offers_stand_in(terms.game):
            raise Refused("stand_in.not_offered", game=GAMES[terms.game].info.title)
        self._check_room(terms, host, guests, at_once=at_once, goes_on=series is not None)
        if kind is InvitationKind.CHALLENGE or at_once:
            check_options(terms.game, terms.options, 1 + len(guests) + len(computers))
        now = self._now()
        options = settled(terms.options)
        deal = seal(terms.game, options, codec(terms.game), self._random)
        invitation_id = random_id(self._random)
        invitation = Invitation(
            id=invitation_id,
            guild_id=terms.guild_id,
            channel_id=terms.channel_id,
            message_id=None,
            game=terms.game,
            options=codec(terms.game).encode(options),
            clock=terms.time_control,
            host_id=host,
            invited=guests,
            seated=(host, *computers),
            seed=deal.seed,
            commitment=deal.commitment,
            created_at=now,
            expires_at=now + 1000 * time_control(terms.time_control).invitation,
            kind=kind,
            private=private,
            places=places,
            deal_version=deal.version,
            deal_id=deal.id,
            rules_version=deal.rules_version,
            sealed_options=deal.options,
            in_thread=terms.in_thread,
            stand_in=terms.stand_in,
            auto_start=auto_start,
            reliable=reliable,
            origin=origin,
            series=series or first_of(invitation_id, terms.best_of),
        )
        self._open[invitation.id] = invitation  # before it is saved, because an invitation made meanwhile must count it
        try:
            await translate_errors(self._store.add_invitation(invitation))
            await self._read_head_to_head(invitation)
        except BaseException:
            del self._open[invitation.id]
            raise
        saved = self._open[invitation.id]  # its deadline may have been moved meanwhile
        self._add(saved)
        return saved

    async def _read_head_to_head(self, invitation: Invitation) -> None:
        between_two = (len(invitation.seated), len(invitation.invited)) == (1, 1)
        if invitation.kind is InvitationKind.CHALLENGE and between_two and invitation.id not in self._head_to_head:
            pair, game = (invitation.host_id, invitation.invited[0]), invitation.game
            self._head_to_head[invitation.id] = await self._store.head_to_head(invitation.guild_id, game, pair)

    def _check_room(self, terms: Terms, host: int, guests: tuple[int, ...], *, at_once: bool, goes_on: bool) -> None:
        open_here = self._open.in_server(terms.guild_id)
        alike = (host, terms.game, set(guests))  # a forgotten challenge doesn't keep a series from being continued
        if guests and not goes_on and any((each.host_id, each.game, set(each.invited)) == alike for each in open_here):
            raise Refused("challenge.already_open")
        if not at_once:
            self._limits.check_invitation(open_here, terms.channel_id, host)
        for guest in guests:
            self._limits.check_received(open_here, guest)
            self._limits.check_unanswered(self._throttle.count(terms.guild_id, host, guest, self._now()), guest)
        playing = self._registry.counted_in(terms.guild_id)
        self._limits.check_player(playing, host, host)
        self._limits.check_place(playing, None if terms.in_thread else terms.channel_id)

    async def note_message(self, invitation: Invitation, message_id: int) -> None:
        """Record the message that shows the invitation. It becomes the match's board."""
        await self._store.set_invitation_message(invitation.id, message_id)
        current = self._open.get(invitation.id)
        if current is not None:
            self._open[invitation.id] = replace(current, message_id=message_id)

    async def withdraw(self, invitation: Invitation) -> None:
        """Cancel an invitation that could not be shown."""
        await self._store.close_invitation(invitation.id, InvitationState.CANCELLED)
        self._remove(invitation.id)

    # ------------------------------------------------------------------------------------ sitting down and getting up

    async def take_seat(
        self,
        invitation_id: str,
        user_id: int,
        message_id: int | None,
        press: MatchPress,
        *,
        place: int | None = None,
    ) -> LiveMatch | Invitation:
        """Seat somebody who pressed. A challenge becomes a match when all sit, and a table that starts by itself when
        enough do. Raises Refused, Unsaved.

        It raises PlaceNeeded if the match gets a thread; then call again with the `place` where it is played.
        """
        async with self._seating:
            invitation = self._get_open(invitation_id)
            self._check_sitting(invitation, user_id)
            if invitation.reliable and user_id not in invitation.invited:
                await self._check_reliable(invitation, user_id)
                invitation = self._get_open(invitation_id)  # its message may have been recorded meanwhile
            seated = replace(invitation, seated=(*invitation.seated, user_id))
            if is_complete(seated):
                return await self._open_match(seated, message_id, user_id, press, place)
            await self._reseat(seated)
            return seated

    def _check_sitting(self, invitation: Invitation, user_id: int) -> None:
        check_installed(invitation)
        if user_id in invitation.seated:
            own = invitation.kind is InvitationKind.CHALLENGE and user_id == invitation.host_id
            raise Refused("challenge.own_accept" if own else "table.seated_already")
        if invitation.kind is InvitationKind.CHALLENGE and user_id not in invitation.invited:
            raise Refused("challenge.not_yours")
        if invitation.private and user_id not in invitation.invited:
            raise Refused("table.private")
        if len(invitation.seated) >= GAMES[invitation.game].info.seats[-1]:
            raise Refused("table.full")
        self._limits.check_player(self._registry.counted_in(invitation.guild_id), user_id, user_id)

    async def _check_reliable(self, invitation: Invitation, user_id: int) -> None:
        """Raise Refused if somebody often leaves matches or plays late, with how many matches make up for it. People
        whom the host invited may always join."""
        attended = await translate_errors(self._store.attendances(invitation.guild_id, user_id, READ))
        found = reliability(attended, self._now())
        if not found.is_reliable:
            needed = clean_matches_needed(attended, self._now())
            if found.plays_late:
                raise Refused("table.plays_late", in_time=found.in_time, asked=found.asked, needed=needed)
            raise Refused("table.not_reliable", finished=found.finished, matches=found.matches, needed=needed)

    async def start(
        self,
        invitation_id: str,
        user_id: int,
        message_id: int | None,
        press: MatchPress,
        *,
        place: int | None = None,
    ) -> LiveMatch:
        """Start the table's match because the host pressed. Raises Refused, Unsaved, and PlaceNeeded as `take_seat`."""
        async with self._seating:
            invitation = self._get_open(invitation_id)
            check_host(invitation, user_id)
            check_installed(invitation)
            least = GAMES[invitation.game].info.seats[0]
            if len(invitation.seated) < least:
                raise Refused("table.too_few", least=least, seated=len(invitation.seated))
            return await self._open_match(invitation, message_id, user_id, press, place)

    async def add_computer(self, invitation_id: str, host: int, level: str) -> Invitation:
        """Seat a computer of a level at the host's table. Raises Refused, Unsaved."""
        async with self._seating:
            invitation = self._get_open(invitation_id)
            check_host(invitation, host)
            check_installed(invitation)
            check_may_change(invitation)
            check_level(invitation.game, level)
            if len(invitation.seated) >= GAMES[invitation.game].info.seats[-1]:
                raise Refused("table.full")
            added = replace(invitation, seated=(*invitation.seated, computer_id(level, invitation.seated)))
            await self._reseat(added)
            return added

    async def turn_down(self, invitation_id: str, user_id: int) -> tuple[Invitation, InvitationState]:
        """Decline a challenge, or cancel the host's own invitation. Raises Refused, Unsaved."""
        async with self._seating:
            invitation = self._get_open(invitation_id)
            if user_id == invitation.host_id:
                state = InvitationState.CANCELLED
            elif invitation.kind is InvitationKind.CHALLENGE and user_id in invitation.invited:
                state = InvitationState.DECLINED
            else:
                raise Refused(
                    "challenge.not_yours" if invitation.kind is InvitationKind.CHALLENGE else "table.not_host"
                )
            await self._close(invitation, state)
            self._record_unanswered(invitation)
            return invitation, state

    async def leave(self, invitation_id: str, user_id: int) -> tuple[Invitation, InvitationState]:
        """Let somebody leave a table. The next player becomes host; the last one closes it. Raises Refused, Unsaved."""
        async with self._seating:
            invitation = self._get_open(invitation_id)
            return await self._unseat(invitation, user_id, "table.not_seated")

    async def kick(self, invitation_id: str, host: int, user_id: int) -> tuple[Invitation, InvitationState]:
        """Remove somebody from the table because the host pressed. Raises Refused, Unsaved."""
        async with self._seating:
            invitation = self._get_open(invitation_id)
            check_host(invitation, host)
            if user_id == host:
                raise Refused("table.kick_yourself")
            check_may_change(invitation)
            shown_out = replace(invitation, invited=tuple(u for u in invitation.invited if u != user_id))
            return await self._unseat(shown_out, user_id, "table.they_left")

    async def ask(self, invitation_id: str, host: int, guests: tuple[int, ...]) -> Invitation:
        """Invite people to the host's private table. Raises Refused, Unsaved."""
        async with self._seating:
            invitation = self._get_open(invitation_id)
            check_host(invitation, host)
            check_installed(invitation)
            check_may_change(invitation)
            open_here = self._open.in_server(invitation.guild_id)
            for guest in set(guests) - {*invitation.invited, *invitation.seated}:
                self._limits.check_received(open_here, guest)
            asked = replace(invitation, invited=tuple(dict.fromkeys((*invitation.invited, *guests))))
            self._limits.check_asked(asked.invited)
            self._open[invitation_id] = asked  # before it is saved, as in `invite`
            try:
                await self._reseat(asked)
            except BaseException:
                self._open[invitation_id] = invitation
                raise
            return asked

    async def add_salt(self, invitation_id: str, user_id: int, text: str) -> Invitation:
        """Add a player's own salt to the deal. Raises Refused, Unsaved."""
        async with self._seating:
            salted = with_salt(self._get_open(invitation_id), user_id, text)
            await self._reseat(salted)
            return salted

    async def _unseat(self, invitation: Invitation, user_id: int, unseated: str) -> tuple[Invitation, InvitationState]:
        if invitation.kind is not InvitationKind.TABLE:
            raise Refused("table.not_a_table")
        if user_id not in invitation.seated:
            raise Refused(unseated)
        seated = tuple(user for user in invitation.seated if user != user_id)
        if not people(seated):
            await self._close(invitation, InvitationState.CANCELLED)
            return invitation, InvitationState.CANCELLED
        host = people(seated)[0] if invitation.host_id == user_id else invitation.host_id
        left = replace(without_salt(invitation, user_id), seated=seated, host_id=host)
        await self._reseat(left)
        return left, InvitationState.OPEN

    # ------------------------------------------------------------------------------------ what becomes of it

    async def _open_match(
        self, invitation: Invitation, message_id: int | None, asker: int, press: MatchPress, place: int | None
    ) -> LiveMatch:
        """Deal the cards and begin the match. Raises Refused if a limit leaves no room, and PlaceNeeded; the invitation
        then stays open."""
        self._lifecycle.check_room(invitation, asker)
        if invitation.in_thread and place is None:
            raise PlaceNeeded(invitation)
        places = invitation.places or invitation.seated
        message_id = message_id or invitation.message_id
        begun = replace(invitation, seated=places, message_id=message_id)
        if place not in (None, invitation.channel_id):  # the board is a message of its own
            begun = replace(begun, channel_id=place, message_id=None)
        try:
            match = await self._lifecycle.open(begun, press)
        except InvitationClosed:
            raise Refused("challenge.closed") from None
        self._remove(invitation.id)
        return match

    async def _reseat(self, invitation: Invitation) -> None:
        try:
            await translate_errors(self._store.reseat_invitation(invitation))
        except InvitationClosed:
            raise Refused("challenge.closed") from None
        current = self._open.get(invitation.id, invitation)  # its message may have been recorded meanwhile
        self._open[invitation.id] = replace(invitation, message_id=current.message_id)

    async def _close(self, invitation: Invitation, state: InvitationState) -> None:
        if not await translate_errors(self._store.close_invitation(invitation.id, state)):
            raise Refused("challenge.closed")
        self._remove(invitation.id)

    def _record_unanswered(self, invitation: Invitation) -> None:
        if invitation.kind is InvitationKind.CHALLENGE:
            for guest in invitation.invited:
                self._throttle.note(invitation.guild_id, invitation.host_id, guest, self._now())

    async def close_lost(self, lost: Iterable[Invitation]) -> None:
        """Close invitations whose channel or server was lost. No message is left to show it."""
        for invitation in lost:
            async with self._seating:
                if invitation.id not in self._open:
                    continue
                try:
                    await self._close(self._open[invitation.id], InvitationState.CANCELLED)
                except (Refused, StoreError) as refused:
                    _log.warning("invitation %s could not be closed: %s", invitation.id, type(refused).__name__)

    def forget_server(self, guild_id: int) -> None:
        """Forget the open invitations of a purged server."""
        for invitation in tuple(self._open.in_server(guild_id)):
            self._remove(invitation.id)

    async def _expire(self, invitation_id: str) -> None:
        async with self._seating:
            invitation = self._open.get(invitation_id)
            if invitation is None:
                return
            try:
                await self._close(invitation, InvitationState.EXPIRED)
                self._record_unanswered(invitation)
            except (Unsaved, StoreError) as error:
                _log.warning("invitation %s could not lapse: %s", invitation_id, type(error).__name__)
                self._follow(invitation, self._now() + UNSAVED_GRACE)
                return
            except Refused:  # the store has closed it already
                self._remove(invitation_id)
                return
        self._observers.invitation_closed(invitation, InvitationState.EXPIRED)

    def _get_open(self, invitation_id: str) -> Invitation:
        invitation = self._open.get(invitation_id)
        if invitation is None:
            raise Refused("challenge.closed")
        return invitation

    def _add(self, invitation: Invitation) -> None:
        self._open[invitation.id] = invitation
        self._follow(invitation, invitation.expires_at)

    def _follow(self, invitation: Invitation, deadline: int) -> None:
        end = TimerRow(invitation.id, "invitation", "", deadline)
        self._deadlines.set(invitation.id, (end,), lambda _: self._spawn(self._expire(invitation.id)))

    def _spawn(self, lapsing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(lapsing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _remove(self, invitation_id: str) -> None:
        self._open.pop(invitation_id, None)
        self._head_to_head.pop(invitation_id, None)
        self._deadlines.clear(invitation_id)
