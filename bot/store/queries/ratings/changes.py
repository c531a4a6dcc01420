"""What each counted match did to the ratings of its seats, and what it weighed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ratings import Rating
from bot.store.match_weights import MatchWeight
from bot.store.queries.connection import Connection, replaced
from bot.store.rows.standings import RatingChange

_CHANGED = replaced(
    *("mu_before", "sigma_before", "mu", "sigma", "matches", "repeated", "newcomers", "circle", "met"),
)


def save(db: Connection, guild_id: int, match_id: str, changes: Sequence[RatingChange]) -> None:
    """Save what a match did, by seat, in place of what was saved of it."""
    db.executemany(
        "INSERT INTO rating_changes (guild_id, match_id, seat, mu_before, sigma_before, mu, sigma, matches, repeated,"
        " newcomers, circle, met) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        f" ON CONFLICT (match_id, seat) DO UPDATE SET {_CHANGED}",
        [
            (
                guild_id,
                match_id,
                seat,
                change.before.mu,
                change.before.sigma,
                change.after.mu,
                change.after.sigma,
                change.matches,
                change.weight.repeated,
                change.weight.newcomers,
                change.weight.circle,
                change.weight.met,
            )
            for seat, change in enumerate(changes)
        ],
    )


def find(db: Connection, match_id: str) -> tuple[RatingChange, ...]:
    """What a counted match did to the ratings, by seat; empty for any other match."""
    rows = db.execute(
        "SELECT mu_before, sigma_before, mu, sigma, matches, repeated, newcomers, circle, met FROM rating_changes"
        " WHERE match_id = ? ORDER BY seat",
        (match_id,),
    )
    return tuple(
        [RatingChange(Rating(*row[:2]), Rating(*row[2:4]), row[4], MatchWeight(*row[5:])) for row in rows.fetchall()]
    )
