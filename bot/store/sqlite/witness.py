"""The witness: a file outside the database that says how far the database had come.

To SQLite a damaged WAL ends before its first damaged frame, and a missing one was empty. Either way the database looks
sound, only older, and what was written since is gone. The witness has the number of a commit that was safely on the
disk, a few seconds ago at most. A start refuses a database that is behind it, and an empty one beside backups.

It also says how the last process ended. After a clean end the file is read to its end beside play, and after damage was
found it is read before play, however large it is.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bot.private_files import create, sync, unfinished
from bot.store.errors import Older, StoreError
from bot.store.migrations import Migration
from bot.store.queries import installation
from bot.store.queries.installation import Progress
from bot.store.sqlite.changes_file import SUFFIX, read_header
from bot.store.sqlite.reading import beside, open_existing
from bot.store.sqlite.schema import examine_schema, version_of

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Witness:
    """What the file says: a database's progress, and when it was written (ms UTC).

    `closed` says that the process that wrote it closed the database then, and `damaged` that it had found damage.
    """

    progress: Progress
    at: int
    closed: bool = False
    damaged: bool = False


def file_of(database: Path) -> Path:
    """Where the witness of a database is."""
    return beside(database, ".witness")


def read(database: Path) -> Witness | None:
    """The witness of a database; None if there is none, or none that can be read, which is logged."""
    try:
        said = json.loads(file_of(database).read_text("ascii"))
        reached = Progress(str(said["database"]), int(said["commits"]))
        return Witness(reached, int(said["at"]), said.get("closed") is True, said.get("damaged") is True)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        _log.warning("the witness cannot be read: %s", type(error).__name__)
        return None


def write(database: Path, witness: Witness) -> None:
    """Replace the witness. Raises OSError; the former one then stays."""
    file = file_of(database)
    said = {"database": witness.progress.database_id, "commits": witness.progress.commits, "at": witness.at}
    said |= {name: True for name in ("closed", "damaged") if getattr(witness, name)}
    fresh = unfinished(file)
    try:
        create(fresh)
        fresh.write_text(f"{json.dumps(said)}\n", "ascii")
        sync(fresh)
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)


def remove(database: Path) -> None:
    """Remove the witness: the next start takes the database as it is. Raises OSError."""
    file_of(database).unlink(missing_ok=True)


def refuse_older(database: Path, backups: Path, steps: tuple[Migration, ...], *, is_mine: bool = False) -> None:
    """Raise Older if a database lacks what its witness saw, or if it is missing or empty beside a witness or backups.

    `backups` is the folder of backups. `is_mine` says that the caller has the lock, and no connection yet. No file is
    changed. What a database says of its commits counts only if it can be read and has the tables that `steps` make.
    If not, raises TooNew, Damaged, Busy or NotSaved, which say more about what is wrong.
    """
    witness = read(database)  # before the database: beside a running bot both go on
    found = _found(database, steps, is_mine=is_mine) if database.is_file() else None
    if found is None:
        _refuse_empty(database, backups, witness)
    elif witness is not None and _is_older(found, witness.progress):
        lacking = f"({witness.progress.commits - found.commits} or more)"
        raise Older(f"the database {database} lacks writes that were saved {lacking}: {_advice(database, backups)}")


def how_it_ended(database: Path, steps: tuple[Migration, ...]) -> Witness | None:
    """What the witness of a database says, if the database is as it was then; otherwise None.

    The caller has the lock, and no connection yet. Raises as `refuse_older`.
    """
    witness = read(database)
    found = _found(database, steps, is_mine=True) if witness is not None and database.is_file() else None
    return witness if witness is not None and found == witness.progress else None


def _refuse_empty(database: Path, backups: Path, witness: Witness | None) -> None:
    if witness is not None or newest_backup(database, backups) is not None:
        state = "is empty" if database.exists() else "is missing"
        raise Older(f"the database {database} {state}, though this folder's bot had one: {_advice(database, backups)}")


def _is_older(found: Progress, saw: Progress) -> bool:
    return found.database_id == saw.database_id and found.commits < saw.commits


def _advice(database: Path, backups: Path) -> str:
    newest = newest_backup(database, backups)
    restoring = "there is no backup" if newest is None else f"`cardroom restore {newest}` puts back the newest backup"
    return f"{restoring}, and `cardroom bot --accept-older` starts with what is there"


def newest_backup(database: Path, backups: Path) -> Path | None:
    """The backup that has come furthest; None if there is none that can be read."""
    upgrades = database.parent.glob(f"{database.name}.v*.backup")
    return next(iter(by_progress([*backups.glob("*.db"), *backups.glob(f"*{SUFFIX}"), *upgrades])), None)


def by_progress(backups: Iterable[Path]) -> list[Path]:
    """Those that can be read, the one that has come furthest first.

    The number of its last commit says so, and not its time, because the clock may have been wrong.
    """
    dated = [(stamp, file) for file in backups if (stamp := _stamp(file)) is not None]
    return [file for _, file in sorted(dated, reverse=True)]


def _stamp(backup: Path) -> tuple[int, float] | None:
    try:
        if backup.suffix == SUFFIX:
            header = read_header(backup)
            whole = backup.with_name(header.base).is_file()
            return (header.commits, backup.stat().st_mtime) if whole else None
        with open_existing(backup, is_mine=True) as connection:
            if version_of(connection) == 0 or (reached := installation.find_progress(connection)) is None:
                return None
        return reached.commits, backup.stat().st_mtime
    except (StoreError, OSError):
        return None


def _found(database: Path, steps: tuple[Migration, ...], *, is_mine: bool) -> Progress | None:
    """How far a database has come; None if it has no tables, or was never begun. Raises StoreError."""
    with open_existing(database, is_mine=is_mine) as connection:
        return installation.find_progress(connection) if examine_schema(connection, database, steps) else None


def carry_on(connection: sqlite3.Connection, database: Path) -> Progress:
    """Have the file behind a connection count its commits on from those that the witness of a database saw.

    So a backup with more commits is always the newer one, also after a restore. Returns its progress. Raises
    sqlite3.Error.
    """
    found, witness = installation.begin_progress(connection), read(database)
    if witness is None or witness.progress.commits <= found.commits:
        return found
    return installation.advance(connection, witness.progress.commits + 1)
