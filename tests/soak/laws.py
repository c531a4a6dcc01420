"""What holds of every match when it is over, however it was played."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator
from logging import WARNING, Handler, LogRecord, getLogger

from bot.play.deals import proof
from bot.play.live_match import LiveMatch
from bot.play.match_state import codec
from bot.store.queries import counting_again
from engines import GAMES
from engines.game import fold
from tests.end_to_end.cardroom import Cardroom
from tests.soak.report import Load

WORKER = "WorkerPool._work"
"""The task that keeps a worker, from the first question on until the bot ends."""


class Complaints(Handler):
    """Everything the bot logs at WARNING or above."""

    def __init__(self, load: Load) -> None:
        super().__init__(WARNING)
        self._load = load

    def emit(self, record: LogRecord) -> None:
        """Note it, without what differs from match to match."""
        self._load.faults[f"logged {record.levelname} by {record.name}: {record.msg}"] += 1


@contextlib.contextmanager
def listening(load: Load) -> Iterator[None]:
    """Every complaint that is logged within the block is a fault."""
    handler = Complaints(load)
    getLogger().addHandler(handler)
    try:
        yield
    finally:
        getLogger().removeHandler(handler)


async def check_matches(room: Cardroom, matches: Iterable[LiveMatch], load: Load) -> None:
    """Each is over; its log makes its state, and follows from its deal and its acts; no press was applied twice."""
    for match in matches:
        name = match.game.info.key
        load.expect(match.over, f"{name}: not over")
        row = await room.store.match(match.id)
        records = await room.store.records(match.id)
        if row is None:
            load.faults[f"{name}: not in the store"] += 1
            continue
        try:
            proof.check(row, records)
        except proof.DoesNotFollow:
            load.faults[f"{name}: its log does not follow from its acts"] += 1
        game, written = GAMES[row.game], codec(row.game)
        state = game.start(written.decode(row.options), len(row.seats))
        for record in records:
            state = fold(game, state, written.decode_all(record.events))
        load.expect(state == match.position.state, f"{name}: its log folds to another state")
        load.expect([record.seq for record in records] == list(range(len(records))), f"{name}: a gap in the log")
        presses = [record.interaction_id for record in records if record.interaction_id is not None]
        load.expect(len(presses) == len(set(presses)), f"{name}: a press was applied twice")
        load.expect(await room.store.result(match.id) == match.result, f"{name}: another result is in the store")


async def check_standings(room: Cardroom, load: Load) -> None:
    """The standings are what the counted results make, in their order, and so are the leaderboards."""
    found = await room.store.database.read(counting_again.recount)
    load.expect(not found.differing, "standings that do not follow from the results")
    load.expect(not found.differing_lines, "leaderboards that do not follow from the results")


async def check_nothing_left(room: Cardroom, tasks_before: Counter[str], load: Load) -> None:
    """A finished match keeps no task, lock, view or token: all that was played is over."""
    app = room.app
    updates = app.updates
    gone = {
        "live match": not len(app.matches),
        "deadline, act of the clock or press": app.clock.idle,
        "invitation or its deadline": app.invitations.idle,
        "hand's token": not len(updates.open_hands),
        "awaited player or mention": updates.notices.idle,
        "player to be warned": updates.time_warnings.idle,
        "board": updates.board_updater.idle,
        "edit": updates.edit_queue.idle,
        "posting": updates.postings.idle,
    }
    for what, is_gone in gone.items():
        load.expect(is_gone, f"{what} left behind")
    for what, rows in (("timer", await room.store.all_timers()), ("mention", await room.store.notices())):
        load.expect(not rows, f"{what} left behind in the store")
    surplus = tasks() - tasks_before
    surplus.pop(WORKER, None)
    load.expect(not surplus, f"tasks left behind: {', '.join(sorted(surplus))}")


def tasks() -> Counter[str]:
    """The tasks that run, by what they do, but for those that serve the sandbox's connections."""
    found: Counter[str] = Counter()
    for task in asyncio.all_tasks():
        coroutine = task.get_coro()
        code = getattr(coroutine, "cr_code", None)
        if code is not None and "aiohttp" not in code.co_filename:
            found[code.co_qualname] += 1
    return found
