"""Questions of random matches for tests of what answers them."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from engines.players.levels import LEVELS
from engines.players.question import Answer, Question
from laws.players import Position, positions
from tests.games.cases import case_of

LONG = 4_000
"""Rollouts that take longer than any question is thought about."""


@cache
def some_positions(game: str, count: int) -> tuple[Position, ...]:
    """Positions of a game, the same ones each time."""
    return tuple(positions(case_of(game), count))


def some_questions(game: str, level: str, count: int) -> list[Question]:
    """Questions of a level with its own budget."""
    return [position.question(level, LEVELS[game][level].rollouts) for position in some_positions(game, count)]


def accepted(position: Position, found: Answer) -> bool:
    """Whether the rules accept an answer; IllegalAction is raised if they don't."""
    position.accepts(position.log.deal.game.read(found.act))
    return True


@cache
def long_position() -> Position:
    """A position of CIQ in which *hard* has many acts to try."""
    return max(some_positions("ciq", 10), key=lambda position: len(position.player.candidates(position.situation())))


def long_question(rollouts: int = LONG) -> Question:
    """A question that a worker thinks about for seconds, until its time is over."""
    return long_position().question("hard", rollouts)


def broken(question: Question) -> Question:
    """The same question, but so that every player fails over it."""
    nothing: Any = None
    return replace(question, view=nothing)


def gone(process: int) -> bool:
    """Whether a process has ended. An orphan may stay in the system's table until somebody asks how it ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    try:
        state = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"
