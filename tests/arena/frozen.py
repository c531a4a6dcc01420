"""Haymaker's levels on its fast table, as opponents that don't change, for training and search."""

from __future__ import annotations

from random import Random
from typing import Final

from engines.game import Seat
from engines.players.haymaker.net import mixed, shipped
from engines.players.haymaker.rules_of_thumb import by_rule_of_thumb
from engines.players.haymaker.table import FastTable, known_at
from tests.arena.ismcts import Model


def thumb(table: FastTable, seat: Seat, rng: Random) -> int:
    """Haymaker's *normal*."""
    return by_rule_of_thumb(known_at(table, seat))


def hard(table: FastTable, seat: Seat, rng: Random) -> int:
    """Haymaker's *hard*."""
    acts = table.candidates()
    values = shipped().values(known_at(table, seat), acts)
    return acts[mixed(values, rng.random())]


LEVELS: Final[dict[str, Model]] = {"normal": thumb, "hard": hard}
