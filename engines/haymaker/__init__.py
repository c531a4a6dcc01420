"""Haymaker: two players, an attacker and a defender, and forty cards (docs/rules/haymaker.md).

`facts` is what stands in the log, `table` the state and what of it people may know, `offers` what a player may pick
and why not, `rules` the game itself.
"""

# ruff: noqa: F403  a game's names are those of its modules; a list of them here would only be a copy

from __future__ import annotations

from engines.haymaker.facts import *
from engines.haymaker.offers import *
from engines.haymaker.rules import *
from engines.haymaker.table import *
