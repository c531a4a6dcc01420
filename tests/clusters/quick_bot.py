"""A bot with short leases that is killed or frozen at a named step of a move: `python -m tests.clusters.quick_bot`.

`LEASE` in the environment is the seconds of a lease, `TURNS` the milliseconds between two sessions of one bucket. The
steps are those of `tests.faults.kill_points`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bot.__main__ import main as become_the_bot
from bot.cluster import ownership
from bot.gateway import sessions
from tests.faults import waits
from tests.faults.kill_points import KillPoints

if __name__ == "__main__":
    waits.shorten()
    vars(ownership)["LEASE_SECONDS"] = float(os.environ["LEASE"])
    vars(sessions)["SPACING"] = int(os.environ["TURNS"])
    KillPoints(Path(os.environ["KILL_AT"])).install()
    sys.exit(become_the_bot())
