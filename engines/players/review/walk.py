"""Goes through a finished match from the deal to its end, and says at each act what the asked seats knew.

A seat's `Situation` is the one that is made from its question at that point (a test compares them). The memories are
folded along, because folding all facts for every act would take the square of the match's length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engines.game import AnyGame, Event, Outcome, Resign, Seat, TimeUp, can_resign, seen_by
from engines.players.player import Player, Situation
from engines.players.review.request import LoggedAct, ReviewRequest
from engines.players.rules_table import RandomChance


def _any_chance() -> RandomChance:
    """Chance of which nothing is drawn that counts."""
    return RandomChance(Random(0))


@dataclass(frozen=True, slots=True)
class Spot:
    """A seat that is asked, and what it knows: nothing here tells what it doesn't.

    `staying` are the seats that still play. `made` is the act that it made next, None if another seat or the clock came
    first, or if it changed its choice before the others had chosen: such a choice cost it nothing.
    """

    seat: Seat
    seats: int
    staying: tuple[Seat, ...]
    situation: Situation[Any, Any]
    made: Any = None


@dataclass(frozen=True, slots=True)
class Stage:
    """A match after some acts: who was asked, and the record that came next. At the end nobody is asked."""

    after: int
    spots: tuple[Spot, ...]
    following: LoggedAct | None
    outcome: Outcome | None

    @property
    def acting(self) -> Spot | None:
        """The asked seat that acts next, unless it only leaves."""
        return next((spot for spot in self.spots if spot.made is not None), None)


def walk(game: AnyGame, player: Player[Any, Any, Any], request: ReviewRequest) -> Iterator[Stage]:
    """The stages of a match: after the deal, and after each act. Raises ValueError for an act that has no notation."""
    return iter(_without_changed(game, [*_stages(game, player, request)]))


def _stages(game: AnyGame, player: Player[Any, Any, Any], request: ReviewRequest) -> Iterator[Stage]:
    table = Walked(game, player, request.options, request.seats)
    table.see(request.opening)
    for after, logged in enumerate(request.acts):
        yield Stage(after, table.spots(logged), logged, game.outcome(table.state))
        table.see(logged.facts)
        table.leave(logged)
    yield Stage(len(request.acts), table.spots(None), None, game.outcome(table.state))


def _without_changed(game: AnyGame, stages: Sequence[Stage]) -> Sequence[Stage]:
    """The stages without choices that were changed: who acts without being asked changes what they chose last."""
    found, changed = list(stages), set[Seat]()
    for index, stage in reversed([*enumerate(stages)]):
        logged, acting = stage.following, stage.acting
        if acting is None:
            if logged is not None and logged.actor is not None and not isinstance(game.read(logged.act), Resign):
                changed.add(logged.actor)
        elif acting.seat in changed:
            changed.remove(acting.seat)
            unmade = replace(acting, made=None)
            found[index] = replace(stage, spots=tuple([unmade if spot is acting else spot for spot in stage.spots]))
    return found


class Walked:
    """A match at one moment, with the memories of all seats."""

    def __init__(self, game: AnyGame, player: Player[Any, Any, Any], options: Any, seats: int) -> None:
        self.state = game.start(options, seats)
        self._game = game
        self._player = player
        self._staying = tuple(range(seats))
        self._memories = [player.begin(options, seats, seat) for seat in range(seats)]

    def see(self, facts: Sequence[Event]) -> None:
        """Let facts happen."""
        for fact in facts:
            self.state = self._game.evolve(self.state, fact)
            for seat, memory in enumerate(self._memories):
                seen = seen_by(fact, seat)
                if seen is not None:
                    self._memories[seat] = self._player.remember(memory, seen)

    def leave(self, logged: LoggedAct) -> None:
        """Note who has left by an act: only the clock and those who resign make anybody leave."""
        game = self._game
        if logged.actor is not None and not isinstance(game.read(logged.act), Resign):
            return
        self._staying = tuple([seat for seat in self._staying if can_resign(game, self.state, _any_chance, seat)])

    def spots(self, logged: LoggedAct | None) -> tuple[Spot, ...]:
        """The asked seats."""
        game, state = self._game, self.state
        window = game.window(state)
        if window is None:
            return ()
        action = None if logged is None else game.read(logged.act)
        if isinstance(action, (Resign, TimeUp, *game.info.preparations)):
            action = None
        found = []
        for seat in sorted(window.awaited):
            known = Situation(self._memories[seat], game.observe(state, seat), game.choices(state, seat))
            made = action if logged is not None and logged.actor == seat else None
            found.append(Spot(seat, len(self._memories), self._staying, known, made))
        return tuple(found)
