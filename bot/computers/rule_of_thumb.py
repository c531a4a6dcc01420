"""Answers by rules of thumb, in the event loop: instead of a worker's answer, and in tests and the simulator."""

from __future__ import annotations

import asyncio

from bot import logs
from bot.computers.thinker import Thinker
from bot.telemetry import NO_TELEMETRY, Telemetry
from engines.players.answering import any_legal_act, fallback
from engines.players.levels import LEVELS
from engines.players.question import Answer, Question


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
