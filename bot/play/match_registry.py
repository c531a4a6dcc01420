"""Finds matches in play by id, player and place, and reads finished ones when asked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence

from bot.games import GAMES
from bot.play.facts.replayed_log import BrokenLog
from bot.play.live_match import LiveMatch
from bot.play.own_acts import OwnActs
from bot.play.quarantine import Quarantine, QuarantinedMatch
from bot.play.refusals import NotInstalled
from bot.play.restoring.waiting import WaitingMatches
from bot.server_index import ServerIndex
from bot.store.rows.matches import MatchRow, Record, TimerRow
from bot.store.store import Store
from bot.store.verification import Altered, verify
from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)

_REMEMBERED = 1000
"""Of how many matches that ended it is remembered which acts are unconfirmed. Their last presses come soon after."""


def replayed(
    row: MatchRow,
    records: Sequence[Record],
    running: Sequence[TimerRow],
    store: Store,
    now: Callable[[], int],
    *,
    telemetry: Telemetry,
) -> LiveMatch:
    """An unfinished match, replayed from its log, with its running deadlines.

    Raises BrokenLog, and what the codec or the rules raise if they cannot read it.
    """
    match = LiveMatch(row, store, now, telemetry)
    match.replay(records, running)
    if match.position.outcome is not None:
        raise BrokenLog("the log ends the match, but no result is stored")
    return match


class MatchRegistry:
    """All matches in play. A match that was altered, or whose log cannot be replayed, is in quarantine instead."""

    def __init__(self, store: Store, quarantine: Quarantine, now: Callable[[], int], telemetry: Telemetry) -> None:
        self._store = store
        self._quarantine = quarantine
        self._now = now
        self._telemetry = telemetry
        self._live: ServerIndex[LiveMatch] = ServerIndex()
        self.waiting = WaitingMatches()
        """The unfinished matches that a start has not restored yet."""
        self._acts_of_ended: dict[str, OwnActs] = {}

    def __len__(self) -> int:
        return len(self._live) + len(self.waiting)

    # ------------------------------------------------------------------------------------ finding

    def live(self) -> Iterable[LiveMatch]:
        """All matches in play."""
        return tuple(self._live.values())

    def in_server(self, guild_id: int) -> list[LiveMatch]:
        """All matches in play in a server, including suspended ones."""
        return list(self._live.in_server(guild_id))

    def with_boards(self, guild_id: int) -> list[LiveMatch]:
        """The matches in play in a server that have a place there, including suspended ones: all but attempts at a deal
        of the day."""
        return [match for match in self._live.in_server(guild_id) if match.has_board]

    def counted_in(self, guild_id: int) -> list[LiveMatch | MatchRow]:
        """The matches of a server that limits count: those with boards, also if they still wait to be restored."""
        waiting = (row for row in self.waiting.in_server(guild_id) if row.day is None)
        return [*self.with_boards(guild_id), *waiting]

    def in_channel(self, guild_id: int, channel_id: int) -> list[LiveMatch]:
        """The matches in play that have their place in a channel of a server, including suspended ones."""
        return [match for match in self.with_boards(guild_id) if match.channel_id == channel_id]

    def of_player(self, user_id: int, guild_id: int | None) -> list[LiveMatch]:
        """The user's matches in play in a server (None: in all servers), oldest first."""
        among = self._live.values() if guild_id is None else self._live.in_server(guild_id)
        return [match for match in among if user_id in match.seats]

    def quarantined(self, user_id: int, guild_id: int | None) -> list[QuarantinedMatch]:
        """The user's quarantined matches in a server (None: in all servers)."""
        return [
            each
            for each in self._quarantine.live()
            if guild_id in (None, each.row.guild_id) and user_id in each.row.seats
        ]

    def quarantined_everywhere(self) -> list[QuarantinedMatch]:
        """The quarantined matches that are not over."""
        return list(self._quarantine.live())

    def quarantined_in(self, guild_id: int) -> list[QuarantinedMatch]:
        """The quarantined matches of a server that are not over."""
        return [each for each in self._quarantine.live() if each.row.guild_id == guild_id]

    async def bring_in(self, user_id: int, match_id: str = "") -> None:
        """Have a match, and all matches of somebody, restored before all others if they still wait for that.

        Raises Busy if a log could not be read.
        """
        if self.waiting:
            await self.waiting.restored((match_id, *self.waiting.of_player(user_id)))

    async def bring_in_server(self, guild_id: int) -> None:
        """Have the matches of a server restored before all others, as `bring_in` does."""
        await self.waiting.restored([row.id for row in self.waiting.in_server(guild_id)])

    async def bring_in_channel(self, channel_id: int) -> None:
        """Have the matches of a channel restored before all others, as `bring_in` does."""
        await self.waiting.restored([row.id for row in self.waiting.rows() if row.channel_id == channel_id])

    def playing(self, match_id: str) -> LiveMatch | None:
        """A match in play, or None."""
        return self._live.get(match_id)

    async def find(self, match_id: str) -> LiveMatch | None:
        """A match in play or finished, or None.

        Raises MatchFailed or Unreadable for one whose log cannot be replayed, MatchAltered, and NotInstalled.
        """
        if self.waiting:
            await self.waiting.restored((match_id,))
        live = self.playing(match_id)
        if live is not None:
            return live
        self._quarantine.check(match_id)
        row = await self._store.match(match_id)
        if row is not None and row.game not in GAMES:
            raise NotInstalled(row.game)
        match = await self.read(row) if row else None
        self._quarantine.check(match_id)
        return match

    def made(self, row: MatchRow) -> LiveMatch:
        """A match that is not dealt yet, and not in play until it is added."""
        return LiveMatch(row, self._store, self._now, self._telemetry)

    async def read(self, row: MatchRow) -> LiveMatch | None:
        """A finished match, verified and replayed from its log; None if it cannot be."""
        if row.game not in GAMES:
            return None
        records, result = await self._store.records(row.id), await self._store.result(row.id)
        try:
            verify(row, records, result)
            match = self.made(row)
            match.replay(records, (), result, self._acts_of_ended.get(row.id))
        except Altered as found:
            self._quarantine.add_altered(row, found, over=result is not None)
            return None
        except Exception as error:  # noqa: BLE001  its log may be damaged in any way
            self._quarantine.add(row, error, over=result is not None)
            return None
        return match

    # ------------------------------------------------------------------------------------ coming and going

    def add(self, match: LiveMatch) -> None:
        """Put a match in play."""
        self._live[match.id] = match

    def remove(self, match: LiveMatch) -> None:
        """Take a match out of play, if it is in play."""
        self._live.pop(match.id, None)
        if match.over:
            self._acts_of_ended[match.id] = match.own_acts
            if len(self._acts_of_ended) > _REMEMBERED:
                del self._acts_of_ended[next(iter(self._acts_of_ended))]

    async def restore(
        self, row: MatchRow, records: Sequence[Record], running: Sequence[TimerRow], *, was_stopped: bool
    ) -> LiveMatch | None:
        """Put an unfinished match in play, verified and replayed from its log; None if it had to be quarantined.

        A match that `was_stopped`, by a failed rule or in quarantine, gets new deadlines. If a rule failed, the match
        failed is tried again, because a restart may bring a corrected rule. One whose game is not installed waits for
        it in quarantine. Raises StoreError.
        """
        if row.game not in GAMES:
            self._quarantine.add_without_game(row)
            return None
        try:
            verify(row, records, None)
            timers = () if was_stopped else running
            match = replayed(row, records, timers, self._store, self._now, telemetry=self._telemetry)
        except Altered as found:
            self._quarantine.add_altered(row, found, over=False)
            return None
        except Exception as error:  # noqa: BLE001  an error in one match must not delay another
            self._quarantine.add(row, error, over=False)
            return None
        if match.suspended is None:  # a suspended match has no deadlines
            await self._repair_timers(match, running, was_stopped=was_stopped)
        if match.failed is not None:
            await match.try_again()
        self.add(match)
        return match

    async def _repair_timers(self, match: LiveMatch, running: Sequence[TimerRow], *, was_stopped: bool) -> None:
        """Make the stored deadlines those of the open question.

        Unless the match was stopped, they differ only if the rules or the database have changed.
        """
        timers = match.position.timers
        missing, surplus = set(timers) - set(running), set(running) - set(timers)
        if not missing and not surplus:
            return
        if not was_stopped:
            _log.warning("match %s: %d deadlines were missing and %d surplus", match.id, len(missing), len(surplus))
            self._telemetry.deadlines_repaired()
        await self._store.set_timers(match.id, timers)
