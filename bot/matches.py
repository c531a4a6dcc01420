"""The matches in play: found, opened, played, ended, and taken up again after a restart."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from bot.clock import Alarms
from bot.match import LiveMatch, Made
from bot.refusals import Paused, Refused, Unsaved
from bot.saving import saved
from bot.store.base import Invitation, MatchRow, Store, TimerRow
from engines import GAMES
from engines.game import IllegalAction, Seat, TimeUp
from engines.options import OptionRefused

_log = logging.getLogger(__name__)

_RECENTLY = 60_000
"""Matches that ended less than this (ms) before the last sign of life may lack their last board."""


class Matches:
    """All matches in play, at most so many a person in a server. Those who show them register in `changed`; they only
    schedule."""

    def __init__(self, store: Store, now: Callable[[], int], most: int) -> None:
        self.now = now
        self.changed: list[Callable[[LiveMatch], None]] = []
        self._store = store
        self._most = most
        self._live: dict[str, LiveMatch] = {}
        self._alarms = Alarms(now)
        self._ringing: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------------------------ start and stop

    async def resume(self) -> list[LiveMatch]:
        """Take up everything unfinished, its clocks credited with the time the house was away (P4).

        Returns the matches that ended so shortly before that their last board may be missing.
        """
        last_sign = await self._store.last_beat()
        credited = await self._store.credit_downtime(self.now())
        records = await self._store.all_live_records()
        timers = await self._running()
        for row in await self._store.live_matches():
            match = LiveMatch(row, self._store, self.now)
            match.replay(records[row.id], timers.get(row.id, ()))
            await self._wake(match)
        _log.info("resumed %d matches; clocks credited %d ms", len(self._live), credited)
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

    async def _running(self) -> dict[str, list[TimerRow]]:
        """The stored deadlines by match."""
        timers: dict[str, list[TimerRow]] = {}
        for timer in await self._store.all_timers():
            timers.setdefault(timer.match_id, []).append(timer)
        return timers

    def hold(self) -> None:
        """Stop all clocks: Discord is out of reach, so nobody can play."""
        self._alarms.clear_all()

    async def release(self) -> None:
        """Let the clocks go on, credited with the time since the last beat."""
        await self._store.credit_downtime(self.now())
        timers = await self._running()
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

    # ------------------------------------------------------------------------------------ opening

    def check_room(self, user_id: int, guild_id: int) -> None:
        """Raise Refused for somebody who has as many matches in play in a server as one may have."""
        if len(self.of(user_id, guild_id)) >= self._most:
            raise Refused("challenge.too_many_matches", limit=self._most)

    async def open(self, invitation: Invitation) -> LiveMatch:
        """Deal the match of an invitation to those who sit, seat by seat. Raises InvitationClosed, Refused, Unsaved."""
        row = MatchRow(
            id=invitation.id,
            guild_id=invitation.guild_id,
            channel_id=invitation.channel_id,
            board_id=invitation.message_id,
            board_at=invitation.created_at,
            game=invitation.game,
            rules_version=GAMES[invitation.game].info.rules_version,
            options=invitation.options,
            clock=invitation.clock,
            seats=invitation.seated,
            seed=invitation.seed,
            opened_at=self.now(),
            paused=None,
        )
        match = LiveMatch(row, self._store, self.now)
        try:
            deal, timers = match.deal()
        except OptionRefused as refused:
            raise Refused(refused.key, **refused.values) from None
        await saved(self._store.open_match(row, deal, timers))
        self._live[match.id] = match
        self._set_alarms(match)
        return match

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
                await saved(self._store.pause(match.id, paused.number))
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
        for changed in self.changed:
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
