"""Programs as processes of their own that start at once: each is forked from a process with everything loaded.

`python -m tests.fork_server MODULE…` loads these modules. Then it reads a line of JSON for each program: its module,
arguments, environment, folder, and the files for its output. It forks, the child runs the module as `python -m` would,
and two lines come back: `started PID`, and when it has ended `ended PID CODE` (negative: a signal). Several programs
may run at once.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import gc
import importlib
import json
import logging
import os
import runpy
import select
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

ROOT = Path(__file__).parents[1]
ENDS_WITHIN = 60.0
"""Real seconds that a program may take to end."""
_MANY = 1 << 16
"""Bytes that are read at once."""


class ForkServer:
    """The server, as its parent sees it."""

    def __init__(
        self,
        *loaded: str,
        options: Sequence[str] = (),
        program: str = "tests.fork_server",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """Start it, with these modules and all that they import loaded; `options` are Python's. Another `program` may
        call `serve` too. `environ` is the server's own."""
        self._process = subprocess.Popen(
            [sys.executable, *options, "-m", program, *loaded],
            cwd=ROOT,
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._started: SimpleQueue[int] = SimpleQueue()
        self._codes: dict[int, Future[int]] = {}
        self._latest = 0
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def close(self) -> None:
        """Kill the programs that still run, and end the server."""
        for child, code in list(self._codes.items()):
            if not code.done():
                os.kill(child, signal.SIGKILL)
        _open(self._process.stdin).close()
        self._process.wait(timeout=10)
        self._listening.join(timeout=10)
        _open(self._process.stdout).close()

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
        self._latest = self._started.get(timeout=ENDS_WITHIN)
        return self._latest

    def wait(self, child: int | None = None) -> int:
        """Wait until a program (None: the one started last) has ended; its exit code, negative for a signal."""
        child = child or self._latest
        code = self._codes[child].result()
        del self._codes[child]
        return code

    async def ended(self, child: int | None = None) -> int:
        """The same, without blocking the loop. Kills the program and raises TimeoutError after `ENDS_WITHIN`."""
        child = child or self._latest
        waiting = asyncio.ensure_future(asyncio.to_thread(self.wait, child))
        done, _ = await asyncio.wait({waiting}, timeout=ENDS_WITHIN)
        if not done and not self._codes[child].done():  # or the thread that waits would hold the whole run up
            os.kill(child, signal.SIGKILL)
            await waiting
            raise TimeoutError(f"the program did not end within {ENDS_WITHIN} s")
        return await waiting

    def run(
        self, module: str, *arguments: str, environ: Mapping[str, str], folder: Path, ends_within: float = ENDS_WITHIN
    ) -> subprocess.CompletedProcess[str]:
        """Run a program to its end; what it did. After so many real seconds it is killed."""
        with tempfile.TemporaryDirectory() as outputs:
            out, err = Path(outputs, "out"), Path(outputs, "err")
            child = self.start(module, *arguments, environ=environ, folder=folder, out=out, err=err)
            enough = threading.Timer(ends_within, os.kill, (child, signal.SIGKILL))
            enough.start()
            code = self.wait(child)
            enough.cancel()
            printed, complained = (each.read_text("utf-8") for each in (out, err))
        return subprocess.CompletedProcess([module, *arguments], code, printed, complained)

    def _listen(self) -> None:
        """Take what the server says, in a thread of its own, until the server ends."""
        for line in _open(self._process.stdout):
            what, child, *code = line.split()
            if what == "started":
                self._codes[int(child)] = Future()
                self._started.put(int(child))
            else:
                self._codes[int(child)].set_result(int(code[0]))


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


def _depends_on_no_time(record: logging.LogRecord) -> bool:
    """Whether a line of asyncio's development mode is the same on a busy machine: not that a callback took long."""
    return not record.msg.startswith("Executing ")


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
        sys.path.insert(0, wanted["folder"])
        os.chdir(wanted["folder"])
        logging.getLogger("asyncio").addFilter(_depends_on_no_time)
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
    """Fork a program for each line, until standard input ends. Their garbage collectors leave alone what is here."""
    gc.collect()
    gc.freeze()
    ended, noticing = os.pipe()
    for each in (ended, noticing):
        os.set_blocking(each, False)
    signal.set_wakeup_fd(noticing, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _notice)
    asked = b""
    while True:
        ready, _, _ = select.select([0, ended], [], [])
        if ended in ready:
            os.read(ended, _MANY)
            _report_the_ended()
        if 0 not in ready:
            continue
        chunk = os.read(0, _MANY)
        if not chunk:
            return
        *lines, asked = (asked + chunk).split(b"\n")
        for line in lines:
            _fork(line, (ended, noticing))


def _fork(line: bytes, pipe: tuple[int, int]) -> None:
    child = os.fork()
    if child == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for each in pipe:
            os.close(each)
        _become(json.loads(line))
    _say(f"started {child}")


def _report_the_ended() -> None:
    with contextlib.suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            _say(f"ended {found[0]} {os.waitstatus_to_exitcode(found[1])}")


def _notice(_number: int, _frame: object) -> None:
    """Nothing: the byte in the pipe is what counts, and only signals with a handler write one."""


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        importlib.import_module(name)
    serve()
