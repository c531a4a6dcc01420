"""Programs as processes of their own that start at once: each is forked from a process with everything loaded.

`ForkServer(MODULE…)` connects to a server that has loaded these modules, and starts one if there is none: the workers
of a run of tests share it. It reads a line of JSON for each program: its module, arguments, environment, folder, and
the files for its output. It forks, the child runs the module as `python -m` would, and two lines come back: `started
PID`, and when it has ended `ended PID CODE` (negative: a signal). Several programs may run at once. It ends once nobody
is connected.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import gc
import hashlib
import importlib
import json
import logging
import os
import runpy
import select
import signal
import socket
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
from typing import Any

from tests import made_once

ROOT = Path(__file__).parents[1]
ENDS_WITHIN = 60.0
"""Real seconds that a program may take to end."""
_MANY = 1 << 16
"""Bytes that are read at once."""


class ForkServer:
    """The server, as one of those that are connected to it sees it."""

    def __init__(
        self,
        *loaded: str,
        options: Sequence[str] = (),
        program: str = "tests.fork_server",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        """Connect to the server with these modules and all that they import loaded; `options` are Python's. Another
        `program` may call `serve` too. `environ` is what the server's own environment has more."""
        command = (sys.executable, *options, "-m", program, *loaded)
        self._line = _connected(command, environ or {})
        self._started: SimpleQueue[int] = SimpleQueue()
        self._codes: dict[int, Future[int]] = {}
        self._latest = 0
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def close(self) -> None:
        """Kill the programs that still run, and leave the server."""
        for child, code in list(self._codes.items()):
            if not code.done():
                os.kill(child, signal.SIGKILL)
        self._line.shutdown(socket.SHUT_RDWR)
        self._listening.join(timeout=10)
        self._line.close()

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
        self._line.sendall(f"{json.dumps(wanted)}\n".encode())
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
        with self._line.makefile() as said:
            for line in said:
                what, child, *code = line.split()
                if what == "started":
                    self._codes[int(child)] = Future()
                    self._started.put(int(child))
                else:
                    self._codes[int(child)].set_result(int(code[0]))


def _connected(command: Sequence[str], environ: Mapping[str, str]) -> socket.socket:
    """A connection to the server of this command in this run of tests."""
    name = hashlib.blake2s(repr((command, sorted(environ.items()))).encode(), digest_size=8).hexdigest()
    address = str(made_once.folder() / name)
    with made_once.alone(name):
        line = socket.socket(socket.AF_UNIX)
        try:
            line.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            _begin(command, environ, address)
            line.connect(address)
    return line


def _begin(command: Sequence[str], environ: Mapping[str, str], address: str) -> None:
    """Start a server, which listens at this address on its standard input."""
    Path(address).unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        server = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **environ}, stdin=listening.fileno(), stdout=subprocess.DEVNULL
        )
    atexit.register(_wait_for, server)


def _wait_for(server: subprocess.Popen[bytes]) -> None:
    """Wait until the others have gone too, at the end of a run, so that what it took counts as this process's."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        server.wait(ENDS_WITHIN)


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


class Server:
    """Forks a program for each line of those that are connected, until nobody is."""

    def __init__(self, listening: socket.socket) -> None:
        self._listening = listening
        listening.setblocking(False)
        self._asked: dict[socket.socket, bytes] = {}
        self._askers: dict[int, socket.socket] = {}
        self._ended, self._noticing = os.pipe()
        for each in (self._ended, self._noticing):
            os.set_blocking(each, False)

    def serve(self) -> None:
        """Serve until the last has gone."""
        signal.set_wakeup_fd(self._noticing, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _notice)
        while True:
            waited_for: list[int | socket.socket] = [self._listening, self._ended, *self._asked]
            ready, _, _ = select.select(waited_for, [], [])
            if self._ended in ready:
                os.read(self._ended, _MANY)
                self._report_the_ended()
            if self._listening in ready:
                self._accept()
            heard = [line for line in self._asked if line in ready]
            for line in heard:
                self._hear(line)
            if heard and not self._asked:
                # Who comes now starts another. Who just came is served.
                Path(self._listening.getsockname()).unlink(missing_ok=True)
                self._accept()
                if not self._asked:
                    return

    def _accept(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while True:
                line, _ = self._listening.accept()
                line.setblocking(True)
                self._asked[line] = b""

    def _hear(self, line: socket.socket) -> None:
        try:
            chunk = line.recv(_MANY)
        except ConnectionError:
            chunk = b""
        if not chunk:
            del self._asked[line]
            line.close()
            return
        *wanted, self._asked[line] = (self._asked[line] + chunk).split(b"\n")
        for each in wanted:
            self._fork(each, line)

    def _fork(self, wanted: bytes, line: socket.socket) -> None:
        child = os.fork()
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for pipe in (self._ended, self._noticing):
                os.close(pipe)
            for each in self._asked:
                each.close()
            self._listening.detach()  # its place is taken by other standard input
            _become(json.loads(wanted))
        self._askers[child] = line
        _say(line, f"started {child}")

    def _report_the_ended(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                _say(self._askers.pop(found[0]), f"ended {found[0]} {os.waitstatus_to_exitcode(found[1])}")


def _notice(_number: int, _frame: object) -> None:
    """Nothing: the byte in the pipe is what counts, and only signals with a handler write one."""


def _say(to: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):  # it has gone
        to.sendall(f"{line}\n".encode())


def serve() -> None:
    """Fork a program for each line. Their garbage collectors leave alone what is here."""
    gc.collect()
    gc.freeze()
    Server(socket.socket(fileno=0)).serve()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        importlib.import_module(name)
    serve()
