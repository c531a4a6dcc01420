"""The server that tests start leaves nothing behind, and no run is without one in silence."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.postgresql import fixtures
from tests.postgresql.fixtures import running_server
from tests.postgresql.server import NoServerError, Server

ROOT = Path(__file__).parents[2]
WITHIN = 30.0


@pytest.fixture
def own_server() -> Iterator[Server]:
    with running_server() as server:
        yield server


def names(url: str) -> list[str]:
    """What the test's table has."""
    with psycopg.connect(url) as connection:
        return [str(name) for (name,) in connection.execute("SELECT name FROM names ORDER BY name")]


def test_nothing_is_left_behind(own_server: Server) -> None:
    def its_segment() -> int:
        return int((own_server.data / "postmaster.pid").read_text().splitlines()[6].split()[1])

    def in_use() -> set[int]:
        lines = subprocess.run(["ipcs", "-m"], capture_output=True, text=True, check=True).stdout.splitlines()
        return {int(line.split()[1]) for line in lines if line.startswith("0x")}

    segment = its_segment()
    assert segment in in_use()
    own_server.kill()
    assert segment in in_use()
    own_server.remove()
    assert not own_server.running
    assert not own_server.folder.exists()
    assert segment not in in_use()


@pytest.mark.usefixtures("postgresql")  # so that there is one
def test_tests_that_are_killed_leave_nothing_behind_either() -> None:
    program = (
        "import time; from tests.postgresql.server import Server\n"
        "with Server() as server:\n"
        "    print(server.folder, (server.data / 'postmaster.pid').read_text().split()[0], flush=True)\n"
        "    time.sleep(60)\n"
    )
    tests = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert tests.stdout is not None
    folder, process = tests.stdout.readline().split()
    tests.kill()
    tests.communicate(timeout=WITHIN)
    until = time.monotonic() + WITHIN
    while Path(folder).exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(folder).exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int(process), 0)


# --------------------------------------------------------------------------------------- without a server


def test_without_a_server_tests_are_skipped_with_a_reason_that_a_notice_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(fixtures.REQUIRED, raising=False)
    without_server(monkeypatch, tmp_path)
    with pytest.raises(pytest.skip.Exception) as skipped, running_server():
        pass
    assert "TESTS ON POSTGRESQL DID NOT RUN (2)" in fixtures.notice(
        [str(skipped.value), "why else", str(skipped.value)]
    )
    assert fixtures.notice(["why else"]) == ""


def test_without_a_server_a_run_that_requires_one_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(fixtures.REQUIRED, "1")
    without_server(monkeypatch, tmp_path)
    with pytest.raises(NoServerError), running_server():
        pass


WITHOUT = """\
import os
from pathlib import Path
from tests.postgresql import server

server.PACKAGES = Path(os.devnull)
os.environ["PATH"] = os.devnull
"""
"""A plugin of pytest that makes it look so in a whole run."""


def test_a_run_without_a_server_ends_with_the_notice(tmp_path: Path) -> None:
    (tmp_path / "without.py").write_text(WITHOUT)
    options = ("-q", "-p", "without", "-p", "no:cacheprovider", "-k", "nothing_is_left_behind")
    command = [sys.executable, "-m", "pytest", *options, "tests/postgresql/test_server.py"]
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", fixtures.REQUIRED))}
    environment = {**inherited, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=WITHIN * 4, check=False
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith(fixtures.NOTICE.format(count=1)), done.stdout


def without_server(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make it look as if PostgreSQL weren't installed."""
    monkeypatch.setattr("tests.postgresql.server.PACKAGES", folder)
    monkeypatch.setenv("PATH", str(folder))
