"""Every sentence that `docs/promises.md` says people can rely on names tests there, and these tests exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from tests.project.files import ROOT, text

PAGE = "docs/promises.md"
HEADING = "## What you can rely on"
TESTS = "## The tests"

_TEST = re.compile(r"^- `([\w/]+\.py)::(test_\w+)`$")


def promises(page: str) -> list[str]:
    """The sentences of the page's list of promises."""
    section = page.partition(f"{HEADING}\n")[2].partition("\n## ")[0]
    bullets = re.findall(r"^- (.+(?:\n  .+)*)", section, re.MULTILINE)
    return [sentence for bullet in bullets for sentence in re.split(r"(?<=\.) ", re.sub(r"\s+", " ", bullet))]


def shown(page: str) -> dict[str, list[str]]:
    """The sentences among the page's tests, each with the lines of its list. Of a long one its beginning and `…` do."""
    section = page.partition(f"{TESTS}\n")[2]
    found = re.findall(r"^\*\*(.+)\*\*\n((?:- .+\n)*)", section, re.MULTILINE)
    return {whole(sentence, promises(page)): lines.splitlines() for sentence, lines in found}


def whole(sentence: str, sentences: list[str]) -> str:
    """The only one of these sentences that begins like this one, or this one."""
    begun = [each for each in sentences if sentence.endswith("…") and each.startswith(sentence[:-1])]
    return begun[0] if len(begun) == 1 else sentence


@cache
def functions(file: str) -> frozenset[str]:
    """The functions and methods of a module. Empty if there is no such file."""
    path = ROOT / file
    if not path.is_file():
        return frozenset()
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return frozenset(node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def problems(page: str) -> Iterator[str]:
    """What is wrong with the promises, a line each."""
    tests, sentences = shown(page), promises(page)
    for sentence in sentences:
        if not tests.get(sentence):
            yield f"no test: {sentence}"
    for sentence, lines in tests.items():
        if sentence not in sentences:
            yield f"not promised: {sentence}"
        for line in lines:
            named = _TEST.match(line)
            if named is None or named[2] not in functions(named[1]):
                yield f"no such test: {line}"


def test_every_promise_names_tests_that_exist() -> None:
    page = text(PAGE)
    assert len(promises(page)) >= 20
    assert list(shown(page)) == promises(page)
    assert list(problems(page)) == []


def test_the_readme_leads_to_the_promises() -> None:
    assert f"]({PAGE})" in text("README.md")


def test_all_other_lists_of_the_page_name_tests_too() -> None:
    lines = [line for line in text(PAGE).partition(f"{TESTS}\n")[2].splitlines() if line.startswith("- ")]
    assert lines == [line for named in shown(text(PAGE)).values() for line in named]
    for file, name in re.findall(r"`([\w/]+\.py)::(\w+)`", text(PAGE)):
        assert name in functions(file), f"{file}::{name}"


SOME = f"{HEADING}\n\n- One promise, on\n  two lines. Another.\n\n{TESTS}\n\n"
HERE = "tests/project/test_promises.py"
NAMED = f"- `{HERE}::test_what_is_missing_or_wrong_is_found`\n"


def test_what_is_missing_or_wrong_is_found() -> None:
    good = f"{SOME}**One promise, on two lines.**\n{NAMED}\n**Another.**\n{NAMED}"
    assert list(problems(good)) == []
    assert list(problems(good.replace("promise, on two lines.", "promise…"))) == []
    assert list(problems(good.replace("**One promise, on two lines.", "**…")))[-1] == "not promised: …"
    assert list(problems(f"{SOME}**One promise, on two lines.**\n{NAMED}")) == ["no test: Another."]
    assert list(problems(good.removesuffix(NAMED))) == ["no test: Another."]
    assert list(problems(f"{good}\n**A third.**\n{NAMED}")) == ["not promised: A third."]
    for wrong in (f"- `{HERE}::test_gone`", "- `tests/test_gone.py::test_gone`", "- a test"):
        assert list(problems(f"{good}{wrong}\n")) == [f"no such test: {wrong}"]
