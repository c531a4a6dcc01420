"""A bot whose workers are given up on after a second instead of five, and whose computers pretend little:
`python -m tests.faults.thinking_bot`."""

from __future__ import annotations

import sys

from bot.__main__ import main as become_the_bot
from bot.computers import pool
from bot.play.computers import seats
from tests.faults import waits

GIVEN_UP_AFTER = 1.0
"""Seconds until a question that no worker has answered gets the rule of thumb."""

if __name__ == "__main__":
    waits.shorten()
    vars(pool).update(LONGEST_WAIT=GIVEN_UP_AFTER, HANGS_AFTER=0.2, ANSWERED_WITHIN=GIVEN_UP_AFTER / 2)
    vars(seats)["thinking_seconds"] = lambda _size, _luck: 0.05
    sys.exit(become_the_bot())
