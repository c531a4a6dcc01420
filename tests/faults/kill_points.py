"""A bot that is killed at a named step of a move or of a post: `python -m tests.faults.kill_points`.

The file that `KILL_AT` names holds the step, or `freeze` and the step, which stops the process there instead (SIGSTOP),
once. Without the file nothing happens.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.__main__ import main as become_the_bot
from bot.games import GAMES
from bot.play.match_press import MatchPress
from bot.store.queries.matches import Record
from bot.store.sqlite.database import TRIES
from bot.store.sqlite.store import SqliteStore
from bot.store.store import Store
from cogs.tournaments.queries import TournamentQueries
from engines.game import Resign
from tests.failing_sync import fail_flushes
from tests.faults import waits

STEPS = ("judging", "judged", "written", "swapped", "answered")
"""About to judge, about to write down, written down, swapped but not answered, answered but not shown on the board."""

POSTS = ("board posted", "mention posted", "invitation posted")
"""A message was posted, and is about to be recorded."""

OPENED = "opened"
"""A match was saved as begun, and nobody has been answered."""

BEGINNING = ("round begun", "match begun")
"""A round of a tournament was saved, and a match of it."""

ROUNDS = (*BEGINNING, "result heard", "pairing ended", "round ended")
"""These, and that what a match gave was saved, that its pairing is over, and its round."""

LASTING = frozenset(STEPS[2:])
"""The steps after which the move stands."""


UNFLUSHED = {"unflushed": 1, "never flushed": TRIES + 1}
"""Steps at which nothing is killed, but the flush of the move's commit fails, alone or with those that follow."""


class KillPoints:
    """Kills or freezes the process at the step that a file names."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def at(self, step: str) -> None:
        """Kill or freeze this process, if the file names this step."""
        wanted = self._step()
        if wanted == step:
            os.kill(os.getpid(), signal.SIGKILL)
        if wanted == f"freeze {step}":
            self._file.unlink()
            os.kill(os.getpid(), signal.SIGSTOP)

    async def fail_flushes(self, store: Store) -> None:
        """Have the flushes of the next commit fail, if the file asks for that; once."""
        times = UNFLUSHED.get(self._step(), 0)
        if times and isinstance(store, SqliteStore):
            self._file.unlink()
            await store.database.read(lambda db: fail_flushes(db, times))

    def _step(self) -> str:
        return self._file.read_text("ascii") if self._file.exists() else ""

    def install(self) -> None:
        """Patch the methods that a person's move goes through, so that each step is reported to `at`."""
        append, answer, leave = Store.append, MatchPress.answer, MatchPress.leave
        open_match = Store.open_match
        set_board, add_notice = Store.set_board, Store.add_notice
        set_invitation_message = Store.set_invitation_message

        def patched_decide(decide: Callable[..., Any]) -> Callable[..., Any]:
            def patched(state: Any, actor: int | None, *given: Any) -> Any:
                if actor is not None and not isinstance(given[0], Resign):  # that is asked of every hand, too
                    self.at("judging")
                return decide(state, actor, *given)

            return patched

        async def patched_append(store: Store, record: Record, *others: Any) -> Any:
            if record.actor is not None:
                self.at("judged")
                await self.fail_flushes(store)
            effects = await append(store, record, *others)
            if record.actor is not None:
                self.at("written")
            return effects

        async def patched_answer(press: MatchPress, *given: Any) -> None:
            await answer(press, *given)
            self.at("swapped")

        async def patched_open_match(store: Store, *given: Any, **more: Any) -> None:
            await open_match(store, *given, **more)
            self.at(OPENED)

        async def patched_set_board(store: Store, *given: Any) -> None:
            self.at("board posted")
            await set_board(store, *given)

        async def patched_add_notice(store: Store, *given: Any) -> None:
            self.at("mention posted")
            await add_notice(store, *given)

        async def patched_set_invitation_message(store: Store, *given: Any) -> None:
            self.at("invitation posted")
            await set_invitation_message(store, *given)

        def patched_leave(press: MatchPress) -> None:
            if press.changed is not None:
                self.at("answered")
            leave(press)

        def patched_saving(save: Callable[..., Any], step: str) -> Callable[..., Any]:
            async def patched(*given: Any, **more: Any) -> None:
                await save(*given, **more)
                self.at(step)

            return patched

        saves = ("begin_round", "begin_leg", "end_leg", "end_pairing", "end_round")
        # Each patched method does what the original does.
        patched: tuple[tuple[object, str, Callable[..., Any]], ...] = (
            *((game, "decide", patched_decide(game.decide)) for game in GAMES.values()),
            *(
                (TournamentQueries, name, patched_saving(getattr(TournamentQueries, name), step))
                for name, step in zip(saves, ROUNDS, strict=True)
            ),
            (Store, "append", patched_append),
            (Store, "open_match", patched_open_match),
            (Store, "set_board", patched_set_board),
            (Store, "add_notice", patched_add_notice),
            (Store, "set_invitation_message", patched_set_invitation_message),
            (MatchPress, "answer", patched_answer),
            (MatchPress, "leave", patched_leave),
        )
        for owner, name, method in patched:
            setattr(owner, name, method)


if __name__ == "__main__":
    waits.shorten()
    KillPoints(Path(os.environ["KILL_AT"])).install()
    sys.exit(become_the_bot())
