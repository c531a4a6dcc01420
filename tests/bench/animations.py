"""What the animated picture of a match costs: bytes, and CPU time to draw it and to choose what is in it.

Matches are played by chance at every setting of a game, so that most have far more moves than frames. Beside them a
baseline of the same kind of work: Pillow packs the pixels of the sheet of sprites as a GIF does, 45 times. The last
lines are of ratings' curves. Run it with ``python -m tests.bench.animations``. It ends with 1 if any file is longer
than 250 KiB, or a curve than 10.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable, Iterator
from io import BytesIO

from PIL import Image

from bot.art.animation_picture import MOST_BYTES, MOST_FRAMES, draw_animation
from bot.art.images import Size
from bot.art.rating_picture import RatingCurve, RatingPoint, draw_rating
from bot.art.table import whole_sheet
from cogs.replays.exports import animation
from cogs.replays.replay import Replay
from engines import GAMES
from laws.play import random_match
from laws.replays import replay_of
from tests.bench.costs import ROUNDS, cost
from tests.bench.sizes import sized
from tests.games.cases import case_of, deal_of

MATCHES = sized(2, brief=1)
"""At each table."""
TABLES = sized(None, brief=1)
"""How many settings and numbers of players of each game; None: all."""
MOST_MILLISECONDS = 60
MOST_CURVE_BYTES = 10 * 1024


def main() -> int:
    """Print bytes and times for each game and number of players. Returns the exit code."""
    pixels = whole_sheet(Size.TABLE)
    baseline = cost(lambda: [pixels.tobytes("gif", "P", 6, 0) for _ in range(MOST_FRAMES)])
    print(f"animations: CPU time, the best of {ROUNDS} rounds of each match; baseline {1e3 * baseline:.1f} ms")
    head = f"{'game, players':<18}{'matches':>8}{'moves':>7}{'frames':>8}{'KiB':>6}{'longest':>9}"
    print(f"{head}{'choosing ms':>13}{'drawing ms':>12}{'slowest':>9}{'baselines':>11}")
    longest, slowest = 0, 0.0
    for key in GAMES:
        for seats in sorted({seats for _, seats in case_of(key).tables[:TABLES]}):
            lengths, costs = _measured(key, seats, baseline)
            longest, slowest = max(longest, *lengths), max(slowest, *costs)
    print(f"the longest has {longest / 1024:.0f} of {MOST_BYTES // 1024} KiB")
    print(f"the slowest took {1e3 * slowest:.1f} ms; meant are {MOST_MILLISECONDS} on an idle machine")
    return int(longest > MOST_BYTES) | _ratings()


def _measured(key: str, seats: int, baseline: float) -> tuple[list[int], list[float]]:
    """Print a line. Returns the lengths of the files, and the times to draw them in seconds."""
    presenter = case_of(key).presenter
    replays = list(_replays(key, seats))
    made = [animation(replay(), presenter) for replay in replays]
    files = [draw_animation(each) for each in made]
    lengths = [len(file) for file in files]
    choosing = [cost(lambda each=each: animation(each(), presenter)) for each in replays]  # type: ignore[misc]  # bound now
    costs = [cost(lambda each=each: draw_animation(each)) for each in made]  # type: ignore[misc]  # bound now
    moves = statistics.median([replay().last for replay in replays])
    frames = statistics.median([_frames(file) for file in files])
    middle = statistics.median(costs)
    print(
        f"{f'{key}, {seats}':<18}{len(made):>8}{moves:>7.0f}{frames:>8.0f}{statistics.median(lengths) / 1024:>6.0f}"
        f"{max(lengths) / 1024:>9.0f}{1e3 * statistics.median(choosing):>13.1f}{1e3 * middle:>12.1f}"
        f"{1e3 * max(costs):>9.1f}{middle / baseline:>11.2f}"
    )
    return lengths, costs


def _frames(file: bytes) -> int:
    """How many frames a file has."""
    with Image.open(BytesIO(file)) as opened:
        return int(getattr(opened, "n_frames", 1))


def _replays(key: str, seats: int) -> Iterator[Callable[[], Replay]]:
    """Random matches, each as what reads it anew from its records, as a press does."""
    for setting, players in case_of(key).tables[:TABLES]:
        for seed in range(MATCHES) if players == seats else ():
            rng = random.Random(seed)
            log = random_match(deal_of(key, setting, seats, rng), rng)
            yield lambda log=log: replay_of(log)[0]  # type: ignore[misc]  # bound now


def _ratings() -> int:
    """Print bytes and times of ratings' curves. Returns the exit code."""
    longest = 0
    for matches in (1, 20, 100, 1000):
        rng, points, rating = random.Random(matches), list[RatingPoint](), 1000
        for at in range(matches):
            unsure = max(180, round(1000 * 0.97**at))
            points.append(RatingPoint(at, rating, rating - unsure, rating + unsure))
            rating += round(rng.gauss(1, unsure / 10))
        curve = RatingCurve(tuple(points))
        longest = max(longest, length := len(draw_rating(curve)))
        print(f"rating, {matches} matches: {1e3 * cost(lambda: draw_rating(curve)):.1f} ms, {length} bytes")  # noqa: B023  called now
    return int(longest > MOST_CURVE_BYTES)


if __name__ == "__main__":
    sys.exit(main())
