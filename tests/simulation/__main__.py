"""`python -m tests.simulation`: run simulations; exit code 1 if a law did not hold."""

from __future__ import annotations

import sys

from tests.simulation import patches

patches.install_clocks()  # before anything else: some libraries take `time.monotonic` for themselves as they load

from tests.simulation.command import main  # noqa: E402  for that reason

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
