"""How a finished match went, from its log alone: who was ahead when, and the facts for its story.

Who is ahead is what the board counts (`Presenter.lead`), which everybody could see. Each fact is exact: it has the
numbers of its sentence, and holds for any reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, takewhile
from typing import Final

from bot.play.facts.replayed_log import is_move
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.store.queries.matches import Record
from cogs.screens.presenter import Lead, Presenter
from engines.game import Resign, Seat, fold
from engines.players.review import Measure, Review

FEWEST_CHANGES: Final = 3
"""A lead that changed less often is nothing to tell."""
LOW: Final = 0.5
"""Of an even chance: a winner who once had no more was lucky, or good."""


class Kind(StrEnum):
    """What a fact says; the value ends the key of its sentence."""

    COMEBACK = "comeback"
    """The winner was once far behind: what `first` is of their number, and `second` of the best."""
    NEVER_BEHIND = "never_behind"
    """The winner was never behind, and somebody else was."""
    BEHIND = "behind"
    """The winner was behind after `first` of `second` moves."""
    CHANGES = "changes"
    """Another player was alone ahead than before, `first` times."""
    AHEAD = "ahead"
    """The winner was alone ahead after each of the last `first` moves."""
    CHANCE = "chance"
    """The winner's chance was once `first` percent, by the review."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of a match, about a seat unless it is about all."""

    kind: Kind
    seat: Seat | None
    first: int = 0
    second: int = 0


@dataclass(frozen=True, slots=True)
class Course:
    """Who was ahead in a match: after the deal and after each of its records, as far as its game tells. `moves` are the
    records that are moves, by their numbers, and `winner` is who won alone."""

    leads: tuple[Lead, ...]
    moves: tuple[int, ...]
    winner: Seat | None

    @property
    def won(self) -> tuple[Lead, ...]:
        """The leads that say how the winner stood; none if nobody won alone, or one of them doesn't say it."""
        return self.leads if all(self.winner in lead.numbers for lead in self.leads) else ()


def course_of(match: LiveMatch, records: Sequence[Record], presenter: Presenter) -> Course:
    """The course of a match that is over, from its whole log.

    Raises RuntimeError for one that is secret: it may be a deal that others still play.
    """
    if match.secret or match.result is None:
        raise RuntimeError("how a match went is secret until nothing of it is")
    coded = codec(match.game.info.key)
    state, leads = match.game.start(match.options, len(match.seats)), list[Lead]()
    for record in records:
        state = fold(match.game, state, coded.decode_all(record.events))
        lead = presenter.lead(match.game.observe_public(state))
        if lead is not None and lead.numbers:
            leads.append(lead)
    acts = [
        (number, coded.class_of(record.action))
        for number, record in enumerate(records)
        if record.action and record.actor is not None
    ]
    moves = [
        number for number, act in acts if is_move(act, match.game.info.preparations) and not issubclass(act, Resign)
    ]
    first = [seat for seat, rank in enumerate(match.result.ranks) if rank == 1]
    told = leads if len(leads) == len(records) and all(lead.counted for lead in leads) else []
    return Course(tuple(told), tuple(moves), first[0] if len(first) == 1 else None)


def facts_of(course: Course, review: Review) -> Iterator[Fact]:
    """The facts of a match's story: what says most of how it went, then the winner's least chance."""
    told = next((fact for detect in DETECTORS if (fact := detect(course)) is not None), None)
    if told is not None:
        yield told
    chance = least_chance(course, review)
    if chance is not None:
        yield chance


def comeback(course: Course) -> Fact | None:
    """That the winner was once far behind: where they were farthest."""
    behind = [lead for lead in course.won if lead.is_far_behind(_seat(course))]
    if not behind:
        return None
    seat = _seat(course)
    worst = max(behind, key=lambda lead: _distance(lead, seat))
    return Fact(Kind.COMEBACK, seat, worst.numbers[seat], worst.best)


def never_behind(course: Course) -> Fact | None:
    """That the winner was never behind, though others were before the last move."""
    seat, leads = course.winner, course.won
    contested = any(len(set(lead.numbers.values())) > 1 for lead in leads[:-1])
    if seat is None or not contested or any(_is_behind(lead, seat) for lead in leads):
        return None
    return Fact(Kind.NEVER_BEHIND, seat)


def mostly_behind(course: Course) -> Fact | None:
    """That the winner was behind after at least half of the moves."""
    seat, leads, moves = course.winner, course.won, course.moves
    if seat is None or not leads:
        return None
    behind = sum(_is_behind(leads[number], seat) for number in moves)
    return Fact(Kind.BEHIND, seat, behind, len(moves)) if behind > 1 and 2 * behind >= len(moves) else None


def lead_changes(course: Course) -> Fact | None:
    """How often another player was alone ahead than before."""
    alone = [seat for lead in course.leads if (seat := _alone_ahead(lead)) is not None]
    changes = len([*groupby(alone)]) - 1
    return Fact(Kind.CHANGES, None, changes) if changes >= FEWEST_CHANGES else None


def ahead_to_the_end(course: Course) -> Fact | None:
    """After how many of the last moves the winner was alone ahead."""
    seat, leads = course.winner, course.won
    if seat is None or not leads or _alone_ahead(leads[-1]) != seat:
        return None
    last = [*takewhile(lambda number: _alone_ahead(leads[number]) == seat, reversed(course.moves))]
    return Fact(Kind.AHEAD, seat, len(last)) if len(last) > 1 else None


DETECTORS: Final[Sequence[Callable[[Course], Fact | None]]] = (
    comeback,
    never_behind,
    mostly_behind,
    lead_changes,
    ahead_to_the_end,
)
"""What is looked for; a story has the first that is found."""


def least_chance(course: Course, review: Review) -> Fact | None:
    """The winner's least chance of those in the review's curve, if it was low."""
    seat = course.winner
    if seat is None or review.measure is not Measure.CHANCE or not review.curve:
        return None
    values = [point.values for point in review.curve]
    least = min(each[seat] for each in values)
    return Fact(Kind.CHANCE, seat, round(100 * least)) if least * len(values[0]) <= LOW else None


def _seat(course: Course) -> Seat:
    """Who won alone. Raises LookupError for a match that nobody did."""
    if course.winner is None:
        raise LookupError("nobody won alone")
    return course.winner


def _is_behind(lead: Lead, seat: Seat) -> bool:
    return lead.numbers[seat] != lead.best


def _distance(lead: Lead, seat: Seat) -> float:
    low, high = sorted((lead.numbers[seat], lead.best))
    return (high + 1) / (low + 1)


def _alone_ahead(lead: Lead) -> Seat | None:
    """Who is ahead of all others; None if several are."""
    best = [seat for seat, number in lead.numbers.items() if number == lead.best]
    return best[0] if len(best) == 1 and len(lead.numbers) > 1 else None
