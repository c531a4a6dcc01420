"""Packing the logs of finished matches (`bot.store.packed_log`): which is next, and its rows exchanged for one."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from bot.shard_range import ShardRange
from bot.store.errors import Conflict
from bot.store.packed_log import Entry, pack
from bot.store.queries import matches
from bot.store.queries.database import FOR_UPDATE, Connection, and_served_by, inserting
from bot.store.verification import first_altered


@dataclass(frozen=True, slots=True)
class UnpackedLog:
    """The log of a finished match, when that ended (ms UTC), and the last value of the chain as its result has it."""

    match_id: str
    ended_at: int
    records: tuple[matches.Record, ...]
    chain: bytes


@dataclass(frozen=True, slots=True)
class PackedLog:
    """A log in one row: of how many records it is, and how many acts were each seat's, from seat 0 on."""

    match_id: str
    records: int
    acts: tuple[int, ...]
    log: bytes


def next_unpacked(db: Connection, serves: ShardRange, after: tuple[int, str], until: int) -> UnpackedLog | None:
    """The match of a range whose log must be packed next, of those that ended until a moment (ms UTC). `after` is when
    the one before ended, and its id. None if there is no more."""
    row = db.execute(
        "SELECT match_id, ended_at, chain FROM results WHERE packed = 0 AND (ended_at, match_id) > (?, ?)"
        f" AND ended_at <= ?{and_served_by(serves)} ORDER BY ended_at, match_id LIMIT 1",
        (*after, until),
    ).fetchone()
    if row is None:
        return None
    match_id, ended_at, chain = row
    return UnpackedLog(match_id, ended_at, tuple(matches.records(db, match_id)), chain)


def packed(log: UnpackedLog) -> PackedLog | None:
    """A log as it is packed; None for one that isn't as it was saved, and which stays what it is."""
    if first_altered(log.match_id, log.records) is not None or log.records[-1].chain != log.chain:
        return None
    entries = [Entry(each.actor, each.action, each.events, each.at, each.computer) for each in log.records]
    try:
        bytes_of_log = pack(entries)
    except ValueError:
        return None
    acts = Counter(each.actor for each in log.records if each.actor is not None)
    return PackedLog(
        log.match_id, len(entries), tuple([acts[seat] for seat in range(max(acts, default=-1) + 1)]), bytes_of_log
    )


def put(db: Connection, log: PackedLog) -> None:
    """Exchange the records of a finished match for its packed log, and forget the interactions that were applied to it.

    Nothing is done if the match was deleted, or packed by another process. Raises Conflict if its log isn't the one
    that was packed, or is packed although its result says otherwise.
    """
    # The match is locked first, as where it is deleted.
    found = db.execute(f"SELECT guild_id FROM matches WHERE id = ? {FOR_UPDATE}", (log.match_id,)).fetchone()
    marked = db.execute(
        "UPDATE results SET packed = 1, interaction_id = NULL WHERE match_id = ? AND packed = 0", (log.match_id,)
    )
    if found is None or marked.rowcount != 1:
        return
    if db.execute("SELECT 1 FROM packed_logs WHERE match_id = ?", (log.match_id,)).fetchone():
        raise Conflict("the log is packed")
    db.execute(
        inserting("packed_logs", "match_id", "guild_id", "acts", "log"),
        (log.match_id, found[0], json.dumps(log.acts, separators=(",", ":")), log.log),
    )
    deleted = db.execute("DELETE FROM records WHERE match_id = ?", (log.match_id,))
    if deleted.rowcount != log.records:
        raise Conflict("the log is another one")
