"""Chooses a deal of the day that is worth playing: one that a decent player wins neither always nor never.

A day has a secret root of its own. Seeds of deals are derived from it by counting, and each is tried out in rollouts: a
decent player on the person's seat, and the day's computers on the others, with the luck that they will have. The first
deal whose worth lies within bounds is the day's. If none of them does, it is the one nearest to an even chance.

All of it follows from the request, so anybody who gets the root afterwards can repeat the choice by the same `program`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import Any, Final

from engines import deals
from engines.chance import SeededChance
from engines.game import Seat, seen_by
from engines.players.levels import LEVELS, PLAYED, PLAYERS
from engines.players.player import Expired, Policy, Situation, Thought
from engines.players.question import luck_of

VERSION: Final = 1
"""The version of this choice. It changes whenever a root may lead to another deal."""
DECENT: Final = "normal"
"""The level that stands for a decent player, who makes one act in `SLIPS` as the level below it does."""
SLIPS: Final = 4
LEAST, MOST = 0.35, 0.65
"""The bounds of what a deal may be worth to them."""
MATCHES: Final = 200
"""How many rollouts a day has, which take less than two seconds of CPU time. Once they are played, no further deal is
tried."""
ROLLOUTS: Final = 32
"""How many of them a deal gets."""
FIRST_LOOK: Final = 6
"""After this number a deal is given up if it is `HOPELESS` far outside the bounds."""
HOPELESS: Final = 0.1
PERSON: Final[Seat] = 0

_SEED: Final = b"cardroom/deal-of-the-day/v1\x00"


@dataclass(frozen=True, slots=True)
class DayRequest:
    """What a choice is made from: the game's options, the deal's context, the computers' level, and the secret root."""

    game: str
    options: Any
    deal: deals.Deal
    level: str
    root: bytes

    @property
    def seats(self) -> int:
        """How many seats it has."""
        return len(self.deal.salts)


@dataclass(frozen=True, slots=True)
class Choice:
    """Which deal was chosen, counted from 1, and its worth in thousandths: the share that a decent player won."""

    count: int
    worth: int


def seed_of(root: bytes, count: int) -> bytes:
    """The seed of the deal with this number (from 1), 32 bytes."""
    return hashlib.sha256(_SEED + root + b"\x00" + str(count).encode()).digest()


def program(game: str, level: str) -> str:
    """The name of the program that chooses for a game and a level of computers: the same name chooses the same deal."""
    played = [f"{name} {LEVELS[game][name].version}" for name in (*_decent(game), level)]
    return f"{VERSION}, {' and '.join(played[:-1])} against {played[-1]}"


def choose(request: DayRequest) -> Choice:
    """The deal of a day. Raises KeyError for a game without a computer player, and for a level that it doesn't have."""
    tried: list[Choice] = []
    played = 0
    while played < MATCHES:
        count = len(tried) + 1
        won = _won(request, seed_of(request.root, count))
        played += len(won)
        tried.append(Choice(count, round(1000 * fmean(won))))
        if LEAST <= fmean(won) <= MOST:
            return tried[-1]
    return min(tried, key=lambda each: abs(each.worth - 500))


def _decent(game: str) -> tuple[str, str]:
    """The levels that a decent player is made of: the lower one first."""
    names = list(LEVELS[game])
    index = names.index(DECENT)
    return names[max(0, index - 1)], names[index]


def _won(request: DayRequest, seed: bytes) -> list[float]:
    """The shares that a decent player wins in the rollouts of a deal, from 0 to 1."""
    won: list[float] = []
    person = _decent_player(request.game)
    for number in range(ROLLOUTS):
        won.append(share(request, seed, person, Random(f"{seed.hex()} {number}")))
        if len(won) == FIRST_LOOK and not LEAST - HOPELESS <= fmean(won) <= MOST + HOPELESS:
            break
    return won


def _decent_player(game: str) -> Policy[Any, Any]:
    lower, usual = [LEVELS[game][name].policy for name in _decent(game)]

    def act(situation: Situation[Any, Any], rng: Random, rollouts: int, expired: Expired) -> Thought[Any]:
        policy = usual if rng.randrange(SLIPS) else lower
        return policy(situation, rng, rollouts, expired)

    return act


def share(request: DayRequest, seed: bytes, person: Policy[Any, Any], luck: Random) -> float:
    """The share that a person wins of a match from this seed, 1 for a win. `luck` is theirs; the cards and the luck of
    the computers are those of an attempt."""
    game, player = PLAYED[request.game], PLAYERS[request.game]
    computers = LEVELS[request.game][request.level]
    pack_id = game.pack(request.options, request.seats).pack_id
    memories = [player.begin(request.options, request.seats, seat) for seat in range(request.seats)]
    state = game.start(request.options, request.seats)
    facts = game.deal(state, SeededChance(seed, request.deal, 0, pack_id))
    acts = 0
    while True:
        state = facts.state
        _remember(player, memories, facts)
        window = game.window(state)
        if window is None:
            break
        acts += 1
        seat = min(window.awaited)
        situation = Situation(memories[seat], game.observe(state, seat), game.choices(state, seat))
        if seat == PERSON:
            thought = person(situation, luck, 0, _never)
        else:
            rng = Random(luck_of(request.deal.deal_id, acts, seat))
            thought = computers.policy(situation, rng, computers.rollouts, _never)
        facts = game.decide(state, seat, thought.action, SeededChance(seed, request.deal, acts, pack_id))
    outcome = game.outcome(state)
    return 1 / len(outcome.winners) if outcome is not None and PERSON in outcome.winners else 0.0


def _never() -> bool:
    return False


def _remember(player: Any, memories: list[Any], facts: Sequence[Any]) -> None:
    for seat in range(len(memories)):
        for fact in facts:
            seen = seen_by(fact, seat)
            if seen is not None:
                memories[seat] = player.remember(memories[seat], seen)
