"""`python -m tests.arena.unbreakable`: why Unbreakable has no level *hard*. Two players that search which card to lay,
against *normal*, for each preset.

- *flat Monte Carlo* lays each card on tables that may be the true one, and plays the match to its end by rules of
  thumb.
- *look ahead* plays only the round, and judges the hands after it.

Both keep the closest pair, as *normal* does: nothing is better.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from random import Random
from typing import Any, TypeAlias

from engines.game import Seat
from engines.players.player import Situation
from engines.players.question import question_for
from engines.players.unbreakable.fast_table import UNDECIDED, FastTable
from engines.players.unbreakable.numbers import CARDS, NUMBER, TARGET
from engines.players.unbreakable.odds import worth
from engines.players.unbreakable.player import PLAYER
from engines.players.unbreakable.rules_of_thumb import to_lay
from engines.unbreakable import Lay, Phase, Unbreakable
from tests.arena.matches import Contender, Setting, Spot, compare, computer

Value: TypeAlias = Callable[[FastTable, Seat, Random], float]
"""A seat's estimated share of the win on a table that may be changed."""


def played_on(table: FastTable, seat: Seat, rng: Random) -> float:
    """The share at the end of the match."""
    while table.winner == UNDECIDED:
        table.play(to_lay(table.hands[table.turn]), rng)
    return table.share(seat)


def judged(table: FastTable, seat: Seat, rng: Random) -> float:
    """The share by the hands."""
    if table.winner != UNDECIDED:
        return table.share(seat)
    hands = table.hands
    share = worth(len(hands[table.turn]), len(hands[1 - table.turn]))
    return share if table.turn == seat else 1 - share


def best_to_lay(hand: Sequence[int], tables: Callable[[], FastTable], value: Value, rollouts: int, rng: Random) -> int:
    """The card with the best mean value over tables, each of which every card is tried on with the same luck."""
    cards = list({TARGET[card]: card for card in hand}.values())
    totals = dict.fromkeys(cards, 0.0)
    for _ in range(-(-rollouts // len(cards)) if len(cards) > 1 else 0):
        table, luck = tables(), rng.getrandbits(64)
        seat = table.turn
        table.swift = True  # both keep their closest pairs
        for card in cards:
            trial, chance = table.copy(), Random(luck)
            trial.play(card, chance)
            totals[card] += value(trial, seat, chance)
    return max(cards, key=totals.__getitem__)


def searching(value: Value, rollouts: int) -> Contender:
    """*Normal*, but it searches which card to lay."""

    def act(spot: Spot) -> Any:
        if spot.state.phase is not Phase.LAY:
            return normal(spot)
        deal = spot.deal
        question = question_for(
            deal.game,
            spot.state,
            spot.events,
            spot.seat,
            options=deal.options,
            seats=deal.seats,
            level="normal",
            luck=spot.luck,
        )
        memory = reduce(PLAYER.remember, question.seen, PLAYER.begin(deal.options, deal.seats, spot.seat))
        situation: Situation[Any, Any] = Situation(memory, question.view, question.choices)
        rng = Random(spot.luck)
        hand = [NUMBER[card] for card in question.view.own.hand]
        return Lay((CARDS[best_to_lay(hand, lambda: PLAYER.sample(situation, rng), value, rollouts, rng)],))

    normal = computer("normal")
    return act


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.unbreakable", description=__doc__)
    parser.add_argument("--deals", type=int, default=300, help="deals, each played once from each seat (300)")
    parser.add_argument("--rollouts", type=int, default=300, help="for each attacker, over all cards (300)")
    parser.add_argument("--preset", choices=list(Unbreakable.info.presets), help="this preset only")
    parser.add_argument("--pace", choices=("classic", "swift"), help="another pace than the preset's")
    parser.add_argument("--only", choices=("played_on", "judged"), help="this search only")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other deals (0)")
    asked = parser.parse_args()
    for preset, options in Unbreakable.info.presets.items():
        if asked.preset not in (None, preset):
            continue
        setting = Setting(Unbreakable(), replace(options, **({"pace": asked.pace} if asked.pace else {})), 2)
        for name, value in (("flat Monte Carlo", played_on), ("look ahead", judged)):
            if asked.only not in (None, value.__name__):
                continue
            begun = time.process_time()
            result = compare(setting, searching(value, asked.rollouts), computer("normal"), asked.deals, asked.seed)
            seconds = time.process_time() - begun
            sys.stdout.write(f"{preset} {setting.options.pace}: {name}: {result}, {seconds:.0f} CPU s\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
