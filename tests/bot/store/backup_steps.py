"""A backup whose process is killed, or whose disk fills up, at one of its steps.

As a program it backs up the database of a folder, first whole and then what changed, and is killed before a step:
``python -m tests.bot.store.backup_steps FOLDER STEP``. It exits with 0 if there are not so many steps.
"""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest import mock

from bot.ops.backups import Backups
from bot.store.sqlite import changes_file, page_copies
from bot.store.sqlite.store import SqliteStore
from bot.telemetry import NO_TELEMETRY
from tests.bot.store.open_stores import closed_after

STEPS: Final[tuple[tuple[Any, str], ...]] = (
    (page_copies, "create"),
    (page_copies, "sync"),
    (page_copies, "needs_no_journal"),
    (page_copies, "verify_copy"),
    (changes_file, "create"),
    (changes_file, "sync"),
    (getattr(page_copies, "_WholeFile"), "write"),  # noqa: B009  what is private is a step, too
    (getattr(page_copies, "_WholeFile"), "finish"),  # noqa: B009
    (changes_file.ChangesFile, "write"),
    (changes_file.ChangesFile, "finish"),
    (Path, "replace"),
    (Path, "unlink"),
)
"""What is done to files, by where it is looked up."""


@contextmanager
def before_step(number: int, happens: Callable[[], None]) -> Iterator[list[int]]:
    """Have something happen before a step, counted from 1. Gives a list whose only item is the steps so far."""
    done = [0]

    def counted(step: Callable[..., Any]) -> Callable[..., Any]:
        def count(*arguments: Any, **named: Any) -> Any:
            done[0] += 1
            if done[0] == number:
                happens()
            return step(*arguments, **named)

        return count

    with ExitStack() as stack:
        for where, name in STEPS:
            stack.enter_context(mock.patch.object(where, name, counted(getattr(where, name))))
        yield done


async def back_up(folder: Path, step: int, happens: Callable[[], None]) -> tuple[bool, bool]:
    """Back up twice, the second time what changed; whether something happened, and whether the last one was made."""
    async with closed_after(SqliteStore.open(folder / "cardroom.db", now=lambda: 1500)) as store:
        backups = Backups(store.copies, folder / "backups", NO_TELEMETRY)
        with before_step(step, happens) as done:
            await backups.back_up()
            await store.set_metadata("between", "two backups")
            made = await backups.back_up()
    return done[0] >= step, made is not None


if __name__ == "__main__":
    kill = functools.partial(os.kill, os.getpid(), signal.SIGKILL)
    asyncio.run(back_up(Path(sys.argv[1]), int(sys.argv[2]), kill))
