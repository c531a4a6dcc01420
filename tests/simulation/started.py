"""The simulator as a process of its own, for its tests."""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache

from tests.fork_server import ROOT, ForkServer

ENDS_WITHIN = 300.0
"""Real seconds that a run may take."""


def simulate(*arguments: str, hash_seed: int | None = None) -> subprocess.CompletedProcess[str]:
    """Run `python -m tests.simulation`: forked with everything loaded, or with a `hash_seed` started anew, so that each
    set of texts has an order of its own."""
    if hash_seed is None:
        return _server().run("tests.simulation", *arguments, environ=os.environ, folder=ROOT, ends_within=ENDS_WITHIN)
    environ = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    command = [sys.executable, "-m", "tests.simulation", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=ENDS_WITHIN
    )


def counts(printed: str) -> Counter[str]:
    """What happened how often, as the last line says."""
    return Counter({what: int(number) for number, what in re.findall(r"(\d+) ([A-Za-z ]+)", printed.splitlines()[-1])})


@cache
def _server() -> ForkServer:
    server = ForkServer(program="tests.simulation.server")
    atexit.register(server.close)
    return server
