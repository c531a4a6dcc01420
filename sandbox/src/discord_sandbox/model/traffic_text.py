"""Traffic as readable text: entries with times, bodies as JSON, tokens masked."""

from __future__ import annotations

import re
from textwrap import indent

import orjson

MASK = "***"
_ONE_LINE = 100
"""The most characters for a body on one line."""
_MARGIN = " " * 12
_SECRETS = frozenset({"token", "resume_gateway_url", "session_id"})
_TOKEN_IN_PATH = re.compile(r"(/(?:interactions|webhooks)/\d+/)[^/?]+")


def path(raw: str) -> str:
    """A request's path without the token in it."""
    return _TOKEN_IN_PATH.sub(rf"\1{MASK}", raw)


def masked(value: object) -> object:
    """A body without its tokens."""
    if isinstance(value, dict):
        return {key: MASK if key in _SECRETS and isinstance(each, str) else masked(each) for key, each in value.items()}
    if isinstance(value, list):
        return [masked(each) for each in value]
    return path(value) if isinstance(value, str) else value


def body(value: object, sign: str = "") -> str:
    """A body below its entry, on one line if it is short."""
    clean = masked(value)
    short = orjson.dumps(clean).decode()
    text = short if len(short) <= _ONE_LINE else orjson.dumps(clean, option=orjson.OPT_INDENT_2).decode()
    return indent(f"{sign}{text}", _MARGIN)


def head(seconds: float, words: str) -> str:
    """An entry's first line; `seconds` since the record began."""
    return f"{seconds:>10.3f}  {words}"


def body_less(status: int) -> str:
    """An answer without a body, or that never arrived (status 0)."""
    return f"{_MARGIN}< {status}" if status else f"{_MARGIN}< the line was cut"
