"""The bot, whose event loop stands still for `STANDS` seconds at each SIGUSR1: `python -m tests.bench.standing_bot`.

It begins sessions without waiting: after twenty kills in an hour the bot would spread the rest over it.
"""

from __future__ import annotations

import os
import signal
import sys
import time

from bot.__main__ import main as become_the_bot
from bot.settings import LOCAL


def stand_still(*_: object) -> None:
    """It runs in the loop's thread, between two steps of it."""
    time.sleep(float(os.environ["STANDS"]))


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, stand_still)
    sys.exit(become_the_bot([LOCAL]))
