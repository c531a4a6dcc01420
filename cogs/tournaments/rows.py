"""What is kept of a tournament, as values: its terms, who is in it, what was drawn and how it ended.

A pairing names its people by their numbers among the entrants. What they get is in half points for each opponent at the
table: 2 for each who did worse, and 1 for each alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from bot.pairing.model import Entrant, Format, Outcome, Pairing, Played, Scoring, half_points, most_half_points
from bot.pairing.teams import as_entrants, as_played
from bot.scheduler import DAY
from bot.store.queries.invitations import SealedDeal
from bot.store.special_ids import is_deleted

HELD: Final = 7 * DAY
"""How long (ms) a tournament is on hold at most. Then it is called off, because room is reserved for its matches."""
LOST_EVENT: Final = 0
"""In place of the id of an event."""


class State(StrEnum):
    """How far a tournament is."""

    OPEN = "open"
    """People join."""
    CHECKING = "checking"
    """Who joined says that they are here. Who doesn't is left out."""
    PLAYING = "playing"
    OVER = "over"
    CALLED_OFF = "called_off"


ELIMINATIONS: Final = frozenset({Format.SINGLE, Format.DOUBLE})
ENDED: Final = frozenset({State.OVER, State.CALLED_OFF})


class Hold(StrEnum):
    """Why no match begins. Those in play go on."""

    HOST = "host"
    """The host, or a moderator, has paused it."""
    VENUE = "place"
    """Its channel is gone, or the bot may not write there."""
    DEAL = "deal"
    """A deal can't be dealt: it was altered, or the bot was set back to older rules."""


class How(StrEnum):
    """How a pairing ended."""

    PLAYED = "played"
    BYE = "bye"
    WALKOVER = "walkover"
    """Too few of them were there to play."""
    LATE = "late"
    """It took longer than the clock allows for, so it was drawn, or decided by the matches that had ended."""
    CORRECTED = "corrected"
    """The host, or a moderator, has set the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a host wants."""

    guild_id: int
    channel_id: int
    """Where its message and its matches are."""
    game: str
    clock: str
    format: Format = Format.SWISS
    most: int = 16
    """How many people may join."""
    legs: int = 1
    """How many matches a pairing has: 1, or 2 with seats exchanged. Each has a deal of its own."""
    same_deal: bool = True
    """Whether all pairings of a round play the same deals."""
    scoring: Scoring = Scoring.WINS
    rated: bool = True
    check_in: bool = False
    """Whether people say again before the first round that they are here."""
    every: int = 0
    """Seconds from the start of a round to that of the next; 0 for an evening, where the next begins at once."""
    teams: bool = False
    """Whether two play together as a team."""
    seats: int = 2
    """How many sit at a table, more than two in Swiss only; at some one less, where people can't be divided so."""
    lasts: int = 0
    """For how many minutes an arena begins matches; 0 for the others."""

    def columns(self) -> dict[str, Any]:
        """These, by the names that a `Tournament` has for them, too."""
        return {each.name: getattr(self, each.name) for each in fields(Terms)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament(Terms):
    """A tournament's terms, and how far it is. Times are in ms UTC."""

    id: str
    message_id: int | None
    options: str
    """As a match's row has them."""
    rounds: int
    """The number of rounds, as many as the format needs: 0 while people join, and always for an elimination."""
    created_at: int
    closes_at: int
    """When nobody can join any more, unless it is full before."""
    state: State = State.OPEN
    hold: Hold | None = None
    """It stays if it was called off for that."""
    held_at: int | None = None
    """Since when it is on hold."""
    round: int = 0
    """The latest round that was paired."""
    due_at: int | None = None
    """When the check-in ends, the next round begins, or an arena begins no more matches."""
    began_at: int | None = None
    ended_at: int | None = None
    event_id: int | None = None
    """Its event in the server's calendar; None without one, and once it is over;
    `LOST_EVENT` if it is gone, or the bot may not change it."""
    host_id: int | None = field(default=None, compare=False)
    """None once they have had their data deleted."""

    @property
    def ended(self) -> bool:
        """Whether nothing will happen in it any more."""
        return self.state in ENDED

    @property
    def held_until(self) -> int | None:
        """When it is called off unless it is resumed; None while it is not on hold."""
        return None if self.held_at is None else self.held_at + HELD

    @property
    def takes_late(self) -> bool:
        """Whether people may join while it is played."""
        if self.format is Format.ARENA:
            return self.state is State.PLAYING and self.due_at is not None
        return self.format is Format.SWISS and not self.teams and 0 < self.round < self.rounds


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """Somebody in a tournament. `number` counts from 1 in the order of joining, and nobody gets another's."""

    number: int
    user_id: int
    joined_at: int
    checked_in: bool = False
    seed: int = 0
    """As `Entrant` has it; 0 while people join."""
    joined: int = 1
    absent: tuple[int, ...] = ()
    left_after: int | None = None
    team: int | None = None
    """The number that both of a team have: its seed. None while people join, and without teams."""

    @property
    def there(self) -> bool:
        """Whether they are in it now."""
        return self.left_after is None


@dataclass(frozen=True, slots=True)
class Leg:
    """A match of a pairing, with its own deal, so nobody plays a deal twice. In each one after the first everybody has
    moved on by one seat."""

    leg: int
    """From 1."""
    deal: str
    """The id of its deal."""
    match_id: str
    began_at: int
    got: tuple[int, ...] | None = None
    """Half points in the order of the pairing, not of the seats; None while it is in play."""


@dataclass(frozen=True, slots=True)
class PairingRow:
    """People who meet in a round, or one with a bye, and their matches so far."""

    round: int
    number: int
    """From 1 in each round."""
    people: tuple[int, ...]
    """Users, by their seats in leg 1."""
    how: How | None = None
    """None while it is not over."""
    got: tuple[int, ...] | None = None
    """Half points of each, where they aren't those of the legs: of a walkover and a corrected result."""
    ended_at: int | None = None
    legs: tuple[Leg, ...] = ()

    @property
    def is_bye(self) -> bool:
        """Whether nobody meets anybody in it."""
        return len(self.people) == 1

    @property
    def in_play(self) -> Leg | None:
        """The match that is being played; None between matches, and when all are over."""
        return next((leg for leg in self.legs if leg.got is None), None)

    def total(self) -> tuple[int, ...]:
        """The half points of each in all matches that are over."""
        ended = [leg.got for leg in self.legs if leg.got is not None]
        return tuple([sum(got) for got in zip(*ended, strict=True)]) if ended else (0,) * len(self.people)

    def seats(self, leg: int) -> tuple[int, ...]:
        """Who sits where in a leg. Raises RuntimeError for a bye."""
        if self.is_bye:
            raise RuntimeError("nobody plays in a bye")
        return _turned(self.people, leg - 1)


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was paired."""

    number: int
    began_at: int
    ended_at: int | None


@dataclass(frozen=True, slots=True)
class DealRow(SealedDeal):
    """A sealed deal of a round. It is secret until the round is over. It has no seed for
    those to whom all its matches are private.

    `pairing` is 0 where all pairings play it. `nth` is the leg that is played with it, from 1: further ones than the
    tournament has are for those who tied in an elimination.
    """

    round: int
    pairing: int
    nth: int


@dataclass(frozen=True, slots=True)
class Correction:
    """A result that somebody set, in half points. Who did it is gone with their data."""

    round: int
    pairing: int
    nth: int
    at: int
    user_id: int
    got: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """That an entrant, by their number, asks somebody to be their partner, who may not have joined yet."""

    number: int
    user_id: int


@dataclass(frozen=True, slots=True)
class EndedLeg:
    """A match of a pairing that is over while its leg isn't yet: `ranks` by seat, all equal if it was called off,
    because nobody knows who would have won."""

    round: int
    pairing: int
    leg: int
    ranks: tuple[int, ...]

    @property
    def got(self) -> tuple[int, ...]:
        """The half points in the order of the pairing."""
        return _turned(half_points([-rank for rank in self.ranks]), 1 - self.leg)


@dataclass(frozen=True, slots=True)
class Whole:
    """A tournament with everything that happened in it."""

    tournament: Tournament
    entrants: tuple[EntrantRow, ...]
    """In the order of joining, with those who have left."""
    rounds: tuple[Round, ...]
    pairings: tuple[PairingRow, ...]
    corrections: tuple[Correction, ...]
    asks: tuple[Ask, ...] = ()
    """Of a tournament of teams while people join."""

    @property
    def people(self) -> tuple[EntrantRow, ...]:
        """Who is in it now."""
        return tuple([each for each in self.entrants if each.there and not is_deleted(each.user_id)])

    @property
    def takes_late(self) -> bool:
        """Whether there is room for people who join while it is played."""
        return self.tournament.takes_late and len(self.people) < self.tournament.most

    @property
    def this_round(self) -> Round | None:
        """The latest round that was paired."""
        return self.rounds[-1] if self.rounds else None

    @property
    def in_round(self) -> tuple[PairingRow, ...]:
        """The pairings of the latest round."""
        return self.of_round(self.tournament.round)

    def of_round(self, number: int) -> tuple[PairingRow, ...]:
        """The pairings of a round."""
        return tuple([each for each in self.pairings if each.round == number])

    def entrant(self, user_id: int) -> EntrantRow | None:
        """Somebody in it, also if they have left; None for others."""
        return next((each for each in self.entrants if each.user_id == user_id), None)

    def pairing(self, number: int, user_id: int) -> PairingRow | None:
        """The pairing of somebody in a round, in an arena the latest one."""
        return next((each for each in reversed(self.of_round(number)) if user_id in each.people), None)

    def tables(self, pairing: PairingRow) -> tuple[PairingRow, ...]:
        """The pairings of a round that count together with one: those of the same two teams."""

        def sides(row: PairingRow) -> set[int]:
            return {self.side(each) for each in row.people}

        return tuple([each for each in self.of_round(pairing.round) if sides(each) == sides(pairing)])

    def side(self, user_id: int) -> int:
        """What somebody is in pairings and standings: their team's number, or they themselves."""
        entrant = self.entrant(user_id)
        return user_id if entrant is None or entrant.team is None else entrant.team

    def members(self, side: int) -> tuple[EntrantRow, ...]:
        """Who plays as one side, the stronger first."""
        found = [each for each in self.entrants if (each.team if self.tournament.teams else each.user_id) == side]
        return tuple(sorted(found, key=lambda each: each.seed))

    @property
    def as_people(self) -> tuple[Entrant, ...]:
        """Who is in it, each by themselves."""
        return tuple(
            [
                Entrant(each.user_id, each.seed, each.joined, frozenset(each.absent), each.left_after, each.team)
                for each in self.entrants
            ]
        )

    @property
    def model(self) -> tuple[Entrant, ...]:
        """Who is in it, as pairing and standings look at them: people, or teams by their numbers."""
        return as_entrants(self.as_people) if self.tournament.teams else self.as_people

    @property
    def played(self) -> tuple[Played, ...]:
        """What is over, as pairing and standings look at it."""
        return self.played_in(self.pairings)

    def played_in(self, pairings: Sequence[PairingRow]) -> tuple[Played, ...]:
        """The same of these. Of two teams it needs both pairings."""
        found = tuple([_played(each) for each in pairings if each.how is not None])
        return as_played(self.as_people, found) if self.tournament.teams else found


def _turned(each: tuple[int, ...], by: int) -> tuple[int, ...]:
    by %= len(each)
    return each[by:] + each[:by]


def _played(row: PairingRow) -> Played:
    pairing = Pairing(*row.people)
    if row.how is How.BYE:
        return Played(row.round, pairing)
    ended = [leg for leg in row.legs if leg.got is not None]
    if row.got is not None or not ended:
        got = row.got or drawn(row)
        outcome = Outcome(*points_of(got), deal=-row.number)  # a number that no deal has
        return Played(row.round, pairing, (outcome,), walkover=row.how is How.WALKOVER or not any(got))
    outcomes = [Outcome(*points_of(leg.got), deal=_deal_number(leg.deal)) for leg in ended if leg.got is not None]
    return Played(row.round, pairing, tuple(outcomes))


def points_of(got: tuple[int, ...]) -> tuple[float, ...]:
    """Half points for each opponent as points for a match: from 1 for the first to 0 for the last."""
    return tuple([each / most_half_points(len(got)) for each in got])


def drawn(row: PairingRow) -> tuple[int, ...]:
    """The half points of each where nobody did better than anybody."""
    return half_points([0] * len(row.people))


def alone(row: PairingRow, there: Sequence[int]) -> tuple[int, ...]:
    """The half points of each where too few were there to play, who get all."""
    return tuple([most_half_points(len(row.people)) * (each in there) for each in row.people])


def _deal_number(deal_id: str) -> int:
    """A number for each deal: equal ones were dealt alike."""
    return int.from_bytes(deal_id.encode())
