"""The server that tests start: databases of their own, nothing lost by a kill, and nothing left behind."""

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
from tests.postgresql.server import PASSWORD, NoServerError, Server

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


def note(url: str, name: str) -> None:
    """Save a row in the test's table."""
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS names (name text)")
        connection.execute("INSERT INTO names VALUES (%s)", [name])


def test_each_database_is_empty_and_belongs_to_a_role_that_may_do_nothing_else(
    postgresql: Server, empty_database: str
) -> None:
    note(empty_database, "Ann")
    other = postgresql.new_database()
    with psycopg.connect(postgresql.url(other)) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)
        assert connection.execute(
            "SELECT rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        ).fetchone() == (
            False,
            False,
        )
    postgresql.drop_database(other)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(postgresql.url(other))


def test_a_template_is_made_once_and_copied(postgresql: Server) -> None:
    made: list[str] = []

    def prepare(url: str) -> None:
        made.append(url)
        note(url, "Ann")

    first, second = (postgresql.new_database(postgresql.template("with_ann", prepare)) for _ in range(2))
    note(postgresql.url(first), "Bob")
    assert names(postgresql.url(first)) == ["Ann", "Bob"]
    assert names(postgresql.url(second)) == ["Ann"]
    assert len(made) == 1
    for name in (first, second):
        postgresql.drop_database(name)


def test_the_port_wants_the_password(postgresql: Server) -> None:
    name = postgresql.new_database()
    with psycopg.connect(postgresql.tcp_url(name)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    address = postgresql.tcp_url(name).replace("%", "%25")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed") as failed:
        psycopg.connect(address)
    assert PASSWORD not in str(failed.value)
    postgresql.drop_database(name)


def test_texts_sort_as_people_sort_them(empty_database: str) -> None:
    for name in ("b", "A", "a", "B"):
        note(empty_database, name)
    assert names(empty_database) == ["a", "A", "b", "B"]


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_what_was_committed_is_there_after_another_start(own_server: Server, end: str) -> None:
    url = own_server.url(own_server.new_database())
    note(url, "Ann")
    getattr(own_server, end)()
    assert not own_server.running
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)
    own_server.start()
    assert names(url) == ["Ann"]


def test_a_restart_and_a_cut_end_every_connection(own_server: Server) -> None:
    name = own_server.new_database()
    with psycopg.connect(own_server.url(name)) as connection:
        assert own_server.disconnect_all(name) == 1
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    with psycopg.connect(own_server.url(name)) as connection:
        own_server.restart()
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    with psycopg.connect(own_server.url(name)) as connection:
        connection.execute("SELECT 1")


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


def test_a_run_without_a_server_ends_with_the_notice_or_fails_if_one_is_required(tmp_path: Path) -> None:
    (tmp_path / "without.py").write_text(WITHOUT)
    options = ("-q", "-p", "without", "-p", "no:cacheprovider", "-k", "the_port_wants_the_password")
    command = [sys.executable, "-m", "pytest", *options, "tests/postgresql/test_server.py"]
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", fixtures.REQUIRED))}
    for required in ({}, {fixtures.REQUIRED: "1"}):
        environment = {**inherited, "PYTHONPATH": str(tmp_path), **required}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=WITHIN * 4, check=False
        )
        assert done.returncode == (1 if required else 0), done.stdout
        assert done.stdout.rstrip().endswith(fixtures.NOTICE.format(count=1)) == (not required), done.stdout


def without_server(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Make it look as if PostgreSQL weren't installed."""
    monkeypatch.setattr("tests.postgresql.server.PACKAGES", folder)
    monkeypatch.setenv("PATH", str(folder))
