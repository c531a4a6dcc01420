"""The house: invitations and matches, found, opened, played, ended, and taken up again after a restart."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from bot.clock import PACES, Alarms
from bot.match import LiveMatch, Made, codec
from bot.refusals import Paused, Refused, Unsaved
from bot.store.base import (
    Busy,
    Invitation,
    InvitationClosed,
    InvitationState,
    MatchRow,
    NotSaved,
    Store,
    TimerRow,
)
from engines import GAMES
from engines.chance import new_seed
from engines.game import IllegalAction, Seat, TimeUp

_log = logging.getLogger(__name__)

_ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_ID_LENGTH = 10
_RECENTLY = 60_000
"""Matches that ended less than this (ms) before the last sign of life may lack their last board."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one person may have open in one server."""

    matches: int = 25
    invitations: int = 5


class Matches:
    """All that is open. Those who show it register in `match_changed` and `invitation_changed`; they only schedule."""

    def __init__(self, store: Store, now: Callable[[], int], limits: Limits) -> None:
        self.now = now
        self.match_changed: list[Callable[[LiveMatch], None]] = []
        self.invitation_changed: list[Callable[[Invitation, InvitationState], None]] = []
        self._store = store
        self._limits = limits
        self._live: dict[str, LiveMatch] = {}
        self._open: dict[str, Invitation] = {}
        self._alarms = Alarms(now)
        self._ringing: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------------------------ start and stop

    async def resume(self) -> list[LiveMatch]:
        """Take up everything unfinished, its clocks credited with the time the house was away (P4).

        Returns the matches that ended so shortly before that their last board may be missing.
        """
        last_sign = await self._store.last_beat()
        credited = await self._store.credit_downtime(self.now())
        for invitation in await self._store.open_invitations():
            self._stand(invitation)
        records = await self._store.all_live_records()
        timers: dict[str, list[TimerRow]] = {}
        for timer in await self._store.all_timers():
            timers.setdefault(timer.match_id, []).append(timer)
        for row in await self._store.live_matches():
            match = LiveMatch(row, self._store, self.now)
            match.replay(records[row.id], timers.get(row.id, ()))
            await self._wake(match)
        _log.info(
            "resumed %d matches, %d invitations; clocks credited %d ms", len(self._live), len(self._open), credited
        )
        if last_sign is None:
            return []
        return [await self._read(row) for row in await self._store.ended_since(last_sign - _RECENTLY)]

    async def _wake(self, match: LiveMatch) -> None:
        """A match that rested under an error is tried again: a restart is where a rule gets mended."""
        if match.paused is not None:
            match.paused = None
            await self._store.pause(match.id, None)
        self._live[match.id] = match
        self._set_alarms(match)

    def hold(self) -> None:
        """Stop all clocks: Discord is out of reach, so nobody can play."""
        self._alarms.clear_all()

    async def release(self) -> None:
        """Let the clocks go on, credited with the time since the last beat."""
        await self._store.credit_downtime(self.now())
        timers: dict[str, list[TimerRow]] = {}
        for timer in await self._store.all_timers():
            timers.setdefault(timer.match_id, []).append(timer)
        for invitation in await self._store.open_invitations():
            self._stand(invitation)
        for match in self._live.values():
            match.position = replace(match.position, timers=tuple(timers.get(match.id, ())))
            self._set_alarms(match)
            self.tell(match)

    async def close(self) -> None:
        """Stop all clocks and wait for acts of the clock that are under way."""
        self._alarms.clear_all()
        await asyncio.gather(*self._ringing, return_exceptions=True)

    # ------------------------------------------------------------------------------------ finding

    def live(self) -> Iterable[LiveMatch]:
        """All matches in play."""
        return tuple(self._live.values())

    def of(self, user_id: int, guild_id: int) -> list[LiveMatch]:
        """The user's matches in play in a server, oldest first."""
        return [m for m in self._live.values() if m.guild_id == guild_id and user_id in m.seats]

    def invitations_of(self, user_id: int, guild_id: int) -> list[Invitation]:
        """The open invitations of a server that the user made or was asked by."""
        return [
            i for i in self._open.values() if i.guild_id == guild_id and (i.host_id == user_id or user_id in i.invited)
        ]

    async def find(self, match_id: str) -> LiveMatch | None:
        """A match in play or finished, or None."""
        live = self._live.get(match_id)
        if live is not None:
            return live
        row = await self._store.match(match_id)
        return await self._read(row) if row else None

    async def _read(self, row: MatchRow) -> LiveMatch:
        match = LiveMatch(row, self._store, self.now)
        match.replay(await self._store.records(row.id), ())
        match.result = await self._store.result(row.id)
        return match

    # ------------------------------------------------------------------------------------ invitations

    async def invite(
        self, *, guild_id: int, channel_id: int, game: str, options: Any, pace: str, host: int, guest: int
    ) -> Invitation:
        """Open a challenge, its deal sealed. Raises Refused when somebody has too much open, Unsaved."""
        self._check_room(host, guest, guild_id, game)
        now = self.now()
        invitation = Invitation(
            id="".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH)),
            guild_id=guild_id,
            channel_id=channel_id,
            message_id=None,
            game=game,
            options=codec(game).encode(options),
            clock=pace,
            host_id=host,
            invited=(guest,),
            seated=(host,),
            seed=new_seed(),
            created_at=now,
            expires_at=now + 1000 * PACES[pace].invitation,
        )
        await self._saved(self._store.add_invitation(invitation))
        self._stand(invitation)
        return invitation

    def _check_room(self, host: int, guest: int, guild_id: int, game: str) -> None:
        mine = [i for i in self._open.values() if i.guild_id == guild_id and i.host_id == host]
        if any(i.game == game and i.invited == (guest,) for i in mine):
            raise Refused("challenge.already_open")
        if len(mine) >= self._limits.invitations:
            raise Refused("challenge.too_many", limit=self._limits.invitations)
        if len(self.of(host, guild_id)) >= self._limits.matches:
            raise Refused("challenge.too_many_matches", limit=self._limits.matches)

    async def placed(self, invitation: Invitation, message_id: int) -> None:
        """Remember where the invitation stands; the match's board will stand there too."""
        await self._store.set_invitation_message(invitation.id, message_id)
        if invitation.id in self._open:
            self._open[invitation.id] = replace(self._open[invitation.id], message_id=message_id)

    async def invitation(self, invitation_id: str) -> tuple[Invitation, InvitationState] | None:
        """An invitation and what became of it, or None."""
        return await self._store.invitation(invitation_id)

    async def accept(self, invitation_id: str, user_id: int, message_id: int | None) -> LiveMatch:
        """The invited person sits down; the cards are dealt and the match is on. Raises Refused."""
        invitation = self._standing(invitation_id)
        if user_id not in invitation.invited:
            raise Refused("challenge.own_accept" if user_id == invitation.host_id else "challenge.not_yours")
        if len(self.of(user_id, invitation.guild_id)) >= self._limits.matches:
            raise Refused("challenge.too_many_matches", limit=self._limits.matches)
        row = MatchRow(
            id=invitation_id,
            guild_id=invitation.guild_id,
            channel_id=invitation.channel_id,
            board_id=message_id or invitation.message_id,
            board_at=invitation.created_at,
            game=invitation.game,
            rules_version=GAMES[invitation.game].info.rules_version,
            options=invitation.options,
            clock=invitation.clock,
            seats=(*invitation.seated, user_id),
            seed=invitation.seed,
            opened_at=self.now(),
            paused=None,
        )
        match = LiveMatch(row, self._store, self.now)
        deal, timers = match.deal()
        try:
            await self._saved(self._store.open_match(row, deal, timers))
        except InvitationClosed:
            raise Refused("challenge.closed") from None
        self._fall(invitation_id)
        self._live[invitation_id] = match
        self._set_alarms(match)
        return match

    async def turn_down(self, invitation_id: str, user_id: int) -> tuple[Invitation, InvitationState]:
        """The invited person declines, or the host takes the invitation back. Raises Refused."""
        invitation = self._standing(invitation_id)
        if user_id == invitation.host_id:
            state = InvitationState.CANCELLED
        elif user_id in invitation.invited:
            state = InvitationState.DECLINED
        else:
            raise Refused("challenge.not_yours")
        await self._close(invitation, state)
        return invitation, state

    async def withdraw(self, invitation: Invitation) -> None:
        """Take back an invitation that could not be shown."""
        await self._store.close_invitation(invitation.id, InvitationState.CANCELLED)
        self._fall(invitation.id)

    def _standing(self, invitation_id: str) -> Invitation:
        invitation = self._open.get(invitation_id)
        if invitation is None:
            raise Refused("challenge.closed")
        return invitation

    async def _close(self, invitation: Invitation, state: InvitationState) -> None:
        closing = self._store.close_invitation(invitation.id, state)
        if not await self._saved(closing):
            raise Refused("challenge.closed")
        self._fall(invitation.id)

    def _stand(self, invitation: Invitation) -> None:
        self._open[invitation.id] = invitation
        end = TimerRow(invitation.id, "invitation", "", invitation.expires_at)
        self._alarms.set(invitation.id, (end,), lambda _: self._ring(self._expire(invitation.id)))

    def _fall(self, invitation_id: str) -> None:
        self._open.pop(invitation_id, None)
        self._alarms.clear(invitation_id)

    async def _expire(self, invitation_id: str) -> None:
        invitation = self._open.get(invitation_id)
        if invitation is None:
            return
        try:
            await self._close(invitation, InvitationState.EXPIRED)
        except Refused as refused:
            _log.warning("invitation %s could not expire: %s", invitation_id, refused.key)
            return
        for changed in self.invitation_changed:
            changed(invitation, InvitationState.EXPIRED)

    # ------------------------------------------------------------------------------------ moves

    async def act(
        self, match: LiveMatch, actor: Seat | None, action: Any, *, window: int | None, interaction_id: int | None
    ) -> Made:
        """Make a move as `LiveMatch.act` does and set the clocks by it. The caller answers, then calls `tell`."""
        rested = match.paused is not None
        try:
            made = await match.act(actor, action, window=window, interaction_id=interaction_id)
        except Paused as paused:
            if not rested:
                self._alarms.clear(match.id)
                await self._saved(self._store.pause(match.id, paused.number))
                self.tell(match)
            raise
        self._settle(match)
        return made

    async def call_off(self, match: LiveMatch, seat: Seat, interaction_id: int) -> bool:
        """Agree to call the match off; whether it is called off now. Raises as `LiveMatch.call_off`."""
        done = await match.call_off(seat, interaction_id)
        self._settle(match)
        return done

    def tell(self, match: LiveMatch) -> None:
        """Let everybody who shows the match know that it changed."""
        for changed in self.match_changed:
            changed(match)

    def _settle(self, match: LiveMatch) -> None:
        if match.over:
            self._live.pop(match.id, None)
            self._alarms.clear(match.id)
        else:
            self._set_alarms(match)

    # ------------------------------------------------------------------------------------ the clock's acts

    def _set_alarms(self, match: LiveMatch) -> None:
        self._alarms.set(match.id, match.position.timers, lambda timer: self._ring(self._time_up(match, timer)))

    def _ring(self, act: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(act)
        self._ringing.add(task)
        task.add_done_callback(self._ringing.discard)

    async def _time_up(self, match: LiveMatch, timer: TimerRow) -> None:
        if timer not in match.position.timers or match.over:
            return
        try:
            await self.act(match, None, TimeUp(timer.name, timer.key), window=None, interaction_id=None)
        except IllegalAction:
            return  # the question was answered while the clock's act waited in the queue
        except Unsaved:
            self._set_alarms_later(match)
            return
        except Refused:
            return
        self.tell(match)

    def _set_alarms_later(self, match: LiveMatch) -> None:
        """The clock's act could not be written: try again soon, for the clock must end what people do not."""
        again = tuple(replace(t, deadline=max(t.deadline, self.now() + 5000)) for t in match.position.timers)
        match.position = replace(match.position, timers=again)
        self._set_alarms(match)

    async def _saved(self, writing: Any) -> Any:
        try:
            return await writing
        except Busy:
            raise Unsaved(busy=True) from None
        except NotSaved:
            raise Unsaved(busy=False) from None
