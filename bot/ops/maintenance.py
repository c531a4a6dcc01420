"""The operators' commands: `backup`, `check-backup`, `restore`, `dump`, `load`, `rebuild-standings`.

Exit codes: 0 done · 1 the file given cannot be used · 73 the database cannot be used · 75 its server cannot be reached
· 78 wrong configuration.
Every failure is one line on standard error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from bot.ops import databases
from bot.private_files import create, sync, unfinished
from bot.settings import EXIT_DATABASE, Settings
from bot.store.dump_format import NotADumpError
from bot.store.errors import StoreError
from bot.store.queries import attendances, counting_again
from bot.store.sqlite import backup

EXIT_FILE: Final = 1


class _Failed(Exception):  # noqa: N818  an outcome, shown to the operator in one line
    """A command can't do its work. The text says why; `code` is the exit code."""

    def __init__(self, line: str, code: int) -> None:
        super().__init__(line)
        self.code = code


def run(command: str, settings: Settings, file: Path | None) -> int:
    """Run one of the `COMMANDS`, and return the exit code."""
    try:
        COMMANDS[command](settings, file)
    except _Failed as failed:
        print(f"cardroom: {failed}", file=sys.stderr)
        return failed.code
    return 0


def back_up(settings: Settings, file: Path | None) -> None:
    """Copy the database, even while the bot runs, to `file` or to a new file in the backups folder."""
    databases.only_sqlite(settings, "backup")
    to = file or settings.backups_dir / f"cardroom-{backup.timestamp()}.db"
    with _using(to, EXIT_FILE, EXIT_DATABASE):
        contents = backup.back_up(settings.database, to)
    print(f"backed up to {to}: {contents}")


def check_backup(settings: Settings, file: Path) -> None:
    """Open a backup, read it to the end, and print what it contains."""
    databases.only_sqlite(settings, "check-backup")
    with _using(file, EXIT_FILE, EXIT_FILE):
        contents = backup.verify_copy(file)
    print(f"{file} is sound: {contents}")


def restore(settings: Settings, file: Path) -> None:
    """Replace the database with a backup, and keep the old database beside it under another name."""
    databases.only_sqlite(settings, "restore")
    with _or_another(file), _using(file, EXIT_FILE, EXIT_FILE):
        backup.examine(file)
    with _using(settings.database, EXIT_DATABASE, EXIT_DATABASE):
        contents, kept = backup.restore(file, settings.database)
    print(f"restored {settings.database}: {contents}")
    if kept is not None:
        print(f"the old database is now {kept}")


def dump(settings: Settings, file: Path | None) -> None:
    """Write the whole database as JSON lines, even while the bot runs, to a new file or standard output."""
    with _using(file or Path("standard output"), EXIT_FILE):
        if file is None:
            sys.stdout.writelines(databases.dump_lines(settings))
            return
        if file.exists():
            raise FileExistsError(f"{file} already exists")
        new = unfinished(file)
        try:
            create(new)
            with new.open("w", encoding="ascii") as lines:
                lines.writelines(databases.dump_lines(settings))
            sync(new)
            new.replace(file)
        finally:
            new.unlink(missing_ok=True)
    print(f"dumped to {file}")


def load(settings: Settings, file: Path) -> None:
    """Fill the database from a dump, if there is none or an empty one."""
    with _using(file, EXIT_FILE):
        lines = file.open(encoding="utf-8")
    with lines, _using(settings.database):
        try:
            rows, kept = databases.load_dump(settings, lines)
        except NotADumpError as error:
            raise _Failed(f"{file}: {error}", EXIT_FILE) from None
    print(f"loaded {settings.database_name}: {rows} rows")
    if kept is not None:
        print(f"the old, empty database is now {kept}")


def rebuild_standings(settings: Settings, _file: None) -> None:
    """Recalculate all standings from the results while the bot is stopped, and correct those that differ. The same for
    how people attended their matches, from the logs."""
    with _using(settings.database), databases.alone(settings) as db:
        found = counting_again.rebuild(db)
    righted = f"{found.differing} differed and were corrected" if found.differing else "none differed"
    if found.differing_lines and not found.differing:
        righted += f"; {found.differing_lines} rows of leaderboards differed and were corrected"
    print(f"{found.standings} standings from {found.results} results; {righted}")
    from bot.play.reliability import rebuilt  # noqa: PLC0415  only this command needs the games

    with _using(settings.database), databases.alone(settings) as db:
        attended = attendances.rebuild(db, rebuilt)
    if attended:
        print(f"who stayed to the end differed in {attended} matches and was corrected")


COMMANDS: Final[dict[str, Callable[[Settings, Any], None]]] = {
    "backup": back_up,
    "check-backup": check_backup,
    "restore": restore,
    "dump": dump,
    "load": load,
    "rebuild-standings": rebuild_standings,
}
"""What each command calls, with the settings and its FILE, if there is one."""


@contextmanager
def _or_another(file: Path) -> Iterator[None]:
    """If a backup can't be used, name the newest other one that can."""
    try:
        yield
    except _Failed as failed:
        other = backup.another_sound(file)
        if other is None:
            raise
        raise _Failed(f"{failed}; {other} is sound", failed.code) from None


@contextmanager
def _using(path: Path, of_system: int = EXIT_DATABASE, of_store: int | None = None) -> Iterator[None]:
    """Raise _Failed for an error of the system or of the store, with `path` if the system's error does not name it.

    The exit codes are these two; without `of_store` it is the error's own.
    """
    try:
        yield
    except OSError as error:
        raise _Failed(f"{path}: {error.strerror}" if error.strerror else str(error), of_system) from None
    except StoreError as error:
        raise _Failed(str(error), databases.exit_code(error) if of_store is None else of_store) from None
