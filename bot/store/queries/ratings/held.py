"""Ratings of deleted people, kept until a moment so that nobody gets a new start by deleting themselves, and the
ratings with which people began who came back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.ratings import Rating
from bot.store.person_key import PersonKey
from bot.store.queries.connection import Connection, replaced
from bot.store.queries.paging import MANY, delete_some
from bot.store.rows.standings import HeldRating, RatingStart
from bot.store.scoring import Player, Score

HELD = "mu, sigma, wins, losses, draws"


def hold(db: Connection, guild_id: int, user_id: int, key: PersonKey, until: int) -> None:
    """Hold somebody's ratings in a server until a moment (ms UTC), under a keyed hash; nothing without a key."""
    played = db.execute(
        f"SELECT game, {HELD} FROM standings WHERE guild_id = ? AND user_id = ?",
        (guild_id, user_id),
    ).fetchall()
    person = key.digest(guild_id, user_id, create=True) if played else None
    if person is not None:
        db.executemany(
            f"INSERT INTO held_ratings (guild_id, person, until, game, {HELD})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (guild_id, person, game)"
            f" DO UPDATE SET {replaced('until', *HELD.split(', '))}",
            [(guild_id, person, until, *row) for row in played],
        )


def start(db: Connection, player: Player, key: PersonKey, now: int) -> Score:
    """The score that a player without a standing begins with. What was held for them is held no longer, and recorded as
    their start."""
    guild_id, game, user_id = player
    person = key.digest(guild_id, user_id)
    found = (
        person
        and db.execute(
            f"DELETE FROM held_ratings WHERE guild_id = ? AND person = ? AND game = ? RETURNING {HELD}, until",
            (guild_id, person, game),
        ).fetchone()
    )
    if not found or found[-1] <= now:
        return Score()
    db.execute(
        f"INSERT INTO rating_starts (guild_id, game, user_id, {HELD}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (*player, *found[:-1]),
    )
    return score_of(*found[:-1])


def score_of(mu: float, sigma: float, wins: int, losses: int, draws: int) -> Score:
    """The score of somebody who begins with what was held."""
    return Score(Rating(mu, sigma), wins, losses, draws, returned=True)


def starts(db: Connection) -> dict[Player, Score]:
    """Everybody who began with what was held."""
    rows = db.execute(f"SELECT guild_id, game, user_id, {HELD} FROM rating_starts")
    return {(guild_id, game, user_id): score_of(*row) for guild_id, game, user_id, *row in rows}


def of_person(db: Connection, key: PersonKey, guild_id: int, user_id: int) -> list[HeldRating]:
    """What is held of the ratings that somebody had deleted in a server, by game. Their next counted match in a game
    begins with it."""
    person = key.digest(guild_id, user_id)
    rows = db.execute(
        f"SELECT game, {HELD}, until FROM held_ratings WHERE guild_id = ? AND person = ? ORDER BY game",
        (guild_id, person),
    )
    return [HeldRating(_named(row), until) for *row, until in rows]


def starts_of(db: Connection, guild_id: int, user_id: int) -> list[RatingStart]:
    """With what somebody began who came back while it was held, by game."""
    rows = db.execute(
        f"SELECT game, {HELD} FROM rating_starts WHERE guild_id = ? AND user_id = ? ORDER BY game",
        (guild_id, user_id),
    )
    return [_named(row) for row in rows]


def _named(row: Sequence[Any]) -> RatingStart:
    game, mu, sigma, *counts = row
    return RatingStart(game, Rating(mu, sigma), *counts)


def delete_expired(db: Connection, now: int) -> bool:
    """Delete some of what is held no longer. Returns whether nothing else is."""
    key = ("guild_id", "person", "game")
    return delete_some(db, "held_ratings", key, "until <= ? ORDER BY until", now, most=MANY) < MANY
