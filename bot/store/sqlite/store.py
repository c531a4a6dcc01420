"""The store in a SQLite file."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bot.store.errors import NotSaved, Older, StoreError
from bot.store.protocols.matches import NO_LOST_PLACES
from bot.store.rows import (
    DailyAttempt,
    DailyDeal,
    DailyMessage,
    HandKey,
    HandRow,
    Invitation,
    InvitationState,
    LostPlaces,
    MatchRow,
    Notice,
    NoticeLevel,
    Observed,
    Posting,
    Record,
    Result,
    ResultEffects,
    Series,
    SettingChange,
    Standing,
    Suspension,
    TableSubscriber,
    TimerRow,
    Unrated,
)
from bot.store.sqlite import witness
from bot.store.sqlite.database import Database
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.queries import (
    anonymisation,
    daily,
    drafts,
    guilds,
    invitations,
    looks,
    matches,
    metadata,
    people,
    screens,
    server_settings,
    standings,
    table_notices,
    uptime,
)
from bot.store.sqlite.result_codes import store_error
from bot.store.sqlite.schema import MIGRATIONS, Migration, checkpoint, connect, migrations
from bot.store.sqlite.upkeep import Upkeep
from bot.store.sqlite.witness import Witness
from bot.telemetry import NO_TELEMETRY, Telemetry

BACKUPS = "backups"
"""The folder of backups, beside the database."""

BUSY_TIMEOUT = 5000
"""How long a write waits for another program's lock, in milliseconds."""

_log = logging.getLogger(__name__)


class SqliteStore:
    """`bot.store.protocols.store.Store` on one SQLite file: what its methods do and raise is written there."""

    def __init__(self, database: Database, path: Path, lock: InstanceLock, now: Callable[[], int]) -> None:
        self.database = database
        """The connection itself. Play goes by the methods; this is for who looks at the file as a whole."""
        self._path = path
        self._lock = lock
        self._now = now
        self._upkeep = Upkeep(database.checkpoint, self._renew_witness)
        database.on_commit = self._upkeep.note_written

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        now: Callable[[], int],
        telemetry: Telemetry = NO_TELEMETRY,
        busy_timeout: int = BUSY_TIMEOUT,
        migrations_folder: Path = MIGRATIONS,
        accept_older: bool = False,
    ) -> SqliteStore:
        """Open the file, creating it if it is missing, and migrate its tables.

        `now` returns milliseconds since 1970, UTC. Reads and writes that the database refuses later are reported to
        `telemetry`. Before tables are changed, the file is copied to ``<path>.v<version>.backup``. `accept_older` takes
        a database that lacks what was saved, or a new one in its place. Raises InUse, TooNew, Older, Damaged, Busy and
        NotSaved, each with one line to show.
        """
        steps = migrations(migrations_folder)
        lock = InstanceLock(path.with_name(f"{path.name}.lock"))

        def connector() -> sqlite3.Connection:
            _refuse_older(path, steps, accept_older=accept_older)
            connection = connect(path, steps, busy_timeout)
            try:
                _begin_witness(connection, path, now())
            except BaseException:
                connection.close()
                raise
            return connection

        try:
            database = await Database.open(connector, str(path), telemetry)
        except BaseException as error:
            lock.release()
            if isinstance(error, sqlite3.Error):
                raise store_error(error, str(path)) or error from error
            if isinstance(error, OSError):
                raise NotSaved(f"{path} cannot be written ({error.strerror})") from error
            raise
        return cls(database, path, lock, now)

    async def close(self) -> None:
        try:
            await self._upkeep.close()
            await self.database.close()
            with contextlib.suppress(OSError):  # the former witness will do
                await self._renew_witness()
        finally:
            self._lock.release()

    async def checkpoint(self) -> None:
        """Move all that is committed into the database's file. Raises StoreError."""
        await self.database.checkpoint(overdue=True)

    async def _renew_witness(self) -> None:
        said = Witness(self.database.progress, self._now())
        await asyncio.to_thread(witness.write, self._path, said)

    # -- invitations

    async def add_invitation(self, invitation: Invitation) -> None:
        await self.database.write(lambda db: invitations.add(db, invitation))

    async def set_invitation_message(self, id: str, message_id: int) -> None:
        await self.database.write(lambda db: invitations.set_message(db, id, message_id))

    async def reseat_invitation(self, invitation: Invitation) -> None:
        await self.database.write(lambda db: invitations.reseat(db, invitation))

    async def close_invitation(self, id: str, state: InvitationState) -> bool:
        now = self._now()
        return await self.database.write(lambda db: invitations.close(db, id, state, now))

    async def invitation(self, id: str) -> tuple[Invitation, InvitationState] | None:
        return await self.database.read(lambda db: invitations.find(db, id))

    async def open_invitations(self) -> list[Invitation]:
        return await self.database.read(invitations.all_open)

    # -- matches

    async def open_match(self, match: MatchRow, deal: Record, timers: Sequence[TimerRow]) -> None:
        now = self._now()
        await self.database.write(lambda db: matches.open_match(db, match, deal, timers, now))

    async def append(
        self,
        record: Record,
        timers: Sequence[TimerRow],
        result: Result | None = None,
        unrated: Unrated | None = None,
    ) -> ResultEffects | None:
        return await self.database.write(lambda db: matches.append(db, record, timers, result, unrated))

    async def set_timers(self, match_id: str, timers: Sequence[TimerRow]) -> None:
        await self.database.write(lambda db: matches.set_timers(db, match_id, timers))

    async def end_match(self, result: Result, interaction_id: int | None) -> None:
        await self.database.write(lambda db: matches.end(db, result, interaction_id))

    async def agree_to_call_off(self, match_id: str, seat: int) -> None:
        await self.database.write(lambda db: matches.agree_to_call_off(db, match_id, seat))

    async def match_of_interaction(self, interaction_id: int) -> str | None:
        return await self.database.read(lambda db: matches.match_of_interaction(db, interaction_id))

    async def live_matches(self) -> list[MatchRow]:
        return await self.database.read(matches.live)

    async def matches_ended_since(self, moment: int) -> list[MatchRow]:
        return await self.database.read(lambda db: matches.ended_since(db, moment))

    async def match(self, id: str) -> MatchRow | None:
        return await self.database.read(lambda db: matches.find(db, id))

    async def result(self, id: str) -> Result | None:
        return await self.database.read(lambda db: matches.result(db, id))

    async def records(self, match_id: str) -> list[Record]:
        return await self.database.read(lambda db: matches.records(db, match_id))

    async def logs(self, match_ids: Sequence[str]) -> dict[str, list[Record]]:
        return await self.database.read(lambda db: matches.logs(db, match_ids))

    async def timers(self, match_id: str) -> list[TimerRow]:
        return await self.database.read(lambda db: matches.timers(db, match_id))

    async def all_timers(self) -> list[TimerRow]:
        return await self.database.read(matches.all_timers)

    async def set_board(self, match_id: str, channel_id: int, message_id: int | None, at: int | None) -> None:
        await self.database.write(lambda db: matches.set_board(db, match_id, channel_id, message_id, at))

    async def set_paused(self, match_id: str, error: int | None) -> None:
        await self.database.write(lambda db: matches.set_paused(db, match_id, error))

    async def suspend_match(self, match_id: str, at: int, why: Suspension, lost: LostPlaces = NO_LOST_PLACES) -> None:
        await self.database.write(lambda db: matches.suspend(db, match_id, at, why, lost))

    async def resume_match(self, match_id: str, channel_id: int, timers: Sequence[TimerRow]) -> None:
        await self.database.write(lambda db: matches.resume(db, match_id, channel_id, timers))

    async def add_notice(self, notice: Notice) -> None:
        await self.database.write(lambda db: matches.add_notice(db, notice))

    async def remove_notice(self, match_id: str, seat: int) -> None:
        await self.database.write(lambda db: matches.remove_notice(db, match_id, seat))

    async def notices(self) -> list[Notice]:
        return await self.database.read(matches.notices)

    async def save_selection(self, match_id: str, seat: int, window: int, selection: str) -> None:
        await self.database.write(lambda db: drafts.save(db, match_id, seat, window, selection))

    async def selection(self, match_id: str, seat: int, window: int) -> str | None:
        return await self.database.read(lambda db: drafts.find(db, match_id, seat, window))

    async def latest_selection(self, match_id: str, seat: int) -> tuple[int, str] | None:
        return await self.database.read(lambda db: drafts.latest(db, match_id, seat))

    # -- screens

    async def write_open_hands(self, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> None:
        await self.database.write(lambda db: screens.write_hands(db, saved, removed, now))

    async def open_hands(self) -> list[HandRow]:
        return await self.database.read(screens.hands)

    async def add_posting(self, posting: Posting) -> None:
        await self.database.write(lambda db: screens.add_posting(db, posting))

    async def remove_posting(self, match_id: str, seat: int | None, channel_id: int) -> None:
        await self.database.write(lambda db: screens.remove_posting(db, match_id, seat, channel_id))

    async def postings(self) -> list[Posting]:
        return await self.database.read(screens.postings)

    # -- the bot's own time

    async def record_heartbeat(self, now: int) -> None:
        await self.database.write(lambda db: uptime.record_heartbeat(db, now), counts=False)

    async def last_heartbeat(self) -> int | None:
        return await self.database.read(uptime.last_heartbeat)

    async def credit_downtime(self, now: int) -> int:
        return await self.database.write(lambda db: uptime.credit_downtime(db, now))

    async def shift_time(self, by: int) -> None:
        await self.database.write(lambda db: uptime.shift_time(db, by))

    # -- standings

    async def leaderboard(self, guild_id: int, game: str, offset: int, limit: int) -> list[Standing]:
        return await self.database.read(lambda db: standings.page(db, guild_id, game, offset, limit))

    async def standing(self, guild_id: int, game: str, user_id: int) -> Standing | None:
        return await self.database.read(lambda db: standings.find(db, guild_id, game, user_id))

    async def count_listed_above(self, guild_id: int, game: str, user_id: int) -> int | None:
        return await self.database.read(lambda db: standings.count_listed_above(db, guild_id, game, user_id))

    async def count_ranked(self, guild_id: int, game: str) -> int:
        return await self.database.read(lambda db: standings.count_ranked(db, guild_id, game))

    async def games_played(self, guild_id: int) -> list[str]:
        return await self.database.read(lambda db: standings.games_played(db, guild_id))

    async def counted_results(self, guild_id: int, game: str) -> list[tuple[tuple[int, ...], Result]]:
        return await self.database.read(lambda db: standings.counted_results(db, guild_id, game))

    async def series(self, guild_id: int, game: str, players: tuple[int, int], last: str | None = None) -> Series:
        return await self.database.read(lambda db: standings.series(db, guild_id, game, players, last))

    # -- people

    async def set_name(self, guild_id: int, user_id: int, name: str) -> None:
        await self.database.write(lambda db: people.set_name(db, guild_id, user_id, name))

    async def names(self, guild_id: int, user_ids: Sequence[int]) -> dict[int, str]:
        return await self.database.read(lambda db: people.names(db, guild_id, user_ids))

    async def set_notice_level(self, guild_id: int, user_id: int, level: NoticeLevel) -> None:
        await self.database.write(lambda db: people.set_notice_level(db, guild_id, user_id, level))

    async def notice_level(self, guild_id: int, user_id: int) -> NoticeLevel:
        return await self.database.read(lambda db: people.notice_level(db, guild_id, user_id))

    async def set_preference(self, user_id: int, name: str, value: str) -> None:
        await self.database.write(lambda db: people.set_preference(db, user_id, name, value))

    async def preferences(self, user_ids: Sequence[int]) -> dict[int, dict[str, str]]:
        return await self.database.read(lambda db: people.preferences(db, user_ids))

    async def set_table_subscription(self, guild_id: int, user_id: int, game: str, *, wanted: bool) -> None:
        await self.database.write(lambda db: table_notices.set_wanted(db, guild_id, user_id, game, wanted=wanted))

    async def table_subscriptions(self, guild_id: int, user_id: int) -> list[str]:
        return await self.database.read(lambda db: table_notices.games(db, guild_id, user_id))

    async def table_subscribers(self, guild_id: int, game: str, after: int, most: int) -> list[TableSubscriber]:
        return await self.database.read(lambda db: table_notices.subscribers(db, guild_id, game, after, most))

    async def record_table_notice(self, user_id: int, at: int) -> None:
        await self.database.write(lambda db: table_notices.record(db, user_id, at))

    async def last_table_notice(self, user_id: int) -> int | None:
        return await self.database.read(lambda db: table_notices.last(db, user_id))

    async def matches_of(self, guild_id: int, user_id: int) -> list[MatchRow]:
        return await self.database.read(lambda db: matches.of_user(db, guild_id, user_id))

    async def matches_of_deal(self, guild_id: int, deal_id: str) -> list[MatchRow]:
        return await self.database.read(lambda db: matches.of_deal(db, guild_id, deal_id))

    async def latest_finished(
        self, guild_id: int, user_id: int, most: int, channel_id: int | None = None
    ) -> list[MatchRow]:
        return await self.database.read(lambda db: matches.latest_finished(db, guild_id, user_id, most, channel_id))

    async def invitations_of(self, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
        return await self.database.read(lambda db: invitations.of_user(db, guild_id, user_id))

    async def anonymise(
        self, guild_id: int, user_id: int, marker: int, keys: Mapping[str, Mapping[str, bytes]]
    ) -> None:
        await self.database.write(lambda db: anonymisation.anonymise(db, guild_id, user_id, marker, keys))

    async def chance_keys(self, match_id: str) -> dict[str, bytes]:
        return await self.database.read(lambda db: anonymisation.chance_keys(db, match_id))

    # -- servers

    async def known_guilds(self) -> set[int]:
        return await self.database.read(guilds.known)

    async def record_departure(self, guild_id: int, at: int) -> None:
        await self.database.write(lambda db: guilds.record_departure(db, guild_id, at))

    async def clear_departure(self, guild_id: int) -> None:
        await self.database.write(lambda db: guilds.clear_departure(db, guild_id))

    async def departures(self) -> dict[int, int]:
        return await self.database.read(guilds.departures)

    async def record_look(self, at: int, passed: int | None) -> Observed:
        return await self.database.write(lambda db: looks.record(db, at, passed))

    async def purge_guild(self, guild_id: int) -> None:
        await self.database.write(lambda db: guilds.purge(db, guild_id))

    async def server_settings(self) -> dict[int, dict[str, str]]:
        return await self.database.read(server_settings.all_of)

    async def change_setting(self, change: SettingChange) -> None:
        await self.database.write(lambda db: server_settings.change(db, change))

    async def record_change(self, change: SettingChange) -> None:
        await self.database.write(lambda db: server_settings.record(db, change))

    async def setting_changes(self, guild_id: int) -> list[SettingChange]:
        return await self.database.read(lambda db: server_settings.changes(db, guild_id))

    async def record_greeting(self, guild_id: int, at: int) -> bool:
        return await self.database.write(lambda db: server_settings.greet(db, guild_id, at))

    # -- deals of the day

    async def seal_daily_deal(self, deal: DailyDeal) -> DailyDeal:
        return await self.database.write(lambda db: daily.seal(db, deal))

    async def daily_deal(self, guild_id: int, game: str, day: int) -> DailyDeal | None:
        return await self.database.read(lambda db: daily.find(db, guild_id, game, day))

    async def open_attempt(self, asked: Invitation, match: MatchRow, deal: Record) -> None:
        now = self._now()
        await self.database.write(lambda db: daily.open_attempt(db, asked, match, deal, now))

    async def attempt(self, guild_id: int, game: str, day: int, user_id: int) -> DailyAttempt | None:
        return await self.database.read(lambda db: daily.attempt(db, guild_id, game, day, user_id))

    async def attempts_on(self, guild_id: int, day: int) -> list[DailyAttempt]:
        return await self.database.read(lambda db: daily.attempts_on(db, guild_id, day))

    async def attempts_by(self, guild_id: int, user_id: int) -> list[DailyAttempt]:
        return await self.database.read(lambda db: daily.attempts_by(db, guild_id, user_id))

    async def days_finished(self, guild_id: int, game: str, user_id: int) -> list[int]:
        return await self.database.read(lambda db: daily.days_finished(db, guild_id, game, user_id))

    async def unshown_attempts(self, since: int) -> list[DailyAttempt]:
        return await self.database.read(lambda db: daily.unshown(db, since))

    async def note_shown(self, match_id: str) -> None:
        await self.database.write(lambda db: daily.note_shown(db, match_id))

    async def daily_message(self, guild_id: int, channel_id: int, day: int) -> DailyMessage | None:
        return await self.database.read(lambda db: daily.message(db, guild_id, channel_id, day))

    async def put_daily_message(self, message: DailyMessage) -> None:
        await self.database.write(lambda db: daily.put_message(db, message))

    # -- facts

    async def metadata(self, key: str) -> str | None:
        return await self.database.read(lambda db: metadata.find(db, key))

    async def set_metadata(self, key: str, value: str) -> None:
        await self.database.write(lambda db: metadata.put(db, key, value))


def _refuse_older(path: Path, steps: tuple[Migration, ...], *, accept_older: bool) -> None:
    try:
        witness.refuse_older(path, path.parent / BACKUPS, steps, is_mine=True)
    except Older as error:
        if not accept_older:
            raise
        _log.warning("accepted: %s", error)


def _begin_witness(connection: sqlite3.Connection, path: Path, now: int) -> None:
    """Make a database that was just opened the one that the witness speaks of."""
    reached = witness.carry_on(connection, path)
    checkpoint(connection)
    if reached is None:
        raise StoreError(f"the database {path} has no tables to count its commits in")
    try:
        witness.write(path, Witness(reached, now))
    except OSError as error:  # the former witness will do
        _log.warning("the witness could not be written: %s", error.strerror)
