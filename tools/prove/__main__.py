"""Measures on a real server what only Discord can tell, and prints a table; stop the bot first."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bot import logs
from bot.settings import EXIT_CONFIGURATION, ConfigurationError, load_settings
from tools.prove.run import run


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure with the bot's settings, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.prove", description=__doc__)
    parser.add_argument("--server", metavar="ID", type=int, required=True, help="the server's id")
    parser.add_argument("--channel", metavar="ID", type=int, required=True, help="the id of a text channel in it")
    parser.add_argument("--again", action="store_true", help="an hour after a run: measure edits of old messages")
    asked = parser.parse_args(arguments)
    try:
        settings = load_settings()
        logs.set_up("ERROR", [settings.require_token()])
        return run(settings, asked.server, asked.channel, again=asked.again)
    except ConfigurationError as error:
        print(f"cardroom: {error}", file=sys.stderr)
        return EXIT_CONFIGURATION


if __name__ == "__main__":
    sys.exit(main())
