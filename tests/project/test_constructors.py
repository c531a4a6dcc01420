"""Every part is handed what it uses, and that is little: no constructor has more than eight parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.project.test_wiring import trees

MOST = 8
"""Parameters of a constructor, `self` not counted."""


def parameters(method: ast.FunctionDef) -> int:
    """How many parameters a method takes besides `self`; `*args` and `**kwargs` count as one each."""
    given = method.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]) - 1


def constructors(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The classes with a constructor that is written out, and how many parameters it has.

    Dataclasses and NamedTuples write no `__init__`: they are values, and a fact has as many fields as it has.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                    yield node.name, parameters(method)


def mutable_records(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Dataclasses that are no values, because they can be changed, and how many fields their constructor takes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            marks = [ast.unparse(mark) for mark in node.decorator_list]
            if any(mark.startswith("dataclass") and "frozen=True" not in mark for mark in marks):
                fields = [
                    each
                    for each in node.body
                    if isinstance(each, ast.AnnAssign) and "ClassVar" not in ast.unparse(each.annotation)
                ]
                yield node.name, sum("init=False" not in ast.unparse(each) for each in fields)


EXCEPTIONS = {
    ("bot/gateway/client.py", "CardroomClient"): "discord.py's client: four of its parameters are the connection's",
    ("bot/store/queries/matches.py", "Record"): "a value, which isn't frozen because a start makes a million",
}
"""What takes more all the same, and why."""


def too_wide(name: str, tree: ast.Module) -> list[str]:
    """The constructors of a module that take too much."""
    found = (*constructors(tree), *mutable_records(tree))
    return [f"{name}: {of} takes {count}" for of, count in found if count > MOST and (name, of) not in EXCEPTIONS]


def test_no_constructor_has_more_than_eight_parameters() -> None:
    found = [line for name, tree in trees("bot", "cogs", "engines", "laws", "tools") for line in too_wide(name, tree)]
    assert found == []


def test_a_wide_constructor_is_found() -> None:
    given = ", ".join("abcdefgh")
    assert too_wide("a.py", ast.parse(f"class A:\n    def __init__(self, {given}): ...")) == []
    text = f"class A:\n    def __init__(self, {given}, *, i): ..."
    assert too_wide("a.py", ast.parse(text)) == ["a.py: A takes 9"]
    fields = "\n".join(f"    {name}: int" for name in "abcdefghi")
    assert too_wide("a.py", ast.parse(f"@dataclass(frozen=True)\nclass A:\n{fields}")) == []
    assert too_wide("a.py", ast.parse(f"@dataclass\nclass A:\n{fields}")) == ["a.py: A takes 9"]
