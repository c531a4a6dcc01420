"""Of a nightly test one case is run for each commit, and one without cases by some commits: over many, all of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator
from itertools import product
from typing import Any

import pytest

from tests import conftest


class Collected:
    """A test that was collected, and the configuration that is told of those that are left out."""

    def __init__(self, nodeid: str, mark: pytest.MarkDecorator | None = None) -> None:
        self.nodeid = nodeid
        self._mark = mark

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self._mark.mark if self._mark is not None and self._mark.name == name else None


class Config:
    """Pytest's configuration, which is told what is left out."""

    def __init__(self) -> None:
        self.hook = self
        self.left: list[str] = []

    def pytest_deselected(self, items: list[Collected]) -> None:
        self.left += [item.nodeid for item in items]


TESTS: dict[str, pytest.MarkDecorator | None] = {
    **{f"cases.py::{test}[{case}]": pytest.mark.nightly for test in ("one", "two") for case in "xyz"},
    **{f"cases.py::of_every_commit[{case}]": None for case in "xy"},
    **{f"{file}.py::{test}": pytest.mark.nightly for file in ("these", "those") for test in ("one", "two")},
    **{f"rare.py::one[{case}]": pytest.mark.nightly(rare=True) for case in "xy"},
    "rare.py::two": pytest.mark.nightly,
}
"""Two nightly tests with three cases and one that is not nightly, and tests that some commits run."""


def run_of(monkeypatch: pytest.MonkeyPatch, share: str, seed: str) -> dict[str, tuple[str, ...]]:
    """What is run of them, by file."""
    monkeypatch.setenv("LAWS_SHARE", share)
    monkeypatch.setenv("LAWS_SEED", seed)
    items: list[Any] = [Collected(f"tests/{test}", mark) for test, mark in TESTS.items()]
    every, config = len(items), Config()
    hook: Generator[None, object, object] = conftest.pytest_collection_modifyitems(config, items)  # type: ignore[arg-type]  # stands in for pytest's
    next(hook)
    with pytest.raises(StopIteration):
        hook.send(None)
    assert len(config.left) == every - len(items)
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for item in items:
        file, _, test = item.nodeid.removeprefix("tests/").partition(".py::")
        found[file] += (test,)
    return found


def test_below_the_full_share_each_commit_runs_one_case_and_every_case_has_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = {run_of(monkeypatch, "0.25", f"{commit:08x}")["cases"] for commit in range(50)}
    assert runs == {(f"one[{case}]", f"two[{case}]", "of_every_commit[x]", "of_every_commit[y]") for case in "xyz"}


def test_a_third_of_the_commits_run_a_files_tests_without_cases_all_of_them_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = [run_of(monkeypatch, "0.25", f"{commit:08x}") for commit in range(300)]
    both = Counter((run["these"], run["those"]) for run in runs)
    assert set(both) == set(product([(), ("one", "two")], repeat=2)), "each file has turns of its own"
    assert 80 < sum(count for (these, _), count in both.items() if these) < 120


def test_a_rare_test_with_cases_has_the_turn_of_those_without_and_runs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Counter(run_of(monkeypatch, "0.25", f"{commit:08x}")["rare"] for commit in range(300))
    assert set(runs) == {(), ("one[x]", "two"), ("one[y]", "two")}
    assert 180 < runs[()] < 220


def test_everything_is_run_at_the_full_share(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(map(len, run_of(monkeypatch, "1", "1a2b3c4d").values())) == len(TESTS)
