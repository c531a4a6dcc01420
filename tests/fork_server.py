"""Programs as processes of their own that start at once: each is forked from a process with everything loaded.

`python -m tests.fork_server MODULE…` loads these modules. Then it reads a line of JSON for each program: its module,
arguments, environment, folder, and the files for its output. It forks, the child runs the module as `python -m` would,
and two lines come back: the child's process id, and when it has ended its exit code (negative: a signal). One program
runs at a time.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[1]
ENDS_WITHIN = 60.0
"""Real seconds that a program may take to end."""


class ForkServer:
    """The server, as its parent sees it."""

    def __init__(self, *loaded: str, options: Sequence[str] = ()) -> None:
        """Start it, with these modules and all that they import loaded; `options` are Python's."""
        self._process = subprocess.Popen(
            [sys.executable, *options, "-m", "tests.fork_server", *loaded],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._child: int | None = None

    def close(self) -> None:
        """Kill the program that still runs, and end the server."""
        if self._child is not None:
            os.kill(self._child, signal.SIGKILL)
        self._process.communicate(timeout=10)

    def start(
        self, module: str, *arguments: str, environ: Mapping[str, str], folder: Path, out: Path, err: Path
    ) -> int:
        """Start a program that writes its output to these two files; its process id."""
        wanted = {
            "module": module,
            "arguments": arguments,
            "environ": dict(environ),
            "folder": str(folder),
            "out": str(out),
            "err": str(err),
        }
        asking = _open(self._process.stdin)
        asking.write(f"{json.dumps(wanted)}\n")
        asking.flush()
        self._child = self._read()
        return self._child

    def wait(self) -> int:
        """Wait until the program has ended; its exit code, negative for a signal."""
        code = self._read()
        self._child = None
        return code

    async def ended(self) -> int:
        """The same, without blocking the loop. Kills the program and raises TimeoutError after `ENDS_WITHIN`."""
        waiting = asyncio.ensure_future(asyncio.to_thread(self.wait))
        done, _ = await asyncio.wait({waiting}, timeout=ENDS_WITHIN)
        if not done and self._child is not None:  # or the thread that reads would hold the whole run up
            os.kill(self._child, signal.SIGKILL)
            await waiting
            raise TimeoutError(f"the program did not end within {ENDS_WITHIN} s")
        return await waiting

    def run(
        self, module: str, *arguments: str, environ: Mapping[str, str], folder: Path
    ) -> subprocess.CompletedProcess[str]:
        """Run a program to its end; what it did. After `ENDS_WITHIN` it is killed."""
        with tempfile.TemporaryDirectory() as outputs:
            out, err = Path(outputs, "out"), Path(outputs, "err")
            child = self.start(module, *arguments, environ=environ, folder=folder, out=out, err=err)
            enough = threading.Timer(ENDS_WITHIN, os.kill, (child, signal.SIGKILL))
            enough.start()
            code = self.wait()
            enough.cancel()
            printed, complained = (each.read_text("utf-8") for each in (out, err))
        return subprocess.CompletedProcess([module, *arguments], code, printed, complained)

    def _read(self) -> int:
        return int(_open(self._process.stdout).readline())


def _open(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise RuntimeError("the fork server was started without pipes")
    return pipe


@cache
def command_server() -> ForkServer:
    """A server for `cardroom` commands in development mode, where warnings are errors; it ends with this process.

    One is not: about discord.py's voice part, which nothing here uses.
    """
    strict = ("-X", "dev", "-W", "error", "-W", "ignore:'audioop' is deprecated:DeprecationWarning")
    server = ForkServer("bot.launcher", "bot.ops.check", "tests.loaded_once", options=strict)
    atexit.register(server.close)
    return server


def _become(wanted: dict[str, Any]) -> None:
    """Be the program, in a forked child, and do not return."""
    code = 1
    try:
        os.dup2(os.open(wanted["err"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        os.dup2(os.open(wanted["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.environ.clear()
        os.environ.update(wanted["environ"])
        sys.path[1:1] = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        os.chdir(wanted["folder"])
        code = _run(wanted["module"], wanted["arguments"])
        gc.collect()  # what was left open complains now, as it would when a process ends
    except BaseException:  # noqa: BLE001  whatever it is, it must not come back into the parent's loop
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _run(module: str, arguments: list[str]) -> int:
    """What `python -m` does; the exit code."""
    for loaded in (module, f"{module}.__main__"):
        if not hasattr(sys.modules.get(loaded), "__path__"):
            sys.modules.pop(loaded, None)  # it is run now, as if it had never been imported
    sys.argv = [module, *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        sys.stderr.write(f"{ended.code}\n")
        return 1
    return 0


def serve() -> None:
    """One program after the other, until standard input ends. Their garbage collectors leave alone what is here."""
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _become(json.loads(line))
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        importlib.import_module(name)
    serve()
