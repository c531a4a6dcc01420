"""A bot with short leases that is killed or frozen at a named step of a move: `python -m tests.clusters.quick_bot`.

`LEASE` in the environment is the seconds of a lease, `TURNS` the milliseconds between two sessions of one bucket. The
steps are those of `tests.faults.kill_points`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bot.__main__ import main as become_the_bot
from bot.cluster import groups, ownership
from bot.gateway import sessions
from tests.faults import waits
from tests.faults.kill_points import KillPoints

SETTLED_WITHIN = 3.0
"""Seconds instead of ten for which it is asked what became of a commit."""

if __name__ == "__main__":
    waits.shorten()
    vars(ownership)["LEASE_SECONDS"] = float(os.environ["LEASE"])
    vars(groups)["SETTLED_WITHIN"] = SETTLED_WITHIN
    vars(sessions)["SPACING"] = int(os.environ["TURNS"])
    KillPoints(Path(os.environ["KILL_AT"])).install()
    sys.exit(become_the_bot())
