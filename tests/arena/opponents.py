"""Opponents that aren't levels: tree search, and cheaters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from engines.game import AnyGame, Event, Seat, fold, seen_by
from engines.players.levels import LEVELS, PLAYERS
from engines.players.player import Situation
from engines.players.rules_table import RandomChance
from laws.play import Deal
from laws.players import Twin
from tests.arena.ismcts import Model, tried
from tests.arena.matches import Contender, Spot, situation_at


def ismcts(iterations: int, twin: Twin, model: Model | None = None) -> Contender:
    """A contender that searches with this many iterations on what its seat knows, and nothing else. `twin` makes its
    tables. With a model it looks for a best response to it."""

    def act(spot: Spot) -> Any:
        situation, rng = situation_at(spot), Random(spot.luck)
        counts = tried(lambda: twin.sample(situation, rng), spot.deal.seats, iterations, rng, model)
        return twin.action_of(twin.sample(situation, rng), max(counts, key=counts.__getitem__))

    return act


class Room:
    """A match on the rules engine that is played on in a rollout: the state, and what each seat remembers."""

    def __init__(self, game: AnyGame, state: Any, memories: Sequence[Any]) -> None:
        self.game = game
        self.state = state
        self.memories = list(memories)

    @classmethod
    def after(cls, deal: Deal, events: Sequence[Event]) -> Room:
        """A match after these facts."""
        game, seats = deal.game, range(deal.seats)
        player = PLAYERS[game.info.key]
        room = cls(
            game, game.start(deal.options, deal.seats), [player.begin(deal.options, deal.seats, seat) for seat in seats]
        )
        room.state = fold(game, room.state, events)
        room.remember(events)
        return room

    def copy(self) -> Room:
        """An equal match that goes on independently."""
        return Room(self.game, self.state, self.memories)

    def situation(self, seat: Seat) -> Situation[Any, Any]:
        """What a seat knows."""
        return Situation(self.memories[seat], self.game.observe(self.state, seat), self.game.choices(self.state, seat))

    def asked(self) -> Seat | None:
        """A seat that is asked; None if nobody is, or the match is over."""
        window = self.game.window(self.state)
        return min(window.awaited, default=None) if window else None

    def play(self, seat: Seat, action: Any, rng: Random) -> None:
        """Make an act."""
        facts = self.game.decide(self.state, seat, action, RandomChance(rng))
        self.state = facts.state
        self.remember(facts)

    def remember(self, facts: Sequence[Event]) -> None:
        player = PLAYERS[self.game.info.key]
        for seat, memory in enumerate(self.memories):
            for fact in facts:
                seen = seen_by(fact, seat)
                if seen is not None:
                    memory = player.remember(memory, seen)  # noqa: PLW2901  it is folded
            self.memories[seat] = memory


@dataclass(frozen=True, slots=True)
class Cheater:
    """A contender that sees all cards, the draw pile too: it tries every candidate on the true table, in rollouts where
    everybody, itself included, acts by a level. What it wins shows how much there is to win at all."""

    level: str
    samples: int = 4
    acts: int = 30
    """After this many acts a rollout is judged by `Player.judge`, unless the match is over."""

    def __call__(self, spot: Spot) -> Any:
        """As `Contender`."""
        rng = Random(spot.luck)
        candidates = PLAYERS[spot.deal.game.info.key].candidates(situation_at(spot))
        if len(candidates) == 1:
            return candidates[0]
        totals = [0.0] * len(candidates)
        room = Room.after(spot.deal, spot.events)
        for _ in range(self.samples):
            luck = rng.getrandbits(64)
            for index, action in enumerate(candidates):
                totals[index] += self._value(room.copy(), spot.seat, action, Random(luck))
        return candidates[max(range(len(candidates)), key=totals.__getitem__)]

    def _value(self, room: Room, mine: Seat, action: Any, rng: Random) -> float:
        """The share of the win that an act brings in one rollout."""
        key = room.game.info.key
        level = LEVELS[key][self.level]
        room.play(mine, action, rng)
        acts = 0
        while (seat := room.asked()) is not None:
            situation = room.situation(seat)
            if acts >= self.acts and seat == mine:
                return max(PLAYERS[key].judge(situation, PLAYERS[key].candidates(situation)))
            room.play(seat, level.policy(situation, rng, level.rollouts, _never).action, rng)
            acts += 1
        outcome = room.game.outcome(room.state)
        return 1 / len(outcome.winners) if outcome and mine in outcome.winners else 0.0


def _never() -> bool:
    return False
