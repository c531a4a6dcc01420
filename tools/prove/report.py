"""The table that `python -m tools.prove` prints: no ids, no names, no tokens, no content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["ok", "differs", "not measured"]


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the table. `expected` is what the bot and the sandbox assume."""

    name: str
    result: str
    expected: str
    verdict: Verdict


def measured(name: str, result: str, expected: str, *, as_expected: bool) -> Measure:
    """A line for something that was measured."""
    return Measure(name, result, expected, "ok" if as_expected else "differs")


def not_measured(name: str, why: str) -> Measure:
    """A line for something that could not be measured here."""
    return Measure(name, why, "-", "not measured")


def table(measures: Iterable[Measure]) -> Iterator[str]:
    """The lines of the table, in Markdown, so that it can be pasted into an issue."""
    yield "| measure | result | expected | verdict |"
    yield "|---|---|---|---|"
    for each in measures:
        yield f"| {each.name} | {each.result} | {each.expected} | {each.verdict} |"
