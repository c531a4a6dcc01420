"""Tiv-Miv: two to six players, no turns, seventy-three cards (docs/rules/tivmiv.md).

`facts` has the log's classes, `table` the state and the observations, `rules` the game.
"""

# ruff: noqa: F403  a game exports the names of its modules; a list here would only be a copy

from __future__ import annotations

from engines.common_facts import CountDealt as CountDealt
from engines.tivmiv.facts import *
from engines.tivmiv.rules import *
from engines.tivmiv.table import *
