"""`python -m tests.arena.oracle`: holds the arena's own tools against OpenSpiel, which is exact on small games.

Kuhn and Leduc poker are played by the same tree search that plays the computer players' tables (`tests.arena.ismcts`),
through an adapter.

- *Best response*: against a seat that acts at random, the search with that seat as its model must come close to the
  value that OpenSpiel's best response has. It may not exceed it: that would be a fault in the search or in the adapter.
- *Self-play*: how much a best response wins from the search that has no model (half of OpenSpiel's `nash_conv`), beside
  a player that acts at random. Tree search doesn't reach an equilibrium, so this only has to be much better.

It needs the environment of requirements/arena.lock. It ends with 1 if a figure is out of its bounds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, Self

import pyspiel
from open_spiel.python import policy as policies
from open_spiel.python.algorithms import best_response, expected_game_score, exploitability

from engines.game import Seat
from tests.arena.ismcts import Model, tried
from tests.arena.report import OUT, Report

GAMES: Final = ("kuhn_poker", "leduc_poker")
ITERATIONS: Final = 3000
CLOSE: Final = 0.93
"""The part of the exact gain over random acts that the search must find."""
MUCH_BETTER: Final = 0.5
"""The search in self-play may lose this part of what random acts lose to a best response."""


class SpielTable:
    """A game of OpenSpiel as a `Table`; shares of the win are its returns, from 0 for the least to 1 for the most."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def copy(self) -> Self:
        return type(self)(self.state.clone())

    def asked(self) -> Seat | None:
        return None if self.state.is_terminal() else self.state.current_player()

    def candidates(self) -> Sequence[int]:
        return self.state.legal_actions()  # type: ignore[no-any-return]  # OpenSpiel has no types

    def play(self, action: int, rng: Random) -> None:
        self.state.apply_action(action)
        while self.state.is_chance_node():
            outcomes, odds = zip(*self.state.chance_outcomes(), strict=True)
            self.state.apply_action(rng.choices(outcomes, odds)[0])

    def label(self, action: int, viewer: Seat) -> Hashable:  # noqa: ARG002  all acts of poker are open
        return action

    def share(self, seat: Seat) -> float:
        game = self.state.get_game()
        least, most = game.min_utility(), game.max_utility()
        return (self.state.returns()[seat] - least) / (most - least)  # type: ignore[no-any-return]


def uniform(table: Any, seat: Seat, rng: Random) -> Any:
    """Acts at random."""
    return rng.choice(table.candidates())


def questions(game: Any) -> Iterator[Any]:
    """A state for each thing that a seat can know when it is asked."""
    found, waiting = set(), [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_terminal():
            continue
        if not state.is_chance_node() and state.information_state_string() not in found:
            found.add(state.information_state_string())
            yield state
        waiting += [state.child(action) for action in state.legal_actions()]


def sampling(state: Any, rng: Random) -> Callable[[], SpielTable]:
    """Makes tables that fit what the asked seat knows in a state."""
    return lambda: SpielTable(state.resample_from_infostate(state.current_player(), rng.random))


def searched(game: Any, iterations: int, model: Model | None) -> Any:
    """The policy of the search, as OpenSpiel keeps it: with a model of the others the act tried most often; without,
    each act as often as it was tried, because in poker to be predictable is to lose."""
    found = policies.TabularPolicy(game)
    for state in questions(game):
        rng = Random(state.information_state_string())
        counts = tried(sampling(state, rng), game.num_players(), iterations, rng, model)
        row = found.policy_for_key(state.information_state_string())
        total, best = sum(counts.values()), max(counts, key=counts.__getitem__)
        for act in range(len(row)):
            row[act] = float(act == best) if model else counts.get(act, 0) / total
    return found


def best_responses(game: Any, iterations: int) -> tuple[float, float, float]:
    """The mean over both seats of what random acts, the search and the exact best response win from random acts."""
    root, random = game.new_initial_state(), policies.UniformRandomPolicy(game)
    mine = searched(game, iterations, uniform)
    exact, reached, base = 0.0, 0.0, 0.0
    for seat in range(2):
        exact += best_response.BestResponsePolicy(game, seat, random).value(root) / 2
        pair = [mine if each == seat else random for each in range(2)]
        reached += expected_game_score.policy_value(root, pair)[seat] / 2
        base += expected_game_score.policy_value(root, [random, random])[seat] / 2
    return base, reached, exact


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.oracle", description=__doc__)
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help=f"of the search ({ITERATIONS:,})")
    parser.add_argument("--out", type=Path, default=OUT, help=f"where the table goes ({OUT})")
    asked = parser.parse_args()
    report = Report(asked.out, "oracle", ("game", "figure", "random acts", "search", "exact", "within bounds"))
    good = True
    for name in GAMES:
        game = pyspiel.load_game(name)
        base, reached, exact = best_responses(game, asked.iterations)
        close = base + CLOSE * (exact - base) <= reached <= exact + 1e-9
        report.add(name, "won from random acts", f"{base:.4f}", f"{reached:.4f}", f"{exact:.4f}", str(close))
        lost = exploitability.nash_conv(game, searched(game, asked.iterations, None)) / 2
        most = exploitability.nash_conv(game, policies.UniformRandomPolicy(game)) / 2
        better = lost <= MUCH_BETTER * most
        report.add(name, "lost to a best response", f"{most:.4f}", f"{lost:.4f}", "0", str(better))
        good = good and close and better
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
