"""Champions of Chance: two to five players, dice made of cards (docs/rules/champions.md).

`cards` are the packs, `facts` what stands in the log, `table` the state and what of it people may know, `fold` what
each fact makes of it, `verdict` who wins a roll, `offers` what a player may pick and why not, `course` what follows
from an act, `rules` the game itself.
"""

# ruff: noqa: F403  a game's names are those of its modules; a list of them here would only be a copy

from __future__ import annotations

from engines.champions.cards import *
from engines.champions.facts import *
from engines.champions.offers import *
from engines.champions.rules import *
from engines.champions.table import *
from engines.champions.verdict import *
