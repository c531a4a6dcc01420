"""`make calibrate`: whether what a review's curve says comes true, in how many matches of a hundred.

Computers of all levels and model people play each game, for each number of players. At some moments of each match it is
kept what the curve's judge says of each seat, and at the end who won.

- *Learning*: `--learn` fits the slopes and leads of `engines/players/review/chances.csv` to matches of its own.
- *Measuring*: other matches are played, and what the curve says, by that file, is held against what happens. The table
  has ten bins and goes to `calibration.csv` here; a line for each setup and quarter is printed.

In half of the matches all seats are of one kind, in the others each is of any. A *person* plays by rule of thumb and
slips: in up to four acts of ten, drawn for each match, the act is any candidate. A quarter of a match begins at a
number of acts: a quarter, a half, three quarters of those that the middle match has. So nothing that is said there
knows how long the match will be.

*Error* is the mean distance between what is said and what happens, bin by bin (ECE), for one seat of each match, drawn
by chance; *Brier* the mean square of it. `raw` is what the judge says, before its word is weighed by the file.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final, TypeAlias

from engines import GAMES
from engines.game import AnyGame, Seat
from engines.players.levels import LEVELS, PLAYERS
from engines.players.player import Expired, Player, Policy, Situation, Thought
from engines.players.review import chances
from engines.players.review.chances import COLUMNS, PERSON, SHIPPED, Chances, Setup, Trust, chances_of, setting_of, word
from engines.players.review.curve import CurveSearch
from engines.players.review.reviewing import CURVE_SHARE
from engines.players.review.walk import Stage, Walked
from engines.players.review.ways import Shares, way_of
from laws.play import Clock, Deal
from tests.arena.report import row_of

LEARNED: Final = Path(chances.__file__).with_name(SHIPPED)
MEASURED: Final = Path(__file__).with_name("calibration.csv")
FIRST: Final = 200
"""Matches that say how long the middle one is."""
MOMENTS: Final = (0, 1 / 8, 1 / 4, 1 / 2, 3 / 4, 1, 3 / 2)
"""When what is said is learned from, as parts of the middle match."""
QUARTERS: Final = (0, 1 / 4, 1 / 2, 3 / 4)
"""When it is measured."""
FEWEST: Final = 300
"""Of fewer matches nothing is learned, nor measured."""
LONGEST: Final = 1000
"""Matches of more acts are left out: some computers of Champions tie for ever."""
SLIPS: Final = 0.4
"""The most that a person slips."""
BINS: Final = 10
RIDGE: Final = 4.0
"""How many matches' worth of belief that a judge is right and all players are equal."""
SWEEPS: Final = 12


OTHERS: Final[Mapping[str, Mapping[str, Any]]] = {"champions": {"victory_dice": True}, "unbreakable": {"pace": "swift"}}
"""What else changes how much a judge's word is worth, and is in no preset."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is played, by how many."""

    game: AnyGame
    options: Any
    seats: int

    @property
    def setup(self) -> Setup:
        """The part of the file that it belongs to."""
        key = self.game.info.key
        return Setup(key, setting_of(key, self.options), self.seats)


def settings() -> Iterator[Setting]:
    """All that is calibrated: the presets, Victory Dice, and swift play."""
    for key in PLAYERS:
        game = GAMES[key]
        options = list(game.info.presets.values())
        if key in OTHERS:
            options.append(replace(options[0], **OTHERS[key]))
        found = set[Setup]()
        for each in options:
            for seats in game.info.seats:
                setting = Setting(game, each, seats)
                if setting.setup not in found:
                    found.add(setting.setup)
                    yield setting


# ---------------------------------------------------------------------------------------------- matches


@dataclass(frozen=True, slots=True)
class Said:
    """What the judge said of each seat at a moment, after so many acts, who sat there, who was asked,
    and how the win was shared."""

    moment: str
    after: int
    said: Shares
    players: tuple[str, ...]
    asked: tuple[Seat, ...]
    happened: Shares

    def true(self, chances: Chances) -> Shares:
        """What the curve makes of it."""
        return chances.true(self.said, self.players, self.after, self.asked)


Cells: TypeAlias = tuple[str, ...]
"""A row of a file."""
Row: TypeAlias = list[list[float]]
"""For each seat that plays, how much each factor counts; nothing for others."""
Moments: TypeAlias = Callable[[int], Mapping[str, int]]
"""After how many acts something is kept, by the moment's name, for a match of so many acts."""


def kinds_of(setting: Setting, *, searching: bool) -> list[str]:
    """Who plays: the levels offered, without those that search if these aren't wanted, and people."""
    levels = LEVELS[setting.game.info.key]
    return [
        PERSON,
        *[
            name
            for name, level in levels.items()
            if level.offered(setting.options, setting.seats) and (searching or not level.rollouts)
        ],
    ]


@dataclass(frozen=True, slots=True)
class Careless:
    """A `Policy` of a person: by rule of thumb, but in this share of acts any candidate."""

    player: Player[Any, Any, Any]
    share: float

    def __call__(
        self,
        situation: Situation[Any, Any],
        rng: Random,
        rollouts: int,  # noqa: ARG002  it plays none
        expired: Expired,  # noqa: ARG002  it is quick
    ) -> Thought[Any]:
        """Choose an act."""
        if rng.random() < self.share:
            return Thought(rng.choice(self.player.candidates(situation)))
        return Thought(self.player.rule_of_thumb(situation, rng))


def policies(key: str, kinds: Sequence[str], rng: Random) -> list[tuple[Policy[Any, Any], int]]:
    """How the seats choose, and the rollouts they have."""
    found: list[tuple[Policy[Any, Any], int]] = []
    for kind in kinds:
        if kind == PERSON:
            found.append((Careless(PLAYERS[key], SLIPS * rng.random()), 0))
        else:
            found.append((LEVELS[key][kind].policy, LEVELS[key][kind].rollouts))
    return found


def seated(kinds: Sequence[str], seats: int, rng: Random) -> tuple[str, ...]:
    """Who sits where: all of one kind, or anybody anywhere."""
    if rng.random() < 0.5:
        return (rng.choice(kinds),) * seats
    return tuple([rng.choice(kinds) for _ in range(seats)])


def played(setting: Setting, kinds: Sequence[str], rng: Random) -> list[Stage]:
    """The stages of a match that these play to its end; none if it hasn't ended after `LONGEST` acts."""
    game, key, seats = setting.game, setting.game.info.key, setting.seats
    deal = Deal(game, setting.options, seats, rng.randbytes(32))
    chance, clock, choosing = deal.chances(), Clock(), policies(key, kinds, rng)
    _, opening = deal.open()
    table = Walked(game, PLAYERS[key], setting.options, seats)
    table.see(opening)
    stages: list[Stage] = []
    while (window := game.window(table.state)) is not None:
        clock.look(window)
        spots, seat, action = table.spots(None), None, None
        if spots:
            policy, rollouts = choosing[spots[0].seat]
            action = policy(spots[0].situation, rng, rollouts, _never).action
            seat, spots = spots[0].seat, (replace(spots[0], made=action), *spots[1:])
        stages.append(Stage(len(stages), spots, None, None))
        if len(stages) > LONGEST:
            return []
        table.see(game.decide(table.state, seat, action or clock.ring(), chance(len(stages))))
    return [*stages, Stage(len(stages), (), None, game.outcome(table.state))]


def _never() -> bool:
    return False


def said_in(
    stages: Sequence[Stage], setting: Setting, players: tuple[str, ...], when: Moments, luck: int
) -> list[Said]:
    """What the curve's judge said in a match at these moments."""
    way = way_of(setting.game.info.key)
    curve = CurveSearch(way, Chances(), luck, int(way.rollouts * CURVE_SHARE), _never)
    curve.share_out(len([stage for stage in stages if stage.spots]))
    *asked, end = stages
    happened = shares_of(end, setting.seats)
    found = []
    for moment, after in when(len(asked)).items():
        if after < len(asked) and asked[after].spots:
            said = curve.said(asked[after], asked[after - 1] if after else None)
            asked_now = tuple([spot.seat for spot in asked[after].spots])
            found.append(Said(moment, after, said, players, asked_now, happened))
    return found


def shares_of(end: Stage, seats: int) -> Shares:
    """How the win is shared at the end of a match."""
    assert end.outcome is not None
    winners = end.outcome.winners
    return tuple([1 / len(winners) if seat in winners else 0.0 for seat in range(seats)])


def lengths(setting: Setting, kinds: Sequence[str], seed: int) -> int:
    """How many acts the middle match has."""
    rng = Random(f"lengths {setting.setup} {seed}")
    return round(median([len(played(setting, seated(kinds, setting.seats, rng), rng)) - 1 for _ in range(FIRST)]))


def matches(
    setting: Setting, kinds: Sequence[str], when: Moments, seed: str, *, count: int, seconds: float
) -> Iterator[list[Said]]:
    """What was said in so many matches, or in those that this CPU time allows."""
    rng, begun = Random(f"{seed} {setting.setup}"), time.process_time()
    for _ in range(count):
        if time.process_time() - begun > seconds:
            return
        players = seated(kinds, setting.seats, rng)
        stages = played(setting, players, rng)
        if stages:
            yield said_in(stages, setting, players, when, rng.getrandbits(64))


def by_moment(found: Iterable[list[Said]]) -> dict[str, list[Said]]:
    """What was said in some matches, by the moments, the earliest first."""
    moments: dict[str, list[Said]] = {}
    for match in found:
        for each in match:
            moments.setdefault(each.moment, []).append(each)
    return moments


# ---------------------------------------------------------------------------------------------- learning


def learned(found: Sequence[Said], kinds: Sequence[str]) -> dict[str, Trust]:
    """The slopes and leads of these kinds that make what happened likeliest, of what was said after as many acts.

    To be asked is worth the same to all kinds, so that chance has less to fit. All are held near slopes of 1 and leads
    of 0 by `RIDGE`; slopes are never negative, so more is never said to be less.
    """
    size, rows = len(kinds), [(_row(each, kinds), each.happened) for each in found]
    *at, asked = likeliest(rows, [1.0] * size + [0.0] * size + [0.0], floors=size)
    return {kind: Trust(slope, lead, asked) for kind, slope, lead in zip(kinds, at[:size], at[size:], strict=True)}


def likeliest(rows: Sequence[tuple[Row, Shares]], believed: Sequence[float], floors: int) -> list[float]:
    """The factors that make what happened most likely, where a seat's weight is e to the power of the sum of its
    counts, each times its factor.

    A row has the counts of each seat, none for one that doesn't play, and how the win was shared. By Newton's steps on
    the logarithm of the likelihood, held near what is believed by `RIDGE`; the first `floors` factors are at least 0.
    """
    size, at = len(believed), list(believed)
    for _ in range(SWEEPS):
        slope = [RIDGE * (wanted - value) for wanted, value in zip(believed, at, strict=True)]
        bend = [[RIDGE * (row == column) for column in range(size)] for row in range(size)]
        for row, happened in rows:
            _add(row, happened, at, slope, bend)
        at = [value + step for value, step in zip(at, _solved(bend, slope), strict=True)]
        at = [max(0.0, value) if index < floors else value for index, value in enumerate(at)]
    return at


def _row(each: Said, kinds: Sequence[str]) -> Row:
    """For each seat that plays, how much each slope and lead counts in its weight (`Chances.true`); for others none."""
    playing = [seat for seat, share in enumerate(each.said) if share > 0]
    shares = [sum([each.players[seat] == kind for seat in playing]) / len(playing) for kind in kinds]
    found: Row = [[] for _ in each.said]
    for seat in playing:
        leads = [float(each.players[seat] == kind) for kind in kinds]
        found[seat] = [*[share * word(each.said[seat]) for share in shares], *leads, float(seat in each.asked)]
    return found


def _add(row: Row, happened: Shares, at: Sequence[float], slope: list[float], bend: list[list[float]]) -> None:
    """Add what one saying tells to the slope and the bend of the likelihood."""
    playing = [(counts, share) for counts, share in zip(row, happened, strict=True) if counts]
    weights = [exp(sum([one * other for one, other in zip(counts, at, strict=True)])) for counts, _ in playing]
    total = sum(weights)
    middle = [0.0] * len(at)
    for (counts, _), weight in zip(playing, weights, strict=True):
        for index, count in enumerate(counts):
            middle[index] += weight / total * count
    for (counts, share), weight in zip(playing, weights, strict=True):
        away = [count - mean for count, mean in zip(counts, middle, strict=True)]
        for index, far in enumerate(away):
            if far:
                slope[index] += share * far
                line, by = bend[index], weight / total * far
                for other, farther in enumerate(away):
                    line[other] += by * farther


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """The solution of a system of equations, by elimination."""
    size = len(right)
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda index: abs(rows[index][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for index in range(size):
            if index != column and rows[index][column]:
                by = rows[index][column] / rows[column][column]
                rows[index] = [one - by * other for one, other in zip(rows[index], rows[column], strict=True)]
    return [rows[index][size] / rows[index][index] for index in range(size)]


def learn(setting: Setting, kinds: Sequence[str], count: int, seconds: float, seed: int) -> list[Cells]:
    """The rows of a setup, from matches of its own."""
    middle = lengths(setting, kinds, seed)
    moments = {str(after): after for after in [round(part * middle) for part in MOMENTS]}
    rows: list[Cells] = []
    for found in by_moment(
        matches(setting, kinds, lambda _: moments, f"learn {seed}", count=count, seconds=seconds)
    ).values():
        if len(found) < FEWEST:
            continue
        counted = Counter([player for each in found for player in set(each.players)])
        begun = *setting.setup[:2], str(setting.seats), found[0].moment
        rows += [
            (*begun, kind, f"{trust.slope:.3f}", f"{trust.lead:.3f}", f"{trust.asked:.3f}", str(counted[kind]))
            for kind, trust in learned(found, kinds).items()
        ]
    return rows


# ---------------------------------------------------------------------------------------------- measuring


@dataclass(frozen=True, slots=True)
class Seen:
    """What was said of a seat's chance, and which share of the win it got."""

    said: float
    happened: float


def binned(seen: Iterable[Seen]) -> list[list[Seen]]:
    """These by what was said, in ten bins."""
    bins: list[list[Seen]] = [[] for _ in range(BINS)]
    for each in seen:
        bins[min(BINS - 1, int(each.said * BINS))].append(each)
    return bins


def error_of(seen: Sequence[Seen]) -> float:
    """The calibration error (ECE)."""
    return sum([abs(sum([each.said - each.happened for each in row])) for row in binned(seen)]) / len(seen)


def brier_of(seen: Sequence[Seen]) -> float:
    """The mean square of what was said and didn't happen."""
    return sum([(each.said - each.happened) ** 2 for each in seen]) / len(seen)


def luck_of(seen: Sequence[Seen], rng: Random) -> float:
    """The calibration error that true chances would have by luck alone, on average."""
    tries = [error_of([Seen(each.said, float(rng.random() < each.said)) for each in seen]) for _ in range(20)]
    return sum(tries) / len(tries)


MEASURES: Final = (
    "game",
    "setting",
    "players",
    "who",
    "moment",
    "matches",
    "error raw",
    "error",
    "by luck",
    "brier raw",
    "brier",
    *[f"bin {index}" for index in range(1, BINS + 1)],
)


def measure(setting: Setting, kinds: Sequence[str], count: int, seconds: float, seed: int) -> list[Cells]:
    """The rows of a reliability table: of each moment, for all matches, for those among equals, and for the others."""
    middle, rng = lengths(setting, kinds, seed), Random(seed)
    chances = chances_of(setting.game.info.key, setting.options, setting.seats)

    def when(acts: int) -> Mapping[str, int]:
        fixed = {f"act {round(part * middle)}": round(part * middle) for part in QUARTERS}
        return fixed | {f"{part:.0%} of it": int(part * acts) for part in QUARTERS[1:]}

    rows = []
    for moment, found in by_moment(
        matches(setting, kinds, when, f"measure {seed}", count=count, seconds=seconds)
    ).items():
        for who, some in by_company(found).items():
            if len(some) < FEWEST:
                continue
            raw = [Seen(*pair) for each in some for pair in zip(each.said, each.happened, strict=True)]
            true = [Seen(*pair) for each in some for pair in zip(each.true(chances), each.happened, strict=True)]
            figures = error_of(raw), error_of(true), luck_of(true, rng), brier_of(raw), brier_of(true)
            rows.append(
                (
                    *setting.setup[:2],
                    str(setting.seats),
                    who,
                    moment,
                    f"{len(some):,}",
                    *[f"{figure:.3f}" for figure in figures],
                    *[cell_of(each) for each in binned(true)],
                )
            )
    return rows


def by_company(found: Sequence[Said]) -> Mapping[str, Sequence[Said]]:
    """What was said among everybody, among equals of each kind, and in mixed company."""
    groups: dict[str, list[Said]] = {"all": list(found)}
    for each in found:
        kinds = set(each.players)
        groups.setdefault(each.players[0] if len(kinds) == 1 else "mixed", []).append(each)
    return groups


def cell_of(row: Sequence[Seen]) -> str:
    """What was said in a bin and what happened, and how often it was said; empty if it never was."""
    if not row:
        return ""
    said, happened = sum([each.said for each in row]) / len(row), sum([each.happened for each in row]) / len(row)
    return f"{said:.2f} -> {happened:.2f} ({len(row)})"


# ---------------------------------------------------------------------------------------------- the program


def rows_in(file: Path) -> list[Cells]:
    """The rows of a file, without its head."""
    return (
        [tuple(row) for row in csv.reader(file.read_text(encoding="utf-8").splitlines())][1:] if file.exists() else []
    )


def write(file: Path, head: Sequence[str], rows: Sequence[Cells]) -> None:
    """Write a file again in which these rows take the place of those of the same setup; the others stay."""
    new = {row[:3] for row in rows}
    order: dict[Cells, int] = {}
    for index, setting in enumerate(settings()):
        order[(*setting.setup[:2], str(setting.seats))] = index
    kept = [row for row in rows_in(file) if row[:3] not in new and row[:3] in order]
    ordered = sorted([*kept, *rows], key=lambda row: order[row[:3]])
    with file.open("w", encoding="utf-8", newline="") as written:
        lines = csv.writer(written, lineterminator="\n")
        lines.writerow(head)
        lines.writerows(ordered)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.calibrate", description=__doc__)
    parser.add_argument("--learn", action="store_true", help="fit the file first, to matches of its own")
    parser.add_argument("--only-learn", action="store_true", help="fit the file and measure nothing")
    parser.add_argument("--game", choices=list(PLAYERS), help="this game only")
    parser.add_argument("--setting", help="this setting only (as in the file)")
    parser.add_argument("--players", type=int, help="this number of players only")
    parser.add_argument("--searching", action="store_true", help="with levels that search, which takes long")
    parser.add_argument("--matches", type=int, default=10_000, help="the most matches of a setup (10,000)")
    parser.add_argument(
        "--seconds", type=float, default=120, help="CPU time for a setup, learning and measuring each (120)"
    )
    parser.add_argument("--seed", type=int, default=0, help="another seed, other matches (0)")
    asked = parser.parse_args()
    for setting in settings():
        wanted = (
            asked.game or setting.setup.game,
            asked.setting or setting.setup.setting,
            asked.players or setting.seats,
        )
        if wanted != setting.setup:
            continue
        kinds = kinds_of(setting, searching=asked.searching)
        if asked.learn or asked.only_learn:
            write(LEARNED, COLUMNS, learn(setting, kinds, asked.matches, asked.seconds, asked.seed))
            chances.shipped.cache_clear()
        if not asked.only_learn:
            rows = measure(setting, kinds, asked.matches, asked.seconds, asked.seed)
            write(MEASURED, MEASURES, rows)
            for row in rows:
                if row[3] == "all":
                    sys.stdout.write(f"{row_of(row[: len(MEASURES) - BINS])}\n")
                    sys.stdout.flush()


if __name__ == "__main__":
    main()
