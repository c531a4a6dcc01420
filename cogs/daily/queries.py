"""What is kept of deals of the day: the deals, attempts at them, and the messages about both.

Days are counted since 1970, in UTC.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import partial
from typing import Any

from bot.shard_range import ShardRange
from bot.store.binding import Part, listing, now, reading, serves, spanning, writing
from bot.store.queries import attempts
from bot.store.queries.attempts import Attempt, Opened, TriedDeal, oldest_first
from bot.store.queries.database import FEW, Connection, Database, Page, columns_of, following, inserting, replacing
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow, Record
from bot.store.queries.play import Begun


@dataclass(frozen=True, slots=True)
class DailyDeal(TriedDeal):
    """The deal of the day of a server and a game."""

    guild_id: int


@dataclass(frozen=True, slots=True)
class DailyAttempt(Attempt):
    """A person's one attempt at a deal of the day. `shown` says whether a message in the channel shows how it ended."""

    shown: bool


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
_ATTEMPT = attempts.selecting("daily_attempts", "shown")


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
    """Open the match by which a person tries a deal. Raises Conflict if they have tried it before."""
    attempts.open_match(db, at, Begun(asked, match, deal, ()), "daily_attempts")


def attempt(db: Connection, guild_id: int, game: str, day: int, user_id: int) -> DailyAttempt | None:
    """A person's attempt at a deal; None if they have not tried it."""
    where = "AND tried.guild_id = ? AND tried.game = ? AND tried.day = ? AND tried.user_id = ?"
    row = db.execute(f"{_ATTEMPT} {where}", (guild_id, game, day, user_id)).fetchone()
    return None if row is None else attempts.read(DailyAttempt, row)


def attempts_on(db: Connection, after: str, guild_id: int, day: int) -> Page[Opened[DailyAttempt], str]:
    """All attempts of a server on a day, in all games: a page of them, by their matches."""
    where = "AND tried.guild_id = ? AND tried.day = ? AND tried.match_id > ? ORDER BY tried.match_id LIMIT ?"
    found = [_opened(row) for row in db.execute(f"{_ATTEMPT} {where}", (guild_id, day, after, FEW))]
    return found, following([tried.match_id for _, tried in found], FEW)


def attempts_by(db: Connection, after: str, guild_id: int, user_id: int) -> Page[Opened[DailyAttempt], str]:
    """All attempts of a person in a server: a page of them, by their matches."""
    where = "AND tried.guild_id = ? AND tried.user_id = ? AND tried.match_id > ? ORDER BY tried.match_id LIMIT ?"
    found = [_opened(row) for row in db.execute(f"{_ATTEMPT} {where}", (guild_id, user_id, after, FEW))]
    return found, following([tried.match_id for _, tried in found], FEW)


async def unshown_attempts(database: Database, serves: ShardRange, since: int) -> list[DailyAttempt]:
    """The attempts of a range from this day on that are over, and whose end no message shows yet, the oldest first."""
    found = await database.read_all(_unshown, (since, ""))
    return oldest_first([each for each in found if serves.includes(each[1].guild_id)])


def _unshown(db: Connection, after: tuple[int, str]) -> Page[Opened[DailyAttempt], tuple[int, str]]:
    """A page of the attempts that are not shown yet, by day and match: those of them that are over."""
    where = "AND (tried.day, tried.match_id) > (?, ?) AND shown = 0 ORDER BY tried.day, tried.match_id LIMIT ?"
    found = [_opened(row) for row in db.execute(f"{_ATTEMPT} {where}", (*after, FEW))]
    over = [each for each in found if each[1].result is not None]
    return over, following([(tried.day, tried.match_id) for _, tried in found], FEW)


async def streak(database: Database, guild_id: int, game: str, user_id: int, day: int) -> int:
    """On how many days in a row, up to this one, a person has played the deal of a game to its end, without resigning.
    Who resigns alone has lost."""
    return len(await database.read_all(partial(_days_in_a_row, (guild_id, game, user_id)), day))


def _days_in_a_row(whose: tuple[int, str, int], db: Connection, day: int) -> Page[int, int]:
    """A page of these days, the latest first."""
    rows = db.execute(
        "SELECT tried.day FROM daily_attempts AS tried"
        " JOIN results ON results.match_id = tried.match_id"
        " JOIN seats ON seats.match_id = tried.match_id AND seats.user_id = tried.user_id"
        " WHERE tried.guild_id = ? AND tried.game = ? AND tried.user_id = ? AND tried.day <= ?"
        " AND seats.rank IS NOT NULL AND kind <> 'resignation' ORDER BY tried.day DESC LIMIT ?",
        (*whose, day, FEW),
    )
    found = [each for before, (each,) in enumerate(rows) if each == day - before]
    return found, day - FEW if len(found) == FEW else None


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


def _opened(row: tuple[Any, ...]) -> Opened[DailyAttempt]:
    return attempts.opened(DailyAttempt, row)


class DailyQueries(Part):
    """These queries, as methods."""

    seal = writing(seal)
    deal = reading(find)
    open_attempt = writing(open_attempt, now)
    attempt = reading(attempt)
    attempts_on = listing(attempts_on, "", oldest_first)
    attempts_by = listing(attempts_by, "", oldest_first)
    streak = spanning(streak)
    unshown_attempts = spanning(unshown_attempts, serves)
    note_shown = writing(note_shown)
    message = reading(message)
    put_message = writing(put_message)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """Which deals somebody has tried. Raises StoreError."""
        tried = await self.attempts_by(guild_id, user_id)
        told = [{"match": each.match_id, "game": each.game, "day": each.day, "shown": each.shown} for each in tried]
        return {"daily_attempts": told}
