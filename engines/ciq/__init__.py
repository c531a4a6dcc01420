"""CIQ: two to six players, who each try to get rid of a hand and three piles (docs/rules/ciq.md).

`cards` has the packs, `facts` the log's classes, `table` the state and the observations, `fold` how facts change the
state, `offers` what a player may pick and why not, `course` how an act is worked out, `rules` the game.
"""

# ruff: noqa: F403  a game exports the names of its modules; a list here would only be a copy

from __future__ import annotations

from engines.ciq.cards import *
from engines.ciq.facts import *
from engines.ciq.offers import *
from engines.ciq.rules import *
from engines.ciq.table import *
from engines.common_facts import CountDealt as CountDealt
from engines.common_facts import DealerDrawn as DealerDrawn
