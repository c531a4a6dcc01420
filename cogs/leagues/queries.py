"""What is kept of leagues: their terms, who is in them, the places of a season, who meets whom, and who has challenged.

Pairings and challenges name places, so a substitute takes over a place with all that belongs to it, and who has their
data deleted is replaced in the places alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from bot.shard_range import ShardRange
from bot.store.binding import Part, listing, reading, serves, spanning, writing
from bot.store.errors import Busy, Conflict
from bot.store.queries import begun_deletions
from bot.store.queries import database as sql
from bot.store.queries.invitations import InvitationState


class How(StrEnum):
    """How a pairing ended."""

    PLAYED = "played"
    WALKOVER = "walkover"
    """One of both had challenged and got no match, or the other place was vacant."""
    MISSED = "missed"
    """Nobody gets anything."""
    LATE = "late"
    """Its match was in play for a week after the season, so it was drawn."""


@dataclass(frozen=True, slots=True)
class League:
    """A league's terms, and how far it is. Times are in ms UTC."""

    id: str
    guild_id: int
    channel_id: int
    """Where its message is."""
    message_id: int | None
    game: str
    options: str
    """As a match's row has them."""
    clock: str
    created_at: int
    season: int = 0
    """The latest that began."""
    weeks: int = 0
    """How many the season has."""
    week: int = 0
    """0 between seasons; `weeks` + 1 while the last matches of a season are still played."""
    due_at: int | None = None
    """When the week ends."""
    reminded: int = 0
    """The latest week of which people were reminded."""
    changed_at: int = 0
    """When the week began, or the season ended."""
    ended_at: int | None = None
    host_id: int | None = field(default=None, compare=False)
    """None once they have had their data deleted."""

    @property
    def is_playing(self) -> bool:
        """Whether a season is under way."""
        return self.week > 0 and self.ended_at is None


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who is in a league now."""

    user_id: int
    joined_at: int


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the season. `number` counts from 1 for the strongest, and is its number in all pairings."""

    number: int
    division: int
    user_id: int
    """Who has it, or had it last."""
    substitute: bool = False
    """Whether they took it over from somebody."""


@dataclass(frozen=True, slots=True)
class PairingRow:
    """Two places that meet in a week."""

    number: int
    """From 1 in the season."""
    week: int
    division: int
    first: int
    second: int
    how: How | None = None
    got: tuple[int, int] | None = None
    """Half points of both; None while it isn't over."""

    @property
    def places(self) -> tuple[int, int]:
        """The numbers of both places."""
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class Offer:
    """A challenge of a pairing, and what became of it."""

    id: str
    """Of its invitation, and of its match."""
    pairing: int
    by_place: int
    """Who challenged has seat 0."""
    at: int
    state: InvitationState | None = None
    """None if the other could not be challenged."""
    is_over: bool = False
    """Whether its match has ended."""
    ranks: tuple[int, ...] = ()
    """By seat, once it has. Empty if it was called off."""

    @property
    def in_play(self) -> bool:
        """Whether its match is being played."""
        return self.state is InvitationState.ACCEPTED and not self.is_over


@dataclass(frozen=True, slots=True)
class Whole:
    """A league with its latest season."""

    league: League
    members: tuple[Member, ...]
    """Who is in it now, in the order of joining."""
    places: tuple[Place, ...] = ()
    pairings: tuple[PairingRow, ...] = ()
    offers: tuple[Offer, ...] = ()
    """Those of pairings that aren't over, and those that are still open."""

    def is_in(self, user_id: int) -> bool:
        """Whether somebody is in it now."""
        return any(each.user_id == user_id for each in self.members)

    def is_vacant(self, place: Place) -> bool:
        """Whether who had a place has left."""
        return not self.is_in(place.user_id)

    def place(self, number: int) -> Place:
        """A place by its number."""
        return self.places[number - 1]

    def place_of(self, user_id: int) -> Place | None:
        """The place that somebody has; None for a substitute and for who isn't in it."""
        own = [each for each in self.places if each.user_id == user_id]
        return own[-1] if own and self.is_in(user_id) else None

    @property
    def substitutes(self) -> tuple[Member, ...]:
        """Who waits for a place, in their order."""
        return tuple([each for each in self.members if self.place_of(each.user_id) is None])

    @property
    def divisions(self) -> int:
        """How many there are."""
        return max((each.division for each in self.places), default=0)

    def offers_of(self, pairing: PairingRow) -> tuple[Offer, ...]:
        """The challenges of a pairing, the first one first."""
        return tuple([each for each in self.offers if each.pairing == pairing.number])

    def in_play(self, pairing: PairingRow) -> Offer | None:
        """The challenge whose match is being played."""
        return next((each for each in self.offers_of(pairing) if each.in_play), None)

    def is_open(self, pairing: PairingRow) -> bool:
        """Whether a match of a pairing can begin: it isn't over, and nobody of both has left."""
        return pairing.how is None and not any(self.is_vacant(self.place(number)) for number in pairing.places)

    def pairing_of(self, place: Place) -> PairingRow | None:
        """Whom a place meets in this week; None if it is free."""
        week = self.league.week
        return next((each for each in self.pairings if each.week == week and place.number in each.places), None)


_COLUMNS: Final = tuple([name for name in sql.columns_of(League) if name != "host_id"])
_SELECT: Final = f"""
    SELECT {", ".join(f"leagues.{name}" for name in _COLUMNS)}, league_hosts.user_id FROM leagues
    LEFT JOIN league_hosts ON league_hosts.guild_id = leagues.guild_id AND league_hosts.league_id = leagues.id
"""
_HERE: Final = "guild_id = ? AND league_id = ?"
_SEASON: Final = f"{_HERE} AND season = ?"
_OF: Final = ("guild_id", "league_id")
_OF_SEASON: Final = (*_OF, "season")

# ---------------------------------------------------------------------------------------------- reading


def whole(db: sql.Connection, guild_id: int, league_id: str) -> Whole | None:
    """A league with its latest season; None if there is none with this id."""
    row = db.execute(f"{_SELECT} WHERE leagues.guild_id = ? AND id = ?", (guild_id, league_id)).fetchone()
    if row is None:
        return None
    league = _league(row)
    season = guild_id, league_id, league.season
    members = db.execute(
        f"SELECT user_id, joined_at FROM league_members WHERE {_HERE} ORDER BY joined_at, user_id", season[:2]
    ).fetchall()
    places = db.execute(
        f"SELECT number, division, user_id, substitute FROM league_places WHERE {_SEASON} ORDER BY number", season
    ).fetchall()
    pairings = db.execute(
        "SELECT number, week, division, first, second, how, first_got, second_got FROM league_pairings"
        f" WHERE {_SEASON} ORDER BY number",
        season,
    ).fetchall()
    return Whole(
        league,
        tuple([Member(*row) for row in members]),
        tuple([Place(number, division, user, bool(taken)) for number, division, user, taken in places]),
        tuple([_pairing(row) for row in pairings]),
        _offers(db, season),
    )


def _offers(db: sql.Connection, season: tuple[int, str, int]) -> tuple[Offer, ...]:
    found = db.execute(
        "SELECT offers.id, pairing, by_place, at, invitations.state, results.match_id FROM league_offers AS offers"
        " JOIN league_pairings ON league_pairings.guild_id = offers.guild_id"
        " AND league_pairings.league_id = offers.league_id AND league_pairings.season = offers.season"
        " AND league_pairings.number = offers.pairing"
        " LEFT JOIN invitations ON invitations.id = offers.id LEFT JOIN results ON results.match_id = offers.id"
        " WHERE offers.guild_id = ? AND offers.league_id = ? AND offers.season = ?"
        " AND (how IS NULL OR invitations.state = 'open') ORDER BY at, offers.id",
        season,
    ).fetchall()
    offers = []
    for offer_id, pairing, by_place, at, state, result in found:
        ranks: tuple[int, ...] = ()
        if result is not None:
            seats = db.execute("SELECT rank FROM seats WHERE match_id = ? ORDER BY seat", (result,)).fetchall()
            ranks = tuple([rank for (rank,) in seats if rank is not None])
        known = None if state is None else InvitationState(state)
        offers.append(Offer(offer_id, pairing, by_place, at, known, result is not None, ranks))
    return tuple(offers)


def of_server(db: sql.Connection, after: str, guild_id: int) -> sql.Page[League, str]:
    """The leagues of a server that have not ended: a page of them, by their ids."""
    where = "WHERE leagues.ended_at IS NULL AND leagues.guild_id = ? AND id > ? ORDER BY id LIMIT ?"
    found = [_league(row) for row in db.execute(f"{_SELECT} {where}", (guild_id, after, sql.MANY))]
    return found, sql.following([each.id for each in found], sql.MANY)


def latest_first(found: list[League]) -> list[League]:
    """Leagues, the latest first."""
    return sorted(found, key=lambda each: (-each.created_at, each.id))


async def unfinished(database: sql.Database, serves: ShardRange) -> list[League]:
    """All leagues of a range that have not ended."""
    found = await database.read_all(_unfinished, (-(2**63), ""))
    return [each for each in found if serves.includes(each.guild_id)]


def _unfinished(db: sql.Connection, after: tuple[int, str]) -> sql.Page[League, tuple[int, str]]:
    where = "WHERE leagues.ended_at IS NULL AND (leagues.guild_id, id) > (?, ?) ORDER BY leagues.guild_id, id LIMIT ?"
    found = [_league(row) for row in db.execute(f"{_SELECT} {where}", (*after, sql.MANY))]
    return found, sql.following([(each.guild_id, each.id) for each in found], sql.MANY)


def of_person(db: sql.Connection, guild_id: int, user_id: int) -> dict[str, Any]:
    """In which leagues of a server somebody is, the places that they have or had last, and the leagues they began."""
    key = user_id, guild_id
    members = db.execute(
        "SELECT league_id, joined_at FROM league_members INDEXED BY league_members_user"
        " WHERE user_id = ? AND guild_id = ? ORDER BY league_id",
        key,
    ).fetchall()
    places = db.execute(
        "SELECT league_id, season, number, division, substitute FROM league_places INDEXED BY league_places_user"
        " WHERE user_id = ? AND guild_id = ? ORDER BY league_id, season, number",
        key,
    ).fetchall()
    hosted = db.execute(
        "SELECT league_id FROM league_hosts WHERE user_id = ? AND guild_id = ? ORDER BY league_id", key
    ).fetchall()
    return {
        "member": [{"league": league_id, "joined_at": joined_at} for league_id, joined_at in members],
        "places": [
            {
                "league": league_id,
                "season": season,
                "number": number,
                "division": division,
                "substitute": bool(substitute),
            }
            for league_id, season, number, division, substitute in places
        ],
        "hosted": [league_id for (league_id,) in hosted],
    }


# ---------------------------------------------------------------------------------------------- writing


def create(db: sql.Connection, league: League) -> None:
    """Add a league, with its host. Raises Busy while their data are being deleted."""
    begun_deletions.refuse(db, league.guild_id, [] if league.host_id is None else [league.host_id])
    db.execute(sql.inserting("leagues", *_COLUMNS), [getattr(league, name) for name in _COLUMNS])
    if league.host_id is not None:
        db.execute(sql.inserting("league_hosts", *_OF, "user_id"), (league.guild_id, league.id, league.host_id))


def put(db: sql.Connection, league: League) -> None:
    """Record how far a league is."""
    columns = tuple([name for name in _COLUMNS if name not in {"guild_id", "id"}])
    db.execute(
        f"UPDATE leagues SET {', '.join(f'{name} = ?' for name in columns)} WHERE guild_id = ? AND id = ?",
        (*[getattr(league, name) for name in columns], league.guild_id, league.id),
    )


def join(db: sql.Connection, guild_id: int, league_id: str, member: Member) -> None:
    """Add somebody, unless they are in it. Raises Busy while their data are being deleted."""
    begun_deletions.refuse(db, guild_id, [member.user_id])
    db.execute(
        f"{sql.inserting('league_members', *_OF, 'user_id', 'joined_at')} ON CONFLICT DO NOTHING",
        (guild_id, league_id, member.user_id, member.joined_at),
    )


def leave(db: sql.Connection, guild_id: int, league_id: str, user_id: int) -> None:
    """Take somebody out. The place that they had is vacant then."""
    db.execute(f"DELETE FROM league_members WHERE {_HERE} AND user_id = ?", (guild_id, league_id, user_id))


def begin_season(db: sql.Connection, league: League, places: Sequence[Place], pairings: Sequence[PairingRow]) -> None:
    """Begin a season with these places and all of its pairings. Raises Conflict if it was begun before, and Busy as
    `_put_places`."""
    _check_is_at(db, league, league.season - 1, 0)
    season = league.guild_id, league.id, league.season
    put(db, league)
    _put_places(db, season, places)
    db.executemany(
        sql.inserting("league_pairings", *_OF_SEASON, "number", "week", "division", "first", "second"),
        [(*season, each.number, each.week, each.division, each.first, each.second) for each in pairings],
    )


def record(db: sql.Connection, league: League, pairings: Sequence[PairingRow], places: Sequence[Place]) -> None:
    """Record how pairings ended that had not, and places that others have now. Raises Busy as `_put_places`."""
    season = league.guild_id, league.id, league.season
    _put_places(db, season, places)
    db.executemany(
        f"UPDATE league_pairings SET how = ?, first_got = ?, second_got = ? WHERE {_SEASON} AND number = ?"
        " AND how IS NULL",
        [(each.how, *(each.got or (0, 0)), *season, each.number) for each in pairings],
    )


def end_week(db: sql.Connection, league: League, week: int, pairings: Sequence[PairingRow]) -> None:
    """Record that a week is over, how its pairings ended, and what comes next. Raises Conflict if that was done
    before."""
    _check_is_at(db, league, league.season, week)
    record(db, league, pairings, ())
    put(db, league)


def _check_is_at(db: sql.Connection, league: League, season: int, week: int) -> None:
    """Raise Conflict unless a league is in this week of this season."""
    key = league.guild_id, league.id
    row = db.execute(f"SELECT season, week FROM leagues WHERE guild_id = ? AND id = ? {sql.FOR_UPDATE}", key).fetchone()
    if row is None or tuple(row) != (season, week):
        raise Conflict("this step was made before")


def _put_places(db: sql.Connection, season: tuple[int, str, int], places: Sequence[Place]) -> None:
    """Record who has these places. Raises Busy if one of them isn't in the league any more, because their data were
    deleted since it was read: nobody's id comes back."""
    users = {each.user_id for each in places}
    begun_deletions.refuse(db, season[0], users)
    members = db.execute(f"SELECT user_id FROM league_members WHERE {_HERE}", season[:2]).fetchall() if users else []
    if not users <= {user_id for (user_id,) in members}:
        raise Busy("data were deleted meanwhile")
    db.executemany(
        sql.replacing("league_places", (*_OF_SEASON, "number"), "division", "user_id", "substitute"),
        [(*season, each.number, each.division, each.user_id, int(each.substitute)) for each in places],
    )


def offer(db: sql.Connection, league: League, made: Offer) -> None:
    """Record a challenge that is about to be made."""
    db.execute(
        sql.inserting("league_offers", *_OF_SEASON, "pairing", "id", "by_place", "at"),
        (league.guild_id, league.id, league.season, made.pairing, made.id, made.by_place, made.at),
    )


def withdraw(db: sql.Connection, league: League, made: Offer) -> None:
    """Forget a challenge that was not made."""
    db.execute(
        f"DELETE FROM league_offers WHERE {_SEASON} AND pairing = ? AND id = ?",
        (league.guild_id, league.id, league.season, made.pairing, made.id),
    )


# ---------------------------------------------------------------------------------------------- rows


def _league(row: tuple[Any, ...]) -> League:
    return League(**dict(zip(_COLUMNS, row[:-1], strict=True)), host_id=row[-1])


def _pairing(row: tuple[Any, ...]) -> PairingRow:
    number, week, division, first, second, how, *got = row
    pairing = PairingRow(number, week, division, first, second)
    return pairing if how is None else replace(pairing, how=How(how), got=(got[0], got[1]))


class LeagueQueries(Part):
    """These queries, as methods."""

    whole = reading(whole)
    of_server = listing(of_server, "", latest_first)
    unfinished = spanning(unfinished, serves)
    of_person = reading(of_person)
    create = writing(create)
    put = writing(put)
    join = writing(join)
    leave = writing(leave)
    begin_season = writing(begin_season)
    record = writing(record)
    end_week = writing(end_week)
    offer = writing(offer)
    withdraw = writing(withdraw)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """In which leagues somebody is, which places they have or had, and which they began. Raises StoreError."""
        return {"leagues": await self.of_person(guild_id, user_id)}
