"""The `cardroom` command: starts the bot, and a sandbox to play on if there is no token.

`cardroom run` (the default) becomes the bot if DISCORD_TOKEN is set. Otherwise it starts the sandbox and the bot as two
processes, prints the address for the browser, and ends both together. A bot that ends by itself is started again, while
the sandbox stays. The sandbox is a package of its own, which who has a token does not need. `cardroom bot` starts the
bot alone, and `cardroom bot --supervised` starts it again whenever it ends by itself: in a container nothing else waits
long enough between two starts. Commands for operators, such as `cardroom backup`, are in `bot.ops.maintenance`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib.util
import math
import os
import secrets
import signal
import socket
import sys
import tempfile
import time
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

from bot.ops import process
from bot.settings import (
    ACCEPT_OLDER,
    ACCEPT_OLDER_HELP,
    EXIT_CONFIGURATION,
    EXIT_DATABASE,
    LOCAL,
    ConfigurationError,
    Settings,
    load_settings,
)

SANDBOX: Final = "discord_sandbox"
SANDBOX_PACKAGE: Final = "discord-sandbox"
"""A Discord on this machine: its module, and what is installed."""

DOORS: Final = {
    "Learn Haymaker": "/learn game:Haymaker",
    "Play the computer": "/haymaker practice",
    "Challenge Bob": "/haymaker challenge opponent:@Bob",
}
"""What the sandbox's page offers first, by what the buttons say: the newcomer is Alice, and Bob has the second tab."""

HOST: Final = "127.0.0.1"
"""The sandbox is for this machine alone."""

MOST_RESTARTS: Final = 5
RESTART_WINDOW: Final = 60.0
"""How many restarts there may be in how many seconds. A bot that fails at each start would fill the terminal."""

KEY_BYTES: Final = 24
"""The length of the sandbox's token and page key, which are new in each run."""
START_WITHIN: Final = 30.0
"""Seconds in which each process must start. The bot may have to wait longer to identify; its log says until when."""

BOT_ENDS_WITHIN: Final = 2.5
ENDS_WITHIN: Final = 1.5
"""Seconds after SIGTERM until a process is killed. Both together stay under five seconds."""

POLL: Final = 0.05

PAUSES: Final = {EXIT_CONFIGURATION: (60.0, 600.0), EXIT_DATABASE: (5.0, 60.0)}
"""By exit code, the seconds until a supervised bot's first new start, and until later ones at most. Somebody has to
change a wrong setting, and each start with it may cost one of the day's 1,000 identifies."""
PAUSE: Final = (1.0, 30.0)
"""The same for all other codes. What can't be reached may be back at any moment."""
LASTING: Final = 300.0
"""Seconds after which a bot has run well, so that its end is a first one again."""
SUPERVISED_BOT_ENDS_WITHIN: Final = process.ENDS_WITHIN + 1.0

NEVER_AGAIN: Final = frozenset({EXIT_CONFIGURATION, EXIT_DATABASE})
"""Exit codes of a bot that a restart does not help."""


class Ended(Exception):  # noqa: N818  an outcome, shown to the user in one line
    """A process ended by itself or did not start. `code` is its exit code, or 1 without one that says something."""

    def __init__(self, text: str, child: Child, code: int = 1) -> None:
        super().__init__(text)
        self.child = child
        self.code = code


class Stopped(Exception):  # noqa: N818  not an error: somebody pressed Ctrl-C
    """A signal asked this process to stop."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code. A wrong configuration returns 78 with one line on standard error."""
    arguments = _parser().parse_args(argv)
    if arguments.command in {"verify", "deal-of-day"}:
        return _check_file(arguments)
    if arguments.command == "bot" and arguments.supervised:
        return asyncio.run(_supervise(_bot_arguments(arguments)))
    if arguments.command == "replay":
        _become("cogs.replays.terminal", ["--eyes", arguments.eyes, "--", arguments.file], {})
    try:
        settings = load_settings()
        if arguments.command == "check":
            from bot.ops import check  # noqa: PLC0415  only this command needs the games, which take a second to import

            return check.run(settings)
        if arguments.command not in {"run", "bot"}:
            from bot.ops import maintenance  # noqa: PLC0415  a start has no need of the store, which takes long to import

            return maintenance.run(arguments.command, settings, arguments.file)
        if arguments.command == "bot" or settings.discord_token is not None:
            settings.require_token()
            _become("bot", _bot_arguments(arguments), {})
        return asyncio.run(_play(settings, arguments.locale, _bot_arguments(arguments)))
    except ConfigurationError as error:
        _say_error(str(error))
        return EXIT_CONFIGURATION


def _check_file(arguments: argparse.Namespace) -> int:
    from bot.ops import verify  # noqa: PLC0415  only these commands need the rules without settings

    if arguments.command == "verify":
        return verify.run(arguments.file, arguments.seal, arguments.chain)
    return verify.repeat_choice(arguments.file, arguments.root)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cardroom", description="Card games with hidden hands, on Discord.")
    commands = parser.add_subparsers(dest="command", metavar="command")
    for name, text in (
        ("run", "play on Discord if DISCORD_TOKEN is set, otherwise on a sandbox (the default)"),
        ("bot", "start the bot alone"),
    ):
        start = commands.add_parser(name, help=text)
        start.add_argument(ACCEPT_OLDER, action="store_true", help=ACCEPT_OLDER_HELP)
        if name == "run":
            start.add_argument(
                "--locale", default="en-US", help="the language of everybody on the sandbox, such as pt-BR"
            )
        if name == "bot":
            start.add_argument("--supervised", action="store_true", help="start it again whenever it ends by itself")
    commands.add_parser("check", help="check settings, database, disk, token and Discord before you start the bot")
    for name, file, text in (
        ("backup", "?", "copy the database to FILE or to the backups folder, even while the bot runs"),
        ("check-backup", None, "open a backup, read it to the end and print what it contains"),
        ("restore", None, "replace the database with a backup, and keep the old database beside it"),
        ("dump", "?", "write the whole database as JSON lines to FILE or standard output"),
        ("load", None, "create the database from a dump, if there is none or an empty one"),
    ):
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("file", metavar="FILE", type=Path, nargs=file)
    text = "recalculate all standings from the results; stop the bot first"
    commands.add_parser("rebuild-standings", help=text, description=text)
    _add_verify(commands)
    _add_deal_of_day(commands)
    _add_replay(commands)
    parser.set_defaults(command="run", file=None, accept_older=False, locale="en-US")
    return parser


def _add_verify(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "check an exported match: its seal, its deal, every act and its log; needs no settings and no database"
    verify = commands.add_parser("verify", help=text, description=text)
    verify.add_argument("file", metavar="FILE", help="the exported match; - reads standard input")
    verify.add_argument("--seal", metavar="SEAL", help="the seal that you noted before the match, short or in full")
    verify.add_argument("--chain", metavar="CHAIN", help="the chain that you noted from the result, short or in full")


def _add_deal_of_day(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "repeat the choice of a deal of the day for an exported attempt at it; needs no settings and no database"
    chosen = commands.add_parser("deal-of-day", help=text, description=text)
    chosen.add_argument("file", metavar="FILE", help="the exported match")
    chosen.add_argument("root", metavar="ROOT", help="the root that /daily shows when the day is over")


def _add_replay(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    text = "play an exported match step by step, in words; needs no settings and no database"
    replay = commands.add_parser("replay", help=text, description=text)
    replay.add_argument("file", metavar="FILE", help="the exported match, as JSON or as text; - reads standard input")
    whose = "whose cards are shown: the number of a seat from 0, board for nobody's, or all (the default)"
    replay.add_argument("--eyes", metavar="SEAT", default="all", help=whose)


def _bot_arguments(arguments: argparse.Namespace) -> list[str]:
    return [ACCEPT_OLDER] if arguments.accept_older else []


def _sandbox_arguments(settings: Settings, port: int, locale: str) -> list[str]:
    state = str(settings.data_dir.resolve() / "sandbox.json")
    doors = [f"--example={label}={command}" for label, command in DOORS.items()]
    return ["--host", HOST, "--port", str(port), "--name", "Cardroom", "--state", state, "--locale", locale, *doors]


def _command(module: str, arguments: Sequence[str]) -> list[str]:
    # -P: do not import a folder named `bot` from the current directory.
    return [sys.executable, "-P", "-m", module, *arguments]


def _environment(changes: dict[str, str]) -> dict[str, str]:
    """The environment for a child process, in which it finds the same packages as this one."""
    here = str(Path(__file__).resolve().parents[1])
    inherited = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([here, inherited] if inherited else [here])
    return {**os.environ, "PYTHONPATH": path, **changes}


def _become(module: str, arguments: Sequence[str], changes: dict[str, str]) -> NoReturn:
    command = _command(module, arguments)
    sys.stdout.flush()
    os.execve(command[0], command, _environment(changes))  # noqa: S606  on purpose without a shell


async def _play(settings: Settings, locale: str, bot_arguments: Sequence[str] = ()) -> int:
    """Run sandbox and bot until a signal (0), or until one of them ends for good (its exit code, or 1).

    Raises ConfigurationError without a sandbox, or if the port is taken.
    """
    if importlib.util.find_spec(SANDBOX) is None:
        raise ConfigurationError(
            "DISCORD_TOKEN: missing, and so is a Discord on this machine to play on: set the token, or install the "
            f"package {SANDBOX_PACKAGE}"
        )
    port = _free_port(settings.port)
    address = f"http://{HOST}:{port}"
    token, page_key = _secret("SANDBOX_TOKEN"), _secret("SANDBOX_PAGE_KEY")
    secrets_of_sandbox = {"SANDBOX_TOKEN": token, "SANDBOX_PAGE_KEY": page_key}  # other users can read arguments
    to_sandbox = {"DISCORD_TOKEN": token, "DISCORD_API_BASE": f"{address}/api/v10"}
    pages = (
        f"Cardroom is ready: {address}/?person=Alice#key={page_key}",
        f"In a second tab:   {address}/?person=Bob#key={page_key}",
    )
    try:
        # The bot is stopped before the sandbox, so that it can still answer and disconnect.
        with _signals() as stop, _readiness() as (ready_socket, ready_variable):
            sandbox = await _start("sandbox", SANDBOX, _sandbox_arguments(settings, port, locale), secrets_of_sandbox)
            try:
                await _until(lambda: _accepts(port), [sandbox], stop)
                await _keep_running(
                    lambda first: _start(
                        "bot", "bot", [LOCAL, *(bot_arguments if first else ())], {**to_sandbox, **ready_variable}
                    ),
                    sandbox,
                    stop,
                    _Signs(settings.heartbeat_file, ready_socket),
                    "\n".join(pages),
                )
            finally:
                await _end(sandbox.process, ENDS_WITHIN)
    except Stopped:
        print("Cardroom has stopped.", flush=True)
        return 0
    except Ended as ended:
        _say_error(f"{ended}, so everything else was stopped")
        return ended.code


async def _keep_running(
    start: Callable[[bool], Awaitable[Child]], sandbox: Child, stop: asyncio.Event, signs: _Signs, pages: str
) -> NoReturn:
    """Run the bot beside the sandbox, and start it again when it ends by itself.

    `start` learns whether this is the first start; `pages` is printed once. Raises Stopped after a signal; Ended if the
    sandbox ends, or a bot that never was ready or that a restart does not help.
    """
    restarts, was_ready = RestartLimit(time.monotonic), False
    while True:
        signs.forget()
        bot = await start(not was_ready)
        try:
            await _until(signs.has_beaten, [sandbox, bot], stop)
            await _until(signs.is_ready, [sandbox, bot], stop, within=math.inf)
            print("The bot is back." if was_ready else pages, flush=True)
            was_ready = True
            await _watch([sandbox, bot], stop)
        except Ended as ended:
            if ended.child is sandbox or not was_ready or ended.code in NEVER_AGAIN:
                raise
            why = str(ended)
        finally:
            await _end(bot.process, BOT_ENDS_WITHIN)
        delay = restarts.delay()
        _say_error(f"{why}; starting it again{f' in {math.ceil(delay)} s' if delay else ''}")
        await _pause(max(delay, POLL), sandbox, stop)
        restarts.note()


async def _pause(seconds: float, sandbox: Child, stop: asyncio.Event) -> None:
    """Wait while the sandbox runs and nobody asks to stop. Raises Stopped and Ended."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _watch([sandbox], stop)


async def _supervise(bot_arguments: Sequence[str]) -> int:
    """Run the bot, and start it again after a pause whenever it ends by itself, until a signal or until it ends well.
    Returns 0."""
    failures = 0
    with _signals() as stop:
        while True:
            begun = time.monotonic()
            bot = await _start("bot", "bot", [] if failures else bot_arguments, {}, shown=True)
            try:
                await _watch([bot], stop)
            except Stopped:
                return 0
            except Ended as ended:
                why, code = str(ended), ended.code
            finally:
                await _end(bot.process, SUPERVISED_BOT_ENDS_WITHIN)
            if bot.process.returncode == 0:
                return 0
            failures = 1 if time.monotonic() - begun >= LASTING else failures + 1
            pause = pause_after(code, failures)
            _say_error(f"{why}; starting it again in {pause:.0f} s")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)
                return 0


def pause_after(code: int, failures: int) -> float:
    """Seconds until a supervised bot is started again. `failures` counts its ends in a row; the last has this code."""
    first, most = PAUSES.get(code, PAUSE)
    return min(most, first * 2.0 ** min(failures - 1, 16))


def _secret(variable: str) -> str:
    """A new secret for this run, unless the environment names one."""
    return os.environ.get(variable) or secrets.token_urlsafe(KEY_BYTES)


def _free_port(port: int) -> int:
    """The port, or a free one for 0. Raises ConfigurationError if it is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise ConfigurationError(
                f"CARDROOM_PORT: port {port} cannot be used ({error.strerror}); is Cardroom running already?"
            ) from None
        number: int = probe.getsockname()[1]
        return number


def _accepts(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=POLL).close()
    except OSError:
        return False
    return True


class _Signs:
    """What a bot shows of itself: that it lives, and that it answers."""

    def __init__(self, heartbeat_file: Path, ready_socket: socket.socket) -> None:
        self._heartbeat_file = heartbeat_file
        self._ready_socket = ready_socket
        self._earlier: int | None = None

    def forget(self) -> None:
        """What was shown so far came from an earlier bot."""
        while self.is_ready():
            pass
        self._earlier = self._last_beat()

    def has_beaten(self) -> bool:
        """Whether there is a new heartbeat."""
        return self._last_beat() != self._earlier

    def is_ready(self) -> bool:
        """Whether the bot has reported, since the last question, that it answers."""
        try:
            return self._ready_socket.recv(64) == process.READY
        except BlockingIOError:
            return False

    def _last_beat(self) -> int | None:
        try:
            return self._heartbeat_file.stat().st_mtime_ns
        except OSError:
            return None


@contextlib.contextmanager
def _readiness() -> Iterator[tuple[socket.socket, dict[str, str]]]:
    """The socket on which the bot reports that it answers, and the environment variable that names the socket."""
    with tempfile.TemporaryDirectory(prefix="cardroom-") as folder:
        address = str(Path(folder) / "ready")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready_socket:
            ready_socket.bind(address)
            ready_socket.setblocking(False)
            yield ready_socket, {process.VARIABLE: address}


@contextlib.contextmanager
def _signals() -> Iterator[asyncio.Event]:
    """An event that is set by SIGINT, SIGTERM or SIGHUP instead of ending this process."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    signals = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup ignores it
        signals.append(signal.SIGHUP)
    for number in signals:
        loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        for number in signals:
            loop.remove_signal_handler(number)


@dataclass(frozen=True, slots=True)
class Child:
    """A process that the launcher started, with its name for messages."""

    name: str
    process: Process


async def _start(
    name: str, module: str, arguments: Sequence[str], changes: dict[str, str], *, shown: bool = False
) -> Child:
    # A process group of its own, so that Ctrl-C in the terminal reaches only the launcher, which then stops the bot
    # before the sandbox. The launcher prints its own lines instead of their standard output, unless that is `shown`;
    # standard error, their log, always is.
    process = await asyncio.create_subprocess_exec(
        *_command(module, arguments),
        env=_environment(changes),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=None if shown else asyncio.subprocess.DEVNULL,
        process_group=0,
    )
    return Child(f"the {name}", process)


async def _until(
    ready: Callable[[], bool], children: Sequence[Child], stop: asyncio.Event, *, within: float = START_WITHIN
) -> None:
    """Wait for something that these processes do; it may never come.

    Raises Ended for a process that ends, and for the last one if it takes too long; Stopped after a signal.
    """
    deadline = time.monotonic() + within
    while not ready():
        if stop.is_set():
            raise Stopped
        for child in children:
            if child.process.returncode is not None:
                raise _ended(child, child.process.returncode)
        if time.monotonic() > deadline:
            raise Ended(f"{children[-1].name} did not start within {within:.0f} s", children[-1])
        await asyncio.sleep(POLL)


async def _watch(children: Sequence[Child], stop: asyncio.Event) -> NoReturn:
    """Wait for the end. Raises Stopped after a signal, Ended if a process ends by itself."""
    waits = {asyncio.create_task(child.process.wait()): child for child in children}
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({*waits, stopping}, return_when=asyncio.FIRST_COMPLETED)
        for wait, child in waits.items():
            if wait.done() and not stop.is_set():
                raise _ended(child, wait.result())
        raise Stopped
    finally:
        for task in (*waits, stopping):
            task.cancel()


def _ended(child: Child, code: int) -> Ended:
    how = f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
    return Ended(f"{child.name} ended by itself ({how})", child, max(code, 1))


async def _end(process: Process, within: float) -> None:
    """Ask a process to end, and kill it if it still runs after `within` seconds."""
    with contextlib.suppress(ProcessLookupError):  # it has already ended
        process.terminate()
        try:
            async with asyncio.timeout(within):
                await process.wait()
        except TimeoutError:
            process.kill()
    await process.wait()


def _say_error(text: str) -> None:
    print(f"cardroom: {text}", file=sys.stderr, flush=True)


class RestartLimit:
    """The times of the latest restarts, by a clock that only goes forward (seconds)."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._restarts: list[float] = []

    def delay(self) -> float:
        """Seconds until the next restart is allowed; 0 for now."""
        if len(self._restarts) < MOST_RESTARTS:
            return 0.0
        return max(0.0, self._restarts[-MOST_RESTARTS] + RESTART_WINDOW - self._now())

    def note(self) -> None:
        """A restart happens now."""
        self._restarts = [*self._restarts[1 - MOST_RESTARTS :], self._now()]


if __name__ == "__main__":
    sys.exit(main())
