"""A request for a hint, as it is sent to the worker process that works out the best answers.

It isn't in `worker.py`, because a worker runs that file as `__main__`: there its classes are others than those that are
unpickled.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.players.question import Question


@dataclass(frozen=True, slots=True)
class HintRequest:
    """A question of which the best answers are wanted, and not one act."""

    question: Question
