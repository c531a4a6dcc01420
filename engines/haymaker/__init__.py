"""Haymaker: two players, an attacker and a defender, and forty cards (docs/rules/haymaker.md).

`facts` has the log's classes, `table` the state and the observations, `offers` what a player may pick and why not,
`rules` the game.
"""

# ruff: noqa: F403  a game exports the names of its modules; a list here would only be a copy

from __future__ import annotations

from engines.common_facts import CountDealt as CountDealt
from engines.common_facts import DealerDrawn as DealerDrawn
from engines.haymaker.facts import *
from engines.haymaker.offers import *
from engines.haymaker.rules import *
from engines.haymaker.table import *
