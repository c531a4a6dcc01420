"""What is kept of deals of the week: the deals, attempts at them, and what servers are called.

The `day` of all of them is the last of their week, as a number since 1970, in UTC.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any, Final

from bot.play.server_settings import WEEKLY, WeeklyTable
from bot.scheduler import begins_at
from bot.store.binding import Part, listing, now, reading, writing
from bot.store.queries import attempts
from bot.store.queries.attempts import Attempt, Opened, TriedDeal, oldest_first
from bot.store.queries.database import FEW, Connection, Page, columns_of, following, inserting, replacing
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow, Record
from bot.store.queries.play import Begun

LEAST_RATED: Final = 10
"""How many rated matches, in all games and servers, somebody has ended before the week whose attempt counts."""
_DAYS_BEFORE: Final = 6
"""How many days before its last one a week begins."""


@dataclass(frozen=True, slots=True)
class WeeklyAttempt(Attempt):
    """A person's one attempt at a deal of the week. `counts` says whether it counts for the server."""

    counts: bool


_DEAL = columns_of(TriedDeal)
_ATTEMPT = attempts.selecting("weekly_attempts", "counts")
_IS_SHOWN: Final = "EXISTS (SELECT 1 FROM server_settings WHERE guild_id = {}.guild_id AND name = ? AND value = ?)"
_SHOWN: Final = (WEEKLY, WeeklyTable.SHOWN.value)


def seal(db: Connection, deal: TriedDeal) -> TriedDeal:
    """Add the deal of a game and week, unless there is one. Returns the one that is there now."""
    db.execute(f"{inserting('weekly_deals', *_DEAL)} ON CONFLICT DO NOTHING", astuple(deal))
    found = find(db, deal.game, deal.day)
    return deal if found is None else found


def find(db: Connection, game: str, day: int) -> TriedDeal | None:
    """The deal of a game and week; None if nobody has asked for it."""
    deals = f"SELECT {', '.join(_DEAL)} FROM weekly_deals"
    row = db.execute(f"{deals} WHERE game = ? AND day = ?", (game, day)).fetchone()
    return None if row is None else TriedDeal(*row)


def open_attempt(
    db: Connection, at: int, asked: Invitation, match: MatchRow, deal: Record, *, server_name: str
) -> None:
    """Open the match by which a person tries a deal, and note what their server is called. It counts if they had ended
    enough rated matches before the week. Raises Conflict if they have tried the deal before, in any server."""
    counts = int(_has_rated(db, asked.host_id, begins_at((match.day or 0) - _DAYS_BEFORE)))
    attempts.open_match(db, at, Begun(asked, match, deal, ()), "weekly_attempts", counts=counts)
    db.execute(replacing("weekly_servers", ("guild_id",), "name"), (match.guild_id, server_name))


def _has_rated(db: Connection, user_id: int, before: int) -> bool:
    """Whether somebody had ended enough rated matches before a moment (ms UTC)."""
    (found,) = db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM seats JOIN results ON results.match_id = seats.match_id"
        " WHERE seats.user_id = ? AND results.counted = 1 AND results.ended_at < ? LIMIT ?) AS rated",
        (user_id, before, LEAST_RATED),
    ).fetchone()
    return bool(found >= LEAST_RATED)


def attempt(db: Connection, game: str, day: int, user_id: int) -> WeeklyAttempt | None:
    """A person's attempt at a deal, in whichever server; None if they have not tried it."""
    where = "AND tried.game = ? AND tried.day = ? AND tried.user_id = ?"
    row = db.execute(f"{_ATTEMPT} {where}", (game, day, user_id)).fetchone()
    return None if row is None else attempts.read(WeeklyAttempt, row)


def is_played(db: Connection, game: str, day: int) -> bool:
    """Whether anybody, of whatever process, still plays a deal."""
    where = "game = ? AND day = ? AND NOT EXISTS (SELECT 1 FROM results WHERE results.match_id = tried.match_id)"
    row = db.execute(f"SELECT 1 FROM weekly_attempts AS tried WHERE {where} LIMIT 1", (game, day)).fetchone()
    return row is not None


def _page(db: Connection, after: str, where: str, *values: object) -> Page[Opened[WeeklyAttempt], str]:
    """A page of attempts, by their matches."""
    more = f"AND {where} AND tried.match_id > ? ORDER BY tried.match_id LIMIT ?"
    rows = db.execute(f"{_ATTEMPT} {more}", (*values, after, FEW))
    found = [attempts.opened(WeeklyAttempt, row) for row in rows]
    return found, following([tried.match_id for _, tried in found], FEW)


def attempts_in(db: Connection, after: str, game: str, day: int, guild_id: int) -> Page[Opened[WeeklyAttempt], str]:
    """The attempts at a deal in a server that count: a page of them."""
    where = "tried.game = ? AND tried.day = ? AND tried.guild_id = ? AND tried.counts = 1"
    return _page(db, after, where, game, day, guild_id)


def attempts_shown(db: Connection, after: str, game: str, day: int) -> Page[Opened[WeeklyAttempt], str]:
    """The attempts at a deal that count, in all servers that are in the table now: a page of them."""
    where = f"tried.game = ? AND tried.day = ? AND tried.counts = 1 AND {_IS_SHOWN.format('tried')}"
    return _page(db, after, where, game, day, *_SHOWN)


def attempts_by(db: Connection, after: str, guild_id: int, user_id: int) -> Page[Opened[WeeklyAttempt], str]:
    """A person's attempts in a server: a page of them."""
    return _page(db, after, "tried.guild_id = ? AND tried.user_id = ?", guild_id, user_id)


def server_names(db: Connection) -> dict[int, str]:
    """What the servers are called that are in the table now, as their owners wrote it."""
    where = _IS_SHOWN.format("called")
    rows = db.execute(f"SELECT guild_id, called.name FROM weekly_servers AS called WHERE {where}", _SHOWN)
    return dict(rows.fetchall())


class WeeklyTables(Part):
    """These queries, as methods."""

    seal = writing(seal)
    deal = reading(find)
    open_attempt = writing(open_attempt, now)
    attempt = reading(attempt)
    is_played = reading(is_played)
    attempts_in = listing(attempts_in, "", oldest_first)
    attempts_shown = listing(attempts_shown, "", oldest_first)
    attempts_by = listing(attempts_by, "", oldest_first)
    server_names = reading(server_names)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """Which deals somebody has tried. Raises StoreError."""
        tried = await self.attempts_by(guild_id, user_id)
        told = [{"match": each.match_id, "game": each.game, "day": each.day, "counts": each.counts} for each in tried]
        return {"weekly_attempts": told}
