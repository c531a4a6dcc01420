"""One case of a nightly test is run for each commit, and over many commits each of them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from tests import conftest


class Collected:
    """A test that was collected, and the configuration that is told of those that are left out."""

    def __init__(self, nodeid: str, *marks: str) -> None:
        self.nodeid = nodeid
        self._marks = marks

    def get_closest_marker(self, name: str) -> bool:
        return name in self._marks


class Config:
    """Pytest's configuration, which is told what is left out."""

    def __init__(self) -> None:
        self.hook = self
        self.left: list[str] = []

    def pytest_deselected(self, items: list[Collected]) -> None:
        self.left += [item.nodeid for item in items]


def run_of(monkeypatch: pytest.MonkeyPatch, share: str, seed: str) -> list[str]:
    """What is run of two nightly tests with three cases each, and of one test that is not."""
    monkeypatch.setenv("LAWS_SHARE", share)
    monkeypatch.setenv("LAWS_SEED", seed)
    tests = [Collected(f"tests/a.py::{test}[{case}]", "nightly") for test in ("one", "two") for case in "xyz"]
    items: list[Any] = [*tests, Collected("tests/a.py::three[x]"), Collected("tests/a.py::three[y]")]
    every, config = len(items), Config()
    hook: Generator[None, object, object] = conftest.pytest_collection_modifyitems(config, items)  # type: ignore[arg-type]  # stands in for pytest's
    next(hook)
    with pytest.raises(StopIteration):
        hook.send(None)
    assert len(config.left) == every - len(items)
    return [item.nodeid.partition("::")[2] for item in items]


def test_below_the_full_share_each_commit_runs_one_case_and_every_case_has_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = {tuple(run_of(monkeypatch, "0.25", f"{commit:08x}")) for commit in range(50)}
    assert runs == {(f"one[{case}]", f"two[{case}]", "three[x]", "three[y]") for case in "xyz"}


def test_every_case_is_run_at_the_full_share(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(run_of(monkeypatch, "1", "1a2b3c4d")) == 8
