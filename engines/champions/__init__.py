"""Champions of Chance: two to five players, dice made of cards (docs/rules/champions.md).

`cards` has the packs, `facts` the log's classes, `table` the state and the observations, `fold` how facts change the
state, `verdict` who wins a roll, `offers` what a player may pick and why not, `course` what follows from an act,
`rules` the game.
"""

# ruff: noqa: F403  a game exports the names of its modules; a list here would only be a copy

from __future__ import annotations

from engines.champions.cards import *
from engines.champions.facts import *
from engines.champions.offers import *
from engines.champions.rules import *
from engines.champions.table import *
from engines.champions.verdict import *
from engines.common_facts import CountDealt as CountDealt
