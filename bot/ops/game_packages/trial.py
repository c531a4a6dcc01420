"""Tries a package in a process of its own before the bot takes it, with limits of time, memory and output.

What ends its process, never ends, fills the memory or changes what belongs to all does so there. This is against
accidents and not against malice: a package that comes through is imported by the bot, and may then do anything.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import IO, Final

from bot.games import PACKAGES
from bot.ops.game_packages import traces
from bot.ops.game_packages.checks import Unusable, whole
from bot.workers.process import environment

WITHIN: Final = 30.0
"""Seconds. Most packages take one; a busy machine may take many times as long."""
MOST_MEMORY: Final = 1 << 30
"""Bytes that a package may allocate."""
MOST_WRITTEN: Final = 16 << 20
"""Bytes that it may write into one file. Its output is a file here."""
_DONE: Final = b"="
"""What a verdict begins with."""


def attempt(entry: EntryPoint, within: float = WITHIN) -> None:
    """Try the package that an entry point names. Raises Unusable."""
    if fault := _fault(entry, within):
        raise Unusable(fault)


def _fault(entry: EntryPoint, within: float) -> str:
    wanted = json.dumps([entry.name, entry.value, entry.group])
    with tempfile.TemporaryFile() as verdict, tempfile.TemporaryFile() as output:
        process = subprocess.Popen(  # noqa: S603  our own module, by this Python
            [sys.executable, "-P", "-m", __name__, str(verdict.fileno()), wanted],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=environment(),  # without the token
            pass_fds=[verdict.fileno()],
            process_group=0,
        )
        try:
            code = process.wait(within)
        except subprocess.TimeoutExpired:
            return f"it isn't loaded within {within:g} seconds"
        finally:
            with contextlib.suppress(ProcessLookupError):  # with all that it has started
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return _read(verdict) if code == 0 else _ending(code)


def _read(verdict: IO[bytes]) -> str:
    verdict.seek(0)
    written = verdict.read()
    return written.removeprefix(_DONE).decode(errors="replace") if written else _ending(0)


def _ending(code: int) -> str:
    return f"it ends its process ({f'signal {-code}' if code < 0 else f'exit code {code}'})"


# ---------------------------------------------------------------------------------------------- in that process


def main(descriptor: int, wanted: str) -> None:
    """Load the package, and write down what is wrong with it; nothing but `_DONE` if it can be used."""
    _limit()
    for ours in PACKAGES.values():  # what every cog needs is loaded first, so that no package is blamed for it
        importlib.import_module(ours.cog)
    before = traces.taken()
    found = ""
    try:
        whole(EntryPoint(*json.loads(wanted)))
    except Unusable as unusable:
        found = str(unusable)
    found = traces.change(before) or found  # what it changes may be why something failed
    with open(descriptor, "wb") as verdict:
        verdict.write(_DONE + found.encode(errors="replace"))
    sys.stdout.flush()  # what it has printed may be too much, and then this raises
    os._exit(0)  # whatever it has left for the end


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_WRITTEN, MOST_WRITTEN))
    with contextlib.suppress(OSError):  # Linux: if memory is short all the same, this process goes and not the bot
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
