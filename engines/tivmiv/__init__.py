"""Tiv-Miv: two to six players, no turns, seventy-three cards (docs/rules/tivmiv.md).

`facts` is what stands in the log, `table` the state and what of it people may know, `rules` the game itself.
"""

# ruff: noqa: F403  a game's names are those of its modules; a list of them here would only be a copy

from __future__ import annotations

from engines.tivmiv.facts import *
from engines.tivmiv.rules import *
from engines.tivmiv.table import *
