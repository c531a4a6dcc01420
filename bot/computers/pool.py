"""Worker processes that answer questions, each with a task here that hands it one question after the other.

Nobody should wait longer than people expect a computer to think. So when more questions wait, each gets less time:
thinking is cut short first.

Workers are started when a question first needs them. A worker that dies is started again, and its question is asked
again: an answer depends on the question alone. A question for which workers die again and again, one that no worker
answers in time, and one for which a player fails get an answer here, by a rule of thumb.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from bot import logs
from bot.computers.thinker import SPARE_SECONDS, RuleOfThumb, Thinker, check_level, doing
from bot.computers.worker import MODULE, Failed, reply_of, request_of
from bot.games import installed
from bot.telemetry import NO_TELEMETRY, Telemetry
from bot.workers.process import WorkerDied, WorkerProcess
from engines.players.question import Answer, Question

ANSWERED_WITHIN: Final = 2.0
"""The seconds within which questions should be answered. Players pretend to think for about as long anyway
(`engines.players.question`)."""

SHORTEST: Final = 0.005
"""A shorter time to think is of no use: it is over before a search has begun."""
LONGEST_WAIT: Final = 5.0
"""Seconds after which no question waits for a worker any longer, even with an hour on the clock."""
MOST_WAITING: Final = 500
"""While more questions wait, new ones get an answer at once, by a rule of thumb."""
MOST_DEATHS: Final = 3
"""After this number of workers have died while they thought about a question, it isn't asked again."""
HANGS_AFTER: Final = 3.0
"""Seconds after the end of its time to think until a worker that hasn't replied is killed."""
FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 60.0
"""Seconds between two attempts to start a worker, while none starts: the first, then twice as long each time."""

NoAnswer: TypeAlias = Literal["busy", "error", "late", "worker"]
"""Why no worker gave the answer: too many questions wait, the player failed, the time was over, or no worker was
there or survived. These words are labels of a metric, so they never change."""

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class PendingQuestion:
    """A question that waits or is being thought about."""

    question: Question
    due: float
    """When it should be answered, by the loop's time."""
    reply: asyncio.Future[Answer | NoAnswer]
    deaths: int = 0
    """How many workers have died while they thought about it."""

    def settle(self, reply: Answer | NoAnswer) -> None:
        """Reply, unless nobody waits for it any more."""
        if not self.reply.done():
            self.reply.set_result(reply)


class Line:
    """Questions are taken in the order in which they were asked. All calls must come from one event loop."""

    def __init__(self) -> None:
        self._waiting: deque[PendingQuestion] = deque()
        self._arrived = asyncio.Event()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, asked: PendingQuestion) -> None:
        """The question waits behind all others."""
        self._waiting.append(asked)
        self._arrived.set()

    def put_back(self, asked: PendingQuestion) -> None:
        """The question waits again, ahead of all others."""
        self._waiting.appendleft(asked)
        self._arrived.set()

    def remove(self, asked: PendingQuestion) -> None:
        """The question waits no longer; nothing if it didn't."""
        if asked in self._waiting:
            self._waiting.remove(asked)

    async def wait(self) -> None:
        """Return once a question waits."""
        while not self._waiting:
            self._arrived.clear()
            await self._arrived.wait()

    def take(self, now: float, workers: int) -> tuple[PendingQuestion, float] | None:
        """The next question and the seconds to think about it; None if none waits."""
        if not self._waiting:
            return None
        seconds = time_to_think((asked.due for asked in self._waiting), now, workers)
        return self._waiting.popleft(), seconds


def time_to_think(due: Iterable[float], now: float, workers: int) -> float:
    """The seconds for the first of these questions, so that all can have as many and none is late.

    0 if that is too short to think at all.
    """
    seconds = min((moment - now) * min(1.0, workers / nth) for nth, moment in enumerate(due, 1))
    return seconds if seconds >= SHORTEST else 0.0


class WorkerPool(Thinker):
    """Up to a number of workers."""

    def __init__(self, workers: int, telemetry: Telemetry = NO_TELEMETRY) -> None:
        self._workers = workers
        self._telemetry = telemetry
        self._line = Line()
        self._rule_of_thumb = RuleOfThumb(telemetry)
        self._asked: set[PendingQuestion] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._running: dict[int, WorkerProcess] = {}
        self._idle = 0
        self._failing = 0
        self._closed = False

    @property
    def processes(self) -> tuple[int, ...]:
        """The process ids of the workers that are ready."""
        return tuple(process for process, worker in self._running.items() if not worker.ended)

    async def answer(self, question: Question, *, deadline_seconds: float | None) -> Answer:
        check_level(question)
        if self._closed:
            raise asyncio.CancelledError
        if installed(question.game):  # no worker knows the game, and its player has a rule of thumb alone
            return await self._rule_of_thumb.answer(question, deadline_seconds=None)
        reply = await self._ask(question, math.inf if deadline_seconds is None else deadline_seconds)
        if isinstance(reply, Answer):
            return reply
        self._telemetry.computer_fell_back(reply)
        return await self._rule_of_thumb.answer(question, deadline_seconds=None)

    async def close(self) -> None:
        self._closed = True
        for asked in self._asked:
            asked.reply.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._rule_of_thumb.close()

    # ------------------------------------------------------------------------------------ questions

    async def _ask(self, question: Question, deadline_seconds: float) -> Answer | NoAnswer:
        """What a worker answers in time, or why none did."""
        patience = min(LONGEST_WAIT, deadline_seconds - SPARE_SECONDS)
        if patience <= 0:
            return "late"
        if len(self._line) >= MOST_WAITING:
            return "busy"
        if self._failing == self._workers:
            return "worker"
        loop = asyncio.get_running_loop()
        begun = loop.time()
        asked = PendingQuestion(question, begun + min(ANSWERED_WITHIN, patience / 2), loop.create_future())
        self._asked.add(asked)
        self._line.add(asked)
        self._have_a_worker()
        try:
            async with asyncio.timeout_at(begun + patience):
                reply = await asked.reply
        except TimeoutError:
            return "late"
        finally:
            self._asked.discard(asked)
            self._line.remove(asked)
        if isinstance(reply, Answer):
            self._telemetry.computer_answered(loop.time() - begun)
        return reply

    def _have_a_worker(self) -> None:
        """See to it that somebody takes the question that has just been added: one more worker if none is free."""
        if len(self._line) > self._idle and len(self._tasks) < self._workers:
            self._tasks.append(asyncio.create_task(self._work()))

    # ------------------------------------------------------------------------------------ workers

    async def _work(self) -> None:
        """Keep one worker at work until cancelled."""
        worker: WorkerProcess | None = None
        try:
            while True:
                await self._until_one_waits()
                if worker is not None and worker.ended:
                    await self._died(worker)
                    worker = None
                if worker is None:
                    worker = await self._started()
                taken = self._line.take(asyncio.get_running_loop().time(), self._workers)
                if taken is not None and not await self._answered(worker, *taken):
                    await self._end(worker)
                    worker = None
        finally:
            if worker is not None:
                await self._end(worker)

    async def _until_one_waits(self) -> None:
        self._idle += 1
        try:
            await self._line.wait()
        finally:
            self._idle -= 1

    async def _started(self) -> WorkerProcess:
        """A worker that is ready, sooner or later."""
        worker = await self._start()
        if worker is None:
            self._failing += 1
            try:
                worker = await self._start_again_and_again()
            finally:
                self._failing -= 1
        self._running[worker.pid] = worker
        return worker

    async def _start_again_and_again(self) -> WorkerProcess:
        pause = FIRST_PAUSE
        while True:
            await asyncio.sleep(pause)
            worker = await self._start()
            if worker is not None:
                return worker
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _start(self) -> WorkerProcess | None:
        try:
            return await WorkerProcess.start(MODULE)
        except (WorkerDied, OSError) as error:
            _log.warning("no worker for computer players starts (%s): trying again", type(error).__name__)
            self._telemetry.worker_died()
            return None

    async def _died(self, worker: WorkerProcess) -> None:
        await self._end(worker)
        _log.warning("a worker for computer players died (%s)", worker.ending)
        self._telemetry.worker_died()

    async def _end(self, worker: WorkerProcess) -> None:
        self._running.pop(worker.pid, None)
        await worker.close()

    async def _answered(self, worker: WorkerProcess, asked: PendingQuestion, seconds: float) -> bool:
        """Have a worker answer a question. Whether the worker can answer more."""
        try:
            async with asyncio.timeout(seconds + HANGS_AFTER):
                reply = reply_of(await worker.ask(request_of(asked.question, seconds)))
        except WorkerDied:
            await self._died(worker)
            self._ask_again(asked)
            return False
        except TimeoutError:
            worker.kill()
            _log.warning("a worker for computer players hung over %s and was killed", doing(asked.question))
            self._telemetry.worker_died()
            asked.settle("worker")
            return False
        except Exception as error:  # noqa: BLE001  a question that can't be sent must not end this task
            logs.log_error(error, doing(asked.question), self._telemetry)
            asked.settle("error")
            return False
        if isinstance(reply, Failed):
            logs.log_failure(reply.error, reply.path, doing(asked.question), self._telemetry)
            asked.settle("error")
            return True
        if reply.cut_short:
            self._telemetry.computer_cut_short()
        asked.settle(Answer(**reply.found))
        return True

    def _ask_again(self, asked: PendingQuestion) -> None:
        asked.deaths += 1
        if asked.deaths >= MOST_DEATHS:
            asked.settle("worker")
        elif not asked.reply.done():
            self._line.put_back(asked)
