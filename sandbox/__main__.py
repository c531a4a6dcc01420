"""`python -m sandbox`: the sandbox in a process of its own."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from pathlib import Path

from sandbox import keeping, seed
from sandbox.server import NotLoopbackError, Sandbox, check_loopback

_KEPT_ENTRIES = 200  # of the transcript; a long-running sandbox keeps a little, for debugging
_BAD_CONFIGURATION = 78


def _arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=sys.modules["sandbox"].__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="a loopback address (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8787, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--world", type=Path, help="a JSON file with people and servers")
    parser.add_argument("--token", help=f"the bot's token (default: the world's, or {seed.TOKEN!r})")
    parser.add_argument("--state", type=Path, help="a file that keeps the channels' messages from start to start")
    return parser.parse_args(given)


async def _serve(sandbox: Sandbox, host: str, port: int, state: Path | None) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    await sandbox.start(host, port)
    sys.stdout.write(f"sandbox page: {sandbox.page_url}\nsandbox API: {sandbox.api_base}\n")
    sys.stdout.flush()
    async with keeping.kept(sandbox.backend, state) if state else contextlib.nullcontext():
        await stopped.wait()
        await sandbox.stop()


def main(given: list[str] | None = None) -> int:
    """Run until SIGINT or SIGTERM; return the exit status: 0, or 78 with one line on what is wrong."""
    arguments = _arguments(given)
    try:
        check_loopback(arguments.host)
        plan = seed.read_world_file(arguments.world) if arguments.world else {}
        sandbox = Sandbox(plan, token=arguments.token, transcript_entries=_KEPT_ENTRIES)
        if arguments.state:
            keeping.restore(sandbox.backend, arguments.state)
        asyncio.run(_serve(sandbox, arguments.host, arguments.port, arguments.state))
    except (NotLoopbackError, seed.WorldFileError, keeping.StateFileError) as trouble:
        sys.stderr.write(f"sandbox: {trouble}\n")
        return _BAD_CONFIGURATION
    except OSError as trouble:
        sys.stderr.write(f"sandbox: cannot listen on {arguments.host}:{arguments.port}: {trouble.strerror}\n")
        return _BAD_CONFIGURATION
    return 0


if __name__ == "__main__":
    sys.exit(main())
