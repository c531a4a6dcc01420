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


def shorten_leases(seconds: float) -> None:
    """Have leases of so many seconds, with what depends on them in the same proportions."""
    factor = seconds / ownership.LEASE_SECONDS
    for name in ("LEASE_SECONDS", "RENEW_SECONDS", "MARGIN", "LOOK_AGAIN"):
        vars(ownership)[name] *= factor
    vars(ownership)["_LEASE"] = round(seconds * 1000)


if __name__ == "__main__":
    waits.shorten()
    shorten_leases(float(os.environ["LEASE"]))
    vars(sessions)["SPACING"] = int(os.environ["TURNS"])
    KillPoints(Path(os.environ["KILL_AT"])).install()
    sys.exit(become_the_bot())
