"""`python -m tests.simulation.planted`: plant faults, and tell which law finds each. Exit code 1 if one is missed.

Names of faults choose some; `--slow` adds those that take longer. With `--whole` no fault is planted: the same seeds
must then break no law, and what is found is a false alarm, or a fault that nobody planted.
"""

from __future__ import annotations

import sys

from tests.simulation import patches

patches.install_clocks()  # before anything else: some libraries take `time.monotonic` for themselves as they load

from tests.simulation.planted.command import main  # noqa: E402  for that reason

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
