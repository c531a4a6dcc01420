"""What is written as matches are played: how they are opened, appended to, suspended, and end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from types import MappingProxyType
from typing import Final

from bot.store import verification
from bot.store.errors import Conflict, DuplicateInteraction, InvitationClosed
from bot.store.person_key import PersonKey
from bot.store.queries import (
    attendances,
    begun_deletions,
    invitations,
    leaderboard_keeping,
    matches,
    profiles,
    resets,
    standings,
)
from bot.store.queries.database import FOR_UPDATE, Connection, Cursor, inserting
from bot.store.scoring import RatingChange

_RECORD_VALUES: Final = attrgetter(*matches.RECORD)  # every act writes these, and `astuple` copies each value
_TIMER_VALUES: Final = attrgetter(*matches.TIMER)
NO_LOST_VENUES: Final = matches.LostVenues()
_OPENED: Final = tuple(
    [name for name in matches.COLUMNS if name not in {"suspended_at", "suspended_why", "lost_places"}]
)
"""What is written of a match as it is opened: it is not suspended then."""
_LOCK_LIVE = f"SELECT guild_id, game FROM matches WHERE id = ? AND live = 1 {FOR_UPDATE}"
_LAST_RECORD = "SELECT seq, chain FROM records WHERE match_id = ? ORDER BY seq DESC LIMIT 1"


def newcomers(db: Connection, key: PersonKey, game: str, users: Collection[int], first: int) -> dict[int, bytes]:
    """Those of these people who have begun fewer than the `first` matches of a game, with the keyed hashes by which
    that is counted; nobody without a key."""
    hashes = {user: key.digest(0, user, create=True) for user in users}
    found = {user: digest for user, digest in hashes.items() if digest is not None}
    for user, digest in tuple(found.items()):
        row = db.execute("SELECT begun FROM first_matches WHERE person = ? AND game = ?", (digest, game)).fetchone()
        if (0 if row is None else row[0]) >= first:
            del found[user]
    return found


def open_match(
    db: Connection,
    now: int,
    match: matches.MatchRow,
    deal: matches.Record,
    timers: Sequence[matches.TimerRow],
    *,
    newcomers: Collection[bytes] = (),
) -> None:
    """Turn the open invitation with the match's id into the match, with its deal (seq 0) and first timers. It is one
    more of the first matches of its `newcomers`, given by their keyed hashes.

    Raises Busy while data of the players are being deleted, else InvitationClosed, else DuplicateInteraction for an
    interaction that was applied before.
    """
    begun_deletions.refuse(db, match.guild_id, match.seats)
    if match.series is not None and matches.of_series(db, match.series.id, match.series.number) is not None:
        raise InvitationClosed("this match of the series was begun before")
    invitations.accept(db, now, match.id)
    _refuse_repeated(db.execute(matches.OF_INTERACTION, {"id": deal.interaction_id}))
    db.execute(
        inserting("matches", *_OPENED, *invitations.ORIGIN, *invitations.SERIES),
        (
            *[getattr(match, name) for name in _OPENED],
            *invitations.origin_columns(match.origin),
            *invitations.series_columns(match.series),
        ),
    )
    db.executemany(
        inserting("seats", "match_id", "seat", "guild_id", "user_id", "private_replay"),
        [(match.id, seat, match.guild_id, user_id, match.is_practice) for seat, user_id in enumerate(match.seats)],
    )
    db.executemany(
        "UPDATE seats SET salt_digest = ?, salt = ? WHERE match_id = ? AND seat = ?",
        [(matches.written_digest(salt), salt.text, match.id, seat) for seat, salt in enumerate(match.salts)],
    )
    db.executemany(
        "UPDATE seats SET newcomer = 1 WHERE match_id = ? AND seat = ?", [(match.id, seat) for seat in match.newcomers]
    )
    db.executemany(
        "INSERT INTO first_matches (person, game, begun) VALUES (?, ?, 1)"
        " ON CONFLICT (person, game) DO UPDATE SET begun = first_matches.begun + 1",
        [(person, match.game) for person in newcomers],
    )
    _insert_record(db, match.guild_id, deal, verification.first_link(match.id))
    _insert_timers(db, match.guild_id, timers)


@dataclass(frozen=True, slots=True)
class Begun:
    """A match that begins by itself, as it is stored: with its invitation, which counts as accepted, its deal (seq 0)
    and first timers, and the keyed hashes of those of whose first matches it is one."""

    asked: invitations.Invitation
    match: matches.MatchRow
    deal: matches.Record
    timers: Sequence[matches.TimerRow]
    newcomers: Collection[bytes] = ()


def open_at_once(db: Connection, now: int, begun: Begun) -> None:
    """Store a match that begins by itself, as a part of what a room writes about it.

    Raises Conflict if its id was used, and Busy while data of a player are being deleted.
    """
    invitations.add(db, begun.asked)
    open_match(db, now, begun.match, begun.deal, begun.timers, newcomers=begun.newcomers)


def append(  # noqa: PLR0917  a method of the store has neither the connection nor the key
    db: Connection,
    key: PersonKey,
    record: matches.Record,
    timers: Sequence[matches.TimerRow],
    result: matches.Result | None = None,
    unrated: matches.Unrated | None = None,
    banks: Mapping[int, int] = MappingProxyType({}),
) -> standings.ResultEffects | None:
    """Append the next record to a live match's log, and replace the match's timers by these. `banks` is what seats have
    left from now on, in ms, of those whose time changed.

    `unrated` records why the match will not count, unless a reason was recorded before.

    A result ends the match: its timers and selections are deleted, and if the result counts, the standings of all its
    players are updated. Returns what a counted result did, else None. Raises DuplicateInteraction for an interaction
    that was applied before, else Conflict when the match is not live or the record's seq is not the next.
    """
    # All three before any row is read: PostgreSQL gets them together.
    locked = db.execute(_LOCK_LIVE, (record.match_id,))
    applied = db.execute(matches.OF_INTERACTION, {"id": record.interaction_id})
    latest = db.execute(_LAST_RECORD, (record.match_id,))
    _refuse_repeated(applied)
    guild_id, game = _refuse_ended(locked.fetchone())
    last, chain = latest.fetchone()
    if record.seq != last + 1:
        raise Conflict("another record is next")
    _insert_record(db, guild_id, record, chain)
    db.execute("DELETE FROM timers WHERE match_id = ?", (record.match_id,))
    for seat, left in banks.items():
        db.execute("UPDATE seats SET bank_left = ? WHERE match_id = ? AND seat = ?", (left, record.match_id, seat))
    if unrated is not None:
        db.execute(
            "UPDATE matches SET unrated_seat = ?, unrated_why = ? WHERE id = ? AND unrated_why IS NULL",
            (unrated.seat, unrated.why, record.match_id),
        )
    if result is not None:
        return _finish(db, guild_id, game, result, None, key=key)
    _insert_timers(db, guild_id, timers)
    return None


def set_timers(db: Connection, match_id: str, timers: Sequence[matches.TimerRow]) -> None:
    """Replace the timers of a live match by these, without a record. Raises Conflict when it is not live."""
    guild_id, _ = _refuse_ended(_lock_live(db, match_id))
    db.execute("DELETE FROM timers WHERE match_id = ?", (match_id,))
    _insert_timers(db, guild_id, timers)


def set_reading(db: Connection, match_id: str, seat: int, until: int, timers: Sequence[matches.TimerRow]) -> None:
    """Record until when the clock of a newcomer waits who reads, with the timers of the live match. Raises Conflict
    when it is not live."""
    set_timers(db, match_id, timers)
    db.execute("UPDATE seats SET reads_until = ? WHERE match_id = ? AND seat = ?", (until, match_id, seat))


def set_away(db: Connection, match_id: str, seat: int, until: int | None, timers: Sequence[matches.TimerRow]) -> None:
    """Record until when a seat's player is away, with the timers of the live match. Raises Conflict when it is not
    live."""
    set_timers(db, match_id, timers)
    db.execute("UPDATE seats SET away_until = ? WHERE match_id = ? AND seat = ?", (until, match_id, seat))


def set_rest(db: Connection, match_id: str, until: int | None, timers: Sequence[matches.TimerRow]) -> None:
    """Record until when the players have agreed to pause, with the timers of the live match. Raises Conflict when it is
    not live."""
    set_timers(db, match_id, timers)
    db.execute("UPDATE matches SET rests_until = ? WHERE id = ?", (until, match_id))


def end(db: Connection, key: PersonKey, result: matches.Result, interaction_id: int | None) -> None:
    """End a live match without a record: it was called off. Raises what `append` raises."""
    live = _lock_live(db, result.match_id)
    _refuse_repeated(db.execute(matches.OF_INTERACTION, {"id": interaction_id}))
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


def show(db: Connection, match_id: str, channel_id: int) -> None:
    """Record that a match which one person plays alone is shown on a board in a channel from now on, so that its replay
    is no longer private. Raises Conflict when it is not live, or not played alone."""
    done = db.execute(
        "UPDATE matches SET on_board = 1, channel_id = ? WHERE id = ? AND live = 1 AND alone = 1",
        (channel_id, match_id),
    )
    if done.rowcount != 1:
        raise Conflict("the match is not live, or not played alone")
    db.execute("UPDATE seats SET private_replay = 0 WHERE match_id = ?", (match_id,))


def set_paused(db: Connection, match_id: str, error: int | None) -> None:
    """Record the number of the error that paused a match; None when the match runs again."""
    db.execute("UPDATE matches SET paused = ? WHERE id = ?", (error, match_id))


def suspend(
    db: Connection, match_id: str, at: int, why: matches.Suspension, lost: matches.LostVenues = NO_LOST_VENUES
) -> None:
    """Suspend a live match and delete its timers. One that is suspended gets the new reason, and keeps its moment
    unless a moderator holds it from now on.

    `lost` replaces what was recorded of its lost venues.

    Raises Conflict when the match is not live.
    """
    moment = "coalesce(suspended_at, ?)"
    if why is matches.Suspension.MODERATED:
        moment = f"CASE WHEN suspended_why = '{why}' THEN suspended_at ELSE ? END"
    done = db.execute(
        f"""
        UPDATE matches SET suspended_at = {moment}, suspended_why = ?, lost_places = ?,
            suspended_observed =
            CASE WHEN suspended_at IS NULL THEN coalesce((SELECT observed FROM looks), 0) ELSE suspended_observed END
        WHERE id = ? AND live = 1
        """,
        (at, why, matches.written_losses(lost), match_id),
    )
    if done.rowcount != 1:
        raise Conflict("the match is not live")
    db.execute("DELETE FROM timers WHERE match_id = ?", (match_id,))


def resume(db: Connection, match_id: str, channel_id: int, timers: Sequence[matches.TimerRow]) -> None:
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


def release(db: Connection, match_id: str, timers: Sequence[matches.TimerRow], lost: matches.LostVenues) -> None:
    """Have a match go on that a moderator holds, where it was, with exactly these timers. `lost` replaces what was
    recorded of its lost venues.

    Raises Conflict when it is not live or not held.
    """
    guild = db.execute(
        "UPDATE matches SET suspended_at = NULL, suspended_why = NULL, lost_places = ?"
        " WHERE id = ? AND live = 1 AND suspended_why = ? RETURNING guild_id",
        (matches.written_losses(lost), match_id, matches.Suspension.MODERATED),
    ).fetchone()
    if guild is None:
        raise Conflict("the match is not held")
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


def _insert_record(db: Connection, guild_id: int, record: matches.Record, before: bytes) -> None:
    """Insert a record, chained to the value of the one before it."""
    chained = replace(record, chain=verification.link_of(before, record))
    db.execute(inserting("records", *matches.RECORD, "guild_id"), (*_RECORD_VALUES(chained), guild_id))


def _insert_timers(db: Connection, guild_id: int, timers: Sequence[matches.TimerRow]) -> None:
    db.executemany(
        inserting("timers", *matches.TIMER, "guild_id"), [(*_TIMER_VALUES(each), guild_id) for each in timers]
    )


def _finish(
    db: Connection, guild_id: int, game: str, result: matches.Result, interaction_id: int | None, *, key: PersonKey
) -> standings.ResultEffects | None:
    _, chain = db.execute(_LAST_RECORD, (result.match_id,)).fetchone()
    db.execute(
        "UPDATE matches SET live = 0, suspended_at = NULL, suspended_why = NULL, board_mark = NULL,"
        " board_mark_acts = NULL WHERE id = ?",
        (result.match_id,),
    )
    columns = ("match_id", "guild_id", "game", "interaction_id", "kind", "ended_at", "counted", "chain")
    (number,) = db.execute(
        f"{inserting('results', *columns)} RETURNING number",
        (result.match_id, guild_id, game, interaction_id, result.kind, result.ended_at, result.counted, chain),
    ).fetchone()
    db.executemany(
        "UPDATE seats SET rank = ?, unaware = ? WHERE match_id = ? AND seat = ?",
        [(rank, seat in result.unaware, result.match_id, seat) for seat, rank in enumerate(result.ranks)],
    )
    db.execute("UPDATE seats SET result_number = ? WHERE match_id = ?", (number, result.match_id))
    db.execute("DELETE FROM drafts WHERE match_id = ?", (result.match_id,))
    seated = db.execute("SELECT user_id FROM seats WHERE match_id = ? ORDER BY seat", (result.match_id,))
    users = [user_id for (user_id,) in seated]
    attendances.add(db, guild_id, users, result.attendances)
    if not result.counted:
        return None
    changes = () if resets.is_counting(db, guild_id) else count(db, key, guild_id, game, number, result, users)
    ranks = dict(zip(users, result.ranks, strict=True))
    profiles.add(db, profiles.CountedResult(guild_id, number, game, ranks))
    head_to_head = profiles.head_to_head(db, guild_id, game, (users[0], users[1])) if len(users) == 2 else None
    return standings.ResultEffects(changes, head_to_head)


def count(  # noqa: PLR0917  whatever counts a result knows all of this
    db: Connection, key: PersonKey, guild_id: int, game: str, number: int, result: matches.Result, users: Sequence[int]
) -> tuple[RatingChange, ...]:
    """Have a result count for the ratings of its players, by seat, and for leaderboards."""
    changes = standings.apply(
        db,
        guild_id,
        game,
        users,
        result.ranks,
        match_id=result.match_id,
        number=number,
        ended_at=result.ended_at,
        key=key,
    )
    leaderboard_keeping.apply(db, guild_id, game, result, dict(zip(users, changes, strict=True)))
    return changes
