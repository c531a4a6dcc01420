"""How long matches last, for the table in `bot/play/clocks/match_lengths.py`.

    python -m tests.bench.lengths [GAME …]

plays matches of each game by rules of thumb (the closest pair, the attack that moves most, a card that fits) at every
setting of the table and number of seats. It counts how many questions are asked one after the other: answers to one
question are given at the same time. A question takes as many seconds as it took in the matches that people played, and
the median is rounded as a person would say it. In a race everybody acts at the pace of the busiest player.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from bot.play.clocks.match_lengths import LENGTHS
from engines import GAMES
from engines.ciq import AttackPick, Pile
from engines.game import Act, AnyGame, Seat
from engines.tivmiv import Draw, Ready, Stage
from engines.unbreakable import Phase, swift_discard
from laws.play import Clock, Deal, random_act, random_picks
from tests.bench.sizes import BRIEF, sized

SAID = (5, 10, 15, 20, 30, 45, 60, 90, 120)
"""Minutes as people say them."""
MATCHES = sized(25, brief=1)
ROWS = sized(None, brief=1)
"""How many of each game's rows; None: all."""
WALKS = 4
"""How many attacks are tried for each target."""
QUESTION: Mapping[str, float] = {"haymaker": 12, "unbreakable": 10, "ciq": 20, "champions": 9}
"""Seconds a question. Haymaker: 25 in five minutes. The others by their presses: a card or a weapon is chosen at a
glance, a CIQ attack is three presses or more and some thought."""
SKILL = 0.5
"""How many of their attacks in CIQ people find the largest row for: three of them needed 47 moves for `quick`."""
RACE_ACT, BETWEEN_PHASES = 1.9, 20
"""Seconds an act of one player in a race (1.2 to react, and a press in six comes too late), and from one phase to the
next."""


def seconds_of(game: AnyGame, options: Any, seats: int, rng: random.Random) -> float:
    """How long one match would last."""
    deal = Deal(game, options, seats, rng.randbytes(32))
    state, _ = deal.open()
    chance, clock = deal.chances(), Clock()
    asked, acts, phases = set[int](), Counter[tuple[int, Seat]](), set[int]()
    for number in range(1, game.info.longest):
        window = game.window(state)
        if window is None:
            break
        clock.look(window)
        asked.add(window.number)
        move = next(moves_of(game, state, window.may_act, rng), None)
        if move is None:
            state = game.decide(state, None, clock.ring(), chance(number)).state
            continue
        acts[window.number, move[0]] += 1
        phases.add(window.number)
        state = game.decide(state, *move, chance(number)).state
    if game.info.turn_clock:
        return len(asked) * QUESTION[game.info.key]
    busiest = sum(max(count for (number, _), count in acts.items() if number == phase) for phase in phases)
    return busiest * RACE_ACT + len(phases) * BETWEEN_PHASES


def moves_of(game: AnyGame, state: Any, seats: frozenset[Seat], rng: random.Random) -> Iterator[tuple[Seat, Any]]:
    """An act of each seat that has one, in any order."""
    for seat in rng.sample(sorted(seats), len(seats)):
        action = _act(game, state, seat, rng)
        if action is not None:
            yield seat, action


def _act(game: AnyGame, state: Any, seat: Seat, rng: random.Random) -> Any:
    """What a player would do by a rule of thumb; chance decides where there is none."""
    choices = game.choices(state, seat)
    match game.info.key:
        case "unbreakable" if state.phase is Phase.CHOOSE:
            if state.chosen[seat] is not None:
                return None
            wanted = swift_discard(state.weapons[seat], state.target)
            return next(act.action for act in choices if isinstance(act, Act) and act.action.card == wanted)
        case "ciq":
            largest = _largest_attack(choices, rng) if rng.random() < SKILL else None
            return largest or random_act(choices, rng)
        case "tivmiv":
            acts = [act.action for act in choices]
            ready = [act for act in acts if isinstance(act, Ready)]
            if state.stage is not Stage.RACE:
                return ready[0] if ready else None
            placing = [act for act in acts if not isinstance(act, Draw | Ready)]
            return rng.choice(placing) if placing else rng.choice(acts) if acts else None
    return random_act(choices, rng)


def _largest_attack(choices: Any, rng: random.Random) -> Any:
    """The attack that moves most cards, of a few for each target; None if none moves any."""
    best, most = None, 0
    for pick in choices:
        if isinstance(pick, AttackPick) and pick.pile is Pile.DAMAGE:
            for _ in range(WALKS):
                picked = random_picks(pick, rng)
                worth = pick.step(picked).worth if picked else {}
                moved = int(worth.get("transfer", 0)) + 100 * int(worth.get("wins", 0))
                if picked and moved > most:
                    best, most = pick.action(picked), moved
    return best


def said(minutes: float) -> int:
    """Minutes as a person would say them."""
    return min(SAID, key=lambda each: abs(each - minutes) / each)


def main() -> None:
    """Print each row of the table with what was measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.lengths", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=[*LENGTHS])
    parser.add_argument(BRIEF, action="store_true", help="one match for the first row of each game, only that it runs")
    for key in parser.parse_args().games:
        game = GAMES[key]
        for row in LENGTHS[key][:ROWS]:
            options = game.info.options(**row.options)
            found = {}
            for seats in row.minutes:
                rng = random.Random(f"{key} {row.options} {seats}")
                lasted = [seconds_of(game, options, seats, rng) / 60 for _ in range(MATCHES)]
                found[seats] = (said(statistics.median(lasted)), round(statistics.median(lasted), 1))
            measured = {seats: minutes for seats, (minutes, _) in found.items()}
            exact = {seats: lasted for seats, (_, lasted) in found.items()}
            print(key, row.options, "table:", dict(row.minutes), "now:", measured, "exactly:", exact, flush=True)  # noqa: T201  the result


if __name__ == "__main__":
    main()
