"""Brings matches into play and out of it: restores, opens, suspends and resumes them, and calls off abandoned ones."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Protocol

from bot.play.access import Access, OpenToAll, obstacles
from bot.play.clocks.match_clock import MatchClock
from bot.play.deals.openings import read_facts, written
from bot.play.deals.sealing import rules_version_of, salts_of
from bot.play.limits import Limits
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPress
from bot.play.match_registry import MatchRegistry
from bot.play.observers import Observer
from bot.play.quarantine import Quarantine, QuarantinedMatch
from bot.play.refusals import Refused, Unsaved, translate_errors
from bot.play.result_effects import effects_of
from bot.store.computer_ids import people
from bot.store.errors import Conflict
from bot.store.protocols.daily import DailyStore
from bot.store.protocols.matches import MatchStore
from bot.store.protocols.servers import ServerStore
from bot.store.protocols.standings import StandingStore
from bot.store.rows import Invitation, MatchRow, ObservedSuspension, Origin, Record, Result, Suspension, TimerRow
from bot.store.verification import opening_digest, opens_seal
from bot.telemetry import Telemetry
from engines.game import Event, Seat
from engines.options import OptionRefused

_log = logging.getLogger(__name__)

_RECENTLY = 60_000
"""A match that ended less than this (ms) before the last heartbeat may lack its last board."""
_AT_A_TIME = 100
"""How many matches' logs a start reads at a time."""


class _LifecycleStore(MatchStore, ServerStore, StandingStore, DailyStore, Protocol):
    """What `MatchLifecycle` needs from the store."""


class MatchLifecycle:
    """Begins, interrupts and ends matches. It does not play them."""

    def __init__(
        self,
        store: _LifecycleStore,
        registry: MatchRegistry,
        clock: MatchClock,
        *,
        quarantine: Quarantine,
        limits: Limits,
        observers: Observer,
        now: Callable[[], int],
        telemetry: Telemetry,
        access: Access | None = None,
    ) -> None:
        """`access` tells who can play where; without it everybody can play everywhere."""
        self._access = OpenToAll() if access is None else access
        self._store = store
        self._registry = registry
        self._quarantine = quarantine
        self._clock = clock
        self._limits = limits
        self._observers = observers
        self._now = now
        self._telemetry = telemetry

    # ------------------------------------------------------------------------------------ a start

    async def restore_all(self) -> list[LiveMatch]:
        """Restore all unfinished matches, and credit their clocks with the time that the bot was down.

        A match that was altered, whose log cannot be replayed, or whose game is not installed, is quarantined alone.
        Returns the matches that ended so shortly before that their last board may be missing. Raises StoreError.
        """
        last_heartbeat_at = await self._store.last_heartbeat()
        credited = await self._store.credit_downtime(self._now())
        timers = await self._running()
        quarantined = await self._quarantine.previous()
        async for row, records in self._logged():
            was_stopped = row.paused is not None or row.id in quarantined
            match = await self._registry.restore(row, records, timers.get(row.id, []), was_stopped=was_stopped)
            if match is not None:
                self._clock.follow(match)
        await self._quarantine.remember(quarantined)
        self._quarantine.log_missing_games()
        _log.info("resumed %d matches; clocks credited %d ms", len(self._registry), credited)
        if last_heartbeat_at is None:
            return []
        rows = await self._store.matches_ended_since(last_heartbeat_at - _RECENTLY)
        ended = [match for match in [await self._registry.read(row) for row in rows] if match is not None]
        for match in ended:
            match.note_effects(await effects_of(self._store, match))
        return ended

    async def _logged(self) -> AsyncIterator[tuple[MatchRow, Sequence[Record]]]:
        """Every match without a result, with its log. Logs are read a few at a time, because together they may not fit
        into memory."""
        rows = await self._store.live_matches()
        for start in range(0, len(rows), _AT_A_TIME):
            some = rows[start : start + _AT_A_TIME]
            logs = await self._store.logs([row.id for row in some])
            for row in some:
                yield row, logs.get(row.id, ())

    async def _running(self) -> dict[str, list[TimerRow]]:
        """The stored deadlines by match."""
        timers: dict[str, list[TimerRow]] = {}
        for timer in await self._store.all_timers():
            timers.setdefault(timer.match_id, []).append(timer)
        return timers

    # ------------------------------------------------------------------------------------ opening

    def check_room(self, invitation: Invitation, asker: int) -> None:
        """Raise Refused if a limit prevents the match of an invitation. The message is for `asker`."""
        playing = self._registry.with_boards(invitation.guild_id)
        for user_id in people(invitation.seated):
            self._limits.check_player(playing, user_id, asker)
        self._limits.check_place(playing, None if invitation.in_thread else invitation.channel_id)

    async def open(self, invitation: Invitation, press: MatchPress) -> LiveMatch:
        """Deal the match of an invitation to the seated players. `press` is the one that began it.

        Raises InvitationClosed, Unsaved, and Refused, also where the deal was altered since it was sealed or was sealed
        under newer rules.
        """
        if not opens_seal(invitation):
            _log.error("invitation %s can't become a match: its deal was altered", invitation.id)
            raise Refused("challenge.deal_altered")
        opening = None if invitation.origin is None else await self._opening(invitation, invitation.origin)
        row = MatchRow(
            id=invitation.id,
            guild_id=invitation.guild_id,
            channel_id=invitation.channel_id,
            board_id=invitation.message_id,
            board_at=None if invitation.message_id is None else invitation.created_at,
            game=invitation.game,
            rules_version=rules_version_of(invitation),
            options=invitation.options,
            clock=invitation.clock,
            seats=invitation.seated,
            seed=invitation.seed,
            commitment=invitation.commitment,
            opened_at=self._now(),
            paused=None,
            deal_version=invitation.deal_version,
            deal_id=invitation.deal_id,
            sealed_options=invitation.sealed_options,
            salts=salts_of(invitation, invitation.seated),
            stand_in=invitation.stand_in,
            origin=invitation.origin,
        )
        try:
            match = LiveMatch(row, self._store, self._now, self._telemetry)
            deal, timers = match.deal(opening)
        except OptionRefused as refused:
            raise Refused(refused.key, **refused.values) from None
        await translate_errors(self._store.open_match(row, deal, timers))
        self._registry.add(match)
        press.note_changed(match)
        return match

    async def _opening(self, invitation: Invitation, origin: Origin) -> tuple[Event, ...]:
        """The facts with which a match begins that is begun from another one. Raises Refused if they are lost or were
        altered since."""
        source = await translate_errors(self._store.match(origin.match_id))
        if source is None or (source.guild_id, source.game) != (invitation.guild_id, invitation.game):
            raise Refused("differently.gone")
        facts = read_facts(source.game, await translate_errors(self._store.records(source.id)))
        opening = (facts or ())[: origin.facts]
        if opening_digest(written(source.game, opening)) != origin.digest:
            _log.error("invitation %s can't become a match: match %s was altered", invitation.id, source.id)
            raise Refused("challenge.deal_altered")
        return opening

    async def open_attempt(self, asked: Invitation, row: MatchRow, press: MatchPress) -> LiveMatch:
        """Deal the match by which a person tries a deal of the day. `press` is the one that began it.

        Raises Conflict if they have tried it before, and Unsaved.
        """
        match = LiveMatch(row, self._store, self._now, self._telemetry)
        deal, _ = match.deal()
        await translate_errors(self._store.open_attempt(asked, row, deal))
        self._registry.add(match)
        press.note_changed(match)
        return match

    async def end_with_day(self, match: LiveMatch) -> None:
        """End an attempt at a deal of the day whose day is over, and notify the observers. Raises Unsaved."""
        if await match.end_with_day():
            self._clock.settle(match)
            self._observers.match_changed(match)

    # ------------------------------------------------------------------------------------ its place

    async def suspend(self, match: LiveMatch, why: Suspension, channel_id: int | None = None) -> None:
        """Suspend a match as `LiveMatch.suspend` does, or call it off, and notify the observers.

        If that cannot be saved, the match continues. The next event or request that finds its place lost tries again.
        """
        try:
            if not await match.suspend(why, channel_id, self._clock.stopped_at):
                return
        except (Unsaved, Conflict) as error:
            _log.warning("match %s could not be suspended: %s", match.id, type(error).__name__)
            return
        self._clock.settle(match)
        if match.over:
            _log.info("match %s is called off, because it lost its place again and again: %s", match.id, why)
        else:
            _log.info("match %s is suspended: %s", match.id, why)
        self._observers.match_changed(match)

    async def resume(self, match: LiveMatch, channel_id: int, seat: Seat, press: MatchPress) -> bool:
        """Resume a suspended match in a channel, as `LiveMatch.resume` does, because the player on a seat pressed.

        Returns whether this press did it. Raises Refused if the channel has reached its limit, NotAllCanPlay if
        somebody could not follow the match there, and Unsaved.
        """
        if match.suspended is not None and channel_id != match.channel_id:
            self._limits.check_channel(self._registry.with_boards(match.guild_id), channel_id)
        others = {user: other for other, user in enumerate(match.seats) if other != seat and match.is_in(other)}
        others = {user: others[user] for user in people(others)}
        found = await obstacles(self._access, match.guild_id, channel_id, others)
        former = await match.resume(channel_id, seat, {others[user]: what for user, what in found.items()})
        if former is not None:
            press.note_resumed(match, former, seat)
        return former is not None

    async def lapse(self, suspended: Mapping[str, ObservedSuspension], after: int) -> None:
        """Call off the matches that were observed to be suspended for this long (ms), and notify the observers.

        Matches in a server that removed the bot get twice the time, because nobody can resume them before it is back.
        """
        for match in self._registry.live():
            seen = suspended.get(match.id)
            allowed = 2 * after if match.suspended is Suspension.REMOVED else after
            if seen is None or seen.observed < allowed:
                continue
            try:
                lapsed = await match.lapse(seen.since)
            except (Unsaved, Conflict) as error:
                _log.warning("match %s could not lapse: %s", match.id, type(error).__name__)
                continue
            if lapsed:
                _log.info("match %s was resumed by nobody and is called off", match.id)
                self._clock.settle(match)
                self._observers.match_changed(match)

    async def end_quarantined(self, match: QuarantinedMatch, kind: str = "moderated") -> None:
        """Call off a quarantined match, because a moderator of its server wants that, or for another kind of ending.

        Raises Unsaved.
        """
        result = Result(match.row.id, kind, (), self._now(), counted=False)
        with contextlib.suppress(Conflict):  # somebody has called it off at the same moment
            await translate_errors(self._store.end_match(result, None))
        self._quarantine.remove(match.row.id)

    async def call_off_without_game(self, guild_id: int, user_id: int) -> None:
        """Call off a user's matches whose game is not installed: there are no rules by which to resign.

        Raises Unsaved.
        """
        for match in self._quarantine.without_game():
            if match.row.guild_id == guild_id and user_id in match.row.seats:
                result = Result(match.row.id, "abandoned", (), self._now(), counted=False)
                with contextlib.suppress(Conflict):  # another of its players left at the same moment
                    await translate_errors(self._store.end_match(result, None))
                self._quarantine.remove(match.row.id)
                _log.info("match %s is called off: its game is not installed, and a player left", match.row.id)

    def forget_server(self, guild_id: int) -> None:
        """Forget all matches of a purged server."""
        for match in self._registry.in_server(guild_id):
            self._registry.remove(match)
            self._clock.forget(match)
        self._quarantine.forget_server(guild_id)
