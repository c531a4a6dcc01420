"""JSON as it goes over the wire: its types, reading and writing."""

from __future__ import annotations

from typing import Any, TypeAlias

import orjson

JsonObject: TypeAlias = dict[str, Any]

read = orjson.loads


def write(value: object) -> bytes:
    """Return `value` as compact UTF-8 JSON."""
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
