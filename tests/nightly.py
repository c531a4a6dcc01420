"""What is all run every night, and of which each commit runs a part: the cases of tests with the mark `nightly`.

It is for tests that take long and rarely break. Below `LAWS_SHARE=1` two things are chosen by `LAWS_SEED`:

- Of a test with several cases (every game, every kind of a new game, every seed) one is run. Tests of one file with
  equally many cases run the same one, so they can share what is made for it.
- A test without cases is run by one commit of three, and so is the case of a test that is marked `nightly(rare=True)`.
  All of one file have the same turn, for the same reason.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import pytest

MARK: Final = "nightly"
TURNS: Final = 3
"""One of so many commits runs the rare tests of a file."""


def left_to_the_night(items: Iterable[pytest.Item], seed: str) -> set[pytest.Item]:
    """The marked tests, and cases of them, that other commits run."""
    tests: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    left: set[pytest.Item] = set()
    for item in items:
        if mark := item.get_closest_marker(MARK):
            test, has_cases, _ = item.nodeid.partition("[")
            rare = mark.kwargs.get("rare", not has_cases)
            if rare and _drawn(f"turn {seed}", test, TURNS):
                left.add(item)
            else:
                tests[test].append(item)
    for test, cases in tests.items():
        del cases[_drawn(seed, test, len(cases))]
        left.update(cases)
    return left


def _drawn(seed: str, test: str, count: int) -> int:
    """A number below the count, the same one for all tests of a file."""
    file, _, _ = test.partition("::")
    return zlib.crc32(f"{seed} {file}".encode()) % count
