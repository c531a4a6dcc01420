"""The matches in play: found, opened, played, ended, and taken up again after a restart."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol

from bot.play.deadlines import GRACE, Deadlines
from bot.play.limits import Limits
from bot.play.live_match import AppliedMove, BoardLocation, LiveMatch
from bot.play.quarantine import Quarantine, QuarantinedMatch, restore
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.server_index import ServerIndex
from bot.store.errors import Conflict
from bot.store.protocols.matches import MatchStore
from bot.store.protocols.servers import ServerStore
from bot.store.rows import Invitation, MatchRow, Record, Suspension, TimerRow
from bot.telemetry import Telemetry
from engines import GAMES
from engines.game import IllegalAction, Seat, TimeUp
from engines.options import OptionRefused

_log = logging.getLogger(__name__)

_UNSAVED_GRACE = 30_000
"""Milliseconds that a question stands on after its time was up while nothing could be saved."""
_RECENTLY = 60_000
"""Matches that ended less than this (ms) before the last sign of life may lack their last board."""
_AT_A_TIME = 100
"""How many matches' logs are read at once at a start."""
_PRESSES_TAKE = 20.0
"""Seconds after which the clock waits no longer for presses that are being worked out."""


class _MatchesStore(MatchStore, ServerStore, Protocol):
    """What `MatchRegistry` needs of the store."""


class MatchRegistry:
    """All matches in play. Those who show them register in `changed`; they only schedule. What they are told within
    `repairing` they may show when nobody moves."""

    def __init__(self, store: _MatchesStore, now: Callable[[], int], limits: Limits, telemetry: Telemetry) -> None:
        self.now = now
        self.observers: list[Callable[[LiveMatch], None]] = []
        self.repairing: Callable[[], AbstractContextManager[None]] = nullcontext
        self._store = store
        self._limits = limits
        self._telemetry = telemetry
        self._live: ServerIndex[LiveMatch] = ServerIndex()
        self._quarantine = Quarantine(store, telemetry)
        self._deadlines = Deadlines(now)
        self._not_before = 0
        self._presses: dict[str, set[asyncio.Future[None]]] = {}
        self._clock_tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------------------------ start and stop

    async def resume(self) -> list[LiveMatch]:
        """Take up everything unfinished, its clocks credited with the time the house was away (P4).

        A match whose log cannot be replayed rests alone. Returns the matches that ended so shortly before that their
        last board may be missing.
        """
        last_sign = await self._store.last_heartbeat()
        credited = await self._store.credit_downtime(self.now())
        timers = await self._running()
        rested = await self._quarantine.previous()
        async for row, records in self._logged():
            running = timers.get(row.id, [])
            stood = row.paused is not None or row.id in rested
            match = self._replayed(row, records, () if stood else running)
            if match is not None:
                if row.suspended_at is None:  # else it has no deadline to be right
                    await self._repair_timers(match, running, stood=stood)
                await self._restore(match)
        await self._quarantine.remember(rested)
        _log.info("resumed %d matches; clocks credited %d ms", len(self._live), credited)
        if last_sign is None:
            return []
        ended = [await self._read(row) for row in await self._store.matches_ended_since(last_sign - _RECENTLY)]
        return [match for match in ended if match is not None]

    async def _logged(self) -> AsyncIterator[tuple[MatchRow, Sequence[Record]]]:
        """Every match without a result and its log, few logs at a time: together they may not fit into memory."""
        rows = await self._store.live_matches()
        for start in range(0, len(rows), _AT_A_TIME):
            some = rows[start : start + _AT_A_TIME]
            logs = await self._store.logs([row.id for row in some])
            for row in some:
                yield row, logs.get(row.id, ())

    def _replayed(self, row: MatchRow, records: Sequence[Record], running: Sequence[TimerRow]) -> LiveMatch | None:
        """A match that is not over, as its log leaves it; None for one that rests from now on."""
        try:
            return restore(row, records, running, self._store, self.now, telemetry=self._telemetry)
        except Exception as error:  # noqa: BLE001  whatever is wrong with one match must hold up no other
            self._quarantine.add(row, error, over=False)
            return None

    async def _repair_timers(self, match: LiveMatch, running: Sequence[TimerRow], *, stood: bool) -> None:
        """Have the stored deadlines be those of the question on the table.

        A match that stood still has them anew. Else they differ only where other rules, or a hand on the database, have
        come between.
        """
        timers = match.position.timers
        missing, surplus = set(timers) - set(running), set(running) - set(timers)
        if not missing and not surplus:
            return
        if not stood:
            _log.warning("match %s: %d deadlines were missing and %d surplus", match.id, len(missing), len(surplus))
            self._telemetry.deadlines_repaired()
        await self._store.set_timers(match.id, timers)

    async def _restore(self, match: LiveMatch) -> None:
        """A match that rested under an error is tried again: a restart is where a rule gets mended."""
        if match.failed is not None:
            await match.try_again()
        self._live[match.id] = match
        self._set_deadlines(match)

    async def _running(self) -> dict[str, list[TimerRow]]:
        """The stored deadlines by match."""
        timers: dict[str, list[TimerRow]] = {}
        for timer in await self._store.all_timers():
            timers.setdefault(timer.match_id, []).append(timer)
        return timers

    def pause_clocks(self) -> None:
        """Stop all clocks: Discord is out of reach, so nobody can play."""
        self._deadlines.pause()

    @property
    def clocks_paused(self) -> bool:
        """Whether all clocks stand."""
        return self._deadlines.paused

    def resume_clocks(self) -> None:
        """Let the clocks go on as they were, after a moment: whoever could not press in it still may."""
        self._not_before = self.now() + GRACE
        self._deadlines.resume()

    async def resume_with_credit(self) -> None:
        """Let the clocks go on, credited with the time since the last beat."""
        await self._store.credit_downtime(self.now())
        credited = {(timer.match_id, timer.name, timer.key): timer.deadline for timer in await self._store.all_timers()}
        live = self.live()
        await asyncio.gather(
            *(match.postpone(lambda timer: credited.get((timer.match_id, timer.name, timer.key), 0)) for match in live)
        )
        self._deadlines.resume()
        with self.repairing():
            for match in live:
                self._set_deadlines(match)
                self.notify(match)

    async def close(self) -> None:
        """Stop all clocks and wait for acts of the clock that are under way."""
        self._deadlines.clear_all()
        await asyncio.gather(*self._clock_tasks, return_exceptions=True)

    # ------------------------------------------------------------------------------------ finding

    def live(self) -> Iterable[LiveMatch]:
        """All matches in play."""
        return tuple(self._live.values())

    def quarantined(self, user_id: int, guild_id: int) -> list[QuarantinedMatch]:
        """The user's matches in a server that could not be taken up."""
        return [rest for rest in self._quarantine.live() if rest.row.guild_id == guild_id and user_id in rest.row.seats]

    def of_player(self, user_id: int, guild_id: int) -> list[LiveMatch]:
        """The user's matches in play in a server, oldest first."""
        return [match for match in self._live.in_server(guild_id) if user_id in match.seats]

    async def find(self, match_id: str) -> LiveMatch | None:
        """A match in play or finished, or None. Raises Paused or Unreadable for one whose log cannot be replayed."""
        live = self._live.get(match_id)
        if live is not None:
            return live
        self._quarantine.check(match_id)
        row = await self._store.match(match_id)
        match = await self._read(row) if row else None
        self._quarantine.check(match_id)
        return match

    async def _read(self, row: MatchRow) -> LiveMatch | None:
        """A finished match; None for one that cannot be looked at."""
        records, result = await self._store.records(row.id), await self._store.result(row.id)
        try:
            match = LiveMatch(row, self._store, self.now, self._telemetry)
            match.replay(records, (), result)
        except Exception as error:  # noqa: BLE001  its log may be damaged in any way
            self._quarantine.add(row, error, over=result is not None)
            return None
        return match

    # ------------------------------------------------------------------------------------ opening

    def check_player(self, user_id: int, guild_id: int) -> None:
        """Raise Refused for somebody who has as many matches in play in a server as one may have."""
        self._limits.check_player(self._live.in_server(guild_id), user_id, user_id)

    def check_place(self, guild_id: int, channel_id: int) -> None:
        """Raise Refused where no further match has room, in the channel or in its server."""
        self._limits.check_place(self._live.in_server(guild_id), channel_id)

    def check_room(self, invitation: Invitation, asker: int) -> None:
        """Raise Refused, in words for the asker, where the match of an invitation cannot begin for lack of room."""
        for user_id in invitation.seated:
            self._limits.check_player(self._live.in_server(invitation.guild_id), user_id, asker)
        self.check_place(invitation.guild_id, invitation.channel_id)

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
        try:
            match = LiveMatch(row, self._store, self.now, self._telemetry)
            opened, deal, timers = match.deal()
        except OptionRefused as refused:
            raise Refused(refused.key, **refused.values) from None
        await translate_errors(self._store.open_match(opened, deal, timers))
        self._live[match.id] = match
        self._set_deadlines(match)
        return match

    # ------------------------------------------------------------------------------------ moves

    async def act(
        self, match: LiveMatch, actor: Seat | None, action: Any, *, window: int | None, interaction_id: int | None
    ) -> AppliedMove:
        """Make a move as `LiveMatch.act` does and set the clocks by it. The caller answers, then calls `tell`."""
        failed = match.failed
        try:
            made = await match.act(actor, action, window=window, interaction_id=interaction_id)
        finally:
            if match.failed != failed:
                self._deadlines.clear(match.id)
                self.notify(match)
        self._update_deadlines(match)
        return made

    async def call_off(self, match: LiveMatch, seat: Seat, interaction_id: int) -> bool:
        """Agree to call the match off; whether it is called off now. Raises as `LiveMatch.call_off`."""
        done = await match.call_off(seat, interaction_id)
        self._update_deadlines(match)
        return done

    def notify(self, match: LiveMatch) -> None:
        """Let everybody who shows the match know that it changed."""
        for changed in self.observers:
            changed(match)

    def _update_deadlines(self, match: LiveMatch) -> None:
        if match.over:
            self._live.pop(match.id, None)
            self._deadlines.clear(match.id)
        else:
            self._set_deadlines(match)

    # ------------------------------------------------------------------------------------ places

    def in_channel(self, channel_id: int) -> list[LiveMatch]:
        """The matches in play in a channel, those that rest too."""
        return [match for match in self._live.values() if match.channel_id == channel_id]

    def in_server(self, guild_id: int) -> list[LiveMatch]:
        """The matches in play in a server, those that rest too."""
        return list(self._live.in_server(guild_id))

    async def suspend(self, match: LiveMatch, why: Suspension, channel_id: int | None = None) -> None:
        """Let a match rest as `LiveMatch.suspend` does, and tell it.

        What cannot be saved is not so: the match goes on, and whoever finds its place lost next tries again.
        """
        try:
            if not await match.suspend(why, channel_id):
                return
        except (Unsaved, Conflict) as error:
            _log.warning("match %s could not be suspended: %s", match.id, type(error).__name__)
            return
        self._deadlines.clear(match.id)
        _log.info("match %s is suspended: %s", match.id, why)
        self.notify(match)

    async def resume_match(self, match: LiveMatch, channel_id: int) -> BoardLocation | None:
        """Let a suspended match go on in a channel, as `LiveMatch.resume` does. The caller answers, then calls `tell`.

        Raises Refused where the channel has room for no further match.
        """
        if match.suspended is not None and channel_id != match.channel_id:
            self._limits.check_channel(self._live.in_server(match.guild_id), channel_id)
        former = await match.resume(channel_id)
        if former is not None:
            self._set_deadlines(match)
        return former

    async def lapse(self, after: int) -> None:
        """Call off the matches that have been suspended for so long (milliseconds), and tell it.

        Those of a server that removed us have twice the time: they cannot be resumed before we are back.
        """
        for match in self.live():
            allowed = 2 * after if match.suspended is Suspension.REMOVED else after
            try:
                lapsed = await match.lapse(self.now() - allowed)
            except (Unsaved, Conflict) as error:
                _log.warning("match %s could not lapse: %s", match.id, type(error).__name__)
                continue
            if lapsed:
                _log.info("match %s was resumed by nobody and is called off", match.id)
                self._update_deadlines(match)
                self.notify(match)

    def forget_server(self, guild_id: int) -> None:
        """Let go of all matches of a server of which nothing is remembered any more."""
        for match in self.in_server(guild_id):
            self._live.pop(match.id, None)
            self._deadlines.clear(match.id)
        self._quarantine.forget_server(guild_id)

    # ------------------------------------------------------------------------------------ the clock's acts

    def mark_shown(self, match: LiveMatch, window: int) -> None:
        """The board shows the question of this number; its time, if that took a while, is counted from now."""
        if match.mark_shown(window):
            self._set_deadlines(match)

    @contextmanager
    def pressing(self, match_id: str) -> Iterator[None]:
        """Somebody's press on a match is being worked out: the clock, if it is to act now, waits for what came before.

        Nearly always that is decided in the queue; but a press may wait for the database before it gets there.
        """
        press: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        under_way = self._presses.setdefault(match_id, set())
        under_way.add(press)
        try:
            yield
        finally:
            press.set_result(None)
            under_way.discard(press)
            if not under_way:
                self._presses.pop(match_id, None)

    def _set_deadlines(self, match: LiveMatch) -> None:
        if match.over or match.inactive:
            return
        self._deadlines.set(
            match.id,
            match.position.timers,
            lambda timer: self._spawn(self._time_up(match, timer)),
            lambda timer: self._due(match, timer),
        )

    def _due(self, match: LiveMatch, timer: TimerRow) -> int:
        return max(self._not_before, match.deadline_with_grace(timer))

    def _spawn(self, act: Any) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(act)
        self._clock_tasks.add(task)
        task.add_done_callback(self._clock_tasks.discard)

    async def _time_up(self, match: LiveMatch, timer: TimerRow) -> None:
        if not self._is_running(match, timer):
            return
        if self.now() < self._due(match, timer):  # the question is not shown yet
            self._set_deadlines(match)
            return
        if match.awaited and match.id in self._presses:
            await asyncio.wait(tuple(self._presses[match.id]), timeout=_PRESSES_TAKE)
            if not self._is_running(match, timer):
                return
        try:
            await self.act(match, None, TimeUp(timer.name, timer.key), window=None, interaction_id=None)
        except IllegalAction:
            return  # the question was answered while the clock's act waited in the queue
        except Unsaved:
            await self._postpone_deadlines(match)
            return
        except Refused:
            return
        self.notify(match)

    def _is_running(self, match: LiveMatch, timer: TimerRow) -> bool:
        """Whether a deadline still runs."""
        return timer in match.position.timers and not match.over and not self.clocks_paused

    async def _postpone_deadlines(self, match: LiveMatch) -> None:
        """The clock's act could not be written, and no more could a player's: try again when they had time to play."""
        soonest = self.now() + _UNSAVED_GRACE
        await match.postpone(lambda _: soonest)
        self._set_deadlines(match)
        self.notify(match)
