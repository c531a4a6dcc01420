"""Every ruling has a test that bears its number, and every ruling that code cites is written down."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULINGS = ROOT / "docs" / "rulings"
ENGINES = ROOT / "engines"

NUMBERED = re.compile(r"^- \*\*([A-Z]-\d+[a-z]?)\b", re.MULTILINE)
CITED = re.compile(r"\b([A-Z]-\d+[a-z]?)\b")


def numbered(page: Path) -> list[str]:
    """The numbers of the rulings on a page, in its order."""
    return NUMBERED.findall(page.read_text(encoding="utf-8"))


def documented() -> list[str]:
    """The numbers of all rulings."""
    return [number for page in sorted(RULINGS.glob("*.md")) for number in numbered(page)]


def names_of_tests() -> Iterator[str]:
    """The names of all test functions, in lower case."""
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield node.name.lower()


def untested(rulings: list[str], tests: list[str]) -> list[str]:
    """The rulings whose number stands in no test's name, as in ``test_H_9_…`` for H-9."""
    return [number for number in rulings if not any(f"_{number.lower().replace('-', '_')}_" in test for test in tests)]


def test_every_ruling_has_a_test_that_bears_its_number() -> None:
    assert untested(documented(), list(names_of_tests())) == []


def test_a_ruling_without_a_test_is_found() -> None:
    assert untested(["H-1", "H-12", "T-7a"], ["test_h_12_cards", "test_h_1"]) == ["H-1", "T-7a"]


def test_no_number_is_given_twice() -> None:
    numbers = documented()
    assert len(numbers) == len(set(numbers))
    assert {"C-1", "C-7", "H-1", "H-12"} <= set(numbers)


@pytest.mark.parametrize("file", sorted(ENGINES.rglob("*.py")), ids=lambda file: file.relative_to(ENGINES).as_posix())
def test_every_ruling_that_an_engine_cites_is_written_down(file: Path) -> None:
    cited = set(CITED.findall(file.read_text(encoding="utf-8")))
    assert cited - set(documented()) == set()
