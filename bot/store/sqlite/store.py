"""The store in a SQLite file."""

# ruff: noqa: A002  an id is called id, here as in the rows

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from bot.ratings import Rating
from bot.store.boards import Board, BoardDates, BoardPage, DayKey, PageRequest, SeasonFirst, Tally
from bot.store.errors import NotSaved, Older, StoreError
from bot.store.person_key import FILE_NAME, PersonKey
from bot.store.protocols.matches import NO_LOST_PLACES
from bot.store.rows import (
    HELD_FOR,
    Attendance,
    BoardMark,
    ComebackSearch,
    DailyAttempt,
    DailyDeal,
    DailyMessage,
    FinishedMatch,
    FormerStanding,
    HandKey,
    HandRow,
    HeadToHead,
    HeldRating,
    HistoryQuery,
    Invitation,
    InvitationState,
    LostPlaces,
    MatchRow,
    Notice,
    NoticeLevel,
    Observed,
    Opponent,
    PlayerRecord,
    Posting,
    RatingChange,
    RatingStart,
    Record,
    Result,
    ResultEffects,
    SavedMatch,
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
    invitations,
    matches,
    metadata,
    people,
    replays,
    screens,
    standings,
    table_notices,
    uptime,
)
from bot.store.sqlite.queries.boards import entries, keeping, reading, seasons
from bot.store.sqlite.queries.deletions import Deletion
from bot.store.sqlite.queries.profiles import comebacks, opponents, player_results
from bot.store.sqlite.queries.ratings import changes, held
from bot.store.sqlite.queries.servers import guilds, looks, server_settings
from bot.store.sqlite.result_codes import store_error
from bot.store.sqlite.schema import MIGRATIONS, Migration, checkpoint, connect, migrations
from bot.store.sqlite.slices import deleting, lists
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

    def __init__(
        self, database: Database, path: Path, lock: InstanceLock, now: Callable[[], int], key: PersonKey
    ) -> None:
        self.database = database
        """The connection itself. Play goes by the methods; this is for who looks at the file as a whole."""
        self._path = path
        self._lock = lock
        self._now = now
        self.person_key = key
        """The key by which deleted people are recognised."""
        self._upkeep = Upkeep(database.checkpoint, self._renew_witness)
        database.on_commit = self._upkeep.note_written
        self._deletions = deleting.Uncancelled()

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
        person_key: Path | None = None,
    ) -> SqliteStore:
        """Open the file, creating it if it is missing, and migrate its tables.

        `now` returns milliseconds since 1970, UTC. Reads and writes that the database refuses later are reported to
        `telemetry`. Before tables are changed, the file is copied to ``<path>.v<version>.backup``. `accept_older` takes
        a database that lacks what was saved, or a new one in its place. `person_key` is the file with the key by which
        deleted people are recognised; without it, one beside the database (`bot.store.person_key`). Raises InUse,
        TooNew, Older, Damaged, Busy and NotSaved, each with one line to show.
        """
        steps = migrations(migrations_folder)
        lock = InstanceLock(path.with_name(f"{path.name}.lock"))

        def connector() -> sqlite3.Connection:
            _refuse_older(path, steps, accept_older=accept_older)
            connection = connect(path, steps, busy_timeout)
            try:
                deleting.finish_begun(connection)
                _count_boards(connection)
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
        return cls(database, path, lock, now, PersonKey(person_key or path.with_name(FILE_NAME)))

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
        return await self.database.write(
            lambda db: matches.append(db, record, timers, result, unrated, key=self.person_key)
        )

    async def set_timers(self, match_id: str, timers: Sequence[TimerRow]) -> None:
        await self.database.write(lambda db: matches.set_timers(db, match_id, timers))

    async def end_match(self, result: Result, interaction_id: int | None) -> None:
        await self.database.write(lambda db: matches.end(db, result, interaction_id, key=self.person_key))

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

    async def records(self, match_id: str, first: int = 0) -> list[Record]:
        return await self.database.read(lambda db: matches.records(db, match_id, first))

    async def match_of_series(self, series_id: str, number: int) -> str | None:
        return await self.database.read(lambda db: matches.of_series(db, series_id, number))

    async def saved_matches(self, match_ids: Sequence[str]) -> dict[str, SavedMatch]:
        return await self.database.read(lambda db: matches.saved(db, match_ids))

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
        return await lists.notices(self.database)

    async def save_selection(self, match_id: str, seat: int, window: int, selection: str) -> None:
        await self.database.write(lambda db: drafts.save(db, match_id, seat, window, selection))

    async def selection(self, match_id: str, seat: int, window: int) -> str | None:
        return await self.database.read(lambda db: drafts.find(db, match_id, seat, window))

    async def latest_selection(self, match_id: str, seat: int) -> tuple[int, str] | None:
        return await self.database.read(lambda db: drafts.latest(db, match_id, seat))

    # -- screens

    async def write_open_hands(self, saved: Sequence[HandRow], removed: Sequence[HandKey], now: int) -> None:
        if not await self.database.write(lambda db: screens.write_hands(db, saved, removed, now)):
            await self.database.write_all(lambda db: screens.delete_expired_hands(db, now))

    async def open_hands(self) -> list[HandRow]:
        return await lists.open_hands(self.database)

    async def add_posting(self, posting: Posting) -> None:
        await self.database.write(lambda db: screens.add_posting(db, posting))

    async def remove_posting(self, match_id: str, seat: int | None, channel_id: int) -> None:
        await self.database.write(lambda db: screens.remove_posting(db, match_id, seat, channel_id))

    async def postings(self) -> list[Posting]:
        return await lists.postings(self.database)

    async def write_board_marks(self, marks: Mapping[str, BoardMark | None]) -> None:
        await self.database.write(lambda db: screens.write_marks(db, marks))

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
        return await lists.standing(self.database, guild_id, game, user_id)

    async def count_ranked(self, guild_id: int, game: str) -> int:
        return await self.database.read(lambda db: standings.count_ranked(db, guild_id, game))

    async def games_played(self, guild_id: int) -> list[str]:
        return await self.database.read(lambda db: standings.games_played(db, guild_id))

    async def counted_results(self, guild_id: int, game: str) -> list[tuple[tuple[int, ...], Result]]:
        return await lists.counted_results(self.database, guild_id, game)

    async def head_to_head(
        self, guild_id: int, game: str | None, players: tuple[int, int], last: str | None = None
    ) -> HeadToHead:
        return await self.database.read(lambda db: standings.head_to_head(db, guild_id, game, players, last))

    # -- profiles

    async def player_record(self, guild_id: int, user_id: int) -> PlayerRecord:
        return await self.database.read(lambda db: player_results.record_of(db, guild_id, user_id))

    async def most_met(self, guild_id: int, user_id: int, most: int) -> list[Opponent]:
        return await self.database.read(lambda db: opponents.most_met(db, guild_id, user_id, most))

    async def opponent(self, guild_id: int, user_id: int, opponent_id: int) -> Opponent | None:
        return await self.database.read(lambda db: opponents.find(db, guild_id, user_id, opponent_id))

    async def met_at(self, guild_id: int, user_id: int, nth: int) -> int | None:
        return await self.database.read(lambda db: opponents.met_at(db, guild_id, user_id, nth))

    async def rating_history(self, guild_id: int, user_id: int, game: str, most: int) -> list[Rating]:
        return await self.database.read(lambda db: player_results.ratings(db, guild_id, user_id, game, most))

    async def wins_after(self, guild_id: int, user_id: int, number: int, most: int) -> list[tuple[int, str]]:
        return await self.database.read(lambda db: player_results.wins_after(db, guild_id, user_id, number, most))

    async def comeback_search(self, guild_id: int, user_id: int) -> ComebackSearch:
        return await self.database.read(lambda db: comebacks.search_of(db, guild_id, user_id))

    async def note_comeback_search(self, guild_id: int, user_id: int, search: ComebackSearch) -> None:
        await self.database.write(lambda db: comebacks.note(db, guild_id, user_id, search))

    # -- leaderboards

    async def board_page(self, board: Board, reader: int, request: PageRequest, length: int) -> BoardPage:
        return await self.database.read(lambda db: reading.page(db, board, reader, request, length))

    async def are_boards_current(self, guild_id: int, dates: BoardDates) -> bool:
        return await self.database.read(lambda db: keeping.is_current(db, guild_id, dates))

    async def roll_boards(self, guild_id: int, dates: BoardDates) -> bool:
        return await self.database.write(lambda db: keeping.roll(db, guild_id, dates))

    async def set_hidden(self, guild_id: int, user_id: int, *, hidden: bool) -> None:
        await self.database.write(lambda db: keeping.set_hidden(db, guild_id, user_id, hidden=hidden))

    async def is_hidden(self, guild_id: int, user_id: int) -> bool:
        return await self.database.read(lambda db: entries.is_hidden(db, guild_id, user_id))

    async def board_days(self, guild_id: int, user_id: int) -> dict[DayKey, Tally]:
        return await lists.board_days(self.database, guild_id, user_id)

    async def days_between(
        self, guild_id: int, days: range, after: DayKey | None, most: int
    ) -> list[tuple[DayKey, Tally]]:
        return await self.database.read(lambda db: seasons.days(db, guild_id, days, after, most))

    async def judged_until(self, guild_id: int) -> int | None:
        return await self.database.read(lambda db: seasons.judged_until(db, guild_id))

    async def judge_seasons(self, guild_id: int, until: int, firsts: Collection[tuple[int, SeasonFirst]]) -> None:
        await self.database.write(lambda db: seasons.judge(db, guild_id, until, firsts))

    async def season_firsts(self, guild_id: int, user_id: int) -> list[SeasonFirst]:
        return await self.database.read(lambda db: seasons.firsts(db, guild_id, user_id))

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
        return await lists.matches_of(self.database, guild_id, user_id)

    async def matches_of_deal(self, guild_id: int, deal_id: str) -> list[MatchRow]:
        return await lists.matches_of_deal(self.database, guild_id, deal_id)

    async def latest_finished(
        self, guild_id: int, user_id: int, most: int, channel_id: int | None = None
    ) -> list[MatchRow]:
        return await lists.latest_finished(self.database, guild_id, user_id, most, channel_id)

    # -- replays

    async def finished_match(self, guild_id: int, id: str, viewer_id: int, today: int) -> FinishedMatch | None:
        return await self.database.read(lambda db: replays.find(db, guild_id, id, viewer_id, today))

    async def finished_matches(
        self, query: HistoryQuery, most: int, *, before: str | None = None, after: str | None = None
    ) -> list[FinishedMatch]:
        return await lists.finished_matches(self.database, query, most, before, after)

    async def set_private_wish(self, match_id: str, seat: int, *, wanted: bool) -> None:
        await self.database.write(lambda db: replays.set_wish(db, match_id, seat, wanted=wanted))

    # -- people and their matches

    async def invitations_of(self, guild_id: int, user_id: int) -> list[tuple[Invitation, InvitationState]]:
        return await lists.invitations_of(self.database, guild_id, user_id)

    async def attendances(self, guild_id: int, user_id: int, most: int) -> list[Attendance]:
        return await lists.attendances(self.database, guild_id, user_id, most)

    async def anonymise(
        self, guild_id: int, user_id: int, marker: int, keys: Mapping[str, Mapping[str, bytes]]
    ) -> None:
        until = self._now() + HELD_FOR
        deletion = Deletion(guild_id, user_id, marker)
        await self._deletions.run(
            deleting.anonymise(self.database, deletion, keys, key=self.person_key, held_until=until)
        )

    async def chance_keys(self, match_id: str) -> dict[str, bytes]:
        return await self.database.read(lambda db: anonymisation.chance_keys(db, match_id))

    # -- servers

    async def known_guilds(self) -> set[int]:
        return await lists.known_guilds(self.database)

    async def record_departure(self, guild_id: int, at: int) -> None:
        await self.database.write(lambda db: guilds.record_departure(db, guild_id, at))
        await self.database.write_all(lambda db: screens.delete_hands_of_server(db, guild_id))

    async def clear_departure(self, guild_id: int) -> None:
        await self.database.write(lambda db: guilds.clear_departure(db, guild_id))

    async def departures(self) -> dict[int, int]:
        return await self.database.read(guilds.departures)

    async def record_look(self, at: int, passed: int | None) -> Observed:
        looked_on = await self.database.write(lambda db: looks.record(db, at, passed))
        await self.database.write_all(lambda db: held.delete_expired(db, at))
        return await lists.observed(self.database, looked_on)

    async def purge_guild(self, guild_id: int) -> None:
        await self._deletions.run(deleting.purge(self.database, guild_id))

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

    # -- ratings

    async def rating_changes(self, match_id: str) -> tuple[RatingChange, ...]:
        return await self.database.read(lambda db: changes.find(db, match_id))

    async def held_ratings(self, guild_id: int, user_id: int) -> list[HeldRating]:
        return await self.database.read(lambda db: held.of_person(db, guild_id, user_id, self.person_key))

    async def rating_starts(self, guild_id: int, user_id: int) -> list[RatingStart]:
        return await self.database.read(lambda db: held.starts_of(db, guild_id, user_id))

    async def former_standings(self, guild_id: int, user_id: int) -> list[FormerStanding]:
        return await self.database.read(lambda db: held.former_of(db, guild_id, user_id))

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
        return await lists.attempts_on(self.database, guild_id, day)

    async def attempts_by(self, guild_id: int, user_id: int) -> list[DailyAttempt]:
        return await lists.attempts_by(self.database, guild_id, user_id)

    async def days_finished(self, guild_id: int, game: str, user_id: int) -> list[int]:
        return await self.database.read(lambda db: daily.days_finished(db, guild_id, game, user_id))

    async def unshown_attempts(self, since: int) -> list[DailyAttempt]:
        return await lists.unshown_attempts(self.database, since)

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


def _count_boards(connection: sqlite3.Connection) -> None:
    """Count the leaderboards of a database that was upgraded: the one part of the upgrade that SQL cannot say.

    A result that lacks a rank keeps nobody from starting. Then leaderboards begin with the next result, and
    `cardroom check` names the one that is not whole.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        standings.count_boards(connection)
    except StoreError as error:
        _log.warning("the leaderboards could not be counted: %s", str(error))  # with it, the open query would live on
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


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
