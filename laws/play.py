"""Whole matches played by chance, of any game, as the laws need them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import engines.deals
from engines.chance import Chance, SeededChance
from engines.deals import NO_SALT
from engines.game import AnyGame, Choices, Event, Length, Pick, Reply, Resign, Seat, Seconds, TimeUp, Turn, Window

FIRST_USER = 100_000_000_000_000_001
TURN_SECONDS = 120
LONGEST_WALK = 200


@dataclass(frozen=True, slots=True)
class Move:
    """One act and the facts that followed; the actor of the clock's acts is None."""

    actor: Seat | None
    action: Any
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """What fixes every use of chance in a match: game, options, seats and seed.

    It is dealt without salts, unless `sealed` has some.
    """

    game: AnyGame
    options: Any
    seats: int
    seed: bytes
    match_id: str = "G1"
    sealed: engines.deals.Deal | None = None

    def chance(self, seq: int) -> Chance:
        """Chance for the act with this number; the opening is 0."""
        return _chances(self)(seq)

    def chances(self) -> Callable[[int], Chance]:
        """Chance for any act by its number, where what they have in common is made once, as the application does."""
        sealed = self.in_contexts
        pack_id = self.game.pack(self.options, self.seats).pack_id
        return lambda seq: SeededChance(self.seed, sealed, seq, pack_id)

    @property
    def in_contexts(self) -> engines.deals.Deal:
        """What all contexts of the match share."""
        if self.sealed is not None:
            return self.sealed
        info = self.game.info
        return engines.deals.Deal(info.key, info.rules_version, self.match_id, (NO_SALT,) * self.seats)

    def open(self) -> tuple[Any, tuple[Event, ...]]:
        """The state after the opening, and the opening's facts."""
        empty = self.game.start(self.options, self.seats)
        facts = self.game.deal(empty, self.chance(0))
        return facts.state, tuple(facts)


@lru_cache(maxsize=16)
def _chances(deal: Deal) -> Callable[[int], Chance]:
    """A law asks for the chance of the same match many thousand times."""
    return deal.chances()


@dataclass(frozen=True, slots=True)
class MatchLog:
    """A match as it was played: `states[0]` follows the opening, `states[n]` the n-th move."""

    deal: Deal
    opening: tuple[Event, ...]
    moves: tuple[Move, ...]
    states: tuple[Any, ...]

    def events(self, moves: int | None = None) -> tuple[Event, ...]:
        """All facts of the opening and of the first moves; None: of all."""
        return (*self.opening, *(event for move in self.moves[:moves] for event in move.events))


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely, before each act, the clock runs out or somebody resigns."""

    time: float = 0.0
    resign: float = 0.0


class Clock:
    """Runs a window's timers as the application does: an unchanged (name, key) keeps running."""

    def __init__(self) -> None:
        self._now = 0
        self._due: dict[tuple[str, str], int] = {}

    def look(self, window: Window) -> None:
        """Start new timers, drop those that are gone."""
        self._due = {
            (timer.name, timer.key): self._due.get((timer.name, timer.key), self._now + seconds_of(timer.length))
            for timer in window.timers
        }

    def ring(self) -> TimeUp:
        """Let time pass until the first timer runs out."""
        (name, key), self._now = min(self._due.items(), key=lambda item: item[1])
        return TimeUp(name, key)


def random_match(deal: Deal, rng: random.Random, odds: Odds | None = None, moves: int | None = None) -> MatchLog:
    """Play a match to its end, or for `moves` moves, by random legal acts; `odds` adds the clock's and resignations.

    Raises AssertionError when it does not end within the game's own bound.
    """
    game = deal.game
    state, opening = deal.open()
    states, played, clock, chance = [state], list[Move](), Clock(), deal.chances()
    while (window := game.window(state)) is not None and len(played) != moves:
        assert len(played) < game.info.longest, "the match outlasts its bound"
        clock.look(window)
        move = _resigns_or_rings(window, clock, rng, odds or Odds()) or _acts(game, state, window, rng)
        actor, action = move or (None, clock.ring())
        facts = game.decide(state, actor, action, chance(len(played) + 1))
        state = facts.state
        played.append(Move(actor, action, tuple(facts)))
        states.append(state)
    return MatchLog(deal, opening, tuple(played), tuple(states))


def random_act(choices: Choices[Any], rng: random.Random) -> Any | None:
    """A random act among those offered; None when nothing offered can be completed."""
    for offer in rng.sample(choices.offers, len(choices.offers)):
        if not isinstance(offer, Pick):
            return offer.action
        picked = random_picks(offer, rng)
        if picked is not None:
            return offer.action(picked)
    return None


def random_picks(pick: Pick[Any], rng: random.Random) -> tuple[int, ...] | None:
    """Picks that are a legal act, found by a random walk; None when the walk ends short of one."""
    picked: tuple[int, ...] = ()
    for _ in range(LONGEST_WALK):
        step = pick.step(picked)
        addable = [item for item, refusal in enumerate(step.addable) if refusal is None]
        if step.unfinished is None and (not addable or rng.random() < 0.4):
            return picked
        if not addable:
            return None
        picked = with_item(pick, picked, rng.choice(addable))
    raise AssertionError(f"picking for {pick.verb} does not end")


def with_item(pick: Pick[Any], picked: tuple[int, ...], item: int) -> tuple[int, ...]:
    """The picks with one more item, ascending where their order does not matter."""
    return (*picked, item) if pick.ordered else tuple(sorted((*picked, item)))


def fits(game: AnyGame, options: Any, seats: int) -> bool:
    """Whether a match can begin with these options and this number of players."""
    try:
        game.start(options, seats)
    except ValueError:
        return False
    return True


def _resigns_or_rings(
    window: Window, clock: Clock, rng: random.Random, odds: Odds
) -> tuple[Seat | None, Resign | TimeUp] | None:
    if window.may_act and rng.random() < odds.resign:
        return rng.choice(sorted(window.may_act)), Resign()
    return (None, clock.ring()) if rng.random() < odds.time else None


def _acts(game: AnyGame, state: Any, window: Window, rng: random.Random) -> tuple[Seat, Any] | None:
    for seat in rng.sample(sorted(window.may_act), len(window.may_act)):
        action = random_act(game.choices(state, seat), rng)
        if action is not None:
            return seat, action
    return None


def seconds_of(length: Length) -> int:
    """The seconds of a timer, where a turn takes two minutes."""
    match length:
        case Turn():
            return TURN_SECONDS
        case Seconds(seconds) | Reply(seconds):
            return seconds
