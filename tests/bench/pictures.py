"""What the picture of a table costs: bytes, and CPU time to lay it out, paste it together and pack it.

Tables are those of random matches at every setting of a game, at their beginning, in the middle and at the end, once as
everybody sees them and once as the first player does. Beside them a baseline of the same kind of work: zlib packs the
pixels of the sheet of sprites, at the level of the pictures, so that figures of two machines, or of one machine on two
days, can be compared. Run it with ``python -m tests.bench.pictures``. It ends with 1 if a picture is longer than 15
KiB.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import random
import statistics
import sys
import zlib
from collections.abc import Iterator

from bot.art.images import Size, sheet
from bot.art.layout import TableLayout
from bot.art.table import LEVEL, draw
from cogs.screens.presenter import Pictured
from cogs.screens.tables import table_layout
from engines import GAMES
from laws.bodies import match_of
from laws.play import random_match
from tests.bench.costs import ROUNDS, cost
from tests.bench.sizes import sized
from tests.games.cases import case_of, deal_of

MATCHES = sized(2, brief=1)
"""At each table."""
TABLES = sized(None, brief=1)
"""How many settings and numbers of players of each game; None: all."""
MOST_BYTES = 15 * 1024


def main() -> int:
    """Print bytes and time for each game and number of players. Returns the exit code."""
    pixels = sheet(Size.TABLE).pixels
    baseline = cost(lambda: zlib.compress(pixels, LEVEL))
    print(f"pictures: CPU time, the best of {ROUNDS} rounds of each table; baseline {1e3 * baseline:.2f} ms")
    print(f"{'game, players':<24}{'tables':>8}{'bytes':>8}{'longest':>9}{'ms':>8}{'slowest':>9}{'baselines':>11}")
    longest = 0
    for key in GAMES:
        for seats in sorted({seats for _, seats in case_of(key).tables[:TABLES]}):
            layouts = list(_layouts(key, seats))
            lengths = [len(draw(layout)) for layout in layouts]
            costs = [cost(lambda layout=layout: draw(layout)) for layout in layouts]  # type: ignore[misc]  # bound now
            longest = max(longest, *lengths)
            middle = statistics.median(costs)
            print(
                f"{f'{key}, {seats}':<24}{len(layouts):>8}{statistics.median(lengths):>8.0f}{max(lengths):>9}"
                f"{1e3 * middle:>8.2f}{1e3 * max(costs):>9.2f}{middle / baseline:>11.2f}"
            )
    return int(longest > MOST_BYTES)


def _layouts(key: str, seats: int) -> Iterator[TableLayout]:
    """Tables of random matches."""
    case = case_of(key)
    presenter = case.presenter
    if not isinstance(presenter, Pictured):
        raise TypeError(f"{key} has no pictures")
    for setting, players in case.tables[:TABLES]:
        for seed in range(MATCHES) if players == seats else ():
            rng = random.Random(seed)
            log = random_match(deal_of(key, setting, seats, rng), rng)
            last = len(log.moves)
            for moves in sorted({0, last // 2, last}):
                match = match_of(log.deal, log.events(moves), moves)
                yield from (table_layout(match, presenter, viewer) for viewer in (None, 0))


if __name__ == "__main__":
    sys.exit(main())
