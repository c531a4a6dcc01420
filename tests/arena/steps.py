"""`make arena`: how far apart a game's levels are, and how a beginner does against the first one.

Each level plays the one below it, where the bot chooses for two (C-11) and, in Unbreakable, by the author's settings.
Model beginners play the weakest level: who lays single cards at random, always the lowest or always the highest in
Haymaker, attacks with single cards in CIQ, and acts at random elsewhere. Each deal is played once from each seat. The
table is kept in build/arena.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from engines import GAMES
from engines.ciq import Attack as CIQAttack
from engines.ciq import Draw, Pile
from engines.haymaker import Attack, Keep, TakeHit
from engines.players.ciq.player import single_cards
from engines.players.levels import PLAYERS, levels_for
from engines.players.player import Situation
from laws.play import Deal
from tests.arena.matches import Chooses, Result, Setting, at_random, level, played, result_of
from tests.arena.report import OUT, Report

DECISIVE: Final = 100_000
"""Deals after which nothing more is learned: the time ends a row before."""


def single_in_ciq(situation: Situation[Any, Any], rng: random.Random) -> Any:
    """Attacks a Damage Pile with a random single card, draws if there is none, and does anything else at random."""
    acts = single_cards(situation)
    attacks = [act for act in acts if isinstance(act, CIQAttack) and act.pile is Pile.DAMAGE]
    draws = [act for act in acts if isinstance(act, Draw)]
    return rng.choice(attacks or draws or acts)


def single_in_haymaker(pick: Callable[[Sequence[Any], random.Random], Any]) -> Chooses:
    """Attacks with a single card that `pick` chooses, blocks with the lowest one that does, and keeps the higher."""

    def act(situation: Situation[Any, Any], rng: random.Random) -> Any:
        acts = sorted(PLAYERS["haymaker"].candidates(situation), key=_rank)
        if isinstance(acts[0], Keep):
            return acts[-1]
        single = [each for each in acts if len(getattr(each, "cards", ())) == 1]
        if single and isinstance(single[0], Attack):
            return pick(single, rng)
        return single[0] if single else next((each for each in acts if isinstance(each, TakeHit)), acts[0])

    return act


def _rank(act: Any) -> int:
    cards = (act.card,) if isinstance(act, Keep) else getattr(act, "cards", ())
    return sum(card.rank for card in cards)


BEGINNERS: Final[Mapping[str, Mapping[str, Chooses]]] = {
    "haymaker": {
        "random cards": single_in_haymaker(lambda acts, rng: rng.choice(acts)),
        "lowest cards": single_in_haymaker(lambda acts, _: acts[0]),
        "highest cards": single_in_haymaker(lambda acts, _: acts[-1]),
    },
    "ciq": {"single cards": single_in_ciq},
    "champions": {"random acts": at_random},
    "unbreakable": {"random acts": at_random},
}
"""The model beginners of each game, by what they lay."""


def settings(key: str) -> Iterator[tuple[str, Setting]]:
    """The presets whose levels are held apart, by name, for two."""
    info = GAMES[key].info
    recommended = info.recommended_for(2)
    presets = dict.fromkeys((recommended, "default") if key == "unbreakable" else (recommended,))
    for preset in presets:
        yield preset, Setting(GAMES[key], info.presets[preset], 2)


def pairings(key: str, setting: Setting) -> Iterator[tuple[str, Chooses, str, Chooses]]:
    """Who plays whom, by name: the beginners the weakest level, and every other level the one below."""
    weakest, *others = levels_for(key, setting.options, setting.seats)
    for name, beginner in BEGINNERS[key].items():
        yield name, beginner, weakest, level(key, weakest)
    below = weakest
    for name in others:
        yield name, level(key, name), below, level(key, below)
        below = name


def share(setting: Setting, one: Chooses, other: Chooses, deals: int, *, seconds: float = math.inf) -> Result:
    """The share that one wins of another. After `seconds` of CPU time no further deal is begun but the second."""
    rng = random.Random(f"steps {setting.game.info.key} 0")
    shares: list[list[float]] = []
    begun = time.process_time()
    while len(shares) < deals and (len(shares) < 2 or time.process_time() - begun < seconds):
        deal = Deal(setting.game, setting.options, 2, rng.randbytes(32))
        shares.append([played(deal, (one, other), rng).shares[0], played(deal, (other, one), rng).shares[1]])
    return result_of(shares)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.steps", description=__doc__)
    parser.add_argument("--game", choices=list(BEGINNERS), help="this game only")
    parser.add_argument("--seconds", type=float, default=60, help="CPU time for a pairing (60)")
    asked = parser.parse_args()
    report = Report(OUT, "steps", ("game", "preset", "contender", "against", "share (matches)"))
    for key in [asked.game] if asked.game else BEGINNERS:
        for preset, setting in settings(key):
            for name, one, against, other in pairings(key, setting):
                result = share(setting, one, other, DECISIVE, seconds=asked.seconds)
                report.add(GAMES[key].info.title, preset, name, against, str(result))


if __name__ == "__main__":
    main()
