"""What is kept of deals of the day: the deals, attempts at them, and the messages about both.

Days are counted since 1970, in UTC.
"""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, field
from operator import itemgetter
from typing import Any, TypeAlias

from bot.shard_range import ShardRange
from bot.store.binding import Part, listing, now, reading, serves, spanning, writing
from bot.store.errors import Conflict
from bot.store.queries import invitations, play
from bot.store.queries.database import FEW, Connection, Database, Page, columns_of, following, inserting, replacing
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow, Record, Result


@dataclass(frozen=True, slots=True)
class DailyDeal:
    """The deal of the day of a server and a game. `day` counts the days since 1970, UTC.

    The computers in it play at `level`. `seed` is the `nth` of those derived from `root`; `program` is the name of what
    chose it, and `worth` what that took it for (`engines.players.deal_of_day`). All this is as secret as the seed until
    the day ends. The rest is as an `Invitation` has it; there are no salts.
    """

    guild_id: int
    game: str
    day: int
    level: str
    rules_version: int
    options: str
    deal_version: int
    deal_id: str
    sealed_options: str
    seed: bytes = field(repr=False)
    commitment: bytes
    sealed_at: int
    root: bytes = field(repr=False)
    nth: int = field(repr=False)
    worth: int = field(repr=False)
    program: str


@dataclass(frozen=True, slots=True)
class DailyAttempt:
    """A person's one attempt at a deal of the day. `acts` counts what they did themselves; `shown` says whether a
    message in the channel shows how it ended. `result` is None while it is being played."""

    match_id: str
    guild_id: int
    game: str
    day: int
    user_id: int
    channel_id: int
    shown: bool
    acts: int
    result: Result | None


@dataclass(frozen=True, slots=True)
class DailyMessage:
    """The message in a channel that says how people have done on a day. `message_id` is None while it is about to be
    posted, and `posted_at` is when it was, or is about to be (ms UTC)."""

    guild_id: int
    channel_id: int
    day: int
    message_id: int | None
    posted_at: int


_DEAL = columns_of(DailyDeal)
_MESSAGE = columns_of(DailyMessage)
_ATTEMPT = """
    SELECT tried.match_id, tried.guild_id, tried.game, tried.day, tried.user_id, matches.channel_id, tried.shown,
           (SELECT count(*) FROM records WHERE records.match_id = tried.match_id
            AND actor = (SELECT seat FROM seats WHERE seats.match_id = tried.match_id AND +user_id = tried.user_id)),
           (SELECT seat FROM seats WHERE seats.match_id = tried.match_id AND +user_id = tried.user_id),
           (SELECT acts FROM packed_logs WHERE packed_logs.match_id = tried.match_id),
           (SELECT json_group_array(rank) FROM (SELECT rank FROM seats WHERE seats.match_id = tried.match_id
            AND rank IS NOT NULL ORDER BY seat) AS ranks),
           kind, ended_at, counted, chain, opened_at
    FROM daily_attempts AS tried CROSS JOIN matches
    LEFT JOIN results ON results.match_id = tried.match_id
    WHERE matches.id = tried.match_id
"""
"""The plus sign keeps SQLite from reading all seats that the person ever had for each attempt."""
Opened: TypeAlias = tuple[tuple[int, str], DailyAttempt]
"""An attempt, behind when it was opened and its match: lists of attempts are in that order."""


def seal(db: Connection, deal: DailyDeal) -> DailyDeal:
    """Add the deal of a server, game and day, unless there is one. Returns the one that is there now."""
    db.execute(f"{inserting('daily_deals', *_DEAL)} ON CONFLICT DO NOTHING", astuple(deal))
    found = find(db, deal.guild_id, deal.game, deal.day)
    return deal if found is None else found


def find(db: Connection, guild_id: int, game: str, day: int) -> DailyDeal | None:
    """The deal of a server, game and day; None if nobody has asked for it."""
    deals = f"SELECT {', '.join(_DEAL)} FROM daily_deals"
    row = db.execute(f"{deals} WHERE guild_id = ? AND game = ? AND day = ?", (guild_id, game, day)).fetchone()
    return None if row is None else DailyDeal(*row)


def open_attempt(db: Connection, at: int, asked: Invitation, match: MatchRow, deal: Record) -> None:
    """Open the match by which a person tries the deal of `match.day`. It is stored with its invitation, which counts as
    accepted. The host of the invitation is the person.

    Raises Conflict if they have tried the deal before, or if the id was used.
    """
    if attempt(db, match.guild_id, match.game, match.day or 0, asked.host_id) is not None:
        raise Conflict("this deal was tried before")
    invitations.add(db, asked)
    play.open_match(db, at, match, deal, ())
    db.execute(
        inserting("daily_attempts", "match_id", "guild_id", "game", "day", "user_id"),
        (match.id, match.guild_id, match.game, match.day, asked.host_id),
    )


def attempt(db: Connection, guild_id: int, game: str, day: int, user_id: int) -> DailyAttempt | None:
    """A person's attempt at a deal; None if they have not tried it."""
    where = "AND tried.guild_id = ? AND tried.game = ? AND tried.day = ? AND tried.user_id = ?"
    row = db.execute(f"{_ATTEMPT} {where}", (guild_id, game, day, user_id)).fetchone()
    return None if row is None else _attempt(row)


def oldest_first(found: list[Opened]) -> list[DailyAttempt]:
    """Attempts in the order in which they were opened."""
    return [tried for _, tried in sorted(found, key=itemgetter(0))]


def attempts_on(db: Connection, after: str, guild_id: int, day: int) -> Page[Opened, str]:
    """All attempts of a server on a day, in all games: a page of them, by their matches."""
    where = "AND tried.guild_id = ? AND tried.day = ? AND tried.match_id > ? ORDER BY tried.match_id LIMIT ?"
    found = [_opened(row) for row in db.execute(f"{_ATTEMPT} {where}", (guild_id, day, after, FEW))]
    return found, following([tried.match_id for _, tried in found], FEW)


def attempts_by(db: Connection, after: str, guild_id: int, user_id: int) -> Page[Opened, str]:
    """All attempts of a person in a server: a page of them, by their matches."""
    where = "AND tried.guild_id = ? AND tried.user_id = ? AND tried.match_id > ? ORDER BY tried.match_id LIMIT ?"
    found = [_opened(row) for row in db.execute(f"{_ATTEMPT} {where}", (guild_id, user_id, after, FEW))]
    return found, following([tried.match_id for _, tried in found], FEW)


async def unshown_attempts(database: Database, serves: ShardRange, since: int) -> list[DailyAttempt]:
    """The attempts of a range from this day on that are over, and whose end no message shows yet, the oldest first."""
    found = await database.read_all(_unshown, (since, ""))
    return oldest_first([each for each in found if serves.includes(each[1].guild_id)])


def _unshown(db: Connection, after: tuple[int, str]) -> Page[Opened, tuple[int, str]]:
    """A page of the attempts that are not shown yet, by day and match: those of them that are over."""
    where = "AND (tried.day, tried.match_id) > (?, ?) AND shown = 0 ORDER BY tried.day, tried.match_id LIMIT ?"
    found = [_opened(row) for row in db.execute(f"{_ATTEMPT} {where}", (*after, FEW))]
    over = [each for each in found if each[1].result is not None]
    return over, following([(tried.day, tried.match_id) for _, tried in found], FEW)


def days_finished(db: Connection, guild_id: int, game: str, user_id: int) -> list[int]:
    """The days whose deal a person has played to its end, without resigning, the latest first. Who resigns alone has
    lost."""
    rows = db.execute(
        "SELECT tried.day FROM daily_attempts AS tried"
        " JOIN results ON results.match_id = tried.match_id"
        " JOIN seats ON seats.match_id = tried.match_id AND seats.user_id = tried.user_id"
        " WHERE tried.guild_id = ? AND tried.game = ? AND tried.user_id = ? AND seats.rank IS NOT NULL"
        " AND kind <> 'resignation' ORDER BY tried.day DESC",
        (guild_id, game, user_id),
    )
    return [day for (day,) in rows]


def note_shown(db: Connection, match_id: str) -> None:
    """Record that a message shows how an attempt ended."""
    db.execute("UPDATE daily_attempts SET shown = 1 WHERE match_id = ?", (match_id,))


def message(db: Connection, guild_id: int, channel_id: int, day: int) -> DailyMessage | None:
    """The message about a day in a channel; None if none was ever about to be posted."""
    messages = f"SELECT {', '.join(_MESSAGE)} FROM daily_messages"
    where = "WHERE guild_id = ? AND channel_id = ? AND day = ?"
    row = db.execute(f"{messages} {where}", (guild_id, channel_id, day)).fetchone()
    return None if row is None else DailyMessage(*row)


def put_message(db: Connection, message: DailyMessage) -> None:
    """Record the message about a day in a channel, in place of the former one."""
    db.execute(replacing("daily_messages", _MESSAGE[:3], *_MESSAGE[3:]), astuple(message))


def _opened(row: tuple[Any, ...]) -> Opened:
    tried = _attempt(row)
    return (row[-1], tried.match_id), tried


def _attempt(row: tuple[Any, ...]) -> DailyAttempt:
    match_id, guild_id, game, day, user_id, channel_id, shown, acts, seat, packed, *end = row[:-1]
    ranks, kind, ended_at, counted, chain = end
    if packed is not None:
        counts = json.loads(packed)
        acts = counts[seat] if seat < len(counts) else 0
    ended = None
    if kind is not None:
        ended = Result(match_id, kind, tuple(json.loads(ranks)), ended_at, bool(counted), chain)
    return DailyAttempt(match_id, guild_id, game, day, user_id, channel_id, bool(shown), acts, ended)


class DailyTables(Part):
    """These queries, as methods."""

    seal = writing(seal)
    deal = reading(find)
    open_attempt = writing(open_attempt, now)
    attempt = reading(attempt)
    attempts_on = listing(attempts_on, "", oldest_first)
    attempts_by = listing(attempts_by, "", oldest_first)
    days_finished = reading(days_finished)
    unshown_attempts = spanning(unshown_attempts, serves)
    note_shown = writing(note_shown)
    message = reading(message)
    put_message = writing(put_message)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """Which deals somebody has tried. Raises StoreError."""
        tried = await self.attempts_by(guild_id, user_id)
        told = [{"match": each.match_id, "game": each.game, "day": each.day, "shown": each.shown} for each in tried]
        return {"daily_attempts": told}
