"""What ratings depend on beside the standings, and what each match did to them.

A match of n seats reads n(n - 1) rows of encounters by their key, and at most 30 entries of an index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Final

from bot.ratings import Rating
from bot.store.match_weights import MOST_COUNTED, Community, MatchWeight, grown
from bot.store.person_key import PersonKey
from bot.store.queries import resets
from bot.store.queries.database import MANY, Connection, columns_of, delete_some, replacing
from bot.store.scoring import Encounter, Encounters, Player, RatingChange, Score

HELD_FOR: Final = 90 * 24 * 3600 * 1000
"""For how long a deleted person's ratings are held, in ms."""


@dataclass(frozen=True, slots=True)
class RatingStart:
    """With what somebody began in a game: what was held of the rating that they had deleted, and its `peak`
    (`bot.store.scoring.Score`)."""

    game: str
    rating: Rating
    peak: float
    wins: int
    losses: int
    draws: int


@dataclass(frozen=True, slots=True)
class HeldRating:
    """What is held of a deleted person's rating in a game, until a moment (ms UTC)."""

    start: RatingStart
    until: int


# ------------------------------------------------------------------------------------ what matches did

_BELIEFS = ("mu_before", "sigma_before", "mu", "sigma")
_CHANGE = (*_BELIEFS, "matches", *columns_of(MatchWeight), "surplus")


def save_changes(db: Connection, guild_id: int, match_id: str, changes: Sequence[RatingChange]) -> None:
    """Save what a match did, by seat, in place of what was saved of it."""
    db.executemany(
        replacing("rating_changes", ("match_id", "seat"), "guild_id", *_CHANGE),
        [(match_id, seat, guild_id, *numbers_of(change)) for seat, change in enumerate(changes)],
    )


def numbers_of(change: RatingChange) -> tuple[float, ...]:
    """What is saved of a change."""
    beliefs = change.before.mu, change.before.sigma, change.after.mu, change.after.sigma
    return *beliefs, change.matches, *astuple(change.weight), change.surplus


def changes_of(db: Connection, match_id: str) -> tuple[RatingChange, ...]:
    """What a counted match did to the ratings, by seat; empty for any other match."""
    asked = f"SELECT {', '.join(_CHANGE)} FROM rating_changes WHERE match_id = ? ORDER BY seat"
    rows = db.execute(asked, (match_id,)).fetchall()
    return tuple(
        [RatingChange(Rating(*row[:2]), Rating(*row[2:4]), row[4], MatchWeight(*row[5:-1]), row[-1]) for row in rows]
    )


# ------------------------------------------------------------------------------------------ encounters

_COLUMNS = columns_of(Encounter)
_ENCOUNTER = (
    f"SELECT {', '.join(_COLUMNS)} FROM encounters WHERE guild_id = ? AND game = ? AND user_id = ? AND opponent_id = ?"
)
_ADD_ENCOUNTER = replacing("encounters", ("guild_id", "game", "user_id", "opponent_id"), *_COLUMNS)
_SETTLED = (
    "SELECT count(*) FROM (SELECT 1 FROM standings INDEXED BY standings_settled"
    " WHERE guild_id = ? AND game = ? AND settled = 1 LIMIT ?) AS counted"
)


def encounters_between(
    db: Connection, guild_id: int, game: str, users: Sequence[int]
) -> dict[tuple[int, int], Encounter]:
    """What each seat has played with each other seat, by both seats, where they have met."""
    found: dict[tuple[int, int], Encounter] = {}
    for seat, user_id in enumerate(users):
        for other, opponent_id in enumerate(users):
            row = None if seat == other else db.execute(_ENCOUNTER, (guild_id, game, user_id, opponent_id)).fetchone()
            if row is not None:
                found[seat, other] = Encounter(*row)
    return found


def save_encounters(db: Connection, guild_id: int, game: str, users: Sequence[int], encounters: Encounters) -> None:
    """Save what each seat has now played with each other seat."""
    db.executemany(
        _ADD_ENCOUNTER,
        [(guild_id, game, users[seat], users[other], *astuple(found)) for (seat, other), found in encounters.items()],
    )


def community(db: Connection, guild_id: int, game: str) -> Community:
    """The players of a game in a server, counted as far as a match needs it."""
    return Community(db.execute(_SETTLED, (guild_id, game, MOST_COUNTED)).fetchone()[0])


def games_played(db: Connection, guild_id: int, table: str = "standings") -> list[str]:
    """The games with rows in a table of a server whose key begins with server and game, in alphabetical order.

    It steps from game to game along the index; DISTINCT would read every row.
    """
    rows = db.execute(
        "WITH RECURSIVE played (game) AS ("
        f" SELECT min(game) FROM {table} WHERE guild_id = :guild"
        f" UNION ALL SELECT (SELECT min(game) FROM {table} WHERE guild_id = :guild AND game > played.game)"
        " FROM played WHERE game IS NOT NULL)"
        " SELECT game FROM played WHERE game IS NOT NULL",
        {"guild": guild_id},
    )
    return [game for (game,) in rows]


def grown_games(db: Connection, guild_id: int) -> dict[str, bool]:
    """Of each game with standings in a server, whether its community is grown (`match_weights.grown`)."""
    played = games_played(db, guild_id)
    found = grown({game: community(db, guild_id, game).settled for game in played})
    return {game: game in found for game in played}


def encounters_of(db: Connection, player: Player) -> dict[int, Encounter]:
    """What a player has played with each opponent."""
    rows = db.execute(
        f"SELECT opponent_id, {', '.join(_COLUMNS)} FROM encounters WHERE guild_id = ? AND game = ? AND user_id = ?",
        player,
    )
    return {opponent: Encounter(*found) for opponent, *found in rows}


def replace_encounters(db: Connection, player: Player, found: Mapping[int, Encounter]) -> None:
    """Replace what a player has played with everybody."""
    db.execute("DELETE FROM encounters WHERE guild_id = ? AND game = ? AND user_id = ?", player)
    db.executemany(_ADD_ENCOUNTER, [(*player, opponent, *astuple(each)) for opponent, each in found.items()])


# ---------------------------------------------------------------------------------------- held ratings

_RATED = ("mu", "sigma", "peak", "wins", "losses", "draws")
_HELD = ", ".join(_RATED)


def hold(db: Connection, guild_id: int, user_id: int, key: PersonKey, until: int) -> None:
    """Hold somebody's ratings in a server until a moment (ms UTC), under a keyed hash; nothing without a key."""
    asked = f"SELECT game, {_HELD} FROM standings WHERE guild_id = ? AND game = ? AND user_id = ?"
    games = games_played(db, guild_id)  # in all of them at once, SQLite would read everybody's
    played = [row for game in games for row in db.execute(asked, (guild_id, game, user_id))]
    person = key.digest(guild_id, user_id, create=True) if played else None
    if person is not None:
        db.executemany(
            replacing("held_ratings", ("guild_id", "person", "game"), *_RATED, "until"),
            [(guild_id, person, *row, until) for row in played],
        )


def start(db: Connection, player: Player, key: PersonKey, number: int, now: int) -> Score:
    """The score that a player without a standing begins with, in the result with a number. What was held for them is
    held no longer, and recorded as their start; after a reset of the standings nobody begins with what was held before.
    Whom a moderator had set aside before they deleted their data is again."""
    guild_id, game, user_id = player
    person = key.digest(guild_id, user_id)
    if person is not None:
        db.execute("UPDATE set_asides SET user_id = ? WHERE guild_id = ? AND person = ?", (user_id, guild_id, person))
    reset = resets.latest(db, guild_id)
    asked = f"SELECT {_HELD} FROM rating_starts WHERE guild_id = ? AND game = ? AND user_id = ?{_STARTED}"
    row = db.execute(asked, (*player, *_since(reset))).fetchone()  # if what counted before is counted again
    if row is not None:
        return _score_of(row)
    held = "FROM held_ratings WHERE guild_id = ? AND person = ? AND game = ?"
    found = person and db.execute(f"SELECT {_HELD}, until {held}", (guild_id, person, game)).fetchone()
    if not found or (reset is not None and found[-1] - HELD_FOR < reset.at):
        return Score()
    db.execute(f"DELETE {held}", (guild_id, person, game))
    if found[-1] <= now:
        return Score()
    db.execute(
        replacing("rating_starts", ("guild_id", "game", "user_id"), *_RATED, "number"), (*player, *found[:-1], number)
    )
    return _score_of(found[:-1])


_STARTED: Final = " AND (number > ? OR ? < 0)"
"""The condition that a start holds since a reset. No result has a number below 0."""


def _since(reset: resets.Reset | None) -> tuple[int, int]:
    """The values of `_STARTED`."""
    after = -1 if reset is None else reset.after
    return after, after


def _score_of(row: Sequence[Any]) -> Score:
    """The score of somebody who begins with what was held."""
    mu, sigma, peak, wins, losses, draws = row
    return Score(Rating(mu, sigma), wins, losses, draws, peak=peak, returned=True)


def starts(db: Connection, guild_id: int, game: str) -> dict[Player, Score]:
    """Everybody who began a game in a server with what was held, since its standings began."""
    since = _since(resets.latest(db, guild_id))
    asked = f"SELECT user_id, {_HELD} FROM rating_starts WHERE guild_id = ? AND game = ?{_STARTED}"
    rows = db.execute(asked, (guild_id, game, *since))
    return {(guild_id, game, user_id): _score_of(row) for user_id, *row in rows}


def held_of(db: Connection, key: PersonKey, guild_id: int, user_id: int) -> list[HeldRating]:
    """What is held of the ratings that somebody had deleted in a server, by game. Their next counted match in a game
    begins with it."""
    person = key.digest(guild_id, user_id)
    rows = db.execute(
        f"SELECT game, {_HELD}, until FROM held_ratings WHERE guild_id = ? AND person = ? ORDER BY game",
        (guild_id, person),
    )
    return [HeldRating(_named(row), until) for *row, until in rows]


def starts_of(db: Connection, guild_id: int, user_id: int) -> list[RatingStart]:
    """With what somebody began who came back while it was held, by game."""
    rows = db.execute(
        f"SELECT game, {_HELD} FROM rating_starts INDEXED BY rating_starts_user"
        " WHERE guild_id = ? AND user_id = ? ORDER BY game",
        (guild_id, user_id),
    )
    return [_named(row) for row in rows]


def _named(row: Sequence[Any]) -> RatingStart:
    game, mu, sigma, peak, *counts = row
    return RatingStart(game, Rating(mu, sigma), peak, *counts)


def delete_expired(db: Connection, now: int) -> bool:
    """Delete some of what is held no longer. Returns whether nothing else is."""
    key = ("guild_id", "person", "game")
    return delete_some(db, "held_ratings", key, "until <= ? ORDER BY until", now, most=MANY) < MANY
