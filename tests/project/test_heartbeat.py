"""The sign of life, and the check that reads it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import heartbeat
from tests.bot.store.test_disk_failures import file_size_limit


async def wait_for(true: Callable[[], bool]) -> None:
    """Wait until something holds, two seconds at most."""
    async with asyncio.timeout(2):
        while not true():  # noqa: ASYNC110  neither a file nor a log gives an event
            await asyncio.sleep(0.01)


async def test_it_beats_while_the_loop_runs(tmp_path: Path) -> None:
    file = tmp_path / "made" / "heartbeat"
    beating = asyncio.create_task(heartbeat.beat(file, every=0.01))
    await wait_for(file.exists)
    os.utime(file, (0, 0))
    await wait_for(lambda: file.stat().st_mtime > 0)
    beating.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await beating
    assert beating.cancelled()


async def test_a_failing_disk_does_not_end_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "folder"
    folder.write_text("in the way")
    beating = asyncio.create_task(heartbeat.beat(folder / "heartbeat", every=0.01))
    await wait_for(lambda: bool(caplog.records))
    folder.unlink()
    await wait_for((folder / "heartbeat").exists)
    beating.cancel()


def test_a_disk_that_takes_no_writes_lets_it_age(tmp_path: Path) -> None:
    file = tmp_path / "heartbeat"
    heartbeat.touch(file)
    os.utime(file, (0, 0))
    with file_size_limit(0), pytest.raises(OSError, match="File too large"):
        heartbeat.touch(file)
    assert file.stat().st_mtime == 0
    assert list(tmp_path.iterdir()) == [file]
    heartbeat.touch(file)
    assert file.stat().st_mtime > 0


@pytest.mark.parametrize(("seconds", "code"), [(0, 0), (59, 0), (61, 1), (-3600, 0)])
def test_the_check_goes_by_age(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    seconds: int,
    code: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CARDROOM_DATA_DIR", str(tmp_path))
    heartbeat.touch(tmp_path / "heartbeat")
    then = time.time() - seconds
    os.utime(tmp_path / "heartbeat", (then, then))
    assert heartbeat.main() == code
    assert capsys.readouterr().out.startswith("healthy" if code == 0 else "unhealthy")


def test_the_check_fails_without_a_heartbeat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CARDROOM_DATA_DIR", str(tmp_path))
    assert heartbeat.main() == 1
    assert capsys.readouterr().out == "unhealthy: there is no heartbeat\n"


def test_the_check_fails_with_a_wrong_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CARDROOM_PORT", "x")
    assert heartbeat.main() == 1
    assert capsys.readouterr().out.startswith("unhealthy: CARDROOM_PORT: ")
