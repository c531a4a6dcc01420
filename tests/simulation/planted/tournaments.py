"""Faults in tournaments: results and matches that are counted wrongly."""

from __future__ import annotations

from functools import partial
from typing import Final

from bot.pairing.model import half_points
from bot.store.queries import play
from bot.store.queries.database import Connection
from bot.store.queries.play import Begun
from cogs.tournaments.matches import TournamentMatches
from cogs.tournaments.rounds import Director
from cogs.tournaments.rows import EndedLeg
from tests.simulation import tournaments
from tests.simulation.planted.fault import Fault, replaced
from tests.simulation.weather_fields import Weather

_EVENING: Final = Weather(tables=0, cups=6, thinking=4.0)


def _of_seats(ended: EndedLeg) -> tuple[int, ...]:
    """The half points of seats, as if nobody ever moved on by one and the lower rank were the worse one."""
    return half_points(ended.ranks)


async def _forget(matches: TournamentMatches, _tournament: str, _which: tuple[int, int, int], begun: Begun) -> None:
    """Save a match that begins, and not which pairing it is of."""
    await matches.queries.database.write(partial(_begin, begun))


def _begin(begun: Begun, db: Connection) -> None:
    play.open_at_once(db, begun.match.opened_at, begun)


TOURNAMENTS: Final = (
    Fault(
        "results exchanged",
        "who loses a match of a tournament gets its point",
        frozenset({"tournaments follow"}),
        _EVENING,
        (3, 1),
        0.25,
        (replaced(EndedLeg, "got", property(_of_seats)),),
    ),
    Fault(
        "director deaf",
        "the end of a tournament's match wakes nobody",
        frozenset({"rounds end"}),
        Weather(tables=0, servers=2, cups=4, thinking=10.0),
        (3, 2, 4, 6),
        0.75,
        (replaced(Director, "match_changed", lambda *_: None),),
        # What people do to a tournament wakes its director too, so they do little.
        (replaced(tournaments, "LEAVES", 0.0), replaced(tournaments, "HOST_COMES", 200.0)),
        slow=True,
    ),
    Fault(
        "match of no pairing",
        "a match begins whose pairing is never told of it, and so does another",
        frozenset({"tournaments are apart"}),
        _EVENING,
        (3, 1),
        0.25,
        (replaced(TournamentMatches, "_save", _forget),),
        slow=True,
    ),
)
