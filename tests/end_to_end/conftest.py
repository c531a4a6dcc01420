"""What holds for every journey."""

from __future__ import annotations

import pytest

from bot.play.computers import seats


@pytest.fixture(autouse=True)
def quick_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers don't wait before they act."""
    monkeypatch.setattr(seats, "thinking_seconds", lambda _size, _luck: 0.0)
