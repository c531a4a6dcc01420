"""The long run finds what does not stay level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench.consumption import Consumption, Sample
from tests.bench.live import judge_log
from tests.soak.report import Load

MINUTES = 60


def sample(minute: float) -> Sample:
    """A process that takes the same all the time, and whose database grows by 1,000 bytes an act."""
    acts = int(1_200 * minute)
    return Sample(60 * minute, 150.0, 30.0, 900_000, 40, 6, 30, 4.0, 30 + acts * 1_000 / 2**20, acts)


def faults(changed: Callable[[Sample], Sample]) -> list[str]:
    """What is found in an hour of such samples, each changed."""
    load, consumption = Load("L2"), Consumption(0, Path(), Path())
    consumption.samples += [changed(sample(minute)) for minute in range(MINUTES + 1)]
    consumption.judge(load)
    return sorted(load.faults)


def test_what_stays_level_passes() -> None:
    assert faults(lambda each: each) == []


@pytest.mark.parametrize(
    ("found", "changed"),
    [
        ("memory, MiB grew", lambda each: replace(each, resident=each.resident + each.at / 60)),
        ("workers, MiB grew", lambda each: replace(each, workers=each.workers + each.at / 600)),
        ("Python's blocks grew", lambda each: replace(each, blocks=each.blocks + int(100 * each.at))),
        ("handles grew", lambda each: replace(each, handles=each.handles + int(each.at / 20))),
        ("threads grew", lambda each: replace(each, threads=each.threads + int(each.at / 300))),
        ("tasks grew", lambda each: replace(each, tasks=each.tasks + int(each.at / 20))),
        ("more is kept than may be: names", lambda each: replace(each, kept={"names": (int(each.at / 1800), 1)})),
        ("a WAL of", lambda each: replace(each, wal=20.0 if each.at == 600 else 4.0)),
        ("the database does not grow", lambda each: replace(each, database=each.database + (each.at / 600) ** 2)),
    ],
)
def test_what_grows_is_found_by_its_name(found: str, changed: Callable[[Sample], Sample]) -> None:
    (fault,) = faults(changed)
    assert fault.startswith(found)


def test_errors_in_the_log_are_faults_and_warnings_are_counted() -> None:
    load = Load("L2")
    said = 'logger=bot.gateway.connectivity message="the event loop stood still for 1.2 s"'
    warning = f"time=2026-11-22T12:00:00.000Z level=warning {said}"
    longer = warning.replace("1.2 s", "3 s")
    judge_log([warning, warning.replace("warning", "error"), longer, "Traceback (most recent call last):"], load)
    assert load.figures == ['2 warnings by bot.gateway.connectivity: "the event loop stood still for # s"']
    assert sorted(load.faults) == [
        'logged error by bot.gateway.connectivity: "the event loop stood still for 1.2 s"',
        "written to standard error: Traceback (most recent call last):",
    ]
