"""Backups of a database: made while it is in use, checked by opening them, and restored.

A copy is one file, which gets its name only after it was opened and found intact; or it has what changed since such a
file (`changes_file`), and is put together with it to be checked or restored. Nothing in this module overwrites or
removes an existing file.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.private_files import sync, unfinished
from bot.store.errors import Damaged, NotSaved, StoreError
from bot.store.migrations import migrations
from bot.store.sqlite import changes_file, witness
from bot.store.sqlite.instance_lock import InstanceLock
from bot.store.sqlite.reading import beside, connect_to, folder_near, open_existing, reading
from bot.store.sqlite.result_codes import store_error
from bot.store.sqlite.schema import copy_database, examine_schema


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of an intact database; `version` is that of its tables, `size` is in bytes."""

    version: int
    matches: int
    live: int
    records: int
    packed_logs: int
    size: int

    def __str__(self) -> str:
        return (
            f"tables of version {self.version}, {self.matches} matches ({self.live} live), "
            f"{self.records} records, {self.packed_logs} packed logs, {self.size} bytes"
        )


def timestamp() -> str:
    """This moment for a file's name, such as 20260131T120000Z."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")


def verify_copy(
    path: Path, opened: Callable[[sqlite3.Connection], None] = lambda _: None, *, quick: bool = False
) -> Contents:
    """Read a copy from end to end and return its contents.

    `opened` is called with the connection once nearly all that is left is SQLite's, so that another thread may
    interrupt it. A `quick` check leaves out whether indexes and references fit their rows, which copying pages can't
    change.

    Raises Damaged if the copy is damaged or not a Cardroom database, TooNew and OtherSchema if this program cannot read
    it, and NotSaved if there is no such file, if it cannot be opened, or if a file that it needs is missing. Raises
    OSError if it must be put together, and there is no room for that.
    """
    if path.suffix == changes_file.SUFFIX:
        with folder_near(path) as folder:
            return _put_together(path, Path(folder) / "copy.db")
    with _opened(path) as copy:
        return _contents(copy, path, opened, quick=quick)


def examine(path: Path) -> None:
    """Make sure that a copy is what it was when it was made. Raises what `verify_copy` does, and needs no room."""
    if path.suffix != changes_file.SUFFIX:
        verify_copy(path)
    elif path.is_file():
        changes_file.examine(path)
    else:
        raise NotSaved(f"there is no file {path}")


def another_sound(path: Path) -> Path | None:
    """The newest other copy in the same folder that `examine` finds nothing wrong with."""
    for other in witness.by_progress([*path.parent.glob("*.db"), *path.parent.glob(f"*{changes_file.SUFFIX}")]):
        if not (path.exists() and other.samefile(path)):
            with contextlib.suppress(StoreError, OSError):
                examine(other)
                return other
    return None


def verify_database(database: Path) -> Contents:
    """Read a database, which may be in use, from end to end and return its contents. Raises StoreError."""
    with open_existing(database) as connection:
        return _contents(connection, database)


def back_up(database: Path, to: Path) -> Contents:
    """Copy a database, which may be in use, to a new file, and return the copy's contents.

    Raises FileExistsError if the file exists, OSError if it cannot be written, and StoreError if the database cannot be
    read or the copy is damaged.
    """
    if to.exists():
        raise FileExistsError(f"{to} already exists")
    to.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    copy = unfinished(to)
    try:
        with open_existing(database) as connection:
            copy_database(connection, copy)
        contents = verify_copy(copy)
        copy.replace(to)
    finally:
        copy.unlink(missing_ok=True)
    sync(to.parent)
    return contents


def restore(copy: Path, database: Path) -> tuple[Contents, Path | None]:
    """Replace a database with an intact copy. Returns its contents, and where the old database is now, if there was
    one.

    Raises what `verify_copy` raises before it touches the database, InUse while a bot runs, and OSError.
    """
    lock = InstanceLock(database.with_name(f"{database.name}.lock"))
    try:
        fresh = unfinished(database)
        try:
            if copy.suffix == changes_file.SUFFIX:
                contents = _put_together(copy, fresh)
            else:
                with _opened(copy) as connection:
                    copy_database(connection, fresh)
                contents = verify_copy(fresh)
            return contents, put_in_place(fresh, database)
        finally:
            fresh.unlink(missing_ok=True)
    finally:
        lock.release()


def put_in_place(fresh: Path, database: Path) -> Path | None:
    """Give a finished file the database's name. Returns where the old database is kept, if there was one.

    The caller has the instance lock. If the process is killed at any step, the name belongs to the old or the new file.
    It is never missing, because a bot would then start with an empty database. The witness is set to the new database.
    """
    with closing(connect_to(fresh, "mode=rw")) as connection:
        reached = witness.carry_on(connection, database)
    sync(fresh)
    witness.remove(database)  # without one a start takes either file, so this may be killed at any step too
    kept = None
    if database.exists():
        kept = _unused_name(database.with_name(f"{database.name}.replaced-{timestamp()}"))
        _keep_former(database, kept)
        _checkpoint(database)
    fresh.replace(database)
    sync(database.parent)
    with contextlib.suppress(OSError):  # the next start writes one
        witness.write(database, witness.Witness(reached, time.time_ns() // 1_000_000))
    return kept


def _keep_former(database: Path, kept: Path) -> None:
    """Give a database a second name, and its WAL if a killed process left one. Nothing is opened or changed."""
    journal = beside(database, "-wal")
    if journal.exists():
        _copy(journal, beside(kept, "-wal"))
        try:
            _copy(database, kept)  # a link would be the same file, which the checkpoint is about to change
        except OSError:
            beside(kept, "-wal").unlink(missing_ok=True)
            raise
        return
    try:
        os.link(database, kept)
    except OSError:  # not every file system gives a file two names
        _copy(database, kept)


def _copy(file: Path, to: Path) -> None:
    try:
        shutil.copy2(file, to)
        sync(to)
    except OSError:  # a part would look like the whole, and take the room that there is not
        to.unlink(missing_ok=True)
        raise


def _checkpoint(database: Path) -> None:
    """Move the WAL into its file and remove it, because it must not be read with another file. A copy is already
    kept."""
    if beside(database, "-wal").exists():
        with contextlib.suppress(sqlite3.Error), closing(connect_to(database, "mode=rw")) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    for journal in ("-wal", "-shm"):
        beside(database, journal).unlink(missing_ok=True)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a copy, which nobody writes. It creates no files beside the copy."""
    if not path.is_file():
        raise NotSaved(f"there is no file {path}")
    if not os.access(path, os.R_OK):
        raise NotSaved(f"you may not read {path}")
    try:
        with reading(path) as copy:
            yield copy
    except sqlite3.Error as error:
        if isinstance(why := store_error(error, str(path)), NotSaved):
            raise why from error  # the disk, of which the copy knows nothing
        raise _unsound(path) from error


def _put_together(changes: Path, to: Path) -> Contents:
    """Make a database file of a copy that has only changes and of the one that it needs."""
    if not changes.is_file():
        raise NotSaved(f"there is no file {changes}")
    changes_file.assemble(changes, to)
    try:
        return verify_copy(to)
    except Damaged:
        raise _unsound(changes) from None


def _unused_name(path: Path) -> Path:
    names = [path, *(path.with_name(f"{path.name}.{number}") for number in range(2, 1000))]
    return next(name for name in names if not name.exists())


def _contents(
    copy: sqlite3.Connection,
    path: Path,
    examined: Callable[[sqlite3.Connection], None] = lambda _: None,
    *,
    quick: bool = False,
) -> Contents:
    version = examine_schema(copy, path, migrations())
    examined(copy)
    check = "quick_check" if quick else "integrity_check"
    if version == 0 or copy.execute(f"PRAGMA {check}(1)").fetchone()[0] != "ok":
        raise _unsound(path)
    if not quick and copy.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise _unsound(path)
    matches, live = copy.execute("SELECT count(*), coalesce(sum(live), 0) FROM matches").fetchone()
    (records,) = copy.execute("SELECT count(*) FROM records").fetchone()
    (packed_logs,) = copy.execute("SELECT count(*) FROM packed_logs").fetchone()
    return Contents(version, matches, live, records, packed_logs, path.stat().st_size)


def _unsound(path: Path) -> Damaged:
    return Damaged(f"{path} is not an intact Cardroom database")
