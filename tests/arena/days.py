"""`python -m tests.arena.days`: whether the score of the deal of the day tells good players from bad ones.

In some days' deals, chosen as the bot chooses them, people of several strengths play: each draws its acts by what they
are worth at a temperature of its own. Their mean scores, and the results without what the deals were worth, are
correlated with how much they err, the temperature's logarithm. The table is kept in build/arena.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Sequence
from pathlib import Path
from statistics import correlation, fmean
from typing import Any, Final

from bot.play.deals.tried import deal_request
from engines.players.deal_of_day import DayRequest, choose, seed_of, share
from engines.players.levels import PLAYERS
from engines.players.player import Policy
from engines.players.slips import Slipping
from tests.arena.report import OUT, Report

PEOPLE: Final = 12
LEAST, MOST = 0.01, 1.0
"""The temperatures of the best person and the worst, on what acts are judged to bring of the win."""


def people(game: str, number: int = PEOPLE) -> Sequence[tuple[float, Policy[Any, Any]]]:
    """People of a game: how much they err, and how they choose their acts, the best first."""
    player = PLAYERS[game]
    steps = [place / (number - 1) for place in range(number)]
    temperatures = [LEAST * (MOST / LEAST) ** step for step in steps]
    return [(math.log(each), Slipping(player.candidates, player.judge, each)) for each in temperatures]


def scores(game: str, days: int, seed: int = 0, number: int = PEOPLE) -> tuple[list[float], list[float], list[float]]:
    """How much each of the people errs, their mean scores over the days (1 is a win), and their mean results."""
    rng = random.Random(f"days {game} {seed}")
    everybody = people(game, number)
    scored: list[list[float]] = [[] for _ in everybody]
    won: list[list[float]] = [[] for _ in everybody]
    for day in range(days):
        request = deal_request(game, f"day{day}", rng.randbytes(32))
        choice = choose(request)
        for place, (_, person) in enumerate(everybody):
            result = share(request, seed_of(request.root, choice.count), person, random.Random(rng.getrandbits(64)))
            won[place].append(result)
            scored[place].append(result - choice.worth / 1000)
    return [errs for errs, _ in everybody], [fmean(each) for each in scored], [fmean(each) for each in won]


def told(request: DayRequest) -> str:
    """Whom people play against."""
    return f"{request.game} ({request.level})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.days", description=__doc__)
    parser.add_argument("--game", choices=list(PLAYERS), help="this game only")
    parser.add_argument("--days", type=int, default=30, help="how many days (30)")
    parser.add_argument("--seeds", type=int, default=3, help="how often, with other deals (3)")
    parser.add_argument("--out", type=Path, default=OUT, help=f"where the table goes ({OUT})")
    asked = parser.parse_args()
    report = Report(asked.out, "days", ("game (level)", "days", "people", "correlation", "best and worst mean score"))
    for game in [asked.game] if asked.game else PLAYERS:
        for seed in range(asked.seeds):
            errs, means, _ = scores(game, asked.days, seed)
            found = f"{-correlation(errs, means):.2f}"
            spread = f"{100 * max(means):+.0f}, {100 * min(means):+.0f}"
            report.add(told(deal_request(game, "", bytes(32))), str(asked.days), str(PEOPLE), found, spread)


if __name__ == "__main__":
    main()
