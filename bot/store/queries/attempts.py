"""Deals that many people try, once each, against computers: the deal, and somebody's attempt at it, as tables of rooms
keep them.

A deal is tried until the end of its `day`. Days are counted since 1970, in UTC.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final, TypeAlias, TypeVar

from bot.store.errors import Conflict
from bot.store.queries import play
from bot.store.queries.database import Connection, inserting
from bot.store.queries.invitations import SealedDeal
from bot.store.queries.matches import Result

PERSON: Final = 0
"""The seat of the person in every attempt. Computers have the others, so that the deal is the same for all."""


@dataclass(frozen=True, slots=True)
class TriedDeal(SealedDeal):
    """A deal that was chosen and sealed for many.

    The computers in it play at `level`. `seed` is the `nth` of those derived from `root`; `program` is the name of what
    chose it, and `worth` what that took it for (`engines.players.deal_of_day`). All this is as secret as the seed until
    the day ends. There are no salts.
    """

    game: str
    day: int
    level: str
    options: str
    sealed_at: int
    root: bytes = field(repr=False)
    nth: int = field(repr=False)
    worth: int = field(repr=False)
    program: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's one attempt at such a deal. `acts` counts what they did themselves; `result` is None while it is
    being played."""

    match_id: str
    guild_id: int
    game: str
    day: int
    user_id: int
    channel_id: int
    acts: int
    result: Result | None


Tried = TypeVar("Tried", bound=Attempt)
Opened: TypeAlias = tuple[tuple[int, str], Tried]
"""An attempt, behind when it was opened and its match: lists of attempts are in that order."""


def selecting(table: str, flag: str, *more: str) -> str:
    """What reads attempts from a room's table, with a flag, and more columns, that the room keeps of each: more
    conditions go behind it. It asks for no seat of the person's, because while their data are being deleted that isn't
    theirs any more.
    """
    columns = ", ".join(f"tried.{name}" for name in (flag, *more))
    return f"""
    SELECT tried.match_id, tried.guild_id, tried.game, tried.day, tried.user_id, matches.channel_id,
           (SELECT count(*) FROM records WHERE records.match_id = tried.match_id AND actor = {PERSON}),
           (SELECT acts FROM packed_logs WHERE packed_logs.match_id = tried.match_id),
           (SELECT json_group_array(rank) FROM (SELECT rank FROM seats WHERE seats.match_id = tried.match_id
            AND rank IS NOT NULL ORDER BY seat) AS ranks),
           kind, ended_at, counted, chain, {columns}, opened_at
    FROM {table} AS tried CROSS JOIN matches
    LEFT JOIN results ON results.match_id = tried.match_id
    WHERE matches.id = tried.match_id
    """


def read(kind: Callable[..., Tried], row: tuple[Any, ...]) -> Tried:
    """An attempt of a room from a row of `selecting`. `kind` is its class, whose last fields are the room's."""
    match_id, guild_id, game, day, user_id, channel_id, acts, packed, ranks, *end, _ = row
    ended, packed_acts = None, None if packed is None else json.loads(packed)
    if packed_acts is not None:
        acts = packed_acts[PERSON] if len(packed_acts) > PERSON else 0
    how, ended_at, counted, chain, flag, *more = end
    if how is not None:
        ended = Result(match_id, how, tuple(json.loads(ranks)), ended_at, bool(counted), chain)
    return kind(match_id, guild_id, game, day, user_id, channel_id, acts, ended, bool(flag), *more)


def opened(kind: Callable[..., Tried], row: tuple[Any, ...]) -> Opened[Tried]:
    """The same with its key in lists."""
    tried = read(kind, row)
    return (row[-1], tried.match_id), tried


def oldest_first(found: list[Opened[Tried]]) -> list[Tried]:
    """Attempts in the order in which they were opened."""
    return [tried for _, tried in sorted(found, key=itemgetter(0))]


def open_match(db: Connection, at: int, begun: play.Begun, table: str, **more: Any) -> None:
    """Open the match by which a person tries the deal of `match.day`. It is stored with its invitation, which counts as
    accepted, and with its row in a room's table, which may have `more`. The host of the invitation is the person.

    Raises Conflict if the table has an attempt of theirs at this deal, or if the id was used.
    """
    play.open_at_once(db, at, begun)
    match = begun.match
    columns = {
        "match_id": match.id,
        "guild_id": match.guild_id,
        "game": match.game,
        "day": match.day,
        "user_id": begun.asked.host_id,
        **more,
    }
    added = db.execute(f"{inserting(table, *columns)} ON CONFLICT DO NOTHING RETURNING match_id", (*columns.values(),))
    if added.fetchone() is None:
        raise Conflict("this deal was tried before")
