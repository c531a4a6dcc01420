"""What a press costs with cards as emojis and as text: ``python -m tests.bench.screens``.

A press is answered with the hand of its player, and the board is edited. Both are made here at moments of random
matches, in each style, as often as each other and in turns: the presenter's text, its components, and their JSON, as
the bot sends them. Bytes are of that JSON, before HTTP compresses anything. CPU time is what the process used itself.
The baseline is text, in the same run.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import orjson

from bot.play.live_match import LiveMatch
from bot.ui.catalogue import translations
from bot.ui.screen import Screen
from cogs.screens.board import board_screen
from cogs.screens.hands.hand import hand_screen
from cogs.screens.presenter import Reader
from cogs.screens.renderer import render
from engines import GAMES
from laws.bodies import card_form, match_after, styled
from laws.case import GameCase
from laws.play import random_match
from tests.bench.sizes import sized
from tests.games.cases import case_of

MOMENTS = sized(60, brief=6)
"""Of each game: questions with somebody to answer them."""
MATCHES = sized(6, brief=1)
ROUNDS = sized(7, brief=1)


@dataclass(frozen=True, slots=True)
class Cost:
    """Of a screen on average: microseconds of CPU time and bytes of JSON."""

    cpu: float
    size: float


def main() -> None:
    """Print a line a game and kind of screen."""
    for key in GAMES:
        text, emojis = styled(case_of(key))
        moments = _moments(text)
        for kind, make in (("hand", _hand), ("board", _board)):
            costs = _compared([text, emojis], moments, make)
            print(f"{key:<12} {kind:<6} {_figures('text', costs[0])}  {_figures('emojis', costs[1])}  {_ratio(*costs)}")


def _moments(case: GameCase) -> list[tuple[LiveMatch, int]]:
    """Matches in play, each with a seat that is offered something."""
    rng = random.Random(case.key)
    found: list[tuple[LiveMatch, int]] = []
    for _ in range(MATCHES):
        deal = case.deal("default", case.tables[0][1], rng)
        log = random_match(deal, rng)
        for moves in sorted(rng.sample(range(len(log.moves)), min(MOMENTS // MATCHES, len(log.moves)))):
            match = match_after(log, moves)
            found += [(match, seat) for seat in range(deal.seats) if match.choices(seat).offers][:1]
    return found


def _hand(case: GameCase, match: LiveMatch, seat: int) -> Screen:
    return hand_screen(match, seat, case.presenter, _reader(case, match, seat))


def _board(case: GameCase, match: LiveMatch, _seat: int) -> Screen:
    return board_screen(match, case.presenter, _reader(case, match, None))


def _reader(case: GameCase, match: LiveMatch, seat: int | None) -> Reader:
    names = tuple(f"Somebody {each}" for each in range(len(match.seats)))
    return Reader(translations("en"), names, seat, card_form(case))


def _compared(
    cases: list[GameCase], moments: list[tuple[LiveMatch, int]], make: Callable[[GameCase, LiveMatch, int], Screen]
) -> list[Cost]:
    """What each style costs: the medians of rounds that take turns, after one that is not counted."""
    spent: list[list[float]] = [[] for _ in cases]
    sizes = [0.0] * len(cases)
    for _ in range(ROUNDS + 1):
        for place, case in enumerate(cases):
            begun, size = time.process_time(), 0
            for match, seat in moments:
                size += len(orjson.dumps(render(make(case, match, seat), match.id)))
            spent[place].append((time.process_time() - begun) / len(moments) * 1e6)
            sizes[place] = size / len(moments)
    return [Cost(statistics.median(costs[1:]), size) for costs, size in zip(spent, sizes, strict=True)]


def _figures(style: str, cost: Cost) -> str:
    return f"{style} {cost.cpu:>6.0f} us {cost.size:>6.0f} bytes"


def _ratio(text: Cost, emojis: Cost) -> str:
    return f"CPU x{emojis.cpu / text.cpu:.2f}, bytes x{emojis.size / text.size:.2f}"


if __name__ == "__main__":
    main()
