"""Unbreakable: two players, a match hand each to get rid of, and sealed choices (docs/rules/unbreakable.md).

`facts` has the log's classes, `table` the state and the observations, `rules` the game.
"""

# ruff: noqa: F403  a game exports the names of its modules; a list here would only be a copy

from __future__ import annotations

from engines.common_facts import DealerDrawn as DealerDrawn
from engines.unbreakable.facts import *
from engines.unbreakable.rules import *
from engines.unbreakable.table import *
