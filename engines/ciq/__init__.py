"""CIQ: two to six players, each with a hand, three piles, and the wish to be rid of them all (docs/rules/ciq.md).

`cards` are the packs, `facts` what stands in the log, `table` the state and what of it people may know, `fold` how
facts change it, `offers` what a player may pick and why not, `course` how an act is worked out, `rules` the game.
"""

# ruff: noqa: F403  a game's names are those of its modules; a list of them here would only be a copy

from __future__ import annotations

from engines.ciq.cards import *
from engines.ciq.facts import *
from engines.ciq.offers import *
from engines.ciq.rules import *
from engines.ciq.table import *
