"""Answers the questions that computer players are asked: a `Thinker`, and those that answer at once, by rules of thumb.

These answer in the event loop: instead of a worker, and in tests and the simulator.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final, Protocol

from bot import logs
from bot.telemetry import NO_TELEMETRY, Telemetry
from engines.players.answering import any_legal_act, fallback
from engines.players.levels import LEVELS
from engines.players.question import Answer, Question

SPARE_SECONDS: Final = 1.0
"""An answer comes at least this long before its seat's deadline, if it was asked for earlier than that."""


class Thinker(Protocol):
    """Answers questions. `WorkerPool` does it in processes, and `RuleOfThumb` at once."""

    async def answer(self, question: Question, *, deadline_seconds: float | None) -> Answer:
        """An act that the rules accept.

        `deadline_seconds` is how long the seat has left, None without a clock. What goes wrong is logged here, and
        answered by a rule of thumb. Raises KeyError for a game or a level that doesn't exist. Once the thinker is
        closed, it raises CancelledError, also in calls that wait.
        """
        ...

    async def close(self) -> None:
        """Stop at once. Questions without an answer can be asked again at the next start."""
        ...


def doing(question: Question) -> str:
    """What the program does when it looks for an answer, for the log."""
    return f"a computer player of {question.game} ({question.level})"


def check_level(question: Question) -> None:
    """Raise KeyError for a game or a level that doesn't exist."""
    if question.level not in LEVELS[question.game]:
        raise KeyError(question.level)


class RuleOfThumb(Thinker):
    """Answers every question at once, whatever its level.

    Between two answers the event loop has a turn, so 200 questions at the same moment don't hold it up.
    """

    def __init__(self, telemetry: Telemetry = NO_TELEMETRY) -> None:
        self._telemetry = telemetry
        self._one_at_a_time = asyncio.Lock()
        self._closed = False

    async def answer(self, question: Question, *, deadline_seconds: float | None) -> Answer:  # noqa: ARG002  it needs no time
        check_level(question)
        async with self._one_at_a_time:
            await asyncio.sleep(0)
            if self._closed:
                raise asyncio.CancelledError
            try:
                return fallback(question)
            except Exception as error:  # noqa: BLE001  a broken player must not end a match
                logs.log_error(error, doing(question), self._telemetry)
                return any_legal_act(question)

    async def close(self) -> None:
        self._closed = True


class AnyLegalAct(Thinker):
    """Answers every question at once with the first legal act, without any player's code."""

    async def answer(self, question: Question, *, deadline_seconds: float | None) -> Answer:  # noqa: ARG002  it needs no time
        return any_legal_act(question)

    async def close(self) -> None:
        return


@dataclass(frozen=True, slots=True)
class HintRequest:
    """A question of which the best answers are wanted, and not one act."""

    question: Question
