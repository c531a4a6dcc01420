"""The database that the settings name: how a bot opens it, and how commands read and fill it.

Everything about PostgreSQL is imported when it is needed, because its driver is an extra.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot import heartbeat
from bot.ops import backups
from bot.settings import EXIT_CONFIGURATION, EXIT_DATABASE, EXIT_UNREACHABLE, ConfigurationError, Settings
from bot.store.dump_format import DumpReader
from bot.store.errors import AccessRefused, Fenced, StoreError, Unreachable
from bot.store.migrations import LATEST
from bot.store.queries.database import Connection
from bot.store.sqlite import dump as sqlite_dump
from bot.store.sqlite.alone import alone as sqlite_alone
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from bot.telemetry import NO_TELEMETRY, Telemetry

if TYPE_CHECKING:
    from bot.cluster.tools import Server as Server  # noqa: PLC0414  `bot.ops.check` names it too
    from bot.play.venues import Safeguard  # all of play takes a second to import, and no command needs it

NO_BACKUPS: Final = "PostgreSQL has backups of its own, so this bot makes none: see docs/scaling.md"

_log = logging.getLogger(__name__)


def exit_code(error: StoreError) -> int:
    """The exit code of a process that ends because of this error: 78 for a wrong address, 75 where another try may
    help."""
    match error:
        case AccessRefused():
            return EXIT_CONFIGURATION
        case Unreachable() | Fenced():
            return EXIT_UNREACHABLE
    return EXIT_DATABASE


# ---------------------------------------------------------------------------------------------- the bot


async def open_store(
    settings: Settings, *, now: Callable[[], int], telemetry: Telemetry = NO_TELEMETRY, accept_older: bool = False
) -> Store:
    """Open the store, and wait for a server that is about to start.

    `accept_older` is about a SQLite file alone. Raises ConfigurationError without a driver, and StoreError.
    """
    if settings.database_address is None:
        return await SqliteStore.open(
            settings.database,
            now=now,
            telemetry=telemetry,
            accept_older=accept_older,
            person_key=settings.person_key_file,
        )
    with _driver():
        from bot.cluster.reaching import wait_for  # noqa: PLC0415
        from bot.cluster.store import PostgresqlStore  # noqa: PLC0415

    address = settings.database_address.get_secret_value()
    beating = asyncio.create_task(heartbeat.beat(settings.heartbeat_file))  # to wait is healthy
    try:
        await wait_for(address, settings.database_name)
    finally:
        beating.cancel()
    return await PostgresqlStore.open(address, now=now, telemetry=telemetry, person_key=settings.person_key_file)


async def keep_backups(settings: Settings, store: Store, telemetry: Telemetry) -> None:
    """Back the database up every few hours until cancelled. PostgreSQL does that itself, so here it is only said."""
    if isinstance(store, SqliteStore):
        await _backups(settings, store, telemetry).keep(settings.backup_hours)
    else:
        _log.info(NO_BACKUPS)


def _backups(settings: Settings, store: SqliteStore, telemetry: Telemetry) -> backups.Backups:
    most_bytes = settings.backups_gib * backups.GIB
    return backups.Backups(store.copies, settings.backups_dir, telemetry, most_bytes=most_bytes)


async def check_file(store: Store) -> None:
    """Read a SQLite file to its end if that was not done before play. Raises Damaged."""
    if isinstance(store, SqliteStore):
        await store.check_file()


def safeguard(settings: Settings, store: Store, telemetry: Telemetry) -> Safeguard:
    """What stands between a wrong clock and deleted data."""
    if isinstance(store, SqliteStore):
        return _backups(settings, store, telemetry)
    return backups.WithoutBackups()


# ------------------------------------------------------------------------------------------- commands


def only_sqlite(settings: Settings, command: str) -> None:
    """Refuse a command that is about a SQLite file. Raises ConfigurationError where there is none."""
    if settings.database_address is not None:
        raise ConfigurationError(
            f"CARDROOM_DATABASE: `cardroom {command}` is for a bot without it; "
            "PostgreSQL has backups of its own (docs/scaling.md)"
        )


def refuse_in_use(settings: Settings) -> None:
    """Raise InUse if a bot is connected to PostgreSQL. A SQLite file has a lock of its own. Raises StoreError and
    ConfigurationError."""
    address = _reached(settings)
    if address is not None:
        from bot.cluster import tools  # noqa: PLC0415

        with tools.tool_link(address) as link:
            tools.refuse_in_use(link.connection().raw)


def server_of(settings: Settings) -> Server:
    """What PostgreSQL's server says about itself. Raises ConfigurationError, also without one, and StoreError."""
    address = _reached(settings)
    if address is None:
        raise ConfigurationError("CARDROOM_DATABASE: missing")
    from bot.cluster import tools  # noqa: PLC0415

    return tools.describe(address)


def dump_lines(settings: Settings) -> Iterator[str]:
    """The lines of a dump of the database. Raises ConfigurationError and StoreError."""
    address = _reached(settings)
    if address is None:
        return sqlite_dump.dump_lines(settings.database)
    from bot.cluster import dump  # noqa: PLC0415

    return dump.dump_lines(address)


def load_dump(settings: Settings, lines: Iterable[str]) -> tuple[int, Path | None]:
    """Fill the database from a dump, if it is empty. Returns the number of rows, and where a former, empty SQLite file
    is now.

    Raises NotADumpError, ConfigurationError, StoreError and OSError.
    """
    address = _reached(settings)
    if address is None:
        return sqlite_dump.load_dump(lines, settings.database)
    from bot.cluster import dump  # noqa: PLC0415

    dump.refuse_to_load(address)  # before much is read
    remaining = iter(lines)
    first = list(zip(range(1), remaining))  # noqa: B905  the first line, if there is one
    whole = chain((line for _, line in first), remaining)
    if first and DumpReader([first[0][1]], LATEST).tables < LATEST:
        with copy_as_sqlite(whole, settings.data_dir) as copy:  # its migrations bring the rows up to date
            return dump.load_dump(DumpReader(sqlite_dump.dump_lines(copy), LATEST), address), None
    return dump.load_dump(DumpReader(whole, LATEST), address), None


@contextmanager
def copy_as_sqlite(lines: Iterable[str], folder: Path) -> Iterator[Path]:
    """A SQLite file with the rows of a dump and the present tables, in a folder of its own that is removed.

    Raises what `bot.store.sqlite.dump.load_dump` raises.
    """
    with tempfile.TemporaryDirectory(dir=folder, prefix="copy-", suffix=".unfinished") as made:
        copy = Path(made) / "cardroom.db"
        sqlite_dump.load_dump(lines, copy)
        yield copy


def alone(settings: Settings) -> AbstractContextManager[Connection]:
    """A connection in a transaction, which is committed at the end, while no bot runs.

    Raises ConfigurationError, InUse, StoreError and OSError.
    """
    address = _reached(settings)
    if address is None:
        return sqlite_alone(settings.database)
    from bot.cluster import tools  # noqa: PLC0415

    return tools.alone(address)


def _reached(settings: Settings) -> str | None:
    """The address of PostgreSQL's database, whose server has answered; None for a SQLite file."""
    if settings.database_address is None:
        return None
    address = settings.database_address.get_secret_value()
    with _driver():
        from bot.cluster.reaching import reach  # noqa: PLC0415
    reach(address, settings.database_name)
    return address


@contextmanager
def _driver() -> Iterator[None]:
    """Say what to do if the driver isn't installed, or finds no libpq."""
    try:
        yield
    except ImportError as error:
        if (error.name or "psycopg").partition(".")[0] not in {"psycopg", "psycopg_binary"}:
            raise
        raise ConfigurationError(
            "CARDROOM_DATABASE: this installation has no driver for PostgreSQL: "
            "install requirements/postgresql.lock, or the package with its extra postgresql"
        ) from None
