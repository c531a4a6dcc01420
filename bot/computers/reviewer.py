"""Works out what decided a match, hints, and deals of the day: in a worker of their own, so that no move of a computer
waits for them."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final

from pydantic import TypeAdapter

from bot import logs
from bot.computers.thinker import HintRequest
from bot.computers.worker import MODULE, Failed, reply_of, request_of
from bot.telemetry import NO_TELEMETRY, Telemetry
from bot.workers.process import WorkerDied, WorkerProcess
from engines.players.deal_of_day import Choice, DayRequest
from engines.players.question import Question
from engines.players.review import Hint, Review, ReviewRequest

REVIEW_SECONDS: Final = 20.0
"""How long a review may take. On a quiet machine it needs 5 seconds at most; the budget is in rollouts."""
HINT_SECONDS: Final = 2.0
DAY_SECONDS: Final = 30.0
"""How long the choice of a deal of the day may take. On a quiet machine it needs 2 seconds at most."""
HANGS_AFTER: Final = 3.0
"""Seconds after that until a worker that hasn't replied is killed."""
MOST_WAITING: Final = 20
"""While more people wait, others are asked to try again later."""

_REVIEW: Final = TypeAdapter(Review)
_HINTS: Final = TypeAdapter(tuple[Hint, ...])
_CHOICE: Final = TypeAdapter(Choice)

_log = logging.getLogger(__name__)


class NotReviewed(Exception):  # noqa: N818  named for what it means
    """There is no answer now: too many people wait, or the worker failed. Another try may succeed."""


class Reviewer:
    """Works out reviews, hints and deals of the day in a process, which is started when it is first needed."""

    def __init__(self, telemetry: Telemetry = NO_TELEMETRY) -> None:
        self._telemetry = telemetry
        self._one_at_a_time = asyncio.Lock()
        self._waiting = 0
        self._worker: WorkerProcess | None = None

    async def review(self, request: ReviewRequest) -> Review:
        """What decided a match. Raises NotReviewed."""
        return _REVIEW.validate_python(await self._ask(request, REVIEW_SECONDS))

    async def hints(self, question: Question) -> tuple[Hint, ...]:
        """The best acts of a seat, by what it knows. Raises NotReviewed."""
        return _HINTS.validate_python(await self._ask(HintRequest(question), HINT_SECONDS))

    async def choose(self, request: DayRequest) -> Choice:
        """The deal of a day. Raises NotReviewed."""
        return _CHOICE.validate_python(await self._ask(request, DAY_SECONDS))

    async def close(self) -> None:
        """Stop at once."""
        if self._worker is not None:
            self._worker.kill()
            await self._worker.close()

    async def _ask(self, asked: ReviewRequest | HintRequest | DayRequest, seconds: float) -> Any:
        if self._waiting >= MOST_WAITING:
            raise NotReviewed
        self._waiting += 1
        try:
            async with self._one_at_a_time:
                return await self._answered(asked, seconds)
        finally:
            self._waiting -= 1

    async def _answered(self, asked: ReviewRequest | HintRequest | DayRequest, seconds: float) -> Any:
        """What the worker replies. One that fails or hangs is ended, and the next question starts another."""
        replied = False
        try:
            if self._worker is None or self._worker.ended:
                self._worker = await WorkerProcess.start(MODULE)
            async with asyncio.timeout(seconds + HANGS_AFTER):
                reply = reply_of(await self._worker.ask(request_of(asked, seconds)))
            replied = True
        except (WorkerDied, TimeoutError, OSError) as error:
            _log.warning("the worker for reviews failed (%s)", type(error).__name__)
            self._telemetry.worker_died()
            raise NotReviewed from None
        finally:
            if not replied:
                await self._end()
        if isinstance(reply, Failed):
            logs.log_failure(reply.error, reply.path, "a review", self._telemetry)
            raise NotReviewed
        return reply.found

    async def _end(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            await self._worker.close()
            self._worker = None
