"""Where tournaments are kept, and the promises about them.

A pairing names its people by their numbers among the entrants, so who has their data deleted is replaced in one place:
from then on the entrant's id is that of a deleted person (`bot.store.special_ids`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple, replace
from typing import Any, Final

from bot.pairing.model import Format, Scoring
from bot.shard_range import ShardRange
from bot.store.binding import Part, listing, now, reading, serves, spanning, writing
from bot.store.errors import Busy, Conflict
from bot.store.queries import begun_deletions, play
from bot.store.queries.database import (
    FOR_UPDATE,
    MANY,
    Connection,
    Database,
    Page,
    columns_of,
    following,
    inserting,
    replacing,
)
from bot.store.queries.finished_matches import PRIVATE, SEATED
from bot.store.special_ids import DELETED
from cogs.tournaments import rows

_ELSEWHERE: Final = frozenset({"host_id"})
_COLUMNS: Final = tuple([name for name in columns_of(rows.Tournament) if name not in _ELSEWHERE])
_SELECT: Final = f"""
    SELECT {", ".join(f"tournaments.{name}" for name in _COLUMNS)}, tournament_hosts.user_id FROM tournaments
    LEFT JOIN tournament_hosts ON tournament_hosts.guild_id = tournaments.guild_id
    AND tournament_hosts.tournament_id = tournaments.id
"""
_ENTRANT: Final = columns_of(rows.EntrantRow)
_DEAL: Final = columns_of(rows.DealRow)
_OF: Final = ("guild_id", "tournament_id")
_HERE: Final = "guild_id = ? AND tournament_id = ?"
_NOBODY: Final = DELETED[-1]
"""Who had been an entrant whose row is gone: the server is being purged."""

# ---------------------------------------------------------------------------------------------- reading


def find(db: Connection, guild_id: int, tournament_id: str) -> rows.Tournament | None:
    """A tournament of a server; None if there is none with this id."""
    row = db.execute(f"{_SELECT} WHERE tournaments.guild_id = ? AND id = ?", (guild_id, tournament_id)).fetchone()
    return None if row is None else _tournament(row)


def of_server(db: Connection, after: str, guild_id: int) -> Page[rows.Tournament, str]:
    """The tournaments of a server that are not over: a page of them, by their ids."""
    where = "WHERE tournaments.ended_at IS NULL AND tournaments.guild_id = ? AND id > ? ORDER BY id LIMIT ?"
    found = [_tournament(row) for row in db.execute(f"{_SELECT} {where}", (guild_id, after, MANY))]
    return found, following([each.id for each in found], MANY)


def latest_over(db: Connection, guild_id: int) -> list[rows.Tournament]:
    """The tournament of a server that was over last; nothing if none ever was."""
    where = "WHERE tournaments.ended_at IS NOT NULL AND tournaments.guild_id = ? ORDER BY ended_at DESC, id LIMIT 1"
    return [_tournament(row) for row in db.execute(f"{_SELECT} {where}", (guild_id,))]


def latest_first(found: list[rows.Tournament]) -> list[rows.Tournament]:
    """Tournaments, the latest first."""
    return sorted(found, key=lambda each: (-each.created_at, each.id))


async def unfinished(database: Database, serves: ShardRange) -> list[rows.Tournament]:
    """All tournaments of a range that are not over."""
    return await _spanning(database, serves, "IS NULL")


async def ended_since(database: Database, serves: ShardRange, at: int) -> list[rows.Tournament]:
    """All tournaments of a range that ended at some time (ms UTC) or later."""
    return await _spanning(database, serves, ">= ?", at)


async def _spanning(database: Database, serves: ShardRange, ended: str, *values: int) -> list[rows.Tournament]:
    def page(db: Connection, after: tuple[int, str]) -> Page[rows.Tournament, tuple[int, str]]:
        where = f"WHERE tournaments.ended_at {ended} AND (tournaments.guild_id, id) > (?, ?)"
        order = "ORDER BY tournaments.guild_id, id LIMIT ?"
        found = [_tournament(row) for row in db.execute(f"{_SELECT} {where} {order}", (*values, *after, MANY))]
        return found, following([(each.guild_id, each.id) for each in found], MANY)

    found = await database.read_all(page, (-(2**63), ""))
    return [each for each in found if serves.includes(each.guild_id)]


def whole(db: Connection, guild_id: int, tournament_id: str) -> rows.Whole | None:
    """A tournament with everything that happened in it; None if there is none with this id."""
    tournament = find(db, guild_id, tournament_id)
    if tournament is None:
        return None
    here = guild_id, tournament_id
    entrants = tuple(
        [
            _entrant(row)
            for row in db.execute(
                f"SELECT {', '.join(_ENTRANT)} FROM tournament_entrants WHERE {_HERE} ORDER BY number", here
            )
        ]
    )
    rounds = db.execute(
        f"SELECT number, began_at, ended_at FROM tournament_rounds WHERE {_HERE} ORDER BY number", here
    ).fetchall()
    corrections = db.execute(
        f"SELECT round, pairing, nth, at, user_id, got FROM tournament_corrections WHERE {_HERE}"
        " ORDER BY at, round, pairing, nth",
        here,
    ).fetchall()
    pairings = _pairings(db, here, {each.number: each.user_id for each in entrants})
    if tournament.ended:  # nothing follows from matches that were in play then, but they end
        pairings = _with_ended(pairings, ended_legs(db, *here))
    return rows.Whole(
        tournament,
        entrants,
        tuple([rows.Round(*row) for row in rounds]),
        pairings,
        tuple([_correction(row) for row in corrections]),
        _asks(db, here),
    )


def _asks(db: Connection, here: tuple[int, str]) -> tuple[rows.Ask, ...]:
    found = db.execute(f"SELECT number, user_id FROM tournament_asks WHERE {_HERE} ORDER BY number", here)
    return tuple([rows.Ask(*row) for row in found])


def _pairings(db: Connection, here: tuple[int, str], users: dict[int, int]) -> tuple[rows.PairingRow, ...]:
    legs: dict[tuple[int, int], list[rows.Leg]] = {}
    for round_, pairing, leg, deal, match_id, began_at, got in db.execute(
        "SELECT round, pairing, leg, deal_id, match_id, began_at, got FROM tournament_legs"
        f" WHERE {_HERE} ORDER BY round, pairing, leg",
        here,
    ):
        legs.setdefault((round_, pairing), []).append(rows.Leg(leg, deal, match_id, began_at, _numbers(got)))
    found = db.execute(
        "SELECT round, number, people, how, got, ended_at FROM tournament_pairings"
        f" WHERE {_HERE} ORDER BY round, number",
        here,
    ).fetchall()
    return tuple(
        [
            rows.PairingRow(
                round_,
                number,
                tuple([users.get(each, _NOBODY) for each in json.loads(people)]),
                None if how is None else rows.How(how),
                _numbers(got),
                ended_at,
                tuple(legs.get((round_, number), ())),
            )
            for round_, number, people, how, got, ended_at in found
        ]
    )


def _with_ended(pairings: tuple[rows.PairingRow, ...], ended: Sequence[rows.EndedLeg]) -> tuple[rows.PairingRow, ...]:
    got = {(each.round, each.pairing, each.leg): each.got for each in ended}

    def with_got(row: rows.PairingRow) -> rows.PairingRow:
        legs = [replace(leg, got=got.get((row.round, row.number, leg.leg), leg.got)) for leg in row.legs]
        return replace(row, legs=tuple(legs))

    return tuple([with_got(row) for row in pairings])


def ended_legs(db: Connection, guild_id: int, tournament_id: str) -> list[rows.EndedLeg]:
    """The matches of a tournament that are over while their legs aren't yet."""
    found = db.execute(
        "SELECT round, pairing, leg, legs.match_id FROM tournament_legs AS legs"
        " JOIN results ON results.match_id = legs.match_id"
        " WHERE legs.guild_id = ? AND tournament_id = ? AND got IS NULL ORDER BY round, pairing, leg",
        (guild_id, tournament_id),
    ).fetchall()
    ended = []
    for round_, pairing, leg, match_id in found:
        ranks = db.execute("SELECT rank FROM seats WHERE match_id = ? ORDER BY seat", (match_id,)).fetchall()
        ended.append(rows.EndedLeg(round_, pairing, leg, tuple([rank or 0 for (rank,) in ranks])))
    return ended


def deals(db: Connection, guild_id: int, tournament_id: str) -> list[rows.DealRow]:
    """All deals of a tournament, those of rounds in play among them, which are secret."""
    return [
        rows.DealRow(*row)
        for row in db.execute(
            f"SELECT {', '.join(_DEAL)} FROM tournament_deals WHERE {_HERE} ORDER BY round, pairing, nth",
            (guild_id, tournament_id),
        )
    ]


def private_to_others(db: Connection, guild_id: int, tournament_id: str, viewer_id: int) -> list[str]:
    """The matches of a tournament that are private, and that somebody did not play."""
    found = db.execute(
        "SELECT match_id FROM tournament_legs AS legs JOIN matches ON matches.id = match_id"
        f" WHERE legs.guild_id = :guild AND tournament_id = :tournament AND {PRIVATE} AND NOT {SEATED}",
        {"guild": guild_id, "tournament": tournament_id, "viewer": viewer_id},
    )
    return [match_id for (match_id,) in found]


def of_person(db: Connection, guild_id: int, user_id: int) -> list[tuple[str, rows.EntrantRow]]:
    """In which tournaments of a server somebody is or was, by their ids."""
    return [
        (tournament_id, _entrant(tuple(row)))
        for tournament_id, *row in db.execute(
            f"SELECT tournament_id, {', '.join(_ENTRANT)} FROM tournament_entrants INDEXED BY tournament_entrants_user"
            " WHERE user_id = ? AND guild_id = ? ORDER BY joined_at, tournament_id",
            (user_id, guild_id),
        )
    ]


def asks_of(db: Connection, guild_id: int, user_id: int) -> list[tuple[str, int]]:
    """In which tournaments of a server somebody is asked to be a partner, and by the entrants with which numbers."""
    return db.execute(
        "SELECT tournament_id, number FROM tournament_asks WHERE user_id = ? AND guild_id = ?"
        " ORDER BY tournament_id, number",
        (user_id, guild_id),
    ).fetchall()


def acts_of(db: Connection, guild_id: int, user_id: int) -> tuple[list[str], list[tuple[str, rows.Correction]]]:
    """The ids of the tournaments that somebody began in a server, and the results that they set."""
    hosted = db.execute(
        "SELECT tournament_id FROM tournament_hosts WHERE user_id = ? AND guild_id = ? ORDER BY tournament_id",
        (user_id, guild_id),
    ).fetchall()
    corrected = db.execute(
        "SELECT tournament_id, round, pairing, nth, at, user_id, got"
        " FROM tournament_corrections INDEXED BY tournament_corrections_user"
        " WHERE user_id = ? AND guild_id = ? ORDER BY at, tournament_id",
        (user_id, guild_id),
    ).fetchall()
    return [each for (each,) in hosted], [(each, _correction(row)) for each, *row in corrected]


# ---------------------------------------------------------------------------------------------- writing


def create(db: Connection, tournament: rows.Tournament) -> None:
    """Add a tournament, with its host. Raises Busy while their data are being deleted."""
    begun_deletions.refuse(db, tournament.guild_id, [] if tournament.host_id is None else [tournament.host_id])
    db.execute(inserting("tournaments", *_COLUMNS), _values(tournament))
    if tournament.host_id is not None:
        host = tournament.guild_id, tournament.id, tournament.host_id
        db.execute(inserting("tournament_hosts", *_OF, "user_id"), host)


def put(db: Connection, tournament: rows.Tournament, entrants: Sequence[rows.EntrantRow] = ()) -> None:
    """Record how far a tournament is, and entrants as they are now."""
    _put(db, tournament)
    put_entrants(db, tournament.guild_id, tournament.id, entrants)
    if tournament.ended:
        _forget_asks(db, tournament)


def _forget_asks(db: Connection, tournament: rows.Tournament) -> None:
    """Nobody looks for a partner any more."""
    db.execute(f"DELETE FROM tournament_asks WHERE {_HERE}", (tournament.guild_id, tournament.id))


def ask(db: Connection, guild_id: int, tournament_id: str, ask: rows.Ask) -> None:
    """Record whom an entrant asks to be their partner, in place of whom they asked before. Raises Busy while the data
    of either are being deleted."""
    users = db.execute(
        f"SELECT user_id FROM tournament_entrants WHERE {_HERE} AND number = ?", (guild_id, tournament_id, ask.number)
    )
    begun_deletions.refuse(db, guild_id, [ask.user_id, *[user_id for (user_id,) in users]])
    db.execute(
        replacing("tournament_asks", (*_OF, "number"), "user_id"), (guild_id, tournament_id, ask.number, ask.user_id)
    )


def put_entrants(db: Connection, guild_id: int, tournament_id: str, entrants: Sequence[rows.EntrantRow]) -> None:
    """Record entrants, in place of those with the same numbers.

    Raises Busy while the data of one of them are being deleted, and if that was done since they were read: nobody's id
    comes back.
    """
    begun_deletions.refuse(db, guild_id, [each.user_id for each in entrants])
    there = f"SELECT number, user_id FROM tournament_entrants WHERE {_HERE}"
    users = dict(db.execute(there, (guild_id, tournament_id)).fetchall())
    if any(users.get(each.number, each.user_id) != each.user_id for each in entrants):
        raise Busy("data were deleted meanwhile")
    columns = tuple([name for name in _ENTRANT if name != "number"])
    db.executemany(
        replacing("tournament_entrants", (*_OF, "number"), *columns),
        [
            (guild_id, tournament_id, each.number, *[_cell(getattr(each, name)) for name in columns])
            for each in entrants
        ],
    )


def enter(db: Connection, guild_id: int, tournament_id: str, entrant: rows.EntrantRow) -> bool:
    """Record that somebody joins or comes back. False, and nothing is recorded, if that tournament and another one that
    they are in are evenings. Nobody else enters one of the server meanwhile. Raises as `put_entrants`."""
    unfinished = f"SELECT id, every FROM tournaments WHERE guild_id = ? AND ended_at IS NULL ORDER BY id {FOR_UPDATE}"
    evenings = {each for each, every in db.execute(unfinished, (guild_id,)).fetchall() if not every}
    there = (
        "SELECT tournament_id FROM tournament_entrants INDEXED BY tournament_entrants_user"
        " WHERE user_id = ? AND guild_id = ? AND left_after IS NULL"
    )
    others = {each for (each,) in db.execute(there, (entrant.user_id, guild_id)).fetchall()} - {tournament_id}
    if tournament_id in evenings and evenings & others:
        return False
    put_entrants(db, guild_id, tournament_id, [entrant])
    return True


def remove_entrants(db: Connection, guild_id: int, tournament_id: str, numbers: Sequence[int]) -> None:
    """Take entrants out of a tournament that has not begun, with what they asked. Nobody gets their numbers while
    others have higher ones."""
    for table in ("tournament_entrants", "tournament_asks"):
        db.executemany(
            f"DELETE FROM {table} WHERE {_HERE} AND number = ?",
            [(guild_id, tournament_id, number) for number in numbers],
        )


def begin(db: Connection, tournament: rows.Tournament, entrants: Sequence[rows.EntrantRow]) -> None:
    """Record that nobody joins a tournament any more, and that these are all who are in it."""
    here = tournament.guild_id, tournament.id
    kept = {each.number for each in entrants}
    joined = db.execute(f"SELECT number FROM tournament_entrants WHERE {_HERE}", here).fetchall()
    remove_entrants(db, *here, [number for (number,) in joined if number not in kept])
    put(db, tournament, entrants)
    _forget_asks(db, tournament)


def begin_round(
    db: Connection,
    tournament: rows.Tournament,
    at: int,
    *,
    entrants: Sequence[rows.EntrantRow],
    pairings: Sequence[rows.PairingRow],
    dealt: Sequence[rows.DealRow],
) -> None:
    """Begin round `tournament.round`: with entrants as they are in it, its pairings and its deals.

    Raises Conflict if it was begun before.
    """
    here = tournament.guild_id, tournament.id
    there = f"SELECT 1 FROM tournament_rounds WHERE {_HERE} AND number = ?"
    if db.execute(there, (*here, tournament.round)).fetchone() is not None:
        raise Conflict("this round was begun before")
    put(db, tournament, entrants)
    db.execute(inserting("tournament_rounds", *_OF, "number", "began_at"), (*here, tournament.round, at))
    _add_pairings(db, here, pairings)
    for deal in dealt:
        add_deal(db, *here, deal)


def add_pairings(db: Connection, guild_id: int, tournament_id: str, pairings: Sequence[rows.PairingRow]) -> None:
    """Add pairings to the round that is played. Raises Conflict if one with such a number was added before."""
    here = guild_id, tournament_id
    there = f"SELECT 1 FROM tournament_pairings WHERE {_HERE} AND round = ? AND number = ?"
    for each in pairings:
        if db.execute(there, (*here, each.round, each.number)).fetchone() is not None:
            raise Conflict("this pairing was added before")
    _add_pairings(db, here, pairings)


def _add_pairings(db: Connection, here: tuple[int, str], pairings: Sequence[rows.PairingRow]) -> None:
    numbers = _numbers_of(db, here)
    db.executemany(
        inserting("tournament_pairings", *_OF, "round", "number", "people", "how", "ended_at"),
        [
            (
                *here,
                each.round,
                each.number,
                _people(each, numbers),
                each.how,
                each.ended_at,
            )
            for each in pairings
        ],
    )


def _numbers_of(db: Connection, here: tuple[int, str]) -> dict[int, int]:
    found = db.execute(f"SELECT user_id, number FROM tournament_entrants WHERE {_HERE}", here)
    return dict(found.fetchall())


def _check_known(users: Iterable[int], numbers: dict[int, int]) -> None:
    if not {*users} <= numbers.keys():
        raise Conflict("somebody had their data deleted meanwhile")


def _people(row: rows.PairingRow, numbers: dict[int, int]) -> object:
    _check_known(row.people, numbers)
    return _cell(tuple([numbers[user_id] for user_id in row.people]))


def add_deal(db: Connection, guild_id: int, tournament_id: str, deal: rows.DealRow) -> None:
    """Add a deal, unless the one of its pairing and round is there."""
    db.execute(
        f"{inserting('tournament_deals', *_OF, *_DEAL)} ON CONFLICT DO NOTHING",
        (guild_id, tournament_id, *astuple(deal)),
    )


def begin_leg(db: Connection, at: int, begun: play.Begun, tournament_id: str, which: tuple[int, int, int]) -> None:
    """Store a match that begins by itself: `which` is its round, pairing and leg.

    Raises Conflict if it was begun before, if its pairing is over, or if somebody in it had their data deleted
    meanwhile; and what `play.open_at_once` raises.
    """
    match, (round_, pairing, leg) = begun.match, which
    key = match.guild_id, tournament_id, round_, pairing
    waits = f"SELECT how FROM tournament_pairings WHERE {_HERE} AND round = ? AND number = ? {FOR_UPDATE}"
    row = db.execute(waits, key).fetchone()
    before = f"SELECT 1 FROM tournament_legs WHERE {_HERE} AND round = ? AND pairing = ? AND leg = ?"
    if row is None or row[0] is not None or db.execute(before, (*key, leg)).fetchone() is not None:
        raise Conflict("this match was begun before")
    _check_known(match.seats, _numbers_of(db, key[:2]))
    play.open_at_once(db, at, begun)
    db.execute(
        inserting("tournament_legs", *_OF, "round", "pairing", "leg", "match_id", "deal_id", "began_at"),
        (*key, leg, match.id, match.deal_id, at),
    )


def end_leg(
    db: Connection, guild_id: int, tournament_id: str, which: tuple[int, int, int], got: tuple[int, ...]
) -> None:
    """Record what a match gave to a pairing's people, once. `which` is its round, pairing and leg."""
    db.execute(
        f"UPDATE tournament_legs SET got = ? WHERE {_HERE} AND round = ? AND pairing = ? AND leg = ? AND got IS NULL",
        (_cell(got), guild_id, tournament_id, *which),
    )


def seat(db: Connection, guild_id: int, tournament_id: str, paired: rows.PairingRow) -> None:
    """Record who is at the table of a pairing. Raises Conflict if its first match has begun."""
    here = guild_id, tournament_id
    key = *here, paired.round, paired.number
    begun = f"SELECT 1 FROM tournament_legs WHERE {_HERE} AND round = ? AND pairing = ?"
    if db.execute(begun, key).fetchone() is not None:
        raise Conflict("this match was begun before")
    db.execute(
        f"UPDATE tournament_pairings SET people = ? WHERE {_HERE} AND round = ? AND number = ?",
        (_people(paired, _numbers_of(db, here)), *key),
    )


def end_pairing(db: Connection, guild_id: int, tournament_id: str, ended: rows.PairingRow) -> None:
    """Record how a pairing ended, unless it has ended. What its legs gave is recorded too."""
    for leg in ended.legs:
        if leg.got is not None:
            end_leg(db, guild_id, tournament_id, (ended.round, ended.number, leg.leg), leg.got)
    db.execute(
        "UPDATE tournament_pairings SET how = ?, got = ?, ended_at = ?"
        f" WHERE {_HERE} AND round = ? AND number = ? AND how IS NULL",
        (*_ending(ended), guild_id, tournament_id, ended.round, ended.number),
    )


def end_round(db: Connection, tournament: rows.Tournament, at: int) -> None:
    """Record that the round of a tournament is over, and what comes then."""
    _put(db, tournament)
    db.execute(
        f"UPDATE tournament_rounds SET ended_at = ? WHERE {_HERE} AND number = ? AND ended_at IS NULL",
        (at, tournament.guild_id, tournament.id, tournament.round),
    )


def correct(db: Connection, guild_id: int, tournament_id: str, corrected: rows.PairingRow, by: rows.Correction) -> None:
    """Record a result that somebody set, and who did it. Raises Busy while their data are being deleted."""
    begun_deletions.refuse(db, guild_id, [by.user_id])
    key = guild_id, tournament_id, corrected.round, corrected.number
    db.execute(
        f"UPDATE tournament_pairings SET how = ?, got = ?, ended_at = ? WHERE {_HERE} AND round = ? AND number = ?",
        (*_ending(corrected), *key),
    )
    db.execute(
        inserting("tournament_corrections", *_OF, "round", "pairing", "nth", "at", "user_id", "got"),
        (*key, by.nth, by.at, by.user_id, _cell(by.got)),
    )


def _put(db: Connection, tournament: rows.Tournament) -> None:
    columns = tuple([name for name in _COLUMNS if name not in {"guild_id", "id"}])
    db.execute(
        f"UPDATE tournaments SET {', '.join(f'{name} = ?' for name in columns)} WHERE guild_id = ? AND id = ?",
        (*[_cell(getattr(tournament, name)) for name in columns], tournament.guild_id, tournament.id),
    )


# ---------------------------------------------------------------------------------------------- rows


def _values(tournament: rows.Tournament) -> tuple[object, ...]:
    return tuple([_cell(getattr(tournament, name)) for name in _COLUMNS])


def _cell(value: object) -> object:
    return json.dumps(value) if isinstance(value, tuple) else int(value) if isinstance(value, bool) else value


def _tournament(row: tuple[Any, ...]) -> rows.Tournament:
    columns = dict(zip(_COLUMNS, row[:-1], strict=True))
    columns |= {name: bool(columns[name]) for name in ("same_deal", "rated", "check_in", "teams")}
    hold = columns["hold"]
    columns |= {
        "format": Format(columns["format"]),
        "scoring": Scoring(columns["scoring"]),
        "state": rows.State(columns["state"]),
        "hold": None if hold is None else rows.Hold(hold),
    }
    return rows.Tournament(**columns, host_id=row[-1])


def _entrant(row: tuple[Any, ...]) -> rows.EntrantRow:
    entrant = rows.EntrantRow(*row)
    return replace(entrant, checked_in=bool(entrant.checked_in), absent=tuple(json.loads(str(entrant.absent))))


def _correction(row: Sequence[Any]) -> rows.Correction:
    round_, pairing, nth, at, user_id, got = row
    return rows.Correction(round_, pairing, nth, at, user_id, tuple(json.loads(got)))


def _numbers(cell: str | None) -> tuple[int, ...] | None:
    return None if cell is None else tuple(json.loads(cell))


def _ending(row: rows.PairingRow) -> tuple[object, ...]:
    return row.how, _cell(row.got), row.ended_at


class TournamentQueries(Part):
    """These queries, as methods."""

    find = reading(find)
    whole = reading(whole)
    of_server = listing(of_server, "", latest_first)
    latest_over = reading(latest_over)
    unfinished = spanning(unfinished, serves)
    ended_since = spanning(ended_since, serves)
    ended_legs = reading(ended_legs)
    deals = reading(deals)
    private_to_others = reading(private_to_others)
    of_person = reading(of_person)
    acts_of = reading(acts_of)
    asks_of = reading(asks_of)
    create = writing(create)
    put = writing(put)
    put_entrants = writing(put_entrants)
    enter = writing(enter)
    remove_entrants = writing(remove_entrants)
    begin = writing(begin)
    begin_round = writing(begin_round)
    add_pairings = writing(add_pairings)
    ask = writing(ask)
    add_deal = writing(add_deal)
    begin_leg = writing(begin_leg, now)
    end_leg = writing(end_leg)
    seat = writing(seat)
    end_pairing = writing(end_pairing)
    end_round = writing(end_round)
    correct = writing(correct)

    async def export(self, guild_id: int, user_id: int) -> dict[str, Any]:
        """In which tournaments somebody is or was, which they began, and which results they set. Raises StoreError."""
        entered = await self.of_person(guild_id, user_id)
        hosted, corrected = await self.acts_of(guild_id, user_id)
        asked = await self.asks_of(guild_id, user_id)
        return {
            "tournaments": {
                "entered": [
                    {
                        "tournament": tournament_id,
                        "number": each.number,
                        "joined_at": each.joined_at,
                        "checked_in": each.checked_in,
                        "seed": each.seed,
                        "first_round": each.joined,
                        "absent_rounds": list(each.absent),
                        "left_after_round": each.left_after,
                        "team": each.team,
                    }
                    for tournament_id, each in entered
                ],
                "hosted": hosted,
                "asked_to_be_a_partner": [
                    {"tournament": tournament_id, "by_number": number} for tournament_id, number in asked
                ],
                "corrections": [
                    {
                        "tournament": tournament_id,
                        "round": each.round,
                        "pairing": each.pairing,
                        "at": each.at,
                        "half_points": list(each.got),
                    }
                    for tournament_id, each in corrected
                ],
            }
        }
