"""Somebody's first matches of a game (ruling C-13), in which their clock is kinder.

They are counted per person over all servers, by a keyed hash alone (`bot.store.person_key`), so that a deletion, which
takes everything else, does not give anybody new ones.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from bot.games import GAMES
from bot.store.queries.invitations import Invitation
from bot.store.special_ids import people

FIRST_MATCHES: Final = 3
"""How many of a person's matches of a game are their first ones."""
LONGER: Final = 300
"""How many seconds longer their first turn is."""
READING: Final = 600
"""For how many seconds at most, once a match, their clock waits while they read."""
EARLY: Final = 3
"""A loss by the clock before this act of the loser's counts for nobody's rating."""


def may_be_first(invitation: Invitation) -> Collection[int]:
    """The people for whom the match of an invitation may be one of their first: none in a race, against computers
    alone, and in a later match of a series."""
    seated = people(invitation.seated)
    is_later = invitation.series is not None and invitation.series.number > 1
    return () if is_later or len(seated) < 2 or not GAMES[invitation.game].info.turn_clock else seated
