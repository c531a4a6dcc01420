"""The SQL functions that migrations may use, beside SQLite's own.

A migration is SQL, and some of what it must compute is not in SQLite: hashes, above all. What a migration that was
released calls must give the same values for ever.
"""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Any

from bot.store.log_chain import first_link, link
from bot.store.sqlite.rating_upgrade import rate_again


def register(connection: sqlite3.Connection) -> None:
    """Give a connection the functions `seed_commitment`, `log_chain` and `rate_again`.

    `seed_commitment(seed)` is the seal of a seed by cardroom/commit/v1, 32 bytes. `log_chain(match_id, seq, actor,
    action, events, at)` is the value of a log's chain (`bot.store.log_chain`), as a window function over the records of
    a match in the order of seq. `rate_again()` works out all ratings again (`bot.store.sqlite.rating_upgrade`).
    """
    connection.create_function("seed_commitment", 1, _seed_commitment, deterministic=True)
    chained: Any = _LogChain  # the stub wants attributes where this class has methods
    connection.create_window_function("log_chain", 6, chained)
    connection.create_function("rate_again", 0, lambda: rate_again(connection))


def _seed_commitment(seed: bytes) -> bytes:
    return hashlib.sha256(b"cardroom/commit/v1\x00" + seed).digest()


class _LogChain:
    """The window function. It has no `inverse`: a window only ever grows, from the first record on."""

    def __init__(self) -> None:
        self._value = b""

    def step(self, match_id: str, *values: int | str | None) -> None:
        self._value = link(self._value or first_link(match_id), *values)

    def value(self) -> bytes:
        return self._value

    def finalize(self) -> bytes:
        return self._value
