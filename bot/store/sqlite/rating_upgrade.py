"""Works out all ratings again while the tables are upgraded, because what a match weighs has changed.

Its statements are for the tables as migration 11 leaves them; later code may know more columns. So they are written
here once more, and never changed, although `bot.store.queries.ratings.changes` still has the same. A later change of
the weights needs a migration of its own, which works everything out once more.
"""

from __future__ import annotations

import sqlite3
from itertools import groupby
from operator import itemgetter

from bot.store.scoring import Ledger, Score


def rate_again(db: sqlite3.Connection) -> None:
    """Fill encounters and rating changes, and bring the standings up to date, from all counted results in their order.

    A match without a rank for each seat is left out: `cardroom check` reports it. A standing without a result stays.
    """
    ledger = Ledger()
    seats = db.execute(
        "SELECT number, match_id, results.guild_id, game, user_id, rank FROM results JOIN seats USING (match_id)"
        " WHERE counted = 1 ORDER BY number, seat"
    )
    for _, seated in groupby(seats, key=itemgetter(0)):
        _, match_ids, guilds, games, users, ranks = zip(*seated, strict=True)
        if None in ranks or len(ranks) < 2:
            continue
        changes = ledger.apply(guilds[0], games[0], users, ranks)
        db.executemany(
            "INSERT INTO rating_changes (guild_id, match_id, seat, mu_before, sigma_before, mu, sigma, matches,"
            " repeated, newcomers, circle, met) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    guilds[0],
                    match_ids[0],
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
    db.executemany(
        "INSERT OR REPLACE INTO standings (guild_id, game, user_id, mu, sigma, ordinal, wins, losses, draws, opponents,"
        " settled_opponents, settled, returned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
        [(*player, *_columns(score)) for player, score in ledger.scores.items()],
    )
    db.executemany(
        "INSERT INTO encounters (guild_id, game, user_id, opponent_id, matches, at) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (*player, opponent, met.matches, met.at)
            for player, found in ledger.encounters.items()
            for opponent, met in found.items()
        ],
    )


def _columns(score: Score) -> tuple[float | int, ...]:
    rating = score.rating
    counts = score.wins, score.losses, score.draws, score.opponents, score.settled_opponents
    return rating.mu, rating.sigma, rating.ordinal, *counts, score.settled
