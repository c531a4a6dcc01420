"""Matches: their rows, logs, deadlines and results, and why one is suspended or doesn't count."""

from __future__ import annotations

import hashlib
import itertools
import json
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from bot.shard_range import ShardRange
from bot.store import verification
from bot.store.packed_log import DamagedLog, unpack
from bot.store.queries import database as sql
from bot.store.queries.invitations import ORIGIN, SERIES, Origin, Series, StandIn, read_origin, read_series
from bot.store.queries.screens import BoardMark

if TYPE_CHECKING:
    from bot.store.queries.attendances import Attendance


@dataclass(frozen=True, slots=True)
class Salt:
    """What a player added to a deal: its digest (`engines.deals.salt_digest`), and its text.

    The text is empty if they added nothing, and None once they were deleted.
    """

    digest: bytes
    text: str | None


UNSALTED: Final = Salt(hashlib.sha256().digest(), "")
"""Of somebody who added nothing, as most do: one value for all of them, because thousands of matches have it."""


class Suspension(StrEnum):
    """Why a live match is suspended: how its venue was lost, or who holds it."""

    CHANNEL_GONE = "channel_gone"
    THREAD_CLOSED = "thread_closed"
    """Its thread was locked. Formerly also: archived."""
    NO_ACCESS = "no_access"
    """The bot may not see its channel."""
    NO_SENDING = "no_sending"
    """The bot may not write in its channel."""
    REMOVED = "removed"
    """The bot was removed from its server."""
    BOARD_REMOVED = "board_removed"
    """Somebody or something in its channel removes its board again and again."""
    GAVE_PLACE = "gave_place"
    """It gave place to somebody who had no match where it was played (`bot.play.limits`). Its board is still there."""
    MODERATED = "moderated"
    """A moderator has called it off. It waits a little before it ends, so that they can take that back."""


class Obstacle(StrEnum):
    """What keeps a player from acting where their match is played."""

    GONE = "gone"
    """They are no member of the server: they left, or were removed."""
    TIMED_OUT = "timed_out"
    """A moderator has timed them out."""
    HIDDEN = "hidden"
    """They may not see the channel, or are not in its private thread."""
    NO_THREAD_SENDING = "no_thread_sending"
    """They may not write in the thread."""
    NO_SENDING = "no_sending"
    """They may not write in the channel. They can still press buttons there."""
    UNKNOWN = "unknown"
    """Discord did not answer."""
    FIRST_MATCH = "first_match"
    """Nothing but that it is one of their first matches, and they had hardly begun (C-13)."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What was left (ms) of a deadline when its match was suspended."""

    name: str
    key: str
    left: int


@dataclass(frozen=True, slots=True)
class LostVenues:
    """How often a match was suspended during one question (its `window`), and why: the latest cause is the last.

    If a moderator holds the match, another last cause is why it was on hold before, or would be on hold without that.
    `left` is what was left of each deadline at the latest suspension.
    """

    window: int = 0
    causes: tuple[Suspension, ...] = ()
    left: tuple[TimeLeft, ...] = ()


@dataclass(frozen=True, slots=True)
class Unrated:
    """Why a match does not count: this seat's time ran out while its player could not act."""

    seat: int
    why: Obstacle


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match. It is live until it has a `Result`. `seats[seat]` is the user; `paused` is the number of an error.

    `commitment` is its deal's seal, 32 bytes. All of the deal is as the invitation had it. `salts` has one
    for each seat.
    """

    id: str
    guild_id: int
    channel_id: int
    board_id: int | None
    board_at: int | None
    game: str
    rules_version: int
    options: str
    clock: str
    seats: tuple[int, ...]
    seed: bytes
    commitment: bytes
    opened_at: int
    paused: int | None = None
    agreed: tuple[int, ...] = ()
    """The seats that would like to call the match off (C-6)."""
    suspended_at: int | None = None
    """Since when it is suspended, without a timer; None while it is played and once it is over, as is the reason."""
    suspended_why: Suspension | None = None
    lost_places: LostVenues = LostVenues()
    unrated: Unrated | None = None
    deal_version: int = 3
    deal_id: str = ""
    sealed_options: str = ""
    salts: tuple[Salt, ...] = ()
    stand_in: StandIn = StandIn.OFF
    origin: Origin | None = None
    """As the invitation had it. Its seed decides only what is drawn after the opening."""
    day: int | None = None
    """The day whose deal it tries (`DailyDeal`); None for every other match."""
    alone: bool = False
    """Whether one person plays it in private messages, without a board and a clock. A deal of the day is always so."""
    on_board: bool = False
    """Whether that person has it shown on a board all the same."""
    newcomers: tuple[int, ...] = ()
    """The seats of those of whose first matches it is one (C-13)."""
    reads_until: tuple[int | None, ...] = ()
    """For each of them until when (ms UTC) their clock waits or waited because they read; None if they have not yet."""
    series: Series | None = None
    """As the invitation had it."""
    shared: bool = False
    """Whether other matches of the server have the same deal, which is closed until all of them are over
    (`bot.play.closed_deals`); or those of all servers, if it has a day, too (`everywhere`)."""
    rated: bool = True
    """Whether it may count: for reliability and, unless its deal is shared, for ratings. Its players knew before it
    began that one doesn't, in which nobody is held to finish."""
    reserved: bool = False
    """Whether it has its room beside the limits of channel and server (`Limits.check_reserved`)."""
    away_until: tuple[int | None, ...] = ()
    """For each seat until when (ms UTC) its player is or was away; empty if nobody was."""
    rests_until: int | None = None
    """Until when its players have agreed to pause (ms UTC)."""
    bank_left: tuple[int | None, ...] = ()
    """For each seat what its bank had left when the open question began, in ms: None if that never changed. Empty if no
    bank has, and on a clock without banks."""

    @property
    def is_practice(self) -> bool:
        """Whether one person plays it alone, with a deal of its own."""
        return self.alone and self.day is None

    @property
    def everywhere(self) -> bool:
        """Whether people of all servers try its deal, until its day ends."""
        return self.shared and self.day is not None

    @property
    def moves_ratings(self) -> bool:
        """Whether its result may. Of a deal that others play too, somebody may have told all cards."""
        return self.rated and not self.shared


@dataclass(slots=True)
class Record:
    """One entry of a match's log, which nobody changes. Seq 0 is the deal, without an action; `actor` is the seat, None
    for the clock.

    `computer` is the level and version of the computer player that made the act; None for a person's and the clock's.
    `chain` is its value in the log's hash chain (`bot.store.verification`), which the store makes when it appends the
    record; it is empty before.

    It isn't frozen, because then it would take four times as long to make, and a start makes a million.
    """

    match_id: str
    seq: int
    interaction_id: int | None
    actor: int | None
    action: str | None
    events: str
    at: int
    chain: bytes = field(default=b"", compare=False)
    computer: str | None = None


@dataclass(frozen=True, slots=True)
class TimerRow:
    """A running deadline of a live match, as the window's `Timer` names it."""

    match_id: str
    name: str
    key: str
    deadline: int


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """What a start reads of a live match beside its row: its log, its timers, and the mark of its board."""

    records: tuple[Record, ...] = ()
    timers: tuple[TimerRow, ...] = ()
    board_mark: BoardMark | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended. `ranks[seat]` counts from 1; empty when called off. Only a `counted` one moves standings.

    `chain` is the last value of the log's hash chain, which the store adds when the match ends; it is empty before.
    `attendances` is what the store is to keep of its people; it is empty when the result is read. `unaware` are the
    seats whose players sat down some time before it began and never came (`bot.play.reliability`).
    """

    match_id: str
    kind: str
    ranks: tuple[int, ...]
    ended_at: int
    counted: bool
    chain: bytes = field(default=b"", compare=False)
    attendances: tuple[Attendance, ...] = field(default=(), compare=False)
    unaware: tuple[int, ...] = field(default=(), compare=False)


_log = logging.getLogger(__name__)
OF_INTERACTION = (
    "SELECT match_id FROM records WHERE interaction_id = :id"
    " UNION ALL SELECT match_id FROM results WHERE interaction_id = :id"
)
_ELSEWHERE: Final = frozenset(
    {"seats", "agreed", "newcomers", "reads_until", "away_until", "bank_left", "salts", "unrated", "origin", "series"}
)
"""The fields of a match that are in other tables, or in several columns."""
_FLAGS: Final = ("alone", "on_board", "shared", "rated", "reserved")
COLUMNS: Final = tuple([name for name in sql.columns_of(MatchRow) if name not in _ELSEWHERE])
_ALL: Final = (*COLUMNS, "unrated_seat", "unrated_why", *ORIGIN, *SERIES)
_MATCH = f"""
    SELECT {", ".join(_ALL)},
           (SELECT json_group_array(user_id)
            FROM (SELECT user_id FROM seats WHERE match_id = matches.id ORDER BY seat) AS seated),
           (SELECT json_group_array(seat)
            FROM (SELECT seat FROM seats WHERE match_id = matches.id AND agreed = 1 ORDER BY seat) AS agreeing),
           (SELECT json_group_array(seat)
            FROM (SELECT seat FROM seats WHERE match_id = matches.id AND newcomer = 1 ORDER BY seat) AS new),
           (SELECT json_group_array(reads_until)
            FROM (SELECT reads_until FROM seats WHERE match_id = matches.id AND newcomer = 1 ORDER BY seat) AS reading),
           (SELECT json_group_array(away_until)
            FROM (SELECT away_until FROM seats WHERE match_id = matches.id ORDER BY seat) AS being_away),
           (SELECT json_group_array(bank_left)
            FROM (SELECT bank_left FROM seats WHERE match_id = matches.id ORDER BY seat) AS banked),
           (SELECT json_group_array(coalesce(hex(salt_digest), ''))
            FROM (SELECT salt_digest FROM seats WHERE match_id = matches.id ORDER BY seat) AS digests),
           (SELECT json_group_array(salt)
            FROM (SELECT salt FROM seats WHERE match_id = matches.id ORDER BY seat) AS texts)
    FROM matches
"""
RECORD: Final = sql.columns_of(Record)
_RECORD = f"SELECT {', '.join(RECORD)} FROM records"
_MARK = "SELECT id, board_mark_acts, board_mark FROM matches"
TIMER: Final = sql.columns_of(TimerRow)
_TIMER = f"SELECT {', '.join(TIMER)} FROM timers"


def match_of_interaction(db: sql.Connection, interaction_id: int) -> str | None:
    """The id of the match that an interaction was applied to; None for an unknown interaction."""
    row = db.execute(OF_INTERACTION, {"id": interaction_id}).fetchone()
    return None if row is None else row[0]


def find(db: sql.Connection, match_id: str) -> MatchRow | None:
    """A match, live or finished; None for an unknown id."""
    row = db.execute(f"{_MATCH} WHERE id = ?", (match_id,)).fetchone()
    return None if row is None else _match(row)


def oldest_first(found: list[MatchRow]) -> list[MatchRow]:
    """Matches in the order in which they were opened."""
    return sorted(found, key=lambda row: (row.opened_at, row.id))


def of_user(db: sql.Connection, after: str, guild_id: int, user_id: int) -> sql.Page[MatchRow, str]:
    """All matches of a person in a server, live and finished: a page of them, by their ids."""
    theirs = db.execute(
        "SELECT DISTINCT match_id FROM seats WHERE user_id = ? AND guild_id = ? AND match_id > ?"
        " ORDER BY match_id LIMIT ?",
        (user_id, guild_id, after, sql.FEW),
    )
    ids = [match_id for (match_id,) in theirs]
    return of_ids(db, ids), sql.following(ids, sql.FEW)


def live_of_user(db: sql.Connection, after: tuple[int, str], user_id: int) -> sql.Page[MatchRow, tuple[int, str]]:
    """The matches without a result that a person plays, in all servers, of any range: a page of them, which looks
    through the next of their seats by server and match id."""
    passed = db.execute(
        "SELECT guild_id, match_id, result_number FROM seats WHERE user_id = ? AND (guild_id, match_id) > (?, ?)"
        " ORDER BY guild_id, match_id LIMIT ?",
        (user_id, *after, sql.MANY),
    ).fetchall()
    found = of_ids(db, [match_id for _, match_id, number in passed if number is None])
    return found, sql.following([(guild_id, match_id) for guild_id, match_id, _ in passed], sql.MANY)


def of_ids(db: sql.Connection, ids: Sequence[str]) -> list[MatchRow]:
    """The matches with these ids, in any order."""
    these, wanted = sql.among(ids)
    return [_match(row) for row in db.execute(f"{_MATCH} WHERE id IN {these}", wanted)]


def of_deal(db: sql.Connection, after: int, guild_id: int, deal_id: str) -> sql.Page[MatchRow, int]:
    """All matches of a server that were dealt from a deal, live and finished: a page of them, by their row
    ids."""
    found = db.execute(
        "SELECT rowid, id FROM matches WHERE guild_id = ? AND deal_id = ? AND deal_id <> '' AND rowid > ?"
        " ORDER BY rowid LIMIT ?",
        (guild_id, deal_id, after, sql.FEW),
    ).fetchall()
    return of_ids(db, [match_id for _, match_id in found]), sql.following([rowid for rowid, _ in found], sql.FEW)


def of_series(db: sql.Connection, series_id: str, number: int) -> str | None:
    """The id of the match that has this number in a series; None if it was not begun yet."""
    found = db.execute("SELECT id FROM matches WHERE series_id = ? AND series_number = ?", (series_id, number))
    row = found.fetchone()
    return None if row is None else row[0]


async def latest_finished(
    database: sql.Database, guild_id: int, user_id: int, most: int, channel_id: int | None = None
) -> list[MatchRow]:
    """The finished matches of a person in a server, or in one channel: at most `most`, the last to end first."""
    return await database.read_first(
        lambda db, before, wanted: _finished_before(
            db, guild_id, user_id, wanted, channel_id=channel_id, before=before
        ),
        sql.NEWEST,
        most,
    )


def _finished_before(
    db: sql.Connection, guild_id: int, user_id: int, most: int, *, channel_id: int | None, before: int
) -> sql.Page[MatchRow, int]:
    """The finished matches among the next ones before a result's number."""
    passed = db.execute(
        "SELECT match_id, result_number, (SELECT channel_id FROM matches WHERE id = match_id) FROM seats"
        " WHERE user_id = ? AND guild_id = ? AND result_number < ? ORDER BY result_number DESC LIMIT ?",
        (user_id, guild_id, before, sql.MANY),
    ).fetchall()
    ids = [match_id for match_id, _, channel in passed if channel_id in (None, channel)][:most]
    found = {row.id: row for row in of_ids(db, ids)}
    return [found[match_id] for match_id in ids], sql.following([number for _, number, _ in passed], sql.MANY)


def live(db: sql.Connection, serves: ShardRange) -> list[MatchRow]:
    """All matches of a range without a result, the oldest first."""
    rows = db.execute(f"{_MATCH} WHERE live = 1{sql.and_served_by(serves)} ORDER BY opened_at, id")
    return [_match(row) for row in rows]


def all_by_id(db: sql.Connection) -> Iterator[MatchRow]:
    """All matches, live and finished, one after the other. It reads some hundred at once, because a connection to
    PostgreSQL holds all rows of a statement in memory."""
    after: str | None = ""
    while after is not None:
        rows = db.execute(f"{_MATCH} WHERE id > ? ORDER BY id LIMIT ?", (after, sql.MANY)).fetchall()
        yield from map(_match, rows)
        after = sql.following([row[0] for row in rows], sql.MANY)


def ended_since(db: sql.Connection, serves: ShardRange, moment: int) -> list[MatchRow]:
    """The matches of a range that ended at or after a moment (ms UTC), the oldest first. It is asked once a start, so
    PostgreSQL plans it for this moment, and finds the few results by their index."""
    ended = f"(SELECT match_id FROM results WHERE ended_at >= ?{sql.and_served_by(serves)})"
    return [_match(row) for row in db.execute(f"{_MATCH} WHERE id IN {ended} ORDER BY opened_at, id", (moment,))]


def result(db: sql.Connection, match_id: str) -> Result | None:
    """How a match ended; None while it is live, and for an unknown id."""
    row = db.execute("SELECT kind, ended_at, counted, chain FROM results WHERE match_id = ?", (match_id,)).fetchone()
    if row is None:
        return None
    kind, ended_at, counted, chain = row
    seats = db.execute("SELECT rank, unaware FROM seats WHERE match_id = ? ORDER BY seat", (match_id,)).fetchall()
    ranks = tuple([rank for rank, _ in seats if rank is not None])
    unaware = tuple([seat for seat, (_, unaware) in enumerate(seats) if unaware])
    return Result(match_id, kind, ranks, ended_at, bool(counted), chain, unaware=unaware)


def records(db: sql.Connection, match_id: str, first: int = 0) -> list[Record]:
    """A match's log from this seq on, in the order of seq; empty for an unknown id, and for a packed log that is
    damaged: `verify` finds that an empty log was altered."""
    rows = db.execute(f"{_RECORD} WHERE match_id = ? AND seq >= ? ORDER BY seq", (match_id, first)).fetchall()
    if rows:
        return [Record(*row) for row in rows]
    packed = db.execute("SELECT log FROM packed_logs WHERE match_id = ?", (match_id,)).fetchone()
    log = [] if packed is None else unpacked(match_id, packed[0])
    return log[first:] if first else log


def unpacked(match_id: str, log: bytes) -> list[Record]:
    """The records of a packed log, chained again; none of a damaged one."""
    found = verification.ChainedAgain[Record]()
    try:
        entries = unpack(log)
    except DamagedLog:
        return found
    chain = verification.first_link(match_id)
    for seq, (actor, action, events, at, computer) in enumerate(entries):
        chain = verification.link_of_values(chain, seq, actor, action, events, at, computer)
        found.append(Record(match_id, seq, None, actor, action, events, at, chain, computer))
    return found


def _logs(db: sql.Connection, match_ids: Sequence[str]) -> dict[str, list[Record]]:
    """The logs of these matches."""
    these, wanted = sql.among(match_ids)
    rows = sql.fetch_texts(db, f"{_RECORD} WHERE match_id IN {these} ORDER BY match_id, seq", wanted)
    return {key: list(itertools.starmap(Record, log)) for key, log in itertools.groupby(rows, itemgetter(0))}


def saved(db: sql.Connection, match_ids: Sequence[str]) -> dict[str, SavedMatch]:
    """What a start reads of these live matches, all of one moment, by match id; empty for an unknown id."""
    these, wanted = sql.among(match_ids)
    running: dict[str, list[TimerRow]] = {}
    for row in db.execute(f"{_TIMER} WHERE match_id IN {these} ORDER BY deadline, name, key", wanted):
        running.setdefault(row[0], []).append(TimerRow(*row))
    marks = db.execute(f"{_MARK} WHERE board_mark IS NOT NULL AND id IN {these}", wanted)
    shown = {match_id: BoardMark(acts, mark) for match_id, acts, mark in marks}
    found = _logs(db, match_ids)
    return {
        key: SavedMatch(tuple(found.get(key, ())), tuple(running.get(key, ())), shown.get(key)) for key in match_ids
    }


def timers(db: sql.Connection, match_id: str) -> list[TimerRow]:
    """The timers of a match, the nearest deadline first."""
    rows = db.execute(f"{_TIMER} WHERE match_id = ? ORDER BY deadline, name, key", (match_id,))
    return [TimerRow(*row) for row in rows]


def all_timers(db: sql.Connection, serves: ShardRange) -> list[TimerRow]:
    """The timers of all live matches of a range, the nearest deadline first. No other match has any."""
    rows = db.execute(f"{_TIMER}{sql.where_served_by(serves)} ORDER BY deadline, match_id, name, key")
    return [TimerRow(*row) for row in rows]


def _salts(digests: str, texts: str) -> tuple[Salt, ...]:
    each = zip(json.loads(digests), json.loads(texts), strict=True)
    return tuple([_salt(bytes.fromhex(digest), text) for digest, text in each])


def _salt(digest: bytes, text: str | None) -> Salt:
    digest = digest or UNSALTED.digest
    return UNSALTED if digest == UNSALTED.digest and text == UNSALTED.text else Salt(digest, text)


def written_digest(salt: Salt) -> bytes | None:
    """What is stored of a salt's digest: nothing of that of no salt, which most seats have."""
    return None if salt.digest == UNSALTED.digest else salt.digest


def _match(row: tuple[Any, ...]) -> MatchRow:
    *plain, seats, agreed, newcomers, reads_until, away_until, banks, digests, texts = row
    columns = dict(zip(_ALL, plain, strict=True))
    for name in ("options", "sealed_options"):
        columns[name] = sys.intern(columns[name])  # thousands of matches have the same
    why, seat, unable = columns["suspended_why"], columns.pop("unrated_seat"), columns.pop("unrated_why")
    columns["suspended_why"] = None if why is None else Suspension(why)
    columns["lost_places"] = _read_losses(columns["id"], columns["lost_places"])
    columns["stand_in"] = StandIn(columns["stand_in"])
    columns |= {name: bool(columns[name]) for name in _FLAGS}
    return MatchRow(
        origin=read_origin(*map(columns.pop, ORIGIN)),
        series=read_series(*map(columns.pop, SERIES)),
        unrated=None if unable is None else Unrated(seat, Obstacle(unable)),
        seats=tuple(json.loads(seats)),
        agreed=tuple(json.loads(agreed)),
        newcomers=tuple(json.loads(newcomers)),
        reads_until=tuple(json.loads(reads_until)),
        away_until=_unless_empty(json.loads(away_until)),
        bank_left=_unless_empty(json.loads(banks)),
        salts=_salts(digests, texts),
        **columns,
    )


def _unless_empty(each: list[int | None]) -> tuple[int | None, ...]:
    return () if all(one is None for one in each) else tuple(each)


def written_losses(lost: LostVenues) -> str | None:
    if lost == LostVenues():
        return None
    left = [[each.name, each.key, each.left] for each in lost.left]
    return json.dumps({"window": lost.window, "causes": lost.causes, "left": left})


def _read_losses(match_id: str, text: str | None) -> LostVenues:
    """What was written; nothing where it was altered and can't be read, because a few clocks must not stop a start."""
    if text is None:
        return LostVenues()
    try:
        found = json.loads(text)
        causes = tuple(Suspension(cause) for cause in found["causes"])
        left = tuple(TimeLeft(str(name), str(key), int(left)) for name, key, left in found["left"])
        return LostVenues(int(found["window"]), causes, left)
    except (KeyError, TypeError, ValueError, RecursionError):
        _log.error("match %s: what was left of its clocks was altered, and is not used", match_id)
        return LostVenues()
