"""The operators' commands: `backup`, `check-backup`, `restore`, `dump`, `load`, `rebuild-standings`.

Exit codes: 0 done · 1 the file given cannot be used · 73 the database cannot be used · 75 its server cannot be reached
· 78 wrong configuration.
Every failure is one line on standard error.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from bot.ops import databases
from bot.ops.databases import EXIT_DATABASE, exit_code
from bot.private_files import create, sync, unfinished
from bot.settings import Settings
from bot.store.dump_format import NotADumpError
from bot.store.errors import StoreError
from bot.store.sqlite import backup

EXIT_FILE: Final = 1


def back_up(settings: Settings, file: Path | None) -> int:
    """Copy the database, even while the bot runs, to `file` or to a new file in the backups folder."""
    databases.only_sqlite(settings, "backup")
    to = file or settings.backups_dir / f"cardroom-{backup.timestamp()}.db"
    try:
        contents = backup.back_up(settings.database, to)
    except OSError as error:
        return _fail(error, to, EXIT_FILE)
    except StoreError as error:
        return _fail(error, to, EXIT_DATABASE)
    print(f"backed up to {to}: {contents}")
    return 0


def check_backup(settings: Settings, file: Path) -> int:
    """Open a backup, read it to the end, and print what it contains."""
    databases.only_sqlite(settings, "check-backup")
    try:
        contents = backup.verify_copy(file)
    except (OSError, StoreError) as error:
        return _fail(error, file, EXIT_FILE)
    print(f"{file} is sound: {contents}")
    return 0


def restore(settings: Settings, file: Path) -> int:
    """Replace the database with a backup, and keep the old database beside it under another name."""
    databases.only_sqlite(settings, "restore")
    try:
        backup.verify_copy(file)
    except (OSError, StoreError) as error:
        return _fail(error, file, EXIT_FILE)
    try:
        contents, kept = backup.restore(file, settings.database)
    except (OSError, StoreError) as error:
        return _fail(error, settings.database, EXIT_DATABASE)
    print(f"restored {settings.database}: {contents}")
    if kept is not None:
        print(f"the old database is now {kept}")
    return 0


def dump(settings: Settings, file: Path | None) -> int:
    """Write the whole database as JSON lines, even while the bot runs, to a new file or standard output."""
    try:
        if file is None:
            sys.stdout.writelines(databases.dump_lines(settings))
            return 0
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
    except OSError as error:
        return _fail(error, file or Path("standard output"), EXIT_FILE)
    except StoreError as error:
        return _fail(error, settings.database, exit_code(error))
    print(f"dumped to {file}")
    return 0


def load(settings: Settings, file: Path) -> int:
    """Fill the database from a dump, if there is none or an empty one."""
    try:
        lines = file.open(encoding="utf-8")
    except OSError as error:
        return _fail(error, file, EXIT_FILE)
    with lines:
        try:
            rows, kept = databases.load_dump(settings, lines)
        except NotADumpError as error:
            return _fail(f"{file}: {error}", file, EXIT_FILE)
        except (OSError, StoreError) as error:
            return _fail(error, settings.database, _code(error))
    print(f"loaded {settings.database_name}: {rows} rows")
    if kept is not None:
        print(f"the old, empty database is now {kept}")
    return 0


def rebuild_standings(settings: Settings, _file: None) -> int:
    """Recalculate all standings from the results while the bot is stopped, and correct those that differ. The same for
    how people attended their matches, from the logs."""
    try:
        found = databases.rebuild_standings(settings)
    except (OSError, StoreError) as error:
        return _fail(error, settings.database, _code(error))
    righted = f"{len(found.differing)} differed and were corrected" if found.differing else "none differed"
    if found.boards.differences and not found.differing:
        righted += f"; {found.boards.differences} rows of leaderboards differed and were corrected"
    print(f"{len(found.rows)} standings from {found.results} results; {righted}")
    from bot.play.reliability import rebuilt  # noqa: PLC0415  only this command needs the games

    try:
        attended = databases.rebuild_attendances(settings, rebuilt)
    except (OSError, StoreError) as error:
        return _fail(error, settings.database, _code(error))
    if attended:
        print(f"who stayed to the end differed in {attended} matches and was corrected")
    return 0


def _code(error: OSError | StoreError) -> int:
    return exit_code(error) if isinstance(error, StoreError) else EXIT_DATABASE


def _fail(error: OSError | StoreError | str, path: Path, code: int) -> int:
    """Print one line that says what went wrong, with `path` if the system's error does not name it. Returns the exit
    code."""
    line = f"{path}: {error.strerror}" if isinstance(error, OSError) and error.strerror else str(error)
    print(f"cardroom: {line}", file=sys.stderr)
    return code
