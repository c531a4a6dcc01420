"""What is kept beside the results is counted again server by server."""

from __future__ import annotations

import gc
import sqlite3
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from bot.store.queries import counting_again
from tests.bench.house import lay_out

MATCHES = 100
SERVERS = 24
"""Of which the largest has about as many matches as the single one."""


def most_memory(path: Path, matches: int, servers: int) -> int:
    """The bytes that counting everything again takes at most. Garbage is collected often: how much lies around depends
    on what ran before."""
    lay_out(path, matches, servers)
    usual = gc.get_threshold()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN")
        gc.collect()
        gc.set_threshold(200, 1, 1)
        tracemalloc.start()
        try:
            assert counting_again.rebuild(db).results == matches
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            gc.set_threshold(*usual)


@pytest.mark.nightly  # a second and a half
@pytest.mark.slow  # every allocation of two rebuilds is traced
def test_a_rebuild_takes_the_memory_of_the_largest_server_and_not_of_all(tmp_path: Path) -> None:
    one = most_memory(tmp_path / "one.db", MATCHES, 1)
    all_of_them = most_memory(tmp_path / "all.db", 6 * MATCHES, SERVERS)
    assert all_of_them < 4 * one
