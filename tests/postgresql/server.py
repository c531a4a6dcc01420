"""A real PostgreSQL server for tests: made from the installed package in a folder of its own, and gone afterwards.

PostgreSQL refuses to run as root. Where the tests do, the server runs as `postgres`, or else as `nobody`. It answers on
a socket in its folder, and on a port on loopback if asked. Connections through the socket need no password, those to
the port do.

The databases belong to a role that may do nothing else, as they should elsewhere. They sort texts as people do and not
by their bytes, so a query that relies on the order of bytes has to say so.
"""

from __future__ import annotations

import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self
from urllib.parse import quote

import psycopg
from psycopg import sql

PACKAGES: Final = Path("/usr/lib/postgresql")
"""Where Debian's packages are, each version in a folder of its own. They put no server into PATH."""
USERS: Final = ("postgres", "nobody")
"""Who runs the server if the tests run as root: the first of them that exists."""
MEMORY: Final = Path("/dev/shm")
ROOM: Final = 2**30
"""Bytes that must be free there, or the server's folder is on a disk."""

ADMIN: Final = "postgres"
ROLE: Final = "cardroom"
"""The owner of the databases."""
PASSWORD: Final = "horse & battery/staple@home"
"""Its password, with characters that an address has to quote."""

WITHIN: Final = 30.0
"""Real seconds within which a server is made, starts or stops."""
POLL: Final = 0.01

SETTINGS: Final = {
    "max_connections": "50",
    "shared_buffers": "32MB",
    "min_wal_size": "32MB",
    "max_wal_size": "128MB",
    "jit": "off",
    "autovacuum": "off",  # no database here lives long, and each would be looked at every minute
    "dynamic_shared_memory_type": "mmap",  # in the server's folder, so that it goes with it
    "password_encryption": "'scram-sha-256'",
}
"""Small, because several servers run beside each other."""
WITHOUT_DISK: Final = {"fsync": "off", "full_page_writes": "off"}
"""While the machine is up, the system keeps what a killed server wrote, so nothing is lost."""
ACCESS: Final = """\
local all,replication all trust
host all all 127.0.0.1/32 scram-sha-256
"""

_WATCH: Final = """\
cat > /dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid" 2> /dev/null
for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" 2> /dev/null || break; sleep 0.2; done
rm -rf "$1"
"""
"""Ends the server and removes its folder once standard input ends, as it does however the tests end."""


SOON = "connect_timeout=2"
"""At the end of an address: seconds in which a connection must be made, the least that there is."""


class NoServerError(Exception):
    """PostgreSQL isn't installed here."""


@dataclass(frozen=True)
class Programs:
    """The programs of an installed server."""

    folder: Path
    version: float
    """As in 15.18."""

    @classmethod
    def newest(cls) -> Programs:
        """Those of the newest version that is installed. Raises NoServerError."""
        packages = sorted(PACKAGES.glob("*/bin"), key=lambda found: float(found.parent.name), reverse=True)
        in_path = shutil.which("initdb")
        for folder in [*packages, *([Path(in_path).resolve().parent] if in_path else [])]:
            if (folder / "initdb").exists() and (folder / "postgres").exists():
                stated = subprocess.run(
                    [folder / "postgres", "--version"], capture_output=True, text=True, check=True, timeout=WITHIN
                ).stdout
                return cls(folder, float(re.findall(r"\d+(?:\.\d+)?", stated)[0]))
        raise NoServerError(f"there is no PostgreSQL server in {PACKAGES} or PATH")


class Server:
    """A server. `with Server() as server:` starts it, and removes it with all its data.

    It ends with this process, even if that is killed.
    """

    def __init__(
        self,
        *,
        tcp: bool = False,
        fsync: bool = False,
        settings: Mapping[str, str] | None = None,
        place: Path | None = None,
    ) -> None:
        """Make a server with an empty database, not yet running. Raises NoServerError.

        `tcp` opens a port on loopback as well. `fsync` waits for the disk, as a server in use does. `settings` are
        further ones, as in postgresql.conf. `place` is where its folder is made, if not in memory.
        """
        self._programs = Programs.newest()
        self._user = _unprivileged()
        self._process: subprocess.Popen[bytes] | None = None
        self._templates: set[str] = set()
        self.folder = _new_folder(self._user, place or _place())
        """Where everything of it is, the socket too."""
        self.data = self.folder / "data"
        self.port = _free_port() if tcp else 5432
        self._watch = _watch(self.folder)
        try:
            self._initialise(
                {
                    **SETTINGS,
                    **({} if fsync else WITHOUT_DISK),
                    "unix_socket_directories": f"'{self.folder}'",
                    "listen_addresses": "'127.0.0.1'" if tcp else "''",
                    "port": str(self.port),
                    **(settings or {}),
                }
            )
        except BaseException:
            self.remove()
            raise

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    # ------------------------------------------------------------------------------------------ databases

    def url(self, database: str) -> str:
        """The address of a database through the socket, as its owner."""
        return f"postgresql://{ROLE}@/{database}?host={quote(str(self.folder), safe='')}&port={self.port}"

    def tcp_url(self, database: str, port: int | None = None) -> str:
        """The same through the port on loopback, with the password; `port` is another one that leads there."""
        return f"postgresql://{ROLE}:{quote(PASSWORD, safe='')}@127.0.0.1:{port or self.port}/{database}"

    def new_database(self, template: str = "template0") -> str:
        """Make a database for one test, empty or as a copy of a `template`. Returns its name."""
        name = f"test_{secrets.token_hex(6)}"
        # Copying the files takes 15 ms. Logging every page, the default since version 15, takes 100 ms.
        strategy = "STRATEGY FILE_COPY" if self._programs.version >= 15 else ""
        self._administer(f"CREATE DATABASE {{}} TEMPLATE {{}} OWNER {ROLE} {strategy}", name, template)
        return name

    def template(self, name: str, prepare: Callable[[str], None]) -> str:
        """A database that is copied and never changed. `prepare` gets its address and fills it, the first time. Returns
        the name."""
        if name not in self._templates:
            made = self.new_database()
            prepare(self.url(made))
            self._administer("ALTER DATABASE {} RENAME TO {}", made, name)
            self._templates.add(name)
        return name

    def drop_database(self, name: str) -> None:
        """Remove a database, even if somebody is connected to it."""
        self._administer("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def disconnect_all(self, database: str) -> int:
        """Cut all connections to a database, as a server that stops does. Returns how many there were."""
        with self.connect_as_admin() as connection:
            cut = connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [database]
            )
            return len(cut.fetchall())

    def connect_as_admin(self, database: str = "postgres") -> psycopg.Connection[tuple[Any, ...]]:
        """A connection that may do everything, in which each statement is a transaction. `with` closes it."""
        return psycopg.connect(
            host=str(self.folder), port=self.port, user=ADMIN, dbname=database, autocommit=True, connect_timeout=10
        )

    # ---------------------------------------------------------------------------------------- the process

    @property
    def running(self) -> bool:
        """Whether its process lives."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it, and wait until it answers. Raises RuntimeError with the end of its log."""
        until = time.monotonic() + WITHIN
        while not self._answers():
            if not self.running:  # not started yet, or what it left when it was killed is still in use
                self._spawn()
            if time.monotonic() > until:
                self.kill()
                raise RuntimeError(f"PostgreSQL doesn't answer. Its log ends so:\n{self.log()[-2000:]}")
            time.sleep(POLL)

    def stop(self) -> None:
        """Stop it as a service manager does: it cuts all connections and writes everything."""
        if self._process is None or not self.running:
            return
        self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(WITHIN)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kill all its processes at once with SIGKILL."""
        if self._process is None or not self.running:
            return
        self._process.send_signal(signal.SIGSTOP)  # so that it starts no more of them meanwhile
        for child in _children(self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._process.kill()
        self._process.wait(WITHIN)

    def restart(self) -> None:
        """Stop it and start it again."""
        self.stop()
        self.start()

    def remove(self) -> None:
        """End it at once, and remove its folder."""
        if self._process is not None and self.running:
            self._process.send_signal(signal.SIGQUIT)  # it gives its shared memory back, as after SIGKILL nobody would
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(WITHIN)
        self.kill()
        self._free_shared_memory()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._watch.kill()
        self._watch.wait(WITHIN)
        if self._watch.stdin is not None:
            self._watch.stdin.close()

    def make_folder(self, folder: Path) -> None:
        """Make a folder in which it may write."""
        folder.mkdir()
        if self._user is not None:
            os.chown(folder, self._user.pw_uid, self._user.pw_gid)

    def put_back(self, copy: Path, settings: str) -> None:
        """Replace the data of a stopped server with a base backup, to recover with these lines of postgresql.conf."""
        shutil.rmtree(self.data)
        copy.rename(self.data)
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(f"{settings}recovery_target_action = promote\n")
        (self.data / "recovery.signal").touch()

    def log(self) -> str:
        """Everything that it has logged."""
        return (self.folder / "server.log").read_text("utf-8", "replace")

    def run(self, program: str, *arguments: str) -> str:
        """Run a program of the package, such as `pg_dump`, as the server's user. Returns its output.

        Raises RuntimeError with what it complained about.
        """
        process = self._popen(program, *arguments, output=subprocess.PIPE)
        try:
            output, _ = process.communicate(timeout=WITHIN)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
        text = output.decode("utf-8", "replace")
        if process.returncode != 0:
            raise RuntimeError(f"{program} ended with {process.returncode}:\n{text[-2000:]}")
        return text

    # -------------------------------------------------------------------------------------------- private

    def _initialise(self, settings: Mapping[str, str]) -> None:
        if _Pattern.data is None:
            # As people sort. Before version 15 that needs a locale of the system, which need not be installed.
            order = ("--locale-provider=icu", "--icu-locale=en") if self._programs.version >= 15 else ()
            options = ("--username", ADMIN, "--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync", *order)
            self.run("initdb", "--pgdata", str(self.data), *options)
            pattern = _new_folder(self._user, _place())
            _Pattern.watch = _watch(pattern)
            self.run("/bin/cp", "-a", str(self.data), str(pattern))
            _Pattern.data = pattern / self.data.name
        else:
            self.run("/bin/cp", "-a", str(_Pattern.data), str(self.folder))
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{key} = {value}\n" for key, value in settings.items())
        (self.data / "pg_hba.conf").write_text(ACCESS, "utf-8")

    def _spawn(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self._process = self._popen("postgres", "-D", str(self.data), output=log)

    def _popen(self, program: str, *arguments: str, output: int | IO[bytes]) -> subprocess.Popen[bytes]:
        user = self._user
        return subprocess.Popen(
            [str(self._programs.folder / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"},
            start_new_session=True,  # Ctrl-C is for the tests, which then remove it
            user=None if user is None else user.pw_uid,
            group=None if user is None else user.pw_gid,
            extra_groups=None if user is None else [],
        )

    def _free_shared_memory(self) -> None:
        """Free what a server that was killed holds, as its next start would."""
        with suppress(OSError, IndexError, subprocess.SubprocessError):
            # Line 7 has the key and the number of its segment (src/include/utils/pidfile.h).
            number = (self.data / "postmaster.pid").read_text("utf-8").splitlines()[6].split()[1]
            subprocess.run(["ipcrm", "-m", number], check=False, capture_output=True, timeout=WITHIN)

    def _answers(self) -> bool:
        """Whether it lets somebody in to write. If it does, there is a role for the tests."""
        if not self.running:
            return False
        try:
            connection = self.connect_as_admin()
        except psycopg.OperationalError:
            return False
        with connection:
            if connection.execute("SELECT pg_is_in_recovery()").fetchone() != (False,):
                return False
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone() is None:
                connection.execute(
                    sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(ROLE), sql.Literal(PASSWORD))
                )
        return True

    def _administer(self, statement: str, *names: str) -> None:
        with self.connect_as_admin() as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))


class _Pattern:
    """What initdb made for the first server of this process. To copy it takes a tenth of the time."""

    data: Path | None = None
    watch: subprocess.Popen[bytes] | None = None
    """Removes it when this process has ended."""


def _new_folder(user: pwd.struct_passwd | None, place: Path | None) -> Path:
    """A folder that belongs to a user, or to that of the tests."""
    folder = Path(tempfile.mkdtemp(prefix="cardroom-pg-", dir=place))
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    return folder


def _watch(folder: Path) -> subprocess.Popen[bytes]:
    """A process that removes a folder, and ends the server in it, once this process has ended."""
    return subprocess.Popen(["/bin/sh", "-c", _WATCH, "sh", str(folder)], stdin=subprocess.PIPE, start_new_session=True)


def _unprivileged() -> pwd.struct_passwd | None:
    """Who runs the server, if not the user of the tests."""
    if os.geteuid() != 0:
        return None
    for name in USERS:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise NoServerError(f"PostgreSQL doesn't run as root, and there is no user {' or '.join(USERS)}")


def _place() -> Path | None:
    """Where its folder is: in memory where there is room, or else where temporary files are."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM:
        return MEMORY
    return None


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


def _children(process: int) -> list[int]:
    """The processes that a process started, each of which has a session of its own."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True, timeout=WITHIN
    ).stdout
    pairs = (line.split() for line in listed.splitlines())
    return [int(child) for child, parent in pairs if int(parent) == process]
