"""What is read of counted results for a profile, and how far somebody's wins were searched for a comeback.

The core writes the results of each person and whom they met, with each result that counts
(`bot.store.queries.profiles`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.ratings import Rating
from bot.store.binding import Part, reading, writing
from bot.store.queries import begun_deletions, resets
from bot.store.queries.database import Connection, replaced


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody whom a person met in counted matches of a server, in all games.

    `matches` are those in which both sat. Wins, losses and draws are the person's in those between the two alone.
    """

    user_id: int
    matches: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def alone(self) -> int:
        """The number of matches between the two alone."""
        return self.wins + self.losses + self.draws


@dataclass(frozen=True, slots=True)
class ComebackSearch:
    """How far a person's wins were searched for the first in which they had been far behind: the number of the last win
    that was looked at, and the id of the match if it was found."""

    searched: int = 0
    found: str | None = None


_RATINGS: Final = """
    SELECT rating_changes.mu, rating_changes.sigma
    FROM (SELECT number FROM player_results WHERE guild_id = :guild AND user_id = :user AND game = :game
          AND number > coalesce((SELECT max(number) FROM standings_resets WHERE guild_id = :guild), 0)
          ORDER BY number DESC LIMIT :most) AS latest
    CROSS JOIN results CROSS JOIN seats CROSS JOIN rating_changes
    WHERE results.number = latest.number AND seats.match_id = results.match_id AND +seats.user_id = :user
          AND rating_changes.match_id = seats.match_id AND rating_changes.seat = seats.seat
    ORDER BY latest.number
"""  # the order and the plus keep SQLite from reading all seats that the person ever had
_SUMS: Final = "sum(matches), sum(wins), sum(losses), sum(draws)"
_THEIRS: Final = f"SELECT opponent_id, {_SUMS} FROM opponents WHERE guild_id = ? AND user_id = ?"


def rating_history(db: Connection, guild_id: int, user_id: int, game: str, most: int) -> list[Rating]:
    """Somebody's rating after each of their last counted matches in a game since the server's standings
    began, the oldest first; at most `most`."""
    rows = db.execute(_RATINGS, {"guild": guild_id, "user": user_id, "game": game, "most": most})
    return [Rating(mu, sigma) for mu, sigma in rows.fetchall()]


def wins_after(db: Connection, guild_id: int, user_id: int, number: int, most: int) -> list[tuple[int, str]]:
    """The first counted wins of somebody after the result with this number: their numbers and matches, in the order in
    which they counted."""
    return db.execute(
        "SELECT number, match_id FROM player_results JOIN results USING (number) WHERE player_results.guild_id = ?"
        " AND user_id = ? AND number > ? AND outcome = 1 ORDER BY number LIMIT ?",
        (guild_id, user_id, number, most),
    ).fetchall()


def most_met(db: Connection, guild_id: int, user_id: int, most: int) -> list[Opponent]:
    """Those with whom somebody finished most counted matches; of equals, first those whom they met first."""
    first = "GROUP BY opponent_id ORDER BY sum(matches) DESC, min(first_number), opponent_id LIMIT ?"
    rows = db.execute(f"{_THEIRS} {first}", (guild_id, user_id, most))
    return [Opponent(*row) for row in rows]


def opponent(db: Connection, guild_id: int, user_id: int, opponent_id: int) -> Opponent | None:
    """One opponent of somebody; None for people who have not finished a counted match together."""
    row = db.execute(f"{_THEIRS} AND opponent_id = ? GROUP BY opponent_id", (guild_id, user_id, opponent_id)).fetchone()
    return None if row is None else Opponent(*row)


def met_at(db: Connection, guild_id: int, user_id: int, nth: int) -> int | None:
    """When the counted match ended in which somebody had met this many different people (ms UTC); None before."""
    row = db.execute(
        "SELECT ended_at FROM results WHERE number = (SELECT min(first_number) FROM opponents"
        " WHERE guild_id = ? AND user_id = ? GROUP BY opponent_id ORDER BY min(first_number) LIMIT 1 OFFSET ?)",
        (guild_id, user_id, nth - 1),
    ).fetchone()
    return None if row is None else row[0]


def comeback_search(db: Connection, guild_id: int, user_id: int) -> ComebackSearch:
    """How far somebody's wins were searched for a comeback."""
    row = db.execute(
        "SELECT searched, found FROM comeback_searches WHERE guild_id = ? AND user_id = ?", (guild_id, user_id)
    ).fetchone()
    return ComebackSearch() if row is None else ComebackSearch(*row)


def note_comeback_search(db: Connection, guild_id: int, user_id: int, search: ComebackSearch) -> None:
    """Note how far somebody's wins were searched. Nothing is noted for somebody who has no result with the number
    `searched`, or no longer has, or whose deletion has begun."""
    db.execute(
        "INSERT INTO comeback_searches (guild_id, user_id, searched, found)"
        " SELECT guild_id, user_id, number, ? FROM player_results WHERE guild_id = ? AND user_id = ? AND number = ?"
        f" AND {begun_deletions.spares('player_results')}"
        f" ON CONFLICT (guild_id, user_id) DO UPDATE SET {replaced('searched', 'found')}",
        (search.found, guild_id, user_id, search.searched),
    )


class ProfileQueries(Part):
    """These queries, as methods."""

    most_met = reading(most_met)
    opponent = reading(opponent)
    met_at = reading(met_at)
    is_counting = reading(resets.is_counting)
    rating_history = reading(rating_history)
    wins_after = reading(wins_after)
    comeback_search = reading(comeback_search)
    note_comeback_search = writing(note_comeback_search)
