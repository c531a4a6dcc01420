"""How many bad inputs are drawn: all in `.ci/run`, and fewer where the laws play fewer matches."""

from __future__ import annotations

from laws.suite import SHARE


def share(examples: int) -> int:
    """The part of so many examples that is tried: a third at least. Each run draws others."""
    return max(examples // 3, min(examples, round(examples * SHARE)))
