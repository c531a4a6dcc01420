"""What people have played with each other lately, and how many players a game has: what a match's weight depends on.

A match of n seats reads n(n - 1) rows of encounters by their key, and at most 12(n - 1) + 1 entries of an index, twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.store.match_weights import Community, Encounter, most_counted
from bot.store.queries.connection import Connection, replaced
from bot.store.scoring import Player

_FIND = "SELECT matches, at FROM encounters WHERE guild_id = ? AND game = ? AND user_id = ? AND opponent_id = ?"
_INSERT = (
    "INSERT INTO encounters (guild_id, game, user_id, opponent_id, matches, at) VALUES (?, ?, ?, ?, ?, ?)"
    f" ON CONFLICT (guild_id, game, user_id, opponent_id) DO UPDATE SET {replaced('matches', 'at')}"
)
_PLAYERS = "SELECT count(*) FROM (SELECT 1 FROM standings WHERE guild_id = ? AND game = ? LIMIT ?) AS counted"
_SETTLED = (
    "SELECT count(*) FROM (SELECT 1 FROM standings WHERE guild_id = ? AND game = ? AND settled = 1 LIMIT ?) AS counted"
)


def between(db: Connection, guild_id: int, game: str, users: Sequence[int]) -> dict[tuple[int, int], Encounter]:
    """What each seat has played with each other seat, by both seats, where they have met."""
    found: dict[tuple[int, int], Encounter] = {}
    for seat, user_id in enumerate(users):
        for other, opponent_id in enumerate(users):
            row = None if seat == other else db.execute(_FIND, (guild_id, game, user_id, opponent_id)).fetchone()
            if row is not None:
                found[seat, other] = Encounter(*row)
    return found


def save(
    db: Connection,
    guild_id: int,
    game: str,
    users: Sequence[int],
    encounters: Mapping[tuple[int, int], Encounter],
) -> None:
    """Save what each seat has now played with each other seat."""
    db.executemany(
        _INSERT,
        [
            (guild_id, game, users[seat], users[other], found.matches, found.at)
            for (seat, other), found in encounters.items()
        ],
    )


def community(db: Connection, guild_id: int, game: str, seats: int, new: int) -> Community:
    """The players of a game in a server, `new` ones at the table included, counted as far as a match needs it."""
    most = most_counted(seats)
    players = db.execute(_PLAYERS, (guild_id, game, most)).fetchone()[0]
    settled = db.execute(_SETTLED, (guild_id, game, most)).fetchone()[0]
    return Community(players + new, settled)


def count_settled(db: Connection, guild_id: int, game: str, user_id: int) -> None:
    """Everybody who has met a player who is settled now has met one more settled player."""
    db.execute(
        "UPDATE standings SET settled_opponents = settled_opponents + 1 WHERE guild_id = :guild AND game = :game"
        " AND user_id IN (SELECT opponent_id FROM encounters"
        " WHERE guild_id = :guild AND game = :game AND user_id = :user"
        " UNION SELECT marker FROM deletions JOIN encounters"  # whose standing has the marker before their encounters
        " ON encounters.guild_id = :guild AND game = :game AND encounters.user_id = :user"
        " AND opponent_id = deletions.user_id WHERE deletions.guild_id = :guild)",
        {"guild": guild_id, "game": game, "user": user_id},
    )


def of_player(db: Connection, player: Player) -> dict[int, Encounter]:
    """What a player has played with each opponent."""
    rows = db.execute(
        "SELECT opponent_id, matches, at FROM encounters WHERE guild_id = ? AND game = ? AND user_id = ?", player
    )
    return {opponent: Encounter(matches, at) for opponent, matches, at in rows}


def replace_all(db: Connection, player: Player, found: Mapping[int, Encounter]) -> None:
    """Replace what a player has played with everybody."""
    db.execute("DELETE FROM encounters WHERE guild_id = ? AND game = ? AND user_id = ?", player)
    db.executemany(_INSERT, [(*player, opponent, each.matches, each.at) for opponent, each in found.items()])
