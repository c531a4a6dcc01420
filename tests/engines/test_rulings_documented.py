"""Every ruling has a test that bears its number, and every ruling that code cites is written down.

The games of `examples` are held to this too, though each is a package of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = (*sorted((ROOT / "docs" / "rulings").glob("*.md")), *sorted(ROOT.glob("examples/*/rulings.md")))
CODE = (*sorted((ROOT / "engines").rglob("*.py")), *sorted(ROOT.glob("examples/*/cardroom_*/*.py")))
FOLDERS = ("tests", "sandbox/tests", "examples/*/tests")
TESTS = sorted(file for folder in FOLDERS for file in ROOT.glob(f"{folder}/**/test_*.py"))

NUMBERED = re.compile(r"^- \*\*([A-Z]{1,2}-\d+[a-z]?)\b", re.MULTILINE)
DEFINED = re.compile(r"^ *(?:async )?def (test_\w+)", re.MULTILINE)
CITED = re.compile(r"\b([A-Z]{1,2}-\d+[a-z]?)\b")


def relative(file: Path) -> str:
    """A file's name in the project, for a test's id."""
    return file.relative_to(ROOT).as_posix()


def numbered(page: Path) -> list[str]:
    """The numbers of the rulings on a page, in its order."""
    return NUMBERED.findall(page.read_text(encoding="utf-8"))


def documented() -> list[str]:
    """The numbers of all rulings."""
    return [number for page in PAGES for number in numbered(page)]


def letters() -> dict[str, list[str]]:
    """The letters before the dash of a ruling's number, each with the pages that use them."""
    found: dict[str, list[str]] = {}
    for page in PAGES:
        for each in dict.fromkeys(number.partition("-")[0] for number in numbered(page)):
            found.setdefault(each, []).append(relative(page))
    return found


def names_of_tests() -> Iterator[str]:
    """The names of all test functions, in lower case."""
    for file in TESTS:
        for name in DEFINED.findall(file.read_text(encoding="utf-8")):
            yield name.lower()


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
    assert {"C-1", "C-7", "H-1", "H-12", "HC-1"} <= set(numbers)


def test_every_page_has_one_or_two_letters_to_itself() -> None:
    taken = letters()
    assert all(len(pages) == 1 for pages in taken.values()), f"taken: {taken}"
    assert sorted(page for pages in taken.values() for page in pages) == sorted(map(relative, PAGES)), f"taken: {taken}"


@pytest.mark.parametrize("file", CODE, ids=relative)
def test_every_ruling_that_an_engine_cites_is_written_down(file: Path) -> None:
    cited = set(CITED.findall(file.read_text(encoding="utf-8")))
    assert cited - set(documented()) == set()
