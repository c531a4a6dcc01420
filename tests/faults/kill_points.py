"""A bot that can be told to die at a named step of a move, started by forking from a process with everything loaded.

`python -m tests.faults.kill_points` reads a line for each life: `{"log": path, "environ": {…}}`. It forks, the child
becomes the bot, and two lines come back: the child's process id, and when it has ended its exit code (negative: a
signal).

The step to die at stands in the file that `DIE_AT` names; without the file the bot lives.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

from bot.__main__ import main as become_the_bot
from bot.play.live_match import LiveMatch
from bot.play.match_press import MatchPress
from bot.store.rows import Record
from bot.store.sqlite.store import SqliteStore
from engines import GAMES

STEPS = ("judging", "judged", "written", "swapped", "answered")
"""About to judge, about to write down, written down, swapped but not answered, answered but not shown on the board."""

LASTING = frozenset(STEPS[2:])
"""The steps after which the move stands."""


class Death:
    """Who waits at the steps."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def at(self, step: str) -> None:
        """Die, if this is the step to die at."""
        if self._file.exists() and self._file.read_text("ascii") == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def attend(self) -> None:
        """Stand by at every step of a move by a person."""
        judged, append, answer, leave = LiveMatch._judged, SqliteStore.append, MatchPress.answer, MatchPress.leave

        def dying__judged(match: LiveMatch, actor: int | None, action: Any) -> Any:
            if actor is not None:
                self.at("judging")
            return judged(match, actor, action)

        async def dying_append(store: SqliteStore, record: Record, *others: Any) -> None:
            if record.actor is not None:
                self.at("judged")
            await append(store, record, *others)
            if record.actor is not None:
                self.at("written")

        async def dying_answer(press: MatchPress, *given: Any) -> None:
            await answer(press, *given)
            self.at("swapped")

        def dying_leave(press: MatchPress) -> None:
            if press._changed is not None:
                self.at("answered")
            leave(press)

        # Where the faults are put in; each dying method does what the one it stands for does.
        for owner, dying in (
            (LiveMatch, dying__judged),
            (SqliteStore, dying_append),
            (MatchPress, dying_answer),
            (MatchPress, dying_leave),
        ):
            setattr(owner, dying.__name__.removeprefix("dying_"), dying)


def live(log: str, environ: dict[str, str]) -> None:
    """Be the bot, in a forked child, and do not return."""
    code = 1
    try:
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        os.environ.update(environ)
        Death(Path(environ["DIE_AT"])).attend()
        code = become_the_bot()
    except BaseException:  # noqa: BLE001  whatever it is, it must not come back into the parent's loop
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def main() -> None:
    """One life after the other, until no more are asked for."""
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            live(asked["log"], asked["environ"])
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    for key in GAMES:
        importlib.import_module(f"cogs.games.{key}")
    main()
