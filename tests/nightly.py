"""Cases that are all run every night, and of which each commit runs one: those of tests with the mark `nightly`.

It is for tests that take long and rarely break, each with several cases: every game, every kind of a new game, every
seed. Below `LAWS_SHARE=1` one of a test's cases is run, which `LAWS_SEED` chooses. Tests of one file with equally many
cases run the same one, so they can share what is made for it.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable

import pytest

MARK = "nightly"


def left_to_the_night(items: Iterable[pytest.Item], seed: str) -> set[pytest.Item]:
    """The cases of marked tests that other commits run."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker(MARK):
            cases[item.nodeid.partition("[")[0]].append(item)
    left: set[pytest.Item] = set()
    for test, those in cases.items():
        file, _, _ = test.partition("::")
        del those[zlib.crc32(f"{seed} {file}".encode()) % len(those)]
        left.update(those)
    return left
