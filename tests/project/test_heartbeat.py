"""The sign of life, and the check that reads it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import heartbeat
from bot.settings import load_settings
from tests.bot.store.failing_disk import file_size_limit
from tests.project.files import ROOT


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


async def test_a_disk_that_keeps_it_waiting_holds_up_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, were_free = threading.Event(), list[bool]()
    monkeypatch.setattr(heartbeat, "touch", lambda _: were_free.append(free.wait(2)))
    beating = asyncio.create_task(heartbeat.beat(tmp_path / "heartbeat"))
    await asyncio.sleep(0.05)
    free.set()
    await wait_for(lambda: bool(were_free))
    assert were_free == [True]
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


def test_the_check_may_be_called_in_a_folder_that_is_closed_to_its_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDROOM_DATA_DIR", str(tmp_path))
    heartbeat.touch(tmp_path / "heartbeat")
    look = os.stat

    def closed(path: str | Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if str(path) == ".env":
            raise PermissionError
        return look(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(os, "stat", closed)
    assert heartbeat.main() == 0


def test_the_check_of_a_healthy_bot_imports_no_other_package(tmp_path: Path) -> None:
    heartbeat.touch(tmp_path / "heartbeat")
    code = (
        "import sys; from bot import heartbeat; heartbeat.main(); print(*{name.split('.')[0] for name in sys.modules})"
    )
    environment = {**os.environ, "CARDROOM_DATA_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    answer, imported = done.stdout.splitlines()
    assert answer.startswith("healthy: ")
    assert "bot" in imported.split()
    assert {"pydantic", "dotenv", "asyncio"}.isdisjoint(imported.split())


@pytest.mark.parametrize(
    ("environment", "env_file"),
    [
        ({"CARDROOM_DATA_DIR": "data"}, ""),
        ({"CARDROOM_DATA_DIR": "data", "CARDROOM_HEARTBEAT_FILE": "beat"}, ""),
        ({"CARDROOM_HEARTBEAT_FILE": "beat"}, "CARDROOM_HEARTBEAT_FILE=other\n"),
        ({"CARDROOM_DATA_DIR": "data"}, "CARDROOM_HEARTBEAT_FILE=other\n"),
        ({"CARDROOM_DATA_DIR": "data", "CARDROOM_HEARTBEAT_FILE": ""}, ""),
        ({}, "CARDROOM_DATA_DIR=elsewhere\n"),
        ({}, ""),
    ],
)
def test_the_check_looks_at_the_file_that_the_settings_name(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    environment: dict[str, str],
    env_file: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for key in ("CARDROOM_DATA_DIR", "CARDROOM_HEARTBEAT_FILE"):
        monkeypatch.delenv(key, raising=False)
    for key, value in environment.items():
        monkeypatch.setenv(key, value)
    if env_file:
        (tmp_path / ".env").write_text(env_file)
    heartbeat.touch(load_settings().heartbeat_file)
    assert heartbeat.main() == 0
    assert capsys.readouterr().out == "healthy: last heartbeat 0 s ago\n"
    load_settings().heartbeat_file.unlink()
    assert heartbeat.main() == 1
