"""No benchmark is forgotten: `make bench` and the brief run of `.ci/run` know them all."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.bench import __main__ as program
from tests.bench.processes import cpu_seconds
from tests.bench.sizes import BRIEF, sized, without_brief

ROOT = Path(__file__).parents[2]
PARTS_OF_OTHERS = {"__main__", "bare_bot", "library_bot", "observed_bot"}
"""What is run by another benchmark, in a process of its own."""


def test_every_benchmark_is_run_briefly_and_explained() -> None:
    runnable = {
        file.stem
        for file in Path(__file__).parent.glob("*.py")
        if not file.stem.startswith("test_") and '__name__ == "__main__"' in file.read_text("utf-8")
    } - PARTS_OF_OTHERS
    assert {*program.SHORT, *program.LONG} == runnable
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    assert sorted(name for name in runnable if f"tests.bench.{name}`" not in page) == []


def test_a_brief_run_is_asked_for_on_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["memory"])
    assert sized(7, brief=1) == 7
    monkeypatch.setattr("sys.argv", ["memory", BRIEF])
    assert sized(7, brief=1) == 1
    assert without_brief(["l2", BRIEF]) == ["l2"]


def test_the_processors_time_of_a_process_is_what_all_its_threads_took() -> None:
    ours, measured = time.process_time(), cpu_seconds(os.getpid())
    assert ours <= measured <= time.process_time()


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        program.main(["stor"])
    assert refused.value.code == 2
    assert "no benchmark called stor" in capsys.readouterr().err


@pytest.mark.real_time
async def test_a_brief_run_that_hangs_ends_with_all_that_it_has_started() -> None:
    parent = "import subprocess, sys; print('begun', flush=True); subprocess.run([sys.executable, '-c', {child!r}])"
    hanging = parent.format(child="import time; time.sleep(600)")
    async with asyncio.timeout(60):
        returned, printed = await program.briefly((sys.executable, "-c", hanging), 1.0)
    assert (returned, printed) == (-signal.SIGKILL, "begun\n")
