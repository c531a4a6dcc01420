"""What is kept of conditional moves: what a player planned while they waited, until it is made, forgotten or void."""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from enum import StrEnum
from typing import Any, Final

from bot.shard_range import ShardRange
from bot.store.binding import Part, reading, serves, spanning, writing
from bot.store.queries.database import MANY, Connection, Database, Page, columns_of, following, inserting

MOST: Final = 3
"""How many moves somebody may plan for their next question."""


class PlanOutcome(StrEnum):
    """What became of the moves that somebody planned."""

    OPEN = ""
    """Their question was not asked yet."""
    MADE = "made"
    UNFIT = "unfit"
    """None of them fitted the question."""


@dataclass(frozen=True, slots=True)
class ConditionalMove:
    """A move that is made when an occasion occurs, unless its seat has acted since. `move` is in the game's notation.

    Number 0 has an outcome and no move. The others count from 1, in the order in which they are tried.
    """

    match_id: str
    seat: int
    number: int
    guild_id: int
    user_id: int
    acts: int
    occasion: str
    verb: str
    move: str
    outcome: PlanOutcome = PlanOutcome.OPEN

    @property
    def content(self) -> tuple[str, str]:
        """What two equal plans have in common."""
        return self.occasion, self.move


_COLUMNS = columns_of(ConditionalMove)
_ALL: Final = f"SELECT {', '.join(_COLUMNS)} FROM conditional_moves"
_ADD: Final = inserting("conditional_moves", *_COLUMNS)
_OF_SEAT: Final = "match_id = ? AND seat = ?"


def of_match(db: Connection, match_id: str) -> list[ConditionalMove]:
    """All that is kept for a match, seat by seat, in order."""
    return [_read(row) for row in db.execute(f"{_ALL} WHERE match_id = ? ORDER BY seat, number", (match_id,))]


def of_person(db: Connection, guild_id: int, user_id: int) -> list[ConditionalMove]:
    """What somebody has planned in a server."""
    where = "WHERE user_id = ? AND guild_id = ? ORDER BY match_id, number"
    return [_read(row) for row in db.execute(f"{_ALL} {where}", (user_id, guild_id))]


def add(db: Connection, move: ConditionalMove) -> bool:
    """Add a move as the seat's last one, whatever its number says. Returns False if there are `MOST`; then nothing
    changes. What is void or has an outcome goes."""
    seat = move.match_id, move.seat
    db.execute(
        f"DELETE FROM conditional_moves WHERE {_OF_SEAT} AND (acts <> ? OR user_id <> ? OR outcome <> '')",
        (*seat, move.acts, move.user_id),
    )
    planned = [each for each in of_match(db, move.match_id) if each.seat == move.seat]
    if any(each.content == move.content for each in planned):
        return True
    if len(planned) >= MOST:
        return False
    number = 1 + max([each.number for each in planned], default=0)
    match_id, at, _, *rest = astuple(move)
    db.execute(_ADD, (match_id, at, number, *rest))
    return True


def drop(db: Connection, match_id: str, seat: int, number: int) -> None:
    """Forget one of a seat's moves; harmless where there is none."""
    db.execute(f"DELETE FROM conditional_moves WHERE {_OF_SEAT} AND number = ?", (match_id, seat, number))


def forget(db: Connection, match_id: str, seat: int, acts: int) -> None:
    """Forget what a seat planned when it had made this number of moves, or fewer, and what became of it."""
    db.execute(f"DELETE FROM conditional_moves WHERE {_OF_SEAT} AND acts <= ?", (match_id, seat, acts))


def conclude(db: Connection, judged: ConditionalMove, outcome: PlanOutcome, acts: int) -> None:
    """Keep nothing of what a seat planned with `judged` but its outcome, until it has made more moves than `acts`."""
    forget(db, judged.match_id, judged.seat, judged.acts)
    drop(db, judged.match_id, judged.seat, 0)
    told = ConditionalMove(judged.match_id, judged.seat, 0, judged.guild_id, judged.user_id, acts, "", "", "", outcome)
    db.execute(_ADD, astuple(told))


def is_over(db: Connection, match_id: str) -> bool:
    """Whether a match has ended."""
    return db.execute("SELECT 1 FROM results WHERE match_id = ?", (match_id,)).fetchone() is not None


async def matches(database: Database, served: ShardRange) -> list[str]:
    """The matches of a range for which something is kept."""
    found = await database.read_all(_matches, "")
    return [match_id for match_id, guild_id in found if served.includes(guild_id)]


def _matches(db: Connection, after: str) -> Page[tuple[str, int], str]:
    where = "WHERE match_id > ? GROUP BY match_id, guild_id ORDER BY match_id LIMIT ?"
    rows = db.execute(f"SELECT match_id, guild_id FROM conditional_moves {where}", (after, MANY))
    found = [(match_id, guild_id) for match_id, guild_id in rows]
    return found, following([match_id for match_id, _ in found], MANY)


def _read(row: tuple[Any, ...]) -> ConditionalMove:
    return replace(ConditionalMove(*row), outcome=PlanOutcome(row[-1]))


class ConditionQueries(Part):
    """These queries, as methods."""

    of_match = reading(of_match)
    is_over = reading(is_over)
    of_person = reading(of_person)
    add = writing(add)
    drop = writing(drop)
    forget = writing(forget)
    conclude = writing(conclude)
    matches = spanning(matches, serves)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """What somebody has planned. Raises StoreError."""
        return {
            "conditional_moves": [
                {
                    "match": each.match_id,
                    "number": each.number,
                    "moves_before": each.acts,
                    "occasion": each.occasion,
                    "verb": each.verb,
                    "move": each.move,
                    "outcome": str(each.outcome),
                }
                for each in await self.of_person(guild_id, user_id)
            ]
        }
