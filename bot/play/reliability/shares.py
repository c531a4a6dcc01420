"""The reliability of a person in a server: the share of their matches that they finish, and of their turns in time.

The latest matches weigh most: six later matches halve what a match weighs, and so do sixty days. Everybody begins as if
they had finished some matches, so a few bad ones do not brand anybody. Several matches that ran out of time during one
absence count as one: a weekend away costs everybody less than a tenth, except new people, of whom nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from bot.store.rows.people import Attendance, Stay
from bot.store.store import Store

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
