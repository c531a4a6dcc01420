"""Finished matches as people may see them again: by their code, and private if all players want that.

Those are the matches of a server with a result of which their reader may derive everything (`bot.match_readers`). So
attempts at a deal of `today` or a later day are not among them, nor matches whose shared deal somebody still plays, nor
the private ones of others. Days are counted since 1970, in UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.match_readers import Derivable, Stage, may_derive, reader_of
from bot.store.queries import matches
from bot.store.queries.database import Connection


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over, and the seats whose players want its replay to be private."""

    row: matches.MatchRow
    result: matches.Result
    private_wishes: tuple[int, ...] = ()

    @property
    def is_private(self) -> bool:
        """Whether all of its players want that: computers and deleted people, whose ids are negative, aren't asked."""
        asked = [seat for seat, user in enumerate(self.row.seats) if user > 0]
        return bool(self.private_wishes) and set(asked) <= set(self.private_wishes)


SEATED: Final = "EXISTS (SELECT 1 FROM seats WHERE seats.match_id = matches.id AND +user_id = :viewer)"
"""Whether `:viewer` played a match. The plus sign keeps SQLite from reading all seats of the viewer."""
PRIVATE: Final = """
    EXISTS (SELECT 1 FROM seats WHERE seats.match_id = matches.id AND private_replay = 1)
    AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.match_id = matches.id AND private_replay = 0 AND +user_id > 0)
"""
"""Whether all of its people want a match to be private. Computers and deleted people have negative ids: they aren't
asked. Practice is private from its beginning; nobody can want that of another match before it is over."""
_PLAYED_ELSEWHERE: Final = """
    CASE WHEN shared = 1 THEN EXISTS (
        SELECT 1 FROM matches AS others INDEXED BY matches_live_deal
        WHERE others.deal_id = matches.deal_id AND others.live = 1
        AND (matches.day IS NOT NULL OR others.guild_id = matches.guild_id AND others.deal_id <> '')
    ) ELSE FALSE END
"""
"""A deal with a day that is shared is tried in all servers, also by other processes. Of AND, SQLite asks both sides."""
_FACTS: Final = f"""
    SELECT matches.guild_id, day, board_id, number, origin_id, {SEATED}, {PRIVATE}, {_PLAYED_ELSEWHERE}
    FROM matches LEFT JOIN results ON results.match_id = matches.id WHERE matches.id = :id
"""
_BEGUN_FROM_PRIVATE: Final = f"""
    WITH RECURSIVE earlier (match_id) AS (
        SELECT origin_id FROM matches WHERE id = :id
        UNION SELECT origin_id FROM matches JOIN earlier ON matches.id = match_id
    )
    SELECT count(*) FROM matches JOIN earlier ON matches.id = match_id WHERE {PRIVATE} AND NOT {SEATED}
"""


def derivable(
    db: Connection, guild_id: int, match_id: str, viewer_id: int, today: int, *, pressed: int | None = None
) -> Derivable:
    """How much a person in a server may derive of a match, by its rows alone: a deal of an earlier day counts as open,
    and so does a shared one that only a room holds closed (`bot.play.closed_deals` knows better).

    `pressed` is the message that they pressed. By its code a private match is to others as one that never was, but its
    public result is no secret in its channel.
    """
    asked = {"id": match_id, "viewer": viewer_id}
    found = db.execute(_FACTS, asked).fetchone()
    if found is None:
        return Derivable.NOTHING
    venue, day, board_id, number, origin_id, seated, private, played = found
    if origin_id is not None and not private:
        (private,) = db.execute(_BEGUN_FROM_PRIVATE, asked).fetchone()
    if played or (day is not None and day >= today):
        stage = Stage.CLOSED
    elif number is None:
        stage = Stage.CLOSED if private else Stage.IN_PLAY
    else:
        stage = Stage.PRIVATE if private and not seated else Stage.FINISHED
    may = may_derive(stage, reader_of(here=venue == guild_id, seated=bool(seated)))
    by_code = pressed is None or pressed != board_id
    return Derivable.NOTHING if may is Derivable.SEAL and by_code else may


def find(db: Connection, guild_id: int, match_id: str, viewer_id: int, today: int) -> FinishedMatch | None:
    """A finished match that a person may see; None for all others."""
    return _read(db, match_id) if derivable(db, guild_id, match_id, viewer_id, today) is Derivable.ALL else None


def number(db: Connection, guild_id: int, match_id: str, viewer_id: int, today: int) -> int | None:
    """Which result a match's is, in the order in which they came; None for one that the person may not see."""
    if derivable(db, guild_id, match_id, viewer_id, today) is not Derivable.ALL:
        return None
    (found,) = db.execute("SELECT number FROM results WHERE match_id = ?", (match_id,)).fetchone()
    return int(found)


def _read(db: Connection, match_id: str) -> FinishedMatch:
    row, result = matches.find(db, match_id), matches.result(db, match_id)
    if row is None or result is None:
        raise RuntimeError("a finished match is gone within one transaction")
    wishes = db.execute("SELECT seat FROM seats WHERE match_id = ? AND private_replay = 1 ORDER BY seat", (match_id,))
    return FinishedMatch(row, result, tuple([seat for (seat,) in wishes]))
