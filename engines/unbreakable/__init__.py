"""Unbreakable: two players, a match hand each to get rid of, and sealed choices (docs/rules/unbreakable.md).

`facts` is what stands in the log, `table` the state and what of it people may know, `rules` the game itself.
"""

# ruff: noqa: F403  a game's names are those of its modules; a list of them here would only be a copy

from __future__ import annotations

from engines.unbreakable.facts import *
from engines.unbreakable.rules import *
from engines.unbreakable.table import *
