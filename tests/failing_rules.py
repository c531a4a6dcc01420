"""Rules that raise an exception in one match, and methods that do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.play.live_match import LiveMatch


def fail_rules(monkeypatch: pytest.MonkeyPatch, match: LiveMatch, error: Exception) -> None:
    """Have the rules raise `error` at every act in the match's present state, and in no other match."""
    failing, decide = match.position.state, match.game.decide

    def raising(state: Any, *given: Any) -> Any:
        if state is failing:
            raise error
        return decide(state, *given)

    monkeypatch.setattr(match.game, "decide", raising)


def raising(error: Exception) -> Callable[..., Awaitable[Any]]:
    """What takes a method's place that fails."""

    async def failing(*_: object) -> None:
        raise error

    return failing
