"""Logging: one line per record, to standard error, in `key=value` form, with tokens removed.

Lines look like `time=2026-01-31T12:00:00.000Z level=info logger=bot.play.match_registry message="…"`; an exception
follows as `error="…"` on the same line, by its type and its stack, because its text may contain a hand (a KeyError
prints its card). Values passed with `extra=` are appended, so that lines can be searched by match. An error in the
program is logged in the same way under a number that the player sees (`log_error`).
"""

from __future__ import annotations

import json
import logging
import math
import re
import secrets
import sys
import traceback
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.telemetry import Telemetry

_STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_PLAIN: Final = re.compile(r"[\w.:/+@#%-]+", re.ASCII)
_IN_ROUTES: Final = re.compile(
    r"(/(?:webhooks|interactions)/\d+/)[^/\s\"'?\\]+|(/(?:members|thread-members|users)/)\d+"
)
"""What Discord's routes contain: an interaction's token, with which anyone can post as the bot for 15 minutes, or
somebody's id."""

HOUR_SECONDS: Final = 3600.0
_MOST_FRAMES: Final = 8
"""Of an error, in its line. An endless recursion has a thousand."""
NEVER_DEBUG: Final = ("discord", "aiosqlite", "psycopg")
"""At DEBUG discord.py prints hands and live interaction tokens, and the databases' drivers print rows."""


_log = logging.getLogger(__name__)


class LineFormatter(logging.Formatter):
    """Formats a record as one line of `key=value` pairs, without secrets, interaction tokens and people's ids.

    It redacts the finished line, and so also what libraries put into their messages.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__()
        # As they are, and as they are in quotes: a password may have letters that are escaped there.
        self._secrets = tuple(form for secret in secrets if secret for form in (secret, json.dumps(secret)[1:-1]))

    def format(self, record: logging.LogRecord) -> str:
        """The line, without a line break."""
        moment = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        pairs: dict[str, object] = {
            "time": moment,
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        pairs |= {key: value for key, value in vars(record).items() if key not in _STANDARD}
        if record.exc_info and record.exc_info[1] is not None:
            pairs["error"] = " caused by ".join(_describe(error) for error in _chain(record.exc_info[1]))
        return self.redact(" ".join(f"{key}={_quoted(str(value))}" for key, value in pairs.items()))

    def redact(self, text: str) -> str:
        """The text with every secret replaced by `[redacted]`."""
        for secret in self._secrets:
            text = text.replace(secret, "[redacted]")
        return _IN_ROUTES.sub(r"\1\2[redacted]", text)


class AtMostHourly(logging.Filter):
    """Lets records whose text begins like this through once an hour, and all others always."""

    def __init__(self, beginning: str) -> None:
        super().__init__()
        self._beginning = beginning
        self._last = -math.inf

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log the record. Its own time decides, so a wrong clock delays a line by an hour at most."""
        if not str(record.msg).startswith(self._beginning):
            return True
        if abs(record.created - self._last) < HOUR_SECONDS:
            return False
        self._last = record.created
        return True


def _message(record: logging.LogRecord) -> str:
    message = record.getMessage()
    # After its first line, asyncio adds a task's representation, which contains the exception's text.
    return message.partition("\n")[0] if record.name == "asyncio" else message


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An exception and its causes, the last one first, as Python shows them."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _describe(error: BaseException) -> str:
    """An exception by its type and its stack; an error of the operating system also says what went wrong."""
    reason = f" ({error.strerror})" if isinstance(error, OSError) and error.strerror else ""
    return f"{type(error).__name__}{reason} at {call_path(error)}"


def _quoted(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else json.dumps(value)  # ASCII, so no name can break or reverse a line


def set_up(level: str, secrets: Iterable[str] = ()) -> None:
    """Send all logging of this process to standard error as `LineFormatter` lines; replaces what was set up before.

    `level` is a name such as "INFO". The loggers in `NEVER_DEBUG` are kept at INFO or above whatever the level.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter(secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in NEVER_DEBUG:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLevelNamesMapping()[level]))
    logging.captureWarnings(capture=True)


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
    """The stack of an exception, beginning where it was raised: of a deep one, its first frames and its last."""
    frames = traceback.extract_tb(error.__traceback__)[::-1]
    told = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    if len(told) > _MOST_FRAMES:
        told[_MOST_FRAMES // 2 : -_MOST_FRAMES // 2] = ["…"]
    return " < ".join(told)
