"""`python -m tests.arena.twin.compare`: holds the twin against the rules engine and the shipped player, act by act.

Matches are played on the rules engine, by random acts and by the levels in turns. At each question the twin must ask
the same seat, offer the same candidates, and choose as *normal* and *hard* do; it must allow and refuse the same acts,
and end each match alike. Everything is compared exactly. AssertionError is raised at the first difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from random import Random
from typing import Any, Final

from engines.game import IllegalAction, seen_by
from engines.haymaker import Attack, Block, CardsGiven, Haymaker, Keep, Options, Pass, Phase, TakeHit
from engines.players.haymaker.bits import bits_of, cards_of, singles
from engines.players.haymaker.candidates import action_of, number_of
from engines.players.haymaker.memory import Memory, known_from, remember
from engines.players.haymaker.net import TEMPERATURE, WEIGHTS, mixed, shipped
from engines.players.haymaker.player import numbers
from engines.players.haymaker.rules_of_thumb import by_rule_of_thumb
from laws.play import Deal
from tests.arena.twin.build import answers

GAME: Final = Haymaker()
AT_ONCE: Final = 100
"""Matches that the twin is given in one go."""
PLAYED_BY: Final = ("random", "normal", "hard", "hard and random")


@dataclass(frozen=True, slots=True)
class Compared:
    """How much was compared."""

    matches: int = 0
    questions: int = 0
    refused: int = 0
    """Acts that both refused."""


@dataclass(frozen=True, slots=True)
class Line:
    """What the twin is told, and what it must answer; "" for nothing."""

    told: str
    answer: str = ""


def compared(matches: int, seed: int = 0) -> Compared:
    """Compare so many matches. Raises AssertionError at the first difference, and as `built`."""
    rng, questions, refused = Random(f"twin {seed}"), 0, 0
    file = resources.files("engines.players.haymaker").joinpath(f"weights-{WEIGHTS}.bin")
    for begun in range(0, matches, AT_ONCE):
        found: list[Line] = []
        for number in range(begun, min(begun + AT_ONCE, matches)):
            found += played(rng, PLAYED_BY[number % len(PLAYED_BY)])
        with resources.as_file(file) as weights:
            said = answers(
                "compare",
                "".join([f"{line.told}\n" for line in found if line.told]),
                weights=weights,
                temperature=TEMPERATURE,
            )
        expected = [line.answer for line in found if line.answer]
        for index, (ours, theirs) in enumerate(zip(expected, said.splitlines(), strict=True)):
            assert ours == theirs, f"answer {index} after {begun} matches: {ours} by the rules, {theirs} by the twin"
        asked = [answer for answer in expected if not answer.startswith("over")]
        questions += len(asked)
        refused += sum([answer.split()[1] == "0" for answer in asked])
    return Compared(matches, questions, refused)


def played(rng: Random, by: str) -> Iterator[Line]:
    """A match on the rules engine: what the twin is told of it, and what it must answer."""
    deal = Deal(GAME, Options(), 2, rng.randbytes(32))
    state, facts = deal.open()
    chance, moves = deal.chances(), 0
    hands, draw = [bits_of(hand) for hand in state.hands], [bits_of((card,)) for card in state.draw]
    yield Line(" ".join(map(str, ["match", state.attacker, *hands, *draw])))
    memories = [Memory(0), Memory(1)]
    while True:
        memories = [_after(memory, facts) for memory in memories]
        if state.ended is not None:
            break
        moves += 1
        seat = state.asked
        known = known_from(memories[seat], GAME.observe(state, seat))
        acts, luck = list(numbers(known)), rng.random()
        thumb, hard = by_rule_of_thumb(known), acts[mixed(shipped().values(known, acts), luck)]
        tried = _any_act(rng, known.hand | sum(known.drawn))
        legal = _legal(state, seat, tried, chance(moves))
        chosen = {"normal": thumb, "hard": hard}.get(by) if by != "hard and random" or rng.random() < 0.2 else hard
        act = rng.choice(acts) if chosen is None else chosen
        facts = GAME.decide(state, seat, action_of(state.phase, act), chance(moves))
        state = facts.state
        hit = [bits_of(fact.cards) for fact in facts if isinstance(fact, CardsGiven) and not fact.passing]
        yield Line(f"{tried} {luck.hex()} {act} {sum(hit)}", " ".join(map(str, [seat, int(legal), thumb, hard, *acts])))
    assert state.ended is not None
    yield Line("", f"over {-1 if state.ended.winner is None else state.ended.winner}")


def _after(memory: Memory, facts: Sequence[Any]) -> Memory:
    """A memory after these facts as its seat sees them."""
    for fact in facts:
        seen = seen_by(fact, memory.seat)
        memory = memory if seen is None else remember(memory, seen)
    return memory


def _any_act(rng: Random, cards: int) -> int:
    """Any of these cards, or none, often of one suit, and now and then one that the seat doesn't have."""
    found = [card for card in singles(cards) if rng.random() < rng.choice((0.1, 0.3))]
    if rng.random() < 0.5:
        suit = rng.choice((0, 10, 20, 30))
        found = [card for card in found if card >> suit & 1023]
    return sum({*found, 1 << rng.randrange(40)}) if rng.random() < 0.1 else sum(found)


def _legal(state: Any, seat: int, tried: int, chance: Any) -> bool:
    """Whether the rules accept an act."""
    cards = cards_of(tried)
    if state.phase is Phase.KEEP:
        if len(cards) != 1:
            return False
        action: Any = Keep(cards[0])
    elif state.phase is Phase.ATTACK:
        action = Attack(cards) if cards else Pass()
    else:
        action = Block(cards) if cards else TakeHit()
    assert number_of(action) == tried
    try:
        GAME.decide(state, seat, action, chance)
    except IllegalAction:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.arena.twin.compare", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="matches (10,000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other matches (0)")
    asked = parser.parse_args()
    found = compared(asked.matches, asked.seed)
    sys.stdout.write(
        f"{found.matches:,} matches: {found.questions:,} questions are equal, {found.refused:,} acts refused by both\n"
    )


if __name__ == "__main__":
    main()
