"""`python -m discord_sandbox`: the sandbox in a process of its own, alone or with a bot that it starts."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from discord_sandbox.model.wire import JsonObject
from discord_sandbox.run import bot_process
from discord_sandbox.run.server import NotLoopbackError, Sandbox, check_loopback
from discord_sandbox.service import persistence, world_plan

_KEPT_ENTRIES = 200  # entries of the transcript, so that a long run can be debugged
_KEPT_FOR_CONTROL = 10_000  # if the control API can request it
_BAD_CONFIGURATION = 78
TOKEN_VARIABLE = "SANDBOX_TOKEN"  # noqa: S105  a name
PAGE_KEY_VARIABLE = "SANDBOX_PAGE_KEY"
"""Other users of this machine can read a process's arguments, but not its environment."""
_BAD = (NotLoopbackError, world_plan.WorldFileError, persistence.StateFileError, bot_process.BotProcessError)


def _arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="discord-sandbox", description=sys.modules["discord_sandbox"].__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8787, help="0 picks a free one (default: %(default)s)")
    parser.add_argument("--name", help="the bot's name (default: the world's)")
    parser.add_argument("--world", type=Path, help="a JSON file with people and servers")
    parser.add_argument("--locale", help="the language of people and servers that the world gives none, such as pt-BR")
    parser.add_argument(
        "--example",
        dest="examples",
        metavar="LABEL=COMMAND",
        action="append",
        type=_example,
        help="a command that the page offers on a first visit; may be given more than once",
    )
    parser.add_argument("--token", help=f"the bot's token (default: ${TOKEN_VARIABLE}, the world's, or a random one)")
    parser.add_argument(
        "--intents",
        nargs="+",
        choices=sorted(world_plan.INTENTS),
        help="the privileged intents that the bot may have (default: the world's, or none)",
    )
    parser.add_argument("--shards", type=_count, help="how many shards to recommend at least (default: by the servers)")
    parser.add_argument("--state", type=Path, help="a file that keeps the channels' messages between runs")
    parser.add_argument("--exec", metavar="COMMAND", help="run a bot on it, unchanged, and stop when the bot does")
    parser.add_argument("--transcript", type=Path, metavar="FILE", help="write all traffic to this file")
    parser.add_argument("--control", action="store_true", help="serve /control, to cause faults and events over HTTP")
    parser.add_argument("--no-rate-limits", action="store_true", help="refuse nothing with 429")
    return parser.parse_args(given)


def _count(given: str) -> int:
    count = int(given)
    if count < 1:
        raise argparse.ArgumentTypeError("this is a number from 1 on")
    return count


def _example(given: str) -> tuple[str, str]:
    label, _, command = given.partition("=")
    if not label or not command.startswith("/"):
        raise argparse.ArgumentTypeError("this is a label, an equals sign and a command with its slash")
    return label, command


def _plan(arguments: argparse.Namespace) -> JsonObject:
    plan = world_plan.read_world_file(arguments.world) if arguments.world else {}
    if arguments.locale:
        plan = world_plan.in_locale(plan, arguments.locale)
    given = {"name": arguments.name, "intents": arguments.intents, "examples": dict(arguments.examples or ())}
    told = {key: value for key, value in given.items() if value}
    return {**plan, "application": {**plan.get("application", {}), **told}} if told else plan


async def _serve(sandbox: Sandbox, arguments: argparse.Namespace) -> int:
    """Run until a signal or the bot's end, and return the exit code."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    command = bot_process.words(arguments.exec) if arguments.exec is not None else None
    await sandbox.start(arguments.host, arguments.port)
    sys.stdout.write(f"sandbox page: {sandbox.page_url}\nsandbox API: {sandbox.api_base}\n")
    if command is None:
        sys.stdout.write(f"sandbox token: {sandbox.token}\n")
    if arguments.control:
        sys.stdout.write(f"sandbox control: {sandbox.origin}/control\n")
    sys.stdout.flush()
    code = 0
    async with persistence.kept(sandbox.backend, arguments.state) if arguments.state else contextlib.nullcontext():
        if command is None:
            await stopped.wait()
        else:
            environ = bot_process.environment(os.environ, sandbox.api_base, sandbox.gateway_url, sandbox.token)
            code = await bot_process.run(command, environ, stopped)
        await sandbox.stop()
    return code


def main(given: list[str] | None = None) -> int:
    """Run until SIGINT, SIGTERM or the end of the bot that it started.

    The exit status is 0 or the bot's, or 78 with one line on what is wrong.
    """
    arguments = _arguments(given)
    try:
        check_loopback(arguments.host)
        kept = _KEPT_FOR_CONTROL if arguments.control else _KEPT_ENTRIES
        sandbox = Sandbox(
            _plan(arguments),
            token=arguments.token or os.environ.get(TOKEN_VARIABLE),
            page_key=os.environ.get(PAGE_KEY_VARIABLE),
            transcript_entries=kept,
            control=arguments.control,
        )
        sandbox.rate_limits.enforced = not arguments.no_rate_limits
        if arguments.shards:
            sandbox.limits.shards = arguments.shards
        if arguments.state:
            persistence.restore(sandbox.backend, arguments.state)
        with _transcript(sandbox, arguments.transcript):
            return asyncio.run(_serve(sandbox, arguments))
    except _BAD as trouble:
        sys.stderr.write(f"sandbox: {trouble}\n")
        return _BAD_CONFIGURATION
    except OSError as trouble:
        what = f"write {arguments.transcript}" if trouble.filename else f"listen on {arguments.host}:{arguments.port}"
        sys.stderr.write(f"sandbox: cannot {what}: {trouble.strerror}\n")
        return _BAD_CONFIGURATION


@contextlib.contextmanager
def _transcript(sandbox: Sandbox, path: Path | None) -> Iterator[None]:
    if path is None:
        yield
        return
    end = sandbox.transcript.follow(path)
    try:
        yield
    finally:
        end()


if __name__ == "__main__":
    sys.exit(main())
