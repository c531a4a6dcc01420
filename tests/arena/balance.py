"""`make balance`: how balanced each preset of each game is between equal computer players, into `balance.csv` here.

All seats play by the same level (`BY`); a game without computer players isn't measured. In a race everybody acts at
random at the same pace, in virtual time: its levels lay the same cards. Rows that aren't measured again stay as they
are.

*first seat* is the share of the win of the seat that acts first (in a race, of the first player of the table) with its
95 % interval; a draw is shared. *acts* is the median of all players' acts together, and within which bounds nine
matches of ten are. *minutes* is the median of an estimate from the time that people need for a question.
"""

from __future__ import annotations

import argparse
import csv
import heapq
import io
import math
import random
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Final, TypeAlias

from engines import GAMES
from engines.players.levels import RACERS, levels_for
from laws.play import Clock, Deal, fits, random_act
from tests.arena.matches import Played, Setting, ended, level, played
from tests.arena.report import row_of
from tests.bench.lengths import BETWEEN_PHASES, QUESTION

DATA: Final = Path(__file__).with_name("balance.csv")
RANDOM: Final = "random"
"""Random acts, in the place of a level."""
USUAL_QUESTION: Final = 10.0
"""Seconds a question takes in a game that `tests.bench.lengths` doesn't know."""
REACTION, SPREAD = 1.2, 0.3
"""In a race: the seconds that a player needs to react (the median), and the deviation of their logarithm."""

COLUMNS: Final = (
    "game",
    "preset",
    "players",
    "played by",
    "first seat",
    "fair",
    "acts",
    "minutes",
    "endings",
    "matches",
)

SHOWN: Final = ("game", "preset", "players", "played by", "first seat")
RULE: Final = ("---",) * len(SHOWN)
LEANS: Final = {1: ", more", -1: ", less"}
PAGE_FILE: Final = Path(__file__).parents[2] / "docs" / "balance.md"
PAGE: Final = """\
# Balance

`make balance` plays every preset of every game between equal computer players. `tests/arena/balance.csv` has all of it:
how often the seat that acts first wins (in a race, the first player of the table), with its 95 % interval, how long
matches take, and how they end. Here is where luck doesn't explain how far the first seat is from an equal share, in at
least {fewest} matches. In a series the seat that acts first changes.

{table}
"""

Key: TypeAlias = tuple[str, str, str, str]
"""A row's first cells: the game's title, the preset, how many players, and the level."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row to measure."""

    setting: Setting
    preset: str
    level: str

    @property
    def key(self) -> Key:
        """What the row begins with."""
        return self.setting.game.info.title, self.preset, str(self.setting.seats), self.level


BY: Final[Mapping[str, Sequence[str]]] = {
    "haymaker": ("normal", "hard"),
    "ciq": ("skilled",),
    "unbreakable": ("normal", "master"),
    "champions": ("normal",),
}
"""The levels that a game's presets are played by: its strongest without rollouts, and in a game for two *normal*."""
FEWEST: Final = 200
"""How many matches a row of the page has at least. Fewer tell nothing."""


def levels_of(setting: Setting) -> Sequence[str]:
    """The levels that a table is played by."""
    key = setting.game.info.key
    offered = levels_for(key, setting.options, setting.seats)
    return [RANDOM] if key in RACERS else [name for name in BY.get(key, ("normal",)) if name in offered]


def wanted() -> Iterator[Row]:
    """All rows that belong in the file, in order."""
    for game in GAMES.values():
        for preset, options in game.info.presets.items():
            for seats in game.info.seats:
                setting = Setting(game, options, seats)
                if fits(game, options, seats):
                    yield from [Row(setting, preset, name) for name in levels_of(setting)]


def measured(row: Row, seconds: float, most: int, seed: int = 0) -> tuple[str, ...]:
    """The cells of a row, from at most so many matches, and at least two, within this CPU time."""
    setting, game = row.setting, row.setting.game
    rng = random.Random(f"balance {row.key} {seed}")
    matches: list[Played] = []
    lasted: list[float] = []
    begun = time.process_time()
    while len(matches) < most and (len(matches) < 2 or time.process_time() - begun < seconds):
        deal = Deal(game, setting.options, setting.seats, rng.randbytes(32))
        if not game.info.turn_clock:
            match, time_of_match = raced(deal, rng)
        else:
            match = played(deal, [level(game.info.key, row.level)] * setting.seats, rng)
            time_of_match = match.questions * QUESTION.get(game.info.key, USUAL_QUESTION)
        matches.append(match)
        lasted.append(time_of_match)
    return (*row.key, *_cells(matches, lasted, setting.seats))


def with_interval(share: float, matches: int) -> str:
    """A share of so many matches with its 95 % interval (Wilson, 1927)."""
    z = 1.96
    middle = (share + z**2 / (2 * matches)) / (1 + z**2 / matches)
    width = z / (1 + z**2 / matches) * math.sqrt(share * (1 - share) / matches + z**2 / (4 * matches**2))
    return f"{share:.3f} ({max(0, middle - width):.2f} to {min(1, middle + width):.2f})"


def _cells(matches: Sequence[Played], lasted: Sequence[float], seats: int) -> tuple[str, ...]:
    acts = sorted(match.acts for match in matches)
    few, many = acts[len(acts) // 20], acts[-1 - len(acts) // 20]
    endings = Counter(match.ending for match in matches).most_common()
    return (
        with_interval(mean([match.shares[match.first] for match in matches]), len(matches)),
        f"{1 / seats:.3f}",
        f"{median(acts):.0f} ({few} to {many})",
        f"{median(lasted) / 60:.0f}",
        ", ".join(f"{kind} {100 * count / len(matches):.1f} %" for kind, count in endings),
        f"{len(matches):,}",
    )


def raced(deal: Deal, luck: random.Random) -> tuple[Played, float]:
    """Play a race in which everybody acts at the same pace on what lies there, and the seconds that it takes."""
    game = deal.game
    state, _ = deal.open()
    chance, clock = deal.chances(), Clock()
    turns = [(_reaction(luck), seat) for seat in range(deal.seats)]
    heapq.heapify(turns)
    moves = acts = idle = 0
    now, phases = 0.0, set[int]()
    while (window := game.window(state)) is not None:
        clock.look(window)
        phases.add(window.number)
        now, seat = turns[0]
        heapq.heapreplace(turns, (now + _reaction(luck), seat))
        if seat in window.may_act and game.choices(state, seat).offers:
            facts = game.decide(state, seat, random_act(game.choices(state, seat), luck), chance(moves + 1))
            acts, idle = acts + 1, 0
        elif idle < 2 * deal.seats:
            idle += 1
            continue
        else:  # nobody can do anything
            facts, idle = game.decide(state, None, clock.ring(), chance(moves + 1)), 0
        moves += 1
        assert moves <= game.info.longest, "the match outlasts its bound"
        state = facts.state
    return Played(*ended(game, state, deal.seats), acts, len(phases), 0), now + len(phases) * BETWEEN_PHASES


def _reaction(luck: random.Random) -> float:
    return luck.lognormvariate(math.log(REACTION), SPREAD)


def rows_in(text: str) -> dict[Key, tuple[str, ...]]:
    """The rows of a file by their keys."""
    _, *rows = csv.reader(text.splitlines())
    return {(title, preset, players, level): tuple(row) for row in rows for title, preset, players, level in [row[:4]]}


def text_of(rows: Mapping[Key, tuple[str, ...]]) -> str:
    """The file with those of these rows that belong in it."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(
        [COLUMNS, *(rows[each.key] for each in wanted() if each.key in rows)]
    )
    return written.getvalue()


def page(rows: Mapping[Key, tuple[str, ...]]) -> str:
    """The page `docs/balance.md`: where the first seat wins more or less than its share by more than chance."""
    told = [_shown(row) for row in rows.values() if int(row[-1].replace(",", "")) >= FEWEST and _leans(row)]
    return PAGE.format(fewest=FEWEST, table="\n".join(map(row_of, (SHOWN, RULE, *told))))


def _shown(row: Sequence[str]) -> tuple[str, ...]:
    """A row of the file as the page has it."""
    return (*row[:4], row[4] + LEANS[_leans(row)])


def _leans(row: Sequence[str]) -> int:
    """1 if the first seat's whole interval is above its fair share, -1 if it is below."""
    low, high = map(float, re.findall(r"[(] ?([\d.]+) to ([\d.]+)[)]", row[4])[0])
    fair = float(row[5])
    return (low > fair) - (high < fair)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.balance", description=__doc__)
    parser.add_argument("--game", choices=list(GAMES), help="this game only")
    parser.add_argument("--preset", help="this preset only")
    parser.add_argument("--level", help="this level only")
    parser.add_argument("--missing", action="store_true", help="only rows that the file doesn't have")
    parser.add_argument("--matches", type=int, default=2000, help="the most matches for a row (2,000)")
    parser.add_argument("--seconds", type=float, default=60, help="CPU time for a row (60)")
    asked = parser.parse_args()
    rows = rows_in(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    for row in wanted():
        chosen = (asked.game or row.setting.game.info.key, asked.preset or row.preset, asked.level or row.level)
        if chosen != (row.setting.game.info.key, row.preset, row.level) or (asked.missing and row.key in rows):
            continue
        rows[row.key] = measured(row, asked.seconds, asked.matches)
        DATA.write_text(text_of(rows), encoding="utf-8")
        PAGE_FILE.write_text(page(rows_in(text_of(rows))), encoding="utf-8")
        print(row_of(rows[row.key]), flush=True)  # noqa: T201  the result


if __name__ == "__main__":
    main()
