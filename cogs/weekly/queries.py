"""What is kept of deals of the week: the deals, attempts at them, what servers have made of them, and their names.

The `day` of all of them is the last of their week, as a number since 1970, in UTC.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any, Final

from bot.play.server_settings import WEEKLY, WeeklyStandings
from bot.scheduler import begins_at
from bot.store.binding import Part, listing, now, reading, writing
from bot.store.queries import attempts
from bot.store.queries.attempts import Attempt, Opened, TriedDeal, oldest_first
from bot.store.queries.database import FEW, MANY, Connection, Page, columns_of, following, inserting, replacing
from bot.store.queries.invitations import Invitation
from bot.store.queries.matches import MatchRow, Record
from bot.store.queries.play import Begun
from bot.store.special_ids import is_direct
from cogs.weekly.deals import points_of

LEAST_RATED: Final = 10
"""How many rated matches, in all games and servers, somebody has ended before the week whose attempt counts."""
BEST: Final = 5
"""How many attempts make a server's score."""
_DAYS_BEFORE: Final = 6
"""How many days before its last one a week begins."""


@dataclass(frozen=True, slots=True)
class WeeklyAttempt(Attempt):
    """A person's one attempt at a deal of the week. `counts` says whether it counts for the server. `points` is what it
    was worth, None until that is written."""

    counts: bool
    points: int | None


@dataclass(frozen=True, slots=True)
class ServerStanding:
    """The place of a server in the standings. Those with equal scores share one. `name` is as its owner wrote it."""

    place: int
    guild_id: int
    score: int
    name: str


_DEAL = columns_of(TriedDeal)
_ATTEMPT = attempts.selecting("weekly_attempts", "counts", "points")
_IS_SHOWN: Final = "EXISTS (SELECT 1 FROM server_settings WHERE guild_id = {}.guild_id AND name = ? AND value = ?)"
_SHOWN: Final = (WEEKLY, WeeklyStandings.SHOWN.value)
_SCORES: Final = f"FROM weekly_scores AS scored WHERE game = ? AND day = ? AND {_IS_SHOWN.format('scored')}"
"""The scores at a deal of the servers that are in the standings now: behind game and day comes `_SHOWN`."""


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
    enough rated matches before the week, and never outside of servers. Raises Conflict if they have tried the deal
    before, wherever that was."""
    in_server = not is_direct(match.guild_id)
    counts = in_server and _has_rated(db, asked.host_id, begins_at((match.day or 0) - _DAYS_BEFORE))
    attempts.open_match(db, at, Begun(asked, match, deal, ()), "weekly_attempts", counts=int(counts))
    if in_server:
        db.execute(replacing("weekly_servers", ("guild_id",), "name"), (match.guild_id, server_name))


def _has_rated(db: Connection, user_id: int, before: int) -> bool:
    """Whether somebody had ended enough rated matches before a moment (ms UTC)."""
    (found,) = db.execute(
        "SELECT count(*) FROM (SELECT 1 FROM seats JOIN results ON results.number = seats.result_number"
        " WHERE seats.user_id = ? AND results.counted = 1 AND results.ended_at < ? LIMIT ?) AS rated",
        (user_id, before, LEAST_RATED),
    ).fetchone()
    return bool(found >= LEAST_RATED)


def attempt(db: Connection, game: str, day: int, user_id: int) -> WeeklyAttempt | None:
    """A person's attempt at a deal, in whichever server or chat; None if they have not tried it."""
    where = "AND tried.game = ? AND tried.day = ? AND tried.user_id = ?"
    row = db.execute(f"{_ATTEMPT} {where}", (game, day, user_id)).fetchone()
    return None if row is None else attempts.read(WeeklyAttempt, row)


def is_played(db: Connection, game: str, day: int) -> bool:
    """Whether anybody, of whatever process, still plays a deal."""
    where = "points IS NULL AND NOT EXISTS (SELECT 1 FROM results WHERE results.match_id = tried.match_id)"
    played = f"SELECT 1 FROM weekly_attempts AS tried WHERE game = ? AND day = ? AND {where} LIMIT 1"
    return db.execute(played, (game, day)).fetchone() is not None


def unscored(db: Connection, after: str, game: str, day: int) -> Page[str, str]:
    """The matches of attempts at a deal that are over, but whose points are not written: a page of them."""
    rows = db.execute(
        "SELECT match_id, EXISTS (SELECT 1 FROM results WHERE results.match_id = tried.match_id)"
        " FROM weekly_attempts AS tried WHERE game = ? AND day = ? AND points IS NULL AND match_id > ?"
        " ORDER BY match_id LIMIT ?",
        (game, day, after, MANY),
    ).fetchall()
    return [match_id for match_id, over in rows if over], following([match_id for match_id, _ in rows], MANY)


def score(db: Connection, match_id: str) -> None:
    """Write what an attempt was worth, and with it the score of its server if it counts. Nothing happens before its
    match is over, nor if that was done before."""
    row = db.execute(f"{_ATTEMPT} AND tried.match_id = ?", (match_id,)).fetchone()
    tried = None if row is None else attempts.read(WeeklyAttempt, row)
    if tried is None or tried.result is None or tried.points is not None:
        return
    writing_points = "UPDATE weekly_attempts SET points = ? WHERE match_id = ? AND points IS NULL RETURNING match_id"
    written = db.execute(writing_points, (points_of(tried), match_id)).fetchone()
    if written is not None and tried.counts:
        _score_server(db, tried.guild_id, tried.game, tried.day)


def _score_server(db: Connection, guild_id: int, game: str, day: int) -> None:
    """Write a server's score: the mean of its best attempts. Those that it lacks are worth 0. The row is there, and
    nobody else's to change, before they are read: another process may have written the points of one."""
    locked = "ON CONFLICT (guild_id, game, day) DO UPDATE SET score = weekly_scores.score"
    db.execute(f"{inserting('weekly_scores', 'guild_id', 'game', 'day', 'score')} {locked}", (guild_id, game, day, 0))
    points = sum(points for _, points in best_in(db, game, day, guild_id, BEST))
    db.execute(
        "UPDATE weekly_scores SET score = ? WHERE guild_id = ? AND game = ? AND day = ?",
        (points // BEST, guild_id, game, day),
    )


def best_in(db: Connection, game: str, day: int, guild_id: int, most: int) -> list[tuple[int, int]]:
    """Who has made the best attempts at a deal in a server, of those that count and have points, with these points."""
    return db.execute(
        "SELECT user_id, points FROM weekly_attempts WHERE game = ? AND day = ? AND guild_id = ? AND counts = 1"
        " AND points IS NOT NULL ORDER BY points DESC, match_id DESC LIMIT ?",
        (game, day, guild_id, most),
    ).fetchall()


def standings(db: Connection, game: str, day: int, most: int, guild_id: int | None = None) -> list[ServerStanding]:
    """The first of the servers at a deal that are in the standings now, and behind them a server that isn't among the
    first, if it is in the standings, too."""
    values = (game, day, *_SHOWN)
    best = f"SELECT guild_id, score {_SCORES} ORDER BY score DESC, guild_id DESC LIMIT ?"
    first = db.execute(best, (*values, most)).fetchall()
    scores = [score for _, score in first]
    found = [(scores.index(score) + 1, each, score) for each, score in first]
    if guild_id is not None and guild_id not in {each for each, _ in first}:
        own = db.execute(f"SELECT score {_SCORES} AND guild_id = ?", (*values, guild_id)).fetchone()
        if own is not None:
            (above,) = db.execute(f"SELECT count(*) {_SCORES} AND score > ?", (*values, *own)).fetchone()
            found.append((above + 1, guild_id, *own))
    return [ServerStanding(*each, _name(db, each[1])) for each in found]


def _name(db: Connection, guild_id: int) -> str:
    row = db.execute("SELECT name FROM weekly_servers WHERE guild_id = ?", (guild_id,)).fetchone()
    return "" if row is None else str(row[0])


def attempts_by(db: Connection, after: str, guild_id: int, user_id: int) -> Page[Opened[WeeklyAttempt], str]:
    """A person's attempts in a server: a page of them."""
    more = "AND tried.guild_id = ? AND tried.user_id = ? AND tried.match_id > ? ORDER BY tried.match_id LIMIT ?"
    rows = db.execute(f"{_ATTEMPT} {more}", (guild_id, user_id, after, FEW))
    found = [attempts.opened(WeeklyAttempt, row) for row in rows]
    return found, following([tried.match_id for _, tried in found], FEW)


class WeeklyQueries(Part):
    """These queries, as methods."""

    seal = writing(seal)
    deal = reading(find)
    open_attempt = writing(open_attempt, now)
    attempt = reading(attempt)
    is_played = reading(is_played)
    unscored = listing(unscored, "")
    score = writing(score)
    best_in = reading(best_in)
    standings = reading(standings)
    attempts_by = listing(attempts_by, "", oldest_first)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """Which deals somebody has tried, and what that was worth. Raises StoreError."""
        tried = await self.attempts_by(guild_id, user_id)
        return {
            "weekly_attempts": [
                {
                    "match": each.match_id,
                    "game": each.game,
                    "day": each.day,
                    "counts": each.counts,
                    "points": each.points,
                }
                for each in tried
            ]
        }
