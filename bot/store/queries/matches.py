"""Matches, their logs and timers, and how they end."""

from __future__ import annotations

import itertools
import json
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, Final

from bot.shard_range import ShardRange
from bot.store import log_chain
from bot.store.errors import Conflict, DuplicateInteraction, InvitationClosed
from bot.store.person_key import PersonKey
from bot.store.queries import deletions, drafts, invitations, people, standings
from bot.store.queries.boards import keeping as boards
from bot.store.queries.connection import FOR_UPDATE, Connection, Cursor, among, replaced
from bot.store.queries.database import Database
from bot.store.queries.paging import FEW, LEAST, MANY, NEWEST, Page, fetch_texts, following
from bot.store.queries.profiles import counted_results
from bot.store.queries.profiles.player_results import CountedResult
from bot.store.queries.servers import served
from bot.store.rows.invitations import StandIn
from bot.store.rows.matches import (
    UNSALTED,
    LostPlaces,
    MatchRow,
    Obstacle,
    Record,
    Result,
    Salt,
    SavedMatch,
    Suspension,
    TimeLeft,
    TimerRow,
    Unrated,
)
from bot.store.rows.screens import BoardMark, Notice
from bot.store.rows.standings import ResultEffects

_log = logging.getLogger(__name__)

NO_LOST_PLACES: Final = LostPlaces()

_LOCK_LIVE = f"SELECT guild_id, game FROM matches WHERE id = ? AND live = 1 {FOR_UPDATE}"
_OF_INTERACTION = (
    "SELECT match_id FROM records WHERE interaction_id = :id"
    " UNION ALL SELECT match_id FROM results WHERE interaction_id = :id"
)
_LAST_RECORD = "SELECT seq, chain FROM records WHERE match_id = ? ORDER BY seq DESC LIMIT 1"

# ---------------------------------------------------------------------------------------------- writing


def open_match(db: Connection, now: int, match: MatchRow, deal: Record, timers: Sequence[TimerRow]) -> None:
    """Turn the open invitation with the match's id into the match, with its deal (seq 0) and first timers.

    Raises Busy while data of the players are being deleted, else InvitationClosed, else DuplicateInteraction for an
    interaction that was applied before.
    """
    deletions.refuse(db, match.guild_id, match.seats)
    if match.series is not None and of_series(db, match.series.id, match.series.number) is not None:
        raise InvitationClosed("this match of the series was begun before")
    invitations.accept(db, now, match.id)
    _refuse_repeated(db.execute(_OF_INTERACTION, {"id": deal.interaction_id}))
    db.execute(
        "INSERT INTO matches (id, guild_id, channel_id, board_id, board_at, game, rules_version, options, clock, seed,"
        " commitment, opened_at, paused, deal_version, deal_id, sealed_options, stand_in, origin_id, origin_facts,"
        " origin_digest, day, series_id, series_best_of, series_number, series_first_wins, series_second_wins)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            match.id,
            match.guild_id,
            match.channel_id,
            match.board_id,
            match.board_at,
            match.game,
            match.rules_version,
            match.options,
            match.clock,
            match.seed,
            match.commitment,
            match.opened_at,
            match.paused,
            match.deal_version,
            match.deal_id,
            match.sealed_options,
            match.stand_in,
            *invitations.origin_columns(match.origin),
            match.day,
            *invitations.series_columns(match.series),
        ),
    )
    db.executemany(
        "INSERT INTO seats (match_id, seat, guild_id, user_id) VALUES (?, ?, ?, ?)",
        [(match.id, seat, match.guild_id, user_id) for seat, user_id in enumerate(match.seats)],
    )
    db.executemany(
        "UPDATE seats SET salt_digest = ?, salt = ? WHERE match_id = ? AND seat = ?",
        [(salt.digest, salt.text, match.id, seat) for seat, salt in enumerate(match.salts)],
    )
    _insert_record(db, match.guild_id, deal, log_chain.first_link(match.id))
    _insert_timers(db, match.guild_id, timers)


def append(  # noqa: PLR0917  a method of the store has neither the connection nor the key
    db: Connection,
    key: PersonKey,
    record: Record,
    timers: Sequence[TimerRow],
    result: Result | None = None,
    unrated: Unrated | None = None,
) -> ResultEffects | None:
    """Append the next record to a live match's log, and replace the match's timers by these.

    `unrated` records why the match will not count, unless a reason was recorded before.

    A result ends the match: its timers and selections are deleted, and if the result counts, the standings of all its
    players are updated. Returns what a counted result did, else None. Raises DuplicateInteraction for an interaction
    that was applied before, else Conflict when the match is not live or the record's seq is not the next.
    """
    # All three before any row is read: PostgreSQL gets them together.
    locked = db.execute(_LOCK_LIVE, (record.match_id,))
    applied = db.execute(_OF_INTERACTION, {"id": record.interaction_id})
    latest = db.execute(_LAST_RECORD, (record.match_id,))
    _refuse_repeated(applied)
    guild_id, game = _refuse_ended(locked.fetchone())
    last, chain = latest.fetchone()
    if record.seq != last + 1:
        raise Conflict("another record is next")
    _insert_record(db, guild_id, record, chain)
    db.execute("DELETE FROM timers WHERE match_id = ?", (record.match_id,))
    if unrated is not None:
        db.execute(
            "UPDATE matches SET unrated_seat = ?, unrated_why = ? WHERE id = ? AND unrated_why IS NULL",
            (unrated.seat, unrated.why, record.match_id),
        )
    if result is not None:
        return _finish(db, guild_id, game, result, None, key=key)
    _insert_timers(db, guild_id, timers)
    return None


def set_timers(db: Connection, match_id: str, timers: Sequence[TimerRow]) -> None:
    """Replace the timers of a live match by these, without a record. Raises Conflict when it is not live."""
    guild_id, _ = _refuse_ended(_lock_live(db, match_id))
    db.execute("DELETE FROM timers WHERE match_id = ?", (match_id,))
    _insert_timers(db, guild_id, timers)


def end(db: Connection, key: PersonKey, result: Result, interaction_id: int | None) -> None:
    """End a live match without a record: it was called off. Raises what `append` raises."""
    live = _lock_live(db, result.match_id)
    _refuse_repeated(db.execute(_OF_INTERACTION, {"id": interaction_id}))
    guild_id, game = _refuse_ended(live)
    db.execute("DELETE FROM timers WHERE match_id = ?", (result.match_id,))
    _finish(db, guild_id, game, result, interaction_id, key=key)


def set_board(db: Connection, match_id: str, channel_id: int, message_id: int | None, at: int | None) -> None:
    """Record which message is the match's board and when it was posted (ms UTC); None where there is no board."""
    db.execute(
        "UPDATE matches SET channel_id = ?, board_id = ?, board_at = ?, board_mark = NULL, board_mark_acts = NULL"
        " WHERE id = ?",
        (channel_id, message_id, at, match_id),
    )


def set_paused(db: Connection, match_id: str, error: int | None) -> None:
    """Record the number of the error that paused a match; None when the match runs again."""
    db.execute("UPDATE matches SET paused = ? WHERE id = ?", (error, match_id))


def suspend(db: Connection, match_id: str, at: int, why: Suspension, lost: LostPlaces = NO_LOST_PLACES) -> None:
    """Suspend a live match and delete its timers. One that is suspended keeps its moment and gets the new reason.

    `lost` replaces what was recorded of its lost places.

    Raises Conflict when the match is not live.
    """
    done = db.execute(
        """
        UPDATE matches SET suspended_at = coalesce(suspended_at, ?), suspended_why = ?, lost_places = ?,
            suspended_observed =
            CASE WHEN suspended_at IS NULL THEN coalesce((SELECT observed FROM looks), 0) ELSE suspended_observed END
        WHERE id = ? AND live = 1
        """,
        (at, why, _written_losses(lost), match_id),
    )
    if done.rowcount != 1:
        raise Conflict("the match is not live")
    db.execute("DELETE FROM timers WHERE match_id = ?", (match_id,))


def resume(db: Connection, match_id: str, channel_id: int, timers: Sequence[TimerRow]) -> None:
    """Resume a suspended match in a channel, without a board yet, with exactly these timers.

    Raises Conflict when it is not live or not suspended.
    """
    guild = db.execute(
        "UPDATE matches SET suspended_at = NULL, suspended_why = NULL, channel_id = ?, board_id = NULL, board_at = NULL"
        ", board_mark = NULL, board_mark_acts = NULL"
        " WHERE id = ? AND live = 1 AND suspended_at IS NOT NULL RETURNING guild_id",
        (channel_id, match_id),
    ).fetchone()
    if guild is None:
        raise Conflict("the match is not suspended")
    db.execute("DELETE FROM timers WHERE match_id = ?", (match_id,))
    _insert_timers(db, guild[0], timers)


def agree_to_call_off(db: Connection, match_id: str, seat: int) -> None:
    """Record that a seat would like to call the match off."""
    db.execute("UPDATE seats SET agreed = 1 WHERE match_id = ? AND seat = ?", (match_id, seat))


def _lock_live(db: Connection, match_id: str) -> tuple[int, str] | None:
    """The server and the game of a live match. What follows sees all that any process has done in it."""
    row: tuple[int, str] | None = db.execute(_LOCK_LIVE, (match_id,)).fetchone()
    return row


def _refuse_ended(live: tuple[int, str] | None) -> tuple[int, str]:
    """Raise Conflict unless there is a live match."""
    if live is None:
        raise Conflict("the match is not live")
    return live


def _refuse_repeated(applied: Cursor) -> None:
    """Raise DuplicateInteraction if there is a match that an interaction was applied to. None is that of no match."""
    if applied.fetchone() is not None:
        raise DuplicateInteraction("this interaction was applied before")


def _insert_record(db: Connection, guild_id: int, record: Record, before: bytes) -> None:
    """Insert a record, chained to the value of the one before it."""
    db.execute(
        "INSERT INTO records (match_id, seq, guild_id, interaction_id, actor, action, events, at, chain,"
        " computer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            record.match_id,
            record.seq,
            guild_id,
            record.interaction_id,
            record.actor,
            record.action,
            record.events,
            record.at,
            log_chain.link_of(before, record),
            record.computer,
        ),
    )


def _insert_timers(db: Connection, guild_id: int, timers: Sequence[TimerRow]) -> None:
    db.executemany(
        "INSERT INTO timers (match_id, name, key, guild_id, deadline) VALUES (?, ?, ?, ?, ?)",
        [(timer.match_id, timer.name, timer.key, guild_id, timer.deadline) for timer in timers],
    )


def _finish(
    db: Connection, guild_id: int, game: str, result: Result, interaction_id: int | None, *, key: PersonKey
) -> ResultEffects | None:
    _, chain = db.execute(_LAST_RECORD, (result.match_id,)).fetchone()
    db.execute(
        "UPDATE matches SET live = 0, suspended_at = NULL, suspended_why = NULL, board_mark = NULL,"
        " board_mark_acts = NULL WHERE id = ?",
        (result.match_id,),
    )
    (number,) = db.execute(
        "INSERT INTO results (match_id, guild_id, game, interaction_id, kind, ended_at, counted, chain)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
        (result.match_id, guild_id, game, interaction_id, result.kind, result.ended_at, result.counted, chain),
    ).fetchone()
    db.executemany(
        "UPDATE seats SET rank = ? WHERE match_id = ? AND seat = ?",
        [(rank, result.match_id, seat) for seat, rank in enumerate(result.ranks)],
    )
    db.execute("UPDATE seats SET result_number = ? WHERE match_id = ?", (number, result.match_id))
    drafts.delete_all(db, result.match_id)
    seated = db.execute("SELECT user_id FROM seats WHERE match_id = ? ORDER BY seat", (result.match_id,))
    users = [user_id for (user_id,) in seated]
    people.add_attendances(db, guild_id, users, result.attendances)
    if not result.counted:
        return None
    ratings = standings.apply(
        db, guild_id, game, users, result.ranks, match_id=result.match_id, ended_at=result.ended_at, key=key
    )
    ranks = dict(zip(users, result.ranks, strict=True))
    counted_results.add(db, CountedResult(guild_id, number, game, ranks))
    boards.apply(db, guild_id, game, result, dict(zip(users, ratings, strict=True)))
    head_to_head = standings.head_to_head(db, guild_id, game, (users[0], users[1])) if len(users) == 2 else None
    return ResultEffects(ratings, head_to_head)


# ---------------------------------------------------------------------------------------------- reading

_MATCH = """
    SELECT id, guild_id, channel_id, board_id, board_at, game, rules_version, options, clock,
           (SELECT json_group_array(user_id)
            FROM (SELECT user_id FROM seats WHERE match_id = matches.id ORDER BY seat) AS seated),
           seed, commitment, opened_at, paused,
           (SELECT json_group_array(seat)
            FROM (SELECT seat FROM seats WHERE match_id = matches.id AND agreed = 1 ORDER BY seat) AS agreeing),
           suspended_at, suspended_why, lost_places, unrated_seat, unrated_why,
           deal_version, deal_id, sealed_options,
           (SELECT json_group_array(hex(salt_digest))
            FROM (SELECT salt_digest FROM seats WHERE match_id = matches.id ORDER BY seat) AS digests),
           (SELECT json_group_array(salt)
            FROM (SELECT salt FROM seats WHERE match_id = matches.id ORDER BY seat) AS texts),
           stand_in, origin_id, origin_facts, origin_digest, day,
           series_id, series_best_of, series_number, series_first_wins, series_second_wins
    FROM matches
"""
_OPTIONS = 7
_ARRAYS = (9, 14)
_WHY = 16
_SERIES = 5
"""The last columns of `_MATCH`."""
_RECORD = "SELECT match_id, seq, interaction_id, actor, action, events, at, chain, computer FROM records"
_MARK = "SELECT id, board_mark_acts, board_mark FROM matches"
_TIMER = "SELECT match_id, name, key, deadline FROM timers"


def match_of_interaction(db: Connection, interaction_id: int) -> str | None:
    """The id of the match that an interaction was applied to; None for an unknown interaction."""
    row = db.execute(_OF_INTERACTION, {"id": interaction_id}).fetchone()
    return None if row is None else row[0]


def find(db: Connection, match_id: str) -> MatchRow | None:
    """A match, live or finished; None for an unknown id."""
    row = db.execute(f"{_MATCH} WHERE id = ?", (match_id,)).fetchone()
    return None if row is None else _match(row)


def oldest_first(found: list[MatchRow]) -> list[MatchRow]:
    """Matches in the order in which they were opened."""
    return sorted(found, key=lambda row: (row.opened_at, row.id))


def of_user(db: Connection, after: str, guild_id: int, user_id: int) -> Page[MatchRow, str]:
    """All matches of a person in a server, live and finished: a page of them, by their ids."""
    theirs = db.execute(
        "SELECT DISTINCT match_id FROM seats WHERE user_id = ? AND guild_id = ? AND match_id > ?"
        " ORDER BY match_id LIMIT ?",
        (user_id, guild_id, after, FEW),
    )
    ids = [match_id for (match_id,) in theirs]
    return _of_ids(db, ids), following(ids, FEW)


def live_of_user(db: Connection, after: tuple[int, str], user_id: int) -> Page[MatchRow, tuple[int, str]]:
    """The matches without a result that a person plays, in all servers, of any range: a page of them, which looks
    through the next of their seats by server and match id."""
    passed = db.execute(
        "SELECT guild_id, match_id, result_number FROM seats WHERE user_id = ? AND (guild_id, match_id) > (?, ?)"
        " ORDER BY guild_id, match_id LIMIT ?",
        (user_id, *after, MANY),
    ).fetchall()
    found = _of_ids(db, [match_id for _, match_id, number in passed if number is None])
    return found, following([(guild_id, match_id) for guild_id, match_id, _ in passed], MANY)


def of_deal(db: Connection, after: int, guild_id: int, deal_id: str) -> Page[MatchRow, int]:
    """All matches of a server that were dealt from a deal of version 2, live and finished: a page of them, by their row
    ids."""
    found = db.execute(
        "SELECT rowid, id FROM matches WHERE guild_id = ? AND deal_id = ? AND deal_id <> '' AND rowid > ?"
        " ORDER BY rowid LIMIT ?",
        (guild_id, deal_id, after, FEW),
    ).fetchall()
    return _of_ids(db, [match_id for _, match_id in found]), following([rowid for rowid, _ in found], FEW)


def _of_ids(db: Connection, ids: Sequence[str]) -> list[MatchRow]:
    these, wanted = among(ids)
    return [_match(row) for row in db.execute(f"{_MATCH} WHERE id IN {these}", wanted)]


def of_series(db: Connection, series_id: str, number: int) -> str | None:
    """The id of the match that has this number in a series; None if it was not begun yet."""
    found = db.execute("SELECT id FROM matches WHERE series_id = ? AND series_number = ?", (series_id, number))
    row = found.fetchone()
    return None if row is None else row[0]


async def latest_finished(
    database: Database, guild_id: int, user_id: int, most: int, channel_id: int | None = None
) -> list[MatchRow]:
    """The finished matches of a person in a server, or in one channel: at most `most`, the last to end first."""
    return await database.read_first(
        lambda db, before, wanted: _finished_before(
            db, guild_id, user_id, wanted, channel_id=channel_id, before=before
        ),
        NEWEST,
        most,
    )


def _finished_before(
    db: Connection, guild_id: int, user_id: int, most: int, *, channel_id: int | None, before: int
) -> Page[MatchRow, int]:
    """The finished matches among the next ones before a result's number."""
    passed = db.execute(
        "SELECT match_id, result_number, (SELECT channel_id FROM matches WHERE id = match_id) FROM seats"
        " WHERE user_id = ? AND guild_id = ? AND result_number < ? ORDER BY result_number DESC LIMIT ?",
        (user_id, guild_id, before, MANY),
    ).fetchall()
    ids = [match_id for match_id, _, channel in passed if channel_id in (None, channel)][:most]
    found = {row.id: row for row in _of_ids(db, ids)}
    return [found[match_id] for match_id in ids], following([number for _, number, _ in passed], MANY)


def live(db: Connection, serves: ShardRange) -> list[MatchRow]:
    """All matches of a range without a result, the oldest first."""
    rows = db.execute(f"{_MATCH} WHERE live = 1{served.only(serves)} ORDER BY opened_at, id")
    return [_match(row) for row in rows]


def all_by_id(db: Connection) -> Iterator[MatchRow]:
    """All matches, live and finished, one after the other."""
    return map(_match, db.execute(f"{_MATCH} ORDER BY id"))


def ended_since(db: Connection, serves: ShardRange, moment: int) -> list[MatchRow]:
    """The matches of a range that ended at or after a moment (ms UTC), the oldest first."""
    ended = f"(SELECT match_id FROM results WHERE ended_at >= ?{served.only(serves)})"
    return [_match(row) for row in db.execute(f"{_MATCH} WHERE id IN {ended} ORDER BY opened_at, id", (moment,))]


def result(db: Connection, match_id: str) -> Result | None:
    """How a match ended; None while it is live, and for an unknown id."""
    row = db.execute("SELECT kind, ended_at, counted, chain FROM results WHERE match_id = ?", (match_id,)).fetchone()
    if row is None:
        return None
    kind, ended_at, counted, chain = row
    ranks = db.execute("SELECT rank FROM seats WHERE match_id = ? AND rank IS NOT NULL ORDER BY seat", (match_id,))
    return Result(match_id, kind, tuple([rank for (rank,) in ranks]), ended_at, bool(counted), chain)


def records(db: Connection, match_id: str, first: int = 0) -> list[Record]:
    """A match's log from this seq on, in the order of seq; empty for an unknown id."""
    rows = db.execute(f"{_RECORD} WHERE match_id = ? AND seq >= ? ORDER BY seq", (match_id, first))
    return [Record(*row) for row in rows]


def _logs(db: Connection, match_ids: Sequence[str]) -> dict[str, list[Record]]:
    """The logs of these matches."""
    these, wanted = among(match_ids)
    rows = fetch_texts(db, f"{_RECORD} WHERE match_id IN {these} ORDER BY match_id, seq", wanted)
    return {key: list(itertools.starmap(Record, log)) for key, log in itertools.groupby(rows, itemgetter(0))}


def saved(db: Connection, match_ids: Sequence[str]) -> dict[str, SavedMatch]:
    """What a start reads of these live matches, all of one moment, by match id; empty for an unknown id."""
    these, wanted = among(match_ids)
    running: dict[str, list[TimerRow]] = {}
    for row in db.execute(f"{_TIMER} WHERE match_id IN {these} ORDER BY deadline, name, key", wanted):
        running.setdefault(row[0], []).append(TimerRow(*row))
    marks = db.execute(f"{_MARK} WHERE board_mark IS NOT NULL AND id IN {these}", wanted)
    shown = {match_id: BoardMark(acts, mark) for match_id, acts, mark in marks}
    found = _logs(db, match_ids)
    return {
        key: SavedMatch(tuple(found.get(key, ())), tuple(running.get(key, ())), shown.get(key)) for key in match_ids
    }


def timers(db: Connection, match_id: str) -> list[TimerRow]:
    """The timers of a match, the nearest deadline first."""
    rows = db.execute(f"{_TIMER} WHERE match_id = ? ORDER BY deadline, name, key", (match_id,))
    return [TimerRow(*row) for row in rows]


def all_timers(db: Connection, serves: ShardRange) -> list[TimerRow]:
    """The timers of all live matches of a range, the nearest deadline first. No other match has any."""
    rows = db.execute(f"{_TIMER}{served.where(serves)} ORDER BY deadline, match_id, name, key")
    return [TimerRow(*row) for row in rows]


def _salts(digests: str, texts: str) -> tuple[Salt, ...]:
    each = zip(json.loads(digests), json.loads(texts), strict=True)
    return tuple([_salt(bytes.fromhex(digest), text) for digest, text in each])


def _salt(digest: bytes, text: str | None) -> Salt:
    return UNSALTED if digest == UNSALTED.digest and text == UNSALTED.text else Salt(digest, text)


def _match(row: tuple[Any, ...]) -> MatchRow:
    (
        *fields,
        lost,
        seat,
        unable,
        deal_version,
        deal_id,
        sealed_options,
        salt_digests,
        salt_texts,
        stand_in,
        origin_id,
        facts,
        digest,
        day,
    ) = row[:-_SERIES]
    for place in _ARRAYS:
        fields[place] = tuple(json.loads(fields[place]))
    fields[_OPTIONS] = sys.intern(fields[_OPTIONS])  # thousands of matches have the same
    if fields[_WHY] is not None:
        fields[_WHY] = Suspension(fields[_WHY])
    unrated = None if unable is None else Unrated(seat, Obstacle(unable))
    return replace(
        MatchRow(*fields),
        lost_places=_read_losses(fields[0], lost),
        unrated=unrated,
        deal_version=deal_version,
        deal_id=deal_id,
        sealed_options=sys.intern(sealed_options),
        salts=_salts(salt_digests, salt_texts),
        stand_in=StandIn(stand_in),
        origin=invitations.read_origin(origin_id, facts, digest),
        day=day,
        series=invitations.read_series(*row[-_SERIES:]),
    )


def _written_losses(lost: LostPlaces) -> str | None:
    if lost == LostPlaces():
        return None
    left = [[each.name, each.key, each.left] for each in lost.left]
    return json.dumps({"window": lost.window, "causes": lost.causes, "left": left})


def _read_losses(match_id: str, text: str | None) -> LostPlaces:
    """What was written; nothing where it was altered and can't be read, because a few clocks must not stop a start."""
    if text is None:
        return LostPlaces()
    try:
        found = json.loads(text)
        causes = tuple(Suspension(cause) for cause in found["causes"])
        left = tuple(TimeLeft(str(name), str(key), int(left)) for name, key, left in found["left"])
        return LostPlaces(int(found["window"]), causes, left)
    except (KeyError, TypeError, ValueError, RecursionError):
        _log.error("match %s: what was left of its clocks was altered, and is not used", match_id)
        return LostPlaces()


# ---------------------------------------------------------------------------------------------- notices


def add_notice(db: Connection, notice: Notice) -> None:
    """Record a turn notice in place of the seat's former one. Raises Conflict for an unknown match."""
    done = db.execute(
        "INSERT INTO notices (match_id, seat, guild_id, user_id, channel_id, message_id, mark)"
        " SELECT id, ?, guild_id, ?, ?, ?, ? FROM matches WHERE id = ?"
        f" ON CONFLICT (match_id, seat) DO UPDATE SET {replaced('user_id', 'channel_id', 'message_id', 'mark')}",
        (notice.seat, notice.user_id, notice.channel_id, notice.message_id, notice.mark, notice.match_id),
    )
    if done.rowcount != 1:
        raise Conflict("there is no such match")


def mark_notice(db: Connection, notice: Notice) -> None:
    """Record the mark of a turn notice. Nothing is written if its message is no longer the seat's notice."""
    db.execute(
        "UPDATE notices SET mark = ? WHERE match_id = ? AND seat = ? AND message_id = ?",
        (notice.mark, notice.match_id, notice.seat, notice.message_id),
    )


def remove_notice(db: Connection, match_id: str, seat: int) -> None:
    """Delete a seat's turn notice; harmless when there is none."""
    db.execute("DELETE FROM notices WHERE match_id = ? AND seat = ?", (match_id, seat))


async def notices(database: Database, serves: ShardRange) -> list[Notice]:
    """All turn notices of a range, by match id and seat. A notice outlives its match until it is removed."""
    return await database.read_all(lambda db, after: _notices(db, serves, after), ("", LEAST))


def _notices(db: Connection, serves: ShardRange, after: tuple[str, int]) -> Page[Notice, tuple[str, int]]:
    rows = db.execute(
        "SELECT match_id, seat, user_id, channel_id, message_id, mark FROM notices"
        f" WHERE (match_id, seat) > (?, ?){served.only(serves)} ORDER BY match_id, seat LIMIT ?",
        (*after, MANY),
    )
    found = [Notice(*row) for row in rows]
    return found, following([(each.match_id, each.seat) for each in found], MANY)
