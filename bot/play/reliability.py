"""How reliably people play: who leaves matches, who answers in time, and what others may read of that.

What is kept of a match follows from its row and log: whether its players stayed to the end, and how many of their turns
they played in time. It is kept in rows of its own, because it is read whenever somebody is asked to sit, and logs are
long. `rebuild-standings` works the rows out again. Nothing is kept of a match without a result, of an attempt at a deal
of the day, of one with fewer than two people, or of deleted people. Nor is anything kept of those who are excused: they
left a match that had lost its venue, their time ran out while they could not act, a computer made most of their seat's
moves, as its table had agreed (C-8), or they had sat down some time before it began and never came: somebody else chose
that moment. Resigning is part of play. Only to resign right after seeing a hand is to leave. Where a match counts
because somebody handed their seat over by choice and lost, they are not excused: it is as if they had resigned then.

A person's reliability is the share of their matches that they finish, and of their turns in time. The latest matches
weigh most: six later matches halve what a match weighs, and so do sixty days. Everybody begins as if they had finished
some matches, so a few bad ones do not brand anybody. Several matches that ran out of time during one absence count as
one: a weekend away costs everybody less than a tenth, except new people, of whom nothing is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any, Final

from bot.games import GAMES
from bot.play.computers.stand_ins import HAND_OVERS, SeatHolders, TakenBack, TakenOver, act_numbers
from bot.play.deals.sealing import chances_of
from bot.play.match_state import codec
from bot.store.queries.attendances import Attendance, Stay
from bot.store.queries.invitations import StandIn
from bot.store.queries.matches import MatchRow, Record, Result
from bot.store.special_ids import is_computer, is_deleted, people
from bot.store.store import Store
from engines.game import GameInfo, Resign, Seat, TimeUp, can_resign, fold, put_out

HALF_LIFE: Final = 6
"""After this many later matches, a match weighs half as much."""
HALF_TIME: Final = 60 * 24 * 3600 * 1000
"""After this many milliseconds, too."""
PRIOR_MATCHES: Final = 6.5
PRIOR_TURNS: Final = 30.0
"""What everybody begins with: matches finished, and turns in time. A person's own matches weigh less than ten."""
ABSENCE: Final = 4 * 24 * 3600 * 1000
"""Milliseconds from the first to the last match that can run out of time by one absence."""
KNOWN: Final = 3.0
"""People whose matches weigh less than this are new. Four matches of one day weigh more."""
USUAL_TURNS: Final = 15
"""The turns of a person in a match, where a number is needed."""
READ: Final = 40
"""How many of a person's latest matches are looked at. The next one would weigh a hundredth of the first."""


def left_early(act: int, own_moves: int, shortest_counted: int) -> bool:
    """Whether to resign as this act of a match (from 1) is to leave it: nobody can have played for long by then.

    It is if the match would be too short to count (`GameInfo.shortest_counted`), or if the player has not moved yet.
    """
    return act < shortest_counted or not own_moves


@dataclass(slots=True)
class _Attended:
    """What a log says of how its seats played.

    `acts` is how many acts the match had, `left` who left it before its end, and how. `handed_over` are the seats that
    their players had left to a computer by choice when it ended, and whether that was early (`left_early`). The other
    numbers are seat by seat: all moves, and the questions that the player answered and missed. In a race nobody is
    asked anything.
    """

    acts: int = 0
    left: dict[Seat, Stay] = field(default_factory=dict)
    handed_over: dict[Seat, bool] = field(default_factory=dict)
    moves: Counter[Seat] = field(default_factory=Counter)
    answered: Counter[Seat] = field(default_factory=Counter)
    missed: Counter[Seat] = field(default_factory=Counter)

    def read(self, row: MatchRow, records: Sequence[Record]) -> None:
        """Read a whole log. Raises what the codec and the rules raise if they cannot."""
        info, written = GAMES[row.game].info, codec(row.game)
        for late, out in _late_turns(row, records):
            self.missed.update(late)
            self.left.update(dict.fromkeys(out, Stay.OUT_OF_TIME))
        for record in records:
            kind = None if record.action is None else written.class_of(record.action)
            if kind is TakenOver and record.actor is None:
                self.missed.update(written.decode(record.action or "").seats)
            elif kind is TakenOver and record.actor is not None:
                self.handed_over[record.actor] = left_early(
                    self.acts + 1, self.moves[record.actor], info.shortest_counted
                )
            elif kind is TakenBack and record.actor is not None:
                self.handed_over.pop(record.actor, None)
            if kind is None or kind in HAND_OVERS:
                continue
            self.acts += 1
            if record.actor is not None:
                self._acted(record.actor, kind, info, by_computer=record.computer is not None)
        if not info.turn_clock:
            self.answered, self.missed = Counter(), Counter()

    def _acted(self, seat: Seat, kind: type, info: GameInfo[Any], *, by_computer: bool) -> None:
        if kind is Resign:
            if left_early(self.acts, self.moves[seat], info.shortest_counted):
                self.left[seat] = Stay.LEFT
        elif kind not in info.preparations:
            self.moves[seat] += 1
            self.answered[seat] += not by_computer


def _late_turns(row: MatchRow, records: Sequence[Record]) -> Iterator[tuple[frozenset[Seat], frozenset[Seat]]]:
    """The seats that each question waited for whose time ran out, and which of them that put out (C-5).

    Only a log in which time ran out is folded, because that takes far longer than to look at its acts.
    """
    game, written = GAMES[row.game], codec(row.game)
    ran_out = {
        record.seq: frozenset[Seat](written.decode(record.action).seats)
        for record in records
        if record.action and written.class_of(record.action) is TimeUp
    }
    if not ran_out:
        return
    options = written.decode(row.options)
    chance = chances_of(row, game.pack(options, len(row.seats)).pack_id)
    state = game.start(options, len(row.seats))
    for record, act in zip(records, act_numbers(records, written), strict=True):
        after = fold(game, state, written.decode_all(record.events))
        if record.seq in ran_out:
            window = game.window(state)
            late = ran_out[record.seq] or (window.awaited if window is not None else frozenset[Seat]())
            yield late, put_out(game, after, late, partial(can_resign, game, after, partial(chance, act + 1)))
        state = after


def attendances(row: MatchRow, records: Sequence[Record], result: Result) -> tuple[Attendance, ...]:
    """What is kept of a finished match, in the order of the seats. `records` is its whole log.

    Raises what the codec and the rules raise for a log that they cannot read.
    """
    if not result.ranks or not row.rated or row.day is not None or len(people(row.seats)) < 2:
        return ()
    attended = _Attended()
    attended.read(row, records)
    long_enough = attended.acts >= GAMES[row.game].info.shortest_counted
    holders = SeatHolders.of(row, records, codec(row.game))
    lost = holders.lost_by_choice(result.ranks) if row.stand_in is StandIn.UNRATED else ()
    for seat in lost:  # who hands a seat over that then loses has as good as resigned at that moment (C-8)
        if attended.handed_over.get(seat):
            attended.left.setdefault(seat, Stay.LEFT)
    excused = _excused(row, holders, result, attended.left) - ({*lost} if result.counted else set())
    return tuple(
        Attendance(
            row.id,
            seat,
            row.opened_at,
            result.ended_at,
            attended.left.get(seat, Stay.FINISHED),
            asked=attended.answered[seat] + attended.missed[seat],
            in_time=attended.answered[seat],
        )
        for seat, user in enumerate(row.seats)
        if not is_computer(user)
        and not is_deleted(user)
        and seat not in excused
        and (seat in attended.left or long_enough)
    )


def rebuilt(row: MatchRow, records: Sequence[Record], result: Result) -> tuple[Attendance, ...] | None:
    """As `attendances`; None for a match whose game is not installed, or whose log cannot be read."""
    if row.game not in GAMES or not records:
        return None
    try:
        return attendances(row, records, result)
    except Exception:  # noqa: BLE001  an altered log may hold anything, and `check` says so
        return None


def _excused(row: MatchRow, holders: SeatHolders, result: Result, left: Iterable[Seat]) -> frozenset[Seat]:
    """The seats of which nothing is kept, although the match ended with a result."""
    gone = left if row.lost_places.causes or row.unrated is not None else ()
    absent = () if row.unrated is None else (row.unrated.seat,)
    return frozenset((*holders.forfeited, *gone, *absent, *result.unaware))


class Level(IntEnum):
    """What the shares amount to, in the order of merit."""

    OFTEN_LEAVES = 0
    SOMETIMES_LEAVES = 1
    FINISHES_MOST = 2
    FINISHES_NEARLY_ALL = 3
    NEW = 4
    """Too little is known. It counts as good."""


LEAST: Final = {Level.FINISHES_NEARLY_ALL: 0.9, Level.FINISHES_MOST: 0.75, Level.SOMETIMES_LEAVES: 0.55}
"""The shares that a level takes, the better of them first."""
RELIABLE: Final = Level.FINISHES_MOST
"""The least that a table can ask for."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """What is known of a person. The shares are from 0 to 1; the numbers are those of the matches that were looked at.

    `absences` counts matches that ran out of time during one absence as one.
    """

    finished_share: float
    in_time_share: float
    weight: float
    matches: int
    finished: int
    left: int
    out_of_time: int
    absences: int
    asked: int
    in_time: int

    @property
    def level(self) -> Level:
        """What the lower of the shares amounts to."""
        if self.weight < KNOWN:
            return Level.NEW
        lower = min(self.finished_share, self.in_time_share)
        return next((level for level, least in LEAST.items() if lower >= least), Level.OFTEN_LEAVES)

    @property
    def plays_late(self) -> bool:
        """Whether they are not reliable for their turns' sake more than for their matches'."""
        return not self.is_reliable and self.in_time_share < self.finished_share

    @property
    def is_reliable(self) -> bool:
        """Whether they may sit at a table that asks for it. New people may."""
        return self.level >= RELIABLE


def reliability(attendances: Sequence[Attendance], now: int) -> Reliability:
    """What a person's latest matches say of them at a moment (ms UTC). The matches are in any order."""
    latest = sorted(attendances, key=lambda each: (each.ended_at, each.match_id), reverse=True)[:READ]
    repeated = _same_absence(latest)
    done = good = asked = in_time = 0.0
    later = 0
    for each in latest:
        weight = 2 ** (-later / HALF_LIFE - max(0, now - each.ended_at) / HALF_TIME)
        if each not in repeated:
            later += 1
            done += weight
            good += weight * (each.stay is Stay.FINISHED)
            asked += weight * each.asked
            in_time += weight * each.in_time
    stays = [each.stay for each in latest]
    return Reliability(
        finished_share=(PRIOR_MATCHES + good) / (PRIOR_MATCHES + done),
        in_time_share=(PRIOR_TURNS + in_time) / (PRIOR_TURNS + asked),
        weight=done,
        matches=len(latest),
        finished=stays.count(Stay.FINISHED),
        left=stays.count(Stay.LEFT),
        out_of_time=stays.count(Stay.OUT_OF_TIME),
        absences=stays.count(Stay.OUT_OF_TIME) - len(repeated),
        asked=sum(each.asked for each in latest),
        in_time=sum(each.in_time for each in latest),
    )


def clean_matches_needed(attendances: Sequence[Attendance], now: int) -> int:
    """After how many matches in a row, finished with all turns in time, a person would be reliable; 0 if they are."""
    needed, played = 0, list(attendances)
    while not reliability(played, now).is_reliable:
        needed += 1
        turns = USUAL_TURNS
        played.append(Attendance(f"clean{needed}", 0, now, now + needed, Stay.FINISHED, asked=turns, in_time=turns))
    return needed


async def reliability_of(store: Store, guild_id: int, user_id: int, now: int) -> Reliability:
    """What the latest matches of a person in a server say of them at a moment (ms UTC). Raises StoreError."""
    return reliability(await store.attendances(guild_id, user_id, READ), now)


def _same_absence(latest: Sequence[Attendance]) -> frozenset[Attendance]:
    """The matches that ran out of time while their player was away already, because an earlier one had: they had begun
    before that. Who begins another match is back."""
    repeated: list[Attendance] = []
    first: Attendance | None = None
    for each in reversed(latest):
        if each.stay is not Stay.OUT_OF_TIME:
            continue
        if first is not None and each.ended_at - first.ended_at <= ABSENCE and each.began_at <= first.ended_at:
            repeated.append(each)
        else:
            first = each
    return frozenset(repeated)
