"""`python -m tests.simulation.server`: a fork server (`tests.fork_server`) that has the simulator loaded."""

from __future__ import annotations

from tests.simulation import patches

patches.install_clocks()  # before anything else, as in `python -m tests.simulation`

import tests.simulation.command  # noqa: E402, F401  for the forked processes
from tests.fork_server import serve  # noqa: E402  for that reason

if __name__ == "__main__":
    serve()
