"""How our own failures are logged: under a number that the player sees, and without secrets.

An exception's text may hold a hand (a KeyError prints its card), so only its type and its path through the code are
logged.
"""

from __future__ import annotations

import logging
import secrets
import traceback
from pathlib import Path

from bot.telemetry import Telemetry

_log = logging.getLogger(__name__)


def log_error(error: BaseException, doing: str, telemetry: Telemetry, *, match_id: str | None = None) -> int:
    """Log and report a failure; its number (six digits), for the person it happened to.

    `doing` says what was being done, in one of a few fixed phrases; a match's id is for the log alone.
    """
    number = secrets.randbelow(900_000) + 100_000
    whole = doing if match_id is None else f"{doing} in match {match_id}"
    _log.error("error %d while %s: %s at %s", number, whole, type(error).__name__, call_path(error))
    telemetry.fault(doing)
    return number


def call_path(error: BaseException) -> str:
    """The way an exception took through the code, the place where it was raised first."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    return " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)
