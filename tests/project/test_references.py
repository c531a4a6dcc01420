"""No text refers to what is not in the repository: every page it names exists, and every number is explained."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.engines.test_rulings_documented import documented, names_of_tests, untested
from tests.project.files import ROOT, comments, relative, tracked

FAULTS = ROOT / "docs" / "faults.md"

TEXTS = ("*.py", "*.md", "*.po", "*.sh", "*.toml", "*.yaml", "*.yml", ".env.example", "Makefile", "Dockerfile")

_PAGE = re.compile(r"(?<![\w/.<>*}-])[\w./-]*\w\.md\b")
_NUMBER = re.compile(r"(?<![\w-])([A-Z]-\d+[a-z]?)\b(?!-)")
_UNKNOWN_KIND = re.compile(r"(?<!\w)\((?:[A-Z]\d{1,2}(?:, )?)+\)")
_LOAD = re.compile(r"^\| `?[Ll](\d+)`? \|", re.MULTILINE)
_FAULT = re.compile(r"^\| (F-\d+) \|", re.MULTILINE)

# Rulings that the guide for new games has as examples.
INVENTED = {"D-1", "X-1"}


def prose(path: Path, text: str) -> str:
    """What a file says to its readers: of Python its docstrings and comments, of any other file everything."""
    if path.suffix != ".py":
        return text
    statements = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr)]
    said = [node.value for node in statements if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return "\n".join((*said, *(words for _, words in comments(text))))


# Pages of games that tests install beside the program.
INVENTED_PAGES = {"duel.md", "whist.md"}


def texts() -> Iterator[tuple[Path, str]]:
    """Every file with text that people read. This one is left out: it has examples of what is not allowed."""
    for path in tracked(*TEXTS):
        if path != Path(__file__):
            yield path, path.read_text(encoding="utf-8")


def faults() -> list[str]:
    """The numbers on the page of faults."""
    return _FAULT.findall(FAULTS.read_text(encoding="utf-8"))


def loads() -> set[str]:
    """The numbers of the loads that the page of benchmarks explains."""
    return {f"L-{number}" for number in _LOAD.findall((ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8"))}


@cache
def page_names() -> frozenset[str]:
    """The names of all pages, without their folders."""
    return frozenset(page.name for page in tracked("*.md"))


def missing_pages(path: Path, text: str) -> list[str]:
    """The Markdown files that a text names and that do not exist.

    A path is looked up from the text's folder, `docs` and the root; a name without a path may be in any folder.
    """
    return [
        name
        for name in _PAGE.findall(text)
        if Path(name).name not in INVENTED_PAGES
        and name not in page_names()
        and not any((at / name).is_file() for at in (path.parent, ROOT, ROOT / "docs"))
    ]


def unexplained(text: str, known: set[str]) -> list[str]:
    """The numbers that a text cites and that no page explains."""
    return [number for number in _NUMBER.findall(text) if number not in known] + _UNKNOWN_KIND.findall(text)


def test_every_page_that_is_named_exists() -> None:
    named = [(path, text) for path, text in texts() if missing_pages(path, text)]  # perhaps by its program alone
    assert [(relative(path), names) for path, text in named if (names := missing_pages(path, prose(path, text)))] == []


def test_every_number_that_is_cited_is_explained() -> None:
    known = {*documented(), *faults(), *loads(), *INVENTED}
    assert {relative(path): numbers for path, text in texts() if (numbers := unexplained(text, known))} == {}


def test_every_fault_has_a_test_that_bears_its_number() -> None:
    assert untested(faults(), list(names_of_tests())) == []
    assert len(faults()) == len(set(faults()))


def test_every_test_of_a_fault_bears_the_number_of_one_that_is_explained() -> None:
    named = {match[1] for name in names_of_tests() if (match := re.match(r"test_f_(\d+)_", name))}
    assert {f"F-{number}" for number in named} == set(faults())


@pytest.mark.parametrize("text", ["See no-such-page.md.", "as `docs/gone.md` says", "[there](../gone.md#part)"])
def test_a_page_that_does_not_exist_is_found(text: str) -> None:
    assert len(missing_pages(ROOT / "docs" / "style.md", text)) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Clocks are paused (P4).", ["(P4)"]),
        ("It continues (P1, P4).", ["(P1, P4)"]),
        ("as F-77 wants", ["F-77"]),
        ("in UTF-8, by SHA-256 (C-5)", []),
    ],
)
def test_a_number_that_nothing_explains_is_found(text: str, found: list[str]) -> None:
    assert unexplained(text, {"C-5"}) == found
