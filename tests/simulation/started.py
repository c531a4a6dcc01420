"""The simulator as a process of its own, for its tests."""

from __future__ import annotations

import atexit
import os
import re
import subprocess
from collections import Counter
from functools import cache

from tests.fork_server import ROOT, ForkServer

ENDS_WITHIN = 900.0
"""Real seconds that a run may take."""


def simulate(*arguments: str, hash_seed: int = 1) -> subprocess.CompletedProcess[str]:
    """Run `python -m tests.simulation`, forked with everything loaded. With another `hash_seed` each set of texts has
    another order."""
    server = _server(hash_seed)
    return server.run("tests.simulation", *arguments, environ=os.environ, folder=ROOT, ends_within=ENDS_WITHIN)


def counts(printed: str) -> Counter[str]:
    """What happened how often, as the last line says."""
    return Counter({what: int(number) for number, what in re.findall(r"(\d+) ([A-Za-z ]+)", printed.splitlines()[-1])})


@cache
def _server(hash_seed: int) -> ForkServer:
    """A process orders sets as it was told at its start, and so do those that it forks."""
    server = ForkServer(program="tests.simulation.server", environ={"PYTHONHASHSEED": str(hash_seed)})
    atexit.register(server.close)
    return server
