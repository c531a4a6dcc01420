"""Challenges and tables: added, shown, closed once; and what they hand on to the match that they become."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from bot.shard_range import ShardRange
from bot.store.errors import Conflict, InvitationClosed
from bot.store.queries import begun_deletions
from bot.store.queries.database import Connection, Page, among, and_served_by, columns_of, following, inserting


class InvitationKind(StrEnum):
    """How an invitation becomes a match."""

    CHALLENGE = "challenge"
    """When all invited people have sat down. If one declines, it closes."""
    TABLE = "table"
    """When the host starts it. Anybody may sit down; at a private table, only those invited."""


class InvitationState(StrEnum):
    """The state of an invitation. Only an open one changes, and it changes once."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    EXPIRED = "expired"


class StandIn(StrEnum):
    """What becomes of a seat whose time has run out, or whose player leaves it for a while (ruling C-8)."""

    OFF = "off"
    """Its player has resigned."""
    UNRATED = "unrated"
    """A computer plays it on, and then the match does not count."""
    RATED = "rated"
    """A computer plays it on. The result counts for a player who made at least half of the seat's acts."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The earlier match from which a match was begun, with the cards as they lay there.

    `facts` is how many of its first facts are the opening, and `digest` is the SHA-256 of the opening as the log of the
    new match has it (`bot.store.verification.opening_digest`).
    """

    match_id: str
    facts: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Series:
    """Where a match is in a series of matches between the same two (ruling C-9).

    `id` is the id of its first match, `best_of` is 3 or 5, `number` counts the matches from 1, and `wins` are those of
    the players before this match, by the seats that they have in it. The wins are stored with every match, because a
    board says them whenever it is shown, and to add them up would read all earlier matches each time. `first` is the
    seat that acts first; None where that is drawn.
    """

    id: str
    best_of: int
    number: int = 1
    wins: tuple[int, int] = (0, 0)
    first: int | None = None


@dataclass(frozen=True, slots=True)
class SealedDeal:
    """A deal: its id, what its seal binds besides, its seed, which is secret until the end, and the seal, 32 bytes.

    `sealed_options` are all fields of the options as JSON, without type and version.
    """

    deal_version: int
    deal_id: str
    rules_version: int
    sealed_options: str
    seed: bytes = field(repr=False)
    commitment: bytes

    def columns(self) -> dict[str, Any]:
        """These, by the names that an `Invitation` has for them, too."""
        return {name: getattr(self, name) for name in columns_of(SealedDeal)}


@dataclass(frozen=True, slots=True)
class Invitation:
    """A challenge, or a table that is filling. Its id becomes the match's; its seed is the secret of the deal.

    `commitment` is the deal's seal, 32 bytes, as its message shows it. `seated` lists users in the order in which they
    sat down. They get their seats in that order, or in the order of `places` where it is given (a rematch). The store
    adds `closed_at` when it is closed; before, it is None.

    The seal binds the seed, the game, `rules_version`, `deal_id` and `sealed_options`. `salts` are the texts that users
    have added, the oldest first.
    """

    id: str
    guild_id: int
    channel_id: int
    message_id: int | None
    game: str
    options: str
    clock: str
    host_id: int
    invited: tuple[int, ...]
    seated: tuple[int, ...]
    seed: bytes
    commitment: bytes
    created_at: int
    expires_at: int
    kind: InvitationKind = InvitationKind.CHALLENGE
    private: bool = False
    places: tuple[int, ...] = ()
    closed_at: int | None = field(default=None, compare=False)
    deal_version: int = 3
    deal_id: str = ""
    rules_version: int = 1
    """The version of the rules to deal by."""
    sealed_options: str = ""
    """All fields of the options as JSON, as the seal has them: without type and version. It is written once."""
    salts: tuple[tuple[int, str], ...] = ()
    in_thread: bool = False
    """Whether its match gets a thread of its own."""
    stand_in: StandIn = StandIn.OFF
    auto_start: bool = False
    """Whether it is a table whose match begins as soon as enough people sit there, without the host."""
    reliable: bool = False
    """Whether it is a table for people who finish most of their matches, and for new ones."""
    origin: Origin | None = None
    """Where its match begins, if not with a deal. Then nobody is shown a seal, `places` has the seats, and who plays
    doesn't change any more."""
    series: Series | None = None
    """The series that its match belongs to; None for a single match."""

    @property
    def is_rematch(self) -> bool:
        """Whether it asks the players of a match to play again: then, and with an origin, their places are given."""
        return bool(self.places) and self.origin is None


_log = logging.getLogger(__name__)
_OF_SEATS: Final = ("series_first_wins", "series_second_wins", "series_first")
ORIGIN: Final = ("origin_id", "origin_facts", "origin_digest")
SERIES: Final = ("series_id", "series_best_of", "series_number", *_OF_SEATS)
"""The columns of an `Origin` and of a `Series`."""
_COLUMNS: Final = tuple([name for name in columns_of(Invitation) if name not in {"origin", "series"}])
_ARRAYS: Final = ("invited", "seated", "places", "salts")
_SELECT = f"SELECT {', '.join((*_COLUMNS, *ORIGIN, *SERIES, 'state'))} FROM invitations"
_PASSED = 60
"""How many invitations one page looks through: some 15 us each."""


def add(db: Connection, row: Invitation) -> None:
    """Add a new, open invitation. Raises Conflict when its id was used before, and Busy while the
    host's data are being deleted."""
    begun_deletions.refuse(db, row.guild_id, (row.host_id,))
    if db.execute("SELECT 1 FROM invitations WHERE id = ?", (row.id,)).fetchone():
        raise Conflict("an invitation with this id was added before")
    columns = {name: getattr(row, name) for name in _COLUMNS} | {"closed_at": None}
    columns |= {name: json.dumps(columns[name]) for name in _ARRAYS}
    db.execute(
        inserting("invitations", *columns, *ORIGIN, *SERIES),
        (*columns.values(), *origin_columns(row.origin), *series_columns(row.series)),
    )


def set_message(db: Connection, invitation_id: str, message_id: int) -> None:
    """Record which public message shows the invitation."""
    db.execute("UPDATE invitations SET message_id = ? WHERE id = ?", (message_id, invitation_id))


def reseat(db: Connection, row: Invitation) -> None:
    """Record who hosts, who is invited, who is seated, and their salts.

    Raises InvitationClosed when it is no longer open.
    """
    done = db.execute(
        "UPDATE invitations SET host_id = ?, invited = ?, seated = ?, salts = ? WHERE id = ? AND state = 'open'",
        (row.host_id, json.dumps(row.invited), json.dumps(row.seated), json.dumps(row.salts), row.id),
    )
    if done.rowcount != 1:
        raise InvitationClosed("the invitation is no longer open")


def close(db: Connection, now: int, invitation_id: str, state: InvitationState) -> bool:
    """Close an open invitation. Returns False, and changes nothing, when it is unknown or no longer open."""
    done = db.execute(
        "UPDATE invitations SET state = ?, closed_at = ? WHERE id = ? AND state = 'open'", (state, now, invitation_id)
    )
    return done.rowcount == 1


def accept(db: Connection, now: int, invitation_id: str) -> None:
    """Close it as accepted. Raises InvitationClosed when it is not open."""
    if not close(db, now, invitation_id, InvitationState.ACCEPTED):
        raise InvitationClosed("the invitation is no longer open")


def find(db: Connection, invitation_id: str) -> tuple[Invitation, InvitationState] | None:
    """An invitation and its state; None for an unknown id."""
    row = db.execute(f"{_SELECT} WHERE id = ?", (invitation_id,)).fetchone()
    return None if row is None else (_invitation(row), InvitationState(row[-1]))


def all_open(db: Connection, serves: ShardRange) -> list[Invitation]:
    """All open invitations of a range, the first to expire first. One that was altered and can't be read is left out,
    and logged."""
    rows = db.execute(f"{_SELECT} WHERE state = 'open'{and_served_by(serves)} ORDER BY expires_at, id")
    return [each for each, _ in _readable(rows)]


def _readable(rows: Iterable[tuple[Any, ...]]) -> list[tuple[Invitation, InvitationState]]:
    found: list[tuple[Invitation, InvitationState]] = []
    for row in rows:
        try:
            found.append((_invitation(row), InvitationState(row[-1])))
        except (TypeError, ValueError, RecursionError):  # an altered text may be nested deeply
            _log.error("invitation %s is left out: its row was altered", row[0])
    return found


def count_open(db: Connection) -> int:
    """How many are open, those that can't be read among them."""
    return int(db.execute("SELECT count(*) FROM invitations WHERE state = 'open'").fetchone()[0])


def oldest_first(found: list[tuple[Invitation, InvitationState]]) -> list[tuple[Invitation, InvitationState]]:
    """Invitations with their states, in the order in which they were made."""
    return sorted(found, key=lambda each: (each[0].created_at, each[0].id))


def of_user(db: Connection, after: int, guild_id: int, user_id: int) -> Page[tuple[Invitation, InvitationState], int]:
    """All invitations in a server that name a person, each with its state: a page of them, which looks through the
    next ones of the server by their row ids."""
    named, reached = named_in(after, guild_id, user_id, db)
    these, wanted = among(named)
    rows = db.execute(f"{_SELECT} WHERE rowid IN {these} ORDER BY rowid", wanted)
    return [(each, state) for each, state in _readable(rows) if user_id in named_by(each)], reached


def named_in(after: int, guild_id: int, user_id: int, db: Connection) -> Page[int, int]:
    """The row ids of the invitations of a server that may name a person, among its next ones."""
    passed = db.execute(
        "SELECT rowid, host_id, invited, seated, places FROM invitations WHERE guild_id = ? AND rowid > ?"
        " ORDER BY rowid LIMIT ?",
        (guild_id, after, _PASSED),
    ).fetchall()
    named = [rowid for rowid, *named in passed if _may_be_named(user_id, *named)]
    return named, following([rowid for rowid, *_ in passed], _PASSED)


def open_of_user(db: Connection, after: tuple[int, str], user_id: int) -> Page[Invitation, tuple[int, str]]:
    """The open invitations that name a person, in all servers, of any range, the first to expire first: a page of them,
    by expiry and id. One that was altered and can't be read is left out."""
    passed = db.execute(
        "SELECT expires_at, id, host_id, invited, seated, places FROM invitations"
        " WHERE state = 'open' AND (expires_at, id) > (?, ?) ORDER BY expires_at, id LIMIT ?",
        (*after, _PASSED),
    ).fetchall()
    these, wanted = among([key for _, key, *named in passed if _may_be_named(user_id, *named)])
    rows = db.execute(f"{_SELECT} WHERE id IN {these} ORDER BY expires_at, id", wanted)
    found = [each for each, _ in _readable(rows) if user_id in named_by(each)]
    return found, following([(expires_at, key) for expires_at, key, *_ in passed], _PASSED)


def named_by(row: Invitation) -> tuple[int, ...]:
    """Everybody whom an invitation names, maybe more than once."""
    return (row.host_id, *row.invited, *row.seated, *row.places)


def is_named_in_open(db: Connection, guild_id: int, user_id: int) -> bool:
    """Whether an open invitation of a server names a person."""
    rows = db.execute(
        "SELECT host_id, invited, seated, places FROM invitations INDEXED BY invitations_open_here"
        " WHERE state = 'open' AND guild_id = ?",
        (guild_id,),
    )
    return any(_is_named(user_id, *row) for row in rows)


def _is_named(user_id: int, host_id: int, *lists: str) -> bool:
    """Whether an invitation names somebody: its host, or one in these JSON arrays."""
    named = _may_be_named(user_id, host_id, *lists)
    return named and (host_id == user_id or any(user_id in json.loads(each) for each in lists))


def _may_be_named(user_id: int, host_id: int, *lists: str) -> bool:
    """Whether it may name somebody. The text of the arrays alone tells most, and costs less than reading them."""
    digits = str(user_id)
    return host_id == user_id or any(digits in each for each in lists)


def origin_columns(origin: Origin | None) -> tuple[object, ...]:
    """An origin as the columns `ORIGIN`."""
    return (None, None, None) if origin is None else (origin.match_id, origin.facts, origin.digest)


def read_origin(match_id: str | None, facts: int, digest: bytes) -> Origin | None:
    """An origin from the columns `ORIGIN`."""
    return None if match_id is None else Origin(match_id, facts, digest)


def series_columns(series: Series | None) -> tuple[object, ...]:
    """What is said of a series as the columns `SERIES`."""
    if series is None:
        return (None,) * len(SERIES)
    return (series.id, series.best_of, series.number, *series.wins, series.first)


def read_series(series_id: object, *numbers: object) -> Series | None:
    """What the columns `SERIES` say of a series; None where it was altered, because the match itself can be played
    all the same."""
    if series_id is None:
        return None
    match numbers:
        case (int(best_of), int(number), int(one), int(other), int() | None as first) if isinstance(series_id, str):
            return Series(series_id, best_of, number, (one, other), first)
    _log.error("a match is taken as one of no series, because its place was altered")
    return None


def _users(text: str) -> tuple[int, ...]:
    return tuple(json.loads(text))


def _salts(text: str) -> tuple[tuple[int, str], ...]:
    return tuple(_salt(*each) for each in json.loads(text))


def _salt(user: object, text: object) -> tuple[int, str]:
    """A salt and who added it. Raises TypeError for what is none: it was altered."""
    if not isinstance(user, int) or not isinstance(text, str):
        raise TypeError("no salt")
    return user, text


_READ: Final[Mapping[str, Callable[[Any], object]]] = {
    **dict.fromkeys(("invited", "seated", "places"), _users),
    **dict.fromkeys(("private", "in_thread", "auto_start", "reliable"), bool),
    "salts": _salts,
    "kind": InvitationKind,
    "stand_in": StandIn,
}
"""How columns are read that don't hold what the fields hold."""


def _invitation(row: tuple[Any, ...]) -> Invitation:
    columns = dict(zip((*_COLUMNS, *ORIGIN, *SERIES), row[:-1], strict=True))
    origin, series = read_origin(*map(columns.pop, ORIGIN)), read_series(*map(columns.pop, SERIES))
    columns |= {name: read(columns[name]) for name, read in _READ.items()}
    return Invitation(**columns, origin=origin, series=series)
