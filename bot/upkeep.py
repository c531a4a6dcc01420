"""The commands of those who run a bot: `cardroom backup`, `check-backup` and `restore`.

Exit codes: 0 done · 1 the file given cannot be used · 73 the database cannot be used · 78 wrong configuration.
Every failure is one line on standard error.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from bot.settings import Settings
from bot.store import backup
from bot.store.base import StoreError

EXIT_FILE: Final = 1
EXIT_DATABASE: Final = 73
"""sysexits.h: EX_CANTCREAT; the same as the bot's own for a database it cannot use."""


def back_up(settings: Settings, file: Path | None) -> int:
    """Copy the database, also while the bot runs, to `file` or to a new one in the folder of backups."""
    to = file or settings.backups_dir / f"cardroom-{backup.stamp()}.db"
    try:
        contents = backup.back_up(settings.database, to)
    except OSError as error:
        return _fail(error, to, EXIT_FILE)
    except StoreError as error:
        return _fail(error, to, EXIT_DATABASE)
    print(f"backed up to {to}: {contents}")
    return 0


def check_backup(_settings: Settings, file: Path) -> int:
    """Open a backup, read it through, and tell what it holds."""
    try:
        contents = backup.examine(file)
    except (OSError, StoreError) as error:
        return _fail(error, file, EXIT_FILE)
    print(f"{file} is sound: {contents}")
    return 0


def restore(settings: Settings, file: Path) -> int:
    """Put a backup in the database's place; the former database stays beside it under another name."""
    try:
        backup.examine(file)
    except (OSError, StoreError) as error:
        return _fail(error, file, EXIT_FILE)
    try:
        contents, kept = backup.restore(file, settings.database)
    except (OSError, StoreError) as error:
        return _fail(error, settings.database, EXIT_DATABASE)
    print(f"restored {settings.database}: {contents}")
    if kept is not None:
        print(f"the former database is now {kept}")
    return 0


def _fail(error: OSError | StoreError, path: Path, code: int) -> int:
    """Tell in one line what went wrong, with `path` where the system's error alone would not say; the exit code."""
    line = f"{path}: {error.strerror}" if isinstance(error, OSError) and error.strerror else str(error)
    print(f"cardroom: {line}", file=sys.stderr)
    return code
