"""Logs errors in the program under a number that the player sees, and without secrets.

An exception's text may contain a hand (a KeyError prints its card), so only its type and its stack are logged.
"""

from __future__ import annotations

import logging
import secrets
import traceback
from pathlib import Path

from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)


def log_error(error: BaseException, doing: str, telemetry: Telemetry, *, match_id: str | None = None) -> int:
    """Log and report an error, and return its six-digit number for the player.

    `doing` says what the program was doing, in one of a few fixed phrases. The match's id goes only into the log.
    """
    return log_failure(type(error).__name__, call_path(error), doing, telemetry, match_id=match_id)


def log_failure(error: str, path: str, doing: str, telemetry: Telemetry, *, match_id: str | None = None) -> int:
    """The same for an error of another process, by its type and its `call_path`."""
    number = secrets.randbelow(900_000) + 100_000
    whole = doing if match_id is None else f"{doing} in match {match_id}"
    _log.error("error %d while %s: %s at %s", number, whole, error, path)
    telemetry.fault(doing)
    return number


def call_path(error: BaseException) -> str:
    """The stack of an exception, beginning where it was raised."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
