"""What answers the questions that computer players are asked."""

from __future__ import annotations

from typing import Final, Protocol

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
