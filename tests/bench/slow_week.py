"""A week of slow matches: ``python -m tests.bench.slow_week [--brief]``.

40 people in three servers play by the day in the simulator's virtual time, each notified as they wish. In that week
Discord can't be reached for three hours, the bot is killed and comes back within three, and clocks are put forward.
Printed are the notices that people had, who lost by the clock and how much time of their own they had had, and how
often servers' own messages were posted and edited. The exit code is 1 if a law of the week did not hold
(`tests.simulation.laws.slow_week`); the same seed takes the same steps.
"""

# ruff: noqa: T201  a benchmark prints

from __future__ import annotations

import sys

from tests.simulation import patches

patches.install_clocks()  # before anything else, as in `python -m tests.simulation`

from tests.bench.sizes import sized  # noqa: E402  for that reason
from tests.simulation.slow_week import lines, live_through  # noqa: E402  as above

SEED = 1
DAYS = sized(7, brief=1)
PEOPLE = sized(40, brief=12)


def main() -> int:
    """Print the figures; the exit code."""
    outcome = live_through(SEED, DAYS, PEOPLE)
    for line in lines(outcome):
        print(line)
    return 1 if outcome.violations else 0


if __name__ == "__main__":
    sys.exit(main())
