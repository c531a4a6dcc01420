"""Matches between policies on the rules engine, many times as fast as by questions: what seats remember is kept, and
not folded anew for every act."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from engines.players.levels import LEVELS, PLAYERS
from engines.players.player import Situation
from laws.play import Deal, random_act
from tests.arena.matches import Played, ended
from tests.arena.opponents import Room

Chooses: TypeAlias = Callable[[Situation[Any, Any], random.Random], Any]
"""Chooses an act by what its seat knows."""


def level(key: str, name: str) -> Chooses:
    """A level as the bot plays it, without a deadline."""
    chosen = LEVELS[key][name]
    return lambda situation, rng: chosen.policy(situation, rng, chosen.rollouts, lambda: False).action


def at_random(situation: Situation[Any, Any], rng: random.Random) -> Any:
    """Any legal act."""
    act = random_act(situation.choices, rng)
    assert act is not None
    return act


def played(deal: Deal, seats: Sequence[Chooses], rng: random.Random) -> Played:
    """Play a match of turns whose game has a player, in which no clock runs out, and tell what became of it."""
    game, player = deal.game, PLAYERS[deal.game.info.key]
    state, opening = deal.open()
    room = Room(game, state, [player.begin(deal.options, deal.seats, seat) for seat in range(deal.seats)])
    room.remember(opening)
    chance, acts, windows, first = deal.chances(), 0, set[int](), None
    while (window := game.window(room.state)) is not None:
        acts += 1
        seat = min(window.awaited)
        windows.add(window.number)
        if first is None and len(window.awaited) == 1:
            first = seat
        facts = game.decide(room.state, seat, seats[seat](room.situation(seat), rng), chance(acts))
        room.state = facts.state
        room.remember(facts)
    return Played(*ended(game, room.state, deal.seats), acts, len(windows), first or 0)
